"""A finite structure as the text that countermodel tasks ask for, and as JSON."""

from __future__ import annotations

from typing import Any

from logic_curriculum.rewards.engines.fol.models import Structure


def to_json(structure: Structure) -> dict[str, Any]:
    """Return a JSON-able description, in the layout of the published data.

    >>> to_json(Structure((0, 1), {"a": 1}, {"F": frozenset({1})}, {"P": frozenset({(0, 1)})}))
    {'Domain': [0, 1], 'a': 1, 'F': [1], 'P': [[0, 1]]}
    """
    return {
        "Domain": list(structure.domain),
        **{name: structure.constants[name] for name in sorted(structure.constants)},
        **{name: sorted(structure.monadic[name]) for name in sorted(structure.monadic)},
        **{
            name: [list(pair) for pair in sorted(structure.binary[name])]
            for name in sorted(structure.binary)
        },
    }


def in_full(structure: Structure) -> str:
    """Return the layout that the prompt asks for, without the sections that would be empty.

    >>> print(in_full(Structure((0, 1), {"a": 1}, {"F": frozenset()}, {"P": frozenset({(0, 1)})})))
    Domain: [0, 1]
    Constants: "a": 1
    Monadic predicates: "F": []
    Binary predicates: "P": [[0, 1]]
    """
    known = to_json(structure)
    sections = {
        "Constants": structure.constants,
        "Monadic predicates": structure.monadic,
        "Binary predicates": structure.binary,
    }
    lines = [f"Domain: {known['Domain']}"]
    for title, symbols in sections.items():
        if symbols:
            entries = ", ".join(f'"{name}": {known[name]}' for name in sorted(symbols))
            lines.append(f"{title}: {entries}")
    return "\n".join(lines)


def in_brief(structure: Structure) -> str:
    """Return one line, like the example in §3.1 of the paper.

    >>> in_brief(Structure((0, 1), {"a": 1}, {"F": frozenset({0})}, {"P": frozenset({(0, 1)})}))
    'a=1 F={0} P={(0,1)}'
    """
    parts = [f"{name}={structure.constants[name]}" for name in sorted(structure.constants)]
    for name in sorted(structure.monadic):
        parts.append(f"{name}={{{','.join(map(str, sorted(structure.monadic[name])))}}}")
    for name in sorted(structure.binary):
        pairs = ",".join(f"({i},{j})" for i, j in sorted(structure.binary[name]))
        parts.append(f"{name}={{{pairs}}}")
    return " ".join(parts)
