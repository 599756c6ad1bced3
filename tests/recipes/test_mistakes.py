"""Mistakes of a new user, each of which ends in one line that says what to change."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from logic_curriculum import curriculum, generators, rewards
from logic_curriculum.curriculum import cli
from logic_curriculum.generators import generate
from logic_curriculum.rewards.engines.prolog.judging import close_worker

FILES = {
    "broken.yaml": "objects: [a\n",
    "odd.yaml": "colour: red\n",
    "file": "precious",
    "other/notes.txt": "precious",
    "empty.jsonl": "",
    "empty.yaml": "",
    "list.yaml": "- a\n",
    "tab.yaml": "a:\n\tb: 1\n",
    "rate.yaml": "lerning_rate: 1\n",
    "array.jsonl": "[1]\n",
    "number.jsonl": '{"completion": 5, "verification": {}}\n',
    "columns.jsonl": '{"completion": "x", "answer": "y"}\n',
    "words.jsonl": "hello\n",
    "bare.jsonl": '{"a": 1}\n',
    "answers.parquet": "PAR1\0\n",
    "nameless.yaml": "client: {}\n",
}
MISTAKES = [
    ("", "the following arguments are required: COMMAND"),
    ("genrate slr", "invalid choice: 'genrate' (choose from 'generate', 'judge', "),
    ("judge slr --predictions answers.parquet", "is a Parquet file, not JSON lines: write one"),
    ("generate", "the following arguments are required: family"),
    ("generate chess", "invalid choice: 'chess' (choose from 'slr', "),
    ("generate SLR --show", "invalid choice: 'SLR' (choose from 'slr', "),
    ("generate slr --level 0 --show", "slr has no level 0: its levels are 1 to 20"),
    ("generate slr --level 99 --show", "slr has no level 99: its levels are 1 to 20"),
    ("generate slr --level 3-1 --show", "write 3, 1-20 or 1-3,5"),
    ("generate slr --level x --show", "write 3, 1-20 or 1-3,5"),
    ("generate slr --split tets --show", "choose among train, validation, test"),
    ("generate slr --count train=5,tets=1 --out new", "'tets' is not a split"),
    ("generate slr --count train=5,train=7 --out new", "names a split twice"),
    ("generate slr --count train=5 --split test --out new", "Give one of the two"),
    ("generate slr --count 0 --out new", "write 100 or train=100,test=10, each at least 1"),
    ("generate slr --count 5", "Add --out DIR, or --show"),
    ("generate slr --style foo --show", "choose one of prolog, natural, compact"),
    ("generate slr --language nope --show", "choose one of houses, trains, wide_trains"),
    ("generate slr --language broken.yaml --show", "broken.yaml, line 2: not valid YAML"),
    ("generate slr --language none.yaml --show", "'none.yaml' does not exist; check the path"),
    ("generate slr --language empty.yaml --show", "the file is empty; start from a copy"),
    ("generate slr --language list.yaml --show", "which has no keys; write lines like"),
    ("generate slr --language tab.yaml --show", "tab.yaml, line 2: not valid YAML"),
    ("generate slr --language odd.yaml --show", "`name` is missing; add `name:`"),
    ("generate slr --presett X --show", "unrecognized arguments: --presett X"),
    ("generate slr --seed x --show", "--seed: invalid int value: 'x'"),
    ("generate slr --show --out new", "--out: not allowed with argument --show"),
    ("generate slr --level 1 --count 5000 --out new", "ask for at most 28 there"),
    ("generate slr --level 1 --count 2 --out file", "Name a folder that is new or empty"),
    ("generate slr --level 1 --count 2 --out other", "Name a folder that is new or empty"),
    ("generate slr --level 1 --count 2 --out file/new", "Not a directory"),
    ("generate slr --level 8 --llm nowhere.yaml --show", "file 'nowhere.yaml' does not exist"),
    ("generate slr --level 8 --llm nameless.yaml --show", "no model is named; give `model`"),
    ("generate slr --level 1 --count 2 --num-proc -1 --out new", "num_proc is -1: give at least 1"),
    ("generate loginum --preset HL-HN --level 9 --show", "HL-HN has the levels 4-6"),
    ("generate validity --style prolog --show", "choose one of full, compact"),
    ("generate sat --theme list.yaml --show", "which has no keys; write lines like"),
    ("generate loginum --preset XX --show", "choose one of EL-EN, EL-HN"),
    ("generate sat --theme nope --show", "choose one of airport, bakery"),
    ("generate symbolization --language klingon --show", "choose one of english, carroll"),
    ("judge", "the following arguments are required: family, --predictions"),
    ("judge chess --predictions q.jsonl", "invalid choice: 'chess'"),
    ("judge slr --predictions other", "other is not a file; name one of JSON lines"),
    ("judge slr --predictions binary.jsonl", "write one object per line"),
    ("judge slr --predictions array.jsonl", "is a JSON array, not JSON lines: write one object"),
    ("judge validity --predictions number.jsonl", "A completion of type int"),
    ("judge slr --predictions columns.jsonl", "Keep the generator's 'verification' column"),
    ("judge sat --predictions columns.jsonl", "Keep the generator's 'verification' column"),
    ("judge slr --predictions nowhere.jsonl", "nowhere.jsonl is not a file"),
    ("judge slr --predictions q.jsonl --out q.jsonl", "name another for the verdicts"),
    ("judge slr --predictions q.jsonl --out file/new", "file/new can't be written"),
    ("judge slr --predictions empty.jsonl", "empty.jsonl has no line to judge"),
    ("judge slr --predictions words.jsonl", "write one object per line"),
    ("judge slr --predictions bare.jsonl", "neither 'completion' nor 'prediction'"),
    ("judge sat --predictions q.jsonl", "make the rows again"),
    ("evaluate", "the following arguments are required: TASK, --model"),
    ("evaluate chess --model m", "invalid choice: 'chess'"),
    ("evaluate logic --model smollm2-135m", "make it first, by `make model`"),
    ("evaluate logic --model gpt-4.1", "nor a provider's model: openai/gpt-4.1?"),
    ("evaluate logic -T family=slrr --model mockllm/m", "There is no task family 'slrr'"),
    ("evaluate logic -T level=1 --model mockllm/m", "slr have no such option; they have split"),
    ("evaluate logic -T levels=1-3 --model mockllm/m", "write levels=3, or levels=1,2"),
    ("evaluate logic -T count=2 --model mockllm/m", "slr have no such option; they have split"),
    ("evaluate logic -T shots=-1 --model mockllm/m", "shots=-1: give a whole number, at least 0"),
    ("evaluate logic -T levels=99 --model mockllm/m", "no level 99: its levels are 1 to 20"),
    ("report nowhere", "nowhere does not exist: name logs of `inspect eval`"),
    ("report other", "other holds no answers"),
    ("report binary.jsonl", "binary.jsonl is no log, or one cut short"),
    ("report other --group 1", "a group has two completions or more"),
    ("train chess", "invalid choice: 'chess'"),
    ("train slr --config qwen9", "neither a file nor one of grpo_slr: demo"),
    ("train", "the following arguments are required: RECIPE"),
    ("train slr --config broken.yaml", "broken.yaml"),
    ("train slr --config list.yaml", "must contain a YAML mapping"),
    ("train slr --config rate.yaml", "did you mean --learning_rate?"),
    ("train slr --max_steps ten", "invalid int value: 'ten'"),
    ("train slr --accelerate tpu", "invalid choice: 'tpu'"),
    ("train slr --lerning_rate 1", "did you mean --learning_rate?"),
    ("train slr --last_level 30", "slr have the levels 1-20: choose among them"),
    ("train slr --rewards no_reward", "choose from countermodel_partial_reward"),
    ("train slr --families sat --rewards slr_reward", "families has 'sat': use sat_reward"),
    ("train slr --families chess", "There is no task family 'chess'"),
    ("train slr --strategy nonsense", "choose one of threshold, target"),
    ('train slr --task_options {"slr":{"stile":1}}', "have no such option; they have split"),
    ("train slr --output_dir other", "choose another --output_dir"),
    ("train sft_slr --train_sizes 1 2", "give one number for each level, or one for all"),
    ("train slr --pass_reward nope", "pass_reward is 'nope', but the rewards are slr_reward"),
    ("train sft_slr --pass_reward slr_reward", "SFT has no reward functions: leave it out"),
    ("train slr --max_steps -1", "a curriculum has no epochs"),
    ('train slr --tiny_model {"hiden":3}', "tiny_model has no hiden: choose from"),
    ("train sft_slr --judge_splits tests", "split='tests' does not exist: choose one of train"),
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
    row["completion"] = "eastbound(T) :- has_car(T, C)."
    (tmp_path / "rule.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACCELERATE_USE_CPU", "true")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def started_here(words: list[str]) -> int:
    """Do what ``accelerate launch`` does, in this process."""
    script = next(place for place, word in enumerate(words) if word.endswith(".py"))
    sys.argv = words[script:]
    runpy.run_path(words[script], run_name="__main__")
    return 0


@pytest.fixture
def last_line(folder, monkeypatch, capfd) -> Callable[[str], str]:
    """Return what runs a command that fails, and gives the line it ends in."""

    def run(words: str) -> str:
        monkeypatch.setattr(cli, "launch", started_here)
        monkeypatch.setattr(sys, "argv", ["logic-curriculum", *words.split()])
        try:
            ended: int | str | None = cli.main()
        except SystemExit as stop:
            ended = stop.code
        assert ended not in (0, None)
        said = capfd.readouterr().err
        assert "Traceback" not in said
        line = ended if isinstance(ended, str) else said.splitlines()[-1]
        assert "\n" not in line
        return line

    return run


@pytest.mark.parametrize(("words", "said"), MISTAKES)
def test_a_mistake_ends_in_one_line_that_helps(last_line, words, said):
    assert said in last_line(words)
    assert Path("file").read_text() == Path("other/notes.txt").read_text() == "precious"


@pytest.mark.parametrize("recipe", ["slr", "sft_slr", "sft_loginum", "peft_transfer"])
def test_an_unknown_option_is_told_before_the_missing_gpu(last_line, monkeypatch, recipe):
    monkeypatch.delenv("ACCELERATE_USE_CPU")
    assert "mean --learning_rate?" in last_line(f"train {recipe} --config rate.yaml")
    assert "mean --max_steps?" in last_line(f"train {recipe} --model_name_or_path x --max_stepz 2")
    assert "add --accelerate cpu" in last_line(f"train {recipe} --model_name_or_path x")


def test_a_machine_without_prolog_is_told_how_to_install_it(last_line, monkeypatch):
    monkeypatch.setenv("LOGIC_CURRICULUM_SWIPL", "/nowhere/swipl")
    close_worker()  # one that runs has found its program
    told = "sudo apt-get install swi-prolog-nox"
    command = [sys.executable, "-m", "logic_curriculum", "judge", "slr", "--predictions"]
    judged = subprocess.run([*command, "rule.jsonl"], capture_output=True, text=True, check=True)
    assert "solved" in judged.stdout
    assert told in judged.stderr
    assert told in last_line("train slr --rewards slr_paper_reward")


PYTHON = [
    ('generate("chess", 1, 0)', "choose one of slr, symbolization"),
    ('generate("slr", "3", 0)', "Pass an int such as 3"),
    ('generate("slr", 3, 0, stile="natural")', "they have split, language, style"),
    ('judge("chess", "x", row)', "Choose one of: slr, symbolization"),
    ('judge("validity", "x", {})', "Keep the generator's 'verification' column"),
    ('judge("validity", "x", "no JSON")', "Pass the mapping itself or the text that json.dumps"),
    ('judge("slr", "x", row)', "make the rows again"),
    ('judge("validity", 5, row)', "Pass a str or [{"),
    ('judge_batch("validity", ["a", "b"], [row])', "exactly one item per completion"),
    ('judge_batch("validity", "abc", [row] * 3)', "completions is a single str, but one item per"),
    ('judge_batch("validity", ["a"], row)', "Pass a list, e.g. verifications=[…]"),
    ('validity_reward("a", verification=[row])', "Pass a list, e.g. completions=[…]"),
    (
        'judge("sat", "x", {**row, "task_version": 9})',
        "(logic_reward judges all), or has task_version 9",
    ),
    ('judge("knights", "x", row)', "your own is made known by register_family"),
    ('generate("knights", 1, 0)', "your own is made known by register_family"),
    ('build_dataset("sat", [1], out="new", sizes={"tran": 5})', "Split 'tran': the splits are tr"),
    ('validity_reward(["a"])', "Keep the generator's 'verification' column"),
    ('validity_reward(["a"], verification=row)', "Pass a list"),
    ('validity_reward(["a"], [row], family=["sat"])', "use sat_reward, or logic_reward"),
    ('judge("validity", "a", {"family": "sat", "verification": row})', "is of family 'sat', not"),
    ('logic_reward(["a"], verification=[row])', "Keep the generator's 'family' column"),
    ('reward_function("slr_rewards")', "choose from countermodel_partial_reward"),
    ('build_dataset("slr", 1, out="new")', "write levels=[1]"),
    ('build_dataset("slr", [1], out="new", sizes=5)', 'write sizes={"train": 5}'),
    ('build_dataset("slr", [99], out="new")', "slr has levels 1 to 20"),
    ('build_dataset("slr", [1], out="other")', "Name a folder that is new or empty"),
    ('CurriculumConfig(families="slr")', 'families=["slr"]'),
    ("CurriculumConfig(pass_threshold=80)", "0.8 asks for four passes in five attempts"),
    ('CurriculumConfig(strategy="nowhere:Mine")', "Is the folder of the module on PYTHONPATH?"),
    ('register_family("slr")', "register one, as in register_family("),
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("code", "said"), PYTHON)
def test_a_mistake_in_python_is_told_in_one_line(code, said):
    row = generate("validity", 1, 0).verification
    names = {"row": row, "validity_reward": rewards.validity_reward}
    names |= {name: getattr(rewards, name) for name in rewards.__all__}
    names |= {name: getattr(generators, name) for name in generators.__all__}
    names["CurriculumConfig"] = curriculum.CurriculumConfig
    with pytest.raises((ValueError, TypeError)) as raised:
        eval(code, names)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
