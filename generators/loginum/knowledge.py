"""What is known in a world that grows by one fact or rule at a time, without any conflict.

Nothing may be known in two ways, so that each conclusion has one derivation, and no way to the
answer is shorter than the gold process.
"""

from collections import defaultdict
from collections.abc import Mapping

from logic_curriculum.generators.loginum.rules import Goal
from logic_curriculum.rewards.engines.numeric.syntax import Fact, Lookup, RelationFact, Rule

MAX_FOLLOWING = 100  # a fact or rule from which more than this follows is refused
MAX_BINDINGS = 5000  # a fact or rule that takes more bindings than this at a time is refused

_Binding = dict[str, str]  # variable → entity
_Terms = tuple[str, ...]  # one or two entities or variables
_Known = tuple[str, _Terms, int]  # attribute or relation, its entities, the attribute's value or 0
_Need = tuple[str, _Terms, int | None]  # the same with variables; no value is asked for of a lookup


class Knowledge:
    """Given and derived facts, each known in one way only."""

    def __init__(self) -> None:
        self.known: defaultdict[str, dict[_Terms, int]] = defaultdict(dict)
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
        return self._take_in([_known(fact)])

    def add_rule(self, rule: Rule) -> bool:
        """Take in a rule and what follows; change nothing if something were known twice.

        No two rules may conclude the same attribute or relation from the same conditions.
        """
        conditions, conclusion = rule
        kind = (conditions, conclusion[:2])
        if kind in self._kinds:
            return False
        needs: list[_Need] = [*map(_known, conditions)]
        for entity, attribute in rule.lookups():
            needs.append((attribute, (entity,), None))
        waiting: list[_Known] = []
        bindings = self._bindings(needs, {})
        if bindings is None or (bindings and not self._conclude(rule, bindings, waiting)):
            return False
        for place, need in enumerate(needs):
            self._askers[need[0]].append((rule, needs, place))
        if waiting and not self._take_in(waiting):
            for need in needs:
                self._askers[need[0]].pop()
            return False
        self._kinds.add(kind)
        return True

    def _take_in(self, waiting: list[_Known]) -> bool:
        taken: list[_Known] = []
        while waiting:
            name, entities, value = fact = waiting.pop()
            known, first, last = self.known[name], entities[0], entities[-1]
            is_pair = len(entities) == 2
            if entities in known or (is_pair and first == last):  # nothing is related to itself
                break
            taken.append(fact)
            known[entities] = value
            self.entities[first] = self.entities[last] = None
            if is_pair:
                goal = (name, first, last)
                self.related[first].append(goal)
                self.related[last].append(goal)
            if len(taken) > MAX_FOLLOWING:
                break
            if name in self._askers and not self._follow(fact, waiting):
                break
        else:
            return True
        for name, entities, _ in reversed(taken):
            del self.known[name][entities]
            if len(entities) == 2:
                for entity in entities:
                    self.related[entity].pop()
        return False

    def _follow(self, fact: _Known, waiting: list[_Known]) -> bool:
        """Add what follows from a new fact; ``False`` if it is known already, or too much."""
        name, entities, value = fact
        done: list[tuple[int, _Binding]] = []
        for rule, needs, place in self._askers[name]:
            _, terms, wanted = needs[place]
            if wanted is not None and wanted != value:
                continue
            binding = {terms[0]: entities[0], terms[-1]: entities[-1]}
            bindings = self._bindings(needs[:place] + needs[place + 1 :], binding)
            if bindings is None:
                return False
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
            bindings = _extended(need, bindings, self.known[need[0]])
            if not bindings:
                break
            if len(bindings) > MAX_BINDINGS:
                return None
        return bindings

    def _conclude(self, rule: Rule, bindings: list[_Binding], waiting: list[_Known]) -> bool:
        """Add what follows from a rule; stop with ``False`` where that is known already."""
        conclusion, known = rule[1], self.known

        def value_of(lookup: Lookup) -> int:
            return known[lookup.attribute][binding[lookup.entity],]

        for binding in bindings:
            if type(conclusion) is RelationFact:
                name, expression = conclusion[0], None
                entities: _Terms = (binding[conclusion[1]], binding[conclusion[2]])
            else:
                entities, name, expression = (binding[conclusion[0]],), conclusion[1], conclusion[2]
            if entities in known[name]:
                return False
            waiting.append((name, entities, expression.value(value_of) if expression else 0))
        return True


def _known(fact: Fact) -> _Known:
    if type(fact) is RelationFact:
        return fact[0], fact[1:], 0
    return fact[1], fact[:1], fact[2]


def _extended(need: _Need, bindings: list[_Binding], known: Mapping[_Terms, int]) -> list[_Binding]:
    """Return the extensions of bindings under which a relation holds, or an attribute has a value.

    An attribute has the wanted value, if there is one.
    """
    _, terms, wanted = need
    first, last = terms[0], terms[-1]
    found: list[_Binding] = []
    if len(terms) == 2 and first == last:  # nothing is related to itself
        return found
    for binding in bindings:
        one, other = binding.get(first), binding.get(last)
        for entities, value in known.items():
            left, right = entities[0], entities[-1]
            if (
                (one is None or one == left)
                and (other is None or other == right)
                and (wanted is None or wanted == value)
            ):
                found.append({**binding, first: left, last: right})
    return found
