"""The configuration: what is refused, and how parsers read it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from trl import GRPOConfig, ModelConfig, TrlParser

from logic_curriculum import curriculum, rewards
from logic_curriculum.curriculum import CurriculumConfig, Ladder, ladder_of, require
from logic_curriculum.curriculum.strategies import Threshold

REFUSED = [
    ({"families": []}, "names like"),
    ({"families": "slr"}, "names like"),
    ({"families": ["slr", "slr"]}, "names like"),
    ({"pass_threshold": 0.0}, r"\(0, 1\)"),
    ({"pass_threshold": 1.0}, r"\(0, 1\)"),
    ({"window": 0}, "1 task or more"),
    ({"window": 1, "pass_threshold": 0.6}, "over 1 tasks is at most 0.585"),
    ({"replay_share": 1.0}, r"\[0, 1\)"),
    ({"replay_share": -0.1}, r"\[0, 1\)"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=[str(row[0]) for row in REFUSED])
def test_impossible_values_are_refused_with_a_remedy(
    options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        CurriculumConfig(**options)


class Patient(Threshold):
    """A user's own."""


def test_a_strategy_derived_from_the_threshold_is_checked_like_it(monkeypatch) -> None:
    monkeypatch.setattr("logic_curriculum.curriculum.strategies.Patient", Patient, raising=False)
    own = "logic_curriculum.curriculum.strategies:Patient"
    with pytest.raises(ValueError, match="over 1 tasks is at most"):
        CurriculumConfig(strategy=own, window=1, pass_threshold=0.6)
    assert CurriculumConfig(strategy="uniform", window=1, pass_threshold=0.6).window == 1


def test_a_configuration_cannot_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        CurriculumConfig().window = 3


def test_trl_parses_it_beside_its_own_configurations(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(
        "families: [slr]\nwindow: 64\nlast_level: 6\nuse_cpu: true\n"
    )
    parser = TrlParser((CurriculumConfig, GRPOConfig, ModelConfig))
    config, *_ = parser.parse_args_and_config(
        ["--config", str(tmp_path / "run.yaml"), "--window", "32", "--bf16", "false"]
    )
    assert config == CurriculumConfig(families=["slr"], window=32, last_level=6)


def test_every_field_explains_itself_to_a_parser() -> None:
    assert all(field.metadata["help"] for field in dataclasses.fields(CurriculumConfig))


def test_a_ladder_gives_the_tier_of_each_level_and_no_other() -> None:
    ladder = Ladder("toy", ("basic", "hard"))
    assert [ladder.tier(level) for level in (1, 2)] == ["basic", "hard"]
    with pytest.raises(ValueError, match="levels 1 to 2"):
        ladder.tier(3)


def test_slr_has_twenty_levels_in_four_tiers() -> None:
    assert ladder_of("slr").tiers == tuple(
        tier for tier in ("basic", "easy", "medium", "hard") for _ in range(5)
    )


def test_a_missing_extra_names_the_install_command() -> None:
    with pytest.raises(ImportError, match=r'pip install "logic-curriculum\[train\]"'):
        require("a_module_that_nobody_has", extra="train")


def test_names_that_are_resolved_when_used_are_listed() -> None:
    assert set(curriculum.__all__) <= set(dir(curriculum))
    assert {"slr_reward", "logic_reward", "judge"} <= set(dir(rewards))
