"""Hypotheses that try to earn a score, do harm or hang.

In their text ``{path}`` is a file to create, and ``{bits}`` are the labels of the program that they
are judged on, as a process replies them.
"""

from __future__ import annotations

from hostile_attack import Attack
from hostile_text import FORGERY, HOOKS, TEXT
from hostile_work import WORK
from hostile_worlds import WORLDS


def _doubling(steps: int, last: str) -> str:
    chain = ", ".join(f"X{i + 1} = f(X{i}, X{i})" for i in range(steps))
    return f"eastbound(T) :- X0 = a, {chain}, {last}."


def _second_chain(steps: int) -> str:
    return "Y0 = a, " + ", ".join(f"Y{i + 1} = f(Y{i}, Y{i})" for i in range(steps))


_LIST = "numlist(1, 9000, L)"

NON_TERMINATION = [
    Attack("left recursion", "eastbound(T) :- eastbound(T).", "no base case"),
    Attack("mutual recursion", "eastbound(T) :- p(T). p(T) :- eastbound(T).", "no base case"),
    Attack("growing recursion", "eastbound(T) :- p(f(T)). p(X) :- p(f(X)).", "fills the stack"),
    Attack("non-tail recursion",
     "eastbound(T) :- n(0, N), N > 0. n(X, Y) :- Z is X + 1, n(Z, W), Y is W + 1.",
     "fills the local stack"),
    Attack("repeat", "eastbound(T) :- repeat, fail.", "loops without inferences"),
    Attack("between to infinity", "eastbound(T) :- between(1, inf, X), X < 0.", "backtracks in C"),
    Attack("between far", "eastbound(T) :- between(1, 99999999999, X), fail.", "backtracks in C"),
    Attack("length enumeration", "eastbound(T) :- length(L, N), N < 0.", "endless lists"),
    Attack("append enumeration", "eastbound(T) :- append(X, [a|Y], Z), fail.", "endless lists"),
    Attack("failing forall", "eastbound(T) :- forall(between(1, inf, X), X > 0).", "endless"),
    Attack("endless findall", "eastbound(T) :- findall(X, between(1, inf, X), L).", "memory too"),
    Attack("endless aggregate", "eastbound(T) :- aggregate_all(count, p, N). p. p :- p.", "memory"),
    Attack("call counter by recursion",
     "eastbound(T) :- c(100000000). c(0). c(N) :- N > 0, M is N - 1, c(M).",
     "a long loop that would end"),
    Attack(
        "exponential join",
        "eastbound(T) :- " + ", ".join(f"has_car(A{i}, B{i})" for i in range(24)) + ", fail.",
        "8 facts to the 24th power",
    ),
    Attack(
        "exponential disjunction",
        "eastbound(T) :- " + ", ".join("(true ; true)" for _ in range(64)) + ", fail.",
        "2 to the 64th",
    ),
    Attack("permutations",
     "eastbound(T) :- numlist(1, 12, L), permutation(L, P), P = [12, 1, 12|_].", "12 factorial"),
    Attack("swallowed limit", "eastbound(T) :- catch(p, _, true). p :- p.",
     "catches the exception that ends it"),
    Attack("negated limit", "eastbound(T) :- \\+ p(T). p(T) :- p(T).",
     "a failure would be a success"),
]  # fmt: skip

