"""Our readers, engines and judges beside what the authors of LogicSkills published.

    git clone https://github.com/brianrabern/LogicSkills
    python benchmarks/conformance.py --data LogicSkills

The exit status is 1 when an answer that is known to be right or wrong is misjudged.

The folder is the authors' repository, or holds JSON lines, plain or gzipped.
``gold.jsonl``: ``set``, ``task`` (symbolization, countermodel or validity), ``language``, ``id``,
``prompt`` and, by task, ``formula`` and ``key``; ``domain`` (the axiom), ``premises``,
``conclusion``, ``required_domain`` and ``example_countermodel``; ``options``, ``option_sentences``
and ``label``. ``completions.jsonl``: the same four keys, ``model``, ``response`` (raw),
``extracted`` (by the authors' extractor), ``verdict`` (theirs) and, where it is known better,
``recheck``: the verdict on ``extracted`` by two-way equivalence, evaluation or equality of sets.

1. Gold answers must be judged right, and mutants of them (a negation dropped, a quantifier swapped,
   arguments swapped, a conditional converted; a bit of an extension flipped; another label) wrong,
   unless a second check proves that they are still right.
2. Completions of real models, with verdicts, must be judged as those are. Every disagreement is
   printed with both readings of the answer.
3. The paper's Table 2, its comparison of languages and its kinds of errors, by our verdicts.
"""

import argparse
import gzip
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from logic_curriculum.curriculum.evaluation.papers import logicskills
from logic_curriculum.curriculum.evaluation.prompts import read_questions
from logic_curriculum.curriculum.evaluation.records import as_frame, grouped, make_record
from logic_curriculum.curriculum.evaluation.tables import joined, markdown_table
from logic_curriculum.generators import Task
from logic_curriculum.rewards import Verdict, judge_batch
from logic_curriculum.rewards.engines.fol import entails, parse
from logic_curriculum.rewards.engines.fol.syntax import (
    Atom,
    Binary,
    Formula,
    Not,
    Quantified,
    to_ast,
)

Row = Mapping[str, Any]


TASKS = ("symbolization", "validity", "countermodel")
RESULTS = ("*/final_results/*.json", "*/*openai_o3_*.json")
"""The authors' files of results for the paper; those of o3 stand beside the others."""
_RUN = re.compile(r"(?:(english|carroll)_)?(.+)_\d{8}_\d{6}\.json")


class Judged(NamedTuple):
    """A completion and what became of it."""

    row: Row
    question: Task
    verdict: Verdict

    @property
    def expected(self) -> bool:
        """The corrected verdict, or the authors' where that is missing."""
        return bool(self.row.get("recheck", self.row.get("verdict")))

    @property
    def agrees(self) -> bool:
        """Whether both verdicts are the same; an ungradable completion never agrees."""
        return self.verdict.reward is not None and self.verdict.solved == self.expected


def questions_of(folder: Path) -> dict[tuple[str, ...], Task]:
    """Return the questions by key."""
    path = next(folder.glob("gold.jsonl*"), folder / "logicskills" / "data")
    tasks = [question.task for question in read_questions(path)]
    return {key(task.verification): task for task in tasks}


def stored_answers(folder: Path) -> Iterator[Row]:
    """Yield the completions; see the top of this file."""
    results = folder / "results" / "evaluation"
    for path in sorted(folder.glob("completions.jsonl*")):
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)
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


def key(row: Row) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("set", "task", "language", "id"))


def gold_answer(row: Row) -> str:
    """Write a question's gold answer as a model might; nothing where the data has none."""
    if row["task"] == "countermodel":
        return json.dumps(row["example_countermodel"]) if row.get("example_countermodel") else ""
    return str(row["formula" if row["task"] == "symbolization" else "label"])


def formula_mutants(formula: Formula) -> Iterator[tuple[str, Formula]]:
    """Yield each formula that one change somewhere makes, with the name of the change."""
    match formula:
        case Not(body):
            yield "negation dropped", body
        case Quantified("forall"):
            yield "quantifier swapped", replace(formula, quantifier="exists")
        case Quantified("exists"):
            yield "quantifier swapped", replace(formula, quantifier="forall")
        case Binary("imp", left, right):
            yield "conditional converted", Binary("imp", right, left)
        case Atom(predicate, (first, second)) if first != second:
            yield "arguments swapped", Atom(predicate, (second, first))
    for side in ("body", "left", "right"):
        part: Any = getattr(formula, side, None)
        for name, changed in formula_mutants(part) if part else ():
            change: Any = {side: changed}
            yield name, replace(formula, **change)


def structure_mutants(row: Row) -> Iterator[Row]:
    """Yield the example countermodel with one bit of one extension flipped."""
    example, domain = row["example_countermodel"], row["required_domain"]
    pairs = [list(pair) for pair in zip(domain, reversed(domain), strict=True)]
    bits = [(name, element) for name in row["monadic"] for element in domain]
    bits += [(name, pair) for name in row["binary"] for pair in pairs]
    for name, item in bits:
        others = [other for other in example[name] if other != item]
        yield {**example, name: others if item in example[name] else [*others, item]}


