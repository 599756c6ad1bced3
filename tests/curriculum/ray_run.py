"""Make and judge tasks on a cluster of two nodes, one of which is killed half-way.

Run by test_ray_data.py with the interpreter of an environment that has Ray. Writes found.json.
"""

import json
import sys
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from logic_curriculum.curriculum.integrations.ray_data import GenerateTasks, judge_answers

ROWS, FOLDER = int(sys.argv[1]), Path(sys.argv[2])
BLOCKS, STORE = 24, 200_000_000
NODE = {"num_cpus": 2, "object_store_memory": STORE}


class GenerateAndTell(GenerateTasks):
    """Leaves a file with the name of the node that has made tasks."""

    def __call__(self, batch: Any) -> Any:
        tasks = super().__call__(batch)
        (FOLDER / "nodes" / ray.get_runtime_context().get_node_id()).touch()
        return tasks


def main() -> None:
    (FOLDER / "nodes").mkdir()
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    second = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    asked = [{"level": 1 + seed % 3, "seed": seed} for seed in range(ROWS)]
    rows = ray.data.from_items(asked, override_num_blocks=BLOCKS)
    actors = ray.data.ActorPoolStrategy(size=2)
    pool = {"compute": actors, "num_cpus": 0.5, "batch_size": 8}
    tasks = rows.map_batches(
        GenerateAndTell,
        fn_constructor_kwargs={"family": "sat", "options": {"split": "test"}},
        batch_format="pyarrow",
        **pool,
    )
    # Every third answer is the solution, every third none, and every third says more.
    answered = tasks.map(lambda row: {**row, "completion": answer(row)}, num_cpus=0.5)
    judged = judge_answers(answered, **pool)
    found: list[dict[str, Any]] = []
    killed_at = 0
    for row in judged.iter_rows():
        found.append(row)
        if (
            not killed_at
            and len(found) >= ROWS // 3
            and (FOLDER / "nodes" / second.node_id).exists()
        ):
            cluster.remove_node(second, allow_graceful=False)
            killed_at = len(found)
    nodes = len(list((FOLDER / "nodes").iterdir()))
    result = {"killed_at": killed_at, "nodes": nodes, "rows": found}
    (FOLDER / "found.json").write_text(json.dumps(result))
    ray.shutdown()
    cluster.shutdown()


def answer(row: dict[str, Any]) -> Any:
    """Return the solution, a wrong answer, or what is none."""
    return [row["completion"], "?", row["completion"] + " or not"][row["seed"] % 3]


if __name__ == "__main__":
    main()
