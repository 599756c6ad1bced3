"""The datasets of LTGen as they are made here: Tables 3 to 6 of the paper.

python benchmarks/ltgen_datasets.py --presets hard3sat-paper uniform-paper symbolic-paper

Makes as many tasks as the paper has, of a preset's test split, and prints for each number of
variables, and for each interval of clauses, how many sets are consistent and inconsistent, and mean
and standard deviation of characters and of statements of a text.
"""

import argparse
from collections.abc import Callable, Hashable, Sequence

from logic_curriculum.curriculum.evaluation.ltgen import interval_of, spread
from logic_curriculum.curriculum.evaluation.records import grouped
from logic_curriculum.curriculum.evaluation.tables import Table, joined
from logic_curriculum.generators import Task
from logic_curriculum.generators.registry import family
from logic_curriculum.generators.sampling import published_tasks


def table(title: str, tasks: Sequence[Task], key: Callable[[Task], Hashable]) -> Table:
    """Return numbers and sizes of the tasks by a key."""
    header = ["", "consistent", "inconsistent", "characters", "statements"]
    rows = []
    for name, own in grouped(tasks, key).items():
        consistent = sum(task.verification["satisfiable"] for task in own)
        lengths = spread(len(" ".join(task.metadata["statements"])) for task in own)
        numbers = spread(task.metadata["clauses"] for task in own)
        rows.append([str(name), str(consistent), str(len(own) - consistent), lengths, numbers])
    return Table(title, header, rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--presets", nargs="+", default=["hard3sat-paper"])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for preset in options.presets:
        levels = family("sat").levels(preset)
        tasks = published_tasks("sat", levels, options.seed, preset=preset)
        tasks.sort(key=lambda task: task.metadata["clauses"])
        by_clauses = table(
            f"{preset}, by number of clauses",
            tasks,
            lambda task: interval_of(task.metadata["clauses"]),
        )
        tasks.sort(key=lambda task: task.level)
        by_variables = table(f"{preset}, by number of variables", tasks, lambda task: task.level)
        print(joined([by_variables, by_clauses]))
        print(f"{len({task.metadata['clauses'] for task in tasks})} different numbers of clauses\n")


if __name__ == "__main__":
    main()
