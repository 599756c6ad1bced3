import json
import sys
from pathlib import Path

import hacking_gap
import pytest
from launching import Launch

CONFIGS = Path(hacking_gap.__file__).parent / "configs" / "grpo_slr"


def left_behind(
    folder: Path, *shares: tuple[float, float, float], reward: str = "slr_paper_reward"
) -> Path:
    """Write a run's log of what fits as shown, what under other names and what is solved."""
    folder.mkdir()
    rewards = ["slr_reward", "slr_paper_reward"]
    weights = [float(name == reward) for name in rewards]
    settings = {"families": ["slr"], "rewards": rewards, "reward_weights": weights}
    (folder / "run.json").write_text(json.dumps(settings))
    history = [
        {
            "step": number * 5,
            "reward": 0.0,
            "slr_paper/extensional": logged[0],
            "slr_paper/isomorphic": logged[1],
            "slr/pass_rate": logged[2],
        }
        for number, logged in enumerate(shares, start=1)
    ]
    (folder / "trainer_state.json").write_text(json.dumps({"log_history": [*history, {"step": 9}]}))
    return folder


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> None:
    monkeypatch.setattr(sys, "argv", ["hacking_gap.py", *map(str, words)])
    hacking_gap.main()


def test_table_and_picture_tell_the_start_from_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    one = left_behind(tmp_path / "one", (0.5, 0.5, 0.25), (0.75, 0.25, 0.25), (1.0, 0.0, 0.0))
    two = left_behind(tmp_path / "two", *[(0.5, 0.25, 0.125)] * 3)
    shares = (0.5, 0.5, 0.25), (0.5, 0.5, 0.25), (0.75, 0.75, 0.5)
    sound = left_behind(tmp_path / "sound", *shares, reward="slr_reward")

    run(monkeypatch, "--paper", one, two, "--slr", sound, "--out", tmp_path / "out")

    printed = capsys.readouterr().out
    assert "mean of steps up to 5 | mean of steps from 15 on" in printed
    assert "| paper | fits as shown | 0.50 | 0.75 | 2 |" in printed
    assert "| paper | fits under other names | 0.38 | 0.12 | 2 |" in printed
    assert "| slr | fits under other names | 0.50 | 0.75 | 1 |" in printed
    assert "| slr | solved | 0.25 | 0.50 | 1 |" in printed
    assert (tmp_path / "out" / "hacking_gap.md").read_text() == printed
    assert (tmp_path / "out" / "hacking_gap.png").stat().st_size > 10_000


def test_runs_that_logged_other_steps_are_not_averaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    long = left_behind(tmp_path / "long", (0.5, 0.5, 0.5), (0.5, 0.5, 0.5))
    short = left_behind(tmp_path / "short", (0.5, 0.5, 0.5), reward="slr_reward")

    with pytest.raises(SystemExit, match=r"1 up to 5, 2 up to 10"):
        run(monkeypatch, "--paper", long, "--slr", short, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_runs_of_other_versions_are_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    paper = left_behind(tmp_path / "paper", (0.5, 0.5, 0.5))
    slr = left_behind(tmp_path / "slr", (0.5, 0.5, 0.5), reward="slr_reward")
    settings = json.loads((slr / "run.json").read_text())
    (slr / "run.json").write_text(json.dumps({**settings, "task_versions": {"slr": 4}}))

    with pytest.raises(SystemExit, match="different versions of tasks or rewards"):
        run(monkeypatch, "--paper", paper, "--slr", slr, "--out", tmp_path / "out")


def test_a_run_of_the_other_reward_or_of_several_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shares = (0.5, 0.5, 0.5)
    paper = left_behind(tmp_path / "by-paper", shares)
    other = left_behind(tmp_path / "by-paper-2", shares)
    slr = left_behind(tmp_path / "by-slr", shares, reward="slr_reward")
    both = left_behind(tmp_path / "both", shares)
    settings = json.loads((both / "run.json").read_text())
    (both / "run.json").write_text(json.dumps({**settings, "reward_weights": None}))

    with pytest.raises(SystemExit, match="by-paper-2 was trained on slr_paper_reward, but --slr"):
        run(monkeypatch, "--paper", paper, "--slr", other, "--out", tmp_path / "out")
    with pytest.raises(SystemExit, match="both was trained on slr_reward and slr_paper"):
        run(monkeypatch, "--paper", both, "--slr", slr, "--out", tmp_path / "out")
    (both / "run.json").unlink()
    with pytest.raises(SystemExit, match="both was trained on unknown rewards"):
        run(monkeypatch, "--paper", both, "--slr", slr, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_without_such_a_log_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    other = left_behind(tmp_path / "other")
    good = left_behind(tmp_path / "good", (0.5, 0.5, 0.5), reward="slr_reward")

    with pytest.raises(SystemExit, match=r"other/.* logs no slr_paper/extensional beside slr/pass"):
        run(monkeypatch, "--paper", other, "--slr", good, "--out", tmp_path / "out")
    with pytest.raises(SystemExit, match=r"none/trainer_state\.json is not there"):
        run(monkeypatch, "--paper", tmp_path / "none", "--slr", other, "--out", "out")


@pytest.mark.slow
def test_a_run_of_each_reward_leaves_what_is_compared(
    launch: Launch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    paper, slr = tmp_path / "paper", tmp_path / "slr"
    for folder, options in ((paper, {}), (slr, {"reward_weights": [1, 0]})):
        ended = launch(folder, options_file=CONFIGS / "hacking-gap.yaml", **options)
        assert ended.returncode == 0, ended.stderr[-3000:]

    run(monkeypatch, "--paper", paper, "--slr", slr, "--out", tmp_path)

    assert (
        "mean of steps up to 1 | mean of steps from 3" in (tmp_path / "hacking_gap.md").read_text()
    )
