"""The target ``searched``: a search from the query backwards, before the summary that it finds.

A small model then looks one thing up at a time. The rules are read in order. One that concludes
something else is left at its head::

    want is(Kim, calm, ?) rule_1: is(?x, dark … rule_2: is(?x, calm, 2*?y[bad]+1) <- ask(?y, ?x)

What a rule asks for is looked up, until something is missing (``open``), has another value
(``no``), or all is there (``so``)::

    if is(Kim, bad, 6): is(Kim, bad, 5) no

    if ask(?y, Kim): ask(Bo, Kim) = fact_4 rule_2 & fact_4
    if is(Bo, bad, ?): is(Bo, bad, 5) = fact_1 rule_2 & fact_4 & fact_1
    so 2*5+1 -> 10+1 -> 11 is(Kim, calm, 11) = int_1

If no rule fires by what is known, what is missing is wanted first; then the rule is applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from logic_curriculum.generators import Task
from logic_curriculum.generators.loginum.language import clause, parse_clause
from logic_curriculum.generators.loginum.prompts import step_line
from logic_curriculum.generators.loginum.synthesis import Step
from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.parser import parse_fact
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
    Fact,
    Lookup,
    Query,
    RelationFact,
    Rule,
)

Asked = Fact | Query  # what is looked up; terms that begin with ``?`` stand for any entity
Terms = dict[str, str]  # variable → entity


def with_search(task: Task) -> Task:
    """Return a task of LogiNumSynth in ``clauses`` with a search before its solution."""
    language = task.metadata["language"]
    if language != "clauses":
        raise ValueError(
            f"target is searched, and language {language!r}: a search quotes clauses. Set language "
            "to clauses, or the target to solution."
        )
    return replace(task, solution=search_and_solve(world_of(task), task))


def search_and_solve(world: World, task: Task) -> str:
    """Return a search in a world that holds the gold process, the summary and the answer."""
    search = Search(world, gold_steps(task))
    steps = [step_line(step, number) for number, step in enumerate(search.steps, start=1)]
    answer = f"Answer: \\boxed{{{task.verification['answer']}}}"
    return "\n".join([*search.lines, "Reasoning:", *steps, answer])


def gold_steps(task: Task) -> list[Step]:
    """Return the steps of a task's gold process."""
    return [
        Step(one["rule"], tuple(one["facts"]), tuple(one["steps"]), parse_fact(one["conclusion"]))
        for one in task.verification["steps"]
    ]


def world_of(task: Task) -> World:
    """Return the world of a task in the language ``clauses``."""
    rules = map(parse_clause, task.metadata["rule_sentences"])
    facts = map(parse_fact, task.verification["facts"])
    return World(dict(enumerate(rules, start=1)), dict(enumerate(facts, start=1)))


class World:
    """The rules of a task by number, and what is known: facts and what follows from them."""

    def __init__(self, rules: Mapping[int, Rule], facts: Mapping[int, Fact]) -> None:
        self.rules = rules
        self.known = {fact: f"fact_{number}" for number, fact in facts.items()}

    def read_rules(self, goal: Fact, after: int) -> tuple[str, int | None]:
        """Return the text of reading on after a rule (0: all), and the first that may serve."""
        texts: list[str] = []
        for number, rule in self.rules.items():
            if number <= after:
                continue
            if _topic(rule.conclusion) == _topic(goal):
                return " ".join([*texts, f"rule_{number}: {clause(rule)}"]), number
            texts.append(f"rule_{number}: {_head(rule)} …")
        return " ".join([*texts, "end"]), None

    def look_up(self, asked: Asked) -> tuple[str, Fact | None]:
        """Return the text of looking something up, and the first fact found, named if it fits."""
        found = next((fact for fact in self.known if _matched(asked, fact) is not None), None)
        if found is None:
            return f"if {asked}: none", None
        if not isinstance(asked, AttributeFact):
            return f"if {asked}: {found} = {self.known[found]}", found
        if _value(found) != asked.value:
            return f"if {asked}: {found} no", found
        return f"if {asked}: {found} yes = {self.known[found]}", found


