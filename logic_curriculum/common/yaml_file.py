"""YAML files of a user's own: read into a pydantic model, with the line of what is wrong."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from logic_curriculum.common.files import read_text

Model = TypeVar("Model", bound="FileModel")


class YamlFileError(ValueError):
    """A file can't be used; the message names the file, the line and what to change."""


class FileModel(BaseModel):
    """Base of what a file holds: immutable, and no key beyond its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def read_yaml(text: str, name: str, model: type[Model], start: str = "copy a shipped one") -> Model:
    """Read the text of a YAML file, called ``name`` in messages; ``start`` advises on an empty one.

    A validator of the model raises ``ValueError("problem; remedy")``; the error then points at the
    line of the field that it checks. A validator of the whole model may point at one of its values:
    ``raise at("predicates", 0, problem="…; …")``.

    Raises:
        YamlFileError: The text is no YAML, a key occurs twice, or the model refuses a value.
    """
    root = _root(text, name, start)
    try:
        value = _value(root, name)
    except RecursionError as error:
        problem = "an alias stands inside what it names; write its value out"
        raise YamlFileError(f"{_place(name, root)}: {problem}") from error
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        path, problem = _problem(first, model)
        raise YamlFileError(f"{_place(name, _node(root, path))}: {problem}") from error


def names_in(folder: Path) -> tuple[str, ...]:
    """Return the names of a folder's YAML files, without suffix, in alphabetic order."""
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))


@cache
def _shipped_text(folder: Path, name: str) -> str:
    return read_text(folder / f"{name}.yaml")


def find_text(
    name_or_path: str | Path, folder: Path, names: Sequence[str], kind: str
) -> tuple[str, str]:
    """Return the text of one of the folder's files or of a user's own, and what messages call it.

    What ends in ``.yaml`` or ``.yml`` or holds a path separator is taken as a path. Messages call
    the file by its ``kind``, such as ``"theme"``. A ``ValueError`` says what can't be read.
    """
    given = str(name_or_path)
    if given in names:
        return _shipped_text(folder, given), f"{given}.yaml"
    if not (given.endswith((".yaml", ".yml")) or "/" in given or "\\" in given):
        raise ValueError(
            f"There is no {kind} {given!r}: choose one of {', '.join(names)}, or give the path of "
            "a .yaml file"
        )
    if not Path(given).is_file():
        raise ValueError(f"The {kind} file {given!r} does not exist; check the path")
    try:
        return read_text(given), given
    except UnicodeDecodeError as error:
        raise ValueError(
            f"The {kind} file {given!r} is not UTF-8 text ({error.reason} at byte {error.start}); "
            "save it as UTF-8"
        ) from error


class _MisplacedError(ValueError):
    path: tuple[str | int, ...]


def at(*path: str | int, problem: str) -> ValueError:
    """Return an error of a whole model, ``"problem; remedy"``, that points at one of its values.

    The ``path`` of keys and numbers of items leads there from the model's own place.
    """
    error = _MisplacedError(problem)
    error.path = path
    return error


def _root(text: str, name: str, start: str) -> yaml.Node:
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise YamlFileError(
            f"{name}{line}: not valid YAML ({error.problem}); correct the line's syntax"
        ) from error
    except yaml.YAMLError as error:
        problem = f"not valid YAML ({error}); remove what is no plain text"
        raise YamlFileError(f"{name}: {problem}") from error
    if root is None:
        raise YamlFileError(f"{name}, line 1: the file is empty; {start}")
    return root


def _value(node: yaml.Node, name: str) -> Any:
    """Return a node as Python has it; only whole numbers and truth values are no text."""
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                problem = "a key in brackets or braces is no text; remove them, or quote the key"
                raise YamlFileError(f"{_place(name, key)}: {problem}")
            if key.value in found:
                problem = f"{key.value!r} occurs twice; keep one of them"
                raise YamlFileError(f"{_place(name, key)}: {problem}")
            found[str(key.value)] = _value(value, name)
        return found
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, name) for item in node.value]
    if node.tag.removeprefix("tag:yaml.org,2002:") in ("int", "float", "bool", "null"):
        return yaml.SafeLoader("").construct_object(node)
    return str(node.value)


def _node(node: yaml.Node, path: tuple[str | int, ...]) -> yaml.Node:
    """Return the node at a path, or the last one on the way that there is."""
    for step in path:
        children: dict[str | int, yaml.Node] = {}
        if isinstance(node, yaml.MappingNode):
            children = {key.value: value for key, value in node.value}
        elif isinstance(node, yaml.SequenceNode):
            children = dict(enumerate(node.value))
        if step not in children:
            break
        node = children[step]
    return node


def _problem(error: Any, model: type[BaseModel]) -> tuple[tuple[str | int, ...], str]:
    """Return the path of what pydantic refuses, and the problem with its remedy."""
    path, kind, value = tuple(error["loc"]), error["type"], error["input"]
    where = ".".join(map(str, path)) or "the file"
    match kind:
        case "missing":
            return path, f"`{where}` is missing; add `{path[-1]}:`"
        case "extra_forbidden":
            known = ", ".join(model.model_fields) if len(path) == 1 else "those of a shipped file"
            return path, f"unknown key `{where}`; the keys are {known}"
        case "model_type":
            told = f"`{where}` is {value!r:.60}, which has no keys; write lines like `key: value`"
            return path, told
        case "value_error":
            cause = error["ctx"]["error"]
            return path + getattr(cause, "path", ()), str(cause)
    message = error["msg"].removeprefix("Input ")
    return path, f"`{where}` is {value!r:.60}, but it {message}; correct the value"


def _place(name: str, node: yaml.Node) -> str:
    return f"{name}, line {node.start_mark.line + 1}"
