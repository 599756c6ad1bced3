"""What is known in a world that grows by one fact or rule at a time, without any conflict.

Nothing may be known in two ways, so that each conclusion has one derivation, and no way to the
answer is shorter than the gold process.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from logic_curriculum.generators.loginum.rules import Goal, new
from logic_curriculum.rewards.engines.numeric.syntax import Fact, Lookup, RelationFact, Rule

MAX_FOLLOWING = 100  # a fact or rule from which more than this follows is refused
MAX_BINDINGS = 5000  # a fact or rule that takes more bindings than this at a time is refused

_Binding = dict[str, str]  # variable → entity
_Valued = tuple[Goal, int]  # what a fact is about, and the value of an attribute, or 0


class _Need(NamedTuple):
    """A condition that has to hold, or a lookup whose value has to be known."""

    name: str  # its attribute or relation
    terms: tuple[str, ...]  # one or two entities or variables
    value: int | None = None  # the value that the attribute has to have, if any


class Knowledge:
    """Given and derived facts, each known in one way only."""

    def __init__(self) -> None:
        self.known: defaultdict[str, dict[tuple[str, ...], int]] = defaultdict(dict)
        """Attribute or relation → one or two entities → the value of an attribute, or 0."""
        self.related: defaultdict[str, list[Goal]] = defaultdict(list)
        """Entity → the relations that it is known to have."""
        self.entities: dict[str, None] = {}
        """All about which something is known, or was before it was refused."""
        self._askers: defaultdict[str, list[tuple[Rule, list[_Need], int]]] = defaultdict(list)
        """Attribute or relation → rule, its needs, and the place of one that asks for it."""
        self._kinds: set[tuple[object, ...]] = set()
        """Conditions and conclusion of each rule, without what it computes."""

    def knows(self, goal: Goal) -> bool:
        """Return whether the attribute has a value, or the relation holds."""
        return goal[1:] in self.known.get(goal[0], ())

    def value(self, goal: Goal) -> int:
        """Return the value of an attribute that has one."""
        return self.known[goal[0]][goal[1:]]

    def add_fact(self, fact: Fact) -> bool:
        """Take in a fact and what follows; change nothing if something were known twice."""
        if type(fact) is RelationFact:
            return self._take_in([(fact[:], 0)])
        entity, attribute, value = fact
        return self._take_in([((attribute, entity), value)])

    def add_rule(self, rule: Rule) -> bool:
        """Take in a rule and what follows; change nothing if something were known twice.

        No two rules may conclude the same attribute or relation from the same conditions.
        """
        conditions, conclusion = rule
        kind = (conditions, conclusion[:2])
        if kind in self._kinds:
            return False
        needs = [_need(condition) for condition in conditions]
        needs += [new(_Need, (attribute, (entity,), None)) for entity, attribute in rule.lookups()]
        waiting: list[_Valued] = []
        if not self._conclude(rule, self._bindings(needs, {}), waiting):
            return False
        for place, need in enumerate(needs):
            self._askers[need.name].append((rule, needs, place))
        if waiting and not self._take_in(waiting):
            for need in needs:
                self._askers[need.name].pop()
            return False
        self._kinds.add(kind)
        return True

    def _take_in(self, waiting: list[_Valued]) -> bool:
        taken: list[Goal] = []
        while waiting:
            goal, value = waiting.pop()
            if not self._record(goal, value):
                break
            taken.append(goal)
            if len(taken) > MAX_FOLLOWING:
                break
            if goal[0] in self._askers and not self._follow(goal, value, waiting):
                break
        else:
            return True
        for name, *entities in reversed(taken):
            del self.known[name][tuple(entities)]
            if len(entities) == 2:
                for entity in entities:
                    self.related[entity].pop()
        return False

    def _record(self, goal: Goal, value: int) -> bool:
        """Take in a fact; refuse what is known already, and a relation of an entity to itself."""
        known, entities = self.known[goal[0]], goal[1:]
        first, last = entities[0], entities[-1]
        if entities in known or (len(entities) == 2 and first == last):
            return False
        known[entities] = value
        self.entities[first] = self.entities[last] = None
        if len(entities) == 2:
            self.related[first].append(goal)
            self.related[last].append(goal)
        return True

    def _follow(self, goal: Goal, value: int, waiting: list[_Valued]) -> bool:
        """Add what follows from a new fact; ``False`` if it is known already, or too much."""
        done: list[tuple[int, _Binding]] = []
        for rule, needs, place in self._askers[goal[0]]:
            _, terms, wanted = needs[place]
            if wanted is not None and wanted != value:
                continue
            binding = {terms[0]: goal[1], terms[-1]: goal[-1]}
            bindings = self._bindings(needs[:place] + needs[place + 1 :], binding)
            if bindings:  # of which a fact that meets two conditions of a rule finds some twice
                bindings = [full for full in bindings if (id(rule), full) not in done]
                done += [(id(rule), full) for full in bindings]
            if not self._conclude(rule, bindings, waiting):
                return False
        return True

    def _bindings(self, needs: list[_Need], binding: _Binding) -> list[_Binding] | None:
        """Return the extensions of a binding that meet all needs; ``None`` if they are too many."""
        bindings = [binding]
        for need in needs:
            if not bindings or len(bindings) > MAX_BINDINGS:
                break
            known = self.known[need[0]]
            if len(bindings) == 1:  # as mostly
                bindings = _extensions(need, bindings[0], known)
            else:
                bindings = [full for each in bindings for full in _extensions(need, each, known)]
        return None if len(bindings) > MAX_BINDINGS else bindings

    def _conclude(
        self, rule: Rule, bindings: list[_Binding] | None, waiting: list[_Valued]
    ) -> bool:
        """Add what follows from a rule; stop with ``False`` where that is known already."""
        if not bindings:
            return bindings is not None
        conclusion, known = rule[1], self.known

        def value_of(lookup: Lookup) -> int:
            return known[lookup.attribute][binding[lookup.entity],]

        for binding in bindings:
            if type(conclusion) is RelationFact:
                goal: Goal = (conclusion[0], binding[conclusion[1]], binding[conclusion[2]])
                expression = None
            else:
                goal, expression = (conclusion[1], binding[conclusion[0]]), conclusion[2]
            if goal[1:] in known[goal[0]]:
                return False
            waiting.append((goal, expression.value(value_of) if expression else 0))
        return True


def _need(pattern: Fact) -> _Need:
    if type(pattern) is RelationFact:
        return new(_Need, (pattern[0], pattern[1:], None))
    entity, attribute, value = pattern
    return new(_Need, (attribute, (entity,), value))


def _extensions(
    need: _Need, binding: _Binding, known: Mapping[tuple[str, ...], int]
) -> list[_Binding]:
    _, terms, wanted = need
    one, two = terms[0], terms[-1]
    first, last = binding.get(one), binding.get(two)
    if not known or (one == two and len(terms) == 2):  # nothing is related to itself
        return []
    if first is not None and last is not None:
        value = known.get((first, last)[: len(terms)])
        return [] if value is None or (wanted is not None and wanted != value) else [binding]
    return [
        {**binding, one: entities[0], two: entities[-1]}
        for entities, value in known.items()
        if (wanted is None or wanted == value)
        and (first is None or first == entities[0])
        and (last is None or last == entities[-1])
    ]
