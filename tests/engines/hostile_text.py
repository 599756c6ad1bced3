"""Hypotheses that forge replies, change how text is read, or are odd as text."""

from __future__ import annotations

from hostile_attack import Attack

_BITS = "{bits}"

HOOKS = [
    Attack("goal expansion", "goal_expansion(fail, true).\neastbound(T) :- fail.", "hook"),
    Attack("portray", "portray(X) :- shell(ls).\neastbound(T) :- fail.", "hook"),
    Attack("exception hook", "prolog_exception_hook(_, _, _, _).\neastbound(T) :- fail.", "hook"),
]

FORGERY = [
    Attack("write", "eastbound(T) :- write('ok 1 1100'), nl.", "writes a reply"),
    Attack("format", 'eastbound(T) :- format("ok 1 1100~n").', "writes a reply"),
    Attack(
        "format to user_output",
        'eastbound(T) :- format(user_output, "ok 1 1100~n", []).',
        "writes a reply",
    ),
    Attack(
        "format to user_error",
        'eastbound(T) :- format(user_error, "ok 1 1100~n", []).',
        "writes a reply",
    ),
    Attack("format flood", 'eastbound(T) :- between(1, inf, X), format("~w", [X]), fail.', "flood"),
    Attack("told stream", "eastbound(T) :- current_output(S), write(S, x).", "finds the stream"),
    Attack("stream search", "eastbound(T) :- stream_property(S, mode(append)), nl(S).", "finds it"),
    Attack("reply in a name", "eastbound(T) :- 'x\\nok 1 1100\\n'(T).", "an error text is a reply"),
    Attack(
        "reply in an error", "eastbound(T) :- X = 'a\\nok 1 1100\\n', Y is X + 1.", "error text"
    ),
    Attack("reply in a head", "'x\\nok 1 1100\\n'(a).", "an error text is a reply"),
    Attack("bracket in a constant", "eastbound(T) :- has_car(T, 'x] y').", "cuts a reply short"),
    Attack("bits in a constant", f"eastbound(T) :- has_car(T, 'x] ok 1 {_BITS} z').", "as a reply"),
    Attack("bits after a space", f"eastbound(T) :- has_car(T, 'x ok 1 {_BITS} z').", "as a reply"),
    Attack("bits in a name", f"eastbound(T) :- has_car(T, ' ok 1 {_BITS}').", "as a reply"),
    Attack("bits on a line", f"eastbound(T) :- has_car(T, 'x\\nok 1 {_BITS}').", "as a reply"),
    Attack("bits after a tab", f"eastbound(T) :- has_car(T, 'x\\tok 1 {_BITS}').", "as a reply"),
    Attack("bits in an error", f"eastbound(T) :- X = '] ok 1 {_BITS} z', X > 1.", "as a reply"),
    Attack("bits in a refusal", f"eastbound(T) :- '] ok 1 {_BITS} z'(T).", "as a reply"),
    Attack("comma in a constant", "eastbound(T) :- has_car(T, 'red,blue').", "two constants"),
    Attack("quotes in a constant", "eastbound(T) :- has_car(T, 'x''] \"] y').", "ends a quotation"),
    Attack("empty constant", "eastbound(T) :- has_car(T, '').", "is no name"),
    Attack("no-break space", "eastbound(T) :- has_car(T, 'x]\u00a0y\u2028z').", "other spaces"),
    Attack("long constant", f"eastbound(T) :- has_car(T, {'x' * 19_000}).", "a long reply"),
    Attack("long quoted constant", f"eastbound(T) :- has_car(T, '{'] ' * 9_000}').", "long reply"),
    Attack("failed in a constant", "eastbound(T) :- has_car(T, '\\nfailed x').", "a reply of load"),
    Attack(
        "request in the text",
        "eastbound(T) :- fail.\njudge([0],eastbound/1,w,9,[0]).\n",
        "is taken for the next request",
    ),
    Attack("request after end", "end_of_file.\ndrop(0).\n", "leaves text in the pipe"),
    Attack("end_of_file", "eastbound(T) :- fail.\nend_of_file.\neastbound(T).", "two readings"),
    Attack("read from the pipe", "eastbound(T) :- read(X).", "takes the next request"),
    Attack("get_char", "eastbound(T) :- get_char(X).", "takes the next request"),
]

