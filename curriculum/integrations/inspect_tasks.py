"""Our tasks for Inspect: ``inspect eval logic_curriculum/slr_bench --model …``.

Inspect finds them by the entry point of this package, and ``logic-curriculum report`` makes the
papers' tables from its logs. An answer that could not be graded is our failure, never a 0: its
score is unscored, which Inspect keeps in the log and leaves out of every metric. No completion can
bring that about.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.evaluation.guessers import constant_answer, most_similar_answers
from logic_curriculum.curriculum.evaluation.prompts import (
    Question,
    few_shot_questions,
    read_questions,
)
from logic_curriculum.curriculum.evaluation.records import (
    PAPER_PROCESS,
    grouped,
    make_record,
    paper_score,
)
from logic_curriculum.generators import registry
from logic_curriculum.generators.sampling import available_tasks, level_tasks, published_tasks
from logic_curriculum.rewards import Verdict, measure_batch
from logic_curriculum.rewards.llm_extraction import Ask, judge_with_extractor
from logic_curriculum.rewards.registry import judge_of

require("inspect_ai", extra="inspect")

from click import ClickException
from inspect_ai import Task as Evaluation
from inspect_ai import task as inspect_task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.scorer import grouped as by
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

SKILLS: Mapping[str, Mapping[str, str]] = {
    "symbolization": {"language": "mixed"},
    "countermodel": {},
    "validity": {"language": "mixed"},
}
"""The families of LogicSkills, and the options by which they are asked in both languages."""
GUESSES = ("best_constant", "nearest_neighbour")
NEIGHBOURS = 50  # training tasks of each level among which the nearest neighbour is looked for
BY_LEVEL = by(mean(), "level", name_template="level_{group_name}", all=False)


@contextmanager
def _told_in_a_line() -> Iterator[None]:
    """Turn what is wrong with an option into the error that Inspect shows without a traceback."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ClickException(str(error)) from error


def task(make: Callable[..., Evaluation]) -> Any:
    """Make a function a task of Inspect; a wrong option ends in one line."""
    return inspect_task(_told_in_a_line()(make))


@task
def logic(
    family: str = "slr",
    levels: int | Sequence[int] | None = None,
    tasks_per_level: int = 20,
    task_seed: int = 0,
    split: str = "test",
    shots: int = 0,
    questions: str | None = None,
    extractor: bool = False,
    guess: str | None = None,
    **options: Any,
) -> Evaluation:
    """Ask tasks of a family, the same for the same values.

    Args:
        levels: One or several; by default all of the family, or of its preset.
        split: ``train``, ``validation`` or ``test``.
        shots: Worked examples in front of each question.
        questions: Published questions instead, a file of JSON lines or a folder of such.
        extractor: Whether a model with the role ``extractor`` writes out what no parser reads.
        guess: ``best_constant`` or ``nearest_neighbour``, which answer in place of a model.
        options: Those of the family, such as ``style``.
    """
    if questions is not None:
        asked, name = read_questions(Path(questions)), Path(questions).stem
    else:
        try:
            numbers = [levels] if isinstance(levels, int) else [int(n) for n in levels or ()]
        except (TypeError, ValueError):
            told = f"levels={levels!r}: not whole numbers; write levels=3, or levels=1,2"
            raise ValueError(told) from None
        registry.family(family).read_options(options)
        for option, count, least in (("tasks_per_level", tasks_per_level, 1), ("shots", shots, 0)):
            if not isinstance(count, int) or count < least:
                raise ValueError(f"{option}={count!r}: give a whole number, at least {least}")
        tasks = level_tasks(family, numbers, tasks_per_level, task_seed, split, **options)
        asked = few_shot_questions(tasks, shots, task_seed, split, **options)
        name = family
    return _evaluation(f"logic_{name}", asked, {family: options}, extractor, guess)


@task
def slr_bench(task_seed: int = 0, guess: str | None = None) -> Evaluation:
    """SLR's test split, one answer to each of up to 50 tasks of 20 levels (section 5, Table 4)."""
    return _evaluation("slr_bench", _published("slr", task_seed, {}), {}, guess=guess)


@task
def logicskills(
    questions: str | None = None,
    tasks_per_level: int = 60,
    task_seed: int = 0,
    style: str = "full",
    extractor: bool = False,
    guess: str | None = None,
) -> Evaluation:
    """The three skills of LogicSkills, in English and Carrollian (section 5, Table 2).

    ``questions`` is the folder of the authors' 1,500 questions, which are then asked instead.
    """
    options = {skill: {"style": style, **more} for skill, more in SKILLS.items()}
    if questions is not None:
        asked = read_questions(Path(questions))
    else:
        asked = [
            Question(made, made.prompt)
            for skill, more in options.items()
            for made in level_tasks(skill, None, tasks_per_level, task_seed, **more)
        ]
    return _evaluation("logicskills", asked, options, extractor, guess)


@task
def loginum(
    preset: str = "EL-EN",
    shots: int = 0,
    task_seed: int = 0,
    extractor: bool = False,
    guess: str | None = None,
) -> Evaluation:
    """A data set of LogiNumSynth, 500 tasks, sampled as in its appendix F.1 (Table 3)."""
    options = {"loginum": {"preset": preset}}
    asked = _published("loginum", task_seed, options["loginum"], shots)
    config = GenerateConfig(temperature=0.3, top_p=0.8, top_k=20)
    return _evaluation(f"loginum_{preset}", asked, options, extractor, guess, config=config)


