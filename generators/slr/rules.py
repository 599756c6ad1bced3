"""Ground-truth rules, drawn uniformly or from a bank of schemata, and their texts.

The paper asks a language model for 30 % of the rules from level 6 up, with a prompt that shows
twenty styles (App. E). ``schemata.yaml`` covers these styles and is filled in from any language;
``llm_rules.py`` asks a model. Splits are made on a rule's canonical text, so that no test rule is
trained on in another spelling.
"""

import hashlib
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from string import ascii_uppercase
from typing import Literal

import yaml

from logic_curriculum.generators.slr.language import Attribute, Grammar, Language, grammar_of
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.rewards.engines.rules import Constant
from logic_curriculum.rewards.engines.rules.terms import (
    NIL,
    Compound,
    Term,
    Variable,
    flatten,
    head_and_body,
    list_elements,
    read_clauses,
    variables,
    write_term,
)

UNIFORM, SCHEMA = "uniform", "schema"
DRAW_LIMIT = 2_000  # draws of one uniform rule before the level is given up
VALUE_DRAWS = 40  # draws of the values of a rule before all of it is drawn again

Literals = Mapping[int, Constant]
"""What a rule demands of one object variable: place in the vocabulary to value."""


class RuleUnavailableError(ValueError):
    """A source can't make a rule for this language and level; the message says what to change."""


