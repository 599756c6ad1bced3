"""Our engine and judge beside tasks that the LogiNumSynth authors published.

    python benchmarks/conformance_loginum.py --data FOLDER

The data are few-shot examples and generated tasks of the authors' earlier generator, with values
that an independent solver checked; gold values that it found wrong are no yardstick. The engine has
to find the checked value, and the judge has to give full marks to a solution that was found
correct. Each disagreement is printed with its reason. Two things are translated:

- An attribute that a rule computes with, and that nothing gives and no rule derives, has the value
  0. Such values that a query depends on become facts.
- ``9y+2`` in a rule that concludes about an attribute is 9 times that attribute of ``y``, plus 2.
"""

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum.evaluation.tables import markdown_table
from logic_curriculum.rewards import judge
from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.engine import ConflictError, closure
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
    Fact,
    Lookup,
    Rule,
    parse_fact,
    parse_rule,
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
    defaults: list[Fact] = field(default_factory=list)  # values of 0 that the query depends on

    def value(self) -> int:
        """Return the query's value by the engine, with defaults as facts.

        Where attributes wait for each other, nothing says which of them is 0: a CycleError.
        """
        relevant = self._relevant()
        while True:
            facts = closure([*self.facts, *self.defaults], self.rules)
            known = {Lookup(*f[:2]): f.value for f in facts if isinstance(f, AttributeFact)}
            ways = (way for pair in relevant for way in self._ways(pair))
            missing = list(dict.fromkeys(n for n, used in ways if used and n not in known))
            if not missing:
                return known.get(self.query, 0)
            awaited = self._awaited(relevant, known)
            if not (found := [pair for pair in missing if pair not in awaited]):
                raise CycleError(f"{missing} wait for each other")
            self.defaults += [AttributeFact(*pair, 0) for pair in found]

    def _relevant(self) -> list[Lookup]:
        """Return the attributes that the query may depend on, itself first."""
        found = [self.query]
        for pair in found:
            for needed, _ in self._ways(pair):
                if needed not in found:
                    found.append(needed)
        return found

    def _ways(self, pair: Lookup) -> Iterator[tuple[Lookup, bool]]:
        """Yield, for each way to derive an attribute, what it needs, and if it computes with it."""
        for rule in self.rules:
            (condition,), end = rule.conditions, rule.conclusion
            if not isinstance(end, syntax.Assignment) or end.attribute != pair.attribute:
                continue
            if isinstance(condition, AttributeFact):
                yield Lookup(pair.entity, condition.attribute), False
                continue
            for fact in self.facts:
                if fact[:2] == (condition.relation, pair.entity):
                    yield Lookup(str(fact[2]), rule.lookups()[0].attribute), True

    def _awaited(self, relevant: Sequence[Lookup], known: Mapping[Lookup, int]) -> set[Lookup]:
        """Return the unknown attributes that a rule may still derive."""
        ways = {pair: list(self._ways(pair)) for pair in relevant if pair not in known}
        awaited: set[Lookup] = set()
        while True:
            more = {p for p in ways if any(used or needed in awaited for needed, used in ways[p])}
            if more == awaited:
                return awaited
            awaited = more


def read_world(row: Mapping[str, Any]) -> World:
    """Read a row; a malformed fact or rule is a ValueError."""
    facts = [parse_fact(joined(fact["fr"])) for fact in row["facts"]]
    rules = [parse_rule(_SHORT.sub(_spelled_out, rule["fr"])) for rule in row["rules"]]
    return World(facts, rules, Lookup(joined(row["query"]["entity"]), row["query"]["attribute"]))


def joined(text: str) -> str:
    """Return a text with ``Dee_Dee`` for ``Dee Dee``, since names are single words here."""
    return re.sub(r"\b([A-Z]\w*) ([A-Z])", r"\1_\2", text)


def _spelled_out(found: re.Match[str]) -> str:
    """Return ``9y+2`` as ``9*?y[attribute]+2``."""
    attribute, factor, summand = found.groups()
    return f"is(?x, {attribute}, {factor}*?y[{attribute}]{summand or '+0'})"


def judged(world: World, row: Mapping[str, Any]) -> tuple[float, str]:
    """Return what the judge gives to the authors' solution, and why."""
    facts = [*world.facts, *world.defaults]
    lines, conclusions = [], []
    for step in row["gold_steps"]:
        basis = [_DEPENDENCY.sub(_cited, dependency) for dependency in step["deps"]]
        entity, _, value, attribute = joined(step["conclusion"]).split()
        fact = AttributeFact(entity, attribute, int(value.rpartition("=")[2]))
        if step["deps"] == ["Default"]:
            basis = [f"fact_{facts.index(fact) + 1}" if fact in facts else "fact_9999"]
        if any(dependency.startswith("Rule") for dependency in step["deps"]):
            conclusions.append({"conclusion": str(fact)})
        lines.append(f"{' & '.join(basis)} =>> int_{step['id'][3:]}: {joined(step['conclusion'])}")
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


def compare(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is to be counted, and for a disagreement its reason."""
    checked = row["checked"]
    yield "rows", ""
    try:
        world = read_world(row)
        value = world.value()
    except (ValueError, ConflictError) as error:
        yield "no value", f"{type(error).__name__}: {error} (status {checked['status']})"
        return
    gold = "right" if checked["gold_value_correct"] else "wrong"
    yield f"gold value {gold}", ""
    if value == checked["value"]:
        yield f"same value, gold {gold}", ""
    else:
        yield "other value", f"the engine finds {value}, the check found {checked['value']}"
    if gold == "wrong":
        return
    (score, why), sound = judged(world, row), bool(checked["gold_process_correct"])
    process = "process right" if sound else "process wrong"
    yield process, ""
    if score == 1.0:
        yield f"full marks, {process}", ""
    if (score == 1.0) != sound:
        yield "judged otherwise", f"{score:.2f}: {why}"


COUNTS = (
    "rows", "no value", "gold value right", "same value, gold right", "gold value wrong",
    "same value, gold wrong", "other value", "process right", "full marks, process right",
    "process wrong", "full marks, process wrong",
)  # fmt: skip


def compare_data(folder: Path) -> int:
    """Print counts and disagreements; return how many values differ."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in FILES}
    reasons = []
    for name in FILES:
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                for what, reason in compare(row):
                    counts[name][what] += 1
                    reasons += [f"{row['id']}: {what}: {reason}"] if reason else []
    rows = [[what, *(str(counts[name][what]) for name in FILES)] for what in COUNTS]
    print(markdown_table(["", *FILES], rows))
    print("\n" + "\n".join(reasons) if reasons else "\nno disagreement")
    return sum(counts[name]["other value"] for name in FILES)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, type=Path, help="folder with the two files")
    return bool(compare_data(parser.parse_args().data))


if __name__ == "__main__":
    sys.exit(main())
