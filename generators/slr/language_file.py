"""Reads language files and explains, with file and line, what is wrong with a bad one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

import yaml

from logic_curriculum.generators.slr.grammar import check_satisfiable
from logic_curriculum.generators.slr.language import Attribute, Constant, Constraint, Language
from logic_curriculum.generators.slr.language_source import ATOM, Source
from logic_curriculum.generators.slr.reserved import RESERVED

_SIGNATURE = re.compile(r"\s*([^\s(),]+)\s*\(([^()]*)\)\s*\Z")
_POSITION = "position"
_LARGEST_INTEGER = 1_000_000
_KEYS = ("name", "objects", "labels", "domains", "predicates", "constraints")


def read_language(text: str, file: str) -> Language:
    """Read a language from the text of a YAML file.

    Args:
        text: The file's content.
        file: Its name, for messages.

    Raises:
        LanguageFileError: The text is not a language (a ``ValueError``).
    """
    source = Source(file)
    root = source.root(text, "start from a copy of a shipped one")
    return _LanguageReader(source, root).read()


class _LanguageReader:
    """Reads the sections in their order; each may refer to those before it."""

    def __init__(self, source: Source, root: yaml.Node) -> None:
        self.source = source
        self.root = root
        self.sections = source.keyed(root, "the file", _KEYS[:-1], _KEYS[-1:])
        self.domains: dict[str, tuple[Constant, ...]] = {}
        self.taken: dict[str, int] = {}

    def read(self) -> Language:
        name = self.source.atom(self.sections["name"], "the name")
        whole, part = self.read_objects()
        positive, negative = self.read_labels(whole)
        self.read_domains((whole, part))
        membership, membership_phrase, membership_plural = self.read_membership(whole, part)
        attributes = self.read_attributes(part)
        constraints = self.read_constraints({item.predicate: item for item in attributes})
        return Language(
            name=name,
            whole=whole,
            part=part,
            positive=positive,
            negative=negative,
            membership=membership,
            membership_phrase=membership_phrase,
            membership_plural=membership_plural,
            attributes=attributes,
            constraints=constraints,
        )

    def read_objects(self) -> tuple[str, str]:
        node = self.sections["objects"]
        items = self.source.items(node, "`objects`")
        if len(items) != 2:
            self.source.fail(
                node,
                f"`objects` has {len(items)} types",
                "name two: the whole that is classified and its part, e.g. `[train, car]`",
            )
        whole, part = (self.source.atom(item, "the object type") for item in items)
        if whole == part:
            self.source.fail(node, f"{whole!r} is its own part", "name two different types")
        return whole, part

    def read_labels(self, whole: str) -> tuple[str, str]:
        node = self.sections["labels"]
        labels = self.source.keyed(node, "`labels`", ("positive", "negative"))
        names = []
        for key in ("positive", "negative"):
            name, types = self.signature(labels[key], f"the {key} label")
            if types != [whole]:
                self.source.fail(
                    labels[key],
                    f"the {key} label {name!r} has the arguments ({', '.join(types)})",
                    f"a label has one argument, the whole: write `{name}({whole})`",
                )
            names.append(name)
        return names[0], names[1]

    def read_domains(self, objects: tuple[str, str]) -> None:
        for name, node in self.source.mapping(self.sections["domains"], "`domains`").items():
            if name in objects:
                self.source.fail(
                    node, f"{name!r} is an object type already", "give the domain another name"
                )
            self.domains[name] = self.read_domain(name, node)

    def read_domain(self, name: str, node: yaml.Node) -> tuple[Constant, ...]:
        if isinstance(node, yaml.ScalarNode) and node.value == _POSITION:
            return ()
        if isinstance(node, yaml.ScalarNode):
            self.source.fail(
                node,
                f"the domain {name!r} is the single value {node.value!r}",
                "write a list of values, or `position`",
            )
        values: list[Constant] = []
        for item in self.source.items(node, f"the domain {name!r}"):
            value = self.value(item, name)
            if value in values:
                self.source.fail(
                    item, f"{value!r} occurs twice in the domain {name!r}", "remove one of them"
                )
            values.append(value)
        if len(values) < 2:
            self.source.fail(
                node,
                f"the domain {name!r} has {len(values)} values",
                "give it at least two, so that a rule can tell them apart",
            )
        return tuple(values)

    def value(self, node: yaml.Node, domain: str) -> Constant:
        value = self.source.constant(node, f"a value of {domain!r}")
        if isinstance(value, int):
            if value > _LARGEST_INTEGER:
                self.source.fail(
                    node, f"{value} is too large", f"use integers up to {_LARGEST_INTEGER}"
                )
            return value
        return self.source.atom(node, f"the value of {domain!r}")

    def predicate_nodes(self) -> list[yaml.Node]:
        node = self.sections["predicates"]
        items = self.source.items(node, "`predicates`")
        if len(items) < 2:
            self.source.fail(
                node,
                f"`predicates` has {len(items)} entries",
                "give the membership predicate and at least one attribute",
            )
        return items

    def read_membership(self, whole: str, part: str) -> tuple[str, str, str | None]:
        first = self.predicate_nodes()[0]
        keys = ("signature", "phrase")
        entry = self.source.keyed(first, "the first predicate", keys, ("plural",))
        name, types = self.signature(entry["signature"], "the first predicate")
        if types != [whole, part]:
            self.source.fail(
                entry["signature"],
                f"the first predicate {name!r} has the arguments ({', '.join(types)})",
                f"it must lead from the whole to its part: write `{name}({whole}, {part})`",
            )
        plural = self.phrase(entry["plural"]) if "plural" in entry else None
        return name, self.phrase(entry["phrase"]), plural

    def read_attributes(self, part: str) -> tuple[Attribute, ...]:
        attributes: list[Attribute] = []
        for node in self.predicate_nodes()[1:]:
            attribute = self.read_attribute(node, part)
            if attribute.is_position and any(item.is_position for item in attributes):
                self.source.fail(
                    node,
                    f"{attribute.predicate!r} is a second position",
                    "a part has one position; give this predicate a domain of values",
                )
            attributes.append(attribute)
        return tuple(attributes)

    def read_attribute(self, node: yaml.Node, part: str) -> Attribute:
        entry = self.source.keyed(node, "a predicate", ("signature", "phrase"), ("values",))
        name, types = self.signature(entry["signature"], "a predicate")
        if len(types) != 2 or types[0] != part:
            self.source.fail(
                entry["signature"],
                f"the predicate {name!r} has the arguments ({', '.join(types)})",
                f"an attribute has two, the part and a domain: write `{name}({part}, DOMAIN)`",
            )
        if types[1] not in self.domains:
            self.source.fail(
                entry["signature"],
                f"the type {types[1]!r} of {name!r} is not declared",
                f"declare it under `domains`, or use one of {', '.join(self.domains)}",
            )
        values = self.domains[types[1]]
        phrases = dict(self.value_phrases(entry.get("values"), name, values))
        return Attribute(name, types[1], values, self.phrase(entry["phrase"]), phrases)

    def value_phrases(
        self, node: yaml.Node | None, predicate: str, values: tuple[Constant, ...]
    ) -> Iterator[tuple[Constant, str]]:
        if node is None:
            return
        by_text = {str(value): value for value in values}
        for key, phrase in self.source.mapping(node, f"`values` of {predicate!r}").items():
            if key not in by_text:
                self.no_such_value(phrase, key, predicate, values)
            yield by_text[key], self.source.text(phrase, "a phrase")

    def no_such_value(
        self, node: yaml.Node, value: str, predicate: str, values: tuple[Constant, ...]
    ) -> NoReturn:
        self.source.fail(
            node,
            f"{value!r} is not a value of {predicate!r}",
            f"its values are {', '.join(map(str, values)) or 'positions, which can not be tied'}",
        )

    def phrase(self, node: yaml.Node) -> str:
        phrase = self.source.text(node, "a phrase")
        if phrase.replace("{value}", "").count("{") or phrase.count("{value}") != 1:
            self.source.fail(
                node,
                f"the phrase {phrase!r} does not hold {{value}} exactly once",
                "write the value's place as {value} and no other braces",
            )
        return phrase

    def signature(self, node: yaml.Node, what: str) -> tuple[str, list[str]]:
        text = self.source.text(node, what)
        match = _SIGNATURE.match(text)
        if match is None:
            self.source.fail(
                node, f"{text!r} is not a signature", "write `name(type)` or `name(type, type)`"
            )
        name = match[1]
        line = node.start_mark.line + 1
        if not ATOM.match(name) or name in RESERVED:
            self.source.fail(
                node,
                f"{name!r} can not name a predicate",
                "use a Prolog atom (a small letter, then letters, digits, underscores) that is not "
                "a built-in",
            )
        if self.taken.setdefault(name, line) != line:
            self.source.fail(
                node,
                f"the predicate {name!r} is declared on line {self.taken[name]} already",
                "give each predicate a name of its own",
            )
        return name, [item.strip() for item in match[2].split(",")]

    def read_constraints(self, attributes: dict[str, Attribute]) -> tuple[Constraint, ...]:
        node = self.sections.get("constraints")
        if node is None:
            return ()
        constraints: list[Constraint] = []
        for item in self.source.items(node, "`constraints`"):
            entry = self.source.keyed(item, "a constraint", ("when", "then"))
            constraints.append(
                Constraint(
                    self.condition(entry["when"], attributes),
                    self.condition(entry["then"], attributes),
                )
            )
            self.check_constraint(item, tuple(attributes.values()), tuple(constraints))
        return tuple(constraints)

    def check_constraint(
        self,
        node: yaml.Node,
        attributes: tuple[Attribute, ...],
        constraints: tuple[Constraint, ...],
    ) -> None:
        problem = check_satisfiable(attributes, constraints)
        if problem:
            self.source.fail(node, f"with this constraint {problem}", "relax or remove it")

    def condition(
        self, node: yaml.Node, attributes: dict[str, Attribute]
    ) -> dict[str, tuple[Constant, ...]]:
        found = {}
        for name, value in self.source.mapping(node, "a condition").items():
            if name not in attributes:
                self.source.fail(
                    value,
                    f"the constraint names the unknown predicate {name!r}",
                    f"the attributes are {', '.join(attributes)}",
                )
            nodes = value.value if isinstance(value, yaml.SequenceNode) else [value]
            allowed = attributes[name].values
            for item in nodes:
                if self.source.constant(item, "a value") not in allowed:
                    self.no_such_value(item, str(item.value), name, allowed)
            found[name] = tuple(self.source.constant(item, "a value") for item in nodes)
        if not found:
            self.source.fail(node, "a condition is empty", "name a predicate and its value")
        return found