TEXT = [
    Attack("one megabyte of x", "x" * 1_000_000, "long input"),
    Attack("one megabyte of clauses", "eastbound(T) :- has_car(T, _).\n" * 32_000, "long input"),
    Attack("one megabyte of comment", "%" + "a" * 1_000_000 + "\neastbound(T).", "long input"),
    Attack(
        "deep parentheses",
        "eastbound(T) :- X = " + "(" * 9000 + "a" + ")" * 9000 + ", fail.",
        "recursion of the reader",
    ),
    Attack(
        "deep term", "eastbound(T) :- X = " + "f(" * 6000 + "a" + ")" * 6000 + ", fail.", "deep"
    ),
    Attack("deep list", "eastbound(T) :- X = " + "[" * 9000 + "]" * 9000 + ", fail.", "deep"),
    Attack(
        "deep operators",
        "eastbound(T) :- X is " + "-(" * 6000 + "1" + ")" * 6000 + ", X = 2.",
        "recursion of arithmetic",
    ),
    Attack("deep prefix operators", "eastbound(T) :- " + "\\+ " * 6000 + "fail, fail.", "deep"),
    Attack(
        "deep conjunction",
        "eastbound(T) :- " + "(true," * 2500 + "fail" + ")" * 2500 + ".",
        "recursion of the checker",
    ),
    Attack("unclosed quote", "eastbound(T) :- X = 'abc.", "eats what follows"),
    Attack("unclosed comment", "eastbound(T) :- has_car(T, _). /* ", "eats what follows"),
    Attack("unclosed brackets", "eastbound(T) :- " + "[" * 9000, "backtracking reader"),
    Attack("NUL byte", "eastbound(T) :- has_car(T, C)\0, car_color(C, red).", "cuts C strings"),
    Attack("NUL in a quoted atom", "eastbound(T) :- has_car(T, 'a\0b').", "cuts C strings"),
    Attack("NUL escape", "eastbound(T) :- has_car(T, '\\0\\').", "cuts C strings"),
    Attack("only NUL", "\0", "empty in C"),
    Attack("lone surrogate", "eastbound(T) :- has_car(T, '\ud800').", "no UTF-8"),
    Attack("surrogate pair halves", "\udc00\ud800eastbound(T).", "no UTF-8"),
    Attack("wide characters", "eastbound(T) :- has_car(T, '🚂🚃').", "more bytes than characters"),
    Attack("right-to-left override", "eastbound(T) :- \u202ehas_car(T, C)\u202c.", "odd Unicode"),
    Attack("full-width text", "ｅａｓｔｂｏｕｎｄ(T).", "looks like the target"),
    Attack("zero-width space", "east\u200bbound(T).", "looks like the target"),
    Attack("line separators", "eastbound(T) :- fail.\u2028\u2029\x85\x0b\x0c", "other newlines"),
    Attack("byte order mark", "\ufeffeastbound(T) :- fail.", "odd Unicode"),
    Attack("combining characters", "eastbound(T" + "\u0301" * 5000 + ") :- fail.", "odd Unicode"),
    Attack("control characters", "eastbound(T) :- \x01\x02\x1b[2J fail.", "odd characters"),
    Attack("carriage returns", "eastbound(T) :- fail.\r\nwestbound(T).\r\n", "other newlines"),
    Attack("empty", "", "nothing"),
    Attack("blank", " \n\t ", "nothing"),
    Attack("only a comment", "% eastbound(T).", "nothing"),
    Attack("quasi quotation", "eastbound(T) :- X = {|string(T)||abc|}.", "runs at reading"),
    Attack("dict", "eastbound(T) :- X = _{a: 1}.put(b, 2), fail.", "functional notation"),
    Attack("cyclic term", "eastbound(T) :- X = f(X), Y = f(Y), X == Y, fail.", "endless compare"),
    Attack("cyclic list", "eastbound(T) :- X = [a|X], length(X, N), fail.", "endless list"),
    Attack(
        "many variables",
        "eastbound(T) :- X = f(" + ",".join(f"A{i}" for i in range(3000)) + "), fail.",
        "a table of variables",
    ),
    Attack(
        "many atoms",
        "eastbound(T) :- member(T, [" + ",".join(f"a{i}" for i in range(2500)) + "]).",
        "a table of atoms",
    ),
    Attack(
        "many arguments",
        "eastbound(T) :- X = f(" + ",".join("a" for _ in range(9000)) + "), fail.",
        "arity",
    ),
    Attack("many clauses", "".join(f"p{i}(a). " for i in range(500)) + "eastbound(T).", "clauses"),
    Attack("not a clause", "3. eastbound(T).", "a number for a head"),
    Attack("variable clause", "X. eastbound(T).", "anything for a head"),
    Attack("variable head", "X :- has_car(T, _). eastbound(T).", "anything for a head"),
    Attack("string head", '"eastbound" :- true. eastbound(T).', "a list for a head"),
    Attack("grammar rule", "eastbound --> [a].", "translated at load"),
    Attack("single-sided rule", "eastbound(T) => has_car(T, _).", "other semantics"),
    Attack("question", "?- shell(ls).\neastbound(T).", "runs at load"),
]
