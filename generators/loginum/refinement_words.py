"""The words that a refined sentence may use beside its names, attributes, relations and numbers.

They are closed lists on purpose. A word that could turn a statement into another one, such as
"not", "only", "unless", "may", "over" or "about", is in none of them, so that a sentence with it
can't be read and the template's stays.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VALUE_WORDS = _words(
    """
    a an also amounts as assigned associated at attribute attributed being by carries
    characteristic comes described equal equals feature field figure for found given has having
    held holds in is it its known listed logged marked measured noted number of possesses
    property quality recorded registered registers set shown stands stored that the there to
    trait under value whose with
    """
)
"""In a statement that an attribute has a value."""
BEFORE_NUMBERS = _words(
    """
    amounts as assigned at being carries equals has having holds is number of possesses
    registers to value with
    """
)
"""Of these, what may stand right before the number: "under 5" and "by 5" would say something
else."""
RELATION_WORDS = _words(
    """
    a also an arrow as bears being called connected connection denoted exists from goes has
    holds in is it labelled leads link linked of one person points relation relationship runs
    someone stands such that the there through to who whom
    """
)
"""In a statement that a relation exists, "by" aside."""
QUERY_WORDS = _words(
    """
    as associated attribute attributed calculate characteristic compute determine does equal
    feature field find for found given give has have in is number of please property quality
    recorded state tell that the trait under value what which whose with work out
    """
)
"""In a query."""
SILENT_WORDS = _words(
    """
    a an associated attribute characteristic feature field figure for found given has its number
    obtained of out outcome property quality recorded result that the then trait value with , ;
    """
)
"""In an expression, what may come and go. All others are kept, in their order."""
BETWEEN_WORDS = frozenset(["in", "under"])
"""The same, but only between a name and its attribute."""

SAME_WORDS = {
    **dict.fromkeys(("larger", "greater", "higher", "maximum"), "larger"),
    **dict.fromkeys(("smaller", "lesser", "lower", "minimum"), "smaller"),
    "total": "sum",
}
"""Words of expressions that may stand for each other."""

_PREMISE = r"(?:premise|fact)"
IF = (
    r"(?:if|when|whenever|once|as long as|in case|(?:every|each) time(?: that)?"
    r"|in (?:every|each|any) case (?:in which|where)|in all cases (?:in which|where)"
    r"|(?:provided|given|assuming|supposing|suppose|considering)(?: that)?"
    rf"|(?:from )?the {_PREMISE} that|it is (?:enough|sufficient) that"
    rf"|(?:can be (?:deduced|inferred|concluded)|follows) from the {_PREMISE} that"
    rf"|is a consequence of the {_PREMISE} that)"
)
"""What stands before conditions."""
HOLDS = r"(?:is true|is the case|holds)"
"""What may stand behind a conclusion that begins with "that", and in "it holds that" before
conditions."""
THEN = (
    r"(?:it (?:then |therefore |also )?(?:follows|holds|is true|is the case|is also true"
    r"|is also the case|can be (?:inferred|deduced|concluded)) that"
    r"|(?:one|we) (?:can|may) (?:conclude|infer|deduce) that|(?:this )?(?:implies|means) that"
    r"|for it to follow that)"
)
"""What stands before a conclusion, "then" aside."""
IS = (
    r"(?:is equal to|equals|amounts to|comes to|stands at|is assigned the value(?: of)?"
    r"|is (?:given|recorded|listed|noted|logged|registered) as|is set to|is assigned|is)"
)
"""Between an attribute and the expression for its value."""
