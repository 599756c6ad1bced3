"""What the front page says of the judge's speed is what the results say."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_front_page_gives_the_speeds_of_the_guide():
    page = (ROOT / "docs" / "results" / "speed.md").read_text(encoding="utf-8")
    measured = re.findall(r"^\| slr \| (\d+) \|.*\| (\d+)× \|", page, flags=re.MULTILINE)
    assert [level for level, _ in measured] == ["1", "8", "20"]
    told = re.search(
        r"\*\*Fast\*\* \| `slr_reward` gives (\d+), (\d+) and (\d+) times",
        (ROOT / "README.md").read_text(encoding="utf-8"),
    )
    assert told
    assert list(told.groups()) == [times for _, times in measured]
