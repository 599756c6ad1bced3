"""Guided rules from a language model: each proposal is examined before it is used.

Source: §3 (LLM-guided generation) and App. E of the paper; the prompt and the checks are our own.
"""

import random
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from logic_curriculum.generators.llm import LanguageModel, Question, load_model
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.slr.examples import label_examples
from logic_curriculum.generators.slr.language import Example, Language, grammar_of, vocabulary_of
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.prompts import fill_template
from logic_curriculum.generators.slr.rules import (
    Rule,
    RuleUnavailableError,
    canonical_rule,
    fitting_schemata,
    shows_style,
    standard_rule,
)
from logic_curriculum.generators.slr.synthesis import SCREEN, SCREEN_MINIMUM
from logic_curriculum.rewards.completions import between_last
from logic_curriculum.rewards.engines import rules
from logic_curriculum.rewards.engines.rules.terms import Compound, Variable, read_clauses, subterms

SAMPLING = "llm"
EXAMPLES = ("one", "paper")  # that prompts show: one rule of the style, or the twenty of App. E
WANTED = 40  # rules of a level's bank; tasks draw from it evenly
ROUNDS = 12  # times that each style is asked for before the bank is left as it is
LEAST = 8  # fewest rules that a bank may have, or no split would find one of its own
_MOST_VARIABLES = 9  # of a clause
_MOST_PARTS = 4  # of a clause: comparing rules takes the factorial of those that look alike


@dataclass(frozen=True)
class RuleBank:
    """What became of a model's proposals for a level."""

    rules: tuple[Rule, ...]  # those that can be used, all different
    refused: Mapping[str, int]  # number of the others by reason


class ProposalError(Exception):
    """A proposal can't be used; the text is the reason that it is counted under."""


def draw_model_rule(
    llm: str, examples: str, language: Language, level: Level, rng: random.Random
) -> Rule:
    """Draw a rule of the level's bank; raise LLMError if the model does not answer.

    The prompts show the ``examples`` of that name in :data:`EXAMPLES`.
    """
    bank = rule_bank(load_model(llm), language, level, examples)
    if len(bank.rules) < LEAST:
        refused = ", ".join(f"{count} {reason}" for reason, count in bank.refused.items())
        raise RuleUnavailableError(
            f"The model of {llm!r} proposed {len(bank.rules)} rules that can be used at level "
            f"{level.number} of the language {language.name!r}, fewer than {LEAST}; of the others, "
            f"{refused or 'none'}. Use another model or other options, or leave the model out "
            "for the built-in patterns"
        )
    return rng.choice(bank.rules)


@lru_cache(maxsize=64)
def rule_bank(
    model: LanguageModel, language: Language, level: Level, examples: str = "one"
) -> RuleBank:
    """Ask for rules of every style that fits the level until there are :data:`WANTED`."""
    paper = fill_template("appendix_e", language) if examples == "paper" else ""
    known = [canonical_rule(text) for text in re.findall(r"(?ms)^eastbound.*?\.$", paper)]
    bank: dict[str, Rule] = {}
    refused: Counter[str] = Counter()
    for number in range(ROUNDS):
        rules_shown = []  # one of each style
        for group in fitting_schemata(language, level):
            rng = stream("slr guided prompt", language.name, level.number, group[0].style, number)
            rules_shown.append(rng.choice(group).fill(language, level, rng))
        prompts = [_prompt(language, level, shown, paper) for shown in rules_shown]
        answers = model.ask_all([Question.of(prompt, number) for prompt in prompts])
        for answer, shown in zip(answers, rules_shown, strict=True):
            try:
                rule = examine(answer.text, language, level, shown, known)
                if rule.canonical in bank:
                    raise ProposalError("proposed before")
                bank[rule.canonical] = rule
            except ProposalError as reason:
                refused[str(reason)] += 1
        if len(bank) >= WANTED:
            break
    return RuleBank(tuple(bank.values()), dict(refused))


def _prompt(language: Language, level: Level, shown: Rule, paper: str) -> str:
    whole, part = language.variable_letters
    least, most = level.parts
    lines = [f"- {language.membership}({whole}, {part}): {part} is a {language.part} of {whole}"]
    for name, values in vocabulary_of(language, level).attributes:
        lines.append(f"- {name}({part}, V): V is one of {', '.join(map(str, values))}")
    examples = f"One of this kind, only to show what is meant:\n{shown.text}"
    if paper:
        examples = f"Rules of twenty kinds, only to show what is meant:\n\n{paper}"
    kind = {"vocabulary": "\n".join(lines), "style": shown.style, "examples": examples}
    return fill_template("rule_proposal", language, least=least, most=most, **kind)


def examine(
    text: str, language: Language, level: Level, shown: Rule, known: Collection[str] = ()
) -> Rule:
    """Return the rule of a model's answer; raise ProposalError if it can't be used.

    Refused are answers without a rule, rules outside the rule language or above the level's caps,
    copies of the one ``shown`` in the prompt (or of those ``known``, in canonical text), rules of
    another style, and rules that are true of nearly all or hardly any examples.
    """
    try:
        rule = Rule(_read(text, language), SAMPLING, shown.style)
        rules.compile_rule(rule.text, vocabulary_of(language, level), level.caps)
        if rule.canonical in (known or [shown.canonical]):
            raise ProposalError("copied from the prompt")
        if not shows_style(rule):
            raise ProposalError("of another style than asked for")
        labels = label_examples(language, level, rule, _screening(language, level))
    except rules.UnreadableError as error:
        raise ProposalError("not readable") from error
    except rules.RefusedError as error:
        raise ProposalError("outside the rule language") from error
    if min(sum(labels), len(labels) - sum(labels)) < 2 * SCREEN_MINIMUM:
        raise ProposalError("out of balance")
    return rule


def _read(text: str, language: Language) -> str:
    """Return the text between the last pair of tags in standard spelling."""
    rule = between_last(text, "[RULE]", "[/RULE]")
    if rule is None:
        raise ProposalError("without a rule between [RULE] and [/RULE]")
    rule = rule.strip().removeprefix("```prolog").removeprefix("```").removesuffix("```").strip()
    for clause in read_clauses(rule):
        every = subterms(clause)
        counts = Counter(item.name for item in every if isinstance(item, Variable))
        if len(counts) > _MOST_VARIABLES:
            raise ProposalError("with too many variables")
        if any(count == 1 and not name.startswith("_") for name, count in counts.items()):
            raise ProposalError("with a variable that stands alone")
        called = [item.name for item in every if isinstance(item, Compound)]
        if called.count(language.membership) > _MOST_PARTS:
            raise ProposalError("with too many parts")
    return standard_rule(rule, *language.variable_letters)


@lru_cache(maxsize=32)
def _screening(language: Language, level: Level) -> list[Example]:
    """Return random examples."""
    grammar = grammar_of(language, level.predicates)
    rng = stream("slr guided screen", language.name, level.number)
    return grammar.draw_examples(rng, [rng.randint(*level.parts) for _ in range(2 * SCREEN)])
