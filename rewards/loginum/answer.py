"""The form of an answer in ``loginum``: a whole number, perhaps in a sentence.

Every function takes time linear in the length of its input, which may be hostile.
"""

from __future__ import annotations

import re
from fractions import Fraction

from logic_curriculum.rewards.answer_values import one_of, read_field, without_markup
from logic_curriculum.rewards.answers import AmbiguousError, Reading, read
from logic_curriculum.rewards.engines.numeric.syntax import Query
from logic_curriculum.rewards.loginum.claims import MAX_DIGITS, Claim, read_line, says_value

KEYS = ("value", "result")
_PLAIN = re.compile(rf"-?[0-9]{{1,{MAX_DIGITS}}}")
_AROUND = ("answer", "final", "so", "therefore", "thus", "hence", "is", "the", "value", "result")
_UNITS = (["unit"], ["units"], ["point"], ["points"])


def read_value(text: str, query: Query) -> Reading[Fraction]:
    r"""Return the number that a completion answers with.

    >>> read_value("**Answer:** Hetty's willing is 290", Query("Hetty", "willing")).answer
    Fraction(290, 1)
    """
    return read(text, lambda block: value(block, query))


def value(block: str, query: Query) -> Fraction | None:
    """Return the number that a block gives, or ``None`` when it says something else.

    Raises:
        AmbiguousError: When it gives different numbers.
    """
    if _PLAIN.fullmatch(block):
        return Fraction(int(block))
    found = read_field(block, KEYS, lambda text: value(text, query))
    if found is not None:
        return found
    parts = re.split(r"\n|[,;]\s+(?=[^,;\n]*=)", without_markup(block))
    lines = [part for part in parts if part.strip()]
    return one_of([_value(line, query) for line in lines])


def _value(line: str, query: Query) -> Fraction | None:
    claim = read_line(line.strip(" .,;-•" if line.lstrip()[:2] in ("- ", "• ") else " .,;"))
    if claim is None or not claim.numbers:
        return None
    entity, attribute = query.entity.casefold(), query.attribute.casefold()
    is_choice = len(claim.numbers) > 1
    around = {*_AROUND, "or"} if is_choice else {*_AROUND}
    words = [word for word in claim.words if word == attribute or word not in around]
    is_bare = not words or words in _UNITS or (len(words) == 1 and len(words[0]) == 1)  # x = 290
    if not (is_bare or says_value(Claim(tuple(words)), entity, attribute)):
        return None
    if is_choice:
        raise AmbiguousError("different numbers")
    return claim.numbers[0] if claim.numbers[0].denominator == 1 else None
