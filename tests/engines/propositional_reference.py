"""Random formulas, and their truth worked out one assignment at a time on their text."""

import itertools
import re


def random_text(rng, names, depth):
    """Return the text of a formula whose nesting is at most ``depth``."""
    kind = rng.choice("v¬∧∨→") if depth else "v"
    if kind == "v":
        return rng.choice(names)
    if kind == "¬":
        return "¬" + random_text(rng, names, depth - 1)
    count = 2 if kind == "→" else rng.randint(2, 4)
    return "(" + kind.join(random_text(rng, names, depth - 1) for _ in range(count)) + ")"


def names_in(texts):
    return sorted(set(re.findall(r"[A-Za-z]\w*", " ".join(texts))))


def truth(text, assignment):
    """Rewrite a formula's text, innermost bracket first, until it is 0 or 1."""
    text = re.sub(r"[A-Za-z]\w*", lambda name: str(int(assignment[name[0]])), text)
    while len(text) > 1:
        text = text.replace("¬0", "1").replace("¬1", "0")
        text = re.sub(r"\(([01])→([01])\)", lambda m: str(int(m[1] <= m[2])), text)
        text = re.sub(r"\(([01](?:∧[01])+)\)", lambda m: str(int("0" not in m[1])), text)
        text = re.sub(r"\(([01](?:∨[01])+)\)", lambda m: str(int("1" in m[1])), text)
    return text == "1"


def assignments(names):
    for values in itertools.product((False, True), repeat=len(names)):
        yield dict(zip(names, values, strict=True))


def count_models(texts):
    return sum(all(truth(text, each) for text in texts) for each in assignments(names_in(texts)))
