"""What a benchmark ran on, for a table that is kept."""

from __future__ import annotations

import os
import platform


def describe_machine() -> str:
    """Name the processor, its number of cores, the version of Python and the load."""
    return (
        f"{_processor()}, {os.cpu_count()} cores · Python {platform.python_version()} · "
        f"load {os.getloadavg()[0]:.1f} at the start"
    )


def _processor() -> str:
    name = platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            names = [line.split(":", 1)[1].strip() for line in file if "model name" in line]
        name = names[0] if names else name
    return name
