"""Runs that are killed at drawn moments, and whether they come to the same: a Markdown table.

    python benchmarks/soak.py [--runs grpo sft] [--kills 10] [--seed 0] [--out DIR]

Of each kind, one run is left alone. Others are killed by SIGKILL, all their processes at a time, at
moments drawn uniformly over its seconds, from its first checkpoint on. Half of them wait from there
for the next write of a checkpoint, and for a drawn part of its length. The same command continues
with ``--resume_from_checkpoint true``. Its folder has to equal that of the first run in all files,
times left out.
"""

import argparse
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from speed import machine

from logic_curriculum.common.files import PARTIAL
from logic_curriculum.curriculum.checkpoints import MANIFEST, damage
from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.curriculum.models import tiny_model

ROOT = Path(__file__).parents[1]
SIZE: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "layers": 2, "batch_size": 8}
TELLS_TIME = re.compile(r"(time|per_second|seconds|date)$|^train_loss$|^num_tokens$")
"""Besides, transformers takes ``train_loss`` over the steps since a resume, and TRL's SFTTrainer
counts ``num_tokens`` from there."""
LEFT_OUT = re.compile(rf"(^|/)damaged-|\{PARTIAL}|(training_args\.bin|{MANIFEST})$")
"""What a kill leaves aside, the options of the command, of which resuming is one, and checksums."""


def recipe(name: str, options: str, hardware: str = "cpu") -> str:
    """Return the command of a recipe."""
    return (
        f"{{python}} -m accelerate.commands.launch --config_file accelerate_configs/{hardware}.yaml"
        f" --main_process_port 0 recipes/{name}.py --config recipes/configs/{name}/demo.yaml"
        f" --output_dir {{folder}} {options}"
    )


MODEL = "--model_name_or_path {model}"
SAVING = "--save_strategy steps --save_steps 2 --logging_steps 1"
GRPO = (
    f"{SAVING} {MODEL} --max_steps 12 --eval_levels 2 --eval_tasks 8 --eval_strategy steps "
    "--eval_steps 6 --window 8 --per_device_eval_batch_size 8 --num_generations 4 "
    "--max_completion_length 16 --log_completions true "
    "--num_completions_to_print 0 "
)
HALF = "--per_device_train_batch_size 4"
SFT = f"{SAVING} {MODEL} --last_level 2 --judge_levels 2 --judge_tasks 8 --max_new_tokens 16"
COMMANDS = {
    "grpo": recipe("grpo_slr", f"{GRPO} --per_device_train_batch_size 16"),
    "grpo-2": recipe("grpo_slr", f"{GRPO} --per_device_train_batch_size 8", "cpu-2"),
    "sft": recipe("sft_slr", f"{SFT} --train_sizes 16 40 --judge_steps 4"),
    "sft-2": recipe("sft_slr", f"{SFT} --train_sizes 16 40 --judge_steps 4 {HALF}", "cpu-2"),
    "sft-gated": recipe("sft_slr", f"{SFT} --gate true --window 8 --judge_steps 2 --max_steps 14"),
}


