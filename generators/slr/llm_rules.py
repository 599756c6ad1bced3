"""Guided rules from a language model: each proposal is examined before it is used.

Source: §3 (LLM-guided generation) and App. E of the paper; the prompt and the checks are our own.
"""

import random
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from logic_curriculum.generators.llm import LanguageModel, Question, load_model
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.slr import terms
from logic_curriculum.generators.slr.examples import LabelledExample, labelled_program
from logic_curriculum.generators.slr.language import Language, grammar_of
from logic_curriculum.generators.slr.levels import Level
from logic_curriculum.generators.slr.prompts import fill_template
from logic_curriculum.generators.slr.rules import Rule, RuleUnavailableError, fitting_schemata
from logic_curriculum.generators.slr.synthesis import SCREEN, SCREEN_MINIMUM
from logic_curriculum.generators.slr.terms import Compound, Variable
from logic_curriculum.rewards.completions import between_last
from logic_curriculum.rewards.engines.prolog_old import judge_groups, own_facts

SAMPLING = "llm"
WANTED = 40  # rules of a level's bank; tasks draw from it evenly
ROUNDS = 12  # times that each style is asked for before the bank is left as it is
LEAST = 8  # fewest rules that a bank may have, or no split would find one of its own
_LONGEST, _MOST_SYMBOLS = 800, 250  # characters, and tokens, of a rule
_MOST_VARIABLES = 9  # of a clause
_MOST_PARTS = 4  # of a clause: comparing rules takes the factorial of those that look alike
_CONTROL = {"[]", "!", "true", "fail"}


@dataclass(frozen=True)
class RuleBank:
    """What became of a model's proposals for a level."""

    rules: tuple[Rule, ...]  # those that can be used, all different
    refused: Mapping[str, int]  # number of the others by reason


class ProposalError(Exception):
    """A proposal can't be used; the text is the reason that it is counted under."""


def draw_model_rule(llm: str, language: Language, level: Level, rng: random.Random) -> Rule:
    """Draw a rule of the level's bank; raise LLMError if the model does not answer."""
    bank = rule_bank(load_model(llm), language, level)
    if len(bank.rules) < LEAST:
        raise RuleUnavailableError(
            f"The model of {llm!r} proposed {len(bank.rules)} rules that can be used at level "
            f"{level.number} of the language {language.name!r}, fewer than {LEAST}; of the others, "
            f"{_counted(bank.refused)}. Use another model or other options, or leave the model out "
            "for the built-in patterns"
        )
    return rng.choice(bank.rules)


@lru_cache(maxsize=64)
def rule_bank(model: LanguageModel, language: Language, level: Level) -> RuleBank:
    """Ask for rules of every style that fits the level until there are :data:`WANTED`."""
    rules: dict[str, Rule] = {}
    refused: Counter[str] = Counter()
    for number in range(ROUNDS):
        examples = []  # that the prompts show, one of each style
        for group in fitting_schemata(language, level):
            rng = stream("slr guided prompt", language.name, level.number, group[0].style, number)
            examples.append(rng.choice(group).fill(language, level, rng))
        prompts = [Question.of(_prompt(language, level, shown), number) for shown in examples]
        for answer, shown in zip(model.ask_all(prompts), examples, strict=True):
            try:
                rule = examine(answer.text, language, level, shown)
                if rule.canonical in rules:
                    raise ProposalError("proposed before")
                rules[rule.canonical] = rule
            except ProposalError as reason:
                refused[str(reason)] += 1
        if len(rules) >= WANTED:
            break
    return RuleBank(tuple(rules.values()), dict(refused))


def _counted(refused: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in refused.items()) or "none"


def _prompt(language: Language, level: Level, shown: Rule) -> str:
    whole, part = language.variable_letters
    least, most = level.parts
    lines = [f"- {language.membership}({whole}, {part}): {part} is a {language.part} of {whole}"]
    for item in language.vocabulary(level.predicates):
        values = ", ".join(map(str, item.values_up_to(most)))
        lines.append(f"- {item.predicate}({part}, V): V is one of {values}")
    vocabulary, sizes = "\n".join(lines), {"least": least, "most": most}
    shown_rule = {"style": shown.style, "example": shown.text}
    return fill_template("rule_proposal", language, vocabulary=vocabulary, **sizes, **shown_rule)


