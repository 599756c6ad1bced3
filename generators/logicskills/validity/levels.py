"""The levels of validity: what premises are made of, and what the options may be about."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from logic_curriculum.generators.logicskills import arguments
from logic_curriculum.generators.logicskills.arguments import ClauseTable, Composition, PremiseSpec
from logic_curriculum.generators.logicskills.constructions import CANONICAL, LEAF, SHAPES

_SIMPLE = "simple "
_OPTION_SHAPES = 2  # ways to join clauses that the options of one task are made with


@dataclass(frozen=True)
class Question:
    """What the options may be about, and premises among which such options are found."""

    about: str  # what draw_subject knows; with "simple" in front, no option is a compound
    premises: PremiseSpec


Level = tuple[Question, ...]  # each task draws one; all have the same number of premises


def _level(
    premises: int, *questions: tuple[str, tuple[int, ...], int, tuple[str, tuple[str, ...]]]
) -> Level:
    """Return a level; a question is ``about, clauses, link_count, (binary, links)``."""
    return tuple(
        Question(about, PremiseSpec(premises, clauses, links, link_count, binary=binary))
        for about, clauses, link_count, (binary, links) in questions
    )


_FEW, _MANY, _MOST = (2, 3), (3,), (3, 4)
# Verbs of the premises, and sorts of their symbols, as sentences.sorts_of writes them.
_MONADIC = ("", ("nm", "nk", "km"))
_NAMES = ("P", ("nm", "nk", "km", "nbn", "kbn", "nbk"))
_KINDS = ("P", (*_NAMES[1], "kbk"))
_TWO_VERBS = ("PQ", _KINDS[1])

# fmt: off
LEVELS: tuple[Level, ...] = (
    _level(2, ("three names", _FEW, 0, _MONADIC), ("two by two", _FEW, 0, _MONADIC),
           ("simple kind and name", _FEW, 0, _MONADIC)),
    _level(2, ("two names", _FEW, 0, _NAMES), ("simple two names", _FEW, 0, _NAMES),
           ("kind to name", _MANY, 0, _NAMES), ("kind and name", _MANY, 0, _MONADIC)),
    _level(3, ("simple three names", (2,), 0, _MONADIC), ("simple two by two", _FEW, 0, _MONADIC),
           ("three names", _FEW, 1, _MONADIC), ("kind and name", _FEW, 1, _MONADIC)),
    _level(3, ("simple two names", _FEW, 0, _NAMES), ("two names", _FEW, 1, _NAMES),
           ("kind to name", _FEW, 1, _NAMES), ("simple kind and name", _FEW, 1, _MONADIC)),
    _level(3, ("simple two kinds", _MANY, 0, _KINDS), ("kind and name", _FEW, 1, _KINDS),
           ("kind to name", _FEW, 1, _KINDS), ("simple two names", _MANY, 1, _KINDS)),
    _level(4, ("kind and name", _FEW, 2, _MONADIC), ("two names", _FEW, 2, _NAMES),
           ("kind to name", _FEW, 2, _NAMES), ("simple two names", _FEW, 1, _NAMES)),
    _level(4, ("simple two kinds", _MOST, 1, _KINDS), ("kind and name", _FEW, 2, _KINDS),
           ("kind to name", _FEW, 2, _KINDS), ("simple two names", _FEW, 1, _KINDS)),
    _level(4, ("two kinds", _MANY, 2, _TWO_VERBS), ("kind to name", _MANY, 2, _TWO_VERBS),
           ("kind and name", _MANY, 2, _TWO_VERBS), ("two names", _MANY, 3, _TWO_VERBS)),
    _level(5, ("kind to name", _FEW, 3, _KINDS), ("kind and name", _FEW, 3, _KINDS),
           ("two names", _FEW, 3, _KINDS), ("simple two names", _MANY, 2, _KINDS)),
    _level(5, ("kind to name", _MOST, 3, _TWO_VERBS), ("kind and name", _MOST, 2, _TWO_VERBS),
           ("two names", _MOST, 3, _TWO_VERBS)),
)
# fmt: on


def draw_subject(question: Question, rng: Random) -> tuple[list[str], list[str]]:
    """Draw topics that the premises take up, and topics of options that only stand alone.

    Topics have the same symbols as far as there are enough of them.
    """
    spec = question.premises
    relation = "".join(rng.sample(spec.binary, len(spec.binary)))[:1]
    kind, other_kind, _ = rng.sample(CANONICAL.kinds, 3)
    names = rng.sample(spec.names, len(spec.names))
    monadic = rng.sample(spec.monadic, len(spec.monadic))
    name, other = names[:2]
    match question.about.removeprefix(_SIMPLE):
        case "three names":
            return [item + monadic[0] for item in names], []
        case "two by two":
            return [item + predicate for item in names[:2] for predicate in monadic], []
        case "kind and name":
            return [kind + monadic[0], name + monadic[0], name + kind], []
        case "two names":
            return [name + relation + other, other + relation + name, name + relation + name], []
        case "kind to name":
            third = rng.choice([name + relation + name, name + kind])
            return [kind + relation + name, name + relation + kind, third], []
        case "two kinds":
            both = [kind + relation + other_kind, other_kind + relation + kind]
            return [*both, kind + relation + kind], [topic + relation for topic in both]
    raise ValueError(f"no subject is called {question.about!r}")


def candidates(
    question: Question,
    about: Sequence[str],
    alone: Sequence[str],
    table: ClauseTable,
    rng: Random,
) -> list[Composition]:
    """Return the sentences that may be options, given what :func:`draw_subject` returned."""
    simple = [item for topic in [*about, *alone] for item in table.on(topic, alone=True)]
    if question.about.startswith(_SIMPLE):
        return [Composition(LEAF, (item,)) for item in simple]
    pairs = [(one, other) for one in about for other in about if one != other]
    if question.about != "three names":
        symbols = set("".join(about))
        pairs = [pair for pair in pairs if set("".join(pair)) == symbols]
        simple = [item for item in simple if set(arguments.topic_of(item.sentence)) == symbols]
    compounds = [
        Composition(shape, (one, other))
        for shape in rng.sample(SHAPES[2], _OPTION_SHAPES)
        for first, second in pairs
        for one in table.on(first, alone=False)
        for other in table.on(second, alone=False)
    ]
    return compounds + [Composition(LEAF, (item,)) for item in simple]
