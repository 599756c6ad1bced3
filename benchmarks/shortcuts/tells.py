"""Make generators/logicskills/tells.json: by what validity's right options can be told.

    python benchmarks/shortcuts/tells.py [--schemas 2400]   # 18 minutes on two cores

The learner that :mod:`tells` describes is trained on arguments as they are drawn, before any is
left out, for each number of premises apart.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import torch

from logic_curriculum.generators.logicskills import tells, validity

MOST = 16  # sets of premises of a schema
LEAST = 20  # premises and options in which something must be seen to get a weight
STEPS, BATCH, RATE, DECAY = 800, 4_096, 0.03, (2e-5, 2e-4)  # of the weights, of the vectors
Seen = frozenset[tuple[str, int]]
Drawn = tuple[list[list[Seen]], int]  # what is seen, [premises][options], and the right option
Numbered = tuple[list[list[int]], int]  # the same, what is seen by its number


def draw(level: int, seed: int) -> list[Drawn]:
    """Return sets of premises of one schema, with the same options."""
    found: list[Drawn] = []

    def look(variants: Any, chosen: Any, options: Sequence[Any]) -> Any:
        for choice in chosen.T:
            premises = [its[one] for its, one in zip(variants, choice, strict=True)]
            rows = [
                [frozenset(tells.seen(tells.look(p, o)).items()) for o in options] for p in premises
            ]
            found.append((rows, 0))
        return chosen

    def keep(_: Any, right: Any, __: Any) -> Any:
        found[:] = [(rows, int(one)) for (rows, _), one in zip(found, right, strict=True)]
        return np.arange(1)

    rng = Random(f"tells {level} {seed}")
    questions = validity.LEVELS[level - 1]
    with patch.object(tells, "shares_of", look), patch.object(tells, "kept", keep):
        while not found:
            validity.search(rng.choice(questions), rng, minimal=True, split="train")
    return rng.sample(found, min(MOST, len(found)))


def train(numbers: Mapping[Seen, int], drawn: Sequence[Numbered]) -> dict[str, list[float]]:
    """Return the weight and the vectors of all that is seen often enough."""
    torch.manual_seed(0)
    shown = torch.tensor([rows for rows, _ in drawn])
    right = torch.tensor([one for _, one in drawn])
    times = Counter(name for seen in numbers for name, _ in seen)
    place = {name: at for at, name in enumerate(sorted(n for n, c in times.items() if c >= LEAST))}
    cells = [
        (at, place[name], n) for seen, at in numbers.items() for name, n in seen if name in place
    ]
    rows, columns, values = zip(*cells, strict=True)
    size = (len(numbers), len(place))
    table = torch.sparse_coo_tensor([rows, columns], values, size, dtype=torch.float32).coalesce()
    weights = torch.zeros(len(place), 1, requires_grad=True)
    vectors = (torch.randn(len(place), 2 * tells.FACTORS) * 0.05).requires_grad_()
    optimizer = torch.optim.Adam([weights, vectors], RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, STEPS)
    for _ in range(STEPS):
        batch = torch.randint(len(right), (BATCH,))
        own = torch.sparse.mm(table, torch.cat([weights, vectors], 1))[shown[batch]]
        leans = tells.leans(own.movedim(1, 0), torch.tensor(tells.SIGNS))
        loss = torch.nn.functional.cross_entropy(leans, right[batch])
        loss = loss + DECAY[0] * weights.square().sum() + DECAY[1] * vectors.square().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    print(f"{len(drawn):,} arguments, {len(place)} things seen, loss {loss.item():.3f}")
    found = torch.cat([weights, vectors], 1).detach().double().numpy().round(2).tolist()
    return dict(zip(place, found, strict=True))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schemas", type=int, default=2_400, help="of each level")
    levels = range(1, len(validity.LEVELS) + 1)
    jobs = list(product(levels, range(parser.parse_args().schemas)))
    known: defaultdict[int, dict[Seen, int]] = defaultdict(dict)  # number of premises → numbers
    drawn: defaultdict[int, list[Numbered]] = defaultdict(list)
    with ProcessPoolExecutor() as pool:
        for each in pool.map(draw, *zip(*jobs, strict=True), chunksize=20):
            numbers = known[premises := len(each[0][0])]
            drawn[premises] += [
                ([[numbers.setdefault(seen, len(numbers)) for seen in row] for row in rows], right)
                for rows, right in each
            ]
    lines = {premises: train(known[premises], its) for premises, its in sorted(drawn.items())}
    text = json.dumps(lines, ensure_ascii=False)
    Path(tells.__file__).with_suffix(".json").write_text(f"{text}\n", encoding="utf-8")
