r"""Fields of JSON objects and Python dicts in what a model wrote, as lines ``name: value``.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re

_STRING = r"(?:\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+')"
_FIELD = re.compile(
    r"(?P<name>\"[^\"\\\n]{1,400}+\"|'[^'\\\n]{1,400}+'"
    r"|(?<=[{,])\s?[A-Za-z_]{2,30}+)\s*+:\s*+\[?\s*+"
    rf"(?P<value>{_STRING})[\s\]}},]*+"
)
_CODE_POINT = re.compile(r"\\u([0-9a-fA-F]{4})")
_ESCAPED = re.compile(r"\\([\\\"'/])")


def unfold_fields(text: str) -> str:
    r"""Return the text with each quoted field on a line of its own, its escapes undone.

    >>> unfold_fields('So: {"formula": "\\u00acFa"}')
    'So: {\nformula: ¬Fa\n'
    """
    return _FIELD.sub(_line, _CODE_POINT.sub(_character, text))


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1], 16)
    is_surrogate = 0xD800 <= code <= 0xDFFF
    return escape[0] if is_surrogate or code < ord(" ") else chr(code)


def _line(field: re.Match[str]) -> str:
    name = field["name"].strip("\"' ").replace("_", " ")
    value = _ESCAPED.sub(r"\1", field["value"][1:-1])
    return f"\n{name}: {value}\n"