class Trial(NamedTuple):
    """What came of trying a rule on a goal; without a conclusion it did not fire."""

    text: str
    uses: tuple[Fact, ...] = ()
    conclusion: Fact | None = None


def try_rule(world: World, number: int, terms: Terms) -> Trial:
    """Try whether a rule fires by what is known, with ``terms`` for its variables, where settled.

    What is used is listed anew after each fact, so that a step can be copied from the last list.
    """
    rule = world.rules[number]
    texts: list[str] = []
    uses: dict[Fact, str] = {}
    values: dict[Lookup, int] = {}
    for pattern in (*rule.conditions, *rule.lookups()):
        asked = _instance(pattern, terms)
        text, found = world.look_up(asked)
        texts.append(text)
        if found is None:
            return Trial(" ".join([*texts, "open"]))
        uses[found] = world.known[found]
        terms = terms | (_matched(asked, found) or {})
        if isinstance(pattern, Lookup):
            values[pattern] = _value(found)
        elif isinstance(asked, AttributeFact) and _value(found) != asked.value:
            return Trial(" ".join(texts))
        texts.append(" & ".join([f"rule_{number}", *uses.values()]))
    conclusion, working = _conclusion(rule, terms, values)
    return Trial(" ".join([*texts, f"so {working}"]), tuple(uses), conclusion)


class Search:
    """The search for what a task asks, line by line, and the steps that it finds.

    What is found is added to ``world``; ``gold``, steps to the answer, say what is worth wanting.
    """

    def __init__(self, world: World, gold: Sequence[Step]) -> None:
        self.world, self.gold = world, gold
        self.lines: list[str] = []
        self.steps: list[Step] = []
        self._solve(gold[-1])

    def _solve(self, step: Step) -> None:
        goal = step.conclusion
        if goal in self.world.known or self._read_for(goal):
            return
        for number in step.steps:
            self._solve(self.gold[number - 1])
        rule = self.world.rules[step.rule]
        named = {name: fact for fact, name in self.world.known.items()}
        uses = [named[f"fact_{number}"] for number in step.facts]
        uses += [self.gold[number - 1].conclusion for number in step.steps]
        terms = next(_settled(rule.conditions, uses, bindings(rule, goal)), None)
        assert terms is not None, f"the gold step {step} does not meet the conditions of {rule}"
        fired = self._try(f"now {subject(goal)} rule_{step.rule}: {clause(rule)}", step.rule, terms)
        assert fired, f"the gold step {step} does not fire {rule}"

    def _read_for(self, goal: Fact) -> bool:
        """Try the rules in order; say whether one fired."""
        number, about = 0, f"want {subject(goal)}"
        while True:
            text, found = self.world.read_rules(goal, number)
            if found is None:
                self.lines.append(f"{about} {text}")
                return False
            if self._try(f"{about} {text}", found, bindings(self.world.rules[found], goal)):
                return True
            number, about = found, f"{subject(goal)} after rule_{found}"

    def _try(self, about: str, number: int, terms: Terms) -> bool:
        """Write down a trial; if the rule fires, its conclusion is known from then on."""
        trial = try_rule(self.world, number, terms)
        text = f"{about} {trial.text}"
        if trial.conclusion is not None:
            names = [self.world.known[fact] for fact in trial.uses]
            facts, steps = _numbers(names, "fact"), _numbers(names, "int")
            self.steps.append(Step(number, facts, steps, trial.conclusion))
            self.world.known[trial.conclusion] = f"int_{len(self.steps)}"
            text += f" {trial.conclusion} = int_{len(self.steps)}"
        self.lines.append(text)
        return trial.conclusion is not None


