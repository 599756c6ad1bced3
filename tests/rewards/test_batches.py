"""Batches from pandas, NumPy, Arrow, torch and datasets: read in their order, never by label."""

import json

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch

from logic_curriculum.rewards import (
    judge,
    judge_batch,
    logic_reward,
    loginum_reward,
    measure_batch,
    slr_reward,
    validity_reward,
)
from logic_curriculum.rewards.completions import as_list, completion_text, plain
from logic_curriculum.rewards.llm_extraction import judge_with_extractor

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


@every_holder
def test_columns_of_published_rows_are_paired_by_their_order(hold):
    programs = [PROGRAM, PROGRAM, PROGRAM.replace("t0", "t5")]
    columns = {"validation program": hold(programs), "curriculum level": hold([5, 5, 5])}
    assert slr_reward(hold(RULES), **columns) == [1.0, 0.0, 1.0]


@every_holder
def test_an_opening_thought_mark_is_of_the_prompt_in_the_same_place(hold):
    prompts = ["What?", "What?<think>", "What?"]
    given = ["Answer: 5", "Answer: 7", "Answer: 9"]
    paid = loginum_reward(hold(given), verification=hold(TEXTS), prompts=hold(prompts))
    assert paid == [1.0, 0.0, 1.0]  # the second is still thinking


@every_holder
def test_the_extractor_is_asked_about_the_completion_in_the_same_place(hold):
    asked = []

    def ask(prompts):
        asked.extend(prompts)
        return ["<extract>none</extract>"] * len(prompts)

    verdicts = judge_with_extractor("loginum", hold(ANSWERS), hold(TEXTS), ask)
    assert [verdict.solved for verdict in verdicts] == RIGHT
    assert [text in prompt for text, prompt in zip(ANSWERS, asked, strict=True)] == [True] * 3


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


def test_a_filtered_and_shuffled_frame_is_judged_row_by_row():
    frame = pd.DataFrame({"completion": ANSWERS * 4, "verification": TEXTS * 4, "at": range(12)})
    frame = frame[frame["at"] > 3].sample(frac=1, random_state=1)
    verdicts = judge_batch("loginum", frame["completion"], frame["verification"])
    assert [v.solved for v in verdicts] == [at % 3 != 1 for at in frame["at"]]


def test_a_table_of_whole_rows_is_judged_row_by_row():
    for rows in (datasets.Dataset.from_list(ROWS), pa.Table.from_pylist(ROWS)):
        assert [verdict.solved for verdict in judge_batch("loginum", ANSWERS, rows)] == RIGHT


def test_lists_inside_payloads_may_be_arrays():
    rows = pd.DataFrame([{"correct": [1, 3], "texts": ["a", "b", "c"]}] * 3)
    rows = datasets.Dataset.from_pandas(rows)
    given = ["Answer: 1, 3", "Answer: 2", "Answer: 1 and 3"]
    for form in ("numpy", "torch", "pandas", "arrow"):
        columns = rows.with_format(form)
        columns = {name: columns[name] for name in ("correct", "texts")}
        assert validity_reward(given, **columns, options=np.array([3, 3, 3])) == [1.0, 0.0, 1.0]
    records = rows.to_pandas().assign(options=3).to_dict("records")
    assert [v.solved for v in judge_batch("validity", given, records)] == RIGHT


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


@pytest.mark.parametrize("back", BACK.values(), ids=BACK)
def test_prompts_that_come_back_as_arrays_may_open_a_thought(back):
    prompt = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "<think>"}]
    prompts = back(datasets.Dataset.from_dict({"chat": [prompt] * 3}))
    assert loginum_reward(ANSWERS, verification=TEXTS, prompts=prompts) == [0.0] * 3


def test_an_array_of_numbers_is_no_completion():
    with pytest.raises(ValueError, match=r"A completion of type list can't be read. Pass a str"):
        judge("loginum", np.array([1, 2]), TEXTS[0])


def test_plain_values_are_those_of_json():
    value = {"a": np.array([np.float32(0.5), None]), "b": (torch.tensor([1]), np.nan)}
    assert plain(value) == {"a": [0.5, None], "b": ([1], None)}
    assert as_list("column", np.arange(3)) == [0, 1, 2]
