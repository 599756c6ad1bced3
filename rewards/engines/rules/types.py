"""The types of a rule's terms: wholes, parts, numbers, values, lists and pairs of these."""

from __future__ import annotations


class ClashError(Exception):
    """Two types differ; the text says which."""


class Type:
    """A type, or one that is not known yet and becomes another by :func:`unify`."""

    __slots__ = ("_inner", "_kind", "_link")

    def __init__(self, kind: str | None = None, *inner: Type) -> None:
        self._kind = kind
        self._inner = inner
        self._link: Type | None = None

    def found(self) -> Type:
        """Return what the type has become."""
        return self if self._link is None else self._link.found()

    @property
    def kind(self) -> str | None:
        """Its name, None if it is not known."""
        return self.found()._kind

    def __str__(self) -> str:
        """Return words for a message."""
        its = self.found()
        if its._kind is None:
            return "a term"
        return {"list": "a list", "pair": "a pair", "number": "a number"}.get(
            its._kind, f"a {its._kind.replace('_', ' ')}"
        )

    def is_deeper(self, most: int) -> bool:
        """Return whether lists and pairs are within each other more than so many times."""
        return most < 0 or any(inner.is_deeper(most - 1) for inner in self.found()._inner)

    def holds(self, other: Type) -> bool:
        """Return whether another type is within this one."""
        its = self.found()
        return its is other or any(inner.holds(other) for inner in its._inner)


WHOLE, PART, NUMBER, FRACTION = Type("whole"), Type("part"), Type("number"), Type("fraction")


def list_of(item: Type) -> Type:
    """Return the type of lists of a type."""
    return Type("list", item)


def pair_of(first: Type, second: Type) -> Type:
    """Return the type of pairs."""
    return Type("pair", first, second)


def unify(one: Type, other: Type) -> None:
    """Make two types one; raise a ClashError if they differ."""
    one, other = one.found(), other.found()
    if one is other:
        return
    for free, its in ((one, other), (other, one)):
        if free._kind is None:
            if its.holds(free):
                raise ClashError("a list or pair can't hold itself")
            free._link = its
            return
    if one._kind != other._kind:
        raise ClashError(f"{one} is compared with {other}")
    for mine, its in zip(one._inner, other._inner, strict=True):
        unify(mine, its)
