"""The rule language: what rules mean, what is refused and why, what counts as a mention."""

import pytest

from logic_curriculum.rewards.engines.rules import (
    Caps,
    Examples,
    LabelledExamples,
    RefusedError,
    UnreadableError,
    Vocabulary,
    compile_rule,
)

ATTRIBUTES = {
    "car_num": (1, 2, 3),
    "car_color": ("red", "blue", "green"),
    "car_len": ("short", "long"),
    "load": (0, 1, 2, 3),
}
VOCABULARY = Vocabulary("eastbound", "has_car", tuple(ATTRIBUTES.items()), 3)
TRAINS = [
    [(1, "red", "long", 2)],
    [(1, "red", "short", 0), (2, "blue", "long", 3)],
    [(1, "blue", "short", 1), (2, "blue", "short", 1), (3, "green", "long", 0)],
]
EXAMPLES = Examples.of_parts(list(ATTRIBUTES), TRAINS)
CARS = "findall(C, has_car(T, C), L)"


def entailed(rule):
    """Return the numbers of the trains that a rule is true of."""
    outcomes, _ = compile_rule(rule, VOCABULARY).entailed(EXAMPLES)
    return [at for at in range(len(TRAINS)) if outcomes >> at & 1]


def body(goals):
    return entailed(f"eastbound(T) :- {goals}.")


@pytest.mark.parametrize(
    ("goals", "expected"),
    [
        ("has_car(T, C), car_color(C, red)", [0, 1]),
        ("has_car(T, C), car_color(C, red), car_len(C, long)", [0]),
        ("has_car(X, C), car_color(C, green)", [2]),
        ("\\+ (has_car(T, C), car_color(C, red))", [2]),
        ("\\+(has_car(T, _))", []),
        ("has_car(T, C), not(car_len(C, short))", [0, 1, 2]),
        ("(has_car(T, C), car_color(C, green) ; has_car(T, C), load(C, 2))", [0, 2]),
        ("has_car(T, C), (car_color(C, red) -> car_len(C, long) ; car_color(C, green))", [0, 2]),
        ("(has_car(T, C), car_num(C, 2) -> car_len(C, long))", [1]),
        ("has_car(T, C), has_car(T, D), C \\= D, car_color(C, X), car_color(D, X)", [2]),
        ("has_car(T, C), dif(X, Y), car_color(C, X), has_car(T, D), car_color(D, Y)", [1, 2]),
        ("has_car(T, C), car_num(C, N), load(C, N)", [2]),
        ("has_car(T, C), car_num(C, N), M is N + 1, has_car(T, D), car_num(D, M)", [1, 2]),
        ("has_car(T, C), load(C, N), N mod 2 =:= 0, N > 0", [0]),
        ("has_car(T, C), load(C, N), N / 2 > 1", [1]),
        ("has_car(T, C), load(C, N), 1 is N // 2", [0, 1]),
        ("has_car(T, C), load(C, N), abs(N - 2) < 1", [0]),
        ("forall(has_car(T, C), car_color(C, red))", [0]),
        ("forall((has_car(T, C), car_color(C, blue)), car_len(C, short))", [0, 2]),
        ("once((has_car(T, C), car_num(C, N))), N = 1, car_color(C, blue)", [2]),
        (f"{CARS}, length(L, 2)", [1]),
        (f"{CARS}, L = [_, C|_], car_color(C, blue)", [1, 2]),
        (f"{CARS}, last(L, C), car_color(C, red)", [0]),
        (f"{CARS}, nth1(2, L, C), load(C, 1)", [2]),
        (f"{CARS}, nth0(N, L, C), car_color(C, green), N > 1", [2]),
        (f"{CARS}, reverse(L, [C|_]), car_len(C, long)", [0, 1, 2]),
        (f"{CARS}, append(_, [C, D], L), car_color(C, X), car_color(D, X)", []),
        (f"{CARS}, maplist(car_color, L, Xs), list_to_set(Xs, [_])", [0]),
        ("findall(X, (has_car(T, C), car_color(C, X)), Xs), sort(Xs, [blue|_])", [1, 2]),
        ("findall(X, (has_car(T, C), car_color(C, X)), Xs), msort(Xs, [Y, Y|_])", [2]),
        ("findall(X, (has_car(T, C), load(C, X)), Xs), sum_list(Xs, 2)", [0, 2]),
        ("findall(X, (has_car(T, C), load(C, X)), Xs), max_list(Xs, M), min_list(Xs, M)", [0]),
        ("findall(N-X, (has_car(T, C), load(C, N), car_color(C, X)), L), keysort(L, [_-red|_])",
         [0, 1]),
        ("findall(X, (has_car(T, C), car_color(C, X)), Xs), subtract(Xs, [blue], [Y]), Y = red",
         [0, 1]),
        ("findall(X, (has_car(T, C), car_color(C, X)), Xs), intersection(Xs, [blue], [_, _])", [2]),
        ("setof(X, C^(has_car(T, C), car_color(C, X)), [_, _])", [1, 2]),
        ("bagof(C, (has_car(T, C), car_color(C, green)), [_])", [2]),
        ("aggregate_all(count, (has_car(T, C), car_len(C, short)), N), N >= 2", [2]),
        ("aggregate_all(sum(N), (has_car(T, C), load(C, N)), 3)", [1]),
        ("aggregate_all(max(N), (has_car(T, C), car_num(C, N)), 3)", [2]),
        ("between(2, 3, N), has_car(T, C), car_num(C, N), load(C, N)", []),
        ("has_car(T, C), car_color(C, X), memberchk(X, [red, green]), car_len(C, long)", [0, 2]),
        ("car_color(C, red), car_len(C, L), L = long, has_car(T, C)", [0]),
        ("\\+ (car_color(C, red), has_car(T, C))", [2]),
        ("true", [0, 1, 2]), ("fail", []),
    ],
)  # fmt: skip
def test_goals_mean_what_they_mean_in_prolog(goals, expected):
    assert body(goals) == expected


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ("eastbound(T) :- has_car(T, C), warm(C).\nwarm(C) :- car_color(C, red).\n"
         "warm(C) :- car_color(C, green).", [0, 1, 2]),
        ("warm(red).\neastbound(T) :- has_car(T, C), car_color(C, X), warm(X), car_len(C, long).",
         [0]),
        ("eastbound(T) :- " + CARS + ", some(L).\nsome([C|_]) :- car_color(C, green).\n"
         "some([_|L]) :- some(L).", [2]),
        ("eastbound(T) :- " + CARS + ", count(L, N), N > 1.\ncount([], 0).\n"
         "count([_|L], N) :- count(L, M), N is M + 1.", [1, 2]),
        ("eastbound(T) :- front(T, C), car_color(C, red).\nfront(T, C) :- has_car(T, C), !.",
         [0, 1]),
        ("eastbound(T) :- colour(T, blue).\ncolour(T, X) :- has_car(T, C), car_color(C, X).",
         [1, 2]),
        ("eastbound(T) :- " + CARS + ", include(short, L, S), exclude(short, L, [_]), S = [].\n"
         "short(C) :- car_len(C, short).", [0]),
        ("eastbound(T) :- last([T], T), " + CARS + ", last(L, C), car_color(C, green).\n"
         "last([X], X).\nlast([_|Xs], X) :- last(Xs, X).", None),
        ("eastbound(T) :- " + CARS + ", last(L, C), car_color(C, green).\n"
         "last([X], X).\nlast([_|Xs], X) :- last(Xs, X).", [2]),
    ],
)  # fmt: skip
def test_helpers_mean_what_they_mean_in_prolog(clauses, expected):
    if expected is None:  # one helper has one type
        with pytest.raises(RefusedError, match="is compared with"):
            entailed(clauses)
    else:
        assert entailed(clauses) == expected