MEMORY = [
    Attack("long list", "eastbound(T) :- length(L, 100000000).", "one call, gigabytes"),
    Attack("long numlist", "eastbound(T) :- numlist(1, 100000000, L).", "gigabytes"),
    Attack("doubling append", "eastbound(T) :- g([a], L). g(X, Y) :- append(X, X, Z), g(Z, Y).",
     "a list of 2 to the n elements"),
    Attack("big power", "eastbound(T) :- X is 9 ** 9 ** 9.", "a number of 370 million digits"),
    Attack("big power by caret", "eastbound(T) :- X = 2 ^ 99999999, Y is X.", "behind a variable"),
    Attack("big shift", "eastbound(T) :- X is 1 << 9999999999.", "gigabytes"),
    Attack("big factorial",
     "eastbound(T) :- f(99999, X). f(0, 1). f(N, X) :- M is N - 1, f(M, Y), X is N * Y.",
     "big numbers"),
    Attack("repeated squaring", "eastbound(T) :- s(3, X). s(X, Y) :- Z is X * X, s(Z, Y).",
     "one inference, exponential time"),
    Attack("squaring in a comparison", "eastbound(T) :- s(3). s(X) :- X * X > 0, Y = X * X, s(Y).",
     "expressions that grow behind a variable"),
    Attack(
        "summed squares",
        "eastbound(T) :- X0 = 9, "
        + ", ".join(f"X{i + 1} = X{i} * X{i}" for i in range(40))
        + ", aggregate_all(sum(X40), true, S).",
        "evaluated by a library",
    ),
    Attack("huge literal", f"eastbound(T) :- X = {'9' * 15000}, s(X, 9999). s(X, N) :- N > 0, "
     "Y is (X * X) mod 7, M is N - 1, s(X, M).", "a long number in each step"),
    Attack("doubling term copied", _doubling(60, "findall(X60, true, L)"), "2 to the 60th nodes"),
    Attack("doubling terms compared", _doubling(60, "X60 == f(X59, X59)"), "2 to the 60th steps"),
    Attack(
        "doubling terms unified by a head",
        _doubling(
            40,
            "Y0 = a, "
            + ", ".join(f"Y{i + 1} = f(Y{i}, Y{i})" for i in range(40))
            + ", same(X40, Y40)",
        )
        + " same(X, X).",
        "unified outside the count",
    ),
    Attack("doubling terms unified inside an argument", _doubling(40,
     _second_chain(40) + ", same(X40 - Y40)") + " same(X - X).", "unified outside the count"),
    Attack("doubling terms as members", _doubling(40, _second_chain(40) + ", member(X40, [Y40])"),
     "unified inside the library"),
    Attack("doubling terms appended", _doubling(40,
     _second_chain(40) + ", append([X40], [], [Y40])"), "unified inside the library"),
    Attack("doubling term sorted", _doubling(60, "msort([X60, X59], L)"), "compared in C"),
    Attack("doubling term in dif", _doubling(60, "dif(X60, f(X59, Y))"), "compared in C"),
    Attack("doubling term as witness", _doubling(60, "aggregate_all(max(1, X60), true, M)"),
     "copy"),
    Attack("memberchk in a loop",
     f"eastbound(T) :- {_LIST}, forall(member(X, L), memberchk(0, L)).", "long searches in C"),
    Attack("msort in a loop",
     f"eastbound(T) :- {_LIST}, forall(member(X, L), (msort(L, M), M = [])).", "long sorts in C"),
    Attack("ground in a loop", f"eastbound(T) :- {_LIST}, forall(member(_, L), ground(L)).",
     "in C"),
    Attack("comparison in a loop",
     f"eastbound(T) :- {_LIST}, numlist(1, 9000, M), forall(member(_, L), \\+ L \\== M).", "in C"),
    Attack("unification in a loop",
     f"eastbound(T) :- {_LIST}, numlist(1, 9000, M), forall(member(_, L), L = M), fail.", "in C"),
    Attack("subtract in a loop",
     f"eastbound(T) :- {_LIST}, subtract(L, [0], M), subtract(M, M, []), fail.", "quadratic in C"),
]  # fmt: skip

