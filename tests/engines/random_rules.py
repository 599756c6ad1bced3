"""Random rules of the rule language, over any vocabulary: all of its constructs, well typed."""

import random
from dataclasses import dataclass, field

from logic_curriculum.rewards.engines.rules import Vocabulary

EQUALITIES = ("=", "\\=", "==", "\\==")
COMPARISONS = ("<", ">", "=<", ">=", "=:=", "=\\=")


@dataclass
class RuleWriter:
    """Writes a rule with a generator of random numbers."""

    vocabulary: Vocabulary
    rng: random.Random
    count: int = 0
    helpers: list[str] = field(default_factory=list)

    def rule(self) -> str:
        """Write a rule: a few clauses of the target, and the helpers that they call."""
        self.helpers = []
        clauses = []
        for _ in range(self.rng.choice((1, 1, 1, 2))):
            goals = self.goals(2, {"whole": ["T"]})
            end = ", !" if self.rng.random() < 0.1 else ""
            clauses.append(f"{self.vocabulary.target}(T) :- {goals}{end}.")
        return "\n".join(clauses + self.helpers)

    def new(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def attribute(self) -> str:
        return self.rng.choice(list(self.vocabulary.values))

    def value(self, attribute: str) -> str:
        return str(self.rng.choice(sorted(self.vocabulary.values[attribute], key=str)))

    def goals(self, depth: int, known: dict[str, list[str]]) -> str:
        """Write goals in a row; ``known`` maps a type to the variables that have a value of it."""
        written = [self.part_goals(known)]
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            kinds = [self.part_goals, self.part_goals, self.comparison]
            if depth:
                within = (self.negation, self.disjunction, self.conditional, self.universal,
                          self.collection, self.collection, self.aggregate, self.helper,
                          self.mapping, self.pairs, self.once)  # fmt: skip
                kinds += [lambda its, kind=kind: kind(depth - 1, its) for kind in within]
            written.append(self.rng.choice(kinds)(known))
        return ", ".join(written)

    def inner(self, depth: int, known: dict[str, list[str]]) -> str:
        return f"({self.goals(depth, self.copy(known))})"

    def copy(self, known: dict[str, list[str]]) -> dict[str, list[str]]:
        return {kind: list(names) for kind, names in known.items()}

    def part_goals(self, known: dict[str, list[str]]) -> str:
        """Introduce a part, or take a known one, and say something of it."""
        parts, written = known.setdefault("part", []), []
        if not parts or self.rng.random() < 0.6:
            part = self.new("C")
            written.append(f"{self.vocabulary.membership}(T, {part})")
            if parts and self.rng.random() < 0.4:
                sign = self.rng.choice(EQUALITIES)
                written.append(f"{part} {sign} {self.rng.choice(parts)}")
            parts.append(part)
        is_late = len(written) == 1 and self.rng.random() < 0.1
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            written.append(self.literal(self.rng.choice(parts), known))
        written += [written.pop(0)] if is_late else []
        return ", ".join(written) or "true"

    def literal(self, part: str, known: dict[str, list[str]]) -> str:
        attribute = self.attribute()
        kind = self.vocabulary.type_of(attribute)
        names, chance = known.setdefault(kind, []), self.rng.random()
        if chance < 0.5:
            return f"{attribute}({part}, {self.value(attribute)})"
        if chance < 0.65 and names:
            return f"{attribute}({part}, {self.rng.choice(names)})"
        name = self.new("X")
        goal = f"{attribute}({part}, {name})"
        if self.rng.random() < 0.1 and names:
            goal = f"dif({name}, {self.rng.choice(names)}), {goal}"
        names.append(name)
        one, other = self.value(attribute), self.value(attribute)
        return goal + self.rng.choice((
            "", "", "", f", {name} {self.rng.choice(EQUALITIES)} {one}",
            f", member({name}, [{one}, {other}])", f", ({name} = {one} ; {name} == {other})",
            f", memberchk({name}, [{one}, {other}])", f", \\+ {name} = {one}",
        ))  # fmt: skip

    def comparison(self, known: dict[str, list[str]]) -> str:
        kinds = [kind for kind, names in known.items() if names and kind not in ("whole", "part")]
        if not kinds:
            return self.part_goals(known)
        kind = self.rng.choice(kinds)
        name, other = self.rng.choice(known[kind]), self.rng.choice(known[kind])
        if kind != "number":
            return f"{name} {self.rng.choice(EQUALITIES)} {other}"
        number = self.rng.randint(0, 3)
        made = self.new("N")
        sign = self.rng.choice(COMPARISONS)
        text = self.rng.choice((
            f"{name} {sign} {number}", f"{name} {sign} {other}", f"{name} mod 2 =:= 0",
            f"{made} is {name} + 1, {made} {sign} {other}", f"{name} {sign} {other} * 2 - {number}",
            f"between(1, 3, {made}), {made} {sign} {name}", f"{name} / 2 {sign} {other}",
            f"{made} is max({name}, {other}), {made} {sign} {number}", f"abs({name} - {other}) < 2",
        ))  # fmt: skip
        if text.startswith(("between", made)):
            known["number"].append(made)
        return text

    def negation(self, depth: int, known: dict[str, list[str]]) -> str:
        return f"\\+ {self.inner(depth, known)}"

    def once(self, depth: int, known: dict[str, list[str]]) -> str:
        return f"once({self.inner(depth, known)})"

    def disjunction(self, depth: int, known: dict[str, list[str]]) -> str:
        return f"({self.inner(depth, known)} ; {self.inner(depth, known)})"

    def conditional(self, depth: int, known: dict[str, list[str]]) -> str:
        inside = self.copy(known)
        condition = self.goals(depth, inside)
        then = self.goals(0, inside)
        otherwise = f" ; {self.goals(0, self.copy(known))}" if self.rng.random() < 0.8 else ""
        return f"({condition} -> {then}{otherwise})"

    def universal(self, depth: int, known: dict[str, list[str]]) -> str:
        inside = self.copy(known)
        condition = self.goals(0, inside)
        return f"forall(({condition}), ({self.goals(0, inside)}))"

    def template(self, before: dict, inside: dict) -> tuple[str, str]:
        """Choose a variable that the goals inside give a value, and its type."""
        new = [(name, kind) for kind, names in inside.items() for name in names
               if name not in before.get(kind, ())]  # fmt: skip
        return self.rng.choice(new) if new else ("T", "whole")

    def collection(self, depth: int, known: dict[str, list[str]]) -> str:
        inside = self.copy(known)
        goals = self.goals(depth, inside)
        template, kind = self.template(known, inside)
        name = self.new("L")
        return f"findall({template}, ({goals}), {name}), {self.use_of(name, kind, known)}"

    def use_of(self, name: str, kind: str, known: dict[str, list[str]]) -> str:
        """Say something of a list of items of a type."""
        item, number, other = self.new("I"), self.new("N"), self.new("L")
        numbers = known.setdefault("number", [])
        sign, few = self.rng.choice(COMPARISONS), self.rng.randint(0, 3)
        one_list = self.rng.choice(("sort", "msort", "list_to_set", "reverse"))
        both = self.rng.choice(("append", "subtract", "intersection"))
        items = known.setdefault(kind, [])
        choices = [
            (f"length({name}, {number}), {number} {sign} {few}", number, "number"),
            (f"{one_list}({name}, {other}), length({other}, {number})", number, "number"),
            (f"{one_list}({name}, [{item}|_])", item, kind),
            (f"member({item}, {name})", item, kind), (f"last({name}, {item})", item, kind),
            (f"{name} = [{item}|_]", item, kind), (f"{name} = [_, {item}|_]", item, kind),
            (f"nth0({few}, {name}, {item})", item, kind),
            (f"nth1({number}, {name}, {item})", item, kind),
            (f"{one_list}({name}, {other}), {both}({name}, {other}, S{other}), "
             f"length(S{other}, {number})", number, "number"),
            (f"append(_, [{item}], {name})", item, kind), (f"{name} \\= []", "", ""),
        ]  # fmt: skip
        if kind == "number":
            total = self.rng.choice(("sum_list", "max_list", "min_list"))
            choices += [(f"{total}({name}, {number}), {number} {sign} {few}", number, "number")] * 4
        if kind == "part":
            choices += [(self.recursive(name, number, sign, few), "", "")] * 2
        text, made, its = self.rng.choice(choices)
        if made:
            (numbers if its == "number" else items).append(made)
        return text

    def recursive(self, name: str, number: str, sign: str, few: int) -> str:
        helper, attribute = self.new("h"), self.attribute()
        literal = f"{attribute}(C, {self.value(attribute)})"
        kind = self.rng.randrange(4)
        if kind == 0:
            self.helpers += [f"{helper}([C|_]) :- {literal}.", f"{helper}([_|Cs]) :- {helper}(Cs)."]
        elif kind == 1:
            self.helpers += [f"{helper}([]).", f"{helper}([C|Cs]) :- {literal}, {helper}(Cs)."]
        elif kind == 2:
            self.helpers += [
                f"{helper}([], 0).",
                f"{helper}([C|Cs], N) :- {helper}(Cs, M), ({literal} -> N is M + 1 ; N = M).",
            ]
            return f"{helper}({name}, {number}), {number} {sign} {few}"
        else:
            self.helpers += [
                f"{helper}([], N, N).",
                f"{helper}([C|Cs], A, N) :- ({literal} -> B is A + 1 ; B = A), {helper}(Cs, B, N).",
            ]
            return f"{helper}({name}, 0, {number}), {number} {sign} {few}"
        return f"{helper}({name})"

    def aggregate(self, depth: int, known: dict[str, list[str]]) -> str:
        inside = self.copy(known)
        goals = self.goals(depth, inside)
        template, kind = self.template(known, inside)
        made = self.new("N")
        known.setdefault("number", [])
        if self.rng.random() < 0.25 and depth == 0:
            free = [n for k, names in inside.items() for n in names if n not in known.get(k, ())]
            outer = "".join(f"{n}^" for n in free if n != template)
            start = self.rng.choice(("setof", "bagof"))
            name = self.new("L")
            use = self.use_of(name, kind, known)
            return f"{start}({template}, {outer}({goals}), {name}), {use}"
        if kind == "number" and self.rng.random() < 0.7:
            start = self.rng.choice(("sum", "max", "min"))
            text = f"aggregate_all({start}({template}), ({goals}), {made})"
        else:
            text = f"aggregate_all(count, ({goals}), {made})"
        known["number"].append(made)
        return f"{text}, {made} {self.rng.choice(COMPARISONS)} {self.rng.randint(0, 3)}"

    def helper(self, depth: int, known: dict[str, list[str]]) -> str:
        """Call a helper about a part, or one that yields a value or a part."""
        name, parts = self.new("h"), known.setdefault("part", [])
        attribute, made = self.attribute(), self.new("X")
        kind = self.vocabulary.type_of(attribute)
        end = ", !" if self.rng.random() < 0.2 else ""
        if parts and self.rng.random() < 0.4:
            for _ in range(self.rng.choice((1, 2))):
                its = self.attribute()
                self.helpers.append(f"{name}(C) :- {its}(C, {self.value(its)}){end}.")
            return f"{name}({self.rng.choice(parts)})"
        if parts and self.rng.random() < 0.5:
            self.helpers.append(f"{name}(C, X) :- {attribute}(C, X){end}.")
            known.setdefault(kind, []).append(made)
            return f"{name}({self.rng.choice(parts)}, {made})"
        other = self.attribute()
        literals = [
            f"{self.vocabulary.membership}(T, C), {a}(C, {self.value(a)})"
            for a in (attribute, other)
        ]
        self.helpers += [f"{name}(T, C) :- {text}{end}." for text in literals]
        parts.append(made)
        return f"{name}(T, {made})"

    def mapping(self, depth: int, known: dict[str, list[str]]) -> str:
        helper, attribute, name = self.new("h"), self.attribute(), self.new("L")
        self.helpers.append(f"{helper}(C) :- {attribute}(C, {self.value(attribute)}).")
        start = f"findall(C, {self.vocabulary.membership}(T, C), {name}), "
        made, sign = self.new("L"), self.rng.choice(COMPARISONS)
        count = f", length({made}, M{made}), M{made} {sign} {self.rng.randint(0, 3)}"
        return start + self.rng.choice((
            f"maplist({helper}, {name})", f"include({helper}, {name}, {made}){count}",
            f"exclude({helper}, {name}, {made}){count}",
            f"maplist({attribute}, {name}, {made}), sort({made}, S{made}), length(S{made}, 1)",
        ))  # fmt: skip

    def pairs(self, depth: int, known: dict[str, list[str]]) -> str:
        one, other = self.attribute(), self.attribute()
        name, has = self.new("L"), self.vocabulary.membership
        value = self.value(other)
        start = f"findall(X-Y, ({has}(T, C), {one}(C, X), {other}(C, Y)), {name}), "
        return start + self.rng.choice((
            f"msort({name}, [_-{value}|_])", f"keysort({name}, [_-Y1{name}, _-Y1{name}|_])",
            f"sort({name}, S{name}), length(S{name}, N{name}), length({name}, N{name})",
            f"member({self.value(one)}-Z{name}, {name}), \\+ Z{name} = {value}",
            f"nth1(2, {name}, X2{name}-_), member(X2{name}-{value}, {name})",
        ))  # fmt: skip
