"""Forms of the verbs that relations are called by."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import lemminflect


class Forms(NamedTuple):
    """A relation's name and the forms that templates use."""

    relation: str
    presents: str
    participle: str


@cache
def forms(relation: str) -> Forms:
    """Return the forms of a verb.

    >>> forms("abet")
    Forms(relation='abet', presents='abets', participle='abetted')
    """
    return Forms(relation, _inflect(relation, "VBZ"), _inflect(relation, "VBN"))


def _inflect(verb: str, tag: str) -> str:
    return str(lemminflect.getInflection(verb, tag)[0])