@pytest.mark.parametrize(
    ("clauses", "reason"),
    [
        ("eastbound(T) :- has_car(T, C), car_color(C, purple).", "values of car_color are blue, "),
        ("eastbound(T) :- has_car(T, C), car_color(C, short).", "values of car_color are"),
        ("eastbound(T) :- has_car(T, C), car_color(C, X), X = long.", "is compared with"),
        ("eastbound(T) :- has_car(T, C), car_color(C, X), X > 2.", "compared with a number"),
        ("eastbound(T) :- has_car(T, C), car_color(C, X), load(C, X).", "is compared with"),
        ("eastbound(T) :- has_car(T, C), car_num(C, 77).", "the values of car_num are 1, 2, 3"),
        ("eastbound(T) :- has_car(T, C), load(C, N), N < 9.", "the numbers go up to 3"),
        ("eastbound(train0).", "train0 is no value|head has a variable"),
        ("eastbound(T) :- T = train0.", "train0 is no value"),
        ("eastbound(T) :- westbound(T).", "westbound/1 is neither in the language nor defined"),
        ("eastbound(T) :- maplist.", "maplist/0 is neither in the language nor defined"),
        ("eastbound(T) :- shell(ls).", "shell/1 is neither"),
        ("eastbound(T) :- G = has_car(T, _), call(G).", "no value of the task"),
        ("eastbound(T) :- has_car(T, C), X.", "stands where a goal should"),
        ("eastbound(T) :- N > 2.", "N has no value yet"),
        ("eastbound(T) :- car_color(C, red).", "write has_car before it, so that C has a value"),
        ("eastbound(T) :- car_color(C, red), \\+ has_car(T, C).", "write has_car before it"),
        ("eastbound(T) :- car_color(C, red), W == T, has_car(W, C).", "write has_car before it"),
        ("eastbound(T) :- findall(X, (car_color(C, X), has_car(T, C)), [red|_]).",
         "write has_car before it"),
        (f"eastbound(T) :- X is {'-'.join(['3'] * 330)}.", "a chain of more than 60 operators"),
        ("eastbound(T) :- A = [], B = A-A, C = B-B, D = C-C, E = D-D, F = E-E, F = F.",
         "at most five are within each other, two lists"),
        (f"eastbound(T) :- {CARS}, findall(L, member(_, L), M), findall(M, true, N), N = [_|_].",
         "at most five are within each other, two lists"),
        ("eastbound(T) :- length(L, 2).", "L has no value yet"),
        ("eastbound(T) :- has_car(T, C), (car_color(C, X) ; load(C, 1)), X = red.",
         "X is used later and gets its value in one branch only"),
        ("eastbound(T) :- has_car(T, C), !, car_color(C, red).", "a cut may only be"),
        ("eastbound(T) :- p(T).\np(T) :- q(T).\nq(T) :- p(T).", "two predicates call each other"),
        ("eastbound(T) :- eastbound(T).", "on the tail of its list only"),
        ("eastbound(T) :- p([T]).\np(L) :- p(L).", "on the tail of its list only"),
        ("eastbound(T) :- setof(X, (has_car(T, C), car_color(C, X)), _).", r"write C\^ before"),
        ("has_car(T, T).\neastbound(T) :- has_car(T, _).", "it can't be defined"),
        ("length(T, T).\neastbound(T) :- has_car(T, _).", "it can't be defined"),
        ("westbound(T) :- has_car(T, _).", "no clause defines eastbound/1"),
        ("eastbound(T) :- has_car(T, C), X = f(C).", r"f\(C\) is no value"),
        ("eastbound(T) :- findall(-C, has_car(T, C), L), length(L, 2).", r"-\(C\) is no value"),
        ("eastbound(T) :- has_car(T, C), load(C, N), X is 1 / N, X > 0.", "divides by zero"),
        ("eastbound(T) :- " + ", ".join(f"has_car(T, C{n})" for n in range(14)) + ", "
         + ", ".join(f"C{n} \\= C{n + 1}, C{n} \\= C13" for n in range(13)) + ".", "10,000 steps"),
        (f"eastbound(T) :- {CARS}, findall(A-B-C-D-E, (member(A, L), member(B, L), member(C, L), "
         "member(D, L), member(E, L)), M), length(M, 2).", "more than 100 items"),
        (f"eastbound(T) :- {CARS}, append(L, L, M), append(M, M, N), append(N, N, O), "
         "findall(O, member(_, O), P), length(P, 2).", "more than 100 items"),
        ("eastbound(T) :- A is 3 * 3 * 3 * 3, B is A * A * A * A, C is B * B, C > 1.",
         "a number above"),
        (f"eastbound(T) :- {'(' * 90}true{')' * 90}.", "nested more than"),
        (f"eastbound(T) :- has_car(T, C), load(C, {'9' * 5000}).", "more than 9 digits"),
        (f"eastbound(T) :- {', '.join(['true'] * 600)}.", "more than 1000 words and signs"),
    ],
)  # fmt: skip
def test_what_is_outside_the_language_is_refused_with_its_reason(clauses, reason):
    with pytest.raises(RefusedError, match=reason) as error:
        entailed(clauses)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", [
    "", "eastbound(T) :- has_car(T, C)", "eastbound(T :- true.", "eastbound(T) :- , true.", "é.",
    "eastbound(T) :- has_car(T, \"red\").", "eastbound(T) :- X = 'a b'.", "eastbound(T) --> [].",
])  # fmt: skip
def test_what_is_no_prolog_is_unreadable(text):
    with pytest.raises(UnreadableError):
        entailed(text)


