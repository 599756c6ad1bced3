"""The words of formulas as models write them: Unicode, ASCII, LaTeX or English, one kind each."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from logic_curriculum.rewards.engines.fol.parser import FormulaError
from logic_curriculum.rewards.engines.fol.syntax import VARIABLES

_LEFT_RIGHT = "leftrightarrow Leftrightarrow longleftrightarrow Longleftrightarrow"
_RIGHT = "rightarrow Rightarrow longrightarrow Longrightarrow"
_SPELLINGS = {
    "iff": ("↔ ⇔ ⟷ ⟺ ≡ ⇄", f"{_LEFT_RIGHT} iff liff equiv harr hArr"),
    "imp": ("→ ⇒ ⊃ ⟶ ⟹ ⇾ ➔ ➝ ➞", f"{_RIGHT} implies to supset rarr rArr lif"),
    "and": ("∧ ⋀ ^", "land wedge bigwedge and"),
    "or": ("∨ ⋁", "lor vee bigvee or"),
    "not": ("¬ ~ ∼ ⌐ ! -", "lnot neg sim not"),
    "forall": ("∀", "forall"),
    "exists": ("∃", "exists exist"),
    "nexists": ("∄", "nexists"),
    "dot": (". :", "colon"),
    "middot": ("· ⋅ • ∙", "cdot bullet"),
}
"""Kind → its signs, and its words: LaTeX commands, which also occur without the backslash, and
HTML entities."""
WORDS = frozenset(word for _, words in _SPELLINGS.values() for word in words.split())
"""The words of the table above."""
_PHRASES = {
    "forall": r"for\s+all|for\s+every|for\s+each|all|every",
    "exists": r"there\s+exists|there\s+is|some",
    "dot": r"such\s+that|s\.t\.",
}
_ARROWS = {
    "iff": r"(?:<|&lt;)[-=]{1,3}(?:>|&gt;)",
    "imp": r"[-=]{1,3}(?:>|&gt;)",
    "and": r"\\{0,2}(?:&amp;&amp;|&amp;|&&|&(?![a-zA-Z]+;))|/\\",
    "or": r"\\{0,2}(?:\|\||\|)|\\/",
}
QUANTIFIERS = ("forall", "exists", "nexists")
_STARTS = ("predicate", "open", "not", *QUANTIFIERS)
_SLASHES = r"\\{1,4}+"  # the backslash of a command, perhaps escaped once or twice
_FOREIGN = {
    "identity is not part of the language": rf"[=≠]|{_SLASHES}neq?(?![a-z])",
    "uniqueness (∃!) is not part of the language": rf"∃\s*[!1]|(?:{_SLASHES}|\b)exists\s*[!1]",
    "quantifiers are restricted by a condition, not by ∈": rf"[∈∉]|{_SLASHES}(?:not)?in(?![a-z])",
    "constant truth values are not part of the language": rf"[⊤⊥]|{_SLASHES}(?:top|bot)(?![a-z])",
}
_LOOKALIKES = str.maketrans(
    {
        **dict(zip("АВСЕНІЈКМОРТХаеорсухѕіј", "ABCEHIJKMOPTXaeopcyxsij", strict=True)),
        **dict.fromkeys("−–—‐‑‒", "-"),
        **dict.fromkeys("˜∽～", "~"),
        **dict.fromkeys("∣｜❘", "|"),
        **dict.fromkeys("⟨⦅❨", "("),
        **dict.fromkeys("⟩⦆❩", ")"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\u2061\u2062\u2063\ufeff\u00ad", " "),
        **{"⟦": "[", "⟧": "]", "⁄": "/"},
    }
)
_FONT = (
    rf"{_SLASHES}(?:math(?:rm|it|sf|bf|cal|bb|tt|scr|frak|ord|op|bin|rel|normal)|text(?:rm|it|sf|bf|tt)?"
    r"|operatorname\*?|boldsymbol|bm|mbox)\s*\{([^{}]*)\}"
)
ENVIRONMENT = r"(?:begin|end)\s*\{[a-z]*\*?\}(?:\{[lcr|]*\})?"
"""Where an environment of LaTeX begins or ends, without the backslash."""
_ALIGNED = re.compile(r"\\begin\s*\{(?:align|split|array|cases|eqnarray)")
_ALIGNMENT = re.compile(r"(?<![^\\]\\)&(?![a-zA-Z]+;)")  # there "&" is a place, "\&" a conjunction
_NOISE = re.compile(
    rf"(?<!/){_SLASHES}(?:"  # "/\\" is a conjunction
    r"(?:left|right|[bB]igg?[lrm]?)(?![a-zA-Z])"  # sizes of brackets
    rf"|{ENVIRONMENT}|(?:displaystyle|textstyle|q?quad|thinspace)(?![a-zA-Z])"
    r"|[,;:!()\[\]$`*_]|(?=\s|\Z)"  # spaces, mathematical modes, escaped Markdown
    r")|\{\s*+\}|[$`\"“”„*_]"
)
_BULLET = re.compile(r"\s*(?:[-•>*]|\d{1,3}[.)])\s+")
_QUOTES = " '‘’"
_STOPS = " \t\r\n.,;:"


def _pattern() -> re.Pattern[str]:
    """Join everything that can be read; longer words first, so that none hides another."""
    words = [(word, kind) for kind, (_, words) in _SPELLINGS.items() for word in words.split()]
    words.sort(key=lambda pair: -len(pair[0]))
    options = {f"{kind}_arrow": arrow for kind, arrow in _ARROWS.items()}
    options |= {f"foreign{n}": option for n, option in enumerate(_FOREIGN.values())}
    for n, (word, kind) in enumerate(words):
        options[f"{kind}_command{n}"] = f"{_SLASHES}{word}|&{word};"
    for n, (word, kind) in enumerate(words):  # ∀ and ∃ may touch their variable: "forallx"
        letters = "A-Za-r" if kind in ("forall", "exists") else "A-Za-z"
        options[f"{kind}_word{n}"] = f"(?<![A-Za-z])(?i:{word})(?![{letters}])"
    for kind, phrase in _PHRASES.items():
        options[f"{kind}_phrase"] = f"(?<![A-Za-z])(?i:{phrase})(?![A-Za-z])"
    for kind, (signs, _) in _SPELLINGS.items():
        options[f"{kind}_sign"] = rf"\\{{0,2}}[{re.escape(signs.replace(' ', ''))}]"
    options |= {"open": r"\\{0,2}[(\[{]", "close": r"\\{0,2}[)\]}]", "comma": "[,;]"}
    options |= {"predicate": "[A-Z]", "term": "[a-z]", "space": r"\s+"}
    return re.compile("|".join(f"(?P<{name}>{option})" for name, option in options.items()))


_TOKEN = _pattern()
KEPT_LENGTH = 200  # longest text whose tokens are kept, in characters


class Token(NamedTuple):
    """A sign of a formula, and where it starts in the text."""

    kind: str
    """``not``, ``and``, ``or``, ``imp``, ``iff``, ``forall``, ``exists``, ``nexists``, ``dot``,
    ``middot``, ``open``, ``close``, ``comma``, ``predicate``, ``term``; ``end`` after the last."""
    text: str
    position: int


def tokenize(text: str) -> tuple[Token, ...]:
    """Split a text into tokens, the last of which is of kind ``end``.

    The tokens of the latest short texts are kept, since a text is tokenized to be found and again
    to be parsed, and answers repeat; long ones are not, or hostile texts would fill the memory.

    Raises a FormulaError at the first sign that no formula has.
    """
    return _kept_tokens(text) if len(text) <= KEPT_LENGTH else _tokens(text)


def _tokens(text: str) -> tuple[Token, ...]:
    normalized = _normalized(text)
    tokens = []
    position = 0
    while position < len(normalized):
        match = _TOKEN.match(normalized, position)
        if match is None:
            raise FormulaError(f"{text[position]!r} is no sign of the language", text, position)
        name = str(match.lastgroup)
        if name.startswith("foreign"):
            raise FormulaError(list(_FOREIGN)[int(name[-1])], text, position)
        if name != "space":
            tokens.append(Token(name.split("_")[0], match.group().lstrip("\\"), position))
        position = match.end()
    tokens.append(Token("end", "", len(text)))
    return tuple(tokens if _binds_v(tokens) else _with_disjunctions(tokens))


_kept_tokens = lru_cache(maxsize=512)(_tokens)


def _normalized(text: str) -> str:
    """Replace look-alikes, and mark-up by spaces, so that every sign keeps its place."""
    bullet = _BULLET.match(text)
    marked = bullet.end() * " " + text[bullet.end() :] if bullet else text
    if _ALIGNED.search(marked):
        marked = _ALIGNMENT.sub(" ", marked)
    characters = []
    for character in marked.translate(_LOOKALIKES):
        simple = unicodedata.normalize("NFKC", character)
        characters.append(simple if len(simple) == 1 else character)
    unwrapped = re.sub(_FONT, _unwrapped, "".join(characters))
    formula = _NOISE.sub(lambda noise: " " * len(noise[0]), unwrapped)
    ended = formula.rstrip(_STOPS + _QUOTES)
    return ended.lstrip(_QUOTES).rjust(len(ended))


def _unwrapped(font: re.Match[str]) -> str:
    """Return what a command of LaTeX holds, with a space for every other character."""
    return " " * (font.start(1) - font.start()) + font[1] + " " * (font.end() - font.end(1))


def _with_disjunctions(tokens: Sequence[Token]) -> list[Token]:
    """Read the term ``v`` as a disjunction where it stands between two formulas."""
    read = list(tokens)
    for index, token in enumerate(tokens[1:-1], 1):
        before, after = tokens[index - 1].kind, tokens[index + 1].kind
        between = before in ("term", "close") and after in _STARTS
        if between and token.kind == "term" and token.text == "v":
            read[index] = Token("or", "∨", token.position)
    return read


def _binds_v(tokens: Sequence[Token]) -> bool:
    binding = False
    for token in tokens:
        if token.kind in QUANTIFIERS:
            binding = True
        elif token.kind not in ("open", "comma") and token.text not in VARIABLES:
            binding = False
        elif binding and token.text == "v":
            return True
    return False
