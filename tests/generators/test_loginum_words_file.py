"""Word pools of a user's own, and the script that makes some of the paper's sizes."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest
import yaml

from logic_curriculum.generators import generate
from logic_curriculum.generators.loginum.vocabulary import words_of

SCRIPT = Path(__file__).parents[2] / "scripts" / "word_pools.py"
OWN = {
    "names": ["Zora", "Quill", "Wim", "Bela", "Okko", "Tove", "Jun", "Mara", "Ilo", "Fenn"],
    "attributes": ["lunar", "mossy", "brackish", "tidal", "ferrous", "dewy", "arctic", "floral"],
    "relations": ["hoist", "quilt", "varnish", "solder", "prune", "knead", "glaze"],
}


def file_of(folder: Path, **changes: list[str]) -> str:
    path = folder / "words.yaml"
    path.write_text(yaml.safe_dump({**OWN, **changes}))
    return str(path)


def test_tasks_are_about_the_words_of_the_file_and_otherwise_the_same(tmp_path):
    path = file_of(tmp_path)
    for level in (1, 2):
        own, shipped = generate("loginum", level, 3, words=path), generate("loginum", level, 3)
        for kind, key in zip(OWN, ("entities", "attributes", "relations"), strict=True):
            assert set(own.metadata[key]) <= set(OWN[kind])
        assert own.verification["answer"] == shipped.verification["answer"]
        assert own.metadata["process_key"] == shipped.metadata["process_key"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"names": ["Zora", "Zora"]}, "'Zora' stands in the pools twice"),
        ({"relations": ["hoist", "lunar"]}, "'lunar' stands in the pools twice"),
        ({"names": ["zora"]}, "should match pattern"),
        ({"attributes": ["sea green"]}, "should match pattern"),
        ({"names": ["Zora"]}, "can't be drawn from 1"),
        ({"verbs": ["hoist"]}, "unknown key `verbs`"),
    ],
)
def test_a_file_that_can_not_be_used_is_refused(tmp_path, changes, said):
    with pytest.raises(ValueError, match=said):
        generate("loginum", 1, 0, words=file_of(tmp_path, **changes))


def test_what_is_no_file_is_refused():
    with pytest.raises(ValueError, match="is no YAML file"):
        generate("loginum", 1, 0, words="mine")


def test_the_script_takes_words_that_are_alone_and_no_others(tmp_path, monkeypatch, capsys):
    lists = {
        "names": [*words_of("names")[:40], "Quilt", "O'Neil"],
        "adjectives": ["equal", *words_of("attributes")[:30]],  # "equal" is in the templates
        "verbs_transitive": [*words_of("relations")[:20], "quilt"],
    }
    for name, words in lists.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(words), encoding="utf-8-sig")
    found = runpy.run_path(str(SCRIPT))
    found["SIZES"].update(names=30, attributes=20, relations=21)
    out = tmp_path / "pools.yaml"
    monkeypatch.setattr(sys, "argv", ["word_pools", "--data", str(tmp_path), "--out", str(out)])
    assert found["main"]() == 0
    pools = yaml.safe_load(out.read_text())
    assert {kind: len(words) for kind, words in pools.items()} == found["SIZES"]
    assert "equal" not in pools["attributes"]
    assert re.search("21 relations, 20 attributes, 30 names", capsys.readouterr().out)
    assert generate("loginum", 2, 0, words=str(out)).solution
    found["SIZES"]["names"] = 42
    assert found["main"]() == 2  # "Quilt" is a verb of the other list, and an apostrophe no letter
