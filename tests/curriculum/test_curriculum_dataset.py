from typing import Any

import pytest
from toy_task import make_task, toy_scheduler

from logic_curriculum.curriculum import CurriculumConfig, CurriculumDataset, CurriculumScheduler
from logic_curriculum.curriculum.dataset import IGNORED, SLOT, Encoder, held_out_tasks
from logic_curriculum.curriculum.models.tiny_model import make_tokenizer
from logic_curriculum.generators import Task, generate
from logic_curriculum.generators.task import as_chat

CHAT = (
    "{% for message in messages %}<{{ message.role }}>{{ message.content }}"
    "{% if message.role == 'assistant' %}{{ eos_token }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
FICKLE = "{{ messages | length }}" + CHAT


@pytest.fixture(scope="module")
def task() -> Task:
    return generate("slr", 5, 0, style="compact")


@pytest.fixture(scope="module")
def tokenizer(task: Task) -> Any:
    made = make_tokenizer([task])
    made.chat_template = CHAT
    return made


@pytest.fixture
def row(task: Task) -> dict[str, str]:
    return {"prompt": task.prompt, "completion": task.solution}


def learnt(tokenizer: Any, tokens: dict[str, list[int]]) -> str:
    return tokenizer.decode([label for label in tokens["labels"] if label != IGNORED])


@pytest.mark.parametrize("chat", [False, True])
@pytest.mark.parametrize("max_length", [None, 60, 30, 20])
def test_the_rule_is_never_cut_and_nothing_else_is_learnt(
    tokenizer: Any, row: dict[str, str], chat: bool, max_length: int | None
):
    tokens = Encoder(tokenizer, max_length).encode(as_chat(row) if chat else row)

    assert learnt(tokenizer, tokens) == row["completion"] + "<eos>"
    assert max_length is None or len(tokens["input_ids"]) <= max_length
    pairs = zip(tokens["input_ids"], tokens["labels"], strict=True)
    assert all(label in (IGNORED, token) for token, label in pairs)


def test_a_prompt_that_fits_is_what_the_model_reads_when_it_is_asked(
    tokenizer: Any, row: dict[str, str]
):
    tokens = Encoder(tokenizer, None).encode(row)["input_ids"]
    prompt = tokenizer(row["prompt"])["input_ids"]

    assert tokens[: len(prompt)] == prompt


@pytest.mark.parametrize("chat", [False, True])
def test_a_long_prompt_keeps_its_beginning_and_its_end(
    tokenizer: Any, row: dict[str, str], chat: bool
):
    given = as_chat(row) if chat else row
    whole = Encoder(tokenizer, None).encode(given)
    prompt = whole["input_ids"][: whole["labels"].count(IGNORED)]

    cut = Encoder(tokenizer, len(whole["labels"]) - 11).encode(given)
    kept = cut["input_ids"][: cut["labels"].count(IGNORED)]

    assert len(prompt) - len(kept) == 11
    assert kept[: len(kept) - len(kept) // 2] == prompt[: len(kept) - len(kept) // 2]
    assert kept[-(len(kept) // 2) :] == prompt[-(len(kept) // 2) :]


def test_the_loss_covers_the_prompt_on_request(tokenizer: Any, row: dict[str, str]):
    tokens = Encoder(tokenizer, None, only_completion=False).encode(row)

    assert tokens["labels"] == tokens["input_ids"]


def test_a_rule_that_leaves_no_room_is_refused(tokenizer: Any, row: dict[str, str]):
    with pytest.raises(ValueError, match="answers are never cut: raise max_length"):
        Encoder(tokenizer, 8).encode(row)


def test_a_template_that_rewrites_the_prompt_is_refused(task: Task, row: dict[str, str]):
    tokenizer = make_tokenizer([task])
    tokenizer.chat_template = FICKLE

    with pytest.raises(ValueError, match="where that begins is not known"):
        Encoder(tokenizer, None).encode(as_chat(row))


def test_a_row_becomes_a_chat_once(row: dict[str, str]):
    chat = as_chat({**row, "level": 5})

    assert [message["role"] for message in chat["prompt"] + chat["completion"]] == [
        "user",
        "assistant",
    ]
    assert (as_chat(chat), chat["level"]) == (chat, 5)


def test_held_out_tasks_are_of_each_split_and_level():
    tasks = held_out_tasks("slr", ["validation", "test"], [1, 2], 3, 0, {"style": "compact"})

    assert [(task.metadata["split"], task.level) for task in tasks] == [
        (split, level) for split in ("validation", "test") for level in (1, 2) for _ in range(3)
    ]


@pytest.mark.parametrize("options", [{"style": "compact"}, {"slr": "compact"}])
def test_task_options_that_are_not_by_family_are_refused(options: dict[str, object]):
    scheduler = CurriculumScheduler(CurriculumConfig())

    with pytest.raises(ValueError, match=r'options are given by family: write \{"slr"'):
        CurriculumDataset(scheduler, task_options=options)


def test_the_default_task_has_the_options_of_its_family():
    scheduler = CurriculumScheduler(CurriculumConfig())
    options = {"slr": {"style": "compact"}, "sat": {"style": "full"}}
    made = CurriculumDataset(scheduler, task_options=options, conversational=True).row(3)
    task = generate("slr", 1, scheduler.task_seed(3), style="compact")

    assert made["prompt"] == [{"role": "user", "content": task.prompt}]
    assert made["completion"] == [{"role": "assistant", "content": task.solution}]


def test_a_slot_repeated_in_a_group_is_made_once() -> None:
    made: list[int] = []

    def counting(family: str, level: int, seed: int) -> dict[str, Any]:
        made.append(seed)
        return make_task(family, level, seed)

    rows = CurriculumDataset(toy_scheduler(), counting).rows([3, 3, 4, 3])
    assert len(made) == 2
    assert [row[SLOT] for row in rows] == [3, 3, 4, 3]
