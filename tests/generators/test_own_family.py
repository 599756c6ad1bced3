"""The guide's own family, from its text into a folder: all of it works, nothing is patched."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llm_server import Endpoint, completion
from pytest_httpserver import HTTPServer

from logic_curriculum.generators import Options, build_dataset, generate, register_family, registry
from logic_curriculum.generators.__main__ import main
from logic_curriculum.generators.family import option
from logic_curriculum.rewards import REWARDS, Judge, Verdict, judge, judge_batch, reward_function
from logic_curriculum.rewards.registry import JUDGES

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "own-family.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", GUIDE, re.DOTALL)
LEAST, BUILD, KNIGHTS, SCRIPT, PROJECT, COMMANDS = (text for _, text in BLOCKS)
MODULE = [sys.executable, "-m", "logic_curriculum"]
"""What starts the command logic-curriculum."""


def guide_command(script: str) -> list[str]:
    """Return the words of the guide's command line that names a script."""
    lines = COMMANDS.replace("\\\n", "").splitlines()
    (line,) = [line for line in lines if script in line]
    return shlex.split(line)


def run(command: list[str], packages: Path, **variables: str) -> str:
    paths = [str(packages), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **variables}
    done = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the family's package, installed as its own pyproject.toml says."""
    source = tmp_path_factory.mktemp("knights")
    (source / "knights.py").write_text(KNIGHTS)
    (source / "pyproject.toml").write_text(PROJECT)
    target = source / "site"
    options = ["-q", "--no-deps", "--no-build-isolation", "--target", str(target)]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, str(source)], check=True, timeout=120
    )
    return target


def test_the_guide_s_first_family_runs_as_it_stands_and_is_built(tmp_path):
    script = f"import os; os.chdir({str(tmp_path)!r})\n{LEAST}{BUILD}"
    run([sys.executable, "-c", script], tmp_path)
    assert "sums: 50 tasks" in (tmp_path / "data" / "sums" / "README.md").read_text()


def test_the_guide_s_script_runs_and_its_reward_is_there_without_it(packages):
    run([sys.executable, "-c", SCRIPT], packages)
    run([sys.executable, "-c", "from logic_curriculum.rewards import knights_reward"], packages)


def test_its_tasks_are_shown_and_built(packages, tmp_path):
    assert "says:" in run([*MODULE, *guide_command("--show")[1:]], packages)
    run([*MODULE, *guide_command("--out data")[1:-1], str(tmp_path / "set")], packages)
    assert "knights: 180 tasks" in (tmp_path / "set" / "README.md").read_text(encoding="utf-8")


def test_its_predictions_are_judged(packages, tmp_path):
    script = (
        "import json; from logic_curriculum.generators import generate\n"
        "for seed in range(3):\n"
        "    task = generate('knights', 1, seed)\n"
        "    print(json.dumps({**task.to_row(), 'prediction': task.solution}))"
    )
    file = tmp_path / "rows.jsonl"
    file.write_text(run([sys.executable, "-c", script], packages))
    judged = [sys.executable, "-m", "logic_curriculum.rewards", "knights"]
    assert "1.000" in run([*judged, "--predictions", str(file)], packages)


@pytest.mark.slow
def test_its_curriculum_trains_by_the_guide_s_command(packages, tmp_path):
    words = [*MODULE, *guide_command("train slr")[1:], "--accelerate", "cpu"]
    small = "--warm_up_steps 2 --warm_up_tasks 50 --max_steps 2 --eval_tasks 2"
    batches = "--per_device_train_batch_size 8 --num_generations 4 --logging_steps 1"
    options = [*small.split(), *batches.split(), "--output_dir", str(tmp_path / "run")]
    assert "judge: " in run([*words, *options], packages)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert list(summary["families"]) == ["knights"]