@task
def ltgen(
    preset: str = "hard3sat-paper",
    style: str = "paper",
    task_seed: int = 0,
    guess: str | None = None,
) -> Evaluation:
    """A data set of LTGen in the paper's prompt, five answers to each text (section 4)."""
    options = {"sat": {"preset": preset, "style": style}}
    asked, config = _published("sat", task_seed, options["sat"]), GenerateConfig(temperature=0)
    return _evaluation(f"ltgen_{preset}", asked, options, guess=guess, config=config, epochs=5)


def _published(
    family: str, seed: int, options: Mapping[str, Any], shots: int = 0
) -> list[Question]:
    """Return as many questions of each level as the paper has."""
    levels = list(registry.family(family).levels(options.get("preset")))
    tasks = published_tasks(family, levels, seed, **options)
    return few_shot_questions(tasks, shots, seed, **options)


def _evaluation(
    name: str,
    questions: Sequence[Question],
    options: Mapping[str, Mapping[str, Any]],
    extractor: bool = False,
    guess: str | None = None,
    **more: Any,
) -> Evaluation:
    """Return Inspect's task; ``options`` are those of the families."""
    samples = []
    for question in questions:
        record = make_record(question.task, Verdict(False, None), id=question.id)
        about: dict[str, Any] = {"family": record.family, "level": record.level}
        about |= {"task": record.id, "seed": question.task.seed, "shots": question.shots}
        about |= {"about": record.metadata, "verification": dict(question.task.verification)}
        place = f"{record.family}-{record.level}-{record.id}"
        target = question.task.solution
        samples.append(Sample(input=question.prompt, target=target, id=place, metadata=about))
    if guess:
        _add_guesses(samples, questions, options, guess)
    steps = [guessed()] if guess else [generate(), *([extracted()] if extractor else [])]
    dataset = MemoryDataset(samples, name=name)
    return Evaluation(dataset=dataset, solver=steps, scorer=verdict(), name=name, **more)


def _add_guesses(
    samples: Sequence[Sample],
    questions: Sequence[Question],
    options: Mapping[str, Mapping[str, Any]],
    guess: str,
) -> None:
    """Note the answers of a strategy without reasoning, chosen for each family and level."""
    if guess not in GUESSES:
        raise ValueError(f"guess is {guess!r}: choose one of {', '.join(GUESSES)}.")
    pairs = zip((question.task for question in questions), samples, strict=True)
    for (family, level), own in grouped(pairs, lambda p: (p[0].family, p[0].level)).items():
        asked, given = [task for task, _ in own], options.get(family, {})
        if guess == "best_constant":
            answers = [constant_answer(asked, given)] * len(own)
        else:
            most = available_tasks(family, level, "train", given) or NEIGHBOURS
            known = level_tasks(family, [level], min(most, NEIGHBOURS), split="train", **given)
            answers = most_similar_answers(asked, [(each.prompt, each.solution) for each in known])
        for (_, sample), answer in zip(own, answers, strict=True):
            sample.metadata["guess"] = answer


@solver
def guessed() -> Solver:
    """Answer without reasoning, so that the best constant and the like stand in the same log."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content(str(state.model), state.metadata["guess"])
        return state

    return solve


@solver
def extracted() -> Solver:
    """Have the model with the role ``extractor`` write out an answer that no parser reads."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        prompts: list[str] = []

        def ask(asked: Sequence[str]) -> list[None]:
            prompts.extend(asked)
            return [None] * len(asked)

        if judge_of(state.metadata["family"]).extraction is not None:
            _judged(state, ask)
            model = get_model(role="extractor")
            replies = [(await model.generate(prompt)).completion for prompt in prompts]
            state.metadata["extracts"] = replies
        return state

    return solve


def _judged(state: TaskState, ask: Ask | None) -> Verdict:
    """Return the verdict on an answer; ``ask`` puts questions to the extractor, if there is one."""
    family, payload = state.metadata["family"], state.metadata["verification"]
    given = (family, [state.output.completion], [payload])
    (found,) = measure_batch(*given) if ask is None else judge_with_extractor(*given, ask)
    return found


@scorer(
    metrics={
        "accepted": [mean(), stderr(), BY_LEVEL],
        "paper": [mean(), stderr()],
        "syntax": [mean()],
        "partial": [mean()],
        "paper_partial": [mean()],
    }
)
def verdict() -> Scorer:
    """Score an answer by its family's judge.

    ``paper`` is the score of the family's paper, ``accepted`` our stricter one: what training pays.
    ``paper_partial`` is LogiNumSynth's process accuracy, and of other families ``partial``.
    """

    async def score(state: TaskState, target: Target) -> Score:
        extracts = state.metadata.get("extracts")
        found = _judged(state, None if extracts is None else lambda prompts: extracts)
        judge = judge_of(state.metadata["family"])
        about = {"answer": found.answer, "explanation": found.explanation}
        if found.reward is None:
            return Score.unscored(reason="scoring_failed", **about)
        paper = paper_score(judge.family, found)
        value = {
            "accepted": float(found.solved),
            "paper": math.nan if paper is None else paper,
            "syntax": float(found.syntax),
            "partial": found.partial,
            "paper_partial": found.metrics.get(PAPER_PROCESS, found.partial),
        }
        errors = list(judge.categories(found))
        details = {"metrics": dict(found.metrics), "errors": errors, **judge.versions}
        return Score(value=value, metadata=details, **about)

    return score
