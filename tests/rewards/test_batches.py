"""Batches from pandas, NumPy, Arrow, torch and datasets: read in their order, never by label."""

import json

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch

from logic_curriculum.generators import families, generate
from logic_curriculum.rewards import (
    judge,
    judge_batch,
    logic_reward,
    loginum_reward,
    measure_batch,
    slr_reward,
)
from logic_curriculum.rewards.completions import completion_text

ANSWERS = ["Answer: 5", "Answer: 6", "Answer: 9"]
ROW = {"facts": ["is(Al, calm, 4)"], "rules": ["is(?x, calm, 4) -> is(?x, wild, 5)"]}
ROWS = [
    {
        **ROW,
        "query": "is(Al, wild, ?)",
        "answer": number,
        "steps": [{"conclusion": f"is(Al, wild, {number})"}],
    }
    for number in (5, 7, 9)
]
RIGHT = [True, False, True]
TEXTS = [json.dumps(row) for row in ROWS]
PROGRAM = "eastbound(t0).\nhas_car(t0, c0).\nwestbound(t1).\ncar_color(c0, red)."
RULES = ["eastbound(T) :- has_car(T, C).", "eastbound(T).", "eastbound(T) :- has_car(T, _)."]


def series(items, index=(2, 0, 1)):
    return pd.Series(list(items), index=list(index))


def objects(items):
    """Return an array of one dimension, whatever the items are."""
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


HOLDERS = {
    "tuple": tuple,
    "iterator": iter,
    "values of a dict": lambda items: dict(enumerate(items)).values(),
    "numpy": objects,
    "shuffled series": series,
    "filtered series": lambda items: series(items, (4, 7, 9)),
    "series of text labels": lambda items: series(items, "abc"),
    "series with one label": lambda items: series(items, (1, 1, 1)),
    "arrow array": pa.array,
    "arrow chunks": lambda items: pa.chunked_array([pa.array(items[:1]), pa.array(items[1:])]),
    "list of arrow scalars": lambda items: list(pa.array(items)),
    "datasets column": lambda items: datasets.Dataset.from_dict({"it": list(items)})["it"],
    "numpy column": lambda items: datasets.Dataset.from_dict({"it": list(items)}).with_format(
        "numpy"
    )["it"],
    "torch column": lambda items: datasets.Dataset.from_dict({"it": list(items)}).with_format(
        "torch"
    )["it"],
    "arrow column": lambda items: datasets.Dataset.from_dict({"it": list(items)}).with_format(
        "arrow"
    )["it"],
}
every_holder = pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)


@every_holder
@pytest.mark.parametrize("judged", [judge_batch, measure_batch])
@pytest.mark.parametrize("payloads", [TEXTS, ROWS], ids=["texts", "mappings"])
def test_each_completion_is_judged_by_the_payload_in_its_own_place(hold, judged, payloads):
    verdicts = judged("loginum", hold(ANSWERS), hold(payloads))
    assert [verdict.solved for verdict in verdicts] == RIGHT


@every_holder
def test_a_reward_pairs_every_column_by_its_order(hold):
    assert logic_reward(
        hold(ANSWERS), verification=hold(TEXTS), family=hold(["loginum"] * 3), prompts=hold("abc")
    ) == [1.0, 0.0, 1.0]


UNORDERED = {
    "set": set(ANSWERS),
    "frozenset": frozenset(ANSWERS),
    "dict": dict.fromkeys(ANSWERS),
    "str": "abc",
    "bytes": b"abc",
    "int": 3,
    "NoneType": None,
    "ndarray": np.array("abc"),
    "Tensor": torch.tensor(3),
    "StructScalar": pa.scalar({"a": 1}),
    "DataFrame": pd.DataFrame({"a": [1], "b": [2], "c": [3]}),
}


@pytest.mark.parametrize(("kind", "batch"), UNORDERED.items(), ids=UNORDERED)
def test_what_has_no_order_or_is_a_single_item_is_refused_in_one_line(kind, batch):
    message = rf"^completions is a single {kind}, but one item per .*Pass a list, [^\n]*$"
    for reward in (judge_batch, measure_batch):
        with pytest.raises(ValueError, match=message):
            reward("loginum", batch, TEXTS)
    with pytest.raises(ValueError, match=message):
        loginum_reward(batch, verification=TEXTS)
    with pytest.raises(ValueError, match=message.replace("completions", "verifications")):
        judge_batch("loginum", ANSWERS, batch)


def test_other_arguments_of_a_trainer_are_no_columns():
    others = {"trainer_state": object(), "mode": "abc", "options": {"a": 1}, "tags": {1, 2, 3}}
    columns = {"validation program": series([PROGRAM] * 3), "step": torch.tensor(3)}
    assert slr_reward(RULES, **columns, **others) == [1.0, 0.0, 1.0]


def test_a_missing_text_of_pandas_counts_as_absent():
    frame = pd.DataFrame({"validation program": [PROGRAM] * 2})
    kinds = ("object", "str", "string", pd.ArrowDtype(pa.string()))
    for heldout in (pd.Series([None, None], dtype=kind) for kind in kinds):
        columns = {"validation program": frame["validation program"], "heldout program": heldout}
        assert slr_reward(RULES[:2], **columns) == [1.0, 0.0]


PARTS = [{"type": "text", "text": "Answer: "}, {"type": "text", "text": "5"}]
CHATS = {
    "text": [{"role": "user", "content": "What?"}, {"role": "assistant", "content": "Answer: 5"}],
    "parts": [{"role": "assistant", "content": PARTS}],
}
BACK = {
    "to_pandas": lambda rows: rows.to_pandas()["chat"],
    "numpy": lambda rows: rows.with_format("numpy")["chat"],
    "numpy slice": lambda rows: rows.with_format("numpy")[:]["chat"],
    "pandas": lambda rows: rows.with_format("pandas")["chat"],
    "arrow": lambda rows: rows.with_format("arrow")["chat"],
    "arrow slice": lambda rows: list(rows.with_format("arrow")[:]["chat"]),
    "torch": lambda rows: rows.with_format("torch")["chat"],
}


@pytest.mark.parametrize("chat", CHATS.values(), ids=CHATS)
@pytest.mark.parametrize("back", BACK.values(), ids=BACK)
def test_chats_that_come_back_as_arrays_are_read(chat, back):
    chats = back(datasets.Dataset.from_dict({"chat": [chat] * 3}))
    assert [completion_text(given) for given in chats] == ["Answer: 5"] * 3
    assert loginum_reward(chats, verification=TEXTS) == [1.0, 0.0, 0.0]
    assert [v.solved for v in judge_batch("loginum", chats, TEXTS)] == [True, False, False]
    assert judge("loginum", next(iter(chats)), TEXTS[0]).solved


@pytest.mark.parametrize("family", families())
def test_mappings_that_arrow_filled_with_nulls_are_judged(family):
    tasks = [generate(family, level, 0) for level in (1, 4, 9)]
    table = datasets.Dataset.from_list([{"verification": task.verification} for task in tasks])
    verdicts = judge_batch(family, [task.solution for task in tasks], table["verification"])
    assert [verdict.reward for verdict in verdicts] == [1.0] * 3