@pytest.mark.slow
def test_an_endpoint_is_evaluated_by_the_guide_s_command(
    packages, tmp_path, httpserver: HTTPServer
):
    answer = completion("<answer>knight, knave, knight, knave, knight</answer>")
    endpoint = Endpoint(httpserver, lambda body: answer)
    words = guide_command("evaluate")
    variables = dict(word.split("=", 1) for word in words if word.startswith("LOCAL_"))
    assert list(variables) == ["LOCAL_BASE_URL", "LOCAL_API_KEY"]
    options = ["-T", "tasks_per_level=8", "--log-dir", str(tmp_path / "logs")]
    command = [*MODULE, *words[len(variables) + 1 :], *options, "--display", "none"]
    said = run(command, packages, **{**variables, "LOCAL_BASE_URL": endpoint.url})
    rows = [line.strip("| ").split(" | ") for line in said.splitlines() if "MODEL | " in line]
    readable = {row[1]: row[5] for row in rows if row[1].isdigit()}
    assert readable == {"3": "100.0", "4": "0.0", "5": "0.0"}  # the answer names five people


def run_cell() -> dict[str, Any]:
    """Run the guide's code as a notebook's cell does, and return its names."""
    names: dict[str, Any] = {"__name__": "notebook"}
    exec(compile(KNIGHTS, "knights.py", "exec", dont_inherit=True), names)
    return names


@pytest.fixture
def cell() -> Iterator[dict[str, Any]]:
    """The names of the guide's code; what a test registers is forgotten."""
    tables: list[dict[str, Any]] = [registry._REGISTERED, JUDGES, REWARDS]
    before = [dict(table) for table in tables]
    yield run_cell()
    for table, items in zip(tables, before, strict=True):
        table.clear()
        table.update(items)


def test_a_cell_that_runs_twice_replaces_its_family_and_rewards(cell):
    register_family(cell["KnightsFamily"]())
    again = run_cell()
    again["KnightsJudge"].rewards = {}
    family = again["KnightsFamily"]()
    register_family(family)
    assert registry.family("knights") is family
    assert JUDGES["knights"] is family.judge
    assert [name for name in REWARDS if "knights" in name] == ["knights_reward"]


@pytest.mark.parametrize(
    ("family", "rewards", "message"),
    [
        ("knights", {"slr_reward": "partial"}, "'slr_reward', .* in the judge's rewards"),
        ("knights", {"knights_reward": "partial"}, "'knights_reward', .* in the judge's rewards"),
        ("logic", {}, "'logic_reward', .* another name for the family"),
        ("sat", {}, "There is a family 'sat' already"),
    ],
)
def test_a_name_that_is_taken_is_refused(cell, family, rewards, message):
    before, families = dict(REWARDS), registry.families()
    cell["KnightsJudge"].family = cell["KnightsFamily"].name = family
    cell["KnightsJudge"].rewards = rewards
    with pytest.raises(ValueError, match=message):
        register_family(cell["KnightsFamily"]())
    assert before == REWARDS
    assert families == registry.families()


def test_a_class_or_a_family_without_levels_is_refused(cell):
    with pytest.raises(ValueError, match="register one, as in"):
        register_family(cell["KnightsFamily"])
    cell["KnightsFamily"].tiers = ()
    with pytest.raises(ValueError, match="has no tiers"):
        register_family(cell["KnightsFamily"]())


REGISTERED = [
    ({"tiers": 4}, r"has no tiers but 4, so it has no levels"),
    ({"tiers": "easy"}, r"has no tiers but 'easy', so it has no levels"),
    ({"judge": None}, r"is None, but it has to be an instance"),
    ({"judge": Judge}, r"Judge'>, but it .* with brackets, as in `judge = "),
    ({"options": type("Bare", (Options,), {})}, r"have to be a dataclass: write @dataclass"),
    ({"options": Options()}, r"have to be a dataclass: write @dataclass"),
    ({"options": 3}, r"have to be a dataclass: write @dataclass"),
]


