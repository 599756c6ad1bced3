"""Evaluate a model by Inspect, and print the paper's tables.

logic-curriculum evaluate slr_bench --model openai/gpt-4.1-mini
logic-curriculum evaluate logic -T family=sat -T levels=1,2 --model smollm2-135m
logic-curriculum evaluate logicskills --model runs/sft_slr --max-tokens 1024

All options but --model are those of `inspect eval`: -T of the task, -M of the model, --limit,
--epochs, --temperature, --max-tokens, --max-connections, --log-dir and others. The same without
this command: inspect eval logic_curriculum/TASK, then logic-curriculum report LOG.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.evaluation import report

TASKS = ("logic", "slr_bench", "logicskills", "loginum", "ltgen")
PLAIN = 'chat_template="{{ messages[0].content }}"'  # a prompt as it is, for models without chats


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="logic-curriculum evaluate",
        usage="%(prog)s TASK --model MODEL [-T OPTION=VALUE ...] [--OPTION VALUE ...]",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("task", choices=TASKS, metavar="TASK", help="%(choices)s")
    text = "what Inspect calls it, such as openai/NAME or vllm/NAME; a folder; smollm2-135m"
    parser.add_argument("--model", required=True, help=text)
    parser.add_argument("--log-dir", default="logs", help="folder of logs; default: logs")
    given, others = parser.parse_known_args(arguments)
    try:
        list_logs = require("inspect_ai.log", extra="inspect").list_eval_logs
        model = model_options(given.model, others)
    except (ImportError, ValueError, OSError) as error:
        parser.error(str(error))
    environment = {**os.environ, **({"HF_HUB_OFFLINE": "1"} if len(model) > 2 else {})}
    before = {log.name for log in list_logs(given.log_dir)}
    words = ["inspect_ai", "eval", f"logic_curriculum/{given.task}", "--log-dir", given.log_dir]
    # -P: in a checkout, the metadata beside the package would hide how it was installed
    command = [sys.executable, "-P", "-m", *words, *model, *others]
    status = subprocess.run(command, env=environment, check=False).returncode
    written = [log.name for log in list_logs(given.log_dir) if log.name not in before]
    if status or not written:
        return status or 1
    path = written[0].removeprefix("file://")
    print()
    if (shown := report.main([path])) == 0:
        print(f"The log is {path}: `inspect view --log-dir {given.log_dir}` shows every answer.")
    return shown


def model_options(name: str, others: Sequence[str]) -> list[str]:
    """Return Inspect's options for a model; one of a folder is greedy unless it is told to draw."""
    folder = Path(name)
    if name == "smollm2-135m":  # what `make model` makes
        from logic_curriculum.curriculum.models import pretrained

        folder = Path(str(pretrained.resolve(name)))
    if not folder.is_dir():
        if "/" not in name:
            raise ValueError(f"--model {name} is no folder, nor a provider's model: openai/{name}?")
        return ["--model", name]
    words = ["--model", f"hf/{folder}"]
    if not any("temperature" in word or "do_sample" in word for word in others):
        words += ["-M", "do_sample=false"]
    texts = [path.read_text() for path in folder.glob("tokenizer_config.json")]
    has_template = (folder / "chat_template.jinja").is_file() or "chat_template" in "".join(texts)
    return words + ([] if has_template else ["-M", PLAIN])


if __name__ == "__main__":
    sys.exit(main())
