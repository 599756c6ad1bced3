"""Speed of generators and judges on one core, as Markdown tables.

    python benchmarks/speed.py generate sat [--preset hard3sat] [--levels 4 10] [--tasks 300]
    python benchmarks/speed.py generate countermodel validity --seconds 6 --naive 30
    python benchmarks/speed.py judge_slr [--levels 1 8 20] [--seconds 2]     # about two minutes
    python benchmarks/speed.py judge_loginum [--tasks 30]                    # about a minute

``generate`` counts whole tasks, prompts included, after a warm-up. Tasks are equal if their
fingerprints are. ``--naive`` sets the naive way to LogicSkills arguments beside them: draw premises
and conclusions at random, and ask the solver about each.

``judge_slr`` sets ``slr_reward``, with all that a trainer pays for, beside the published design: a
``swipl`` process for each prediction, which loads a file with the validation program. Every group
of 16 completions has a row that was not seen before. The designs take turns.

``judge_loginum`` judges three kinds of completions: *in-format* ones reason as the prompts ask for
and are right; *wrong* ones have a wrong number, rule or fact in one of the steps; *free-form* ones
think aloud for some 200 words and then summarize in Markdown, in other notation. A group shares its
task, as under GRPO, so that its payload (JSON text) is read once. Reading it is part of the figure,
making the tasks is not. Each group is judged 40 times, its payload unread each time, and the
quickest counts, so that other work disturbs little.
"""

import argparse
import itertools
import json
import os
import platform
import random
import re
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from logic_curriculum.generators import Task, families, generate
from logic_curriculum.generators.logicskills import constructions
from logic_curriculum.generators.logicskills.lexicon import DOMAIN_AXIOM
from logic_curriculum.generators.logicskills.sentences import Sentence, compound, simple_sentences
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.seeding import stream
from logic_curriculum.rewards import judge_batch, slr_reward
from logic_curriculum.rewards.engines.fol import entails, satisfiable
from logic_curriculum.rewards.engines.prolog import swipl_path
from logic_curriculum.rewards.engines.prolog.pool import WORKERS_VARIABLE


