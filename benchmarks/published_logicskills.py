"""The answers that the LogicSkills authors published, judged here: Table 2, figures and errors.

    git clone https://github.com/brianrabern/LogicSkills
    python benchmarks/published_logicskills.py --data LogicSkills --out runs/published-logicskills

DIR is their repository, with ``logicskills/data/*.jsonl`` and ``results/evaluation``, or a folder
as ``conformance_logicskills.py`` reads it. The folder gets ``tables.md`` and ``figures.png``. A
file of results that is not there leaves its setting out.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from conformance_logicskills import read_rows

from logic_curriculum.curriculum.evaluation import logicskills
from logic_curriculum.curriculum.evaluation.charts import save
from logic_curriculum.curriculum.evaluation.questions import Question, read_questions
from logic_curriculum.curriculum.evaluation.records import grouped, make_record
from logic_curriculum.curriculum.evaluation.tables import joined
from logic_curriculum.rewards import judge_batch

Row = Mapping[str, Any]
_RUN = re.compile(r"(?:(english|carroll)_)?(.+)_\d{8}_\d{6}\.json")
RESULTS = ("*/final_results/*.json", "*/*openai_o3_*.json")
"""The authors' files for the paper; those of o3 stand beside the others."""


def questions_of(folder: Path) -> dict[tuple[str, str], Question]:
    """Return the questions by task and key."""
    own, whole = sorted(folder.glob("gold.jsonl*")), folder / "logicskills" / "data"
    if not own and not whole.is_dir():
        sys.exit(f"{folder} holds no questions; this script's docstring says what --data is.")
    found = read_questions(own[0] if own else whole)
    return {(question.task.family, question.id): question for question in found}


def stored_answers(folder: Path) -> Iterator[Row]:
    """Yield answers: set, task, language, id, model, response, extracted, and their verdict."""
    results = folder / "results" / "evaluation"
    if not results.is_dir():
        yield from read_rows(folder, "completions.jsonl")
        return
    for path in sorted(path for pattern in RESULTS for path in results.glob(pattern)):
        named = _RUN.fullmatch(path.name)
        task = path.relative_to(results).parts[0]
        for row in json.loads(path.read_text(encoding="utf-8"))["results"]:
            extracted = row["extracted_answer"]
            if task == "symbolization" and isinstance(extracted, dict):
                extracted = extracted.get("formula")
            yield {
                **{"set": "main", "task": task, "language": (named and named[1]) or "formal"},
                **{"id": row["question_id"], "model": named[2] if named else path.stem},
                **{"response": row["model_response"], "extracted": extracted},
                "verdict": row["is_correct"] is True,
            }


def question_of(row: Row, questions: Mapping[tuple[str, str], Question]) -> Question:
    return questions[row["task"], f"{row['set']}/{row['language']}/{row['id']}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, type=Path, help="folder with the authors' files")
    parser.add_argument("--out", required=True, type=Path, help="folder for tables")
    arguments = parser.parse_args()
    questions, records = questions_of(arguments.data), []
    arguments.out.mkdir(parents=True, exist_ok=True)
    answers = grouped(stored_answers(arguments.data), lambda row: (row["model"], row["task"]))
    for (model, task), rows in answers.items():
        asked = [question_of(row, questions) for row in rows]
        texts = [row["response"] for row in rows]
        verdicts = judge_batch(task, texts, [question.task.verification for question in asked])
        for question, text, verdict in zip(asked, texts, verdicts, strict=True):
            said = {"prompt": question.prompt, "completion": text, "model": model}
            records.append(make_record(question.task, verdict, id=question.id, **said))
    text = joined(logicskills.tables(records))
    (arguments.out / "tables.md").write_text(text, encoding="utf-8")
    save(arguments.out / "figures.png", logicskills.charts(records), columns=1)
    print(text)


if __name__ == "__main__":
    main()
