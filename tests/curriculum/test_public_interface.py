"""The trainers need nothing but what TRL and transformers document, and leave nothing behind."""

from __future__ import annotations

import ast
import inspect
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
import torch
from toy_task import make_task, toy_model, toy_reward, toy_scheduler, toy_tokenizer
from trl import GRPOConfig, GRPOTrainer

from logic_curriculum.curriculum import (
    CurriculumDataset,
    CurriculumGRPOTrainer,
    recadam,
    trainers,
    watching,
)
from logic_curriculum.curriculum import callback as curriculum_callback
from logic_curriculum.curriculum.dataset import SLOT
from logic_curriculum.curriculum.evaluation import held_out

ROOT = Path(__file__).parents[2]
OURS = "logic_curriculum"
FOREIGN = ("accelerate", "datasets", "peft", "torch", "transformers", "trl")
MODULES = (curriculum_callback, held_out, recadam, trainers, watching)
OPTIONS = {
    "per_device_train_batch_size": 8,
    "num_generations": 4,
    "max_completion_length": 4,
    "max_steps": 2,
    "save_strategy": "no",
    "bf16": False,
    "use_cpu": True,
    "report_to": "none",
    "disable_tqdm": True,
}


def own_classes() -> Iterator[type]:
    for module in MODULES:
        for found in vars(module).values():
            if isinstance(found, type) and found.__module__.startswith(OURS):
                yield found


def overridden(cls: type) -> set[str]:
    """Return the names that a class of ours takes over from a class of another library."""
    ours = [base for base in cls.__mro__ if base.__module__.startswith(OURS)]
    others = [base for base in cls.__mro__ if base.__module__.startswith(FOREIGN)]
    known = {name for base in others for name in vars(base)}
    return {name for base in ours for name in vars(base)} & known


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def test_no_private_name_of_another_library_is_overridden() -> None:
    found = {cls.__name__: overridden(cls) for cls in own_classes()}
    assert {"training_step", "log"} <= found["CurriculumGRPOTrainer"]  # so the search finds some
    assert not [(cls, name) for cls, names in found.items() for name in names if is_private(name)]


def attributes(tree: ast.AST) -> Iterator[ast.Attribute]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))


def test_no_private_attribute_of_another_library_is_read_or_set() -> None:
    files = [*ROOT.glob("curriculum/**/*.py"), *ROOT.glob("recipes/*.py")]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    own: set[str] = set()
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                own.add(node.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                if isinstance(node.value, ast.Name) and node.value.id == "self":
                    own.add(node.attr)
            elif isinstance(node, ast.AnnAssign | ast.Assign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                own.update(target.id for target in targets if isinstance(target, ast.Name))
    allowed = {"_asdict", "_replace", "_fields", "_make"}  # of named tuples
    allowed |= {"_attn_implementation"}  # read to refuse it; transformers has no other name for it
    reached = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.attr}"
        for path, tree in trees.items()
        for node in attributes(tree)
        if is_private(node.attr) and node.attr not in own | allowed
    ]
    assert not reached


def snapshot() -> dict[tuple[str, str], object]:
    """Return what the loaded modules of TRL and transformers, and their classes, hold by name."""
    held: dict[tuple[str, str], object] = {}
    for module in list(sys.modules.values()):
        if not isinstance(module, ModuleType) or not module.__name__.startswith(FOREIGN):
            continue
        for name, value in list(vars(module).items()):
            if not isinstance(value, FunctionType | type):
                continue
            held[module.__name__, name] = value
            if isinstance(value, type) and value.__module__ == module.__name__:
                for attribute, method in list(vars(value).items()):
                    if isinstance(method, FunctionType | property | classmethod | staticmethod):
                        held[f"{module.__name__}.{name}", attribute] = method
    return held


def methods_in(instance: Any) -> set[str]:
    """Return the methods of a class that an instance hides by values of its own."""
    return {name for name in vars(instance) if callable(getattr(type(instance), name, None))}


def trained(folder: Path, plain: bool) -> Any:
    common = {
        "model": toy_model(),
        "reward_funcs": toy_reward,
        "args": GRPOConfig(str(folder), **OPTIONS),
        "processing_class": toy_tokenizer(),
    }
    if plain:
        rows = CurriculumDataset(toy_scheduler(), make_task).rows(range(8))
        trainer = GRPOTrainer(train_dataset=dataset_of(rows), **common)
    else:
        trainer = CurriculumGRPOTrainer(curriculum=toy_scheduler(), make_task=make_task, **common)
    trainer.train()
    return trainer


def dataset_of(rows: list[dict[str, Any]]) -> Any:
    from datasets import Dataset

    return Dataset.from_list([{n: v for n, v in row.items() if n != SLOT} for row in rows])


def test_nothing_stays_changed_after_training(tmp_path: Path) -> None:
    plain = trained(tmp_path / "plain", plain=True)
    before, heard = snapshot(), [signal.getsignal(s) for s in (signal.SIGTERM, signal.SIGINT)]
    trainer = trained(tmp_path / "own", plain=False)
    after = snapshot()
    assert [key for key, value in before.items() if after.get(key) is not value] == []
    assert [signal.getsignal(s) for s in (signal.SIGTERM, signal.SIGINT)] == heard
    assert methods_in(trainer) == methods_in(plain)
    own, others = dict(trainer.model.named_modules()), dict(plain.model.named_modules())
    assert own.keys() == others.keys()
    for name, module in own.items():
        assert methods_in(module) == methods_in(others[name]), name
        for hooks in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks"):
            assert len(getattr(module, hooks)) == len(getattr(others[name], hooks))
    ids = torch.tensor([[2, 3, 4]])
    assert trainer.model.generate(ids, max_new_tokens=2, do_sample=False).shape[1] > 3


def test_the_arguments_of_the_user_stay_as_they_are(tmp_path: Path) -> None:
    args = GRPOConfig(str(tmp_path), **OPTIONS)
    before = args.to_dict()
    model = toy_model()
    CurriculumGRPOTrainer(
        model,
        toy_reward,
        args,
        processing_class=toy_tokenizer(),
        curriculum=toy_scheduler(),
        make_task=make_task,
    )
    changed = {name for name, value in args.to_dict().items() if value != before[name]}
    assert not changed


@pytest.mark.parametrize("cls", [trainers.CurriculumGRPOTrainer, trainers.CurriculumRLOOTrainer])
def test_what_is_overridden_is_documented(cls: type) -> None:
    for name in sorted(overridden(cls) - {"__init__", "__module__", "__doc__"}):
        if callable(getattr(cls, name)):
            others = [b for b in cls.__mro__ if b.__module__.startswith(FOREIGN)]
            docs = [inspect.getdoc(vars(base)[name]) for base in others if name in vars(base)]
            assert any(docs), name
