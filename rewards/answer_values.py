r"""What a family's reader uses on a block: JSON and YAML read, markup taken off, answers compared.

Of a mapping in JSON or YAML, what could be read in more than one way is refused: a key given twice,
an anchor, an alias. Markup is Markdown's emphasis and LaTeX.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import yaml

from logic_curriculum.rewards.answers import AmbiguousError, Answer, RefusedError

# -- JSON and YAML ---------------------------------------------------------------------------------

_MAX_DEPTH = 8
_MAX_BRACKETS = 200
MAX_YAML = 5_000
"""The longest mapping that is read as YAML, in characters."""

_KEY = re.compile(r"(?:^|[{,])[\s\"'*-]{0,4}([A-Za-z][\w ]{0,30}?)[\"']?\s?:", re.MULTILINE)


def read_mapping(block: str, keys: Collection[str]) -> Mapping[str, Any] | None:
    """Return the mapping that a block is, in JSON or YAML, its keys in lower case.

    Values of YAML are texts, lists and mappings. Returns ``None`` for what is no mapping or has
    none of the keys.

    Raises:
        RefusedError: When a key is given twice, or there is an anchor or an alias.

    >>> read_mapping('{"Answer": [3]}', ["answer"])
    {'answer': [3]}
    """
    if not any(_key(match[1]) in keys for match in _KEY.finditer(block)):
        return None
    try:
        try:
            found = json.loads(block, object_pairs_hook=_mapping)
        except json.JSONDecodeError:
            if len(block) > MAX_YAML or block.count("[") + block.count("{") > _MAX_BRACKETS:
                return None
            found = yaml.load(block.replace("**", ""), Loader=_Loader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    has_key = isinstance(found, dict) and any(key in found for key in keys)
    return found if has_key and _depth(found) <= _MAX_DEPTH else None


def _depth(value: Any) -> int:
    """Return how deep a value nests, but at most one more than is read."""
    layer, depth = [value], 0
    while layer and depth <= _MAX_DEPTH:
        depth += 1
        below = (item for item in layer if isinstance(item, list | dict))
        layer = [part for item in below for part in _parts(item)]
    return depth


def _parts(item: list[Any] | dict[str, Any]) -> Iterable[Any]:
    return item.values() if isinstance(item, dict) else item


def _mapping(pairs: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for key, value in pairs:
        name = _key(str(key))
        if name in mapping:
            raise RefusedError(f"the key {name!r} is given twice")
        mapping[name] = value
    return mapping


def _key(name: str) -> str:
    """Return a name in lower case; single letters are symbols and keep theirs."""
    name = name.strip()
    is_symbol = len(name) == 1 or name[1:2] == "("
    return name if is_symbol else name.replace("_", " ").lower()


class _Loader(yaml.BaseLoader):
    """Reads scalars as text, and refuses anchors and aliases."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if getattr(self.peek_event(), "anchor", None):
            raise RefusedError("an anchor or alias")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        pairs = [
            (self.construct_object(key, deep=True), self.construct_object(value, deep=True))
            for key, value in node.value
        ]
        is_set = node.flow_style and not any(value for _, value in pairs)
        return [key for key, _ in pairs] if is_set else _mapping(pairs)


def as_text(value: Any) -> str | None:
    """Return what a field holds as text; ``None`` for a mapping.

    >>> as_text([2, 5]), as_text(True), as_text("none")
    ('2, 5', 'true', 'none')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        texts = [as_text(item) for item in value]
        return None if None in texts else ", ".join(map(str, texts))
    if isinstance(value, dict):
        return None
    return json.dumps(value)


def read_field(
    block: str, keys: Collection[str], form: Callable[[str], Answer | None]
) -> Answer | None:
    """Return the answer that a mapping gives under ``answer`` or one of some other keys.

    Raises:
        AmbiguousError: When it gives different ones.
    """
    keys = (*keys, "answer", "final answer")
    mapping = read_mapping(block, keys)
    if mapping is None:
        return None
    given = [mapping[key] for key in keys if mapping.get(key) is not None]
    texts = [as_text(value) for value in given]
    return one_of([form(text) for text in texts if text is not None])


def one_of(answers: Iterable[Answer | None]) -> Answer | None:
    """Return the one answer among several readings, ``None`` when one of them is none.

    Raises:
        AmbiguousError: When they differ.
    """
    first: Answer | None = None
    differ = False
    for answer in answers:
        if answer is None:
            return None
        first = answer if first is None else first
        differ = differ or answer != first
    if differ:
        raise AmbiguousError("different answers")
    return first


# -- markup ----------------------------------------------------------------------------------------

_CHARACTERS = str.maketrans(
    {
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("‘’‚ʼ´", "'"),
        **dict.fromkeys("−‐‑‒﹣－", "-"),
        **dict.fromkeys("\u00a0\u2002\u2003\u2007\u3000", " "),
        **dict.fromkeys("*`", None),
    }
)
_GROUP = re.compile(
    r"(?:\\(?:(?:text|math)[a-z]*+|operatorname|mbox|boxed|emph)\s*+|[_^])\{([^{}]*+)\}"
)
_FRACTION = re.compile(r"\\[dt]?frac\s*+\{([^{}]*+)\}\s*+\{([^{}]*+)\}")
_LATEX = re.compile(
    r"\\(?P<brace>[{}_#%&$|])|(?P<grouped>(?<=\d)(?:\{,\}|\\[,!;: ])(?=\d{3}))"
    r"|\\(?:begin|end)\s*+\{[^{}\n]*+\}(?:\{[^{}\n]*+\})?|\\(?P<line>\\)"
    r"|\\(?P<word>[A-Za-z]++)|\\[,;:!()\[\] ]|\$"
)
_WORDS = {
    **dict.fromkeys(("emptyset", "varnothing"), "∅"),
    **dict.fromkeys(("to", "mapsto", "rightarrow"), "→"),
    **dict.fromkeys(("left", "right", "displaystyle", "bigl", "bigr", "big"), ""),
    **{"langle": "⟨", "rangle": "⟩", "neg": "¬", "lnot": "¬", "times": "×", "cdot": "×"},
    **{"quad": " ", "qquad": " ", "coloneqq": ":=", "lbrace": "{", "rbrace": "}", "div": "/"},
}


def without_markup(block: str) -> str:
    r"""Return a block without Markdown's emphasis and without LaTeX.

    >>> without_markup(r"**Jermaine’s** value: $\frac{580}{2} \text{ units}$")
    "Jermaine's value: 580/2  units"
    """
    text = block.translate(_CHARACTERS)
    if "\\" not in text and "$" not in text and "{,}" not in text:
        return text
    if r"\begin{" in text:
        text = text.replace("&", " ")
    for _ in range(3):
        text = _FRACTION.sub(r"\1/\2", _GROUP.sub(r"\1", text))
    return _LATEX.sub(_spelled, text)


def _spelled(command: re.Match[str]) -> str:
    if command["brace"]:
        return command["brace"]
    if command["grouped"]:
        return ","
    if command["word"]:
        return _WORDS.get(command["word"], command[0])
    return "\n" if command["line"] else " " if command[0] != "$" else ""
