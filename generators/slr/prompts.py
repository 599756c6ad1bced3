"""What the model reads, in three styles, and the answer that it should give."""

from collections.abc import Iterator
from pathlib import Path

from logic_curriculum.common.files import template
from logic_curriculum.generators.slr.examples import labelled_program, part_name, whole_name
from logic_curriculum.generators.slr.language import Language, enumerate_phrases, say_constant
from logic_curriculum.generators.slr.synthesis import HELD_OUT_PER_CLASS, HELD_OUT_RIGHT, Synthesis

STYLES = ("prolog", "natural", "compact")
"""Facts with instructions, sentences with instructions, bare values with one line about them."""


def fill_template(name: str, language: Language, **values: object) -> str:
    """Return a text of ``templates/`` with the language's names and other values filled in."""
    names = {key: getattr(language, key) for key in ("whole", "part", "positive", "negative")}
    head = f"{language.positive}({language.variable_letters[0]})"
    return template(Path(__file__).parent, name).format(head=head, **{**names, **values})


def write_prompt(synthesis: Synthesis, style: str) -> str:
    """Write a task's prompt in one of the styles of :data:`STYLES`."""
    language, grammar, examples = synthesis.language, synthesis.grammar, synthesis.examples
    if style == "compact":
        return _compact(synthesis)
    if style == "natural":
        facts = "\n".join(["Examples:", *_sentences(synthesis)])
    else:
        facts = f"Examples and facts about them:\n{labelled_program(grammar, examples)}"
    most = synthesis.level.rule_length[1]
    limit = "a single condition" if most == 1 else f"at most {most} conditions, all to be met"
    classes = {name: say_constant(getattr(language, name)) for name in ("positive", "negative")}
    acceptance = _acceptance(synthesis, "accepted", limit=limit, **classes)
    parts = {"vocabulary": _vocabulary(synthesis), "facts": facts, "acceptance": acceptance}
    caps = synthesis.level.caps
    limits = {**vars(caps), "times": "time" if caps.values == 1 else "times"}
    return fill_template("prompt", language, count=len(examples), **parts, **limits)


def write_answer(rule: str, style: str) -> str:
    """Write what a perfect model answers: the rule in the answer format, bare in compact style."""
    return rule if style == "compact" else f"[RULE]\n{rule}\n[/RULE]"


def _compact(synthesis: Synthesis) -> str:
    language, most = synthesis.language, synthesis.level.rule_length[1]
    limit = "1 condition" if most == 1 else f"at most {most} conditions"
    acceptance = _acceptance(synthesis, "compact", limit=limit)
    lines = []
    for example in synthesis.examples:
        parts = [" ".join(map(str, values)) for values in example.parts]
        lines.append(" | ".join([language.label(example.positive), *parts]))
    texts = {"acceptance": acceptance, "examples": "\n".join(lines)}
    return fill_template("compact", language, **texts, **vars(synthesis.level.caps)) + "\n"


def _vocabulary(synthesis: Synthesis) -> str:
    language = synthesis.language
    whole, part = language.variable_letters
    lines = [
        "Predicates:",
        f"- {language.membership}({whole}, {part}): the {language.whole} {whole} "
        + language.membership_phrase.format(value=part),
    ]
    for item in synthesis.grammar.attributes:
        values = list(map(str, item.values_up_to(synthesis.level.parts[1])))
        choices = f"one of {', '.join(values)}" if len(values) > 1 else values[0]
        says = f"the {language.part} {part} {item.phrase.format(value='X')}"
        lines.append(f"- {item.predicate}({part}, X): {says}; X is {choices}")
    return "\n".join(lines)


def _sentences(synthesis: Synthesis) -> Iterator[str]:
    language = synthesis.language
    for number, example in enumerate(synthesis.examples):
        names = [part_name(language, number, at) for at, _ in enumerate(example.parts, start=1)]
        whole = f"{language.whole} {whole_name(language, number)}"
        label = say_constant(language.label(example.positive))
        yield f"The {whole} is {label}. It {language.say_parts(names)}."
        for name, values in zip(names, example.parts, strict=True):
            pairs = zip(synthesis.grammar.attributes, values, strict=True)
            phrases = enumerate_phrases([attribute.say(value) for attribute, value in pairs])
            yield f"The {language.part} {name} {phrases}."


def _acceptance(synthesis: Synthesis, kind: str, **values: str) -> str:
    """Say which rules are accepted: equal for all tasks of a level."""
    if synthesis.accepted is None:
        counts = {"right": HELD_OUT_RIGHT, "fresh": HELD_OUT_PER_CLASS}
        return fill_template(f"{kind}_held_out", synthesis.language, **counts, **values)
    possible = len(synthesis.held_out)
    return fill_template(f"{kind}_enumerated", synthesis.language, possible=possible, **values)
