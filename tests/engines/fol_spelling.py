"""A writer of formulas in random notations, which knows nothing of the parser's code."""

from __future__ import annotations

import random
from dataclasses import dataclass

from logic_curriculum.rewards.engines.fol.syntax import (
    Atom,
    Binary,
    Formula,
    Not,
    Quantified,
    subformulas,
)

SIGNS = {
    "unicode": {
        "not": ["¬", "¬ ", "∼", "−"],
        "and": ["∧", " ∧ ", "⋀"],
        "or": ["∨", " ∨ ", "⋁"],
        "imp": ["→", " → ", "⊃", "⇒", " ⟹ "],
        "iff": ["↔", " ↔ ", "≡", "⇔"],
        "forall": ["∀"],
        "exists": ["∃"],
        "brackets": ["()", "[]", "（）", "{}"],
    },
    "ascii": {
        "not": ["~", "!", "-", "not "],
        "and": ["&", "&&", " & ", "/\\", " and ", " AND ", "^"],
        "or": ["|", "||", " | ", "\\/", " or ", " v ", " V "],
        "imp": ["->", "=>", "-->", " -> ", " implies "],
        "iff": ["<->", "<=>", " <-> ", " iff ", "<-->"],
        "forall": ["forall ", "Forall ", "ForAll ", "for all ", "FORALL "],
        "exists": ["exists ", "Exists ", "there exists ", "EXISTS "],
        "brackets": ["()", "[]", "( )"],
    },
    "latex": {
        "not": [r"\neg ", r"\lnot ", r"\sim ", r"\neg{}"],
        "and": [r"\land ", r" \wedge ", r"\;\land\;", r" \& "],
        "or": [r"\lor ", r" \vee ", r"\,\lor\,"],
        "imp": [r"\rightarrow ", r"\to ", r" \implies ", r"\supset ", r"\Rightarrow "],
        "iff": [r"\leftrightarrow ", r" \iff ", r"\equiv ", r"\Leftrightarrow "],
        "forall": [r"\forall ", r"\forall\,", r"\forall{}"],
        "exists": [r"\exists ", r"\exists\,"],
        "brackets": ["()", r"\left(|\right)", r"\big(|\big)", "[]", r"\{|\}", r"\bigl[|\bigr]"],
    },
    "eaten": {  # LaTeX whose backslashes Markdown has eaten
        "not": ["neg ", "lnot "],
        "and": [" land ", " wedge "],
        "or": [" lor ", " vee "],
        "imp": [" rightarrow ", " to ", " implies "],
        "iff": [" leftrightarrow ", " iff "],
        "forall": ["forall "],
        "exists": ["exists "],
        "brackets": ["()"],
    },
}
AROUND = {
    "unicode": ["{}", "{}.", "**{}**", "`{}`", " {} \n", "“{}”", "- {}", "1. {}", "'{}'"],
    "ascii": ["{}", "{}.", "`{}`", "**{}**", "> {}"],
    "latex": ["{}", "${}$", "$${}$$", r"\( {} \)", r"\[ {} \]", "${}$.", r"\\({}\\)"],
    "eaten": ["{}", "{}.", "( {} )", "[ {} ]"],
}
STRENGTH = {"and": 4, "or": 3, "imp": 2, "iff": 1}


def spelled(rng: random.Random, formula: Formula) -> str:
    """Write a closed formula in a random notation, with no more brackets than chance wants."""
    notation = rng.choice(list(SIGNS))
    writer = _Writer(rng, SIGNS[notation], notation, formula)
    text = writer.write(formula, 0, last=True)
    return rng.choice(AROUND[notation]).replace("{}", text, 1)


