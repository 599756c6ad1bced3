"""YAML nodes that remember their line, to say where a language file is wrong."""

from __future__ import annotations

import re
from typing import NoReturn

import yaml


class LanguageFileError(ValueError):
    """A language file is not usable; the message names file, line and remedy."""


class Source:
    """A file's name, to point at the line of a YAML node."""

    def __init__(self, name: str) -> None:
        self.name = name

    def root(self, text: str, start: str) -> yaml.Node:
        """Return the root node of the file's text.

        Args:
            text: The content.
            start: What to do about an empty file, e.g. ``"copy english.yaml"``.

        Raises:
            LanguageFileError: The text is empty or not YAML. The parser marks a line unless a
                character is at fault.
        """
        try:
            root: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            raise LanguageFileError(self._yaml_problem(error)) from error
        if root is None:
            raise LanguageFileError(f"{self.name}, line 1: the file is empty; {start}")
        return root

    def _yaml_problem(self, error: yaml.YAMLError) -> str:
        if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
            where = f"{self.name}, line {error.problem_mark.line + 1}"
            return f"{where}: not valid YAML ({error.problem}); correct the line's syntax"
        return f"{self.name}: not valid YAML ({error}); remove what is no plain text"

    def fail(self, node: yaml.Node, problem: str, remedy: str) -> NoReturn:
        """Raise an error that names the node's line, the problem and the remedy."""
        raise LanguageFileError(
            f"{self.name}, line {node.start_mark.line + 1}: {problem}; {remedy}"
        )

    def mapping(self, node: yaml.Node, what: str) -> dict[str, yaml.Node]:
        """Return the values of a mapping by key; no key may occur twice."""
        if not isinstance(node, yaml.MappingNode):
            self.fail(node, f"{what} is not a mapping", "write `key: value` lines")
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = str(self.constant(key, f"a key of {what}"))
            if name in found:
                self.fail(key, f"{name!r} occurs twice in {what}", "keep one of them")
            found[name] = value
        return found

    def keyed(
        self, node: yaml.Node, what: str, required: tuple[str, ...], optional: tuple[str, ...] = ()
    ) -> dict[str, yaml.Node]:
        """Return the values of a mapping that must have certain keys and may have others."""
        found = self.mapping(node, what)
        allowed = (*required, *optional)
        for key, value in found.items():
            if key not in allowed:
                self.fail(
                    value, f"unknown key {key!r} in {what}", f"the keys are {', '.join(allowed)}"
                )
        for key in required:
            if key not in found:
                self.fail(node, f"{what} lacks the key {key!r}", f"add `{key}:`")
        return found

    def items(self, node: yaml.Node, what: str) -> list[yaml.Node]:
        """Return the items of a list."""
        if not isinstance(node, yaml.SequenceNode):
            self.fail(node, f"{what} is not a list", "write `[a, b]` or lines that begin with `-`")
        return list(node.value)

    def constant(self, node: yaml.Node, what: str) -> str | int:
        """Return a name or a number."""
        if not isinstance(node, yaml.ScalarNode):
            self.fail(node, f"{what} is not a single value", "write one name or number")
        if node.tag == "tag:yaml.org,2002:int" and re.fullmatch(r"\d{1,7}", node.value):
            return int(node.value)
        return str(node.value)

    def text(self, node: yaml.Node, what: str) -> str:
        """Return a text that is not blank."""
        value = str(self.constant(node, what))
        if not value.strip():
            self.fail(node, f"{what} is empty", "write a text")
        return value
