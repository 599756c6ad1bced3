r"""Text of an answer block without Markdown's emphasis and without LaTeX.

The function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re

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


def plain(block: str) -> str:
    r"""Return a block without Markdown's emphasis and without LaTeX.

    >>> plain(r"**Jermaine’s** value: $\frac{580}{2} \text{ units}$")
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
