"""Forward chaining: what follows from facts and rules, and how (LogiNumSynth, sections 2.1, E.1).

The closure is the least fixpoint, so it depends neither on the order of facts nor on that of
rules. Each new fact is joined, once, with what was known before it (semi-naive evaluation).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
    Fact,
    Lookup,
    RelationFact,
    Rule,
    TooLargeError,
)

MAX_DERIVED = 2000  # how many facts a closure may derive
MAX_DERIVATIONS_PER_FACT = 50  # how many ways there may be for each fact that may be derived
MAX_EFFORT = 300_000
"""How many facts a closure may try for the conditions of all rules together, about a second's work;
applying a rule counts as ten."""
MAX_STEP_EFFORT = 20_000  # as much for one application of one rule to given facts

Binding = dict[str, str]  # variable → entity


class ConflictError(ValueError):
    """An attribute of an entity has two values."""

    def __init__(self, entity: str, attribute: str, first: int, second: int) -> None:
        super().__init__(
            f"The {attribute} of {entity} is {first} and also {second}, but an attribute has one "
            "value. Change a fact or a rule, so that both don't follow."
        )
        self.entity, self.attribute, self.values = entity, attribute, (first, second)


class Derivation(NamedTuple):
    """A rule, by its index from 0, applied to facts."""

    rule: int
    uses: tuple[Fact, ...]
    """What meets the conditions, then what gives the values of the lookups; each fact once."""
    conclusion: Fact


@dataclass(frozen=True)
class Closure:
    """All that follows from facts and rules."""

    facts: tuple[Fact, ...]  # the given and the derived ones, each once, as they were found
    values: Mapping[Lookup, int]  # entity and attribute → value, wherever it is known
    derivations: Mapping[Fact, tuple[Derivation, ...]]
    """Fact → every way to derive it from facts in one step, also where the fact is given. Two ways
    differ in the rule or in what is used."""

    def value(self, entity: str, attribute: str) -> int | None:
        """Return the value of an attribute, or ``None`` when none follows."""
        return self.values.get(Lookup(entity, attribute))


def closure(facts: Iterable[Fact], rules: Sequence[Rule]) -> Closure:
    """Derive all that follows from given facts.

    Rules are universal; two variables may stand for the same entity. One fires for a binding when
    every condition holds and the value of every lookup is known.

    Raises:
        ConflictError: An attribute of an entity has two values.
        TooLargeError: One of the bounds of this module or ``syntax.MAX_BITS`` is exceeded.

    >>> from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_rule
    >>> rule = parse_rule("likes(?x, ?y) -> is(?y, cold, 2*?x[cold]-1)")
    >>> known = closure([parse_fact("likes(Ed, Al)"), parse_fact("is(Ed, cold, 4)")], [rule])
    >>> known.value("Al", "cold")
    7
    """
    world, plans_by_key = _World(MAX_EFFORT), _plans_by_key(rules)
    seen = dict.fromkeys(facts)
    queue = deque(seen)
    most_known, budget = len(seen) + MAX_DERIVED, MAX_DERIVED * MAX_DERIVATIONS_PER_FACT
    ways_of: dict[Fact, dict[tuple[int, frozenset[Fact]], Derivation]] = {}
    while queue:
        fact = queue.popleft()
        world.add(fact)
        for derivation in _triggered(fact, world, plans_by_key):
            way = (derivation.rule, frozenset(derivation.uses))
            ways = ways_of.setdefault(derivation.conclusion, {})
            budget -= way not in ways
            ways.setdefault(way, derivation)
            if derivation.conclusion not in seen:
                seen[derivation.conclusion] = None
                queue.append(derivation.conclusion)
            if len(seen) > most_known or budget < 0:
                bounds = f"{MAX_DERIVED} facts, or {MAX_DERIVATIONS_PER_FACT} times as many"
                remedy = "Give fewer or narrower rules."
                raise TooLargeError(f"More than {bounds} derivations, follow. {remedy}")
    values = {Lookup(*key): value for key, value in world.values.items()}
    derivations = {fact: tuple(ways.values()) for fact, ways in ways_of.items()}
    return Closure(tuple(seen), values, derivations)


def _plans_by_key(rules: Sequence[Rule]) -> _PlansByKey:
    found: _PlansByKey = {}
    for index, rule in enumerate(rules):
        plan = _plan(index, rule)
        for place, atom in enumerate(plan.atoms):
            others = (*plan.atoms[:place], *plan.atoms[place + 1 :])
            found.setdefault(atom.key, []).append((plan, atom, others))
    return found


def _triggered(fact: Fact, world: _World, plans_by_key: _PlansByKey) -> Iterator[Derivation]:
    """Yield the derivations that a fact, just taken in, makes possible; some may recur."""
    key, names = _atom(fact)
    for asked in (key,) if isinstance(fact, RelationFact) else (key, (fact.attribute, None)):
        for plan, asking, others in plans_by_key.get(asked, ()):
            binding = _unify(asking.terms, names, {})
            if binding is not None:
                yield from world.derivations(plan, others, binding)


class Matcher:
    """A rule, made ready to be applied to one set of facts after another."""

    def __init__(self, rule: Rule) -> None:
        self._plan = _plan(0, rule)

    def conclusions(self, uses: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return the rule's conclusions from exactly these facts, all of which it needs.

        A fact is needed if it meets a condition or gives the value of a lookup; a repeated one
        counts once. Errors are those of :func:`closure`, with :data:`MAX_STEP_EFFORT` as the bound.

        >>> from logic_curriculum.rewards.engines.numeric.parser import parse_fact, parse_rule
        >>> matcher = Matcher(parse_rule("likes(?x, ?y) -> is(?y, cold, 2*?x[cold]-1)"))
        >>> facts = [parse_fact("likes(Ed, Al)"), parse_fact("is(Ed, cold, 4)")]
        >>> matcher.conclusions(facts)
        (AttributeFact(entity='Al', attribute='cold', value=7),)
        >>> matcher.conclusions(facts[:1]), matcher.conclusions([*facts, parse_fact("odd(Al, Ed)")])
        ((), ())
        """
        world, wanted = _World(MAX_STEP_EFFORT), dict.fromkeys(uses)
        for fact in wanted:
            world.add(fact)
        if len(wanted) > len(self._plan.atoms):
            return ()
        ways = world.derivations(self._plan, self._plan.atoms, {})
        return tuple(dict.fromkeys([way[2] for way in ways if len(way.uses) == len(wanted)]))


