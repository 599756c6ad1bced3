"""Published tasks of LogiNumSynth's earlier generator, in this project's terms.

Two things are translated:

- An attribute that a rule computes with, and that nothing gives and no rule derives, has the value
  0. Such values that a query depends on become facts.
- ``9y+2`` in a rule that concludes about an attribute is 9 times that attribute of ``y``, plus 2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from logic_curriculum.rewards import judge
from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.engine import closure
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
    Fact,
    Lookup,
    Rule,
    parse_fact,
    parse_rule,
)

Row = Mapping[str, Any]
_SHORT = re.compile(r"is\(\?x, (?P<attribute>[\w'-]+), (?P<factor>-?\d+)y(?P<summand>[+-]\d+)?\)$")
_DEPENDENCY = re.compile(r"(Fact|Rule|int)(\d+)")


@dataclass
class World:
    """A published task in this project's terms."""

    facts: list[Fact]
    rules: list[Rule]
    query: Lookup
    defaults: list[Fact] = field(default_factory=list)  # values of 0 that the query depends on

    def value(self) -> int:
        """Return the query's value by the engine, with defaults as facts."""
        self._value(self.query, {fact[:2]: fact[2] for fact in self.facts})
        facts = closure([*self.facts, *self.defaults], self.rules)
        known = {Lookup(*f[:2]): f.value for f in facts if isinstance(f, AttributeFact)}
        return known.get(self.query, 0)

    def _value(self, pair: Lookup, known: dict[Any, Any], path: tuple[Lookup, ...] = ()) -> Any:
        """Return the value of an attribute or None, and note the defaults on the way.

        The path has the attributes that wait for this one; none is computed from itself.
        """
        if pair in known or pair in path:
            return known.get(pair)
        path, value = (*path, pair), None
        for rule in self.rules:
            (condition,), end = rule.conditions, rule.conclusion
            if not isinstance(end, syntax.Assignment) or end.attribute != pair.attribute:
                continue
            if isinstance(condition, AttributeFact):
                asked = Lookup(pair.entity, condition.attribute)
                if self._value(asked, known, path) == condition.value:
                    value = end.expression.value(known.__getitem__)
                continue
            (lookup,) = rule.lookups()
            for fact in self.facts:
                needed = Lookup(str(fact[2]), lookup.attribute)
                if fact[:2] != (condition.relation, pair.entity) or needed in path:
                    continue
                if self._value(needed, known, path) is None:
                    known[needed] = 0
                    self.defaults.append(AttributeFact(*needed, 0))
                value = end.expression.value({lookup: known[needed]}.__getitem__)
        known[pair] = value
        return value


def read_world(row: Row) -> World:
    """Read a row; a malformed fact or rule is a ValueError."""
    facts = [parse_fact(one_word(fact["fr"])) for fact in row["facts"]]
    rules = [parse_rule(_SHORT.sub(_spelled_out, rule["fr"])) for rule in row["rules"]]
    return World(facts, rules, Lookup(one_word(row["query"]["entity"]), row["query"]["attribute"]))


def one_word(text: str) -> str:
    """Return a text with ``Dee_Dee`` for ``Dee Dee``, since names are single words here."""
    return re.sub(r"\b([A-Z]\w*) ([A-Z])", r"\1_\2", text)


def _spelled_out(found: re.Match[str]) -> str:
    """Return ``9y+2`` as ``9*?y[attribute]+2``."""
    attribute, factor, summand = found.groups()
    return f"is(?x, {attribute}, {factor}*?y[{attribute}]{summand or '+0'})"


def marks(world: World, row: Row) -> tuple[float, str]:
    """Return what the judge gives to the authors' solution, and why."""
    facts = [*world.facts, *world.defaults]
    lines, conclusions = [], []
    for step in row["gold_steps"]:
        basis = [_DEPENDENCY.sub(_cited, dependency) for dependency in step["deps"]]
        entity, _, value, attribute = one_word(step["conclusion"]).split()
        fact = AttributeFact(entity, attribute, int(value.rpartition("=")[2]))
        if step["deps"] == ["Default"]:
            basis = [f"fact_{facts.index(fact) + 1}" if fact in facts else "fact_9999"]
        if any(dependency.startswith("Rule") for dependency in step["deps"]):
            conclusions.append({"conclusion": str(fact)})
        lines.append(
            f"{' & '.join(basis)} =>> int_{step['id'][3:]}: {one_word(step['conclusion'])}"
        )
    payload = {
        "facts": list(map(str, facts)),
        "rules": list(map(str, world.rules)),
        "query": f"is({world.query.entity}, {world.query.attribute}, ?)",
        "answer": row["gold_value"],
        "steps": conclusions,
    }
    text = "\n".join(("Reasoning:", *lines, f"Answer: \\boxed{{{row['gold_value']}}}"))
    verdict = judge("loginum", text, payload)
    return verdict.partial, f"{verdict.explanation}\n{text}"


def _cited(found: re.Match[str]) -> str:
    """Return how this project cites what the authors cite, who count facts and rules from 0."""
    kind, number = found[1].lower(), int(found[2])
    return f"{kind}_{number if kind == 'int' else number + 1}"
