"""What the prompts say of the sentences' meaning is what the formulas say."""

import pytest
from random_sentences import COMPOUND_SHAPES

from logic_curriculum.generators import generate
from logic_curriculum.generators.logicskills.constructions import leaves
from logic_curriculum.generators.logicskills.lexicon import load_lexicon
from logic_curriculum.generators.logicskills.prompts import template
from logic_curriculum.generators.logicskills.sentences import compound, realize, simple_sentences
from logic_curriculum.rewards.engines.fol.entailment import equivalent
from logic_curriculum.rewards.engines.fol.models import Structure, holds
from logic_curriculum.rewards.engines.fol.parser import parse
from logic_curriculum.rewards.engines.fol.syntax import Binary, Not

CONVENTIONS = template("conventions")
ENGLISH = load_lexicon("english")
ATOMS = [item for item in simple_sentences(("atomic_monadic",)) if str(item.formula)[0] in "FGHIJK"]
JOINTS = {
    "and": lambda a, b: Binary("and", a, b),
    "but": lambda a, b: Binary("and", a, b),
    "or": lambda a, b: Binary("or", a, b),
    "unless": lambda a, b: Binary("or", a, b),
    "only if": lambda a, b: Binary("imp", a, b),
    "if and only if": lambda a, b: Binary("iff", a, b),
    "just in case": lambda a, b: Binary("iff", a, b),
}


class Reading:
    """Reads clauses A, B … and the words between them by what the prompts say, and no more."""

    def __init__(self, text, formulas):
        self.text = text
        self.formulas = formulas

    def takes(self, word):
        found = self.text.startswith(word)
        self.text = self.text.removeprefix(word)
        return found

    def sentence(self):
        """What follows "then" reaches to the end; a comma ends all that stands before it."""
        if self.takes("if "):
            condition = self.sentence()
            assert self.takes(", then ")
            return Binary("imp", condition, self.sentence())
        whole = self.clause()
        if self.text.startswith(", then "):
            return whole
        self.takes(",")
        for joint in sorted(JOINTS, key=len, reverse=True):
            if self.takes(f" {joint} "):
                return JOINTS[joint](whole, self.sentence())
        return whole

    def clause(self):
        """ "Both" and "either" bracket what they join, "it is not the case" denies the rest."""
        if self.takes("it is not the case that "):
            return Not(self.sentence())
        for opening, joint in (("both ", "and"), ("either ", "or")):
            if self.takes(opening):
                first = self.clause()
                assert self.takes(f" {joint} ")
                return JOINTS[joint](first, self.clause())
        letter, self.text = self.text[0], self.text[1:]
        return self.formulas[letter]


@pytest.mark.parametrize("shape", COMPOUND_SHAPES, ids=str)
def test_compounds_mean_what_the_prompts_say_of_their_words(shape):
    clauses = ATOMS[: leaves(shape)]
    sentence = compound(shape, clauses)
    text = realize(sentence, ENGLISH).removesuffix(".")
    text = text[0].lower() + text[1:] if text[:1] in "BEI" else text
    letters = dict(zip("ABCDEF", clauses, strict=False))
    for letter, clause in letters.items():
        text = text.replace(realize(clause, ENGLISH).removesuffix("."), letter)
    reading = Reading(text, {letter: clause.formula for letter, clause in letters.items()})
    assert equivalent(reading.sentence(), sentence.formula).verdict
    assert reading.text == ""


def said(text):
    """The formula of an English sentence without connectives."""
    return next(item.formula for item in SIMPLE if realize(item, ENGLISH) == text)


SIMPLE = simple_sentences(
    (
        "quantified_universal_affirmative",
        "quantified_particular_affirmative",
        "quantified_universal_negative",
        "quantified_particular_negative",
        "quantified_only_restrictor",
        "quantified_all_some",
        "quantified_some_some",
        "quantified_all_all_back",
        "quantified_some_self",
        "quantified_relative_all",
        "quantified_all_all_all",
    )
)


def world(size, **values):
    """A structure of the kinds M (donkeys) and N (humans), H (drank) and P (saw)."""
    names = {"a": 0}
    monadic = {name: frozenset(values.get(name, ())) for name in "MNOFGHIJKL"}
    binary = {name: frozenset(values.get(name, ())) for name in "PQR"}
    return Structure(tuple(range(size)), names, monadic, binary)


TRUE, FALSE = True, False
CASES = [
    ("A donkey drank.", world(2, M=[0, 1], H=[0, 1]), TRUE, "a: at least one"),
    ("A donkey drank.", world(1, M=[0]), FALSE, "a: at least one"),
    ("No donkeys drank.", world(2, M=[0, 1], H=[0]), FALSE, "no: not even one"),
    ("Not all donkeys drank.", world(2, M=[0]), TRUE, "not all: at least one that doesn't"),
    ("Not all donkeys drank.", world(2), FALSE, "not all: there is one"),
    ("Only donkeys drank.", world(2, M=[0], H=[0, 1]), FALSE, "only: whatever drank is one"),
    ("Only donkeys drank.", world(2, M=[0, 1], H=[0]), TRUE, "only: others need not"),
    ("Only donkeys drank.", world(2), TRUE, "only promises nothing"),
    ("Every donkey drank.", world(2), TRUE, "every promises nothing"),
    ("Every donkey saw a human.", world(4, M=[0, 1], N=[2, 3], P=[(0, 2), (1, 3)]), TRUE, "scope"),
    ("A donkey saw a donkey.", world(1, M=[0], P=[(0, 0)]), TRUE, "may be the same"),
    ("Every donkey saw every human that saw it.", world(2, M=[0], N=[1], P=[(1, 1)]), TRUE, "it"),
    ("Every donkey saw every human that saw it.", world(2, M=[0], N=[1], P=[(1, 0)]), FALSE, "it"),
    ("A donkey saw itself.", world(2, M=[0], P=[(0, 0)]), TRUE, "itself"),
    (
        "Every donkey that saw a human drank.",
        world(3, M=[0], N=[1, 2], P=[(0, 1)]),
        FALSE,
        "a quantifier stays in its relative clause",
    ),
    (
        "Every donkey saw every human that saw every monkey.",
        world(3, M=[0], N=[1], O=[2], P=[(0, 2)]),
        TRUE,
        "a relative clause belongs to the noun before it",
    ),
]


@pytest.mark.parametrize(("text", "structure", "truth", "convention"), CASES)
def test_simple_sentences_mean_what_the_prompts_say(text, structure, truth, convention):
    assert holds(said(text), structure) is truth, convention


def test_if_then_only_if_is_read_as_the_prompts_say():
    example = "If Alfred will run, then Alfred will attack only if Alfred drank."
    clauses = [next(c for c in ATOMS if str(c.formula) == text) for text in ("Fa", "Ga", "Ha")]
    sentence = compound(("if_then", "clause", ("only_if", "clause", "clause")), clauses)
    assert realize(sentence, ENGLISH) == example
    assert sentence.formula == parse("(Fa→(Ga→Ha))")
    assert '"if A, then B only if C" says that if A, then (if B, then C)' in CONVENTIONS


@pytest.mark.parametrize("language", ["english", "carroll"])
@pytest.mark.parametrize("family", ["symbolization", "validity"])
def test_the_conventions_stand_in_the_full_prompts_of_sentences(family, language):
    assert f"\n{CONVENTIONS}\n" in generate(family, 1, 0, language=language).prompt
    for style in ("compact", "paper"):
        assert CONVENTIONS not in generate(family, 1, 0, language=language, style=style).prompt
