"""Make and judge tasks on a cluster of two nodes, one of which is killed half-way.

Run by test_ray_data.py with the interpreter of an environment that has Ray; prints JSON.
"""

import json
import sys
from typing import Any

import pyarrow as pa
import ray
from ray.cluster_utils import Cluster

from logic_curriculum.curriculum.integrations.ray_data import GenerateTasks, judge_answers

ROWS, BLOCKS, STORE = int(sys.argv[1]), 24, 200_000_000
NODE = {"num_cpus": 2, "object_store_memory": STORE}


class GenerateWithNode(GenerateTasks):
    """Tells, too, on which node a task was made."""

    def __call__(self, batch: Any) -> pa.Table:
        table = super().__call__(batch)
        node = ray.get_runtime_context().get_node_id()
        return table.append_column("node", pa.array([node] * len(table)))


def main() -> None:
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    second = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    asked = [{"level": 1 + seed % 3, "seed": seed} for seed in range(ROWS)]
    rows = ray.data.from_items(asked, override_num_blocks=BLOCKS)
    actors = ray.data.ActorPoolStrategy(min_size=1, max_size=2)
    pool = {"compute": actors, "num_cpus": 0.5, "batch_size": 8}
    tasks = rows.map_batches(
        GenerateWithNode,
        fn_constructor_kwargs={"family": "sat", "options": {"split": "test"}},
        batch_format="pyarrow",
        scheduling_strategy="SPREAD",
        **pool,
    )
    # Every third answer is left as it is, the others are wrong or can't be judged.
    answered = tasks.map(lambda row: {**row, "completion": answer(row)}, num_cpus=0.5)
    judged = judge_answers(answered, scheduling_strategy="SPREAD", **pool)
    found: list[dict[str, Any]] = []
    killed_at = 0
    for row in judged.iter_rows():
        found.append(row)
        if not killed_at and len(found) >= ROWS // 3:
            cluster.remove_node(second, allow_graceful=False)
            killed_at = len(found)
    nodes = {row.pop("node") for row in found}
    print(json.dumps({"killed_at": killed_at, "nodes": len(nodes), "rows": found}))
    ray.shutdown()
    cluster.shutdown()


def answer(row: dict[str, Any]) -> Any:
    """Return the solution, a wrong answer, or what is none."""
    return [row["completion"], "?", row["completion"] + " or not"][row["seed"] % 3]


if __name__ == "__main__":
    main()
