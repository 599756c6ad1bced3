"""Generated tasks are right: prompts are read again and proven by an engine of their own.

Nothing of the generators is used but the tasks: sentences are understood by another grammar,
entailments proven by another prover, refuted by other models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import pytest
import second_prover
import skill_prompts
from english_reader import LANGUAGES, ReadingError, Words, understand_axiom, understand_in
from fol_reference import AXIOM, Formula, cached_read, free_variables, symbols, true_in

from logic_curriculum.generators import generate

LEVELS = range(1, 11)
FEW = {"symbolization": 6, "countermodel": 6, "validity": 2}
"""Tasks of each level in the default run."""
MANY = 1_000
"""Tasks of each level in the long run."""
CHUNK = 50
LANGUAGE_NAMES = tuple(LANGUAGES)
STYLES = ("full", "compact", "paper")


def abbreviations(words: Words) -> dict[str, str]:
    """What every symbol of a language stands for."""
    return {
        **{symbol: name for name, symbol in words.names.items()},
        **{symbol: f"[1] is a {noun}" for noun, symbol in words.kinds.items()},
        **{symbol: f"[1] will {verb}" for verb, symbol in words.futures.items()},
        **{symbol: f"[1] {past}" for past, (symbol, _) in words.pasts.items()},
        **{symbol: f"[1] is {adjective}" for adjective, symbol in words.adjectives.items()},
        **{symbol: f"[1] {past} [2]" for past, (symbol, _) in words.relations.items()},
    }


def faults_of_symbolization(level: int, seed: int, split: str) -> Iterator[str]:
    for language, style in product(LANGUAGE_NAMES, STYLES):
        task = generate("symbolization", level, seed, split=split, language=language, style=style)
        prompt = skill_prompts.read_symbolization(task.prompt, style)
        gold = cached_read(task.verification["formula"])
        meant = understand_in(prompt.sentence, language)
        if not second_prover.same_truth_conditions(meant, gold):
            yield f"{prompt.sentence!r} doesn't mean {task.verification['formula']}"
        answer = skill_prompts.read_answer(task.solution, style, "symbolization")
        if not second_prover.same_truth_conditions(cached_read(answer), gold):
            yield f"{task.solution} is no solution of {prompt.sentence!r}"
        if free_variables(gold):
            yield f"{task.verification['formula']} has free variables"
        known = abbreviations(LANGUAGES[language])
        key = {symbol: known[symbol] for symbol in symbols(gold)}
        if prompt.key != key or task.verification["abbreviations"] != key:
            yield f"{prompt.key} is not the key of {prompt.sentence!r}"


def faults_of_countermodel(level: int, seed: int, split: str) -> Iterator[str]:
    for style in STYLES:
        task = generate("countermodel", level, seed, split=split, style=style)
        prompt = skill_prompts.read_countermodel(task.prompt, style)
        if prompt != skill_prompts.Countermodel(
            tuple(task.verification["domain"]),
            tuple(task.verification["premises"]),
            task.verification["conclusion"],
        ):
            yield f"the judge gets another argument than {task.prompt!r}"
        premises = [cached_read(text) for text in prompt.premises]
        conclusion = cached_read(prompt.conclusion)
        world = skill_prompts.read_structure(task.solution, style, prompt.domain)
        vocabulary = symbols(*premises, conclusion)
        if set(vocabulary) != {*world.names, *world.extensions}:
            yield f"{task.solution!r} doesn't interpret the symbols {sorted(vocabulary)}"
        if any(
            len(row) != vocabulary[symbol]
            for symbol, rows in world.extensions.items()
            for row in rows
        ):
            yield f"{task.solution!r} has tuples of a wrong length"
        if not all(true_in(premise, world) for premise in premises):
            yield f"{task.solution!r} makes a premise of {task.prompt!r} false"
        if true_in(conclusion, world):
            yield f"{task.solution!r} makes the conclusion of {task.prompt!r} true"
    yield from faults_of_source(premises, conclusion)


def faults_of_source(premises: Sequence[Formula], conclusion: Formula) -> Iterator[str]:
    """An invalid argument's conclusion is neither settled by the premises nor by the axiom."""
    if second_prover.follows((), conclusion):
        yield f"{conclusion} is a theorem"
    if second_prover.contradictory((conclusion,)):
        yield f"{conclusion} is a contradiction"


def faults_of_validity(level: int, seed: int, split: str) -> Iterator[str]:
    language, style = LANGUAGE_NAMES[seed % 2], STYLES[seed % 3]
    task = generate("validity", level, seed, split=split, language=language, style=style)
    prompt = skill_prompts.read_validity(task.prompt, style)
    axiom = understand_axiom(prompt.axiom, LANGUAGES[language])
    if not second_prover.same_truth_conditions(axiom, cached_read(AXIOM)):
        yield f"{prompt.axiom!r} is another axiom"
    premises = [understand_in(text, language) for text in prompt.premises]
    options = [understand_in(text, language) for text in prompt.options]
    payload = task.verification
    answer = skill_prompts.read_answer(task.solution, style, "validity")
    if len(options) != payload["options"] or answer != str(payload["correct"][0]):
        yield f"{payload} doesn't fit to {len(options)} options or to {task.solution!r}"
    follow = [second_prover.follows([axiom, *premises], option) for option in options]
    if [n for n, valid in enumerate(follow, start=1) if valid] != payload["correct"]:
        yield f"{follow} is what follows in {task.prompt!r}, not {payload['correct']}"
    if second_prover.contradictory([axiom, *premises]):
        yield f"the premises contradict each other in {task.prompt!r}"
    conclusion = options[payload["correct"][0] - 1]
    yield from faults_of_conclusion(axiom, premises, conclusion)
    yield from faults_of_distractors(conclusion, options)


def faults_of_conclusion(
    axiom: Formula, premises: Sequence[Formula], conclusion: Formula
) -> Iterator[str]:
    """A conclusion needs every premise, so that no smaller set of them will do."""
    for left_out in range(len(premises)):
        rest = [premise for place, premise in enumerate(premises) if place != left_out]
        if second_prover.follows([axiom, *rest], conclusion):
            yield f"{conclusion} follows without premise {left_out + 1} of {premises}"


def faults_of_distractors(conclusion: Formula, options: Sequence[Formula]) -> Iterator[str]:
    """All options are different statements."""
    for place, option in enumerate(options):
        for other in options[:place]:
            if second_prover.same_truth_conditions(option, other):
                yield f"{option} and {other} are equivalent options"


FAULTS: dict[str, Callable[[int, int, str], Iterator[str]]] = {
    "symbolization": faults_of_symbolization,
    "countermodel": faults_of_countermodel,
    "validity": faults_of_validity,
}


def faults(name: str, level: int, seeds: range, split: str) -> list[str]:
    found = []
    for seed in seeds:
        try:
            found += [
                f"level {level}, seed {seed}: {text}" for text in FAULTS[name](level, seed, split)
            ]
        except (ReadingError, second_prover.UndecidedError) as error:
            found.append(f"level {level}, seed {seed}: {error}")
    return found


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_few_tasks_are_right(name: str, level: int) -> None:
    assert faults(name, level, range(FEW[name]), "test") == []


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", FAULTS)
def test_ten_thousand_tasks_are_right(name: str) -> None:
    chunks = [(level, range(s, s + CHUNK)) for level in LEVELS for s in range(0, MANY, CHUNK)]
    with ProcessPoolExecutor() as pool:
        columns = zip(*((name, level, seeds, "train") for level, seeds in chunks), strict=True)
        found = [fault for chunk in pool.map(faults, *columns) for fault in chunk]
    assert found == []
