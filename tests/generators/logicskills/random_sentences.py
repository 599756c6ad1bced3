"""Random sentences of any type and shape."""

from itertools import chain

from logic_curriculum.generators.logicskills.constructions import (
    ALL_SYMBOLS,
    SHAPES,
    SIMPLE_TYPES,
    depth,
    leaves,
    shape_type,
    types_of,
)
from logic_curriculum.generators.logicskills.sentences import compound, simple_sentences

COMPOUND_SHAPES = [shape for clauses in (2, 3, 4, 6) for shape in SHAPES[clauses]]
SENTENCE_TYPES = tuple(dict.fromkeys(chain(SIMPLE_TYPES, map(shape_type, COMPOUND_SHAPES))))


def draw(rng, types, vocabulary=ALL_SYMBOLS, max_depth=4):
    """Return a random sentence of some types; clauses of compounds have at most one quantifier."""
    name = rng.choice(types)
    if name in SIMPLE_TYPES:
        return rng.choice(simple_sentences((name,), vocabulary))
    shapes = [item for item in COMPOUND_SHAPES if shape_type(item) == name]
    shape = rng.choice([item for item in shapes if depth(item) <= max_depth])
    clauses = simple_sentences(types_of("literal", "one"), vocabulary)
    return compound(shape, rng.sample(clauses, leaves(shape)))
