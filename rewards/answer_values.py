r"""What a family's reader uses on a block: JSON and YAML read, markup taken off, answers compared.

Of a mapping in JSON or YAML, what could be read in more than one way is refused: a key given twice,
an anchor, an alias. Markup is Markdown's emphasis and LaTeX.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import yaml

from logic_curriculum.rewards.answers import AmbiguousError, Answer, RefusedError, with_minus

_MAX_DEPTH = 8
_MAX_BRACKETS = 200
MAX_YAML = 5_000  # longest mapping that is read as YAML, in characters
_KEY = re.compile(r"(?:^|[{,])[\s\"'*-]{0,4}([A-Za-z][\w ]{0,30}?)[\"']?\s?:", re.MULTILINE)

_EMPHASIS = re.compile(r"(?<![\w)*])\*{1,3}+(?=[^\s*])|(?<=[^\s*])\*{1,3}+(?![\w(¬~∀∃*])")


def read_mapping(block: str, keys: Collection[str]) -> Mapping[str, Any] | None:
    """Return the mapping that a block is, in JSON or YAML, its keys in lower case.

    Values of YAML are texts, lists and mappings. Returns ``None`` for what is no mapping or has
    none of the keys at any depth; raises a :class:`RefusedError` when a key is given twice, or
    there is an anchor or an alias.

    >>> read_mapping('{"Answer": [3]}', ["answer"])
    {'answer': [3]}
    """
    low = block.replace("_", " ").lower()
    if not any(key.lower() in low for key in keys):
        return None  # most blocks, at little cost
    if not any(_key(match[1]) in keys for match in _KEY.finditer(block)):
        return None
    try:
        try:
            found = json.loads(block, object_pairs_hook=_mapping)
        except json.JSONDecodeError:
            if len(block) > MAX_YAML or block.count("[") + block.count("{") > _MAX_BRACKETS:
                return None
            plain = block if "&" in block else _EMPHASIS.sub("", block)  # no alias has an anchor
            found = yaml.load(plain.replace("**", ""), Loader=_Loader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return None
    return found if isinstance(found, dict) and not _is_deep(found) else None


def _is_deep(value: Any) -> bool:
    layer = [value]
    for _ in range(_MAX_DEPTH):
        nested = (item for item in layer if isinstance(item, list | dict))
        layer = [part for i in nested for part in (i.values() if isinstance(i, dict) else i)]
    return bool(layer)


def _mapping(pairs: Iterable[Sequence[Any]]) -> dict[str, Any]:
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
    """Reads scalars as text, also what begins with ``!``, and refuses anchors and aliases."""

    def fetch_tag(self) -> None:
        self.fetch_plain()

    def compose_node(self, parent: Any, index: Any) -> Any:
        if getattr(self.peek_event(), "anchor", None):
            raise RefusedError("an anchor or alias")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        pairs = [[self.construct_object(part, deep=True) for part in pair] for pair in node.value]
        is_set = node.flow_style and not any(value for _, value in pairs)
        return [key for key, _ in pairs] if is_set else _mapping(pairs)


def as_text(value: Any) -> str | None:
    """Return what a field holds as text; ``None`` for a mapping.

    >>> as_text([2, 5]), as_text(True), as_text("none")
    ('2, 5', 'true', 'none')
    """
    if isinstance(value, list):
        if not value:
            return "[]"
        texts = [as_text(item) for item in value]
        return None if None in texts else ", ".join(map(str, texts))
    if isinstance(value, dict):
        return None
    return value if isinstance(value, str) else json.dumps(value)


def read_field(
    block: str, keys: Collection[str], form: Callable[[str], Answer | None]
) -> Answer | None:
    """Return the answer that a mapping gives under ``answer`` or some keys, see :func:`one_of`."""
    keys = (*keys, "answer", "final answer")
    mapping = read_mapping(block, keys) or {}
    texts = [as_text(mapping[key]) for key in keys if mapping.get(key) is not None]
    return one_of([form(with_minus(text)) for text in texts if text is not None])


def one_of(answers: Iterable[Answer | None]) -> Answer | None:
    """Return the one answer among several readings, ``None`` when one of them is none.

    Raises an :class:`AmbiguousError` when they differ.
    """
    given = list(answers)
    if not given or None in given:
        return None
    if any(answer != given[0] for answer in given):
        raise AmbiguousError("different answers")
    return given[0]


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
    kind = command.lastgroup
    if kind == "word":
        return _WORDS.get(command["word"], command[0])
    if kind == "brace":
        return command["brace"]
    return {"grouped": ",", "line": "\n"}.get(kind or "", "" if command[0] == "$" else " ")
