"""Published tasks of an earlier generator: are they solved and their solutions judged right?

The data are few-shot examples and generated tasks of the LogiNumSynth authors' earlier generator,
with values that an independent solver checked; their gold values are wrong wherever a derived value
went stale, which is why only checked rows count. Two things differ from this project's tasks, and
are translated here:

- An attribute that a rule computes with, and that nothing gives and no rule derives, has the value
  0. Such values that a query depends on become facts.
- ``9y+2`` in a rule that concludes about an attribute is 9 times that attribute of ``y``, plus 2.

The engine has to find the checked value, and the judge has to give full marks to the authors'
solution where it was found correct. Each disagreement is printed with its reason.

    python benchmarks/conformance_loginum.py --data FOLDER
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from logic_curriculum.rewards import judge
from logic_curriculum.rewards.engines.numeric.engine import Closure, ConflictError, closure
from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import (
    Assignment,
    AttributeFact,
    Fact,
    Lookup,
    RelationFact,
    Rule,
)

FILES = ("few_shot", "generated")
_SHORT = re.compile(r"is\(\?x, (?P<attribute>[\w'-]+), (?P<factor>-?\d+)y(?P<summand>[+-]\d+)?\)$")
_DEPENDENCY = re.compile(r"(Fact|Rule|int)(\d+)")


class CycleError(ValueError):
    """Values depend on each other, so that nothing says which of them is 0."""


@dataclass
class World:
    """A published task in this project's terms."""

    facts: list[Fact]
    rules: list[Rule]
    query: Lookup
    defaults: list[Fact] = field(default_factory=list)
    """The values of 0 that the query depends on."""

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> World:
        """Read a row.

        Raises:
            ValueError: When a fact or rule is malformed.
        """
        facts = [parse_fact(joined(fact["fr"])) for fact in row["facts"]]
        rules = [parse_rule(spelled_out(rule["fr"])) for rule in row["rules"]]
        return cls(facts, rules, Lookup(joined(row["query"]["entity"]), row["query"]["attribute"]))

    def value(self) -> int:
        """Return what the engine derives for the query, after making facts of the defaults.

        Where attributes wait for each other, each of them is tried as the one that is 0.

        Raises:
            CycleError: When several values of the query, or none, are consistent then.
        """
        relevant = self._relevant()
        while True:
            known = closure([*self.facts, *self.defaults], self.rules)
            missing = self._missing(relevant, known)
            if not missing:
                return known.value(*self.query) or 0
            awaited = self._awaited(relevant, known)
            found = [pair for pair in missing if pair not in awaited]
            if not found:
                return self._tried(missing)
            self.defaults += [AttributeFact(*pair, 0) for pair in found]

    def _tried(self, missing: Sequence[Lookup]) -> int:
        consistent: dict[int, World] = {}
        for pair in missing:
            defaults = [*self.defaults, AttributeFact(*pair, 0)]
            world = World(self.facts, self.rules, self.query, defaults)
            with suppress(CycleError, ConflictError):
                consistent.setdefault(world.value(), world)
        if len(consistent) != 1:
            raise CycleError(f"the values {list(consistent)} are consistent")
        ((value, world),) = consistent.items()
        self.defaults = world.defaults
        return value

    def _missing(self, relevant: Sequence[Lookup], known: Closure) -> list[Lookup]:
        """Return the unknown attributes that a rule whose condition holds computes with."""
        return list(
            dict.fromkeys(
                lookup
                for pair in relevant
                for condition, lookup in self._ways(pair)
                if lookup is not None
                and known.value(*lookup) is None
                and (condition is None or known.value(*condition[:2]) == condition.value)
            )
        )

    def _relevant(self) -> list[Lookup]:
        """Return the attributes that the query may depend on, itself first."""
        found = {self.query: None}
        for pair in (waiting := [self.query]):
            for condition, lookup in self._ways(pair):
                for needed in (condition and Lookup(*condition[:2]), lookup):
                    if needed and needed not in found:
                        found[needed] = None
                        waiting.append(needed)
        return list(found)

    def _ways(self, pair: Lookup) -> Iterator[tuple[AttributeFact | None, Lookup | None]]:
        """Yield, for each way to derive an attribute, what it asks of and looks up in others."""
        for rule in self.rules:
            (condition,), conclusion = rule.conditions, rule.conclusion
            if not isinstance(conclusion, Assignment) or conclusion.attribute != pair.attribute:
                continue
            if isinstance(condition, AttributeFact):
                yield condition._replace(entity=pair.entity), None
                continue
            for fact in self.facts:
                if isinstance(condition, RelationFact) and fact[:2] == (condition[0], pair.entity):
                    yield None, Lookup(str(fact[2]), rule.lookups()[0].attribute)

    def _awaited(self, relevant: Sequence[Lookup], known: Closure) -> set[Lookup]:
        """Return the unknown attributes that a rule may still derive."""
        awaited: set[Lookup] = set()
        while True:
            more = {
                pair
                for pair in relevant
                if known.value(*pair) is None
                and any(
                    condition is None or Lookup(*condition[:2]) in awaited
                    for condition, _ in self._ways(pair)
                )
            }
            if more == awaited:
                return awaited
            awaited = more


