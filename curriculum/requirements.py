"""Optional dependencies: a missing one is named together with the command that installs it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def require(module: str, extra: str) -> ModuleType:
    """Import and return a module that belongs to an optional extra.

    Args:
        module: Importable name, e.g. ``"trl"``.
        extra: The extra of this distribution that installs it, e.g. ``"train"``.

    Raises:
        ImportError: If the module is not installed; the message holds the install command.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ImportError(
            f"{module!r} could not be imported ({error}); it is an optional dependency. Install it "
            f'with: pip install "logic-curriculum[{extra}]"'
        ) from error