@dataclass
class _Writer:
    rng: random.Random
    signs: dict[str, list[str]]
    notation: str
    whole: Formula

    def sign(self, name: str) -> str:
        sign = self.rng.choice(self.signs[name])
        # "v" is a variable where the formula has one
        return "∨" if sign.strip() in "vV" and "v" in str(self.whole) else sign

    def bracketed(self, text: str) -> str:
        pair = self.rng.choice(self.signs["brackets"])
        opening, closing = pair.split("|") if "|" in pair else (pair[0], pair[-1])
        return f"{opening}{text}{closing}"

    def write(self, formula: Formula, strength: int, *, last: bool) -> str:
        """Write an operand of a connective of a strength; ``last`` when nothing follows it."""
        match formula:
            case Atom():
                return self.atom(formula)
            case Not(body):
                text = self.sign("not") + self.scope(body)
            case Quantified():
                if last and self.rng.random() < 0.3:
                    return self.dotted(formula)
                text = self.quantifier(formula) + self.scope(formula.body)
                if not last and not self.alone(formula):
                    return self.bracketed(text)
            case Binary(connective, left, right):
                own = STRENGTH[connective]
                needs = own < strength or self.rng.random() < 0.5
                inside = last or needs
                chains = own + (connective == "imp")  # a chain of conditionals needs brackets
                text = (
                    self.write(left, chains, last=False)
                    + self.sign(connective)
                    + self.write(right, own + 1, last=inside)
                )
                return self.bracketed(text) if needs else text
        return self.bracketed(text) if self.rng.random() < 0.15 else text

    def alone(self, formula: Quantified) -> bool:
        """Say whether a quantifier may stand before a connective without reaching beyond it."""
        inner = [part.variable for part in subformulas(formula) if isinstance(part, Quantified)]
        bound = [part.variable for part in subformulas(self.whole) if isinstance(part, Quantified)]
        return all(bound.count(variable) == inner.count(variable) for variable in inner)

    def scope(self, body: Formula) -> str:
        """Write what a negation or a quantifier without a dot applies to."""
        if isinstance(body, Binary):
            return self.bracketed(self.write(body, 0, last=True))
        if isinstance(body, Quantified) and self.rng.random() < 0.8:
            return self.quantifier(body) + self.scope(body.body)
        if isinstance(body, Not) and self.rng.random() < 0.8:
            return self.sign("not") + self.scope(body.body)
        return self.write(body, 5, last=False)

    def dotted(self, formula: Quantified) -> str:
        separator = self.rng.choice([". ", ": ", ", ", ".", ":"])
        text = self.quantifier(formula) + separator
        if isinstance(formula.body, Quantified):
            return self.quantifier(formula) + self.dotted(formula.body)
        body = formula.body
        while isinstance(body, Binary) and isinstance(body.left, Binary):
            return text + self.bracketed(self.write(body, 0, last=True))
        if isinstance(body, Binary) and isinstance(body.left, Atom):
            return (
                text
                + self.atom(body.left)
                + self.sign(body.connective)
                + self.write(body.right, STRENGTH[body.connective] + 1, last=True)
            )
        return text + self.bracketed(self.write(body, 0, last=True))

    def quantifier(self, formula: Quantified) -> str:
        sign, variable = self.sign(formula.quantifier), formula.variable
        plain = f"{sign}{variable}"
        options = [plain, plain, f"{plain} ", f"({plain})", f"[{plain}] ", f"{sign}({variable})"]
        if formula.quantifier == "forall":
            options.append(f"({variable})")
        if self.notation == "latex":
            options += [rf"{plain}\,", rf"{plain}\; ", f"{sign}{{{variable}}}", rf"(\,{plain}\,) "]
        return self.rng.choice(options) + ("" if self.notation in ("unicode",) else " ")

    def atom(self, atom: Atom) -> str:
        predicate, terms = atom.predicate, atom.terms
        options = [str(atom), str(atom), f"{predicate}({','.join(terms)})"]
        options += [f"{predicate}({', '.join(terms)})", f"{predicate}[{','.join(terms)}]"]
        if self.notation == "latex":
            options += [
                f"{predicate}_{{{''.join(terms)}}}",
                rf"\mathrm{{{predicate}}}{''.join(terms)}",
            ]
            options += [rf"{predicate}(\,{', '.join(terms)}\,)"]
        if self.notation != "eaten":
            options += [" ".join((predicate, *terms)), predicate + ",".join(terms)]
        return self.rng.choice(options)
