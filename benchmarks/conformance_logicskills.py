"""Our extraction and judges beside the LogicSkills authors' data: gold, mutants, completions.

    python benchmarks/conformance_logicskills.py --data DIR

1. The gold answer of every question must be judged right.
2. Mutants of gold answers (a negation dropped, a quantifier swapped, arguments swapped, a
   conditional converted; a bit of an extension flipped; another label) must be judged wrong, unless
   a second check proves that they are still right.
3. Completions of real models, with verdicts, must be judged as those are. Every disagreement is
   printed with a category that is computed from evidence, and with both readings of the answer.

The exit status is 1 when a gold answer or mutant is misjudged, agreement is below a floor, or more
than two in a thousand wrong answers are paid.

DIR holds JSON lines, plain or gzipped. ``gold.jsonl``: ``set``, ``task`` (symbolization,
countermodel or validity), ``language``, ``id`` and, by task, ``formula`` and ``key``; ``domain``
(the axiom), ``premises``, ``conclusion``, ``required_domain`` and ``example_countermodel``;
``options``, ``option_sentences`` and ``label``. ``completions.jsonl``: the same four keys,
``model``, ``response`` (raw), ``extracted`` (by the authors' extractor) and ``recheck``, the
verdict on ``extracted`` by two-way equivalence, evaluation or equality of sets. Files as the
authors publish them need these names; ``recheck`` is theirs, ``verdict``, where that is missing.
"""

import argparse
import ast
import gzip
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from logic_curriculum.curriculum.evaluation.records import grouped
from logic_curriculum.rewards import Verdict, judge_batch
from logic_curriculum.rewards.engines.fol import entails, parse, parse_tolerant, syntax
from logic_curriculum.rewards.engines.fol.parser import FormulaError
from logic_curriculum.rewards.engines.fol.syntax import Atom, Binary, Formula, Not, Quantified

FLOORS = {"symbolization": 0.98, "validity": 0.97, "countermodel": 0.98}
"""Least agreement; their prompts asked for no block, so some prose is lost."""
MOST_PAID = 0.002  # most wrong answers that are paid, as a share of the completions
BATCH = 256

Row = Mapping[str, Any]


class Judged(NamedTuple):
    """A completion and what became of it."""

    row: Row
    gold: Row
    verdict: Verdict
    expected: bool  # the corrected verdict, or the authors' where that is missing

    @property
    def agrees(self) -> bool:
        """Whether both verdicts are the same; an ungradable completion never agrees."""
        return self.verdict.reward is not None and self.verdict.solved == self.expected


def read_rows(folder: Path, name: str) -> list[Row]:
    """Read ``name`` or ``name.gz``."""
    for path, read in ((folder / name, open), (folder / f"{name}.gz", gzip.open)):
        if path.is_file():
            with read(path, "rt", encoding="utf-8") as file:
                if rows := [json.loads(line) for line in file if line.strip()]:
                    return rows
            sys.exit(f"{path} has no line. Pass --data a folder whose files have rows.")
    sys.exit(
        f"{folder} holds neither {name} nor {name}.gz. Pass --data the folder with the LogicSkills "
        "authors' files; this script's docstring lists their fields."
    )


def key(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in ("set", "task", "language", "id"))


def gold_answer(row: Row) -> str:
    """Write a question's gold answer as a model might."""
    if row["task"] == "countermodel":
        return json.dumps(row["example_countermodel"])
    return str(row["formula" if row["task"] == "symbolization" else "label"])


