"""Tasks, and answers that are nearly right: right ones whose pieces were changed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache

from hypothesis import strategies as st

from logic_curriculum.generators import Task, generate

FAMILIES = ("slr", "symbolization", "countermodel", "validity", "loginum", "sat")
LONGEST = 150_000  # characters of a completion, more than is read of one
_LEVELS = {"slr": (1, 4, 9, 13)}
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")
_BRACKETS = (
    "()", "[]", "{}", "<>", "⟨⟩", "**", "``", "$$", '""', "''", "¬ ", "- ", "f(", "∀x", "> ",
)  # fmt: skip
_CONFUSABLE = str.maketrans("aceopxyATBH0123(),.:-", "асеорхуАТВН٠١²３（），．：−")
_TAGS = ("answer", "final_answer", "RULE", "result", "certificate", "think", "b")
_MARKS = [f"<{slash}{tag}>" for tag in _TAGS for slash in ("", "/")]
_MARKS += [*"\0\r\t\v\x1b\x85\ud800\u200b\u200d\u202e\u2028\ufeff\u0301’“”«»…•⟦⟧∅⊤⊥∄∴⊢🚂ſİ"]
_MARKS += ["[RULE]", "[/RULE]", "```", "~~~", "\\boxed{", "\\text{", "\\frac{", "####", "Answer:"]
_MARKS += ["1e999", "NaN", "-0", "0x1", "1_000", "1/0", "9" * 401, "9" * 4301, "٣", "½", "&a [*a]"]
_MARKS += ["/*", "%", ":- ", ".\n", "\\+ ", "=>>", "<<=", "rule_0", "int_1", "fact_9999", "not "]
_MARKS += [" or ", '{"answer": ', '"answer": 1, "answer": 2', "!!python/object:os.system"]
_MARKS += ["- ", "1. ", "..."]


@cache
def tasks(family: str) -> tuple[Task, ...]:
    """Return a few tasks of a family, some of which ask for a certificate where there is one."""
    levels = _LEVELS.get(family, (1, 4, 7, 10))
    made = [generate(family, level, 3) for level in levels]
    if family == "sat":
        made += [generate(family, level, 5, style="certificate") for level in levels]
    return tuple(made)


def _changed(draw: st.DrawFn, chosen: Sequence[str], pool: Sequence[str]) -> list[str]:
    """Return what stands in the place of some pieces."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return []
    if kind == 1:
        return [*chosen, *chosen]
    if kind == 2:
        return list(reversed(chosen))
    if kind == 3:
        opening, closing = draw(st.sampled_from(_BRACKETS))
        depth = draw(st.sampled_from((1, 2, 9, 101, 1100)))
        return [opening * depth, *chosen, closing * depth]
    if kind == 4:
        return ["".join(chosen).translate(_CONFUSABLE)]
    if kind == 5:
        return list(chosen) * draw(st.sampled_from((3, 40, 2000)))
    if kind == 6:
        return [*chosen, draw(st.text(max_size=9))]
    if kind == 7:
        return [*chosen, draw(st.sampled_from(_MARKS))]
    start = draw(st.integers(0, len(pool) - 1))
    return [*chosen[: kind % 2], *pool[start : start + draw(st.integers(1, 9))]]


@st.composite
def mutated(draw: st.DrawFn, text: str, pool: Sequence[str], changes: int = 5) -> str:
    """Draw a text in which some pieces were deleted, doubled, turned, nested, or replaced."""
    pieces = _PIECE.findall(text)
    for _ in range(draw(st.integers(1, changes))):
        start = draw(st.integers(0, len(pieces)))
        end = start + draw(st.integers(0, 8))
        pieces[start:end] = _changed(draw, pieces[start:end], pool)
    return "".join(pieces)[:LONGEST]


@cache
def _pool(family: str) -> tuple[str, ...]:
    made = tasks(family)
    payloads = [json.dumps(task.verification, ensure_ascii=False)[:3000] for task in made]
    texts = [*(task.solution for task in made), *payloads, made[0].prompt[-1500:]]
    return tuple(_PIECE.findall("\n".join(texts)))


_LAYOUTS = (
    "{0}", "{1}\n\n{0}", "{0}\n{1}", "{0}\n\n{0}", "<think>{0}</think>{1}", "```\n{0}\n```",
    "Answer: {0}", "> {0}\n> {1}", "**Final answer**\n\n{0}\n\nSo {1}.", "\\boxed{{{0}}}",
)  # fmt: skip


@st.composite
def answers(draw: st.DrawFn, family: str) -> tuple[Task, str | list[dict[str, object]]]:
    """Draw a task and a hostile completion of it, as text or as messages."""
    task = draw(st.sampled_from(tasks(family)))
    first = draw(mutated(task.solution, _pool(family)))
    second = task.solution
    if draw(st.booleans()):
        second = draw(mutated(second, _pool(family)))
    text = draw(st.sampled_from(_LAYOUTS)).format(first, second)[:LONGEST]
    text *= draw(st.sampled_from((1,) * 8 + (2, 30)))
    kind = draw(st.integers(0, 9))
    if kind == 8:
        return task, [{"role": "assistant", "content": text}]
    if kind == 9:
        parts = [{"type": "text", "text": text[:99]}, {"type": "text", "text": text[99:]}]
        return task, [{"role": "user", "content": second}, {"role": "assistant", "content": parts}]
    return task, text


def batches(family: str, largest: int = 3) -> st.SearchStrategy[list[tuple[Task, object]]]:
    """Return hostile completions that are judged together."""
    return st.lists(answers(family), min_size=1, max_size=largest)
