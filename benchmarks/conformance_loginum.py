"""LogiNumSynth beside what its authors published: tasks of theirs, and the figures of Table 7.

    python benchmarks/conformance_loginum.py --data FOLDER   # are tasks of theirs judged right?
    python benchmarks/conformance_loginum.py --table7 300    # what do 300 tasks a depth measure?

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
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.loginum.levels import PRESETS
from logic_curriculum.rewards import judge
from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.engine import Closure, ConflictError, closure
from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_rule
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, Lookup, Rule

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

        Where attributes wait for each other, each of them is tried as the one that is 0. Several
        consistent values of the query, or none, are a CycleError.
        """
        relevant = self._relevant()
        while True:
            known = closure([*self.facts, *self.defaults], self.rules)
            ways = (way for pair in relevant for way in self._ways(pair))
            missing = list(dict.fromkeys(n for n, used in ways if used and known.value(*n) is None))
            if not missing:
                return known.value(*self.query) or 0
            awaited = self._awaited(relevant, known)
            if not (found := [pair for pair in missing if pair not in awaited]):
                return self._try_each(missing)
            self.defaults += [AttributeFact(*pair, 0) for pair in found]

    def _try_each(self, missing: Sequence[Lookup]) -> int:
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

    def _awaited(self, relevant: Sequence[Lookup], known: Closure) -> set[Lookup]:
        """Return the unknown attributes that a rule may still derive."""
        ways = {pair: list(self._ways(pair)) for pair in relevant if known.value(*pair) is None}
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
    print(f"| | {' | '.join(FILES)} |\n|---|{'---|' * len(FILES)}")
    for what in COUNTS:
        print(f"| {what} | {' | '.join(str(counts[name][what]) for name in FILES)} |")
    print("\n" + "\n".join(reasons) if reasons else "\nno disagreement")
    return sum(counts[name]["other value"] for name in FILES)


PUBLISHED = """
EL-EN    10 15 10 15      15     1-3  1   1:1:1:0 1:1:1 [1,10]
EL-HN    10 15 10 15      15     1-3  1   0:0:1:1 1:1:1 [-100,100]
HL-EN    10 15 10 15      15     4-6  2-3 1:1:1:0 1:1:1 [1,10]
HL-HN    10 15 10 15      15     4-6  2-3 0:0:1:1 1:1:1 [-100,100]
exHL-HN  30 40 40 105-150 35-50  7-10 3-6 0:0:1:1 1:1:1 [-100,100]
EL-Train 10 15 10 15      15     1-3  1   1:1:2:2 1:1:2 [-100,100]
EN-Train 10 15 10 15      15     4-6  2-3 1:1:1:0 1:1:1 [1,10]
"""
"""Table 7, written down once more; facts and rules of exHL-HN are 15 and 5 times the depth."""
KINDS = ("Constant", "Retrieval", "Calculation", "Aggregation")
COLUMNS = (
    "entities", "attributes", "relations", "facts", "rules", "depth", "conditions", "expressions",
    "parts", "operands",
)  # fmt: skip
MEANS = ("facts used", "height", "derived in all", "shared")
"""Of the gold process: given facts, longest chain, whether a fact or conclusion is used twice."""


def measure(task: Task) -> Iterator[tuple[str, Any]]:
    """Yield what occurs in a task, rules of the gold process and others alike, by column."""
    payload = task.verification
    facts, rules = [*map(parse_fact, payload["facts"])], [*map(parse_rule, payload["rules"])]
    for name in ("entities", "attributes", "relations"):
        yield name, len(task.metadata[name])
    yield from (("facts", len(facts)), ("rules", len(rules)), ("depth", len(payload["steps"])))
    yield from (("operands", fact.value) for fact in facts if isinstance(fact, AttributeFact))
    for rule in rules:
        yield "conditions", len(rule.conditions)
        if isinstance(rule.conclusion, syntax.Assignment):
            expression = rule.conclusion.expression
            yield "expressions", type(expression).__name__
            if isinstance(expression, syntax.Aggregation):
                yield "parts", type(expression.left).__name__
                yield "parts", type(expression.right).__name__
            yield from (("operands", int(n)) for n in re.findall(r"-?\d+", str(expression)))
    heights = [0]
    for step in payload["steps"]:
        heights.append(1 + max((heights[used] for used in step["steps"]), default=0))
    used, earlier = ([n for step in payload["steps"] for n in step[k]] for k in ("facts", "steps"))
    yield "facts used", len(set(used))
    yield "height", heights[-1]
    yield "derived in all", len(closure(facts, rules).derivations)
    yield "shared", len(used) + len(earlier) > len(set(used)) + len(set(earlier))


def print_table_7(count: int) -> None:
    """Print what tasks of each preset measure, beside Table 7."""
    print(f"{count} tasks of each depth. Expressions and parts in percent, published as weights.\n")
    print(f"| preset | | {' | '.join(COLUMNS)} |\n|---|---|{'---|' * len(COLUMNS)}")
    means = []
    for line in PUBLISHED.strip().splitlines():
        name, *published = line.split()
        found: defaultdict[str, list[Any]] = defaultdict(list)
        for depth in PRESETS[name].configs:
            for seed in range(count):
                task = generate("loginum", depth, seed, preset=name, language="formal")
                for column, value in measure(task):
                    found[column].append(value)
        cells = [span(found[column]) for column in COLUMNS[:7]]
        cells += [shares_of(found[column]) for column in ("expressions", "parts")]
        cells.append(f"[{min(found['operands'])},{max(found['operands'])}]")
        print(f"| {name} | Table 7 | {' | '.join(published)} |")
        print(f"| | measured | {' | '.join(cells)} |", flush=True)
        *sizes, shared = (fmean(found[column]) for column in MEANS)
        means.append(f"| {name} | {' | '.join(f'{size:.1f}' for size in sizes)} | {shared:.0%} |")
    print("\nMeans, and the share of tasks in which a fact or conclusion is used twice:\n")
    print("\n".join([f"| preset | {' | '.join(MEANS)} |", "|---|---:|---:|---:|---:|", *means]))


def span(values: Sequence[int]) -> str:
    return "-".join(map(str, sorted({min(values), max(values)})))


def shares_of(kinds: Sequence[str]) -> str:
    """Return the percentages of the kinds of expressions."""
    return ":".join(f"{100 * kinds.count(k) / len(kinds):.0f}" for k in KINDS) if kinds else "–"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with the two files")
    parser.add_argument("--table7", type=int, metavar="TASKS", help="tasks of each depth")
    arguments = parser.parse_args()
    if not (arguments.data or arguments.table7):
        parser.error("there is nothing to compare: give --data FOLDER or --table7 TASKS")
    if arguments.table7:
        print_table_7(arguments.table7)
    return bool(arguments.data and compare_data(arguments.data))


if __name__ == "__main__":
    sys.exit(main())