def examine(text: str, language: Language, level: Level, shown: Rule) -> Rule:
    """Return the rule of a model's answer; raise ProposalError if it can't be used.

    Refused are answers without a rule, and rules that can't be read, name what the level does not
    have, copy the one ``shown`` in the prompt, are refused by the judge, or are true of nearly all
    or hardly any examples. A ``RuntimeError`` says that the judge failed.
    """
    try:
        rule = Rule(_read(text, language), SAMPLING, shown.style)
    except ValueError as error:
        raise ProposalError("not readable") from error
    _check_vocabulary(rule, language, level)
    if rule.canonical == shown.canonical:
        raise ProposalError("copied from the prompt")
    _check_by_judge(rule, language, level)
    return rule


def _read(text: str, language: Language) -> str:
    """Return the text between the last pair of tags in standard spelling."""
    rule = between_last(text, "[RULE]", "[/RULE]")
    if rule is None:
        raise ProposalError("without a rule between [RULE] and [/RULE]")
    rule = rule.strip().removeprefix("```prolog").removeprefix("```").removesuffix("```").strip()
    if len(rule) > _LONGEST or len(re.findall(r"\w+|[^\w\s]", rule)) > _MOST_SYMBOLS:
        raise ProposalError("too long")
    for clause in terms.read_clauses(rule):
        every = list(terms.subterms(clause))
        counts = Counter(item.name for item in every if isinstance(item, Variable))
        if len(counts) > _MOST_VARIABLES:
            raise ProposalError("with too many variables")
        if any(count == 1 and not name.startswith("_") for name, count in counts.items()):
            raise ProposalError("with a variable that stands alone")
        called = [item.name for item in every if isinstance(item, Compound)]
        if called.count(language.membership) > _MOST_PARTS:
            raise ProposalError("with too many parts")
    return terms.standard_rule(rule, *language.variable_letters)


def _check_vocabulary(rule: Rule, language: Language, level: Level) -> None:
    """Refuse names that the level's grammar does not have, or values of another attribute."""
    attributes = language.vocabulary(level.predicates)
    values = {item.predicate: item.values_up_to(level.parts[1]) for item in attributes}
    atoms = {str(value) for known in values.values() for value in known} | _CONTROL
    clauses = terms.read_clauses(rule.text)
    head = terms.head(clauses[0])
    if not isinstance(head, Compound) or (head.name, len(head.arguments)) != (language.positive, 1):
        raise ProposalError(f"not about {language.positive}")
    compounds = [item for c in clauses for item in terms.subterms(c) if isinstance(item, Compound)]
    for item in compounds:
        if not item.arguments and item.name not in atoms:
            raise ProposalError("with a name that the level does not have")
        if item.name in values and not _fits(item, values):
            raise ProposalError("with a value that its attribute does not have")


def _fits(literal: Compound, values: Mapping[str, tuple[str | int, ...]]) -> bool:
    if len(literal.arguments) != 2:
        return False
    value = literal.arguments[1]
    if isinstance(value, Variable):
        return True
    constant = value.name if isinstance(value, Compound) and not value.arguments else value
    return constant in values[literal.name]


def _check_by_judge(rule: Rule, language: Language, level: Level) -> None:
    """Let confined workers decide random examples; see that both classes are there."""
    cases = own_facts(_screening(language, level), language.positive, language.negative)
    ((execution,),) = judge_groups([(cases, [rule.text])])
    if execution.status == "lost":
        raise RuntimeError(
            f"The judge lost its worker over the rule {rule.text!r} ({execution.detail}). Run the "
            "same again; answers of the model are kept."
        )
    if execution.status != "ok":
        raise ProposalError(f"refused by the judge ({execution.status})")
    if None in execution.outcomes:
        raise ProposalError("with an error when proved")
    positives = sum(map(bool, execution.outcomes))
    if min(positives, len(execution.outcomes) - positives) < 2 * SCREEN_MINIMUM:
        raise ProposalError("out of balance")


@lru_cache(maxsize=32)
def _screening(language: Language, level: Level) -> str:
    """Return random examples as a program; half have either label, which means nothing here."""
    grammar = grammar_of(language, level.predicates)
    rng = stream("slr guided screen", language.name, level.number)
    sizes = [rng.randint(*level.parts) for _ in range(2 * SCREEN)]
    drawn = [grammar.draw_example(rng, size) for size in sizes]
    examples = [LabelledExample(parts, at % 2 == 0) for at, parts in enumerate(drawn)]
    return labelled_program(language, grammar, examples)
