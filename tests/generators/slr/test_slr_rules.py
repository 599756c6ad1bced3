"""Rules: the uniform source, the schemata, and the canonical text that splits are made on."""

import random
import re

import pytest

from logic_curriculum.generators.slr.language import grammar_of, load_language
from logic_curriculum.generators.slr.levels import level_of
from logic_curriculum.generators.slr.rules import (
    canonical_rule,
    draw_schema_rule,
    draw_uniform_rule,
    schema_bank,
)

UNIFORM = [
    (language, level, seed)
    for language in ("trains", "houses")
    for level in range(1, 21)
    for seed in range(25)
]


def draw(source, language, level, seed):
    return source(load_language(language), level_of(level), random.Random(seed))


def groups(rule, membership):
    """The attribute literals of each object variable: name to {predicate: value}."""
    found = {name: {} for name in re.findall(rf"{membership}\(\w+, (\w+)\)", rule)}
    for predicate, name, value in re.findall(r"(\w+)\((\w+), (\w+)\)", rule.split(" :- ")[1]):
        if predicate != membership:
            assert predicate not in found[name], "two values of one attribute"
            found[name][predicate] = value
    return found


def respell(rule, rng):
    """Shuffle a conjunctive rule's literals and rename its variables."""
    head, body = rule.rstrip(".").split(" :- ")
    literals = re.findall(r"\w+\([^()]*\)", body)
    rng.shuffle(literals)
    text = f"{head} :- {', '.join(literals)}."
    names = sorted(set(re.findall(r"\b[A-Z]\w*", text)))
    fresh = [f"Name{at}" for at in range(len(names))]
    rng.shuffle(fresh)
    renamed = dict(zip(names, fresh, strict=True))
    return re.sub(r"\b[A-Z]\w*", lambda match: renamed[match[0]], text)


# ------------------------------------------------------------------ uniform rules


@pytest.fixture(scope="module")
def uniform():
    """Levels, and the literals by variable of a uniform rule of each."""
    return [
        (level_of(level), list(groups(rule.text, load_language(language).membership).values()))
        for language, level, seed in UNIFORM
        for rule in [draw(draw_uniform_rule, language, level, seed)]
    ]


def test_uniform_rules_have_the_level_s_number_of_literals(uniform):
    for level, found in uniform:
        low, high = level.rule_length
        assert low <= sum(map(len, found)) <= high, found


def test_uniform_rules_have_no_more_variables_than_examples_have_parts(uniform):
    for level, found in uniform:
        assert 1 <= len(found) <= level.parts[1]
        assert all(found), "a variable without literals"


def test_no_variable_of_a_uniform_rule_says_only_what_another_says(uniform):
    for _, found in uniform:
        for at, literals in enumerate(found):
            others = found[:at] + found[at + 1 :]
            assert not any(literals.items() <= other.items() for other in others), found


def test_every_literal_of_a_uniform_rule_excludes_some_part():
    for language, level, seed in UNIFORM:
        loaded = load_language(language)
        grammar = grammar_of(loaded, level_of(level).predicates)
        names = [item.predicate for item in grammar.attributes]
        text = draw(draw_uniform_rule, language, level, seed).text
        for literals in groups(text, loaded.membership).values():
            placed = {
                names.index(name): int(value) if value.isdigit() else value
                for name, value in literals.items()
            }
            assert grammar.is_consistent(placed), f"no part is like this: {text}"
            assert not any(grammar.is_redundant(placed, at) for at in placed), text


# ------------------------------------------------------------------ canonical text


def test_names_and_order_do_not_change_the_canonical_text():
    rng = random.Random(0)
    for language, level, seed in UNIFORM[::3]:
        text = draw(draw_uniform_rule, language, level, seed).text
        assert canonical_rule(respell(text, rng)) == canonical_rule(text)


@pytest.mark.parametrize(("one", "other"), [
    ("e(T) :- h(T, C), a(C, x).", "e(X):-a(Y,x),h(X,Y)."),
    ("e(T) :- h(T, C), (a(C, x) ; a(C, y)).", "e(T) :- (a(C, y) ; a(C, x)), h(T, C)."),
    ("e(T) :- \\+ (h(T, C), a(C, x)).", "e(A) :- \\+ (a(B, x), h(A, B))."),
    ("e(T) :- h(T, C), n(C, N), N > 2.", "e(T) :- h(T, C), n(C, M), 2 < M."),
    ("e(T) :- h(T, C), h(T, D), C \\= D.", "e(T) :- h(T, D), h(T, C), D \\= C."),
    ("e(T) :- h(T, C), n(C, N), M is N + 1, o(M).", "e(T) :- h(T, C), n(C, B), K is 1 + B, o(K)."),
    ("e(T) :- h(T, C), a(C, X), member(X, [x, y]).",
     "e(T) :- h(T, C), a(C, Z), member(Z, [y, x])."),
    ("e(T) :- findall(C, (h(T, C), a(C, x)), L), length(L, 2).",
     "e(T) :- findall(D, (a(D, x), h(T, D)), K), length(K, 2)."),
    ("e(T) :- f(T).\nf(T) :- g(T).", "f(A) :- g(A).\ne(B) :- f(B)."),
    ("e(T) :- h(T, A), h(T, B), a(A, x), a(B, x), b(A, y), b(B, z).",
     "e(T) :- h(T, B), h(T, A), a(A, x), a(B, x), b(A, z), b(B, y)."),
])  # fmt: skip
def test_spellings_of_one_rule_have_one_canonical_text(one, other):
    assert canonical_rule(one) == canonical_rule(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("e(T) :- h(T, C), a(C, x), b(C, y).", "e(T) :- h(T, C), a(C, x), h(T, D), b(D, y)."),
        ("e(T) :- h(T, C), a(C, x).", "e(T) :- h(T, C), a(C, y)."),
        ("e(T) :- h(T, C), n(C, N), N > 2.", "e(T) :- h(T, C), n(C, N), N < 2."),
        ("e(T) :- h(T, C), n(C, N), N > 2.", "e(T) :- h(T, C), n(C, N), N >= 2."),
        ("e(T) :- (a(T) ; b(T)), c(T).", "e(T) :- a(T), (b(T) ; c(T))."),
        ("e(T) :- \\+ (a(T), b(T)).", "e(T) :- \\+ a(T), b(T)."),
        ("e(T) :- h(T, [A, B]), a(A).", "e(T) :- h(T, [A, B]), a(B)."),
        ("e(T) :- r(A, B), r(B, C), r(C, A).", "e(T) :- r(A, B), r(B, A), r(C, C)."),
    ],
)
def test_different_rules_have_different_canonical_texts(one, other):
    assert canonical_rule(one) != canonical_rule(other)


@pytest.mark.parametrize(
    "text", ["", "e(T) :- h(T, C)", "e(T) :- h(T, C.", "e(T :- f(T).", "e(T) :- , f.", "é."]
)
def test_text_that_is_no_rule_is_refused(text):
    with pytest.raises(ValueError, match=r"near|no Prolog|no clause"):
        canonical_rule(text)


# ------------------------------------------------------------------ schemata


@pytest.mark.parametrize("language", ["trains", "houses"])
def test_every_style_is_drawn_where_the_number_of_parts_varies(language):
    for level in (8, 12, 20):
        drawn = {draw(draw_schema_rule, language, level, seed).style for seed in range(500)}
        assert drawn == {schema.style for schema in schema_bank()}