@pytest.mark.parametrize(
    ("clauses", "mentions"),
    [
        ("eastbound(T) :- has_car(T, C), car_color(C, red).", 1),
        ("eastbound(T) :- has_car(T, C), car_color(C, X), (X = red ; X = blue), car_num(C, 1).", 3),
        ("eastbound(T) :- has_car(T, C), is_red(C).\nis_red(C) :- car_color(C, red).", 2),
        ("eastbound(T) :- has_car(T, Redcar), load(Redcar, N), N > 1.", 2),
        ("eastbound(T) :- has_car(T, P_short), has_car(T, P_long), P_short \\= P_long.", 2),
        ("eastbound(T) :- has_car(T, C), load(C, N), N + 1 > 2.", 2),
        ("eastbound(T) :- findall(C, has_car(T, C), []).", 0),
        ("eastbound(T) :- has_car(T, C), car_color(C, 'red').", 1),
    ],
)
def test_mentions_of_values_and_numbers_are_capped(clauses, mentions):
    compile_rule(clauses, VOCABULARY, Caps(mentions))
    if mentions:
        told = rf"{mentions} mentions? of values and numbers .*at most {mentions - 1}"
        with pytest.raises(RefusedError, match=told):
            compile_rule(clauses, VOCABULARY, Caps(mentions - 1))


