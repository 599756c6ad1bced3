r"""Text that a model wrote, with the markup taken off and its symbols spelled in one way.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
import unicodedata
from html import unescape

MAX_TEXT = 100_000
"""How much of a text is read, in characters from its end."""

_SYMBOLS = {
    "forall": "∀",
    "exists": "∃",
    "nexists": "¬∃",
    **dict.fromkeys(("lnot", "neg", "sim"), "¬"),
    **dict.fromkeys(("land", "wedge"), "∧"),
    **dict.fromkeys(("lor", "vee"), "∨"),
    **dict.fromkeys(("to", "implies", "rightarrow", "Rightarrow", "longrightarrow", "supset"), "→"),
    **dict.fromkeys(
        ("iff", "equiv", "leftrightarrow", "Leftrightarrow", "longleftrightarrow"), "↔"
    ),
    **dict.fromkeys(("emptyset", "varnothing"), "∅"),
    "langle": "⟨",
    "rangle": "⟩",
    "lbrace": "{",
    "rbrace": "}",
    "mapsto": "↦",
    "coloneqq": ":=",
    "colon": ":",
    "times": "×",
    "in": "∈",
}
_SILENT = frozenset(
    ("left", "right", "big", "bigl", "bigr", "Big", "Bigl", "Bigr", "bigg", "Bigg", "displaystyle")
)
_LATEX = re.compile(
    r"\\(?:begin|end)\s*+\{[^{}\n]*+\}(?:\{[lcr|@ ]*+\})?+"
    r"|\\(?:(?:text|math)[a-z]*+|operatorname\*?+|emph|underline|boldsymbol|boxed|fbox|mbox)"
    r"\s*+(?P<opens>\{)"
    r"|[_^](?P<script>\{)"
    r"|(?P<ascii>/\\|\\/)"
    r"|(?P<line>\\\\(?:\[[\d.]++[a-z]{2}\])?+)"
    r"|\\(?P<name>[A-Za-z]++)"
    r"|\\(?P<brace>[{}])"
    r"|\\(?P<space>[,;:! ])"
    r"|\\(?P<display>[\[\]])"
    r"|\\(?P<inline>[()])"
    r"|\\(?P<escaped>[_&#%$|*.\-])"
    r"|(?P<open>\{)|(?P<close>\})"
)
_ALIGNMENT = re.compile(r"(?<!\\)&")
_EMPHASIS = re.compile(
    r"\*\*++|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])"
    r"|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)|`|\$\$?+"
)
_FENCE = re.compile(r"(?:`{3,}+|~{3,}+)(?:[ \t]*+[\w+#-]*+[ \t]*+(?=\r?\n))?+")
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,10}|#\d{1,6});|<br\s*+/?>", re.IGNORECASE)
_INVISIBLE = re.compile("[\ufeff\u200b\u200c\u200d\u2060\u00ad]")
_QUOTES = str.maketrans("“”„«»‘’‚", '"""""\'\'\'')


def plain_text(text: str) -> str:
    r"""Return the text without LaTeX, Markdown emphasis and fences, in Unicode's own symbols.

    Braces that LaTeX groups with go; escaped ones, and those of other texts, stay. Of a text
    longer than :data:`MAX_TEXT` the beginning is dropped.

    >>> plain_text(r"**Answer:** $\forall x\,(Fx \to \text{Gx})$")
    'Answer: ∀ x (Fx → Gx)'
    >>> plain_text(r"$P^{I} = \{\langle 0,1 \rangle\}$")
    'P^I = {⟨ 0,1 ⟩}'
    """
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text[-MAX_TEXT:]))
    text = _FENCE.sub("\n", _ENTITY.sub(_character, text.translate(_QUOTES)))
    if r"\begin{" in text:
        text = _ALIGNMENT.sub(" ", text)
    return _EMPHASIS.sub("", _without_latex(text))


def _character(entity: re.Match[str]) -> str:
    return "\n" if entity[0].startswith("<") else unescape(entity[0])


def _without_latex(text: str) -> str:
    pieces: list[str] = []
    only_group: list[bool] = []
    position = 0
    for token in _LATEX.finditer(text):
        pieces += (text[position : token.start()], _meaning(token, only_group))
        position = token.end()
    return "".join(pieces) + text[position:]


def _meaning(token: re.Match[str], only_group: list[bool]) -> str:
    """Return what a piece of LaTeX stands for; remember which braces only group."""
    match token.lastgroup:
        case "opens" | "open" | "script":
            only_group.append(token.lastgroup != "open")
            return {"open": "{", "script": token[0][0]}.get(str(token.lastgroup), "")
        case "close":
            return "" if only_group and only_group.pop() else "}"
        case "name":
            return _named(token["name"])
        case "ascii":
            return "∧" if token[0][0] == "/" else "∨"
        case "brace" | "escaped":
            return token[0][1]
        case "space" | "inline":
            return " "
    return "\n"


def _named(name: str) -> str:
    if name in _SILENT:
        return ""
    return _SYMBOLS.get(name, " " if name in ("quad", "qquad") else f" {name} ")
