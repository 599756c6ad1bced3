"""What the model reads, in three styles, and the answer that it should give."""

from __future__ import annotations

from generators.slr.language import Attribute, Language, say_constant
from generators.slr.programs import LabelledExample, labelled_program, part_name, whole_name
from generators.slr.synthesis import Synthesis

STYLES = ("prolog", "natural", "compact")
"""Facts with instructions, sentences with instructions, bare values without."""


def write_prompt(synthesis: Synthesis, style: str) -> str:
    """Write a task's prompt in one of the styles of :data:`STYLES`."""
    if style == "compact":
        return _compact(synthesis)
    facts = _natural_facts(synthesis) if style == "natural" else _prolog_facts(synthesis)
    return "\n\n".join(
        [_introduction(synthesis), _vocabulary(synthesis), facts, _instructions(synthesis.language)]
    )


def write_answer(rule: str, style: str) -> str:
    """Write what a perfect model answers: the rule in the answer format, bare in compact style."""
    return rule if style == "compact" else f"[RULE]\n{rule}\n[/RULE]"


def _label(language: Language, example: LabelledExample) -> str:
    return language.positive if example.positive else language.negative


def _compact(synthesis: Synthesis) -> str:
    lines = []
    for example in synthesis.examples:
        parts = [" ".join(map(str, values)) for values in example.parts]
        lines.append(" | ".join([_label(synthesis.language, example), *parts]))
    return "\n".join(lines) + "\n"


def _introduction(synthesis: Synthesis) -> str:
    language = synthesis.language
    return (
        f"Below are {len(synthesis.examples)} examples. Each example is a {language.whole} that "
        f"consists of one or more objects of type {language.part}, and belongs to one of two "
        f"classes, {language.positive} or {language.negative}. The class depends on the "
        f"{language.part} objects alone. Find out how."
    )


def _vocabulary(synthesis: Synthesis) -> str:
    language = synthesis.language
    whole, part = language.variable_letters
    lines = [
        "Predicates:",
        f"- {language.membership}({whole}, {part}): the {language.whole} {whole} "
        + language.membership_phrase.format(value=part),
    ]
    most = synthesis.level.parts[1]
    lines += [_describe(language, item, part, most) for item in synthesis.grammar.attributes]
    return "\n".join(lines)


def _describe(language: Language, attribute: Attribute, part: str, most_parts: int) -> str:
    values = [str(value) for value in attribute.values or range(1, most_parts + 1)]
    choices = f"one of {', '.join(values)}" if len(values) > 1 else values[0]
    return (
        f"- {attribute.predicate}({part}, X): the {language.part} {part} "
        f"{attribute.phrase.format(value='X')}; X is {choices}"
    )


def _prolog_facts(synthesis: Synthesis) -> str:
    program = labelled_program(synthesis.language, synthesis.grammar, synthesis.examples)
    return f"Examples and facts about them:\n{program}"


def _natural_facts(synthesis: Synthesis) -> str:
    lines = ["Examples:"]
    for number, example in enumerate(synthesis.examples):
        lines += _natural_example(synthesis, number, example)
    return "\n".join(lines)


def _natural_example(synthesis: Synthesis, number: int, example: LabelledExample) -> list[str]:
    language = synthesis.language
    names = [part_name(language, number, place + 1) for place in range(len(example.parts))]
    lines = [
        f"The {language.whole} {whole_name(language, number)} is "
        f"{say_constant(_label(language, example))}. "
        f"It {_enumerate([language.membership_phrase.format(value=name) for name in names])}."
    ]
    for name, values in zip(names, example.parts, strict=True):
        attributes = synthesis.grammar.attributes
        phrases = [item.say(value) for item, value in zip(attributes, values, strict=True)]
        lines.append(f"The {language.part} {name} {_enumerate(phrases)}.")
    return lines


def _enumerate(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _instructions(language: Language) -> str:
    whole, _ = language.variable_letters
    head = f"{language.positive}({whole})"
    return (
        f"Write a Prolog rule for {head} that succeeds for every {language.positive} "
        f"{language.whole} and fails for every {language.negative} one. Use the predicates above, "
        "their values, and standard Prolog such as negation, comparison, findall/3 or forall/2; "
        "helper predicates are allowed. State the pattern itself: do not name single objects, "
        "since the rule is tested on copies of the examples whose objects have other names. End "
        "every clause with a full stop.\n\n"
        "Think as long as you need, then give the rule between the tags, like this:\n"
        f"[RULE]\n{head} :- ...\n[/RULE]"
    )
