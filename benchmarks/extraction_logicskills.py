"""Does an extraction say what the answer says? Appendix E of LogicSkills, with stored answers.

    git clone https://github.com/brianrabern/LogicSkills
    python benchmarks/extraction_logicskills.py --data LogicSkills
    python benchmarks/extraction_logicskills.py --data LogicSkills --extractor llm.yaml

Of the stored answers of the paper's models a sample is drawn that is balanced over tasks,
languages, and right and wrong ones by the authors' verdict. Each raw response is read by our
reader, and with ``--extractor`` by a language model where the reader finds nothing, as evaluations
do. What was read is compared with what the authors' extractor (GPT-4o) wrote down: the same
formula, structure or set of numbers. Every difference is printed with both, so that one can tell
who is right. ``--data`` is what ``published_logicskills.py`` takes.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance_logicskills import as_json
from published_logicskills import question_of, questions_of, stored_answers

from logic_curriculum.curriculum.evaluation.records import grouped
from logic_curriculum.curriculum.evaluation.statistics import mean_percent
from logic_curriculum.curriculum.evaluation.tables import Table, joined
from logic_curriculum.generators.llm import LanguageModel, load_config
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards import Verdict, judge, judge_batch
from logic_curriculum.rewards.engines.fol import parse_tolerant
from logic_curriculum.rewards.engines.fol.parser import FormulaError
from logic_curriculum.rewards.llm_extraction import judge_with_extractor
from logic_curriculum.rewards.registry import judge_of

Row = Mapping[str, Any]
OUTCOMES = ("same", "nothing read", "another")


def balanced(rows: Sequence[Row], count: int, seed: int) -> list[Row]:
    """Return about ``count`` rows, as many of each task, and in it of each language and verdict."""
    rng, drawn = stream("extraction", seed), []
    for own in (tasks := grouped(rows, lambda row: row["task"])).values():
        cells = grouped(own, lambda row: (row["language"], bool(row["verdict"])))
        for _, cell in sorted(cells.items()):
            each = round(count / len(tasks) / len(cells))
            drawn += rng.sample(cell, min(each, len(cell)))
    return drawn


def content(task: str, answer: str | None, payload: Row) -> object:
    """Return what an answer says, whatever its notation.

    A structure counts for the symbols of the argument; the domain that was asked for goes without
    saying.
    """
    if answer is None or task == "validity":
        return answer
    if task == "symbolization":
        try:
            return parse_tolerant(answer)
        except FormulaError:
            return "".join(answer.split())
    read = judge_of(task).read_payload(payload)
    known = {"domain": list(read.domain), **json.loads(answer)}
    names = ("domain", *read.symbols.arities, *read.symbols.constants)
    values = {name: known[name] for name in names if name in known}
    return {
        n: sorted(value, key=str) if isinstance(value, list) else value
        for n, value in values.items()
    }


def outcome(task: str, verdict: Verdict, stored: Verdict, payload: Row) -> str:
    """Return one of :data:`OUTCOMES`: what was read beside the stored extraction, as it is read."""
    both = [content(task, side.answer, payload) for side in (verdict, stored)]
    if both[0] == both[1]:
        return "same"
    return "nothing read" if verdict.answer is None else "another"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, type=Path, help="folder with the authors' files")
    parser.add_argument("--sample", type=int, default=120, help="answers that are compared")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--extractor", help="language model, name or YAML file; none")
    options = parser.parse_args()
    questions = questions_of(options.data)
    drawn = balanced(list(stored_answers(options.data)), options.sample, options.seed)
    lines = []
    for task, rows in grouped(drawn, lambda row: row["task"]).items():
        payloads = [question_of(row, questions).task.verification for row in rows]
        texts = [row["response"] for row in rows]
        if options.extractor:
            ask = LanguageModel(load_config(options.extractor)).texts
            verdicts = judge_with_extractor(task, texts, payloads, ask)
        else:
            verdicts = judge_batch(task, texts, payloads)
        found = []
        for row, payload, verdict in zip(rows, payloads, verdicts, strict=True):
            written = judge(task, as_json(str(row["extracted"])), payload)
            found.append(outcome(task, verdict, written, payload))
            if found[-1] != "same":
                print(f"\n{row['model']} · {task} · {row['language']} · {row['id']}: {found[-1]}")
                print(f"  ours:   {verdict.solved} · {verdict.answer} · {verdict.explanation}")
                print(f"  stored: {written.solved} · {row['extracted']}")
        counts, asked = Counter(found), sum(v.metrics.get("extracted", 0.0) for v in verdicts)
        share = str(mean_percent([float(each == "same") for each in found]))
        lines.append([task, str(len(rows)), share, *(str(counts[name]) for name in OUTCOMES)])
        lines[-1].append(f"{asked:.0f}")
    header = ["task", "answers", "same (%)", *OUTCOMES, "read by the extractor"]
    print("\n" + joined([Table("Extraction beside the stored one (appendix E)", header, lines)]))


if __name__ == "__main__":
    main()
