from pathlib import Path

import pytest
from test_transfer import MODELS

from logic_curriculum.curriculum.transfer_plot import plot_profile

pytest.importorskip("matplotlib", reason='pip install "logic-curriculum[plots]"')


def test_the_profile_is_drawn(tmp_path: Path):
    plot_profile(tmp_path / "profile.png", MODELS)

    assert (tmp_path / "profile.png").read_bytes().startswith(b"\x89PNG")