@dataclass(frozen=True)
class Rule:
    """A rule for the positive class."""

    text: str  # one or more Prolog clauses in the one spelling of :func:`standard_rule`
    sampling: str  # ``"uniform"``, ``"schema"`` or ``"llm"``
    style: str = UNIFORM  # of App. E; ``"uniform"`` for uniform draws

    @cached_property
    def canonical(self) -> str:
        """The text that is equal for rules that differ in spelling only."""
        return canonical_rule(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """The names of all predicates and values in the rule."""
        return frozenset(re.findall(r"\b[a-z]\w*", self.text))


RuleSource = Callable[[Language, Level, random.Random], Rule]
"""Draws a rule with the random numbers given, or raises a :class:`RuleUnavailableError`."""


def draw_uniform_rule(
    language: Language,
    level: Level,
    rng: random.Random,
    wanted: Callable[[Rule], bool] = lambda rule: True,
) -> Rule:
    """Draw a conjunction of ``R_len`` attribute literals over object variables.

    Drawn uniformly, one after the other: the number of literals
    (:attr:`~.Level.length_draws` times, of which the greatest counts), the number of variables, the
    variable of each literal (none stays without), its attribute (one per variable and attribute),
    its value. Draws with contradictory or redundant literals are drawn again. Of rules that are not
    ``wanted``, such as those of another split, first the values are drawn again, so that attributes
    with few values of a split are drawn as often as others.
    """
    grammar = grammar_of(language, level.predicates)
    for _ in range(DRAW_LIMIT):
        groups = _draw_groups(grammar, level, rng)
        for _ in range(VALUE_DRAWS if groups else 0):
            if is_meaningful(grammar, groups, level.parts[0]):
                rule = Rule(write_rule(grammar, groups), UNIFORM)
                if wanted(rule):
                    return rule
            for literals in groups:
                for at in literals:
                    literals[at] = rng.choice(grammar.attributes[at].values_up_to(level.parts[1]))
    raise RuleUnavailableError(
        f"No rule of {level.rule_length[0]} to {level.rule_length[1]} literals that the split may "
        f"have was found for the language {language.name!r} at level {level.number} in "
        f"{DRAW_LIMIT} draws; give the language more attributes or values, ask for shorter rules, "
        "or choose another level"
    )


def _draw_groups(grammar: Grammar, level: Level, rng: random.Random) -> list[dict[int, Constant]]:
    """Draw the literals of each variable; nothing if an attribute would occur twice at one."""
    most_parts = level.parts[1]
    usable = [at for at, item in enumerate(grammar.attributes) if item.values or most_parts > 1]
    length = max(rng.randint(*level.rule_length) for _ in range(level.length_draws))
    count = rng.randint(1, min(length, most_parts))
    owners = [*range(count), *(rng.randrange(count) for _ in range(length - count))]
    groups: list[dict[int, Constant]] = [{} for _ in range(count)]
    for owner in owners:
        free = [at for at in usable if at not in groups[owner]]
        if not free:
            return []
        at = rng.choice(free)
        groups[owner][at] = rng.choice(grammar.attributes[at].values_up_to(most_parts))
    return groups


def is_meaningful(grammar: Grammar, groups: Sequence[Literals], least_parts: int) -> bool:
    """Return whether the literals contradict neither each other nor the grammar, and none is idle.

    Distinct variables may stand for the same part, so a variable whose literals are among another's
    says nothing new; two variables at the same position are one part under two names; and that a
    part exists at a position is idle if every example has so many, that is ``least_parts``.
    """
    for literals in groups:
        if not grammar.is_consistent(literals):
            return False
        if any(grammar.is_redundant(literals, index) for index in literals):
            return False
    place = grammar.position
    if place is not None:
        positions = [literals[place] for literals in groups if place in literals]
        alone = [int(literals[place]) for literals in groups if list(literals) == [place]]
        if len(set(positions)) < len(positions) or any(at <= least_parts for at in alone):
            return False
    pairs = ((a, b) for a in groups for b in groups if a is not b)
    return not any(a.items() <= b.items() for a, b in pairs)


def write_rule(grammar: Grammar, groups: Sequence[Literals]) -> str:
    """Write a conjunctive rule: variables and literals in vocabulary order."""

    def order(literals: Literals) -> list[tuple[int, int]]:
        domains = {at: grammar.attributes[at].values for at in sorted(literals)}
        return [
            (at, values.index(literals[at]) if values else int(literals[at]))
            for at, values in domains.items()
        ]

    language, body = grammar.language, []
    for number, literals in enumerate(sorted(groups, key=order)):
        body.append(f"{language.membership}(X, P{number})")
        for at in sorted(literals):
            body.append(f"{grammar.attributes[at].predicate}(P{number}, {literals[at]})")
    clause = f"{language.positive}(X) :- {', '.join(body)}."
    return standard_rule(clause, *language.variable_letters)


@dataclass(frozen=True)
class Schema:
    """A rule with places to fill in."""

    style: str  # of App. E
    shows: str  # pattern of what is found in every rule of the style
    text: str  # clauses with places in braces; ``schemata.yaml`` explains them
    parts: int | Literal["varying"] = 1  # number that the level's examples must reach
    spare: bool = False  # whether an attribute named with several values must have more than these

    @cached_property
    def values_needed(self) -> Mapping[str, int]:
        """For each attribute place how many different values the schema names."""
        needed: dict[str, int] = {}
        for letter, number in re.findall(r"\{([a-jl-z])(\d*)\}", self.text):  # all but {k}
            needed[letter] = max(needed.get(letter, 0), int(number or 0))
        return needed

    @property
    def places(self) -> list[tuple[str, int]]:
        """Each attribute place with the least number of values that it asks for."""
        needed = self.values_needed.items()
        return [(letter, values + (self.spare and values > 1)) for letter, values in needed]

    def fits(self, attributes: Sequence[Attribute], level: Level) -> bool:
        """Return whether a level's vocabulary and examples can fill the schema's places."""
        least, most = level.parts
        needed = least + 1 if self.parts == "varying" else self.parts
        return most >= needed and _assign(self.places, attributes, None) is not None

    def fill(self, language: Language, level: Level, rng: random.Random) -> Rule:
        """Return a rule of a level that the schema fits: attributes and values are drawn."""
        chosen = _assign(self.places, language.vocabulary(level.predicates), rng)
        assert chosen is not None
        places: dict[str, object] = {
            "head": language.positive,
            "has": language.membership,
            "k": rng.randint(1, level.parts[1]),
        }
        for letter, attribute in chosen.items():
            places[letter] = attribute.predicate
            values = rng.sample(attribute.values, self.values_needed[letter])
            places.update({f"{letter}{at}": value for at, value in enumerate(values, start=1)})
        text = self.text.format_map(places)
        return Rule(standard_rule(text, *language.variable_letters), SCHEMA, self.style)


def draw_schema_rule(language: Language, level: Level, rng: random.Random) -> Rule:
    """Draw a style, one of its schemata, attributes and values, from those that fit the level."""
    styles = fitting_schemata(language, level)
    if not styles:
        raise RuleUnavailableError(
            f"No rule schema fits the language {language.name!r} at level {level.number}; "
            "give it attributes with names as values, or choose another level"
        )
    return rng.choice(rng.choice(styles)).fill(language, level, rng)


def _suits(letter: str, attribute: Attribute, values: int) -> bool:
    """Return whether an attribute can stand at a place that asks for so many values."""
    if letter == "p" or attribute.is_position:
        return letter == "p" and attribute.is_position
    is_numeric = all(isinstance(value, int) for value in attribute.values)
    return is_numeric == (letter == "n") and len(attribute.values) >= values


def _assign(
    places: list[tuple[str, int]], attributes: Sequence[Attribute], rng: random.Random | None
) -> dict[str, Attribute] | None:
    """Give each place its own attribute: at random, or without ``rng`` the first that works."""
    if not places:
        return {}
    # The most demanding place first, so that it is not robbed of the only attribute it can take.
    (letter, values), *rest = sorted(places, key=lambda item: (-item[1], item[0]))
    candidates = [item for item in attributes if _suits(letter, item, values)]
    if rng is not None:
        rng.shuffle(candidates)
    for attribute in candidates:
        others = _assign(rest, [item for item in attributes if item is not attribute], rng)
        if others is not None:
            return {letter: attribute, **others}
    return None


@lru_cache(maxsize=1)
def schema_bank() -> tuple[Schema, ...]:
    """Return all schemata, in the file's order, which is that of App. E."""
    entries = yaml.safe_load(Path(__file__).with_name("schemata.yaml").read_text(encoding="utf-8"))
    return tuple(Schema(text=text, **entry) for entry in entries for text in entry.pop("rules"))


def shows_style(rule: Rule) -> bool:
    """Return whether a rule has the marks of its style."""
    return any(
        re.search(item.shows, rule.text) for item in schema_bank() if item.style == rule.style
    )


@lru_cache(maxsize=256)
def fitting_schemata(language: Language, level: Level) -> tuple[tuple[Schema, ...], ...]:
    """Return the schemata that fit a level, grouped by style."""
    attributes = language.vocabulary(level.predicates)
    styles: dict[str, list[Schema]] = {}
    for schema in schema_bank():
        if schema.fits(attributes, level):
            styles.setdefault(schema.style, []).append(schema)
    return tuple(tuple(group) for group in styles.values())


# The texts of a rule: its standard spelling, and the canonical text to compare rules by

_UNORDERED = (",", ";")
_SYMMETRIC = ("=", "\\=", "==", "\\==", "=:=", "=\\=", "+", "*")
_MIRRORED = {">": "<", ">=": "=<"}


def rename(term: Term, names: Mapping[str, str]) -> Term:
    """Return the term with its variables renamed; names that are not mapped stay."""
    if isinstance(term, Variable):
        return Variable(names.get(term.name, term.name))
    if isinstance(term, Compound):
        return Compound(term.name, tuple(rename(item, names) for item in term.arguments))
    return term


def standard_rule(text: str, first: str, second: str) -> str:
    """Write a rule in its one spelling: fixed spaces, one clause a line, variables by appearance.

    The first variable of the first clause's predicate is the capital letter ``first``, e.g. ``T``,
    the next one ``second``, and the others follow the alphabet. Clauses of helper predicates begin
    with ``second``.
    """
    clauses = read_clauses(text)
    start = ascii_uppercase.index(second)
    alphabet = ascii_uppercase[start:] + ascii_uppercase[:start]
    letters = [letter for letter in alphabet if letter != first]
    letters += [f"{letter}{number}" for number in range(1, 10) for letter in alphabet]
    lines = []
    for clause in clauses:
        fresh = [first, *letters] if _predicate(clause) == _predicate(clauses[0]) else letters
        named = [name for name in variables(clause) if not name.startswith("_")]
        lines.append(write_term(rename(clause, dict(zip(named, fresh, strict=False)))) + ".")
    return "\n".join(lines)


def _predicate(clause: Term) -> str:
    found, _ = head_and_body(clause)
    return found.name if isinstance(found, Compound) else ""


@lru_cache(maxsize=65536)
def canonical_rule(rule: str) -> str:
    """Return the canonical text of a rule of one or more clauses.

    Two rules get the same text exactly if they differ only in the names of variables, the order of
    clauses, of the operands of conjunctions and disjunctions (at any depth), of the two sides of
    symmetric operators, of the choices of ``member/2``, and in the direction of comparisons.
    Rules that mean the same for deeper reasons stay apart.
    """
    clauses = read_clauses(rule)
    return "\n".join(sorted(_search(item, dict.fromkeys(variables(item), "")) for item in clauses))


def _search(clause: Term, colours: dict[str, str]) -> str:
    """Refine the colours of variables; single out each of those that stay equal; take the least."""
    colours = _refine(clause, colours)
    order = sorted(colours, key=colours.__getitem__)
    for colour, alike in groupby(order, key=colours.__getitem__):
        if len(tied := list(alike)) > 1:
            return min(_search(clause, {**colours, name: colour + "!"}) for name in tied)
    return _encode(clause, {name: f"V{index}" for index, name in enumerate(order)})


def _refine(clause: Term, colours: dict[str, str]) -> dict[str, str]:
    """Colour each variable by the clause as seen from it, until no further colours appear."""
    classes = len(set(colours.values()))
    while True:
        seen = {name: _encode(clause, {**colours, name: f"@{colours[name]}"}) for name in colours}
        refined = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in seen.items()}
        found = len(set(refined.values()))
        if found <= classes:
            return refined
        colours, classes = refined, found


def _encode(term: Term, colours: Mapping[str, str]) -> str:
    """Write a term with colours for variables and with unordered operands sorted."""
    if isinstance(term, Variable):
        return f"?{colours[term.name]}"
    if isinstance(term, int):
        return str(term)
    name = term.name
    if name in _UNORDERED and len(term.arguments) == 2:
        parts = sorted(_encode(item, colours) for item in flatten(term, name))
        return f"{name}({' '.join(parts)})"
    arguments = [_encode(item, colours) for item in term.arguments]
    if name == "member" and len(arguments) == 2:
        choices, rest = list_elements(term.arguments[1])
        if rest == NIL:
            arguments[1] = f"[{' '.join(sorted(_encode(item, colours) for item in choices))}]"
    if name in _MIRRORED:
        name, arguments = _MIRRORED[name], arguments[::-1]
    if name in _SYMMETRIC:
        arguments = sorted(arguments)
    return f"{name}({' '.join(arguments)})" if arguments else name
