"""Truth in a finite structure, read off the formula's text: slow, short, and its own parser."""

from itertools import product

CONNECTIVES = {
    "∧": lambda a, b: a and b,
    "∨": lambda a, b: a or b,
    "→": lambda a, b: not a or b,
    "↔": lambda a, b: a == b,
}


def true_in(structure, text):
    """Say whether a sentence is true in a structure as tasks describe it, e.g. {"Domain": [0]}."""
    value, end = _read(structure, text, 0, {})
    assert end == len(text), f"{text!r} goes on at {end}"
    return value


def _read(structure, text, at, values):
    char = text[at]
    if char == "¬":
        value, end = _read(structure, text, at + 1, values)
        return not value, end
    if char in "∀∃":
        name, found = text[at + 1], []
        for item in structure["Domain"]:
            value, end = _read(structure, text, at + 2, {**values, name: item})
            found.append(value)
        return (all if char == "∀" else any)(found), end
    if char == "(":
        left, end = _read(structure, text, at + 1, values)
        right, stop = _read(structure, text, end + 1, values)
        assert text[stop] == ")"
        return CONNECTIVES[text[end]](left, right), stop + 1
    end = at + 1
    while end < len(text) and text[end].islower():
        end += 1
    terms = [values[t] if t in values else structure[t] for t in text[at + 1 : end]]
    return (terms[0] if len(terms) == 1 else terms) in structure[char], end


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