def judge_rows(task: str, answers: Sequence[str], rows: Sequence[Row]) -> list[Verdict]:
    """Judge in batches of 256, as a trainer does."""
    chunks = (slice(start, start + BATCH) for start in range(0, len(rows), BATCH))
    return [v for chunk in chunks for v in judge_batch(task, answers[chunk], rows[chunk])]


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a Markdown table, its first columns to the left."""
    align = [":---" if isinstance(cell, str) else "---:" for cell in rows[0]]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in (header, align, *rows))


def check_gold(gold: Sequence[Row]) -> bool:
    """Print how many gold answers are judged right; return whether all are."""
    counts: defaultdict[tuple[str, ...], list[bool]] = defaultdict(list)
    for task in FLOORS:
        rows = [row for row in gold if row["task"] == task]
        verdicts = judge_rows(task, [gold_answer(row) for row in rows], rows)
        for row, verdict in zip(rows, verdicts, strict=True):
            counts[row["set"], task, row["language"]].append(verdict.solved)
            if not verdict.solved:
                print(f"misjudged gold: {key(row)}: {verdict.explanation}")
    print("\n## Gold answers\n")
    header = ("set", "task", "language", "questions", "right")
    print(table(header, [[*name, len(found), sum(found)] for name, found in counts.items()]))
    return all(map(all, counts.values()))


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
    for field in ("body", "left", "right"):
        part: Any = getattr(formula, field, None)
        for name, changed in formula_mutants(part) if part else ():
            change: Any = {field: changed}
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


def mutants(row: Row) -> Iterator[tuple[str, str, bool]]:
    """Yield the change, the changed answer, and whether it is still right by a second check."""
    if row["task"] == "symbolization":
        gold = parse(row["formula"])
        for name, formula in formula_mutants(gold):
            both = entails([gold], formula) and entails([formula], gold)
            yield name, str(formula), bool(both)
    elif row["task"] == "countermodel":
        for structure in structure_mutants(row):
            texts = (row["domain"], *row["premises"], row["conclusion"])
            *held, follows = (_true(syntax.to_ast(parse(text)), structure, {}) for text in texts)
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


def check_mutants(gold: Sequence[Row]) -> bool:
    """Print how mutated gold answers are judged; return whether none is misjudged."""
    counts: defaultdict[tuple[str, str], list[tuple[bool, ...]]] = defaultdict(list)
    for task in FLOORS:
        made = [(row, *mutant) for row in gold if row["task"] == task for mutant in mutants(row)]
        verdicts = judge_rows(task, [item[2] for item in made], [item[0] for item in made])
        for (row, name, answer, still_right), verdict in zip(made, verdicts, strict=True):
            misjudged = verdict.reward is None or verdict.solved != still_right
            counts[task, name].append((True, still_right, not verdict.solved, misjudged))
            if misjudged:
                print(f"misjudged mutant: {key(row)}: {answer}: {verdict.explanation}")
    print("\n## Mutated gold answers\n")
    header = ("task", "mutation", "made", "provably still right", "judged wrong", "misjudged")
    sums = {name: [*map(sum, zip(*found, strict=True))] for name, found in counts.items()}
    print(table(header, [[*name, *count] for name, count in sums.items()]))
    return not any(count[-1] for count in sums.values())


def check_completions(gold: Sequence[Row], completions: Sequence[Row]) -> bool:
    """Print agreement and every disagreement; return whether the floors are reached."""
    questions = {key(row): row for row in gold}
    judged: dict[str, list[Judged]] = {}
    speed = []
    for task in FLOORS:
        if not (rows := [row for row in completions if row["task"] == task]):
            continue
        asked = [questions[key(row)] for row in rows]
        wall, cpu = time.perf_counter(), time.process_time()
        verdicts = judge_rows(task, [row["response"] for row in rows], asked)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        speed.append([task, len(rows), f"{len(rows) / wall:,.0f}", f"{len(rows) / cpu:,.0f}"])
        expected = [bool(row.get("recheck", row.get("verdict"))) for row in rows]
        judged[task] = list(map(Judged, rows, asked, verdicts, expected))
    every = [item for items in judged.values() for item in items]
    print_disagreements([(item, category(item)) for item in every if not item.agrees])
    print("\n## Agreement\n")
    header = ("model", "task", "language", "completions", "agree", "agreement", "solved", "theirs")
    print(table(header, agreement(every)))
    print(f"\n## Speed\n\nIn batches of {BATCH}, extraction included, each judged once.\n")
    print(table(("task", "completions", "per second", "per second of CPU"), speed))
    reached = [print_total(task, items) for task, items in judged.items()]
    return all(reached)


def agreement(judged: Sequence[Judged]) -> list[list[Any]]:
    """Return a line for each model, task and language."""
    columns = ("model", "task", "language")
    groups = grouped(judged, lambda item: tuple(item.row[name] for name in columns))
    rows = []
    for name, items in sorted(groups.items()):
        agree = sum(item.agrees for item in items)
        solved = fmean(item.verdict.solved for item in items)
        expected = fmean(item.expected for item in items)
        scores = (f"{agree / len(items):.2%}", f"{solved:.3f}", f"{expected:.3f}")
        rows.append([*name, len(items), agree, *scores])
    return rows


def print_total(task: str, items: Sequence[Judged]) -> bool:
    agree = fmean(item.agrees for item in items)
    paid = fmean(item.verdict.solved and not item.expected for item in items)
    reached = agree >= FLOORS[task] and paid <= MOST_PAID
    print(
        f"\n{task}: {agree:.2%} of {len(items)} agree, floor {FLOORS[task]:.0%}; wrong ones paid "
        f"{paid:.2%}, at most {MOST_PAID:.1%}: {'reached' if reached else 'MISSED'}"
    )
    return reached


def category(item: Judged) -> str:
    """Say what a disagreement comes from, by evidence."""
    task, ours, extracted = item.row["task"], item.verdict.answer, str(item.row["extracted"])
    if item.verdict.reward is None:
        return "we can't tell"
    if task != "validity":
        (theirs,) = judge_batch(task, [as_json(extracted)], [item.gold])
        if theirs.solved != item.expected:
            return "judges differ on the same answer"
    if ours is None:
        return "we find no answer"
    if task == "countermodel":
        return "structures read differ"
    if task == "symbolization":
        try:
            parse_tolerant(ours)
        except FormulaError:
            return "extractor repaired what is no formula"
        return "formulas read differ"
    labels = {part.strip() for part in extracted.split(",")}
    if not all(label.isdecimal() for label in labels):
        return "extractor finds no answer"
    return "we read more labels" if set(ours.split(", ")) > labels else "labels read differ"


def as_json(extracted: str) -> str:
    """Return the authors' extracted answer as text; structures are written in Python there."""
    try:
        return json.dumps(ast.literal_eval(extracted))
    except (ValueError, SyntaxError):
        return extracted


def print_disagreements(found: Sequence[tuple[Judged, str]]) -> None:
    print("\n## Disagreements\n")
    for name, count in Counter(name for _, name in found).most_common():
        print(f"- {count} × {name}")
    for item, name in found:
        row, verdict = item.row, item.verdict
        note = row.get("recheck_note") or ""
        print(
            f"\n{row['model']} · {row['task']} · {row['language']} · {row['id']}: {name}\n"
            f"  ours:   {verdict.solved} · {verdict.answer} · {verdict.explanation}\n"
            f"  theirs: {item.expected} · {row['extracted']} · {note}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, type=Path, help="folder with the authors' files")
    arguments = parser.parse_args()
    gold = read_rows(arguments.data, "gold.jsonl")
    completions = read_rows(arguments.data, "completions.jsonl")
    if unknown := set(map(key, completions)) - set(map(key, gold)):
        sys.exit(
            f"{len(unknown)} completions answer questions that gold.jsonl lacks, such as "
            f"{min(unknown)}. Pass the questions that belong to the completions."
        )
    passed = [check_gold(gold), check_mutants(gold), check_completions(gold, completions)]
    return int(not all(passed))


if __name__ == "__main__":
    sys.exit(main())
