"""Files and folders that appear under their name only when they are complete."""

from pathlib import Path

import pytest

from logic_curriculum.common.files import atomic_folder


def fill(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "text").write_text(text)


def test_the_first_of_two_folders_made_at_once_stays_whole(tmp_path: Path):
    target = tmp_path / "deep" / "model"
    with atomic_folder(target) as slower:
        fill(slower, "slower")
        with atomic_folder(target) as faster:
            fill(faster, "faster")
    assert (target / "text").read_text() == "faster"
    assert [path.name for path in target.parent.iterdir()] == ["model"]


def test_a_folder_that_was_cut_short_leaves_nothing(tmp_path: Path):
    def killed(folder: Path) -> None:
        fill(folder, "half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), atomic_folder(tmp_path / "model") as folder:
        killed(folder)
    assert not list(tmp_path.iterdir())
