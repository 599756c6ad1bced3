r"""Whole numbers as models write them: ``-15,388``, ``−7``, ``15{,}388``, ``+3.0``.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re

from rewards.plain import plain_text

MAX_DIGITS = 400
"""Longest number that is read, in digits."""

NUMBER = re.compile(
    r"(?:(?<!\w)(?P<sign>[-+])\s?)?(?<![\w.])"
    r"(?P<digits>\d{1,3}(?P<mark>[,_'])\d{3}(?:(?P=mark)\d{3})*+(?!\d)|\d++)"
    r"(?:\.(?P<decimals>\d++))?+(?P<suffix>[^\W\d]\w*+)?+"
)
"""A number, with its sign, decimals and what is written right behind it."""
_GROUPING = re.compile(r"(?<=\d)(?:\\[,;:! ]|\{,\}|[\u2009\u202f\u00a0~])(?=\d{3}(?!\d))")
_SIGNS = str.maketrans(
    dict.fromkeys("−–—‐‑‒﹣－", "-") | dict.fromkeys("’‘ʼ´", "'") | dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹", "^")
)


def plain_line(text: str) -> str:
    r"""Return a line without markup, with one kind of minus, apostrophe and thousands separator.

    >>> plain_line(r"**Hetty’s** legal is $−15{,}388$")
    "Hetty's legal is -15,388"
    """
    if text.isascii() and not any(mark in text for mark in "\\*`$_{"):
        return text
    return plain_text(_GROUPING.sub(",", text).translate(_SIGNS))


def numbers_in(text: str) -> list[re.Match[str]]:
    """Return where the numbers of a plain line stand; :func:`whole` reads one."""
    return list(NUMBER.finditer(text))


def whole(number: re.Match[str]) -> int | None:
    """Return a whole number, or ``None`` for a fraction, ``2y``, ``1e9`` or far too many digits."""
    digits, mark = number["digits"], number["mark"]
    if number["suffix"] or (number["decimals"] or "").strip("0") or len(digits) > MAX_DIGITS:
        return None
    value = int(digits.replace(mark, "") if mark else digits)
    return -value if number["sign"] == "-" else value