HARM = [
    Attack("halt", "eastbound(T) :- halt.", "ends the judge"),
    Attack("halt by directive", ":- halt.\neastbound(T) :- has_car(T, _).", "ends the judge"),
    Attack("initialization", ":- initialization(halt).\neastbound(T).", "runs at load"),
    Attack("abort", "eastbound(T) :- abort.", "ends the query"),
    Attack("shell/1", "eastbound(T) :- shell('touch {path}').", "runs a command"),
    Attack("shell/0", "eastbound(T) :- shell.", "runs a shell"),
    Attack("process_create", "eastbound(T) :- process_create(path(touch), ['{path}'], []).",
     "starts a process"),
    Attack("open", "eastbound(T) :- open('{path}', write, S), close(S).", "writes a file"),
    Attack("tell", "eastbound(T) :- tell('{path}'), write(x), told.", "writes a file"),
    Attack("read a file", "eastbound(T) :- read_file_to_string('/etc/passwd', S, []).", "reads"),
    Attack("see", "eastbound(T) :- see('/etc/passwd'), seen.", "reads a file"),
    Attack("exists_file", "eastbound(T) :- exists_file('/etc/passwd').", "looks at files"),
    Attack("delete_file", "eastbound(T) :- delete_file('{path}').", "deletes a file"),
    Attack("socket", "eastbound(T) :- tcp_socket(S), tcp_connect(S, localhost:80).", "network"),
    Attack("getenv", "eastbound(T) :- getenv('HOME', X).", "reads the environment"),
    Attack("thread", "eastbound(T) :- thread_create(shell('touch {path}'), _, []).", "outlives"),
    Attack("consult", "eastbound(T) :- consult('{path}').", "loads code"),
    Attack("consult by list", "eastbound(T) :- ['{path}'].", "loads code"),
    Attack("consult by directive", ":- ['{path}'].\neastbound(T) :- has_car(T, _).", "loads code"),
    Attack("include", ":- include('{path}').\neastbound(T).", "loads code"),
    Attack("foreign library", ":- use_foreign_library('{path}').\neastbound(T).", "loads C code"),
    Attack("use_module of a path", ":- use_module('{path}').\neastbound(T).", "loads code"),
    Attack("load_files", "eastbound(T) :- load_files('{path}', []).", "loads code"),
    Attack("qualified shell", "eastbound(T) :- system:shell('touch {path}').", "another module"),
    Attack("qualified head", "user:foo(1).\neastbound(T) :- system:shell('touch {path}').",
     "made :/2 look defined"),
    Attack("user-qualified target", "user:eastbound(T).\neastbound(T) :- fail.", "other module"),
    Attack("at", "eastbound(T) :- @(shell('touch {path}'), user).", "another module"),
    Attack("maplist of call", "eastbound(T) :- maplist(call, [shell('touch {path}')]).", "hidden"),
    Attack("maplist of shell", "eastbound(T) :- maplist(shell, ['touch {path}']).", "hidden"),
    Attack("call with name", "eastbound(T) :- call(shell, 'touch {path}').", "hidden"),
    Attack("variable goal", "eastbound(T) :- X = shell('touch {path}'), X.", "hidden"),
    Attack("called variable", "eastbound(T) :- X = shell('touch {path}'), call(X).", "hidden"),
    Attack("univ", "eastbound(T) :- G =.. [shell, 'touch {path}'], call(G).", "built at run time"),
    Attack("goal in a lambda", "eastbound(T) :- maplist([X]>>shell(X), ['touch {path}']).",
     "hidden"),
    Attack("lambda from data", "eastbound(T) :- F = [X]>>shell(X), maplist(F, ['touch {path}']).",
     "hidden"),
    Attack("foldl of call", "eastbound(T) :- foldl(call, [shell], ['touch {path}'], _).", "hidden"),
    Attack("apply", "eastbound(T) :- apply(shell, ['touch {path}']).", "hidden"),
    Attack("findall goal", "eastbound(T) :- findall(X, shell('touch {path}'), L).", "hidden"),
    Attack("setof with caret", "eastbound(T) :- setof(X, Y^shell('touch {path}'), L).", "hidden"),
    Attack("caret goal", "eastbound(T) :- X^shell('touch {path}').", "hidden"),
    Attack("aggregate goal", "eastbound(T) :- aggregate_all(count, shell('touch {path}'), N).",
     "hidden"),
    Attack("aggregate spec", "eastbound(T) :- aggregate_all(r(count), true, N).", "other paths"),
    Attack("include with meta", "eastbound(T) :- include(once, [shell('touch {path}')], L).",
     "hidden"),
    Attack("thaw", "eastbound(T) :- freeze(X, shell('touch {path}')), X = 1.", "delayed"),
    Attack("when", "eastbound(T) :- when(ground(X), shell('touch {path}')), X = 1.", "delayed"),
    Attack("put_attr", "eastbound(T) :- put_attr(X, user, v), X = 1.", "hooks"),
    Attack("setup_call_cleanup", "eastbound(T) :- setup_call_cleanup(true, true, shell(a)).",
     "runs at the end"),
    Attack("own guard", "eastbound(T) :- '$charge'(T), '$small'(1).", "internal predicates"),
    Attack("own goal clause", "'$goal1'(T).\neastbound(T) :- findall(X, (a = a, b = b), _).",
     "replaces a clause the checker makes"),
    Attack("destroy module", "eastbound(T) :- '$destroy_module'(judge_base).", "internal"),
    Attack("set flag", "eastbound(T) :- set_prolog_flag(unknown, fail).", "changes the judge"),
    Attack("flag by directive", ":- set_prolog_flag(double_quotes, atom).\neastbound(T).",
     "changes how text is read"),
    Attack("stack limit", "eastbound(T) :- set_prolog_stack(global, limit(1)).", "internal"),
    Attack("raised limit", "eastbound(T) :- call_with_inference_limit(p, 99999999, _). p :- p.",
     "a budget of its own"),
    Attack("throw", "eastbound(T) :- throw(rejected(x)).", "forges an internal exception"),
    Attack("print_message", "eastbound(T) :- print_message(error, x).", "writes"),
    Attack("garbage_collect", "eastbound(T) :- garbage_collect, garbage_collect_atoms.", "slow"),
    Attack("prolog_load_context", "eastbound(T) :- prolog_load_context(directory, D).", "looks"),
]  # fmt: skip