def subject(goal: Fact) -> str:
    """Return a fact as text; one with a value becomes the query for it."""
    return str(Query(goal.entity, goal.attribute)) if isinstance(goal, AttributeFact) else str(goal)


def bindings(rule: Rule, goal: Fact) -> Terms:
    """Return the entities of the variables in a rule's conclusion, if it is the goal."""
    return dict(zip(terms_of(rule.conclusion), terms_of(goal), strict=True))


def terms_of(part: Fact | Query | syntax.Assignment) -> tuple[str, ...]:
    """Return the entities and variables that something is about."""
    return (part.first, part.second) if isinstance(part, RelationFact) else (part.entity,)


def _topic(part: Asked | syntax.Assignment) -> str:
    return part.relation if isinstance(part, RelationFact) else f"is {part.attribute}"


def _head(rule: Rule) -> str:
    conclusion = rule.conclusion
    if isinstance(conclusion, RelationFact):
        return f"{conclusion.relation}("
    return f"is({conclusion.entity}, {conclusion.attribute}"


def _instance(pattern: Fact | Lookup, terms: Terms) -> Asked:
    """Return a rule's condition or lookup, with entities for the variables in ``terms``."""
    match pattern:
        case AttributeFact(entity, attribute, value):
            return AttributeFact(terms.get(entity, entity), attribute, value)
        case RelationFact(relation, first, second):
            return RelationFact(relation, terms.get(first, first), terms.get(second, second))
        case Lookup(entity, attribute):
            return Query(terms.get(entity, entity), attribute)
    raise ValueError(f"{pattern} is none of the paper's conditions, which alone are searched for")


def _matched(asked: Asked, fact: Fact) -> Terms | None:
    """Return the entities of a question's variables if a fact answers it, else None.

    The value of a named entity may be another than the one asked for.
    """
    if _topic(asked) != _topic(fact):
        return None
    pairs = list(zip(terms_of(asked), terms_of(fact), strict=True))
    if not all(name[0] == "?" or name == entity for name, entity in pairs):
        return None
    free = {name: entity for name, entity in pairs if name[0] == "?"}
    if free and not isinstance(asked, RelationFact) and fact[2:] != asked[2:]:
        return None
    return free


def _value(fact: Fact) -> int:
    assert isinstance(fact, AttributeFact)
    return fact.value


def _settled(conditions: Sequence[Fact], facts: Sequence[Fact], terms: Terms) -> Iterator[Terms]:
    """Yield the entities of all variables, for each way in which facts meet all conditions."""
    if not conditions:
        yield terms
        return
    asked = _instance(conditions[0], terms)
    for found in (_matched(asked, fact) for fact in facts):
        if found is not None:
            yield from _settled(conditions[1:], facts, terms | found)


def _conclusion(rule: Rule, terms: Terms, values: Mapping[Lookup, int]) -> tuple[Fact, str]:
    """Return the fact that a rule concludes, and the working of its value."""
    conclusion = rule.conclusion
    if isinstance(conclusion, RelationFact):
        first, second = terms[conclusion.first], terms[conclusion.second]
        return conclusion._replace(first=first, second=second), ""
    value = conclusion.expression.value(values.__getitem__)
    fact = AttributeFact(terms[conclusion.entity], conclusion.attribute, value)
    return fact, " -> ".join([*_working(conclusion.expression, values), str(value)])


def _working(expression: syntax.Expression, values: Mapping[Lookup, int]) -> list[str]:
    if isinstance(expression, syntax.Constant | syntax.Retrieval):
        return []
    text = str(expression)
    for lookup, value in values.items():
        text = text.replace(str(lookup), str(value))
    if not isinstance(expression, syntax.Calculation):
        return [text]
    product = expression.factor * values[expression.lookup]
    return [text, f"{product}{expression.summand:+d}"]


def _numbers(names: Sequence[str], kind: str) -> tuple[int, ...]:
    return tuple(int(name.split("_")[1]) for name in names if name.startswith(kind))
