"""Reads lexicon files and explains, with file and line, what is wrong with a bad one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import yaml

from logic_curriculum.generators.logicskills.constructions import (
    ALL_SYMBOLS,
    CONNECTIVES,
    PHRASES,
    RELATIVES,
    SIMPLE_TYPES,
    sort_of,
)
from logic_curriculum.generators.logicskills.lexicon import (
    MAIN,
    MIXED,
    Lexicon,
    Pattern,
    Section,
    shipped_lexicons,
    shipped_text,
)
from logic_curriculum.generators.yaml_source import Source

_SYMBOLS = {
    "names": ALL_SYMBOLS.names,
    "kinds": ALL_SYMBOLS.kinds,
    "monadic": ALL_SYMBOLS.monadic,
    "binary": ALL_SYMBOLS.binary,
}
_ABBREVIATIONS = {"name": ("name",), "kind": ("K",), "monadic": ("phrase",), "binary": ("R",)}
_SECTIONS = (
    *_SYMBOLS,
    "phrases",
    "relatives",
    "abbreviations",
    "sentence",
    "domain",
    "clauses",
    "connectives",
)
_SLOT = re.compile(r"\{([^{}]*)\}")
_CLAUSE_SLOTS = ("A", "B")
_CLAUSE_FORM = re.compile(r"\{[AB]\.([^{}]*)\}")


def read_lexicon(text: str, file: str, *, shipped: bool = False) -> Lexicon:
    """Read a lexicon from the text of a YAML file.

    Args:
        text: The file's content.
        file: Its name, for messages.
        shipped: Whether it comes with the package; other lexicons need other names.

    Raises:
        LanguageFileError: The text is not a lexicon (a ``ValueError``).
    """
    return _LexiconReader(_open(text, file, shipped)).read()


class _Sections:
    """The sections of a file, each with the file that it stands in: this one or its base."""

    def __init__(self, name: str, nodes: Mapping[str, tuple[Source, yaml.Node]]) -> None:
        self.name = name
        self.nodes = nodes


def _open(text: str, file: str, shipped: bool) -> _Sections:
    """Return the sections of a file, completed by those of the lexicon that it names as base."""
    source = Source(file)
    root = source.root(text, "start from a copy of a shipped one")
    based = isinstance(root, yaml.MappingNode) and any(key.value == "base" for key, _ in root.value)
    required = ("name",) if based else ("name", *_SECTIONS)
    found = source.keyed(root, "the file", required, ("base", *_SECTIONS))
    inherited: dict[str, tuple[Source, yaml.Node]] = {}
    if based:
        base = source.text(found["base"], "`base`")
        if base not in shipped_lexicons():
            choices = ", ".join(shipped_lexicons())
            source.fail(found["base"], f"there is no base {base!r}", f"name one of {choices}")
        inherited = dict(_open(shipped_text(base), f"{base}.yaml", True).nodes)
    name = source.text(found["name"], "the name")
    if name in (*shipped_lexicons(), MIXED) and not shipped:
        source.fail(found["name"], f"the name {name!r} is taken", "give the lexicon another")
    own = {key: (source, node) for key, node in found.items() if key in _SECTIONS}
    return _Sections(name, {**inherited, **own})


def _texts(node: yaml.Node) -> list[str]:
    """Return the texts of a section whose entries are texts or mappings of texts."""
    entries = [value for _, value in node.value]
    inner = [value for entry in entries for _, value in _pairs(entry)]
    return [item.value for item in entries + inner if isinstance(item, yaml.ScalarNode)]


def _pairs(node: yaml.Node) -> list[tuple[yaml.Node, yaml.Node]]:
    return node.value if isinstance(node, yaml.MappingNode) else []


class _LexiconReader:
    """Reads words first, then patterns from the short to the long; each refers to those before."""

    def __init__(self, sections: _Sections) -> None:
        self.sections = sections
        self.words: dict[str, Section] = {}
        self.phrases: dict[str, dict[str, Pattern]] = {}
        self.relatives: dict[str, dict[str, Pattern]] = {}

    def read(self) -> Lexicon:
        """Return the lexicon."""
        for name, symbols in _SYMBOLS.items():
            self.words[name] = self.read_words(name, symbols)
        names = [name for name in PHRASES if name != "monadic"]
        self.phrases = self.read_phrases("phrases", names)
        self.relatives = self.read_phrases("relatives", RELATIVES)
        return Lexicon(
            name=self.sections.name,
            words=self.words,
            phrases=self.phrases,
            relatives=self.relatives,
            abbreviations=self.read_patterns("abbreviations", _ABBREVIATIONS),
            sentence=self.single("sentence", ("A",)),
            domain=self.single("domain", ("K", "J", "L")),
            clauses=self.read_forms(
                "clauses", {name: kind.slots for name, kind in SIMPLE_TYPES.items()}
            ),
            connectives=self.read_forms(
                "connectives",
                {name: _CLAUSE_SLOTS[: item.clauses] for name, item in CONNECTIVES.items()},
            ),
        )

    def read_words(self, section: str, symbols: str) -> Section:
        source, node = self.sections.nodes[section]
        entries = source.keyed(node, f"`{section}`", tuple(symbols))
        words = {}
        for symbol in symbols:
            forms = source.mapping(entries[symbol], f"{symbol} in `{section}`")
            words[symbol] = {
                form: source.text(value, f"the {form} of {symbol}") for form, value in forms.items()
            }
            for other in words:
                for form, word in words[symbol].items():
                    if other != symbol and words[other].get(form) == word:
                        source.fail(
                            forms[form],
                            f"{word!r} is the {form} of both {other} and {symbol}",
                            "give them different words, or sentences can't be told apart",
                        )
        return words

    def read_phrases(self, section: str, names: Iterable[str]) -> dict[str, dict[str, Pattern]]:
        source, node = self.sections.nodes[section]
        entries = source.keyed(node, f"`{section}`", tuple(names))
        return {
            name: {
                form: self.pattern(source, value, f"the {form} of {name!r}", PHRASES[name].slots)
                for form, value in source.mapping(entry, f"{name!r} in `{section}`").items()
            }
            for name, entry in entries.items()
        }

    def read_patterns(
        self, section: str, slots: Mapping[str, tuple[str, ...]]
    ) -> dict[str, Pattern]:
        source, node = self.sections.nodes[section]
        entries = source.keyed(node, f"`{section}`", tuple(slots))
        return {
            name: self.pattern(source, entries[name], f"the pattern {name!r}", slots[name])
            for name in slots
        }

    def read_forms(
        self, section: str, slots: Mapping[str, tuple[str, ...]]
    ) -> dict[str, dict[str, Pattern]]:
        """Read clauses or connectives: a pattern each, or one for each form that is in use."""
        source, node = self.sections.nodes[section]
        entries = source.keyed(node, f"`{section}`", tuple(slots))
        patterns: dict[str, dict[str, Pattern]] = {}
        for name, entry in entries.items():
            what = f"the pattern {name!r}"
            forms = {MAIN: entry}
            if isinstance(entry, yaml.MappingNode):
                forms = source.keyed(entry, what, self.clause_forms())
            elif self.clause_forms() != (MAIN,):
                needed = ", ".join(self.clause_forms())
                source.fail(entry, f"{what} has one form", f"give it the forms {needed}")
            patterns[name] = {
                form: self.pattern(source, value, what, slots[name], name)
                for form, value in forms.items()
            }
        return patterns

    def clause_forms(self) -> tuple[str, ...]:
        """Return the forms of clauses that connectives ask for, the main one first."""
        source, node = self.sections.nodes["connectives"]
        source.mapping(node, "`connectives`")
        asked = [form for text in _texts(node) for form in _CLAUSE_FORM.findall(text)]
        return tuple(dict.fromkeys([MAIN, *asked]))

    def single(self, section: str, slots: tuple[str, ...]) -> Pattern:
        source, node = self.sections.nodes[section]
        return self.pattern(source, node, f"the pattern {section!r}", slots)

    def pattern(
        self,
        source: Source,
        node: yaml.Node,
        what: str,
        slots: tuple[str, ...],
        construction: str = "",
    ) -> Pattern:
        """Cut a pattern into pieces; it must have exactly these slots, with forms that exist."""
        parts = _SLOT.split(source.text(node, what))
        pieces: list[str | tuple[str, str]] = []
        for number, part in enumerate(parts):
            if number % 2 == 0:
                pieces += [part] if part else []
                continue
            slot, _, form = part.partition(".")
            if slot not in slots:
                choices = ", ".join(slots)
                source.fail(node, f"{what} has a slot {part!r}", f"its slots are {choices}")
            if slot not in _CLAUSE_SLOTS:
                self.check_form(source, node, what, (slot, form), construction)
            pieces.append((slot, form or MAIN))
        pattern = Pattern(tuple(pieces))
        for slot in slots:
            if slot not in pattern.slots:
                source.fail(node, f"{what} lacks the slot {slot!r}", f"write `{{{slot}.…}}` in it")
        if any(isinstance(piece, str) and set(piece) & set("{}") for piece in pieces):
            source.fail(node, f"{what} has a lone brace", "write slots as `{slot.form}`")
        return pattern

    def check_form(
        self, source: Source, node: yaml.Node, what: str, piece: tuple[str, str], construction: str
    ) -> None:
        """See that everything that may stand in a slot has the form that the pattern asks for."""
        slot, form = piece
        for name, forms in self.fillers(slot, construction):
            if form not in forms:
                source.fail(
                    node,
                    f"{what} asks for {'{' + slot + '.' + form + '}'}, but {name} has no form "
                    f"{form!r}",
                    f"add it there, or use one of its forms: {', '.join(forms)}",
                )

    def fillers(self, slot: str, construction: str) -> list[tuple[str, Iterable[str]]]:
        """Return what may stand in a slot: how messages call it, and its forms."""
        if slot == "relative":
            return [(f"{name!r} in `relatives`", forms) for name, forms in self.relatives.items()]
        if slot != "phrase":
            section = sort_of(slot)
            return [(f"{s} in `{section}`", forms) for s, forms in self.words[section].items()]
        kind = SIMPLE_TYPES.get(construction)
        allowed = kind.phrases if kind else ("monadic",)
        fillers: list[tuple[str, Iterable[str]]] = []
        for name in allowed:
            if name == "monadic":
                fillers += [(f"{s} in `monadic`", forms) for s, forms in self.words[name].items()]
            else:
                fillers.append((f"{name!r} in `phrases`", self.phrases[name]))
        return fillers
