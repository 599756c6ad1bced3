"""Entailment, satisfiability and equivalence of sentences.

Z3 decides, within a budget that is no clock. Every question gets a Z3 context of its own. So the
answer depends on the question alone, not on what was asked before, and threads may ask at the same
time.

Quantifiers are instantiated by models (``mbqi``) and never by patterns (``ematching``), which
runs away on the ∀∃ formulas of LogicSkills. What that leaves open is mostly a formula whose
models Z3 builds ever larger, so a model of at most 3, 4 or 6 objects is looked for next.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import z3

from logic_curriculum.rewards.engines.fol import models as fol
from logic_curriculum.rewards.engines.fol import syntax
from logic_curriculum.rewards.engines.fol.syntax import Atom, Binary, Formula, Not, Quantified

DEFAULT_RLIMIT = 1_000_000
"""Z3 resource units for one question: about a second at worst, 100 times what most need."""

_FIRST_SHARE = 0.2
_DOMAINS = (3, 4, 6)
_DOMAIN_SHARE = 0.1
_OPERATORS = {"and": "and", "or": "or", "imp": "=>", "iff": "="}


def entails(
    premises: Sequence[Formula], conclusion: Formula, *, rlimit: int = DEFAULT_RLIMIT
) -> bool | None:
    """Say whether a conclusion is true wherever the premises are, finite or infinite.

    Returns None when ``rlimit`` did not suffice: Z3 resource units that may be spent, equal on
    every machine, unlike seconds. Raises an ArityClashError when a predicate occurs with different
    numbers of arguments, a FreeVariableError when a formula is no sentence.

    >>> from logic_curriculum.rewards.engines.fol.syntax import parse
    >>> entails([parse("∀x(Fx→Gx)"), parse("Fa")], parse("∃yGy"))
    True
    """
    found = satisfiable([*premises, Not(conclusion)], rlimit=rlimit)
    return None if found is None else not found


def satisfiable(formulas: Sequence[Formula], *, rlimit: int = DEFAULT_RLIMIT) -> bool | None:
    """Say whether sentences can be true together; budget and errors as for :func:`entails`."""
    script = _script(formulas)
    context = z3.Context()

    def check(question: str, share: float) -> bool | None:
        solver = z3.SimpleSolver(ctx=context)
        solver.set(ematching=False, mbqi=True, rlimit=max(1, int(rlimit * share)))
        solver.from_string(question)
        return {"sat": True, "unsat": False, "unknown": None}[str(solver.check())]

    found = check(script, _FIRST_SHARE)
    if found is not None:
        return found
    if any(check(script + _at_most(size), _DOMAIN_SHARE) for size in _DOMAINS):
        return True
    return check(script, 1 - _FIRST_SHARE - _DOMAIN_SHARE * len(_DOMAINS))


def _script(formulas: Sequence[Formula]) -> str:
    symbols = syntax.signature(*formulas)
    lines = ["(declare-sort Thing 0)"]
    lines += [f"(declare-const {constant} Thing)" for constant in sorted(symbols.constants)]
    for predicate, arity in sorted(symbols.arities.items()):
        lines.append(f"(declare-fun {predicate} ({' '.join(['Thing'] * arity)}) Bool)")
    for formula in formulas:
        syntax.check_sentence(formula)
        lines.append(f"(assert {_expression(formula)})")
    return "\n".join(lines)


def _at_most(size: int) -> str:
    names = [f"thing{index}" for index in range(size)]
    constants = "".join(f"\n(declare-const {name} Thing)" for name in names)
    options = " ".join(f"(= x {name})" for name in names)
    return f"{constants}\n(assert (forall ((x Thing)) (or {options})))"


def _expression(formula: Formula) -> str:
    match formula:
        case Atom(predicate, terms):
            return f"({predicate} {' '.join(terms)})"
        case Not(body):
            return f"(not {_expression(body)})"
        case Binary(connective, left, right):
            return f"({_OPERATORS[connective]} {_expression(left)} {_expression(right)})"
        case Quantified(quantifier, variable, body):
            return f"({quantifier} (({variable} Thing)) {_expression(body)})"


EQUIVALENCE_RLIMIT = 300_000
"""Z3 resource units for each direction: 40 times what any published pair takes."""
_MOST_PARTS = 12  # closed parts of both sentences that are compared with one another
_SIZES = (1, 2, 3, 4)
_MODELS = 256
_MAX_CELLS = 1 << 23
_RELATIONS = {(True, True): "equivalent", (True, False): "stronger", (False, True): "weaker"}
"""Whether the first entails the second, and the reverse → what the first is; else unrelated."""


class Equivalence(NamedTuple):
    """How one sentence relates to another."""

    verdict: bool | None  # whether they are equivalent; None when Z3's budget did not suffice
    relation: str | None = None
    """``equivalent``; ``stronger`` when only the first entails the second, ``weaker`` for the
    reverse, else ``unrelated``. None when unknown, perhaps although the verdict is False."""


@lru_cache(maxsize=1024)
def equivalent(first: Formula, second: Formula) -> Equivalence:
    """Compare two sentences; errors as for :func:`entails`.

    Equal normal forms prove them equivalent. Else random finite models of 1 to 4 objects are tried,
    256 of each size, since they refute nearly everything that is not equivalent within a fraction
    of a millisecond. Of sentences that take very long to evaluate, fewer models are tried. What the
    models leave open is proved part by part, or else Z3 decides on the whole.

    >>> from logic_curriculum.rewards.engines.fol.syntax import parse
    >>> equivalent(parse("∀x(Fx→Gx)"), parse("¬∃y(Fy∧¬Gy)")).verdict
    True
    >>> found = equivalent(parse("∀xFx"), parse("∃xFx"))
    >>> found.verdict, found.relation
    (False, 'stronger')
    """
    symbols = syntax.signature(first, second)
    syntax.check_sentence(first)
    syntax.check_sentence(second)
    if normal_form(first) == normal_form(second):
        return Equivalence(True, "equivalent")
    forth: bool | None = None  # whether the first entails the second
    back: bool | None = None  # whether the second entails the first
    for models in _models(first, second, symbols):
        here, there = fol.evaluate(first, models), fol.evaluate(second, models)
        forth = False if (here > there).any() else forth
        back = False if (here < there).any() else back
        if forth is False and back is False:
            break
    if forth is None and back is None and _equal_by_parts(first, second, symbols):
        return Equivalence(True, "equivalent")
    if forth is None:
        forth = entails([first], second, rlimit=EQUIVALENCE_RLIMIT)
    if back is None:
        back = entails([second], first, rlimit=EQUIVALENCE_RLIMIT)
    if forth is None or back is None:
        return Equivalence(False if False in (forth, back) else None)
    return Equivalence(forth and back, _RELATIONS.get((forth, back), "unrelated"))


def _equal_by_parts(first: Formula, second: Formula, symbols: syntax.Signature) -> bool:
    """Say whether two sentences are proved equivalent as Boolean combinations of closed parts.

    A part that Z3 proves equivalent to an earlier one, or to its negation, is replaced by that, and
    then each part that is left by an atom. At most as many pairs are compared as there are parts,
    which share the budget of one question. False proves nothing.
    """
    parts = list(dict.fromkeys([*_closed_parts(first), *_closed_parts(second)]))
    if not 2 < len(parts) <= _MOST_PARTS:
        return False
    rlimit = EQUIVALENCE_RLIMIT // len(parts)
    models = list(_models(first, second, symbols))
    truths = {part: np.concatenate([fol.evaluate(part, some) for some in models]) for part in parts}
    kept: list[Formula] = []
    asked = 0
    atoms: dict[Formula, Formula] = {}  # part → the atom that stands for it, perhaps negated
    for part, letter in zip(parts, sorted(syntax.PREDICATES), strict=False):
        for one, sign in product(kept, (True, False)):
            if ((truths[part] == truths[one]) != sign).any():
                continue
            asked += 1
            other = one if sign else Not(one)
            proofs = [entails([a], b, rlimit=rlimit) for a, b in ((part, other), (other, part))]
            if None in proofs or asked > len(parts):
                return False
            if all(proofs):
                atoms[part] = atoms[one] if sign else Not(atoms[one])
                break
        else:
            kept.append(part)
            atoms[part] = Atom(letter, ("a",))
    alike = Binary("iff", _with_atoms(first, atoms), _with_atoms(second, atoms))
    return entails([], alike, rlimit=EQUIVALENCE_RLIMIT) is True


def _closed_parts(sentence: Formula) -> Iterator[Formula]:
    """Yield the atoms and quantifications that no other quantification contains."""
    if isinstance(sentence, Not | Binary):
        for part in syntax.parts(sentence):
            yield from _closed_parts(part)
    else:
        yield sentence


def _with_atoms(sentence: Formula, atoms: Mapping[Formula, Formula]) -> Formula:
    match sentence:
        case Not(body):
            return Not(_with_atoms(body, atoms))
        case Binary(connective, left, right):
            return Binary(connective, _with_atoms(left, atoms), _with_atoms(right, atoms))
        case _:
            return atoms[sentence]


def _models(first: Formula, second: Formula, symbols: syntax.Signature) -> Iterator[fol.Models]:
    subformulas = np.add(fol.widths(first), fol.widths(second)).tolist()
    for size in _SIZES:
        cells = sum(count * size**width for width, count in enumerate(subformulas))
        if count := min(_MODELS, _MAX_CELLS // cells):
            yield fol.random_models(symbols, size, count, "equivalence")


_DUAL = {"forall": "exists", "exists": "forall"}


def normal_form(formula: Formula) -> str:
    """Return a text that only equivalent formulas have.

    Equal for formulas that differ in the names of bound variables, in the order, grouping and
    repetition of conjuncts and disjuncts, in the order of a biconditional's sides, in where
    negations stand, or in ``A→B`` written as ``¬A∨B``. Many equivalent formulas differ still.

    >>> from logic_curriculum.rewards.engines.fol.syntax import parse
    >>> normal_form(parse("¬∃x(Fx∧Gx)")) == normal_form(parse("∀y(Gy→¬Fy)"))
    True
    """
    return _written(formula, True, ())


def _written(formula: Formula, positive: bool, bound: tuple[str, ...]) -> str:
    """Write a formula or its negation; ``bound`` names the quantifiers' variables, inmost first."""
    match formula:
        case Atom(predicate, terms):
            names = [str(bound.index(term)) if term in bound else term for term in terms]
            return f"{'' if positive else '¬'}{predicate}{','.join(names)}"
        case Not(body):
            return _written(body, not positive, bound)
        case Quantified(quantifier, variable, body):
            name = quantifier if positive else _DUAL[quantifier]
            return f"{name} {_written(body, positive, (variable, *bound))}"
        case Binary("iff", left, right):
            sides = sorted(_written(side, True, bound) for side in (left, right))
            return f"{'' if positive else '¬'}iff({';'.join(sides)})"
    name = "and" if (formula.connective == "and") == positive else "or"
    parts = sorted(set(_parts(formula, name, positive, bound)))
    return parts[0] if len(parts) == 1 else f"{name}({';'.join(parts)})"


def _parts(formula: Formula, name: str, positive: bool, bound: tuple[str, ...]) -> list[str]:
    """List the members of a chain of conjunctions, or of disjunctions, as ``name`` says."""
    match formula:
        case Not(body):
            return _parts(body, name, not positive, bound)
        case Binary("and" | "or" | "imp" as connective, left, right):
            if (name == "and") == ((connective == "and") == positive):
                first = positive != (connective == "imp")
                return _parts(left, name, first, bound) + _parts(right, name, positive, bound)
    return [_written(formula, positive, bound)]