def test_clauses_goals_and_names_are_capped():
    two = (
        "eastbound(T) :- has_car(T, C), \\+ (car_color(C, red), load(C, 1)).\neastbound(_) :- fail."
    )
    compile_rule(two, VOCABULARY, Caps(2, clauses=2, goals=4))
    with pytest.raises(RefusedError, match="2 clauses, and a rule has at most 1"):
        compile_rule(two, VOCABULARY, Caps(2, clauses=1))
    with pytest.raises(RefusedError, match="4 goals, and a rule has at most 3"):
        compile_rule(two, VOCABULARY, Caps(2, goals=3))
    cells = "eastbound(T) :- has_car(T, C), p(T, [C, C], C-C).\n"
    cells += "p(_, [_, _|_], X-_) :- X = X.\np(_, _, _)."
    with pytest.raises(RefusedError, match="13 goals, and a rule has at most 12"):
        compile_rule(cells, VOCABULARY, Caps(2, goals=12))
    for goal, goals in (
        ("once(T, [A, A])", 6),
        ("not(T, [A, A])", 6),
        ("maplist(p([A, A]), [])", 8),
        ("p(A, B, A, B)", 6),
    ):
        hidden = f"eastbound(T) :- {goal}.\n{goal}."
        with pytest.raises(RefusedError, match=f"{goals} goals, and a rule has at most 5"):
            compile_rule(hidden, VOCABULARY, Caps(goals=5))
    for body, goals in (
        ("has_car(T, C), load(C, N), N + N * N > N mod N", 5),
        ("findall(C, has_car(T, C), L), append(L, _, L)", 4),
    ):
        with pytest.raises(RefusedError, match=f"{goals} goals, and a rule has at most 3"):
            compile_rule(f"eastbound(T) :- {body}.", VOCABULARY, Caps(goals=3))
    quantified = "eastbound(T) :- setof(C, A^B^has_car(T, C), _)."
    with pytest.raises(RefusedError, match="4 goals, and a rule has at most 3"):
        compile_rule(quantified, VOCABULARY, Caps(goals=3))
    other = "eastbound(T) :- eastbound(T, T).\neastbound(_, _)."
    with pytest.raises(RefusedError, match=r"2 names of"):
        compile_rule(other, VOCABULARY, Caps(2, names=1))
    with pytest.raises(RefusedError, match=r"2 names of variables and helpers, .* at most 1"):
        compile_rule(two, VOCABULARY, Caps(2, names=1))


@pytest.mark.parametrize(
    ("clauses", "problem"),
    [
        (
            "eastbound(_) :- setof(X, f(A, B)^(X = 1), _).",
            "f.A, B.\\^ is no variable without a value",
        ),
        ("eastbound(T) :- A = 1, findall(X, A^(X = A), _).", "A\\^ is no variable without a value"),
        (
            "eastbound(T) :- has_car(T, _).\nestbound(T) :- has_car(T, _).",
            "nothing calls this helper",
        ),
    ],
)
def test_what_could_be_a_choice_by_letters_of_the_prompt_is_refused(clauses, problem):
    with pytest.raises(RefusedError, match=problem):
        compile_rule(clauses, VOCABULARY)


def test_packed_examples_are_those_of_the_text_and_of_no_other():
    text = "eastbound(a).\nhas_car(a, c).\ncar_color(c, red).\nload(c, 3).\nwestbound(b).\n"
    read = LabelledExamples.read(text, "eastbound", "westbound")
    packed = read.packed(text)
    again = LabelledExamples.unpacked(packed, text)
    assert vars(again.examples) == vars(read.examples)
    assert (again.names, again.labels, again.membership) == (("a", "b"), 1, "has_car")
    assert LabelledExamples.unpacked(packed, text.replace("red", "blue")) is None
