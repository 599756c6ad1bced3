import json
import sys
from pathlib import Path

import hacking_gap
import pytest
import yaml
from launching import Launch

CONFIGS = Path(hacking_gap.__file__).parent / "configs" / "grpo_slr"


def left_behind(folder: Path, *pairs: tuple[float, float], every: int = 5) -> Path:
    """Write the log of a run, paid the first, with these extensional and isomorphic shares."""
    folder.mkdir()
    history = [
        {
            "step": number * every,
            "reward": shown,
            "slr/extensional": shown,
            "slr/isomorphic": renamed,
            "slr/hacking_gap": shown - renamed,
        }
        for number, (shown, renamed) in enumerate(pairs, start=1)
    ]
    (folder / "trainer_state.json").write_text(json.dumps({"log_history": [*history, {"step": 9}]}))
    return folder


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> None:
    monkeypatch.setattr(sys, "argv", ["hacking_gap.py", *map(str, words)])
    hacking_gap.main()


def test_table_and_picture_tell_the_start_from_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    one = left_behind(tmp_path / "one", (0.5, 0.5), (0.75, 0.25), (1.0, 0.0))
    two = left_behind(tmp_path / "two", (0.5, 0.25), (0.5, 0.25), (0.5, 0.25))
    sound = left_behind(tmp_path / "sound", (0.5, 0.5), (0.5, 0.5), (0.75, 0.75))

    run(monkeypatch, "--extensional", one, two, "--isomorphic", sound, "--out", tmp_path / "out")

    printed = capsys.readouterr().out
    assert "mean of steps up to 5 | mean of steps from 15 on" in printed
    assert "| extensional | hacking gap | 0.12 | 0.62 | 2 |" in printed
    assert "| isomorphic | isomorphic | 0.50 | 0.75 | 1 |" in printed
    assert (tmp_path / "out" / "hacking_gap.md").read_text() == printed
    assert (tmp_path / "out" / "hacking_gap.png").stat().st_size > 10_000


def test_runs_that_logged_other_steps_are_not_averaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    long = left_behind(tmp_path / "long", (0.5, 0.5), (0.5, 0.5))
    short = left_behind(tmp_path / "short", (0.5, 0.5))

    with pytest.raises(SystemExit, match=r"1 up to 5, 2 up to 10"):
        run(monkeypatch, "--extensional", long, "--isomorphic", short, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_that_stands_twice_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = left_behind(tmp_path / "run", (0.5, 0.5))
    again = tmp_path / "run" / ".." / "run"

    with pytest.raises(SystemExit, match=r"run stands twice among the runs"):
        run(monkeypatch, "--extensional", folder, "--isomorphic", again, "--out", tmp_path / "out")


def test_a_run_of_the_other_reward_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    hacked = left_behind(tmp_path / "hacked", (0.75, 0.25), (1.0, 0.0))
    either = left_behind(tmp_path / "either", (0.5, 0.5), (0.5, 0.5))

    with pytest.raises(SystemExit, match=r"hacked was not paid the isomorphic reward"):
        run(monkeypatch, "--extensional", either, "--isomorphic", hacked, "--out", tmp_path / "out")
    run(monkeypatch, "--extensional", hacked, "--isomorphic", either, "--out", tmp_path / "out")


def test_a_torn_log_and_a_file_for_a_folder_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    torn = left_behind(tmp_path / "torn", (0.5, 0.5))
    good = left_behind(tmp_path / "good", (0.5, 0.5))
    log = torn / "trainer_state.json"
    log.write_text(log.read_text()[:40])

    with pytest.raises(SystemExit, match=r"torn/trainer_state\.json is broken"):
        run(monkeypatch, "--extensional", torn, "--isomorphic", good, "--out", tmp_path / "out")
    with pytest.raises(SystemExit):
        run(monkeypatch, "--extensional", good, "--isomorphic", torn, "--out", log)
    assert "trainer_state.json is a file: name a folder" in capsys.readouterr().err


def test_a_folder_without_such_a_log_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    other = left_behind(tmp_path / "other")
    good = left_behind(tmp_path / "good", (0.5, 0.5))

    with pytest.raises(SystemExit, match=r"other/trainer_state\.json logs no slr/hacking_gap"):
        run(monkeypatch, "--extensional", good, "--isomorphic", other, "--out", tmp_path / "out")
    with pytest.raises(SystemExit, match=r"none/trainer_state\.json is not there"):
        run(monkeypatch, "--extensional", tmp_path / "none", "--isomorphic", other, "--out", "out")


def test_the_pair_of_configurations_differs_in_what_is_paid_alone():
    extensional, isomorphic = (
        yaml.safe_load((CONFIGS / f"{name}.yaml").read_text())
        for name in ("extensional", "isomorphic")
    )

    different = {name for name in extensional if extensional[name] != isomorphic[name]}
    assert extensional.keys() == isomorphic.keys()
    assert different == {"notice", "output_dir", "reward_weights"}
    assert dict(zip(extensional["rewards"], extensional["reward_weights"], strict=True)) == {
        "slr_reward": 0.0,
        "slr_extensional_reward": 1.0,
    }


@pytest.mark.slow
def test_a_run_of_each_reward_leaves_what_is_compared(
    launch: Launch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for reward in ("extensional", "isomorphic"):
        ended = launch(tmp_path / reward, options_file=CONFIGS / f"{reward}.yaml")
        assert ended.returncode == 0, ended.stderr[-3000:]

    folders = [tmp_path / reward for reward in ("extensional", "isomorphic")]
    run(monkeypatch, "--extensional", folders[0], "--isomorphic", folders[1], "--out", tmp_path)

    assert (
        "mean of steps up to 1 | mean of steps from 3" in (tmp_path / "hacking_gap.md").read_text()
    )
