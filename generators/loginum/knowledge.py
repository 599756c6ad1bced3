"""What is known in a world that grows by one fact or rule at a time, without any conflict.

Stricter than :mod:`rewards.engines.numeric.engine`, with which tests compare it: here nothing may
be known in two ways, so that each conclusion has one derivation, and no way to the answer is
shorter than the gold process.
"""

from __future__ import annotations

from collections import defaultdict

from logic_curriculum.generators.loginum.rules import Goal, new
from logic_curriculum.rewards.engines.numeric.syntax import (
    AttributeFact,
    Fact,
    Lookup,
    RelationFact,
    Rule,
)

MAX_FOLLOWING = 100
"""A fact or rule from which more than this follows is refused."""
MAX_BINDINGS = 5000
"""A fact or rule for which more bindings than this have to be tried at a time is refused."""

_Binding = dict[str, str]
"""Variable → entity."""
_Need = Fact | Lookup
"""A condition that has to hold, or a value that has to be known."""
_Needs = tuple[_Need, ...]
_Asker = tuple[Rule, _Needs, int]
"""A rule, its needs, and the place of one of them."""


class Knowledge:
    """Given and derived facts, each known in one way only."""

    def __init__(self) -> None:
        self.values: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """Attribute → entity → value."""
        self.pairs: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        """Relation → the pairs for which it holds."""
        self.related: defaultdict[str, list[Goal]] = defaultdict(list)
        """Entity → the relations that it is known to have."""
        self.entities: dict[str, None] = {}
        """All about which something is known, or was before it was refused."""
        self._askers: defaultdict[str, list[_Asker]] = defaultdict(list)
        """Attribute or relation → the needs that ask for it."""
        self._kinds: set[tuple[object, ...]] = set()
        """Conditions and conclusion of each rule, without what it computes."""

    def knows(self, goal: Goal) -> bool:
        """Return whether the attribute has a value, or the relation holds."""
        if len(goal) == 2:
            return goal[1] in self.values.get(goal[0], ())
        return goal[1:] in self.pairs.get(goal[0], ())

    def add_fact(self, fact: Fact) -> bool:
        """Take in a fact and what follows; change nothing if something were known twice."""
        return self._take_in([fact])

    def add_rule(self, rule: Rule) -> bool:
        """Take in a rule and what follows; change nothing if something were known twice.

        Nor may another rule conclude the same attribute or relation from the same conditions.
        """
        conditions, conclusion = rule
        kind = (conditions, conclusion[:2])
        if kind in self._kinds:
            return False
        needs: _Needs = conditions + rule.lookups()
        bindings = self._bindings(needs, [{}])
        if bindings is None:
            return False
        waiting: list[Fact] = []
        for binding in bindings:
            fact = self._conclude(rule, binding)
            if fact is None:
                return False
            waiting.append(fact)
        for place, need in enumerate(needs):
            self._askers[_name(need)].append((rule, needs, place))
        if waiting and not self._take_in(waiting):
            for need in needs:
                self._askers[_name(need)].pop()
            return False
        self._kinds.add(kind)
        return True

    def _take_in(self, waiting: list[Fact]) -> bool:
        taken: list[Fact] = []
        while waiting:
            fact = waiting.pop()
            name = self._record(fact)
            if name is None:
                break
            taken.append(fact)
            if len(taken) > MAX_FOLLOWING:
                break
            askers = self._askers.get(name)
            if askers and not self._follow(fact, askers, waiting):
                break
        else:
            return True
        for fact in reversed(taken):
            self._forget(fact)
        return False

    def _record(self, fact: Fact) -> str | None:
        """Take in a fact and return its attribute or relation; ``None`` if it is known already."""
        if type(fact) is AttributeFact:
            entity, attribute, value = fact
            known = self.values[attribute]
            if entity in known:
                return None
            known[entity] = value
            self.entities[entity] = None
            return attribute
        relation, first, second = goal = fact[:]
        holding, pair = self.pairs[relation], goal[1:]
        if pair in holding or first == second:
            return None
        holding[pair] = None
        self.related[first].append(goal)
        self.related[second].append(goal)
        self.entities[first] = self.entities[second] = None
        return relation

    def _forget(self, fact: Fact) -> None:
        if type(fact) is AttributeFact:
            del self.values[fact.attribute][fact.entity]
        else:
            del self.pairs[fact.relation][fact.first, fact.second]
            self.related[fact.first].pop()
            self.related[fact.second].pop()

    def _follow(self, fact: Fact, askers: list[_Asker], waiting: list[Fact]) -> bool:
        """Add what follows from a fact that is just recorded, and could not before.

        Stop with ``False`` where something would be known twice, or too much would follow.
        """
        done: list[tuple[int, _Binding]] = []
        for rule, needs, place in askers:
            binding = _bind(needs[place], fact)
            if binding is None:
                continue
            bindings = self._bindings(needs[:place] + needs[place + 1 :], [binding])
            if bindings is None:
                return False
            for full in bindings:
                # A fact that meets two conditions of a rule finds the same binding twice.
                if (id(rule), full) not in done:
                    done.append((id(rule), full))
                    conclusion = self._conclude(rule, full)
                    if conclusion is None:
                        return False
                    waiting.append(conclusion)
        return True

    def _bindings(self, needs: _Needs, bindings: list[_Binding]) -> list[_Binding] | None:
        """Return the extensions of bindings that meet all needs; ``None`` if they are too many."""
        for need in needs:
            if not bindings or len(bindings) > MAX_BINDINGS:
                break
            if type(need) is RelationFact:
                bindings = self._with_pair(need, bindings)
            else:
                bindings = self._with_value(need, bindings)
        return None if len(bindings) > MAX_BINDINGS else bindings

    def _with_value(self, need: AttributeFact | Lookup, bindings: list[_Binding]) -> list[_Binding]:
        variable, attribute = need[:2]
        known = self.values[attribute]
        found: list[_Binding] = []
        if not known:
            return found
        wanted = need[2] if type(need) is AttributeFact else None
        for binding in bindings:
            bound = binding.get(variable)
            if bound is None:
                for entity, value in known.items():
                    if wanted is None or value == wanted:
                        found.append({**binding, variable: entity})
            elif bound in known and (wanted is None or known[bound] == wanted):
                found.append(binding)
        return found

    def _with_pair(self, need: RelationFact, bindings: list[_Binding]) -> list[_Binding]:
        relation, one, two = need
        found: list[_Binding] = []
        known = self.pairs[relation]
        if not known or one == two:  # nothing is related to itself
            return found
        for binding in bindings:
            first, second = binding.get(one), binding.get(two)
            if first is not None and second is not None:
                if (first, second) in known:
                    found.append(binding)
                continue
            for left, right in known:
                if (first is None or first == left) and (second is None or second == right):
                    found.append({**binding, one: left, two: right})
        return found

    def _conclude(self, rule: Rule, binding: _Binding) -> Fact | None:
        """Return what follows from a rule, or ``None`` if that is known already."""
        conclusion = rule[1]
        if type(conclusion) is RelationFact:
            relation, one, two = conclusion
            first, second = binding[one], binding[two]
            if (first, second) in self.pairs[relation]:
                return None
            return new(RelationFact, (relation, first, second))
        variable, attribute, expression = conclusion
        entity, values = binding[variable], self.values
        if entity in values[attribute]:
            return None

        def value_of(lookup: Lookup) -> int:
            return values[lookup.attribute][binding[lookup.entity]]

        return new(AttributeFact, (entity, attribute, expression.value(value_of)))


def _name(pattern: _Need) -> str:
    return pattern[0] if type(pattern) is RelationFact else pattern[1]


def _bind(pattern: _Need, fact: Fact) -> _Binding | None:
    """Return the binding under which a fact of the same name meets a pattern, or ``None``."""
    if type(pattern) is RelationFact:
        return {pattern[1]: fact[1], pattern[2]: str(fact[2])}
    if type(pattern) is AttributeFact and pattern[2] != fact[2]:
        return None
    return {pattern[0]: fact[0]}