@pytest.mark.parametrize(("attributes", "message"), REGISTERED)
def test_a_mistake_in_a_family_is_told_in_a_line_when_it_is_registered(cell, attributes, message):
    for name, value in attributes.items():
        setattr(cell["KnightsFamily"], name, value)
    with pytest.raises(ValueError, match=message) as raised:
        register_family(cell["KnightsFamily"]())
    assert "\n" not in str(raised.value)
    assert "knights" not in registry.families()


MADE: list[tuple[dict[str, Any], str]] = [
    ({"verification": {"claims": {1, 2}}}, r"make returned .* JSON \(.* set is not JSON ser"),
    ({"verification": ["claims"]}, r"make returned .* JSON \(.*list"),
    ({"metadata": {"of": frozenset()}}, r"make returned .* JSON \(.* frozenset is not JSON"),
    ({"family": "sat"}, r"make returned Task\(family='sat'.* no task of this family"),
]


@pytest.mark.parametrize(("parts", "message"), MADE)
def test_a_task_that_is_no_row_is_told_in_a_line(cell, parts, message):
    class Broken(cell["KnightsFamily"]):
        def make(self, level, seed, options):
            return dataclasses.replace(super().make(level, seed, options), **parts)

    register_family(Broken())
    with pytest.raises(ValueError, match=message) as raised:
        generate("knights", 1, 0)
    assert "\n" not in str(raised.value)


def test_a_task_that_says_nothing_of_its_split_is_told_it(cell):
    class Bare(cell["KnightsFamily"]):
        def make(self, level, seed, options):
            return dataclasses.replace(super().make(level, seed, options), metadata={})

    register_family(Bare())
    assert generate("knights", 1, 0, split="test").metadata == {"split": "test"}


def test_a_solution_that_the_judge_refuses_ends_a_build_at_the_first_task(cell, tmp_path):
    class Wrong(cell["KnightsFamily"]):
        def make(self, level, seed, options):
            return dataclasses.replace(super().make(level, seed, options), solution="It depends.")

    register_family(Wrong())
    message = (
        r"^KnightsJudge does not accept the solution 'It depends\.' of the task of knights with "
        r"level 3 and seed \d+, 'no answer found': mend the judge or the family's make\.$"
    )
    with pytest.raises(ValueError, match=message):
        build_dataset("knights", [3], out=tmp_path / "set", sizes={"train": 5})
    assert not (tmp_path / "set").exists()


def test_a_family_that_does_not_keep_splits_apart_is_told_to(cell, tmp_path):
    class Leaks(cell["KnightsFamily"]):
        def leak_key(self, task):
            return "the same"

    register_family(Leaks())
    with pytest.raises(RuntimeError, match=r"Mend make of knights, which keeps splits apart"):
        build_dataset("knights", [5], out=tmp_path / "set", sizes={"train": 2, "test": 2})


@dataclasses.dataclass(frozen=True)
class ManyOptions(Options):
    share: float = option(0.5, "a share")
    limit: float | None = option(None, "a limit")
    loud: bool | None = option(None, "whether")
    names: list[str] = option([], "names")
    max_people: int = option(1, "people", (1, 2))


def test_options_of_many_types_are_read_from_the_command_line(cell, capsys):
    seen = {}

    class Many(cell["KnightsFamily"]):
        options = ManyOptions

        def make(self, level, seed, options):
            seen.update(vars(options))
            return super().make(level, seed, cell["KnightsOptions"]())

    with pytest.raises(ValueError, match="loud='no' is neither True nor False"):
        ManyOptions(loud="no")
    register_family(Many())
    words = "--show --share 0.25 --limit 2 --loud --max_people 2"
    assert main(["knights", *words.split()]) == 0
    numbers = {"share": 0.25, "limit": 2.0, "max_people": 2}
    assert seen == {"split": "train", "loud": True, "names": [], **numbers}
    for wrong, said in (("--share x", "valid number"), ("--names Ada", "valid list")):
        with pytest.raises(SystemExit):
            main(["knights", "--show", *wrong.split()])
        assert said in capsys.readouterr().err
    assert main(["knights", "--show", "--max_people", "3"]) == 2
    assert "=3 does not exist: choose one of 1, 2" in capsys.readouterr().err


