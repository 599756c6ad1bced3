"""Make generators/logicskills/tells.json: by what validity's right options can be told.

    python benchmarks/shortcuts/tells.py [--schemas 600]

A logistic regression learns from arguments of all levels, as they are drawn before any is left out.
"""

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from logic_curriculum.generators.logicskills import tells, validity

WEIGHT_LEAST = 0.05
Seen = tuple[dict[str, int], bool]  # the features of an option, and whether it is the right one


def draw(level: int, seed: int) -> list[Seen]:
    """Return the options of one schema, with several sets of premises."""
    found: list[Seen] = []

    def look(premises: Any, options: Sequence[Any], right: int, rng: Random) -> bool:
        found.extend((dict(tells.seen(premises, o)), n == right) for n, o in enumerate(options))
        return False

    rng = Random(f"tells {level} {seed}")
    questions = validity.LEVELS[level - 1]
    with patch.object(tells, "is_even", look):
        while not found:
            validity.search(rng.choice(questions), rng, minimal=True, split="train")
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schemas", type=int, default=600, help="of each level")
    levels = range(1, len(validity.LEVELS) + 1)
    jobs = zip(*product(levels, range(parser.parse_args().schemas)), strict=True)
    with ProcessPoolExecutor() as pool:
        drawn = [one for each in pool.map(draw, *jobs, chunksize=20) for one in each]
    table = DictVectorizer()
    features = table.fit_transform([one for one, _ in drawn])
    model = LogisticRegression(C=1.0, max_iter=1000).fit(features, [right for _, right in drawn])
    weights = zip(table.get_feature_names_out(), model.coef_[0].round(2).tolist(), strict=True)
    kept = {name: weight for name, weight in weights if abs(weight) >= WEIGHT_LEAST}
    text = json.dumps(kept, ensure_ascii=False, indent=0)
    Path(tells.__file__).with_suffix(".json").write_text(f"{text}\n", encoding="utf-8")
    print(f"{len(kept)} weights from {len(drawn):,} options")