_Key = str | tuple[str, int | None]
"""A relation, an attribute with a value, or with none: what facts that an atom can match share."""


class _Atom(NamedTuple):
    """A condition, or a lookup that asks for a value."""

    key: _Key
    terms: tuple[str, ...]  # one or two names or variables


class _Plan(NamedTuple):
    """What a rule asks for, and what then follows."""

    rule: int
    atoms: tuple[_Atom, ...]  # the conditions, then the lookups
    conclusion: RelationFact | syntax.Assignment


_PlansByKey = dict[_Key, list[tuple[_Plan, _Atom, tuple[_Atom, ...]]]]
"""What an atom asks for → plan, that atom, and the plan's other atoms."""


def _plan(index: int, rule: Rule) -> _Plan:
    lookups = [_Atom((attribute, None), (entity,)) for entity, attribute in rule.lookups()]
    return _Plan(index, (*map(_atom, rule.conditions), *lookups), rule.conclusion)


def _atom(fact: Fact) -> _Atom:
    if isinstance(fact, RelationFact):
        return _Atom(fact.relation, fact[1:])
    return _Atom((fact.attribute, fact.value), (fact.entity,))


def _unify(terms: tuple[str, ...], names: tuple[str, ...], binding: Binding) -> Binding | None:
    extended = binding.copy()
    for place, term in enumerate(terms):
        if (extended.setdefault(term, names[place]) if term[0] == "?" else term) != names[place]:
            return None
    return extended


class _World:
    """Known facts, by what atoms ask for."""

    def __init__(self, effort: int) -> None:
        self.known: dict[_Key, dict[tuple[str, ...], Fact]] = {}  # atom's key → names → fact
        self.values: dict[tuple[str, str], int] = {}  # entity and attribute → value
        self.effort_left = effort

    def add(self, fact: Fact) -> None:
        key, names = _atom(fact)
        self.known.setdefault(key, {})[names] = fact
        if isinstance(fact, AttributeFact):
            entity, attribute, value = fact
            other = self.values.setdefault((entity, attribute), value)
            if other != value:
                raise ConflictError(entity, attribute, other, value)
            self.known.setdefault((attribute, None), {})[names] = fact

    def derivations(
        self, plan: _Plan, atoms: Sequence[_Atom], binding: Binding
    ) -> Iterator[Derivation]:
        """Yield each way to apply a plan of which a binding meets all but some atoms."""
        return (self._derive(plan, full) for full in self._matches(atoms, binding))

    def _matches(self, atoms: Sequence[_Atom], binding: Binding) -> Iterator[Binding]:
        """Yield the bindings that meet all atoms, the atom with fewest candidates first."""
        while atoms:
            chosen, fewest = self._narrowest(atoms, binding)
            atoms = [*atoms[:chosen], *atoms[chosen + 1 :]]
            if len(fewest) != 1:
                for extended in fewest:
                    yield from self._matches(atoms, extended)
                return
            (binding,) = fewest
        yield binding

    def _narrowest(self, atoms: Sequence[_Atom], binding: Binding) -> tuple[int, list[Binding]]:
        """Return the place of the atom with fewest candidates, and the bindings they make."""
        chosen = -1
        fewest: list[Binding] = []
        for index, (key, terms) in enumerate(atoms):
            known = self.known.get(key, ())
            self._spend(len(known))
            extended = [_unify(terms, names, binding) for names in known]
            found = [candidate for candidate in extended if candidate is not None]
            if chosen < 0 or len(found) < len(fewest):
                chosen, fewest = index, found
                if len(found) <= 1:
                    break
        return chosen, fewest

    def _spend(self, effort: int) -> None:
        self.effort_left -= effort
        if self.effort_left < 0:
            raise TooLargeError(
                "Finding out what follows takes too many trials of facts. Give fewer facts, or "
                "rules whose conditions share variables."
            )

    def _derive(self, plan: _Plan, binding: Binding) -> Derivation:
        self._spend(10)
        known, name = self.known, binding.get
        uses = [known[key][tuple([name(t, t) for t in terms])] for key, terms in plan.atoms]
        conclusion = self._conclude(plan.conclusion, name)
        return Derivation(plan.rule, tuple(dict.fromkeys(uses)), conclusion)

    def _conclude(
        self, conclusion: RelationFact | syntax.Assignment, name: Callable[[str, str], str]
    ) -> Fact:
        if isinstance(conclusion, RelationFact):
            relation, first, second = conclusion
            return RelationFact(relation, name(first, first), name(second, second))
        entity, attribute, expression = conclusion
        value = expression.value(lambda of: self.values[name(of[0], of[0]), of[1]])
        if value.bit_length() > syntax.MAX_BITS:
            raise TooLargeError(
                f"A value of {attribute} has {value.bit_length()} bits, {syntax.MAX_BITS} the "
                "most. Change the rules, so that values don't grow so much."
            )
        return AttributeFact(name(entity, entity), attribute, value)
