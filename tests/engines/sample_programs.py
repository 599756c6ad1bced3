"""Small programs for the tests of the Prolog judge."""

from __future__ import annotations

from collections.abc import Sequence

COLORS = ("red", "blue", "red", "green", "red", "white", "red", "blue")


def trains(colors: Sequence[str] = COLORS) -> str:
    """Return a program with a train of two cars for each color, eastbound if it is red."""
    lines = []
    for number, color in enumerate(colors):
        label = "eastbound" if color == "red" else "westbound"
        lines.append(f"{label}(train{number}).")
        for place, painted in enumerate((color, "yellow"), start=1):
            car = f"car{number}_{place}"
            lines += [f"has_car(train{number}, {car}).", f"car_num({car}, {place})."]
            lines += [
                f"car_color({car}, {painted}).",
                f"car_len({car}, {('long', 'short')[place - 1]}).",
            ]
    return "\n".join(lines) + "\n"


def one_car_trains(colors: Sequence[str] = COLORS) -> str:
    """Return a program with a train of one car for each color, eastbound if it is red."""
    lines = []
    for number, color in enumerate(colors):
        label = "eastbound" if color == "red" else "westbound"
        lines += [f"{label}(train{number}).", f"has_car(train{number}, car{number}_1)."]
        lines += [f"car_color(car{number}_1, {color}).", f"car_num(car{number}_1, 1)."]
    return "\n".join(lines) + "\n"
