"""What a model is asked: tasks, perhaps behind worked examples, and published questions."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from logic_curriculum.common.files import lines_of
from logic_curriculum.generators import Task, generate, registry
from logic_curriculum.generators.sampling import distinct_tasks
from logic_curriculum.generators.seeding import derive_seed
from logic_curriculum.generators.task import digest, split_of_examples
from logic_curriculum.rewards.judge import as_mapping
from logic_curriculum.rewards.registry import judge_of

Row = Mapping[str, Any]
_SOLUTIONS = ("label", "completion", "example_countermodel")  # Columns with a right answer
_NUMBERED = re.compile(r"^\d+\. (.+)$", re.MULTILINE)
_DOMAIN = re.compile(r"fixed domain (\[[\d, ]*\])")


class Question(NamedTuple):
    """A task with its prompt."""

    task: Task
    prompt: str  # The task's own prompt, or examples and that prompt
    shots: int = 0  # Worked examples in the prompt
    id: str = ""  # Identifies a question of a file; else its family's fingerprint does


def language_of(question: Question) -> str | None:
    """Return the lexicon of a question's sentences, None where it has formulas only."""
    language = question.task.metadata.get("language")
    return None if language == "formal" else language


def skill_questions(
    levels: Mapping[str, Sequence[int]],
    languages: Sequence[str],
    count: int,
    seed: int,
    options: Mapping[str, Mapping[str, Any]],
) -> list[Question]:
    """Return ``count`` distinct tasks of the test split for each skill and language.

    The levels take turns. The n-th task in one language is drawn with the seed of the n-th in the
    others. A skill whose tasks have no option ``language`` is asked once.
    """
    questions = []
    for skill, asked in levels.items():
        known = {item.name for item in fields(registry.family(skill).options)}
        for language in languages if "language" in known else [None]:
            given = {**options[skill], **({"language": language} if language else {})}
            made = distinct_tasks(skill, asked, count, seed, **given)
            questions += [Question(task, task.prompt) for task in made]
    return questions


def few_shot_examples(
    family: str,
    levels: Sequence[int],
    count: int,
    seed: int,
    index: int,
    split: str = "test",
    **options: object,
) -> list[Task]:
    """Return worked examples for question ``index``, from another split than its own ``split``.

    The levels take turns, beginning at another one for each question.
    """
    return [
        generate(
            family,
            levels[(index + number) % len(levels)],
            derive_seed("few-shot", seed, index, number),
            **{**options, "split": split_of_examples(split)},
        )
        for number in range(count)
    ]


def in_context(task: Task, given: Sequence[Task]) -> Question:
    """Return a few-shot question: the family's instructions once, the examples, the task."""
    once = next(filter(task.prompt.startswith, registry.family(task.family).instructions), "")
    parts = [f"{other.prompt.removeprefix(once)}\n{other.solution}\n\n" for other in given]
    prompt = f"{once}{''.join(parts)}{task.prompt.removeprefix(once)}"
    return Question(task, prompt, len(given))


def few_shot_questions(
    tasks: Sequence[Task], shots: int, seed: int, split: str = "test", **options: object
) -> list[Question]:
    """Return the tasks of a family as questions, each behind worked examples of its own."""
    levels = list(dict.fromkeys(task.level for task in tasks))
    questions = []
    for index, task in enumerate(tasks):
        given = few_shot_examples(task.family, levels, shots, seed, index, split, **options)
        questions.append(in_context(task, given))
    return questions


def read_questions(path: Path) -> list[Question]:
    """Return the questions of a file of JSON lines, plain or gzipped, or of all in a folder.

    A line has ``family`` or ``task`` (a family's name), ``prompt`` (what the model is asked) and
    what the family's judge reads, in ``verification`` or beside them; and if need be ``level`` (0
    without it), ``language``, and ``id``, which together with ``set`` and ``language`` identifies
    the question. The minimal files of LogicSkills, with ``input`` and ``answer``, are read as well.
    Records keep the other columns as ``verification``, and short ones as ``metadata``. A line that
    can't be asked or judged is a ValueError.
    """
    files = sorted(path.glob("*.jsonl*")) if path.is_dir() else [path]
    if not files or not files[0].is_file():
        raise ValueError(f"questions is {path}, where there is no file of JSON lines; check it.")
    found = [question for file in files for question in _read_file(file)]
    if not found:
        raise ValueError(f"questions is {path}, which holds no line, so nothing would be asked.")
    return found


def _read_file(path: Path) -> Iterator[Question]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rb") as file:
        for number, line in enumerate(lines_of(file), 1):
            if line.strip():
                try:
                    yield _question(json.loads(line.decode()))
                except (AttributeError, LookupError, TypeError, ValueError) as error:
                    raise ValueError(
                        f"{path}, line {number} is no question ({type(error).__name__}: {error}). "
                        "A line needs family or task, prompt, and what the family's judge reads "
                        "(docs/rewards.md)."
                    ) from error


def _question(row: Row) -> Question:
    whole = {**row, **dict(_of_minimal(row))} if "input" in row and "prompt" not in row else row
    name = str(whole["family"] if "family" in whole else whole["task"])
    family, level = registry.family(name), int(whole.get("level", 0))
    rest = {key: value for key, value in whole.items() if key not in ("prompt", "input")}
    judge_of(name).read(rest)  # raises for a malformed one
    answers = (rest[key] for key in _SOLUTIONS if rest.get(key) is not None)
    solution = next(answers, "")
    task = Task(
        family=name,
        level=level,
        seed=0,
        prompt=str(whole["prompt"]),
        solution=solution if isinstance(solution, str) else json.dumps(solution),
        verification=as_mapping(rest.get("verification", rest)),
        metadata={**rest, "tier": family.tier(level) or ""},
    )
    parts = [str(whole[key]) for key in ("set", "language", "id") if key in whole]
    return Question(task, task.prompt, id="/".join(parts) if "id" in row else digest(task.prompt))


def _of_minimal(row: Row) -> Iterator[tuple[str, Any]]:
    """Yield what the judge reads, taken from an item of LogicSkills' minimal files."""
    text, answer = row["input"], row["answer"]
    yield from (("set", "main"), ("prompt", text))
    if row["task"] == "symbolization":
        yield from (("formula", answer), ("label", answer))
    elif row["task"] == "validity":
        options = _NUMBERED.findall(text)
        yield from (("options", options), ("option_sentences", options), ("correct", answer))
        yield "label", ", ".join(map(str, answer))
    else:
        premises, _, conclusion = text.rpartition("Argument:\n\n")[2].rpartition(" |= ")
        domain = _DOMAIN.search(text)
        yield from (("premises", premises.split(", ")), ("conclusion", conclusion.strip()))
        yield "domain", json.loads(domain[1] if domain else "null")
