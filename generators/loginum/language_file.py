"""Reads the templates of a language and explains, with file and line, what is wrong with them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources

import yaml

from logic_curriculum.generators.yaml_source import Source

Bank = tuple[Callable[..., str], ...]
"""The templates of one kind; each takes the texts of the slots, in the order of :data:`SLOTS`."""

SLOTS: Mapping[str, tuple[str, ...]] = {
    "attribute_facts": ("entity", "attribute", "value"),
    "assignments": ("entity", "attribute", "value"),
    "relation_facts": ("first", "second", "relation", "presents", "participle"),
    "alternatives": ("patterns",),
    "implications": ("conditions", "premises", "conclusion"),
    "retrievals": ("entity", "attribute"),
    "calculations": ("factor", "lookup", "amount"),
    "aggregations": ("left", "right"),
    "powers": ("base", "exponent"),
    "queries": ("lookup",),
    "operand": ("expression",),
    "variable": ("number",),
}
"""Section of a file → the slots of its templates."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    "calculations": ("addition", "subtraction", "increase", "decrease", "product"),
    "aggregations": ("max", "min", "addition", "subtraction"),
}
"""Section that is divided → its parts, a bank each."""

_JOINERS = ("conjunction", "premise_conjunction", "disjunction")
_ALTERNATIVES = {
    "relation_facts": ("relation", "presents", "participle"),
    "implications": ("conditions", "premises"),
}
"""Slots of which a template has one."""
_FREE = {
    **_ALTERNATIVES,
    "increase": ("factor",),
    "decrease": ("factor",),
    "product": ("amount",),
}
"""Slots that a template may lack."""
_SLOT = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, eq=False)
class Templates:
    """The templates of a language. Those of one kind mean the same, so any may be drawn."""

    attribute_facts: Bank
    assignments: Bank
    """Attribute facts whose value is that of another attribute."""
    relation_facts: Bank
    alternatives: Bank
    implications: Bank
    retrievals: Bank
    calculations: Mapping[str, Bank]
    aggregations: Mapping[str, Bank]
    powers: Bank
    queries: Bank
    operand: Callable[..., str]
    variable: Callable[..., str]
    conjunction: str
    """What stands between the conditions of a rule."""
    premise_conjunction: str
    """The same, in implications with the slot ``premises``."""
    disjunction: str
    """What stands between patterns of which one is enough."""


@cache
def english() -> Templates:
    """Return the templates that come with the package."""
    file = resources.files("logic_curriculum.generators.loginum") / "templates" / "english.yaml"
    return read_templates(file.read_text(encoding="utf-8"), "english.yaml")


def read_templates(text: str, file: str) -> Templates:
    """Read templates from the text of a YAML file; ``templates/english.yaml`` explains itself.

    Args:
        text: The file's content.
        file: Its name, for messages.

    Raises:
        LanguageFileError: The text is no such file (a ``ValueError``).
    """
    source = Source(file)
    root = source.root(text, "copy english.yaml")
    nodes = source.keyed(root, "the file", (*SLOTS, *_JOINERS))

    def bank(section: str) -> Bank:
        return _bank(source, nodes[section], section, section)

    def banks(section: str) -> dict[str, Bank]:
        found = source.keyed(nodes[section], f"`{section}`", GROUPS[section])
        return {part: _bank(source, node, section, part) for part, node in found.items()}

    def single(section: str) -> Callable[..., str]:
        text = source.text(nodes[section], f"`{section}`")
        return _compile(source, nodes[section], text, section, section)

    return Templates(
        attribute_facts=bank("attribute_facts"),
        assignments=bank("assignments"),
        relation_facts=bank("relation_facts"),
        alternatives=bank("alternatives"),
        implications=bank("implications"),
        retrievals=bank("retrievals"),
        calculations=banks("calculations"),
        aggregations=banks("aggregations"),
        powers=bank("powers"),
        queries=bank("queries"),
        operand=single("operand"),
        variable=cache(single("variable")),
        conjunction=source.text(nodes["conjunction"], "`conjunction`"),
        premise_conjunction=source.text(nodes["premise_conjunction"], "`premise_conjunction`"),
        disjunction=source.text(nodes["disjunction"], "`disjunction`"),
    )


def _bank(source: Source, node: yaml.Node, section: str, part: str) -> Bank:
    """Return the templates of a list, each once for each choice of its words."""
    bank = []
    for item in source.items(node, f"`{part}`"):
        for text in _choices(source, item, part):
            bank.append((text, _compile(source, item, text, section, part)))
    texts = [text for text, _ in bank]
    if not texts:
        source.fail(node, f"`{part}` is empty", "write at least one template")
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        source.fail(node, f"{twice!r} occurs twice in `{part}`", "keep one of them")
    return tuple(template for _, template in bank)


def _choices(source: Source, node: yaml.Node, part: str) -> Iterable[str]:
    """Yield the text of an entry, with each choice of words if it has lists of them."""
    if isinstance(node, yaml.ScalarNode):
        yield source.text(node, f"a template of `{part}`")
        return
    found = source.mapping(node, f"a template of `{part}`")
    if "text" not in found:
        source.fail(node, f"a template of `{part}` lacks the key 'text'", "add `text:`")
    text = source.text(found.pop("text"), "`text`")
    lists = {
        slot: [source.text(word, f"a word of `{slot}`") for word in source.items(words, slot)]
        for slot, words in found.items()
    }
    for slot, words in found.items():
        if f"{{{slot}}}" not in text:
            source.fail(words, f"{text!r} has no slot {slot!r}", "add it, or leave out the list")
    for chosen in itertools.product(*lists.values()):
        filled = dict(zip(lists, chosen, strict=True))
        yield _SLOT.sub(partial(_fill, filled), text)


def _fill(filled: Mapping[str, str], slot: re.Match[str]) -> str:
    """Return the word that a slot is filled with; a slot without one stays."""
    return filled.get(slot[1], slot[0])


def _compile(
    source: Source, node: yaml.Node, text: str, section: str, part: str
) -> Callable[..., str]:
    """Turn named slots into numbered ones, after seeing that they are the right ones."""
    slots = SLOTS[section]
    found = _SLOT.findall(text)
    for slot in found:
        if slot not in slots:
            source.fail(node, f"{text!r} has a slot {slot!r}", f"its slots are {', '.join(slots)}")
        if found.count(slot) > 1:
            source.fail(node, f"{text!r} has the slot {slot!r} twice", "write it once")
    free = _FREE.get(part, ())
    for slot in slots:
        if slot not in found and slot not in free:
            source.fail(node, f"{text!r} lacks the slot {slot!r}", f"write `{{{slot}}}` in it")
    needed = _ALTERNATIVES.get(part, ())
    if needed and len(set(needed) & set(found)) != 1:
        names = ", ".join(needed)
        source.fail(node, f"{text!r} needs one of the slots {names}", "write one of them in it")
    if set(_SLOT.sub("", text)) & set("{}"):
        source.fail(node, f"{text!r} has a lone brace", "write slots as `{slot}`")
    return _SLOT.sub(lambda slot: f"{{{slots.index(slot[1])}}}", text).format
