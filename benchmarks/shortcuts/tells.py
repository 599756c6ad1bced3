"""Make generators/logicskills/tells.json: by what validity's right options can be told.

    python benchmarks/shortcuts/tells.py   # 20 minutes on two cores

The learner that :mod:`tells` describes is trained on arguments before any is left out, for each
number of premises apart: in the first round on any, then on those that it is least sure of, since
these may be kept.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from logic_curriculum.generators.logicskills import tells, validity

ROUNDS, SCHEMAS = 3, 700  # of each level and round
MOST = 16  # sets of premises of a schema
TRIES = 10  # schemas, until one has such sets of premises
NEAR = tells.LOWEST / 4  # probability of each option in those that the learner is least sure of
LEAST = 15  # schemas in which something must be seen to get a weight
STEPS, BATCH = 800, 4_096
DECAY = torch.tensor([2e-5, *[2e-4] * 2 * tells.FACTORS])  # of the weight and the vectors
Seen = frozenset[tuple[str, int]]
Drawn = tuple[list[list[Seen]], int]  # what is seen, [others and premises][options]; the right one
Numbered = tuple[list[list[int]], int]  # the same, what is seen by its number
FILE = Path(tells.__file__).with_suffix(".json")
shares_of = tells.shares_of  # `draw` patches it


def draw(level: int, seed: int, rounds: int) -> list[Drawn]:
    """Return sets of premises of one schema with their options; none if no schema has any."""
    rng = Random(f"tells {level} {seed} {rounds}")
    found: list[Drawn] = []
    asked: list[Any] = []

    def shares(*given: Any) -> Any:
        asked[:] = given
        return shares_of(*given) if rounds else np.ones((given[1].shape[1], 1))

    def keep(shares: Any, right: Any, _: Any) -> Any:
        variants, chosen, options = asked
        beside = [
            frozenset(sum(map(tells.seen, each), Counter()).items())
            for each in tells.looks_beside(options)
        ]
        near = np.flatnonzero(shares.min(axis=1) > NEAR).tolist()
        for row in rng.sample(near, min(MOST - len(found), len(near))):
            its = [each[one] for each, one in zip(variants, chosen[:, row], strict=True)]
            rows = [[frozenset(tells.seen(tells.look(p, o)).items()) for o in options] for p in its]
            found.append(([beside, *rows], int(right[row])))
        return np.arange(0)

    questions = validity.LEVELS[level - 1]
    with patch.object(tells, "shares_of", shares), patch.object(tells, "kept", keep):
        for _ in range(TRIES):
            if not found:
                validity.search(rng.choice(questions), rng, minimal=True, split="train")
    return found


class Learner:
    """What was drawn for one number of premises, and what is learned from it."""

    def __init__(self) -> None:
        self.numbers: dict[Seen, int] = {}
        self.drawn: list[Numbered] = []
        self.found: dict[str, list[float]] = {}
        self.schemas: Counter[str] = Counter()  # in which something was seen

    def add(self, schema: Sequence[Drawn]) -> None:
        """Add what was drawn of a schema."""
        shown = {seen for rows, _ in schema for row in rows for seen in row}
        self.schemas.update({name for seen in shown for name, _ in seen})
        for rows, right in schema:
            known = [[self.numbers.setdefault(each, len(self.numbers)) for each in r] for r in rows]
            self.drawn.append((known, right))

    def train(self, keep: bool) -> dict[str, list[float]]:
        """Return the weight and the vectors of all that is seen in enough schemas.

        What was drawn is forgotten unless ``keep``.
        """
        torch.manual_seed(0)
        shown = torch.tensor([rows for rows, _ in self.drawn])
        right = torch.tensor([one for _, one in self.drawn])
        often = sorted(name for name, count in self.schemas.items() if count >= LEAST)
        place = {name: at for at, name in enumerate(often)}
        cells = [
            (at, place[n], c) for each, at in self.numbers.items() for n, c in each if n in place
        ]
        rows, columns, values = zip(*cells, strict=True)
        size = (len(self.numbers), len(place))
        table = torch.sparse_coo_tensor([rows, columns], values, size, dtype=torch.float32)
        table = table.coalesce()
        vectors = torch.randn(len(place), 2 * tells.FACTORS) * 0.05
        own = torch.cat([torch.zeros(len(place), 1), vectors], 1)
        for name, known in self.found.items():
            own[place[name]] = torch.tensor(known)
        optimizer = torch.optim.Adam([own.requires_grad_()], 0.01 if self.found else 0.03)
        schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, STEPS)
        for _ in range(STEPS):
            batch = torch.randint(len(right), (BATCH,))
            adds = torch.sparse.mm(table, own)[shown[batch]]
            lean = tells.leans(adds.movedim(1, 0), torch.tensor(tells.SIGNS))
            loss = cross_entropy(lean, right[batch]) + own.square().sum(0) @ DECAY
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        print(f"{len(right):,} arguments, {len(place)} things, loss {loss.item():.3f}", flush=True)
        self.found |= dict(zip(place, own.detach().double().numpy().round(2).tolist(), strict=True))
        self.drawn = self.drawn if keep else []
        return self.found


if __name__ == "__main__":
    levels = range(1, len(validity.LEVELS) + 1)
    learners: defaultdict[int, Learner] = defaultdict(Learner)  # number of premises → its learner
    for number in range(ROUNDS):
        jobs = list(product(levels, range(SCHEMAS), [number]))
        with ProcessPoolExecutor() as pool:
            for schema in filter(None, pool.map(draw, *zip(*jobs, strict=True), chunksize=20)):
                learners[len(schema[0][0]) - 1].add(schema)
        lines = {premises: its.train(number > 0) for premises, its in sorted(learners.items())}
        FILE.write_text(f"{json.dumps(lines, ensure_ascii=False)}\n", encoding="utf-8")