CHEATING = [
    Attack("retract", "eastbound(T) :- retract(car_color(_, blue)).", "changes the background"),
    Attack("retractall", "eastbound(T) :- retractall(has_car(_, _)).", "changes the background"),
    Attack("abolish", "eastbound(T) :- abolish(has_car/2).", "changes the background"),
    Attack("assertz", "eastbound(T) :- assertz(car_color(x, red)).", "changes the background"),
    Attack("asserta in a module", "eastbound(T) :- asserta(judge_base:member(_, _)).", "lasting"),
    Attack("redefined background",
     "car_color(_, red).\neastbound(T) :- has_car(T, C), car_color(C, red).", "new facts"),
    Attack("background directive", ":- dynamic(car_color/2).\ncar_color(_, _).\neastbound(T).",
     "opens the background"),
    Attack("negative class", "eastbound(T) :- \\+ westbound(T).", "reads the labels"),
    Attack("positive class", "eastbound(T) :- eastbound_label(T).", "reads the labels"),
    Attack("redefined negative class", "westbound(T) :- fail.\neastbound(T).", "other answers"),
    Attack("both classes", "westbound(T).\neastbound(T) :- westbound(T).", "other answers"),
    Attack("redefined system predicate", "true :- fail.\neastbound(T).", "changes the judge"),
    Attack("redefined comma", "(A, B) :- A.\neastbound(T) :- has_car(T, C), fail.", "control"),
    Attack("redefined equality", "X = Y.\neastbound(T) :- T = other.", "changes the language"),
    Attack("redefined findall", "findall(_, _, []).\neastbound(T).", "changes the language"),
    Attack("redefined aggregate_all", "aggregate_all(_, _, 1).\neastbound(T).", "language"),
    Attack("op", ":- op(700, xfx, is_red).\neastbound(T) :- has_car(T, C), C is_red 1.", "syntax"),
    Attack("op at run time", "eastbound(T) :- op(0, xfx, =).", "changes later readings"),
    Attack("term expansion", "term_expansion(X, X).\neastbound(T) :- has_car(T, _), fail.", "hook"),
    Attack("user term expansion", "user:term_expansion(_, []).\neastbound(T).", "hook"),
    Attack("global variable", "eastbound(T) :- b_setval(x, T), b_getval(x, _).", "state"),
    Attack("call counter nb",
     "eastbound(T) :- nb_getval(n, N), M is 1 - N, nb_setval(n, M), N = 0.", "every second call"),
    Attack("call counter flag", "eastbound(T) :- flag(n, N, N + 1), 0 is N mod 2.", "every second"),
    Attack("call counter succ_or", "eastbound(T) :- gensym(g, G), atom_length(G, 2).", "state"),
    Attack("call counter record", "eastbound(T) :- recorda(k, T), recorded(k, X), X == T.",
     "state"),
    Attack("tabling", ":- table eastbound/1.\neastbound(T) :- eastbound(T).", "state"),
    Attack("random", "eastbound(T) :- X is random(2), X =:= 1.", "chance"),
    Attack("random_between", "eastbound(T) :- random_between(0, 1, 1).", "chance"),
    Attack("clock", "eastbound(T) :- get_time(T0), T0 > 0, statistics(runtime, _).", "chance"),
    Attack("cputime", "eastbound(T) :- X is cputime, X > 0.", "chance"),
    Attack("name parity", "eastbound(T) :- atom_codes(T, Cs), last(Cs, C), 0 is C mod 2.", "name"),
    Attack("name prefix", "eastbound(T) :- sub_atom(T, _, 1, 0, '0').", "name"),
    Attack("clause order",
     "eastbound(T) :- nth_clause(has_car(_, _), 1, R), clause(has_car(T, _), true, R).", "order"),
    Attack("clause body", "eastbound(T) :- clause(eastbound(T), true).", "reads itself"),
    Attack("predicate_property", "eastbound(T) :- predicate_property(has_car(_, _), dynamic).",
     "looks at the judge"),
    Attack("current_op", "eastbound(T) :- current_op(P, xfx, =).", "looks at the judge"),
    Attack("prolog frames", "eastbound(T) :- prolog_current_frame(F), b_setval(f, F).", "looks"),
]  # fmt: skip

