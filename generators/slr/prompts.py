"""What the model reads, in three styles, and the answer that it should give."""

from collections.abc import Iterator

from logic_curriculum.generators.slr import backgrounds
from logic_curriculum.generators.slr.language import enumerate_phrases, say_constant
from logic_curriculum.generators.slr.synthesis import HELD_OUT_PER_CLASS, HELD_OUT_RIGHT, Synthesis

STYLES = ("prolog", "natural", "compact")
"""Facts with instructions, sentences with instructions, bare values with one line about them."""


def write_prompt(synthesis: Synthesis, style: str) -> str:
    """Write a task's prompt in one of the styles of :data:`STYLES`."""
    if style == "compact":
        return _compact(synthesis)
    if style == "natural":
        facts = "\n".join(["Examples:", *_sentences(synthesis)])
    else:
        program = backgrounds.labelled_program(
            synthesis.language, synthesis.grammar, synthesis.examples
        )
        facts = f"Examples and facts about them:\n{program}"
    return "\n\n".join(
        [_introduction(synthesis), _vocabulary(synthesis), facts, _instructions(synthesis)]
    )


def write_answer(rule: str, style: str) -> str:
    """Write what a perfect model answers: the rule in the answer format, bare in compact style."""
    return rule if style == "compact" else f"[RULE]\n{rule}\n[/RULE]"


def _compact(synthesis: Synthesis) -> str:
    lines = [_compact_acceptance(synthesis)]
    for example in synthesis.examples:
        parts = [" ".join(map(str, values)) for values in example.parts]
        lines.append(" | ".join([synthesis.language.label(example.positive), *parts]))
    return "\n".join([*lines, "Answer:"]) + "\n"


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
    for item in synthesis.grammar.attributes:
        values = list(map(str, item.values_up_to(synthesis.level.parts[1])))
        choices = f"one of {', '.join(values)}" if len(values) > 1 else values[0]
        says = f"the {language.part} {part} {item.phrase.format(value='X')}"
        lines.append(f"- {item.predicate}({part}, X): {says}; X is {choices}")
    return "\n".join(lines)


def _sentences(synthesis: Synthesis) -> Iterator[str]:
    """Yield the examples as sentences, one to a line."""
    language = synthesis.language
    for number, example in enumerate(synthesis.examples):
        places = range(1, len(example.parts) + 1)
        names = [backgrounds.part_name(language, number, place) for place in places]
        whole = f"{language.whole} {backgrounds.whole_name(language, number)}"
        label = say_constant(language.label(example.positive))
        yield f"The {whole} is {label}. It {language.say_parts(names)}."
        for name, values in zip(names, example.parts, strict=True):
            said = zip(synthesis.grammar.attributes, values, strict=True)
            phrases = enumerate_phrases([attribute.say(value) for attribute, value in said])
            yield f"The {language.part} {name} {phrases}."


def _instructions(synthesis: Synthesis) -> str:
    language = synthesis.language
    head = f"{language.positive}({language.variable_letters[0]})"
    return (
        f"Write a Prolog rule for {head} that succeeds for every {language.positive} "
        f"{language.whole} and fails for every {language.negative} one. Use the predicates above, "
        "their values, and standard Prolog such as negation, comparison, findall/3 or forall/2; "
        "helper predicates are allowed. The rule is run on one example at a time. It sees the "
        f"facts about that {language.whole} alone, and its objects have neutral names, so a rule "
        "that names single objects or compares examples finds nothing: state the pattern itself. "
        f"End every clause with a full stop.\n\n{_acceptance(synthesis)}\n\n"
        "Think as long as you need, then give the rule between the tags, like this:\n"
        f"[RULE]\n{head} :- ...\n[/RULE]"
    )


def _acceptance(synthesis: Synthesis) -> str:
    """Say which rules are accepted."""
    language = synthesis.language
    positive, negative = map(say_constant, (language.positive, language.negative))
    if synthesis.accepted is None:
        return (
            "Your rule is accepted if it is right on every example above and, among new examples "
            f"that are not shown, on at least {HELD_OUT_RIGHT} of {HELD_OUT_PER_CLASS} {positive} "
            f"ones and on at least {HELD_OUT_RIGHT} of {HELD_OUT_PER_CLASS} {negative} ones."
        )
    most = synthesis.level.rule_length[1]
    limit = "a single condition" if most == 1 else f"at most {most} conditions, all to be met"
    return (
        f"A simple rule has {limit}; a condition says that the {language.part} has a certain value "
        "of an attribute, or that it does not have it. Your rule is accepted if it is right on "
        f"every example above and if, over all {len(synthesis.held_out)} possible examples, it "
        f"calls exactly the same ones {positive} as some simple rule does. That simple rule has to "
        "be right on every example above and, of all possible examples, on at least three quarters "
        f"of those that really are {positive} and of those that really are {negative}."
    )


def _compact_acceptance(synthesis: Synthesis) -> str:
    """Say the same in one line, which is equal for all tasks of a level."""
    language = synthesis.language
    if synthesis.accepted is None:
        share = f"at least {HELD_OUT_RIGHT} of {HELD_OUT_PER_CLASS} new"
        return f"fit all shown, {share} {language.positive} and {share} {language.negative}"
    most = synthesis.level.rule_length[1]
    limit = "1 condition" if most == 1 else f"at most {most} conditions"
    return (
        f"fit all shown and, over all {len(synthesis.held_out)} possible, agree with a fitting "
        f"rule of {limit} (a value, or not it), right on 3/4 of each class"
    )