class Runs:
    """The runs of a kind, one after the other in the same folder, their output beside it."""

    def __init__(self, name: str, out: Path, seed: int) -> None:
        self.name, self.out = name, out
        self.folder, self.log = out / name, out / f"{name}.txt"
        self.uniform = random.Random(f"{name} {seed}").uniform
        shutil.rmtree(self.folder, ignore_errors=True)
        began, self.seconds = time.time(), self.finish()
        if "The run is in" not in (said := self.log.read_text()):
            raise SystemExit(f"{name} can't run undisturbed:\n{said[-3000:]}")
        self.whole = content(self.folder)
        folders = self.folder.glob("checkpoint-*")
        times = [[file.stat().st_mtime for file in each.iterdir()] for each in folders]
        self.shortest = min((max(each) - min(each) for each in times), default=0.0)
        self.first = min((max(each) - began for each in times), default=0.0)
        self.last = max((min(each) - began for each in times), default=self.seconds)
        shutil.rmtree(self.folder, ignore_errors=True)

    def is_writing(self) -> bool:
        """Return whether the checkpoint that was begun last is not whole; files come and go."""
        with suppress(FileNotFoundError):
            found = self.folder.glob("checkpoint-*")
            path = max(found, key=lambda path: path.stat().st_mtime_ns, default=None)
            return path is not None and damage(path, int(path.name.split("-")[1])) is not None
        return False

    def start(self, resume: bool = False) -> subprocess.Popen[bytes]:
        """Start the command."""
        values = {"python": sys.executable, "model": self.out / "model", "folder": self.folder}
        words = [word.format(**values) for word in shlex.split(COMMANDS[self.name])]
        if resume:
            words += ["--resume_from_checkpoint", "true"]
        # One thread per process: sums are then added up in the same order in every run.
        own = {**os.environ, "OMP_NUM_THREADS": "1", "HF_DATASETS_CACHE": str(self.out / "cache")}
        with self.log.open("wb") as log:
            return subprocess.Popen(words, cwd=ROOT, env=own, stdout=log, stderr=log)

    def finish(self, resume: bool = False) -> float:
        """Run to the end, and return the seconds that it took."""
        began = time.monotonic()
        self.start(resume).wait()
        return time.monotonic() - began

    def kill(self, inside: bool) -> str | None:
        """Kill a run and return when, in seconds, with * in a write; None if it missed that."""
        moment = self.uniform(self.first, self.last if inside else self.seconds)
        process, began = self.start(), time.monotonic()
        while time.monotonic() - began < moment or (inside and not self.is_writing()):
            if process.poll() is not None:
                return None
            time.sleep(0.0002)
        if inside:
            time.sleep(self.uniform(0, self.shortest))
        at = time.monotonic() - began
        signal_all(process, signal.SIGSTOP)  # stopped, they start no others
        signal_all(process, signal.SIGKILL)
        process.wait()
        in_write = self.is_writing()
        return None if inside and not in_write else f"{at:.1f}{'*' * in_write}"

    def row(self, kills: int) -> list[str]:
        """Kill runs, every other one in a write, resume them, and return a row on them."""
        found: list[tuple[str, str, bool, bool]] = []
        while len(found) < kills:
            at = self.kill(inside=len(found) % 2 == 0)
            if at is not None:
                self.finish(resume=True)
                found.append((at, self.went_on(), *self.differences()))
                print(self.name, *found[-1], file=sys.stderr, flush=True)
            shutil.rmtree(self.folder, ignore_errors=True)
        moments, places, lost, different = zip(*found, strict=True)
        inside = sum("*" in moment for moment in moments)
        cells = [round(self.seconds), ", ".join(moments), inside, ", ".join(places)]
        return [self.name, *map(str, [*cells, sum(lost), sum(different)])]

    def went_on(self) -> str:
        """Return how many steps a resumed run found done."""
        said = re.search(r"s  step +(\d+)  (?!warm-up)", self.log.read_text())
        return str(int(said[1]) - 1) if said else "end"

    def differences(self) -> tuple[bool, bool]:
        """Return whether files lack something, and whether any differ; say which."""
        there = content(self.folder)
        lost = [name for name, own in self.whole.items() if len(there.get(name, [])) < len(own)]
        changed = [name for name in {*there} - {*lost} if there[name] != self.whole.get(name)]
        if lost or changed:
            print(f"{self.name}: lost {lost}, different {changed}", file=sys.stderr, flush=True)
        return bool(lost), bool(changed)


def signal_all(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to a process and all that it started, which may lead sessions of their own."""
    found = [process.pid]
    for each in found:
        with suppress(FileNotFoundError, ProcessLookupError):
            for children in Path(f"/proc/{each}/task").glob("*/children"):
                found += map(int, children.read_text().split())
            os.kill(each, number)


def content(folder: Path) -> dict[str, list[Any]]:
    """Return a run's files by name: JSON without times, else a digest."""
    found = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_dir() or LEFT_OUT.search(name):
            continue
        parts = [path.read_bytes()]
        if path.suffix in (".jsonl", ".md"):
            parts = parts[0].splitlines()
        if path.suffix in (".json", ".jsonl"):
            with suppress(ValueError):  # what can't be read is lost
                found[name] = [json.loads(part, object_pairs_hook=timeless) for part in parts]
        else:  # the order of a model card's lines is a set's
            found[name] = [hashlib.sha256(b"\n".join(sorted(parts))).hexdigest()]
    return found


def timeless(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON without the keys that tell time; PEFT's modules are a set."""
    kept = {key: value for key, value in pairs if not TELLS_TIME.search(key)}
    return kept | {key: sorted(kept[key]) for key in ("target_modules",) if key in kept}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    parser.add_argument("--kills", type=int, default=10, help="of each kind of run")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--out", type=Path, default=Path("runs/soak"))
    arguments = parser.parse_args()
    print(machine(), end="\n\n")
    out = arguments.out.resolve()
    tasks = tiny_model.warm_up_tasks([1, 2], 0, {"slr": {"style": "compact"}}, 80)
    size = tiny_model.TinyModelConfig(steps=10, **SIZE)
    make = partial(tiny_model.train_tiny_model, seed=0, tasks=tasks, config=size)
    tiny_model.made_once(out / "model", make)
    rows = [Runs(name, out, arguments.seed).row(arguments.kills) for name in arguments.runs]
    head = ["run", "seconds", "killed at (s; * in a write)", "in a write", "went on from"]
    print(markdown_table([*head, "lost", "different"], rows))


if __name__ == "__main__":
    main()