def test_an_option_with_the_name_of_an_argument_is_refused(cell):
    fields = [("out", str, option("", "clashes"))]
    clashing = dataclasses.make_dataclass("Clashing", fields, bases=(Options,), frozen=True)
    cell["KnightsFamily"].options = clashing
    with pytest.raises(ValueError, match=r"can't have an option 'out', .* rename the option"):
        register_family(cell["KnightsFamily"]())


def test_faults_of_a_judge_of_one_s_own_are_named(cell):
    register_family(cell["KnightsFamily"]())
    with pytest.raises(ValueError, match=r"Row 0 .*KnightsJudge.read_payload .*KeyError\('claims'"):
        judge("knights", "", {"claim": []})
    with pytest.raises(ValueError, match=r"Row 0 .*TypeError"):
        judge("knights", "", {"claims": 3})
    with pytest.raises(ValueError, match=r"Row 0 .* must be hashable, so keep tuples instead"):
        judge("knights", "", {"claims": [[[], 1, True]]})


SCORES = [(True, 2.0), (False, -1.0), (False, np.nan), (True, "1"), ("yes", 1.0), (True, 1, 1, 2)]


@pytest.mark.parametrize("given", [None, (True, 1.0), *(Verdict(*scores) for scores in SCORES)])
def test_what_is_no_verdict_or_out_of_range_is_named(cell, given):
    cell["KnightsJudge"].judge_text = lambda *_: given
    register_family(cell["KnightsFamily"]())
    with pytest.raises(ValueError, match=r"^KnightsJudge gave .*: give a Verdict whose solved is"):
        judge("knights", "", {"claims": []})


@pytest.mark.parametrize("count", [1, 3])
def test_a_judge_of_batches_that_gives_another_number_of_verdicts_is_named(cell, count):
    cell["KnightsJudge"].judge_texts = lambda *_: [Verdict(True, 1.0)] * count
    cell["KnightsFamily"].judge = cell["KnightsJudge"]()
    register_family(cell["KnightsFamily"]())
    with pytest.raises(ValueError, match=rf"^KnightsJudge.judge_texts gave {count} .* for 2 com"):
        judge_batch("knights", ["", ""], [{"claims": []}] * 2)


def test_a_bool_of_numpy_is_one_in_a_verdict():
    assert Verdict(np.bool_(True), 1.0).solved is True


def test_a_reward_that_no_verdict_has_is_named(cell):
    cell["KnightsJudge"].rewards = {"knights_speed_reward": "speed"}
    register_family(cell["KnightsFamily"]())
    row = generate("knights", 1, 0).to_row()
    with pytest.raises(ValueError, match=r"knights_speed_reward pays 'speed', but .* partial"):
        reward_function("knights_speed_reward")(
            [row["completion"]], verification=[row["verification"]]
        )


BROKEN = """
from logic_curriculum import rewards
from logic_curriculum.generators import generate
assert not hasattr(rewards, "x_reward")
for use in (lambda: generate("agone", 1, 0), lambda: rewards.reward_function("srl_reward")):
    try:
        use()
    except ValueError as error:
        print(error)
assert rewards.knights_reward.family == "knights"
"""


def test_a_plug_in_that_cannot_be_loaded_is_named_and_harms_no_other(packages, tmp_path):
    about = tmp_path / "broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    entry = "[logic_curriculum.families]\nagone = missing_module:Family\n"
    (about / "entry_points.txt").write_text(entry)
    both = Path(f"{tmp_path}{os.pathsep}{packages}")
    lines = run([sys.executable, "-c", BROKEN], both).splitlines()
    start = (
        "The entry point 'agone' = 'missing_module:Family' of the package broken can't be loaded"
    )
    assert [line.startswith(start) for line in lines] == [True, True]
    assert all("fix or uninstall the package" in line for line in lines)