def answers(row: Row) -> Iterator[tuple[str, str, bool]]:
    """Yield the gold answer and changed ones: the change, the text, whether it is right.

    A second check says whether a changed answer is still right.
    """
    yield "gold", gold_answer(row), True
    if row["task"] == "symbolization":
        gold = parse(row["formula"])
        for name, formula in formula_mutants(gold):
            both = entails([gold], formula) and entails([formula], gold)
            yield name, str(formula), bool(both)
    elif row["task"] == "countermodel":
        for structure in structure_mutants(row):
            texts = (row["domain"], *row["premises"], row["conclusion"])
            *held, follows = (_true(to_ast(parse(text)), structure, {}) for text in texts)
            yield "bit flipped", json.dumps(structure), all(held) and not follows
    else:
        labels = [str(number + 1) for number in range(len(row["options"]))]
        yield from (("another label", label, False) for label in labels if label != row["label"])
        yield "all labels", ", ".join(labels), False
        yield "none", "None of them", False


def _true(tree: Sequence[Any], structure: Row, values: Mapping[str, int]) -> bool:
    """Evaluate a formula by its definition: slow, and sharing nothing with the judge's engine."""
    match tree:
        case ["pred1", predicate, term]:
            return values.get(term, structure.get(term)) in structure[predicate]
        case ["pred2", predicate, *terms]:
            return [values.get(t, structure.get(t)) for t in terms] in structure[predicate]
        case ["not", body]:
            return not _true(body, structure, values)
        case ["forall" | "exists" as quantifier, variable, body]:
            found = (_true(body, structure, {**values, variable: d}) for d in structure["Domain"])
            return all(found) if quantifier == "forall" else any(found)
        case [connective, left, right]:
            first, second = _true(left, structure, values), _true(right, structure, values)
            meanings = {"and": first and second, "or": first or second, "iff": first == second}
            return {**meanings, "imp": second or not first}[connective]
    raise ValueError(f"{tree!r} is no formula's tree; check the data's formulas.")


def check_answers(gold: Sequence[Row]) -> bool:
    """Print how gold answers and mutants of them are judged; return whether all are as expected."""
    counts: defaultdict[tuple[str, str], list[tuple[bool, ...]]] = defaultdict(list)
    for task in TASKS:
        made = [(row, *answer) for row in gold if row["task"] == task for answer in answers(row)]
        verdicts = judge_batch(task, [item[2] for item in made], [item[0] for item in made])
        for (row, name, answer, right), verdict in zip(made, verdicts, strict=True):
            misjudged = verdict.reward is None or verdict.solved != right
            counts[task, name].append((True, right, not verdict.solved, misjudged))
            if misjudged:
                print(f"misjudged: {key(row)}: {answer}: {verdict.explanation}")
    print("\n## Gold answers and mutants\n")
    header = ("task", "change", "answers", "right", "judged wrong", "misjudged")
    sums = {name: [*map(sum, zip(*found, strict=True))] for name, found in counts.items()}
    print(markdown_table(header, [[*name, *map(str, count)] for name, count in sums.items()]))
    return not any(count[-1] for count in sums.values())


def print_completions(judged: Sequence[Judged]) -> None:
    """Print every disagreement, the agreement, and the paper's tables by our verdicts."""
    print("\n## Disagreements\n")
    for item in judged:
        if item.agrees:
            continue
        row, verdict = item.row, item.verdict
        print(
            f"\n{row['model']} · {row['task']} · {row['language']} · {row['id']}\n"
            f"  ours:   {verdict.solved} · {verdict.answer} · {verdict.explanation}\n"
            f"  theirs: {item.expected} · {row['extracted']} · {row.get('recheck_note') or ''}"
        )
    print("\n## Agreement\n")
    header = ("model", "task", "language", "completions", "agreement", "wrong ones paid")
    groups = grouped(judged, lambda item: (item.row["model"], *key(item.row)[1:3]))
    groups |= grouped(judged, lambda item: ("all", item.row["task"], "all"))
    rows = []
    for columns, items in sorted(groups.items()):
        paid = sum(item.verdict.solved and not item.expected for item in items)
        agree = fmean(item.agrees for item in items)
        rows.append([*columns, str(len(items)), f"{agree:.2%}", str(paid)])
    print(markdown_table(header, rows) + "\n")
    records = [
        make_record(
            item.question,
            item.verdict,
            id="/".join(key(item.row)),
            model=item.row["model"],
            prompt=item.question.prompt,
            completion=item.row["response"],
        )
        for item in judged
    ]
    print(joined(logicskills(as_frame(records))))


def check(folder: Path) -> bool:
    """Print all tables; return whether gold answers and mutants are judged as expected."""
    questions = questions_of(folder)
    completions = list(stored_answers(folder))
    if unknown := {key(row) for row in completions} - questions.keys():
        raise ValueError(
            f"{len(unknown)} completions answer questions that {folder} lacks, such as "
            f"{min(unknown)}. Pass the questions that belong to the completions."
        )
    gold = [task.verification for task in questions.values()]
    is_right = check_answers([row for row in gold if gold_answer(row)])
    judged: list[Judged] = []
    for task in TASKS:
        rows = [row for row in completions if row["task"] == task]
        asked = [questions[key(row)] for row in rows]
        payloads = [question.verification for question in asked]
        verdicts = judge_batch(task, [row["response"] for row in rows], payloads)
        judged += map(Judged, rows, asked, verdicts)
    if judged:
        print_completions(judged)
    return is_right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, type=Path, help="folder with the authors' files")
    try:
        return int(not check(parser.parse_args().data))
    except (OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