def print_machine(note: str = "") -> None:
    """Print the processor, its number of cores, the version of Python and the load."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    print(
        f"{found[1] if found else platform.machine()}, {os.cpu_count()} cores · "
        f"Python {platform.python_version()} · load {os.getloadavg()[0]:.1f} at the start{note}\n"
    )


def use_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


# ---- generators ---------------------------------------------------------------------------------


def time_generators(arguments: argparse.Namespace) -> None:
    print_machine()
    print("| family | level | characters | distinct | tasks/s | per CPU s | CPU min for 100,000 |")
    print(f"|---|---|{'---:|' * 5}")
    options = {} if arguments.preset is None else {"preset": arguments.preset}
    for name in arguments.families:
        costs = []
        for level in arguments.levels or family(name).levels(arguments.preset):
            warm_up = 1 if arguments.seconds else arguments.tasks
            for seed in range(-warm_up, 0):
                generate(name, level, seed, **options)
            wall, cpu = time.perf_counter(), time.process_time()
            tasks: list[Task] = []
            for seed in itertools.count():
                spent = time.process_time() - cpu
                if spent >= arguments.seconds if arguments.seconds else seed == arguments.tasks:
                    break
                tasks.append(generate(name, level, seed, **options))
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            distinct = len({family(name).fingerprint(task) for task in tasks})
            characters = fmean(len(task.prompt) for task in tasks)
            costs.append((wall / len(tasks), cpu / len(tasks)))
            cells = f"{characters:.0f} | {distinct:,} of {len(tasks):,} | {_rates(*costs[-1])}"
            print(f"| {name} | {level} | {cells} |", flush=True)
        means = (fmean(column) for column in zip(*costs, strict=True))
        print(f"| {name} | all | | | {_rates(*means)} |", flush=True)
    if seconds := arguments.naive:
        found = naive_arguments(seconds)
        print(
            f"\nThe naive way: {found} valid arguments in {seconds:.0f} CPU seconds, "
            f"{found / seconds:.2f} per CPU second, without distractors"
        )


def _rates(wall: float, cpu: float) -> str:
    """Write the rates of tasks of which one takes so many seconds."""
    return f"{1 / wall:,.0f} | {1 / cpu:,.0f} | {100_000 * cpu / 60:.1f}"


def naive_arguments(seconds: float) -> int:
    """Count the valid arguments that a solver call for each of 20 conclusions finds.

    They follow from consistent premises, but not from a single one.
    """
    found, end = 0, time.process_time() + seconds
    for number in itertools.count():
        if time.process_time() >= end:
            break
        rng = stream("naive", number)
        premises = [random_sentence(rng).formula for _ in range(rng.randint(3, 5))]
        goals = [random_sentence(rng).formula for _ in range(20)]
        found += any(
            entails([DOMAIN_AXIOM, *premises], goal) is True
            and satisfiable([DOMAIN_AXIOM, *premises]) is True
            and all(entails([DOMAIN_AXIOM, premise], goal) is False for premise in premises)
            for goal in goals
        )
    return found


def random_sentence(rng: random.Random) -> Sentence:
    """Draw a sentence of a published type; clauses of compounds have at most one quantifier."""
    symbols = constructions.Vocabulary("abc", "MNO", "FG", "PQ")
    name = rng.choice(constructions.PUBLISHED_TYPES)
    if name in constructions.SIMPLE_TYPES:
        return rng.choice(simple_sentences((name,), symbols))
    shapes = [shape for clauses in (2, 3, 4) for shape in constructions.SHAPES[clauses]]
    nested = [shape for shape in shapes if constructions.depth(shape) <= 2]
    shape = rng.choice([shape for shape in nested if constructions.shape_type(shape) == name])
    clauses = simple_sentences(constructions.types_of("literal", "one"), symbols)
    return compound(shape, rng.sample(clauses, constructions.leaves(shape)))


# ---- judge of SLR -------------------------------------------------------------------------------

BOUNDS = {1: "250× | 500×", 8: "150× | 400×", 20: "60× | 150×"}
"""Level → floor and aim of the speed-up."""
GROUP = 16
ROUNDS = 5
STYLES = (
    "eastbound(T) :- \\+ (has_car(T, C), car_color(C, red)).",
    "eastbound(T) :- has_car(T, A), has_car(T, B), A \\= B, car_color(A, X), car_color(B, X).",
    "eastbound(T) :- findall(C, (has_car(T, C), car_color(C, green)), L), length(L, N), N > 0.",
    "eastbound(T) :- forall((has_car(T, C), has_wall(C, full)), car_len(C, long)).",
    "eastbound(T) :- findall(X, (has_car(T, C), car_color(C, X)), L), sort(L, S), length(L, N), "
    "length(S, N).",
    "eastbound(T) :- findall(N, (has_car(T, C), car_num(C, N)), L), max_list(L, M), "
    "has_car(T, D), car_num(D, M), car_color(D, white).",
)
FAILURES = (
    "eastbound(T) :- has_car(T, C).",
    "eastbound(T) :- has_car(T, C), car_color(C, red)",
    "eastbound(T) :- T = train0.",
    "The rule is that some car is red.",
)
CHECK = """
check :-
    findall(T, (labelled_eastbound(T), \\+ catch(eastbound(T), _, fail)), Missed),
    findall(T, (labelled_westbound(T), catch(eastbound(T), _, fail)), Wrong),
    length(Missed, M), length(Wrong, W), format("~w ~w~n", [M, W]).
