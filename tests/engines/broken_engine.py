"""An engine that loads, and does not judge as it should."""

from __future__ import annotations

from pathlib import Path

from logic_curriculum.rewards.engines import prolog_old as prolog


def broken_engine(folder: Path) -> Path:
    """Copy the engine to a folder, with a whitelist that lacks what every rule needs."""
    engine = folder / "engine"
    engine.mkdir()
    for source in (Path(prolog.__file__).parent / "engine").glob("*.pl"):
        text = source.read_text()
        if source.name == "whitelist.pl":
            assert "charged(msort/2)" in text
            text = text.replace("charged(msort/2)", "charged(msort/7)")
        (engine / source.name).write_text(text)
    return engine