SANDBOX = [
    *(
        Attack(f"rule by {arrow} asserted as a fact",
         f"eastbound(T) :- assertz((p(_) {arrow} shell('touch {{path}}'))), p(T).", "once passed")
        for arrow in ("=>", "?=>", "-->", ":-")
    ),
    Attack("attribute hook asserted", "eastbound(T) :- put_attr(X, program, v), "
     "assertz((attr_unify_hook(_, _) => shell('touch {path}'))), X = 1.", "once passed"),
    Attack("attribute hook", "attr_unify_hook(_, _) :- shell('touch {path}').\n"
     "eastbound(T) :- put_attr(X, program, v), X = 1.", "runs later"),
    Attack("message with a goal",
     "eastbound(T) :- print_message(error, format(\"~@\", [shell('touch {path}')])).", "passed"),
    Attack("text of a message with a goal",
     "eastbound(T) :- message_to_string(format(\"~@\", [shell('touch {path}')]), _).", "passed"),
    Attack("text with a goal",
     "eastbound(T) :- format(\"~@\", [shell('touch {path}')]).", "hidden"),
    Attack("lambda of a goal", "eastbound(T) :- maplist([X]>>X, [shell('touch {path}')]).", "data"),
    Attack("lambda with a free variable",
     "eastbound(T) :- maplist(\\X^shell(X), ['touch {path}']).", "hidden"),
    Attack("goal in a phrase", "eastbound(T) :- phrase({shell('touch {path}')}, []).", "hidden"),
    Attack("goal in a grammar rule",
     "p --> {shell('touch {path}')}.\neastbound(T) :- phrase(p, []).", "goal"),
    Attack("goal to undo", "eastbound(T) :- undo(shell('touch {path}')).", "runs later"),
    Attack("clause of the sandbox", "sandbox:safe_primitive(system:shell(_)).\n"
     "eastbound(T) :- shell('touch {path}').", "another module"),
    Attack("clause of the judge", "judge:check(_, _).\neastbound(T) :- shell('touch {path}').",
     "another module"),
    Attack("predicate of the judge",
     "eastbound(T) :- judge:define(program, [(p :- shell('touch {path}'))]), p.", "exported"),
    Attack("predicate of the worker", "eastbound(T) :- worker:halt(0).", "another module"),
    Attack("fork", "eastbound(T) :- fork(P).", "another process"),
    Attack("exec", "eastbound(T) :- unix:exec(touch('{path}')).", "another program"),
    Attack("kill", "eastbound(T) :- kill(1, 9).", "other processes"),
    Attack("raised resource limit", "eastbound(T) :- rlimit(cpu, _, 999), p. p :- p.", "time"),
    Attack("goal that loads a file", "eastbound(T) :- use_module('tmp/judge'), p(T).", "relative"),
    Attack("long sleep", "eastbound(T) :- sleep(100000), fail.", "takes no CPU time"),
    Attack("swallowed limit again and again",
     "eastbound(T) :- repeat, catch(p, _, fail). p :- p.", "outlives it"),
    Attack("cleanup without end", "eastbound(T) :- setup_call_cleanup(true, true, (repeat, fail)).",
     "runs after the limit"),
    Attack("clause as a head", "eastbound(T) :- fail.\n(eastbound(T) :- halt) :- true.", "a body"),
    Attack("single-sided rule as a head",
     "eastbound(T) :- fail.\n(eastbound(T) => halt) :- true.", "a body"),
    Attack("grammar rule as a head",
     "eastbound(T) :- fail.\n(eastbound --> {halt}) :- true.", "a body"),
    Attack("directive as a head", "eastbound(T) :- fail.\n(:- halt) :- true.", "a body"),
    *(
        Attack(f"module prefix for {goal}", f"':'({', '.join(['_'] * arity)}).\n"
         f"eastbound(T) :- call({goal}).", "made :/2 look defined")
        for arity, goal in ((3, "system:halt, 0"), (3, "system:sleep, 20"),
                            (4, "system:op, 0, xfx, a"), (5, "system:op, 0, xfx, judge:(:-)"))
    ),
    Attack("call of an arity that has no definition", "call(_, _, _, _, _, _, _, _, _).\n"
     "eastbound(T) :- call(call, [_, _, _, _, _, _, _]>>halt, 1, 2, 3, 4, 5, 6, 7).", "hidden"),
    Attack("helper without letters", "+(_, _) :- fail.\neastbound(T) :- T + 1.", "an operator"),
]  # fmt: skip

ATTACKS = [
    *(*NON_TERMINATION, *MEMORY, *HARM, *CHEATING, *HOOKS, *FORGERY, *TEXT, *WORK, *WORLDS),
    *SANDBOX,
]
BEYOND_THE_SANDBOX = [*HARM, *HOOKS, *FORGERY, *SANDBOX]
"""What is let loose once without it."""
