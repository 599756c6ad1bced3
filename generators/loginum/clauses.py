"""Rules as clauses, head first, with the variables named in the order in which they occur.

``ask(?x, ?y) -> is(?y, deep, 5*?x[tall]+10)`` is ``is(?x, deep, 5*?y[tall]+10) <- ask(?y, ?x)``:
what a rule concludes stands beside its number, and its first variable is always ``?x``. Who reasons
from the query backwards finds a rule sooner that way.
"""

from __future__ import annotations

import re

from logic_curriculum.rewards.engines.numeric.parser import parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import Rule

_VARIABLE = re.compile(r"\?[a-z]\w*")
_NAMES = "xyzuvw"


def clause(rule: Rule) -> str:
    """Return a rule as a clause.

    Raises:
        ValueError: The rule has more than six variables.

    >>> clause(parse_rule("ask(?x, ?y) -> is(?y, deep, 5*?x[tall]+10)"))
    'is(?x, deep, 5*?y[tall]+10) <- ask(?y, ?x)'
    """
    text = f"{rule.conclusion} <- {' & '.join(map(str, rule.conditions))}"
    variables = list(dict.fromkeys(_VARIABLE.findall(text)))
    if len(variables) > len(_NAMES):
        raise ValueError(
            f"{rule} has {len(variables)} variables, {len(_NAMES)} are named: split the rule"
        )
    names = dict(zip(variables, _NAMES, strict=False))
    return _VARIABLE.sub(lambda found: f"?{names[found[0]]}", text)


def parse_clause(text: str) -> Rule:
    """Return the rule that a clause states.

    Raises:
        ValueError: The text is no clause.
    """
    head, arrow, body = text.partition(" <- ")
    if not arrow:
        raise ValueError(f"{text!r} is no clause: write head <- condition & condition")
    return parse_rule(f"{body} -> {head}")
