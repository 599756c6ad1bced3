"""A second prover, cvc5: entailment, equivalence, and models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import cvc5
from cvc5 import Kind
from fol_reference import Formula, World, symbols, true_in

KIND = {"not": Kind.NOT, "and": Kind.AND, "or": Kind.OR, "if": Kind.IMPLIES, "iff": Kind.EQUAL}
BUDGET = "100000"
"""cvc5's resource units for one question: a few seconds at most, equal on every machine."""


class UndecidedError(Exception):
    """Neither a proof nor a model was found within the budget."""


class Question:
    """A set of formulas, handed to a solver of its own."""

    def __init__(self, formulas: Sequence[Formula], **options: str) -> None:
        self.terms = cvc5.TermManager()
        self.solver = cvc5.Solver(self.terms)
        self.solver.setLogic("UF")
        for name, value in {"rlimit": BUDGET, **options}.items():
            self.solver.setOption(name.replace("_", "-"), value)
        self.sort = self.terms.mkUninterpretedSort("D")
        self.vocabulary = symbols(*formulas)
        self.symbol = {name: self._declare(name, arity) for name, arity in self.vocabulary.items()}
        for formula in formulas:
            self.solver.assertFormula(self._term(formula, {}))
        self.result = self.solver.checkSat()

    def _declare(self, name: str, arity: int) -> cvc5.Term:
        if not arity:
            return self.terms.mkConst(self.sort, name)
        boolean = self.terms.getBooleanSort()
        return self.terms.mkConst(self.terms.mkFunctionSort([self.sort] * arity, boolean), name)

    def _term(self, formula: Formula, scope: Mapping[str, cvc5.Term]) -> cvc5.Term:
        kind, *parts = formula
        if kind == "atom":
            terms = [scope[t] if t in scope else self.symbol[t] for t in parts[1]]
            return self.terms.mkTerm(Kind.APPLY_UF, self.symbol[parts[0]], *terms)
        if kind in ("all", "some"):
            variable = self.terms.mkVar(self.sort, parts[0])
            body = self._term(parts[1], {**scope, parts[0]: variable})
            bound = self.terms.mkTerm(Kind.VARIABLE_LIST, variable)
            return self.terms.mkTerm(Kind.FORALL if kind == "all" else Kind.EXISTS, bound, body)
        return self.terms.mkTerm(KIND[kind], *(self._term(part, scope) for part in parts))

    def world(self) -> World:
        """Return the model that finite model finding has found."""
        elements = self.solver.getModelDomainElements(self.sort)
        place = {element: index for index, element in enumerate(elements)}

        def extension(name: str, arity: int) -> frozenset[tuple[int, ...]]:
            return frozenset(
                tuple(place[element] for element in row)
                for row in product(elements, repeat=arity)
                if self.solver.getValue(
                    self.terms.mkTerm(Kind.APPLY_UF, self.symbol[name], *row)
                ).getBooleanValue()
            )

        return World(
            tuple(range(len(elements))),
            {
                name: place[self.solver.getValue(self.symbol[name])]
                for name, arity in self.vocabulary.items()
                if not arity
            },
            {name: extension(name, arity) for name, arity in self.vocabulary.items() if arity},
        )


def contradictory(formulas: Sequence[Formula]) -> bool:
    """Tell whether no structure at all makes the formulas true: proven, or a structure found.

    Raises:
        UndecidedError: Neither was found within the budget.
    """
    question = Question(formulas, finite_model_find="true", produce_models="true")
    if question.result.isSat():
        world = question.world()
        assert all(true_in(formula, world) for formula in formulas), "cvc5's model is none"
        return False
    if question.result.isUnsat() or Question(formulas, enum_inst="true").result.isUnsat():
        return True
    raise UndecidedError(str(formulas))


def follows(premises: Sequence[Formula], conclusion: Formula) -> bool:
    return contradictory([*premises, ("not", conclusion)])


def same_truth_conditions(left: Formula, right: Formula) -> bool:
    """Tell whether two formulas hold in the same structures."""
    return left == right or contradictory([("not", ("iff", left, right))])
