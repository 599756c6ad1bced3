"""Forward chaining: what follows from facts and rules, and how (LogiNumSynth, sections 2.1, E.1).

The closure is the least fixpoint, so it depends neither on the order of facts nor on that of rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from logic_curriculum.rewards.engines.numeric import syntax
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, RelationFact, Rule

MAX_DERIVED = 2000  # how many facts a closure may derive
MAX_EFFORT = 300_000
"""How many facts a closure may try for the conditions of all rules together, about a second's work;
applying a rule counts as ten."""
MAX_STEP_EFFORT = 20_000  # as much for one application of one rule to given facts

Binding = dict[str, str]  # variable → entity


class ConflictError(ValueError):
    """An attribute of an entity has two values."""


Way = tuple[int, frozenset[Fact]]
"""A rule, by its index from 0, and what meets its conditions and gives its lookups their values."""


def closure(facts: Iterable[Fact], rules: Sequence[Rule]) -> dict[Fact, set[Way]]:
    """Return given facts and all that follows, each with every way to derive it in one step.

    Rules are universal; two variables may stand for the same entity. One fires for a binding when
    every condition holds and the value of every lookup is known.

    Raises:
        ConflictError: An attribute of an entity has two values.
        TooLargeError: One of the bounds of this module or ``syntax.MAX_BITS`` is exceeded.

    >>> from logic_curriculum.rewards.engines.numeric.syntax import parse_fact, parse_rule
    >>> rule = parse_rule("likes(?x, ?y) -> is(?y, cold, 2*?x[cold]-1)")
    >>> known = closure([parse_fact("likes(Ed, Al)"), parse_fact("is(Ed, cold, 4)")], [rule])
    >>> list(map(str, known))
    ['likes(Ed, Al)', 'is(Ed, cold, 4)', 'is(Al, cold, 7)']
    """
    world, matchers = _World(MAX_EFFORT), list(map(Matcher, rules))
    known: dict[Fact, set[Way]] = {}
    new = dict.fromkeys(facts)
    most = len(new) + MAX_DERIVED
    while new:
        for fact in new:
            world.add(fact)
            known[fact] = set()
        if len(known) > most:
            raise syntax.TooLargeError(
                f"More than {MAX_DERIVED} facts follow. Give fewer or narrower rules."
            )
        new = {}
        for index, matcher in enumerate(matchers):
            for uses, fact in matcher.applications(world):
                if fact in known:
                    known[fact].add((index, frozenset(uses)))
                else:
                    new[fact] = None
    return known


class Matcher:
    """A rule, made ready to be applied to one set of facts after another."""

    def __init__(self, rule: Rule) -> None:
        lookups = [_Atom((attribute, None), (entity,)) for entity, attribute in rule.lookups()]
        self._atoms = (*map(_atom, rule.conditions), *lookups)
        self._conclusion = rule.conclusion

    def conclusions(self, uses: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return the rule's conclusions from exactly these facts, all of which it needs.

        A fact is needed if it meets a condition or gives the value of a lookup; a repeated one
        counts once. Errors are those of :func:`closure`, with :data:`MAX_STEP_EFFORT` as the bound.

        >>> from logic_curriculum.rewards.engines.numeric.syntax import parse_fact, parse_rule
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
        if len(wanted) > len(self._atoms):
            return ()
        found = [fact for used, fact in self.applications(world) if len(used) == len(wanted)]
        return tuple(dict.fromkeys(found))

    def applications(self, world: _World) -> Iterator[tuple[tuple[Fact, ...], Fact]]:
        """Yield each way to apply the rule: the facts that it uses, and what it concludes."""
        for binding in world.matches(self._atoms, {}):
            yield world.used(self._atoms, binding), world.concluded(self._conclusion, binding.get)


_Key = str | tuple[str, int | None]
"""A relation, an attribute with a value, or with none: what facts that an atom can match share."""


class _Atom(NamedTuple):
    """A condition, or a lookup that asks for a value."""

    key: _Key
    terms: tuple[str, ...]  # one or two names or variables


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
                raise ConflictError(
                    f"The {attribute} of {entity} is {other} and also {value}, but an attribute "
                    "has one value. Change a fact or a rule, so that both don't follow."
                )
            self.known.setdefault((attribute, None), {})[names] = fact

    def matches(self, atoms: Sequence[_Atom], binding: Binding) -> Iterator[Binding]:
        """Yield the bindings that meet all atoms, the atom with fewest candidates first."""
        while atoms:
            chosen, fewest = self._narrowest(atoms, binding)
            atoms = [*atoms[:chosen], *atoms[chosen + 1 :]]
            if len(fewest) != 1:
                for extended in fewest:
                    yield from self.matches(atoms, extended)
                return
            (binding,) = fewest
        yield binding

    def _narrowest(self, atoms: Sequence[_Atom], binding: Binding) -> tuple[int, list[Binding]]:
        """Return the place of the atom with fewest candidates, and the bindings they make."""
        tried: list[tuple[int, list[Binding]]] = []
        for index, (key, terms) in enumerate(atoms):
            known = self.known.get(key, ())
            self._spend(len(known))
            extended = [_unify(terms, names, binding) for names in known]
            tried.append((index, [found for found in extended if found is not None]))
            if len(tried[-1][1]) <= 1:
                break
        return min(tried, key=lambda candidates: len(candidates[1]))

    def _spend(self, effort: int) -> None:
        self.effort_left -= effort
        if self.effort_left < 0:
            raise syntax.TooLargeError(
                "Finding out what follows takes too many trials of facts. Give fewer facts, or "
                "rules whose conditions share variables."
            )

    def used(self, atoms: Sequence[_Atom], binding: Binding) -> tuple[Fact, ...]:
        """Return the facts that a binding makes of atoms, each once."""
        self._spend(10)
        facts = [self.known[key][tuple([binding.get(t, t) for t in of])] for key, of in atoms]
        return tuple(dict.fromkeys(facts))

    def concluded(
        self, conclusion: RelationFact | syntax.Assignment, name: Callable[[str, str], str]
    ) -> Fact:
        """Return a conclusion for the entities that ``name`` gives to its terms."""
        if isinstance(conclusion, RelationFact):
            relation, first, second = conclusion
            return RelationFact(relation, name(first, first), name(second, second))
        entity, attribute, expression = conclusion
        value = expression.value(lambda of: self.values[name(of[0], of[0]), of[1]])
        if value.bit_length() > syntax.MAX_BITS:
            raise syntax.TooLargeError(
                f"A value of {attribute} has {value.bit_length()} bits, {syntax.MAX_BITS} the "
                "most. Change the rules, so that values don't grow so much."
            )
        return AttributeFact(name(entity, entity), attribute, value)
