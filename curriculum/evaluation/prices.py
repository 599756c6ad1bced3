"""What tokens cost: a dated table of prices, shipped or of your own.

The shipped one, ``prices.yaml``, is Table 5 of the SLR paper (appendix C).
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from logic_curriculum.generators.llm import Prices

SHIPPED = Path(__file__).with_name("prices.yaml")


@dataclass(frozen=True)
class PriceTable:
    """Prices of a million tokens on one day."""

    date: datetime.date
    currency: str
    models: Mapping[str, Prices]
    """Name or tag of a model, in lower case → its prices."""

    def of(self, model: str) -> Prices | None:
        """Return the prices of a model, or None if the table lacks it.

        Args:
            model: Its name or tag in the table in any case, or a path that ends in it, such as
                ``meta-llama/Llama-3.1-8B-Instruct``.
        """
        return self.models.get(_key(model))

    def with_model(self, model: str, prices: Prices) -> PriceTable:
        """Return the table with other prices for a model, in the table's currency."""
        return replace(self, models={**self.models, _key(model): prices})


def _key(model: str) -> str:
    return model.rstrip("/").rsplit("/", 1)[-1].lower()


def load_prices(path: Path = SHIPPED) -> PriceTable:
    """Read a table of prices.

    Args:
        path: YAML with ``date``, ``currency`` and ``providers``: provider → model → ``input`` and
            ``output`` in ``currency`` per million tokens, and if need be ``tag``, another name.

    Raises:
        ValueError: If the file holds something else; the message says where.
    """
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        models = {}
        for entries in found["providers"].values():
            for name, entry in entries.items():
                prices = Prices(entry["input"], entry["output"])
                models[str(name).lower()] = prices
                models.setdefault(str(entry.get("tag", name)).lower(), prices)
        return PriceTable(_date(found["date"]), str(found["currency"]), models)
    except OSError as error:
        raise ValueError(f"{path} can't be read ({error.strerror}); check the path.") from error
    except (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} is no table of prices ({type(error).__name__}: {error}). Write date, currency "
            f"and providers as in {SHIPPED}."
        ) from error


def _date(value: Any) -> datetime.date:
    if not isinstance(value, datetime.date):
        raise ValueError(f"date is {value!r}: write one such as 2025-05-01")
    return value


def cost(prices: Prices | None, read: int | None, written: int | None) -> float | None:
    """Return what tokens cost, or None if a price or a count is not known.

    Args:
        prices: Prices of a million tokens.
        read: Tokens of the prompts.
        written: Tokens of the completions.
    """
    if prices is None or read is None or written is None:
        return None
    return (read * prices.input + written * prices.output) / 1_000_000
