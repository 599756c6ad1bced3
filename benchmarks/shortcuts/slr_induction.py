"""What a program earns that learns while it is judged.

    python benchmarks/shortcuts/slr_induction.py

The text copies the examples shown and states no pattern. Its clauses, the same for all tasks, look
for one value or two, each of some part, that fit the examples copied, and apply them to the example
that is judged. Test tasks, trains.
"""

import argparse

from common import markdown
from slr_rules import Shown, draw_tasks

from logic_curriculum.rewards import judge_batch

FIRST_SEED = 7_000_000
LEVELS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20)
LEARNER = r"""
common(P) :- once(seen(yes, Parts)), in(Part, Parts), blanked(Part, P),
    \+ (seen(yes, Others), \+ in(P, Others)).
law(All, [P]) :- in(P, All), fits([P]).
law(All, [P, Q]) :- pair(All, P, Q), fits([P, Q]).
fits(Law) :- \+ (seen(no, Parts), holds(Law, Parts)), \+ (seen(yes, Parts), \+ holds(Law, Parts)).
pair([P|All], P, Q) :- in(Q, [P|All]).
pair([_|All], P, Q) :- pair(All, P, Q).
blanked([V|Vs], [V|Ws]) :- blank(Vs, Ws).
blanked([_|Vs], [_|Ws]) :- blanked(Vs, Ws).
blank([], []).
blank([_|Vs], [_|Ws]) :- blank(Vs, Ws).
holds([], _).
holds([P|Law], Parts) :- \+ \+ in(P, Parts), holds(Law, Parts).
in(X, [X|_]).
in(X, [_|Xs]) :- in(X, Xs).
"""


def learning(shown: Shown) -> str:
    """Copy the examples behind the learner."""
    writer = shown.writer
    values = ", ".join(f"V{at}" for at in range(len(writer.names)))
    goals = ", ".join(f"{name}(C, V{at})" for at, name in enumerate(writer.names))
    rule = (
        f"{writer.head}(T) :- findall([{values}], ({writer.has}(T, C), {goals}), Own), "
        "findall(P, common(P), All), once(law(All, Law)), holds(Law, Own)."
    )
    facts = [
        f"seen({'yes' if label else 'no'}, [{', '.join(map(_part, example))}])."
        for example, label in zip(shown.examples, shown.labels, strict=True)
    ]
    return "\n".join([rule, LEARNER.strip(), *facts])


def _part(values: tuple[int | str, ...]) -> str:
    return f"[{', '.join(map(str, values))}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=50, help="of each level")
    count = parser.parse_args().tasks
    rows = []
    for level in LEVELS:
        tasks = draw_tasks(level, count, FIRST_SEED)
        judged = [shown.task.verification for shown in tasks]
        verdicts = judge_batch("slr", list(map(learning, tasks)), judged)
        rows.append([str(level), f"{sum(verdict.solved for verdict in verdicts) / count:.2f}"])
        print(*rows[-1], flush=True)
    print(markdown(["level", "paid"], rows))


if __name__ == "__main__":
    main()
