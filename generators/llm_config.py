"""Which language model, where, and how it is asked: from a name or a YAML file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml

from logic_curriculum.generators.llm_cache import default_folder
from logic_curriculum.generators.llm_records import Prices

MODEL_VARIABLE = "OPENAI_MODEL"
"""Names the model where none is given. The key and the endpoint have variables as well, which the
``openai`` package reads by itself: ``OPENAI_API_KEY`` and ``OPENAI_BASE_URL``."""
_OWN_OPTIONS = ("messages", "model", "n", "stream")
"""Options of a completion that this client sets itself."""


@dataclass(frozen=True)
class LLMConfig:
    """A language model behind an OpenAI-compatible endpoint.

    Raises:
        ValueError: A value can't be used.
    """

    model: str
    """The endpoint's name for it."""
    client: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of ``openai.AsyncOpenAI``, unchanged: ``base_url``, ``timeout`` in seconds,
    ``max_retries`` and so on."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of its ``chat.completions.create``, unchanged: ``temperature``, ``max_tokens`` and
    so on. They belong to a question: other options, other answers."""
    concurrency: int = 8
    """Most questions that this process asks at a time."""
    cache: Path = field(default_factory=default_folder)
    """Folder of the answers."""
    prices: Prices | None = None
    """For the cost; no prices are known by themselves."""

    def __post_init__(self) -> None:
        """Check the values."""
        if not isinstance(self.model, str) or not self.model.strip():
            raise ValueError(
                f"model is {self.model!r}: give the name under which the endpoint serves a "
                f"language model, here or in the variable {MODEL_VARIABLE}"
            )
        if isinstance(self.concurrency, bool) or not isinstance(self.concurrency, int):
            raise ValueError(f"concurrency is {self.concurrency!r}: write a whole number such as 8")
        if self.concurrency < 1:
            raise ValueError(f"concurrency is {self.concurrency}: at least 1 question is asked")
        for name in ("client", "options"):
            _check_mapping(name, getattr(self, name))
        taken = [name for name in _OWN_OPTIONS if name in self.options]
        if taken:
            raise ValueError(
                f"options: {', '.join(taken)} can't be chosen, since this program sets "
                f"{', '.join(_OWN_OPTIONS)} itself. Leave it out."
            )


def _check_mapping(name: str, value: object) -> None:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is {value!r}: write `name: value` lines below it")
    try:
        json.dumps(value)
    except TypeError as error:
        raise ValueError(
            f"{name} can't be written as JSON ({error}), so no hash can be made of it. Use texts, "
            "numbers, lists and mappings."
        ) from error


def load_config(name_or_path: str | None = None) -> LLMConfig:
    """Return the configuration of a model.

    Args:
        name_or_path: The model's name, for an endpoint that the environment names; or the path of a
            YAML file whose keys are the fields of :class:`LLMConfig`, which ends in ``.yaml`` or
            ``.yml``. Without it, the environment names the model too.

    Raises:
        ValueError: No model is named, the file does not exist, or it is no configuration.
    """
    given = name_or_path or os.environ.get(MODEL_VARIABLE)
    if not given:
        raise ValueError(
            f"No language model is named: give its name or a YAML file, or set {MODEL_VARIABLE}"
        )
    if not given.endswith((".yaml", ".yml")):
        return LLMConfig(given)
    return _read(Path(given))


def _read(path: Path) -> LLMConfig:
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path} can't be read ({error.strerror}); check the path") from error
    except yaml.YAMLError as error:
        raise ValueError(f"{path} is not valid YAML ({error}); correct it") from error
    if not isinstance(found, dict):
        raise ValueError(f"{path} holds {found!r}: write `model: NAME` and other keys")
    known = [item.name for item in fields(LLMConfig)]
    unknown = [str(name) for name in found if name not in known]
    if unknown:
        raise ValueError(
            f"{path} has the unknown key {', '.join(unknown)}; the keys are {', '.join(known)}"
        )
    found.setdefault("model", os.environ.get(MODEL_VARIABLE, ""))
    if "cache" in found:
        found["cache"] = Path(str(found["cache"])).expanduser()
    if "prices" in found:
        found["prices"] = _prices(path, found["prices"])
    try:
        return LLMConfig(**found)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _prices(path: Path, found: object) -> Prices:
    if not isinstance(found, dict) or set(found) != {"input", "output"}:
        raise ValueError(
            f"{path}: prices is {found!r}; write `input:` and `output:` below it, each the price "
            "of a million tokens"
        )
    return Prices(**found)
