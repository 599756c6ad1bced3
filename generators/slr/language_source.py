"""The names that a Prolog vocabulary may use, read from YAML nodes."""

from __future__ import annotations

import re

import yaml

from logic_curriculum.generators import yaml_source

ATOM = re.compile(r"[a-z][a-zA-Z0-9_]*\Z")


class Source(yaml_source.Source):
    """A language file's name, to point at the line of a YAML node."""

    def atom(self, node: yaml.Node, what: str) -> str:
        """Return a name that Prolog reads as an atom."""
        value = str(self.constant(node, what))
        if not ATOM.match(value):
            self.fail(
                node,
                f"{what} {value!r} is not a Prolog atom",
                "begin it with a small letter and use letters, digits and underscores only",
            )
        return value
