"""Theme banks: the sentences that stand for variables where no language model writes them.

Source: App. A.2 and B.4.1 (themes); the files in ``themes/`` are our own, and
``themes/banking.yaml`` explains their format.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path


@dataclass(frozen=True)
class Atom:
    """A sentence as in the middle of another: no full stop, no capital but that of a name."""

    text: str
    negation: str
    """True exactly where ``text`` is false."""


@dataclass(frozen=True)
class Theme:
    """Sentences that are independent of one another: any of them may be true or false together."""

    name: str
    title: str
    topic: str
    """What the theme is about, in a line; for language models."""
    text: str
    """A paragraph about it; for language models."""
    atoms: tuple[Atom, ...]


def sentence_case(text: str) -> str:
    """Return a text with a capital at its start.

    >>> sentence_case("the lift got stuck")
    'The lift got stuck'
    """
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=1)
def theme_names() -> tuple[str, ...]:
    """Return the names of the themes that come with the package, in alphabetic order."""
    names = [item.name for item in _folder().iterdir() if item.name.endswith(".yaml")]
    return tuple(sorted(name.removesuffix(".yaml") for name in names))


def load_theme(name_or_path: str | Path) -> Theme:
    """Load a shipped theme by its name, or a theme file by its path.

    Args:
        name_or_path: Such as ``"banking"``, or the path of a YAML file. Anything that ends in
            ``.yaml`` or ``.yml`` or holds a path separator is taken as a path.

    Raises:
        ValueError: No such theme or file, or the file is not a theme; the message names the line
            and what to change.
    """
    text = str(name_or_path)
    if text in theme_names():
        file = f"{text}.yaml"
        return _read((_folder() / file).read_text(encoding="utf-8"), file)
    if not (text.endswith((".yaml", ".yml")) or "/" in text or "\\" in text):
        raise ValueError(
            f"There is no theme {text!r}: choose one of {', '.join(theme_names())}, or give the "
            "path of a .yaml file"
        )
    path = Path(text)
    if not path.is_file():
        raise ValueError(f"The theme file {text!r} does not exist; check the path")
    try:
        return _read(path.read_text(encoding="utf-8"), text)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"The theme file {text!r} is not UTF-8 text ({error.reason} at byte {error.start}); "
            "save it as UTF-8"
        ) from error


@lru_cache(maxsize=64)
def _read(content: str, file: str) -> Theme:
    from logic_curriculum.generators.sat.theme_file import read_theme

    return read_theme(content, file)


def _folder() -> Traversable:
    return resources.files("logic_curriculum.generators.sat") / "themes"
