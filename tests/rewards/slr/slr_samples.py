"""Small tasks of scalable inductive logic: trains of one car, told apart by its colour."""

from __future__ import annotations

from collections.abc import Iterable

from logic_curriculum.rewards.registry import judge_of

Train = tuple[str, bool, str]
"""Name, label and colour of the car."""


def program(*trains: Train) -> str:
    """Return a program of one-car trains."""
    return "\n".join(
        f"{'eastbound' if label else 'westbound'}({name}).\n"
        f"has_car({name}, {name}_car).\ncar_color({name}_car, {color})."
        for name, label, color in trains
    )


def fresh(colors: Iterable[tuple[bool, str, int]]) -> str:
    """Return a program with so many trains of each label and colour."""
    drawn = [(label, color) for label, color, count in colors for _ in range(count)]
    return program(*((f"fresh{at}", label, color) for at, (label, color) in enumerate(drawn)))


TRAINS = program(
    ("train0", True, "red"),
    ("train1", True, "red"),
    ("train2", False, "blue"),
    ("train3", False, "green"),
)
TASK = {
    "validation_program": TRAINS,
    "positive": "eastbound",
    "negative": "westbound",
    **judge_of("slr").versions,
}
FRESH_TASK = {**TASK, "heldout_program": fresh([(True, "red", 32), (False, "blue", 32)])}

RED = "eastbound(T) :- has_car(T, C), car_color(C, red)."
NOT_SHOWN = "eastbound(T) :- has_car(T, C), \\+ car_color(C, blue), \\+ car_color(C, green)."
NEVER = "eastbound(T) :- has_car(T, C), car_color(C, blue), car_color(C, green)."
ALWAYS = "eastbound(T)."
NAMES = "eastbound(T) :- T = train0.\neastbound(T) :- T = train1."
FACTS = "eastbound(train0). eastbound(train1)."
UNREADABLE = "eastbound(T) :- has_car(T, C"
FORBIDDEN = "eastbound(T) :- shell(ls)."


def task_with(*colors: tuple[bool, str, int]) -> dict[str, object]:
    """Return the task with other fresh examples."""
    return {**TASK, "heldout_program": fresh(colors)}