"""


class Group(NamedTuple):
    """A task and 16 predictions for it."""

    program: str  # for validation
    verification: str  # the payload as JSON text
    predictions: Sequence[str]


def make_groups(level: int, count: int) -> list[Group]:
    """Make tasks, each with 16 predictions.

    One is the right rule, two are failures (over-general, unreadable, naming an example, prose),
    three are rules in the styles of appendix E, ten are rules of other tasks of the level.
    """
    tasks = [generate("slr", level=level, seed=seed) for seed in range(count)]
    rules = [str(task.metadata["rule"]) for task in tasks]
    groups = []
    for index, task in enumerate(tasks):
        kinds = ((rules, 1), (FAILURES, 2), (STYLES, 3), ((*rules[1:], rules[0]), GROUP - 6))
        predictions = [
            texts[(index + n) % len(texts)] for texts, most in kinds for n in range(most)
        ]
        program = task.verification["validation_program"]
        groups.append(Group(program, task.to_row()["verification"], predictions))
    return groups


def judge_published(group: Group, _: Sequence[str]) -> int:
    """Judge the first prediction as the published design does: a file, a process."""
    labels = group.program.replace("eastbound(", "labelled_eastbound(")
    program = labels.replace("westbound(", "labelled_westbound(")
    with tempfile.NamedTemporaryFile("w", suffix=".pl") as file:
        file.write(f":- style_check(-discontiguous).\n{program}\n{group.predictions[0]}\n{CHECK}")
        file.flush()
        command = [swipl_path(), "-q", "-f", "none", "-s", file.name, "-g", "check", "-t", "halt"]
        subprocess.run(command, capture_output=True, timeout=60, check=True)
    return 1


def judge_by_reward(group: Group, rows: Sequence[str]) -> int:
    """Judge all predictions by the reward function."""
    completions = [f"[RULE]{prediction}[/RULE]" for prediction in group.predictions]
    return len(slr_reward(completions=completions, verification=rows))


DESIGNS = {"published": judge_published, "slr_reward": judge_by_reward}


def take_turns(groups: Sequence[Group], seconds: float) -> dict[str, float]:
    """Return the judgements per second of each design, the median of rounds that take turns."""
    rates: dict[str, list[float]] = {name: [] for name in DESIGNS}
    turns = {name: itertools.cycle(groups) for name in DESIGNS}
    for name, judge in [*DESIGNS.items()] * ROUNDS:
        spent, judged = 0.0, 0
        while spent < seconds:
            group = next(turns[name])
            # Each row is a text of its own, as a dataset gives it.
            rows = ["".join(["{", group.verification[1:]]) for _ in group.predictions]
            started = time.perf_counter()
            judged += judge(group, rows)
            spent += time.perf_counter() - started
        rates[name].append(judged / spent)
    return {name: median(values) for name, values in rates.items()}


def time_judge_slr(arguments: argparse.Namespace) -> None:
    os.environ[WORKERS_VARIABLE] = "1"
    use_one_core()
    subprocess.run([swipl_path(), "--version"], check=True)
    print_machine(" · one core used")
    print("judgements per second, groups of 16, a fresh row for each group\n")
    print("| level | published | slr_reward | × | floor | aim |\n|---:|---:|---:|---:|---:|---:|")
    for level in arguments.levels:
        groups = make_groups(level, arguments.tasks)
        for judge in DESIGNS.values():
            judge(groups[0], [groups[0].verification] * GROUP)
        rates = take_turns(groups, arguments.seconds)
        base, rate, bounds = rates["published"], rates["slr_reward"], BOUNDS.get(level, "× | ×")
        print(f"| {level} | {base:.0f} | {rate:,.0f} | {rate / base:.0f}× | {bounds} |", flush=True)


# ---- judge of LogiNumSynth ----------------------------------------------------------------------

_CONCLUSION = re.compile(r"=>> (int_\d+): (.*)")


def with_premises_shuffled(solution: str, payload: Mapping[str, Any], rng: random.Random) -> str:
    """Return the solution with the premises of each step in another order."""
    lines = []
    for line in solution.split("\n"):
        basis, arrow, rest = line.partition(" =>> ")
        lines.append(" & ".join(rng.sample(parts := basis.split(" & "), len(parts))) + arrow + rest)
    return "\n".join(lines)


def wrong(solution: str, payload: Mapping[str, Any], rng: random.Random) -> str:
    """Return the solution with a wrong number, rule or fact in one step."""
    text = with_premises_shuffled(solution, payload, rng)
    pattern, high = rng.choice(
        ((r"(?<=rule_)\d+", len(payload["rules"])), (r"(?<=fact_)\d+", len(payload["facts"])))
        if rng.random() < 0.5
        else ((r"(?<= is )-?\d+$", 999), (r"(?<=boxed\{)-?\d+", 999))
    )
    if not (places := list(re.finditer(pattern, text, re.MULTILINE))):
        return text
    place = rng.choice(places)
    return f"{text[: place.start()]}{rng.randint(1, high)}{text[place.end() :]}"


def free_form(solution: str, payload: Mapping[str, Any], rng: random.Random) -> str:
    """Return the solution, or a wrong one, as a model that thinks aloud might write it."""
    body = (wrong if rng.random() < 0.5 else with_premises_shuffled)(solution, payload, rng)
    arrow = rng.choice(("→", "->", "=>", "⇒", "$\\Rightarrow$"))
    thoughts = [f"Let's find {payload['query']}. I go through the facts and the rules."]
    for number in rng.sample(range(1, len(payload["facts"]) + 1), 8):
        thoughts.append(
            f"Fact {number} says {payload['facts'][number - 1]}, so maybe a rule applies to it; "
            f"rule {rng.randint(1, len(payload['rules']))} could, if its other condition holds."
        )
    steps = [
        "- " + _CONCLUSION.sub(lambda found: f"{arrow} **{found[1]}**: {found[2]}", line)
        for line in body.replace("'", "’").replace("fact_", "fact ").split("\n")[1:-1]
    ]
    answer = f"**Answer:** {body.split()[-1]}"
    return "\n".join((*thoughts, "", "## Final Summary", *steps, "", answer))


KINDS = {"in-format": with_premises_shuffled, "wrong": wrong, "free-form": free_form}


def rate_of(
    tasks: Sequence[tuple[Mapping[str, Any], str]], kind: str, group: int
) -> tuple[float, float]:
    """Return judgements per second of CPU time, and the mean process accuracy."""
    rng, seconds, scores = random.Random(group), 0.0, []
    for payload, solution in tasks:
        completions = [KINDS[kind](solution, payload, rng) for _ in range(group)]
        times = []
        for turn in range(40):
            rows = [json.dumps({**payload, "turn": [turn, kind, group]})] * group
            texts = [f"Turn {turn}.\n{text}" for text in completions]  # verdicts are kept by text
            started = time.process_time()
            verdicts = judge_batch("loginum", texts, rows)
            times.append(time.process_time() - started)
        seconds += min(times)
        scores += [verdict.partial for verdict in verdicts]
    return len(scores) / seconds, fmean(scores)


def time_judge_loginum(arguments: argparse.Namespace) -> None:
    use_one_core()
    print_machine(" · judgements per second of CPU time, one core used")
    print("| dataset | completions | mean process accuracy | groups of 8 | groups of 1 |")
    print("|---|---|---|---|---|")
    for preset in ("EL-EN", "EL-HN", "HL-EN", "HL-HN"):
        depths = itertools.cycle(family("loginum").levels(preset))
        seeds = zip(depths, range(arguments.tasks), strict=False)
        made = [generate("loginum", depth, seed, preset=preset) for depth, seed in seeds]
        tasks = [(task.verification, task.solution) for task in made]
        for kind in KINDS:
            (eight, score), (one, _) = (rate_of(tasks, kind, group) for group in (8, 1))
            print(f"| {preset} | {kind} | {score:.2f} | {eight:,.0f} | {one:,.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("generate", help="generators of families")
    command.set_defaults(run=time_generators)
    command.add_argument("families", nargs="+", choices=families())
    command.add_argument("--preset", help="a published dataset instead of the ladder of levels")
    command.add_argument("--levels", type=int, nargs="*", help="all by default")
    command.add_argument("--tasks", type=int, default=300, help="tasks of each level")
    command.add_argument("--seconds", type=float, help="CPU seconds for each level, for --tasks")
    command.add_argument("--naive", type=float, default=0, help="CPU seconds of the naive way")
    command = commands.add_parser("judge_slr", help="slr_reward beside the published design")
    command.set_defaults(run=time_judge_slr)
    command.add_argument("--levels", type=int, nargs="+", default=[1, 8, 20])
    command.add_argument("--seconds", type=float, default=2.0, help="length of a turn")
    command.add_argument("--tasks", type=int, default=80, help="fresh tasks for each level")
    command = commands.add_parser("judge_loginum", help="the judge of reasoning with numbers")
    command.set_defaults(run=time_judge_loginum)
    command.add_argument("--tasks", type=int, default=30, help="tasks of each dataset")
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