def joined(text: str) -> str:
    """Return a text with ``Dee_Dee`` for ``Dee Dee``, since names are single words here."""
    return re.sub(r"\b([A-Z]\w*) ([A-Z])", r"\1_\2", text)


def spelled_out(rule: str) -> str:
    """Return a rule with ``9y+2`` as ``9*?y[attribute]+2``."""
    return _SHORT.sub(
        lambda found: (
            f"is(?x, {found['attribute']}, {found['factor']}*?y[{found['attribute']}]"
            f"{found['summand'] or '+0'})"
        ),
        rule,
    )


def judged(world: World, row: Mapping[str, Any]) -> tuple[float, str]:
    """Return what the judge gives to the authors' solution, and why."""
    facts = [*world.facts, *world.defaults]
    lines, conclusions = [], []
    for step in row["gold_steps"]:
        basis = [_reference(dependency) for dependency in step["deps"]]
        entity, _, value, attribute = joined(step["conclusion"]).split()
        fact = AttributeFact(entity, attribute, int(value.rpartition("=")[2]))
        if step["deps"] == ["Default"]:
            basis = [f"fact_{facts.index(fact) + 1}" if fact in facts else "fact_9999"]
        if any(dependency.startswith("Rule") for dependency in step["deps"]):
            conclusions.append(str(fact))
        lines.append(f"{' & '.join(basis)} =>> int_{step['id'][3:]}: {joined(step['conclusion'])}")
    payload = {
        "facts": list(map(str, facts)),
        "rules": list(map(str, world.rules)),
        "query": f"is({world.query.entity}, {world.query.attribute}, ?)",
        "answer": row["gold_value"],
        "steps": [{"conclusion": conclusion} for conclusion in conclusions],
    }
    text = "\n".join(("Reasoning:", *lines, f"Answer: \\boxed{{{row['gold_value']}}}"))
    verdict = judge("loginum", text, payload)
    return verdict.partial, f"{verdict.explanation}\n{text}"


def _reference(dependency: str) -> str:
    """Return how this project cites what the authors cite, who count facts and rules from 0."""
    found = _DEPENDENCY.fullmatch(dependency)
    if found is None:
        return dependency
    kind, number = found[1].lower(), int(found[2])
    return f"{kind}_{number if kind == 'int' else number + 1}"


def compare(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is to be counted, and for a disagreement its reason."""
    checked = row["checked"]
    yield "rows", ""
    try:
        world = World.of_row(row)
        value = world.value()
    except (ValueError, ConflictError) as error:
        yield "no value", f"{type(error).__name__}: {error} (status {checked['status']})"
        return
    right = bool(checked["gold_value_correct"])
    yield "gold value right" if right else "gold value wrong", ""
    if value == checked["value"]:
        yield ("same value, gold right" if right else "same value, gold wrong"), ""
    else:
        yield "other value", f"the engine finds {value}, the check found {checked['value']}"
    if not right:
        return
    score, why = judged(world, row)
    sound = bool(checked["gold_process_correct"])
    yield "process right" if sound else "process wrong", ""
    if score == 1.0:
        yield ("full marks, process right" if sound else "full marks, process wrong"), ""
    if (score == 1.0) != sound:
        yield "judged otherwise", f"{score:.2f}: {why}"


COLUMNS = (
    "rows",
    "no value",
    "gold value right",
    "same value, gold right",
    "gold value wrong",
    "same value, gold wrong",
    "other value",
    "process right",
    "full marks, process right",
    "process wrong",
    "full marks, process wrong",
)
DISAGREEMENTS = ("no value", "other value", "judged otherwise")


def read_rows(folder: Path, name: str) -> list[dict[str, Any]]:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with the two files")
    folder = parser.parse_args(arguments).data
    counts: dict[str, Counter[str]] = {name: Counter() for name in FILES}
    reasons = []
    for name in FILES:
        for row in read_rows(folder, name):
            for what, reason in compare(row):
                counts[name][what] += 1
                if what in DISAGREEMENTS:
                    reasons.append(f"{row['id']}: {what}: {reason}")
    print("| |", " | ".join(FILES), "|")
    print("|---|" + "---|" * len(FILES))
    for column in COLUMNS:
        print(f"| {column} |", " | ".join(str(counts[name][column]) for name in FILES), "|")
    print("\n" + "\n".join(reasons) if reasons else "\nno disagreement")
    failed = any(counts[name]["other value"] for name in FILES)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
