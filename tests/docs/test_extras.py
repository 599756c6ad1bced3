"""The extras of the package are listed in one place, all of them."""

from __future__ import annotations

import re
import tomllib

from pages import ROOT


def test_the_page_on_installing_lists_the_extras():
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    listed = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "install.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(known)
