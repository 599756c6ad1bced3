"""Profiles of the fuzz tests: ``small``, and ``long`` with ``--hypothesis-profile=long``."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import HealthCheck, settings

LONGEST = timedelta(seconds=60)  # for one example; in a short run pytest's limit is the outer one

for name, examples in (("small", 8), ("long", 100)):
    settings.register_profile(
        name,
        max_examples=examples,
        derandomize=name == "small",
        deadline=None if name == "small" else LONGEST,
        database=None,  # what is found becomes a test of its own
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
settings.load_profile("small")
