"""Mistakes of a new user, each of which ends in one line that says what to change."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest

from logic_curriculum.curriculum import cli
from logic_curriculum.generators import generate

ENDPOINT = "model: m\nclient: {base_url: 'http://127.0.0.1:9/v1', api_key: x, max_retries: 0}\n"
FILES = {
    "broken.yaml": "objects: [a\n",
    "odd.yaml": "colour: red\n",
    "file": "precious",
    "other/notes.txt": "precious",
    "empty.jsonl": "",
    "words.jsonl": "hello\n",
    "bare.jsonl": '{"a": 1}\n',
    "endpoint.yaml": ENDPOINT,
    "nameless.yaml": "client: {}\n",
}
SERVED = "evaluate --output_dir new --endpoint endpoint.yaml --families slr --levels 1 --tasks 1"
MISTAKES = [
    ("", "--help after one tells its options"),
    ("nonsense", "--help after one tells its options"),
    ("generate", "the following arguments are required: family"),
    ("generate chess", "invalid choice: 'chess' (choose from 'slr', "),
    ("generate slr --level 99 --show", "slr has no level 99: its levels are 1 to 20"),
    ("generate slr --level 3-1 --show", "write 3, 1-20 or 1-3,5"),
    ("generate slr --level x --show", "write 3, 1-20 or 1-3,5"),
    ("generate slr --split tets --show", "choose among train, validation, test"),
    ("generate slr --count 0 --out new", "write 100 or train=100,test=10, each at least 1"),
    ("generate slr --count 5", "Add --out DIR, or --show"),
    ("generate slr --style foo --show", "choose one of prolog, natural, compact"),
    ("generate slr --language nope --show", "choose one of houses, trains, wide_trains"),
    ("generate slr --language broken.yaml --show", "broken.yaml, line 2: not valid YAML"),
    ("generate slr --language odd.yaml --show", "`name` is missing; add `name:`"),
    ("generate slr --presett X --show", "they have --language, --style, --llm"),
    ("generate slr --seed x --show", "--seed: invalid int value: 'x'"),
    ("generate slr --show --out new", "--out: not allowed with argument --show"),
    ("generate slr --describe --level 3", "--level would have no effect"),
    ("generate slr --level 1 --count 5000 --out new", "ask for at most 26 there"),
    ("generate slr --level 1 --count 2 --out file", "Name a folder that is new or empty"),
    ("generate slr --level 1 --count 2 --out other", "Name a folder that is new or empty"),
    ("generate slr --level 1 --count 2 --num-proc 0 --out new", "at least 1 process builds"),
    ("generate loginum --preset XX --show", "choose one of EL-EN, EL-HN"),
    ("generate sat --theme nope --show", "choose one of airport, bakery"),
    ("generate symbolization --language klingon --show", "choose one of carroll, english"),
    ("judge", "the following arguments are required: --family, --predictions"),
    ("judge --family chess --predictions q.jsonl", "invalid choice: 'chess'"),
    ("judge --family slr --predictions nowhere.jsonl", "nowhere.jsonl is no file"),
    ("judge --family slr --predictions q.jsonl --out q.jsonl", "name another for the verdicts"),
    ("judge --family slr --predictions q.jsonl --out file/new", "file/new can't be written"),
    ("judge --family slr --predictions empty.jsonl", "empty.jsonl has no line to judge"),
    ("judge --family slr --predictions words.jsonl", "write one object per line"),
    ("judge --family slr --predictions bare.jsonl", "neither 'completion' nor 'prediction'"),
    ("judge --family sat --predictions q.jsonl", "make the rows again"),
    ("evaluate --taks 3", "did you mean --tasks?"),
    ("evaluate --config nowhere.yaml", "No such file or directory: 'nowhere.yaml'"),
    ("evaluate --config broken.yaml", "broken.yaml is no YAML"),
    ("evaluate --endpoint endpoint.yaml", "--output_dir is missing"),
    ("evaluate --output_dir new --endpoint nowhere.yaml", "nowhere.yaml can't be read"),
    ("evaluate --output_dir new --endpoint nameless.yaml", "give the name under which"),
    (f"{SERVED} --families chess", "There is no task family 'chess': choose one of slr"),
    (f"{SERVED} --levels 99", "slr have the levels 1-20: choose among them"),
    (f"{SERVED} --tasks many", "--tasks: invalid int value: 'many'"),
    (f"{SERVED} --split tets", "choose one of train, validation, test"),
    (f"{SERVED} --task_options {{", "task_options is '{', which is no JSON"),
    (f"{SERVED} --shots -1", "a number of at least 0 is needed"),
    (f"{SERVED} --backend foo", "choose one of transformers, vllm"),
    (f"{SERVED} --prices nowhere.yaml", "nowhere.yaml can't be read"),
    (f"{SERVED} --output_dir other", "holds no evaluation: choose another --output_dir"),
    (f"{SERVED} --output_dir file", "file is a file, and a run needs a folder"),
    (SERVED, "Check that the server runs"),
    ("compare other", "other/records.jsonl does not exist"),
    ("compare nowhere other", "nowhere/records.jsonl does not exist"),
    ("compare a=", "'a=' names no run"),
    ("report nowhere", "name the folder of a finished evaluation"),
    ("calibrate nowhere", "nowhere holds no records.jsonl"),
    ("train chess", "invalid choice: 'chess'"),
    ("train slr --config qwen9", "neither a file nor one of grpo_slr: demo"),
    ("train slr --accelerate tpu", "invalid choice: 'tpu'"),
    ("train slr --lerning_rate 1", "did you mean --learning_rate?"),
    ("train slr --last_level 30", "slr have the levels 1-20: choose among them"),
    ("train slr --rewards no_reward", "choose from countermodel_partial_reward"),
    ("train slr --families chess", "There is no task family 'chess'"),
    ("train slr --strategy nonsense", "choose one of threshold, target"),
    ("train slr --output_dir other", "choose another --output_dir"),
    ("train sft_slr --train_sizes 1 2", "give one number for each level, or one for all"),
    ("train sft_loginum --train_preset XX", "choose one of EL-EN, EL-HN"),
    ("train peft_transfer --adapters chess", "there is no skill 'chess'"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    """Return the current folder, with the files that the mistakes name."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    row = {"completion": "x", "verification": generate("slr", 1, 0).verification}
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACCELERATE_USE_CPU", "true")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def started_here(words: list[str]) -> int:
    """Do what ``accelerate launch`` does, in this process."""
    script = next(place for place, word in enumerate(words) if word.endswith(".py"))
    sys.argv = words[script:]
    runpy.run_path(words[script], run_name="__main__")
    return 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("words", "said"), MISTAKES)
def test_a_mistake_ends_in_one_line_that_helps(monkeypatch, capsys, words, said):
    monkeypatch.setattr(cli, "launch", started_here)
    monkeypatch.setattr(sys, "argv", ["logic-curriculum", *words.split()])
    try:
        ended: int | str | None = cli.main()
    except SystemExit as stop:
        ended = stop.code
    assert ended not in (0, None)
    line = ended if isinstance(ended, str) else capsys.readouterr().err.strip().splitlines()[-1]
    assert said in line
    assert "\n" not in line
    assert Path("file").read_text() == Path("other/notes.txt").read_text() == "precious"
