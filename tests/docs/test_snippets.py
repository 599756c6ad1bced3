"""Every Python block of the README and the guides runs, and prints what the page says."""

from __future__ import annotations

import doctest
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import pytest
from byte_model import byte_tokenizer, tiny_model
from llm_server import Endpoint, completion, load_model
from pages import BLOCKS, Block
from peft import LoraConfig, get_peft_model
from pytest_httpserver import HTTPServer

from logic_curriculum.generators import generate, registry
from logic_curriculum.generators.loginum.levels import EXPRESSIONS, PRESETS
from logic_curriculum.rewards import REWARDS
from logic_curriculum.rewards.engines.numeric.syntax import Expression
from logic_curriculum.rewards.registry import JUDGES

LANGUAGES = {"sh", "console", "python", "yaml", "toml", "text", "prolog", "bibtex"}
MODELS = re.findall(r'"([\w-]+/[A-Z][\w.-]+)"', "".join(block.text for block in BLOCKS))
ADAPTER = "runs/peft_transfer_llama3.2-3b/adapters/countermodel"
EXTRAS = {"ray", "reasoning_gym", "unsloth", "verifiers"}
"""Packages without which a block is left out."""
SMALL = {
    "max_steps": 1,
    "per_device_train_batch_size": 8,
    "bf16": False,
    "use_cpu": True,
    "gradient_checkpointing": False,
    "report_to": "none",
    "disable_tqdm": True,
}
"""Options that shrink a training to seconds; the page's others stay."""
WRITTEN = ("bf16", "max_steps", "use_cpu")
"""What README says itself, since its training runs as written on a machine without a GPU."""
PYTHON = [block for block in BLOCKS if block.language == "python"]


def shrink(monkeypatch: pytest.MonkeyPatch, config: Any, small: Any, **options: Any) -> None:
    """Let small values, and others, win over those that a class of options is given."""
    init = config.__init__

    def smaller(self: Any, *words: Any, **given: Any) -> None:
        init(self, *words, **given | small | options)

    monkeypatch.setattr(config, "__init__", smaller)


def some(*words: int) -> range:
    """Return the first numbers of a range: a page's first tasks will do."""
    return range(*words)[:8]


def published_rows(*name: str, split: str) -> datasets.Dataset:
    """Return rows of the form of SLR-Bench, whose validation program has renamed objects."""
    family, rows = registry.family("slr"), []
    for seed, level in enumerate((1, 3, 5, 8)):
        row = family.published_columns(generate("slr", level, seed, split=split, style="prolog"))
        renamed = re.sub(r"\b(?=(?:train|car)\d)", "my", row["validation program"])
        rows.append({**row, "validation program": renamed})
    return datasets.Dataset.from_list(rows)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """Return a model of a few kilobytes and its tokenizer."""
    from trl.chat_template_utils import qwen3_chat_template

    tokenizer = byte_tokenizer(qwen3_chat_template)
    return tiny_model(len(tokenizer)), tokenizer


@pytest.fixture
def names(tiny, tmp_path: Path, monkeypatch, httpserver: HTTPServer, request) -> dict[str, Any]:
    """Return what pages take for granted; a folder stands in for each model that they name."""
    import trl

    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    model, tokenizer = tiny
    for folder in MODELS:
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    get_peft_model(tiny_model(len(tokenizer)), LoraConfig(task_type="CAUSAL_LM")).save_pretrained(
        ADAPTER
    )
    read = datasets.load_dataset
    published = {"AIML-TUDA/SLR-Bench": published_rows}
    monkeypatch.setattr(
        datasets,
        "load_dataset",
        lambda name, *more, **given: published.get(name, read)(name, *more, **given),
    )
    args = trl.GRPOConfig("run", **SMALL)
    is_readme = request.node.callspec.params["page"] == "README.md"
    small = {name: value for name, value in SMALL.items() if not (is_readme and name in WRITTEN)}
    shrink(monkeypatch, trl.GRPOConfig, small, max_completion_length=4)
    shrink(monkeypatch, trl.SFTConfig, small, per_device_train_batch_size=2)
    load_model.cache_clear()  # of another llm.yaml
    url = Endpoint(httpserver, lambda body: completion("<answer>3</answer>")).url
    Path("llm.yaml").write_text(
        f"model: m\nclient: {{base_url: '{url}', api_key: none}}\ncache: answers\n"
    )
    task = generate("validity", 1, 0)
    return {
        "__name__": "__main__",
        "model": type(model).from_pretrained(MODELS[0]),
        "tokenizer": tokenizer,
        "args": args,
        "range": some,
        "sampled": ["I have no idea."] * len(some(1000)),
        "completions": ["I think the third."],
        "verifications": [task.verification],
    }


@pytest.fixture
def registries() -> Iterator[None]:
    """Forget afterwards what a page registers."""
    tables: list[dict[str, Any]] = [
        *(registry._REGISTERED, JUDGES, REWARDS),
        *(EXPRESSIONS, PRESETS, Expression.FUNCTIONS),
    ]
    before = [dict(table) for table in tables]
    yield
    for table, items in zip(tables, before, strict=True):
        table.clear()
        table.update(items)


def test_every_block_says_what_it_is():
    unknown = [block.name for block in BLOCKS if block.language not in LANGUAGES]
    assert not unknown, f"{unknown}: write sh, python, yaml or text after the fence"


@pytest.mark.usefixtures("registries")
@pytest.mark.parametrize("page", dict.fromkeys(block.page for block in PYTHON))
def test_the_python_of_a_page_runs(page, names, capsys):
    for block in BLOCKS:
        if block.page == page and block.file:
            Path(block.file).write_text(block.text)
    missing = set()
    for block in [block for block in PYTHON if block.page == page]:
        try:
            run(block, names)
        except ImportError as error:
            if error.name not in EXTRAS and "optional dependency" not in str(error):
                raise
            missing.add(str(error))
            continue
        printed = capsys.readouterr().out
        if block.printed is not None:
            assert printed.rstrip("\n") == block.printed.rstrip("\n"), block.name
        told = re.findall(r"^print\(.*\) +# (.*)$", block.text, re.MULTILINE)
        for line, comment in zip(printed.splitlines(), told, strict=False):
            assert comment.startswith(line), block.name
    if page == "README.md":
        assert names["trainer"]._tasks.conversational  # like the rows of the snippet's first half
    if missing:
        pytest.skip(f"all ran but the blocks that need {missing}")


def run(block: Block, names: dict[str, Any]) -> None:
    """Run a block, as a doctest if it has prompts."""
    if ">>> " not in block.text:
        text = re.sub(r"\bmax_new_tokens=\d+", "max_new_tokens=4", block.text)
        text = re.sub(r"\bmax_steps=\d+", "max_steps=1", text)
        exec(compile("\n" * (block.line - 1) + text, block.page, "exec"), names)
        return
    examples = doctest.DocTestParser().get_doctest(
        block.text, names, block.name, block.page, block.line - 1
    )
    examples.globs = names  # the parser copies them, and a later block needs what this one makes
    result = doctest.DocTestRunner().run(examples, out=sys.stderr.write, clear_globs=False)
    assert result.failed == 0, block.name
