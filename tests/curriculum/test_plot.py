import pytest

from logic_curriculum.curriculum.callback import windowed_pass_rates


def record(level: int, attempts: int, passes: int) -> dict[str, int]:
    return {"level": level, "attempts": attempts, "passes": passes}


def test_the_drawn_pass_rate_looks_back_over_the_window_and_not_into_the_level_before():
    records = [record(1, 4, 4), record(1, 4, 2), record(1, 4, 1), record(2, 4, 0), record(2, 4, 2)]

    # Level 1: 4/4, then (4+2)/8, then (2+1)/8 with the first batch out of the window of 8.
    # Level 2: 0/4, then (0+2)/8.
    assert windowed_pass_rates(records, 8) == pytest.approx([1.0, 0.75, 0.375, 0.0, 0.25])
