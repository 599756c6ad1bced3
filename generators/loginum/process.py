"""The gold process, built backwards from the query (Algorithms 1 and 2)."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from logic_curriculum.generators.loginum.rules import DeadEndError, Goal, RuleBuilder, World, new
from logic_curriculum.generators.task import digest
from logic_curriculum.rewards.engines.numeric.syntax import AttributeFact, Fact, RelationFact, Rule

SHARE = 0.04  # how often a condition or a lookup takes up what is settled already, if it can
TIGHT_SHARE = 0.4  # the same while the process is about to need more facts than a task has
MIN_DISTRACTION = 0.1  # least share of a task's facts that the process leaves to distraction


class Application(NamedTuple):
    """One application of a rule, before facts and rules are numbered."""

    rule: Rule
    uses: tuple[Goal, ...]
    """What meets the conditions, then what gives the values of the lookups; each once."""
    conclusion: Fact

    @property
    def asked(self) -> tuple[Goal, ...]:
        """What meets the conditions."""
        return self.uses[: len(self.rule.conditions)]


class Process(NamedTuple):
    """How the query is answered."""

    root: Goal
    given: dict[Goal, Fact]  # the leaves
    derived: dict[Goal, Application]  # the steps, each after those that it uses

    def value(self, goal: Goal) -> int:
        """Return the value of an attribute that is given or derived."""
        fact = self.given.get(goal) or self.derived[goal].conclusion
        assert isinstance(fact, AttributeFact)
        return fact.value

    @property
    def height(self) -> int:
        """The number of steps of the longest chain, which is ``config.depth`` of Algorithm 1."""
        heights: dict[Goal, int] = {}
        for goal, step in self.derived.items():
            heights[goal] = 1 + max(heights.get(use, 0) for use in step.uses)
        return heights[self.root]


def build_process(world: World, depth: int, by_height: bool = False) -> Process:
    """Build a process of exactly ``depth`` steps, at least 1, or raise a ``DeadEndError``.

    ``by_height``, the longest chain has so many steps.
    """
    structure = _Structure(world)
    (structure.grow_high if by_height else structure.grow)(depth)
    process = Process(structure.root, {}, {})
    structure.fill(structure.root, process)
    if by_height and process.height != depth:  # where a goal was taken up from further above
        raise DeadEndError
    return process


class _GoldRule(RuleBuilder):
    """A rule of the process; a ``share`` of what it needs are goals that there are already."""

    def __init__(self, world: World, about: Mapping[str, Sequence[Goal]], share: float) -> None:
        super().__init__(world)
        self.about, self.share = about, share  # entity → goals that there are

    def draw_condition(
        self, entity: str, partner: str | None, inside: Sequence[str], left: int
    ) -> Goal | None:
        known = self._known(entity)
        if known and (partner is None or partner in known):
            return known
        return self.fresh_condition(entity, partner, inside)

    def draw_operand(self, entity: str) -> Goal:
        known = self._known(entity)
        return known if len(known) == 2 else (self.pick(self.world.attributes), entity)

    def _known(self, entity: str) -> Goal:
        """Return a goal about an entity that there is, now and then; else the empty one."""
        takes_up = self.world.chance() < self.share and entity in self.about
        return self.pick(self.about[entity]) if takes_up else ()

    def conclude(self, value_of: Callable[[Goal], int]) -> Fact:
        """Return the conclusion for the entities that the rule was drawn for."""
        if self.expression is None:
            return new(RelationFact, self.goal)
        entities = {variable: entity for entity, variable in self.variables.items()}
        value = self.expression.value(
            lambda item: value_of((item.attribute, entities[item.entity]))
        )
        attribute, entity = self.goal
        return new(AttributeFact, (entity, attribute, value))


class _Structure:
    """The goals of a process, and a rule for each of those that are to be derived."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.root: Goal = (world.pick(world.attributes), world.pick(world.entities))
        self.rules: dict[Goal, _GoldRule] = {}  # goal to be derived → its rule
        self.users: dict[Goal, list[Goal]] = {self.root: []}  # goal → the goals whose rules need it
        self.about: dict[str, list[Goal]] = {}  # entity → goals about it, but for the root
        self.limit = world.config.facts - int(MIN_DISTRACTION * world.config.facts)
        self.more = sum(world.config.conditions) / 2  # how many leaves a rule adds in the mean

    def grow(self, depth: int) -> None:
        """Make each open goal, nearest to the root first, a fact or a conclusion (Algorithm 1).

        The chance is even, but the last open one becomes a conclusion while steps are missing.
        """
        open_goals, left = deque([self.root]), depth
        while open_goals and left:
            goal = open_goals.popleft()
            if not open_goals or self.world.chance() < 0.5:
                left -= 1
                open_goals += self._add_rule(goal, left, last=not open_goals)
        if left or len(self.users) - depth > self.limit:
            raise DeadEndError

    def grow_high(self, height: int) -> None:
        """Make the goals of each level facts or conclusions, down to a height (Algorithm 1).

        The chance is even while facts and rules suffice, but the last of a level becomes a
        conclusion, and all of the lowest are facts.
        """
        config, level = self.world.config, [self.root]
        for left in reversed(range(height)):
            below: list[Goal] = []
            for goal in level:
                last = goal is level[-1]
                leaves = len(self.users) - len(self.rules) + (left + 2) * self.more
                has_room = leaves <= self.limit and len(self.rules) + left + 1 < config.rules
                if last or (has_room and self.world.chance() < 0.5):
                    below += self._add_rule(goal, left, last=last)
            level = below
        if len(self.rules) > config.rules or len(self.users) - len(self.rules) > self.limit:
            raise DeadEndError

    def _add_rule(self, goal: Goal, left: int, *, last: bool) -> list[Goal]:
        """Draw a rule with ``left`` steps after it; return what it alone needs."""
        leaves = len(self.users) - len(self.rules) + (left + 1) * self.more
        share = TIGHT_SHARE if leaves > self.limit else SHARE
        rule = _GoldRule(self.world, self.about, 0.0 if last and left else share)
        rule.draw(goal, self._ancestors(goal))
        self.rules[goal] = rule
        fresh = []
        for need in rule.conditions + rule.operands:
            users = self.users.setdefault(need, [])
            if not users:
                fresh.append(need)
                for entity in need[1:]:
                    self.about.setdefault(entity, []).append(need)
            users.append(goal)
        self.world.shuffle(fresh)
        return fresh

    def _ancestors(self, goal: Goal) -> list[Goal]:
        """Return the goal and all that is derived with its help, which its rule must not need."""
        found = [goal]
        for ancestor in found:
            found += [user for user in self.users[ancestor] if user not in found]
        return found

    def fill(self, goal: Goal, process: Process) -> None:
        """Draw the given values, and write and apply the rules, each after those it needs."""
        if (rule := self.rules.get(goal)) is None:
            process.given[goal] = self.world.fact(goal)
            return
        needs = rule.conditions + rule.operands
        for need in needs:
            if need not in process.given and need not in process.derived:
                self.fill(need, process)
        conclusion = rule.conclude(process.value)
        written = rule.write(process.value)
        process.derived[goal] = Application(written, tuple(needs), conclusion)


def process_key(process: Process) -> str:
    """Return a hash of the gold process: its rules' forms and numbers, and the values they use.

    It is equal for processes that differ in names, or in the order of conditions or steps, only.
    """
    shapes = sorted([_shape(step, process) for step in process.derived.values()])
    return digest("; ".join(shapes))


def _shape(step: Application, process: Process) -> str:
    """Return a rule as text: variables told apart by their place in the conclusion alone."""
    conditions, conclusion = step.rule
    if type(conclusion) is RelationFact:
        marks = {conclusion[1]: "a", conclusion[2]: "b"}
        concluded = "ab"
    else:
        marks, concluded = {conclusion[0]: "a"}, str(conclusion[2])
        for lookup, goal in zip(step.rule.lookups(), step.uses[len(conditions) :], strict=True):
            value = f"{marks.get(lookup.entity, 'c')}{process.value(goal)}"
            concluded = concluded.replace(str(lookup), value)
    shapes = []
    for condition in conditions:
        if type(condition) is AttributeFact:
            shapes.append(f"{marks.get(condition[0], 'c')}{condition[2]}")
        else:
            shapes.append(marks.get(condition[1], "c") + marks.get(str(condition[2]), "c"))
    return f"{' '.join(sorted(shapes))} > {concluded}"
