"""The form of an answer on symbolization: one formula."""

import re
from collections.abc import Collection

from logic_curriculum.rewards.answers import (
    AmbiguousError,
    Reading,
    one_of,
    read,
    read_field,
    without_label,
)
from logic_curriculum.rewards.engines.fol.syntax import FormulaError
from logic_curriculum.rewards.engines.fol.tolerant import (
    SPACE,
    WORDS,
    parse_tolerant,
    tokenize,
)

KEYS = ("formula", "formalization", "symbolization", "translation")
_WORD = re.compile(r"\\?[A-Za-z]{2,}+|&[A-Za-z]+;")
_PHRASE = re.compile(
    r"\b(?:for (?:all|every|each)|there (?:exists|is)|such that|(?:all|every|some)(?= [s-z]\b))",
    re.IGNORECASE,
)
_OF_FORMULAS = re.compile(
    rf"\\[A-Za-z]+|&[A-Za-z]+;|(?i:{'|'.join(WORDS)})"
    r"|(?i:forall|exists)[s-z]{0,3}|[a-z]{0,3}(?:[A-Z][a-z]{0,3})+|[s-z]{2,3}"
)
_ARGUED = re.compile(rf"\\(?:{SPACE})")
_SUBSCRIPT = re.compile(r"(?<=[A-Z])_\{?[a-z, ]{1,5}\}?")
_V = re.compile(r"(?<!\w)[Vv](?!\w)")
_OR = re.compile(r"(?P<opens>(?<!\\)[(\[{])|(?P<closes>(?<!\\)[)\]}])|(?<![\\\w&])or(?!\w)")
_SIGN = re.compile(r"[¬∧∨→↔∀∃~&|>]|\\(?:land|lor|to|wedge|vee|[a-z]*arrow|neg|lnot)")
_CONNECTED = frozenset(("and", "or", "imp", "iff", "not", "forall", "exists", "nexists", "middot"))


def read_formula(text: str, symbols: Collection[str]) -> Reading[str]:
    """Return the formula that a completion answers with, as written.

    A formula without connective or quantifier has to use the task's predicates and constants
    alone, the ``symbols``: ``No`` is none, unless ``N`` and ``o`` are among them.

    >>> read_formula("**Answer:** ∀x (Ox → Jx)", "OJ").answer
    '∀x (Ox → Jx)'
    """
    return read(text, lambda block: formula(block, symbols))


def formula(block: str, symbols: Collection[str]) -> str | None:
    """Return the formula that a block is, well-formed or not, or ``None`` when it is none.

    An :class:`AmbiguousError` says that its lines are different formulas, or that "or" is
    between formulas that are written in signs.
    """
    found = read_field(block, KEYS, lambda text: _strict(formula(text, symbols)))
    if found is not None or without_label(block) or not _looks_like_one(block, symbols):
        return found
    if _SIGN.search(block) and _has_outer_or(block):
        raise AmbiguousError("formulas in signs with the word 'or' between them")
    lines = [line for line in re.split(r"\n|;", block) if line.strip()]
    if len(lines) > 1 and all(_looks_like_one(line, symbols) for line in lines):
        try:
            one_of([parse_tolerant(line) for line in lines])
        except FormulaError:
            return block
        return lines[0].strip()
    return block


def _has_outer_or(block: str) -> bool:
    """Return whether the word "or" is outside of all brackets."""
    depth = 0
    for found in _OR.finditer(block):
        if found["opens"]:
            depth += 1
        elif found["closes"]:
            depth -= 1
        elif not depth:
            return True
    return False


def _strict(text: str | None) -> str | None:
    """Return a formula in strict notation, so that two spellings of it are equal."""
    try:
        return None if text is None else str(parse_tolerant(text))
    except FormulaError:
        return text


def _looks_like_one(text: str, symbols: Collection[str]) -> bool:
    words = _WORD.findall(_SUBSCRIPT.sub("", _PHRASE.sub(" ", _ARGUED.sub(" ", text))))
    if not all(map(_OF_FORMULAS.fullmatch, words)):
        return False
    try:
        tokens = tokenize(text)
    except FormulaError:
        return False
    kinds = {token.kind for token in tokens}
    if "predicate" not in kinds or "term" not in kinds:
        return False
    letters = [token.text for token in tokens if token.kind in ("predicate", "term")]
    if kinds & _CONNECTED or _V.search(text):
        return True
    return all(letter in symbols for letter in letters)
