"""What training may make a model forget, as tasks of lm-evaluation-harness that need no download.

``gym_NAME`` asks the puzzles of reasoning-gym's dataset of that name, and its own scorer grades
them; ``text`` is the perplexity of a text file. ``harness.write_tasks`` writes their YAML files.
"""

import json
import re
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from statistics import fmean
from typing import Any

from datasets import Dataset

from logic_curriculum.common.files import read_text

SELF = __name__
GYM = f"""\
output_type: generate_until
custom_dataset: !function {SELF}.draw_puzzles
process_results: !function {SELF}.score_puzzle
test_split: test
fewshot_split: validation
doc_to_text: question
doc_to_target: answer
target_delimiter: "\\n"
num_fewshot: 3
generation_kwargs: {{until: ["\\n\\n"], do_sample: false, max_gen_toks: 64}}
metric_list:
  - {{metric: acc, aggregation: mean, higher_is_better: true}}
"""
TEXT = f"""\
task: text
output_type: loglikelihood_rolling
custom_dataset: !function {SELF}.draw_passages
test_split: test
doc_to_text: ""
doc_to_target: passage
num_fewshot: 0
metric_list:
  - metric: word_perplexity
  - metric: bits_per_byte
metadata: {{version: 1.0}}
"""
EXAMPLES = 10  # Puzzles that are not asked, from which few-shot examples are drawn


def yaml_files() -> dict[str, str]:
    """Return the YAML text of each task; those of reasoning-gym where it is installed."""
    texts = {"text": TEXT}
    if find_spec("reasoning_gym"):
        from reasoning_gym.factory import DATASETS

        for name in sorted(DATASETS):
            metadata = json.dumps({"version": 1.0, "dataset": name})
            texts[f"gym_{name}"] = f"{GYM}task: gym_{name}\nmetadata: {metadata}\n"
    return texts


def draw_puzzles(
    dataset: str, questions: int = 50, task_seed: int = 0, **others: Any
) -> dict[str, Dataset]:
    """Return puzzles of a reasoning-gym dataset in its default configuration.

    The arguments are the ``metadata`` of a YAML file; ``others`` mean nothing here. A dataset
    without answers, which examples would have to show, is a ValueError.
    """
    import reasoning_gym

    drawn = list(reasoning_gym.create_dataset(dataset, size=questions + EXAMPLES, seed=task_seed))
    if any(entry["answer"] is None for entry in drawn):
        raise ValueError(
            f"Puzzles of {dataset} come without answers, so no example can be shown: leave "
            f"gym_{dataset} out of the benchmarks."
        )
    rows = [
        {
            "question": entry["question"],
            "answer": entry["answer"],
            "entry": json.dumps(entry, default=str),
        }
        for entry in drawn
    ]
    test, examples = rows[:questions], rows[questions:]
    return {"test": Dataset.from_list(test), "validation": Dataset.from_list(examples)}


def score_puzzle(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return whether reasoning-gym's scorer gives the answer, the whole reply, full marks."""
    import reasoning_gym

    entry = json.loads(doc["entry"])
    grade = reasoning_gym.get_score_answer_fn(entry["metadata"]["source_dataset"])
    return {"acc": float(grade(results[0].strip(), entry) == 1)}


def best_constant(docs: Sequence[Mapping[str, Any]]) -> float:
    """Return the largest share of puzzles that one text solves, of all their answers and 0 to 2.

    A scorer may be lenient: coin_flip's takes "0" for every number below one.
    """
    texts = {*(doc["answer"] for doc in docs), "0", "1", "2"}
    return max(fmean(score_puzzle(doc, [text])["acc"] for doc in docs) for text in texts)


def draw_passages(file: str = "", passages: int = 200, **others: Any) -> dict[str, Dataset]:
    """Return the first passages of a text file; blank lines, or lines of a ``%``, end a passage.

    The arguments are ``metadata``; without a file this is a ValueError.
    """
    if not file:
        raise ValueError(
            "The task text has no file: name one of general English, for instance --task_metadata "
            '\'{"file": "/usr/share/games/fortunes/literature"}\'.'
        )
    found = re.split(r"\n(?:%|\s*)\n", read_text(file))
    kept = [passage.strip() for passage in found if passage.strip()]
    return {"test": Dataset.from_list([{"passage": passage} for passage in kept[:passages]])}
