"""Structures as tasks describe them, e.g. {"Domain": [0], "F": [0], "a": 0}."""

from itertools import product

import fol_reference
from skill_prompts import world


def true_in(structure, text):
    """Say by the second engine whether a sentence is true in a structure."""
    values = {name: value for name, value in structure.items() if name != "Domain"}
    formula = fol_reference.cached_read(text)
    return fol_reference.true_in(formula, world(tuple(structure["Domain"]), values))


def plain_structures(symbols, size, kinds="MNO"):
    """Yield the structures that one would try without reading: all empty, all full, and so on.

    Kinds, if there are any, take turns; names are all the first object, or different ones.
    """
    objects = list(range(size))
    pairs = [list(pair) for pair in product(objects, objects)]
    for everything, apart in product((False, True), (False, True)):
        structure = {"Domain": objects}
        for symbol in symbols:
            if symbol in kinds:
                structure[symbol] = [i for i in objects if i % 3 == kinds.index(symbol)]
            elif symbol in "PQR":
                structure[symbol] = pairs if everything else []
            elif symbol.isupper():
                structure[symbol] = objects if everything else []
            else:
                structure[symbol] = "abc".index(symbol) % size if apart else 0
        yield structure


def random_structure(rng, size, axiom):
    """Draw what all symbols stand for; with the axiom, each object is of one of three kinds."""
    objects = list(range(size))
    kinds = [0, 1, 2, *(rng.randrange(3) for _ in range(size - 3))]
    rng.shuffle(kinds)
    pairs = [[i, j] for i in objects for j in objects]
    structure = {"Domain": objects, **{name: rng.choice(objects) for name in "abc"}}
    structure |= {f: [i for i in objects if rng.random() < 0.5] for f in "FGHIJKLMNO"}
    if axiom:
        structure |= {k: [i for i in objects if kinds[i] == n] for n, k in enumerate("MNO")}
    return structure | {p: [pair for pair in pairs if rng.random() < 0.5] for p in "PQR"}
