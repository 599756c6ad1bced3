"""Parser of formulas as models and people write them: Unicode, ASCII, LaTeX or English.

It reads what has one meaning to a logician and refuses the rest: brackets that don't pair, say,
could be mended in more ways than one, and to mend them would be to answer in the model's stead.
``docs/judges.md`` lists the notations and says how connectives bind and how far quantifiers reach.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Literal, NamedTuple, TypeVar

from logic_curriculum.rewards.engines.fol import syntax
from logic_curriculum.rewards.engines.fol.syntax import VARIABLES, Formula
from logic_curriculum.rewards.engines.reading import FormulaError, check_length

# -- signs and words -------------------------------------------------------------------------------

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
    "exists": r"there\s+(?:exists|is)(?:\s+an?(?=\s+[s-z]))?|for\s+some|some",
    "dot": r"such\s+that|s\.t\.",
    "iff": r"if\s+and\s+only\s+if",
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
# LaTeX's layout, without backslashes: what shows the text in its braces, what does nothing, spaces
KEPT = r"(?:(?:text(?!color)|math)[a-z]*+|operatorname\*?|boldsymbol|bm|pmb|mbox|emph|underline)"
LAYOUT = (
    r"(?:left|right|middle|[bB]igg?[lrm]?|(?:display|text|script(?:script)?)style|mathstrut|strut|tiny|small"
    r"|large|Large|LARGE|huge|Huge|normalsize|footnotesize|centering|bfseries|itshape|bf|rm|it|sf|tt|(?:no)?limits|hline|no(?:number|tag))(?![A-Za-z])"
)
SPACE = (
    r"(?:(?:(?:neg)?(?:thin|med|thick)|en)space|enskip|q?quad|h?fill)(?![A-Za-z])"
    r"|(?:begin|end)\s*\{[a-z]*\*?\}(?:\{[lcr|]*\})?"
    r"|(?:[hv]space\*?|[hv]?phantom|(?:text)?color|label|tag\*?)\s*\{[^{}\n]{0,80}\}"
)
FONT = rf"{_SLASHES}{KEPT}\s*\{{([^{{}}]*)\}}"
_BRACED = re.compile(r"(?<!\\)\{(\s*\\[a-z]+\s*)\}")  # a connective with its space taken off
_ALIGNED = re.compile(r"\\begin\s*\{(?:align|split|array|cases|eqnarray)")
_ALIGNMENT = re.compile(r"(?<![^\\]\\)&(?![a-zA-Z]+;)")  # there "&" is a place, "\&" a conjunction
_NOISE = re.compile(
    rf"(?<!/){_SLASHES}(?:{LAYOUT}|{SPACE}"  # "/\\" is a conjunction
    r"|[,;:!>()\[\]$`*_]|(?=\s|\Z)"  # spaces, mathematical modes, escaped Markdown
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
    options |= {f"{kind}_command{n}": f"{_SLASHES}{w}|&{w};" for n, (w, kind) in enumerate(words)}
    for n, (word, kind) in enumerate(words):  # ∀ and ∃ may touch their variable: "forallx"
        letters = "A-Za-r" if kind in ("forall", "exists") else "A-Za-z"
        options[f"{kind}_word{n}"] = f"(?<![A-Za-z])(?i:{word})(?![{letters}])"
    for kind, phrase in _PHRASES.items():
        options[f"{kind}_phrase"] = f"(?<![A-Za-z])(?i:{phrase})(?![A-Za-z])"
    for kind, (signs, _) in _SPELLINGS.items():
        options[f"{kind}_sign"] = rf"\\{{0,2}}[{re.escape(signs.replace(' ', ''))}]"
    options |= {"open": r"\\{0,2}[(\[{]", "close": r"\\{0,2}[)\]}]", "comma": "[,;]"}
    options |= {"predicate": "[A-Z]", "term": "[a-z]", "space": r"\s+", "strange": "."}
    return re.compile("|".join(f"(?P<{name}>{option})" for name, option in options.items()))


_TOKEN = _pattern()


class Token(NamedTuple):
    """A sign of a formula, and where it starts in the text."""

    kind: str
    """``not``, ``and``, ``or``, ``imp``, ``iff``, ``forall``, ``exists``, ``nexists``, ``dot``,
    ``middot``, ``open``, ``close``, ``comma``, ``predicate``, ``term``; ``end`` after the last."""
    text: str
    position: int


@lru_cache(maxsize=16)
def tokenize(text: str) -> tuple[Token, ...]:
    """Split a text into tokens, the last of which is of kind ``end``.

    The latest ones are kept, since a text is tokenized to be found and again to be parsed.

    Raises a FormulaError at the first sign that no formula has.
    """
    tokens = []
    for match in _TOKEN.finditer(_normalized(text)):
        name, position = str(match.lastgroup), match.start()
        if name == "strange":
            raise FormulaError(f"{text[position]!r} is no sign of the language", text, position)
        if name.startswith("foreign"):
            raise FormulaError(list(_FOREIGN)[int(name[-1])], text, position)
        if name != "space":
            tokens.append(Token(name.split("_")[0], match.group().lstrip("\\"), position))
    tokens.append(Token("end", "", len(text)))
    return tuple(tokens if _binds_v(tokens) else _with_disjunctions(tokens))


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
    unwrapped = _BRACED.sub(r" \1 ", re.sub(FONT, _unwrapped, "".join(characters)))
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


# -- formulas --------------------------------------------------------------------------------------

_MATES = {"(": ")", "[": "]", "{": "}"}
_SEPARATORS = ("dot", "middot", "comma")
_TERMS = syntax.CONSTANTS | VARIABLES
_STRENGTHS: tuple[syntax.Connective, ...] = ("and", "or", "imp", "iff")  # the strongest first
Taken = TypeVar("Taken")


class _Prefix(NamedTuple):
    kind: Literal["not", "forall", "exists"]
    variable: str = ""
    is_wide: bool = False  # a dot follows: the scope is all that stands in these brackets


def parse_tolerant(text: str, arities: Mapping[str, int] | None = None) -> Formula:
    """Parse a formula in any usual notation; prose around it is an error.

    ``arities``, predicate → number of arguments, decide only what could be read in two ways:
    whether ``Fx v Gx`` in the scope of ``∀v`` has ``v`` as an argument. A predicate may still have
    another number of arguments.

    Raises:
        ArgumentsError: When a predicate has no argument or more than two.
        FormulaError: When the text is no formula for another reason; the message says where, why.

    >>> str(parse_tolerant(r"$\\forall x\\,(F(x) \\land \\neg G(x) \\to \\exists y\\, R(x,y))$."))
    '∀x((Fx∧¬Gx)→∃yRxy)'
    >>> str(parse_tolerant("(x)(Fx -> Gx) & Ha"))
    '(∀x(Fx→Gx)∧Ha)'
    """
    check_length(text, syntax.MAX_LENGTH)
    return _Parser(text, arities or {}).parse()


class _Parser:
    """Recursive descent into brackets; everything between them is a loop."""

    def __init__(self, text: str, arities: Mapping[str, int]) -> None:
        self.text = text
        self.arities = arities
        self.tokens = tokenize(text)
        self.next = 0
        self.depth = 0
        self.has_chain = False

    def parse(self) -> Formula:
        formula = self._group()
        if self._kind() != "end":
            raise self._unexpected("the end or a connective")
        if self.has_chain:
            raise FormulaError("a chain of → needs brackets", self.text, 0)
        layer, depth = [formula], 0
        while layer := [part for above in layer for part in syntax.parts(above)]:
            depth += 1
        if depth >= syntax.MAX_DEPTH:
            raise FormulaError(f"nested more than {syntax.MAX_DEPTH} deep", self.text, 0)
        return formula

    def _group(self) -> Formula:
        """Take what stands in brackets, or all of the text."""
        self.depth += 1
        if self.depth > syntax.MAX_DEPTH:
            raise self._error(f"nested more than {syntax.MAX_DEPTH} deep")
        before: list[tuple[list[Formula], list[str], list[_Prefix]]] = []  # wide scopes
        formulas: list[Formula] = []
        connectives: list[str] = []
        while True:
            prefixes: list[_Prefix] = []
            while taken := self._prefix():
                prefixes += taken
            wide = max((n for n, prefix in enumerate(prefixes, 1) if prefix.is_wide), default=0)
            if self._kind() == "open" and self.tokens[self.next - 1].kind in _SEPARATORS:
                wide = 0  # quantifiers in a row have one scope
            if wide:
                before.append((formulas, connectives, prefixes[:wide]))
                formulas, connectives = [], []
            formulas.append(_prefixed(prefixes[wide:], self._atom_or_group()))
            connective = self._connective()
            if not connective:
                break
            connectives.append(connective)
        self.depth -= 1
        formula = self._joined(formulas, connectives)
        for formulas, connectives, prefixes in reversed(before):
            formula = self._joined([*formulas, _prefixed(prefixes, formula)], connectives)
        return formula

    def _joined(self, formulas: list[Formula], connectives: list[str]) -> Formula:
        """Join formulas by the connectives between them, the strongest first, from the left."""
        for level in _STRENGTHS:
            if level == "imp" and ("imp", "imp") in pairwise(connectives):
                self.has_chain = True
            joined, left = [formulas[0]], []
            for connective, formula in zip(connectives, formulas[1:], strict=True):
                if connective == level:
                    joined[-1] = syntax.Binary(level, joined[-1], formula)
                else:
                    joined.append(formula)
                    left.append(connective)
            formulas, connectives = joined, left
        return formulas[0]

    def _connective(self) -> str:
        """Take a connective, if one is next; nothing but ``or`` is a letter V or v here."""
        token = self.tokens[self.next]
        letter = token.text in ("v", "V") and token.kind in ("term", "predicate")
        kind = "or" if letter else "and" if token.kind == "middot" else token.kind
        if kind not in _STRENGTHS:
            return ""
        self.next += 1
        return kind

    def _atom_or_group(self) -> Formula:
        if self._kind() == "open":
            return self._enclosed(lambda: [self._group()], "a connective")[0]
        if self._kind() != "predicate":
            raise self._unexpected("a formula")
        predicate = self._take()
        terms = self._enclosed(self._terms, "a term")
        terms = terms or self._terms(self.arities.get(predicate.text))
        if not 1 <= len(terms) <= syntax.MAX_ARITY:
            raise syntax.ArgumentsError(predicate.text, len(terms), self.text, predicate.position)
        return syntax.Atom(predicate.text, tuple(terms))

    def _enclosed(self, take: Callable[[], list[Taken]], required: str = "") -> list[Taken]:
        """Take what fills a pair of brackets, or nothing; ``required`` is an error if missing."""
        start = self.next
        if self._kind() != "open":
            return []
        mate = _MATES[self._take().text]
        taken = take()
        if self.tokens[self.next].text == mate and (taken or required):
            self.next += 1
            return taken
        if required:
            raise self._unexpected(f"{required} or {mate!r}")
        self.next = start
        return []

    def _terms(self, arity: int | None = None, among: frozenset[str] = _TERMS) -> list[str]:
        terms: list[str] = []
        while True:
            if terms and self._kind() == "comma" and self.tokens[self.next + 1].text in among:
                self.next += 1
            text = self.tokens[self.next].text
            if text not in among or (len(terms) == arity and text == "v"):
                return terms
            terms.append(self._take().text)

    def _prefix(self) -> list[_Prefix]:
        """Take one negation or quantification, or all those within a pair of brackets."""
        if self._kind() == "not":
            self.next += 1
            return [_Prefix("not")]
        if self._kind() not in QUANTIFIERS:
            return self._dotted(self._enclosed(self._bracketed_prefixes))
        taken = self._quantification()
        if not taken:
            raise self._unexpected("a variable (s to z)")
        return taken

    def _bracketed_prefixes(self) -> list[_Prefix]:
        """Take the ``∀x¬∃y`` of ``(∀x¬∃y)``, or the ``x`` of ``(x)``, an old form of ``∀x``."""
        taken = [_Prefix("forall", name) for name in self._terms(among=VARIABLES)]
        if taken:
            return taken
        while self._kind() in ("not", *QUANTIFIERS):
            more = self._prefix() if self._kind() == "not" else self._quantification()
            if not more:
                return []
            taken += more
        return taken if taken and taken[-1].variable else []

    def _quantification(self) -> list[_Prefix]:
        """Take a quantifier and its variables; without these it is none."""
        kind = self._take().kind
        take = partial(self._terms, among=VARIABLES)
        variables = self._enclosed(take) or take()
        quantifier: syntax.Quantifier = "forall" if kind == "forall" else "exists"
        taken = [_Prefix(quantifier, variable) for variable in variables]
        return self._dotted([_Prefix("not"), *taken] if taken and kind == "nexists" else taken)

    def _dotted(self, taken: list[_Prefix]) -> list[_Prefix]:
        """Take what separates quantifiers from their scope; without a bracket that is wide."""
        if not taken or self._kind() not in _SEPARATORS:
            return taken
        while self._kind() in _SEPARATORS:
            self.next += 1
        return [*taken[:-1], taken[-1]._replace(is_wide=self._kind() != "open")]

    def _kind(self) -> str:
        return self.tokens[self.next].kind

    def _take(self) -> Token:
        self.next += 1
        return self.tokens[self.next - 1]

    def _unexpected(self, expected: str) -> FormulaError:
        token = self.tokens[self.next]
        found = "the end" if token.kind == "end" else repr(token.text)
        return self._error(f"expected {expected}, found {found}")

    def _error(self, problem: str) -> FormulaError:
        return FormulaError(problem, self.text, self.tokens[self.next].position)


def _prefixed(prefixes: Sequence[_Prefix], formula: Formula) -> Formula:
    for kind, variable, _ in reversed(prefixes):
        if kind == "not":
            formula = syntax.Not(formula)
        else:
            formula = syntax.Quantified(kind, variable, formula)
    return formula
