"""Judge a file of predictions: ``logic-curriculum judge slr --predictions FILE.jsonl``.

Each line is a JSON object with ``completion`` (or ``prediction``), and with ``verification`` or
the columns of a published data set. A line that can't be judged is named and counted, never
scored. The exit status is 1 when there was such a line. With ``--out``, the same command continues
where a kill ended it.
"""

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from logic_curriculum.rewards.engines.prolog.pool import cores
from logic_curriculum.rewards.lines import Line, chunks, judge_chunk
from logic_curriculum.rewards.parallel import Progress, in_order
from logic_curriculum.rewards.registry import JUDGES, installed_families, judge_of
from logic_curriculum.rewards.resuming import lines_to
from logic_curriculum.rewards.scores import Scores
from logic_curriculum.rewards.text_files import lines_of

MOST_ERRORS = 1000  # different errors that are counted; further ones are printed line by line


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        allow_abbrev=False,
        prog="logic-curriculum judge",
        description="Judge a file of predictions.",
    )
    add = parser.add_argument
    families = [*JUDGES, *installed_families()]
    add("family", nargs="?", choices=families, help="family of the file's tasks")
    add("--family", dest="named", choices=families, help="the same as an option")
    add("--predictions", required=True, type=Path, help="JSON lines to judge")
    add("--out", type=Path, help="where to write one verdict per line, as JSON")
    add("--num-proc", type=int, metavar="N", help="processes that judge; default: one per CPU")
    arguments = parser.parse_args(argv)
    if (arguments.family is None) == (arguments.named is None):
        parser.error(f"name one family of tasks: judge {' | '.join(families)}")
    arguments.family = arguments.family or arguments.named
    predictions, out = arguments.predictions, arguments.out
    if not predictions.is_file():
        parser.error(f"--predictions {predictions} is no file; name one of JSON lines")
    if out is not None and out.resolve() == predictions.resolve():
        parser.error(f"--out {out} is the file of predictions; name another for the verdicts")
    if out is not None and out.exists() and not out.is_file():
        parser.error(f"--out {out} is no file; name one for the verdicts")
    if arguments.num_proc is not None and arguments.num_proc < 1:
        parser.error(f"--num-proc {arguments.num_proc}: at least 1 process judges; or leave it out")
    try:
        judge_of(arguments.family)
    except ValueError as error:
        parser.error(str(error))
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = _arguments(argv)
    try:
        return _judge(arguments)
    except BrokenPipeError:
        raise  # nobody reads the table
    except OSError as error:
        reading = error.filename == str(arguments.predictions)
        given, done = ("predictions", "read") if reading else ("out", "written")
        path = vars(arguments)[given]
        place = f"--{given} {path}" if path else "The standard output"
        place = f"{place} can't be {done}: {error.strerror}"
        print(f"{place}. When that is fixed, the same command continues.", file=sys.stderr)
    except (ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted; with --out, the same command continues", file=sys.stderr)
        return 130
    return 1


def _judge(arguments: argparse.Namespace) -> int:
    family, predictions, out = arguments.family, arguments.predictions, arguments.out
    num_proc, began, scores = arguments.num_proc or cores(), time.monotonic(), Scores()
    made_of, total = _describe(family, predictions)
    if not total:
        raise ValueError(f"{predictions} has no line to judge")
    _warn_of_solutions(predictions)
    with lines_to(out, made_of) as verdicts, predictions.open("rb") as lines:
        done = 0
        for line in verdicts.earlier():
            scores.add(line)
            done = line["line"]
        before = scores.lines
        progress, told = Progress(family, "lines", total, before), Counter[str]()
        for judged in _verdicts(family, chunks(lines_of(lines), done), num_proc):
            verdicts.add(judged)
            for line in judged:
                scores.add(line)
                if "error" in line:
                    _tell(line, told)
            progress.add(len(judged))
    for error, count in told.items():
        if count > 1:
            print(f"{count} lines in all: {error}", file=sys.stderr)
    print(scores.table(), flush=True)
    seconds = time.monotonic() - began
    earlier = f", {before} of them earlier" if before else ""
    where = f"; the verdicts are in {out}" if out else ""
    print(f"{scores.lines} lines judged in {seconds:.0f} s{earlier}{where}", file=sys.stderr)
    return int(scores.errors > 0)


def _tell(line: Mapping[str, Any], told: Counter[str]) -> None:
    """Print why a line has no verdict, if it is the first one with this error, and count it."""
    error = line["error"]
    if error not in told:
        print(f"line {line['line']}: {error}", file=sys.stderr)
    if error in told or len(told) < MOST_ERRORS:
        told[error] += 1


def _warn_of_solutions(predictions: Path) -> None:
    """Say that the answers are solutions, if the first row is one of a dataset's as it is."""
    with predictions.open("rb") as lines:
        first = next((line for line in lines_of(lines) if line.strip()), b"")
    try:
        row = json.loads(first)
    except (ValueError, RecursionError):
        return  # its line says so
    if (
        isinstance(row, dict)
        and "prediction" not in row
        and {"completion", "level", "seed"} <= {*row}
    ):
        print(
            f"{predictions} has rows of a dataset without a 'prediction': what is judged is their "
            "'completion', which is the solution unless you wrote a model's answer there.",
            file=sys.stderr,
        )


def _verdicts(
    family: str, work: Iterator[list[Line]], num_proc: int
) -> Iterator[list[dict[str, Any]]]:
    """Yield what is written of each chunk, in order; a single one starts no process."""
    judge = partial(judge_chunk, family=family)
    first = list(islice(work, 2))
    if len(first) < 2:
        yield from map(judge, first)
    else:
        yield from in_order(judge, chain(first, work), num_proc)


def _describe(family: str, predictions: Path) -> tuple[dict[str, Any], int]:
    """Return the facts that decide verdicts, and the number of lines that are not blank."""
    digest, count = hashlib.sha256(), 0
    with predictions.open("rb") as lines:
        for line in lines_of(lines):
            if not count and b"\x00" in line:
                raise ValueError(f"{predictions} is no text: name a file of JSON lines")
            digest.update(line)
            count += bool(line.strip())
    judge = judge_of(family)
    return {"family": family, **judge.versions, "predictions": digest.hexdigest()}, count


if __name__ == "__main__":
    sys.exit(main())
