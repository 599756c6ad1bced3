"""The nine printed cases of LogiNumSynth (appendix G.2) and worlds that fit what they print.

Facts and rules are not printed, so they are made up here, under the printed numbers; numbers that
no process mentions stand for something that is of no use. The lines of the models are as printed,
with apostrophes lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    """A world, its gold process, and what a model made of it."""

    facts: dict[int, str]
    rules: dict[int, str]
    query: str
    answer: int
    gold: tuple[tuple[str, str], ...]
    """What each step rests on (``r6 f2 i1``) and concludes."""
    lines: str
    """The model's process as printed."""
    given: int
    """The model's answer."""
    process: float
    """The printed process accuracy."""

    @property
    def payload(self) -> dict[str, Any]:
        idle = (f"is(Nobody, idle{number}, 0)" for number in range(1, 99))
        unused = (f"is(?x, unused{number}, 0) -> is(?x, moot, {number})" for number in range(1, 99))
        steps = []
        for basis, conclusion in self.gold:
            numbers = {kind: list(map(int, re.findall(rf"{kind}(\d+)", basis))) for kind in "rfi"}
            steps.append(
                {
                    "rule": numbers["r"][0],
                    "facts": numbers["f"],
                    "steps": numbers["i"],
                    "conclusion": conclusion,
                }
            )
        return {
            "facts": [self.facts.get(n) or next(idle) for n in range(1, max(self.facts) + 1)],
            "rules": [self.rules.get(n) or next(unused) for n in range(1, max(self.rules) + 1)],
            "query": self.query,
            "answer": self.answer,
            "steps": steps,
        }

    @property
    def completion(self) -> str:
        return f"Reasoning:\n{self.lines.strip()}\nAnswer: \\boxed{{{self.given}}}"


CASES = {
    1: Case(
        facts={
            1: "is(Otto, rare, -5)", 2: "is(Arvie, calm, 3)", 3: "is(Arvie, bold, 9)",
            4: "greet(Ruperta, Granville)", 5: "trail(Arvie, Wini)", 6: "is(Wini, dim, 4)",
            7: "is(Otto, keen, 99)", 8: "like(Arvie, Ruperta)", 10: "mend(Arvie, Otto)",
            11: "guard(Arvie, Otto)", 12: "is(Wini, cold, -92)", 13: "is(Granville, stiff, -69)",
            14: "is(Otto, damp, 12)", 15: "is(Arvie, late, 31)",
        },
        rules={
            2: "resubmit(?x, ?y) & is(?x, imposing, 6848) & greet(?y, ?z) -> "
            "is(?z, withdrawn, min(88*?x[canadian]-96, ?z[stiff]))",
            6: "is(?x, calm, 3) & like(?x, ?y) -> resubmit(?x, ?y)",
            11: "trail(?x, ?y) & is(?y, dim, 4) & is(?x, bold, 9) -> "
            "is(?x, whole, -71*?y[cold]-57)",
            13: "mend(?x, ?y) & is(?y, damp, 12) & is(?x, late, 31) -> "
            "is(?x, canadian, subtraction(4*?x[whole]-67, -80))",
            14: "guard(?x, ?y) & is(?x, whole, 6475) & is(?y, rare, -5) -> "
            "is(?x, imposing, 70*?y[keen]-82)",
        },
        query="is(Granville, withdrawn, ?)",
        answer=-69,
        gold=(
            ("r6 f2 f8", "resubmit(Arvie, Ruperta)"),
            ("r11 f5 f6 f3 f12", "is(Arvie, whole, 6475)"),
            ("r14 f11 i2 f1 f7", "is(Arvie, imposing, 6848)"),
            ("r13 f10 f14 f15 i2", "is(Arvie, canadian, 25913)"),
            ("r2 f4 i3 i1 i4 f13", "is(Granville, withdrawn, -69)"),
        ),
        lines="""
rule_11 & fact_3 & fact_6 & fact_5 & fact_12 => fact_i1: Arvies whole is 6475.
rule_14 & fact_1 & fact_i1 & fact_11 & fact_7 => fact_i2: Arvies imposing is 6848.
rule_6 & fact_8 & fact_2 => fact_i3: resubmit exists between Arvie and Ruperta.
rule_13 & fact_15 & fact_14 & fact_10 & fact_i1 => fact_i4: Arvies canadian is 26047.
rule_2 & fact_i2 & fact_i3 & fact_4 & fact_i4 & fact_13 => fact_i5: Granvilles withdrawn is -69.
""",
        given=-69,
        process=0.6,
    ),
    2: Case(
        facts={
            1: "is(Lin, tan, 3)", 2: "is(Suki, sour, -79)", 3: "lift(Katrinka, Moe)",
            4: "seek(Suki, Jeramie)", 5: "trap(Jeramie, Marlyn)", 6: "is(Ona, glad, 8)",
            7: "is(Jeramie, brisk, -28)", 8: "join(Jeramie, Katrinka)", 9: "is(Suki, ripe, 4)",
            10: "is(Jeramie, proud, 1)", 11: "is(Moe, wet, -52)", 12: "hail(Suki, Pam)",
            13: "lend(Marlyn, Ona)", 14: "is(Katrinka, mild, 2)", 15: "is(Ona, numb, 86)",
            16: "is(Lin, wet, 53)", 17: "is(Pam, tall, 42)", 18: "push(Suki, Lin)",
        },
        rules={
            5: "lift(?x, ?y) & is(?x, mild, 2) -> is(?x, impossible, 7*?y[wet]-74)",
            6: "is(?x, executive, 3352) & seek(?x, ?y) & is(?y, proud, 1) -> "
            "is(?x, alternative, -84*?y[soaring]-48)",
            7: "is(?x, acquired, -8253) & hail(?x, ?y) -> is(?x, executive, 80*?y[tall]-8)",
            10: "lend(?x, ?y) & is(?y, glad, 8) -> is(?x, acquired, -65*?y[numb]+39)",
            11: "is(?x, impossible, -438) & join(?y, ?x) & trap(?y, ?z) -> "
            "is(?y, soaring, subtraction(-33*?z[acquired]-12, ?y[brisk]))",
            14: "push(?x, ?y) & is(?y, tan, 3) & is(?x, ripe, 4) -> "
            "is(?x, acquired, addition(-66*?y[wet]-82, 60*?x[sour]+67))",
        },
        query="is(Suki, alternative, ?)",
        answer=-15388764,
        gold=(
            ("r14 f18 f1 f9 f16 f2", "is(Suki, acquired, -8253)"),
            ("r5 f3 f14 f11", "is(Katrinka, impossible, -438)"),
            ("r10 f13 f6 f15", "is(Marlyn, acquired, -5551)"),
            ("r7 f12 i1 f17", "is(Suki, executive, 3352)"),
            ("r11 f8 i2 f5 i3 f7", "is(Jeramie, soaring, 183199)"),
            ("r6 i4 f4 f10 i5", "is(Suki, alternative, -15388764)"),
        ),
        lines="""
rule_5 & fact_3 & fact_14 & fact_11 => fact_i1: Katrinkas impossible is -438.
rule_10 & fact_6 & fact_13 & fact_15 => fact_i2: Marlyns acquired is -5551.
rule_11 & fact_5 & fact_i1 & fact_8 & fact_i2 & fact_7 => fact_i3: Jeramies soaring is 183199.
rule_14 & fact_18 & fact_1 & fact_9 & fact_16 & fact_2 => fact_i4: Sukis acquired is -8253.
rule_7 & fact_12 & fact_i4 & fact_17 => fact_i5: Sukis executive is 3352.
rule_6 & fact_4 & fact_10 & fact_i5 & fact_i3 => fact_i6: Sukis alternative is -15388668.
""",
        given=-15388668,
        process=5 / 6,
    ),
    3: Case(
        facts={2: "is(Claresta, shy, 3)", 15: "admire(Ed, Claresta)"},
        rules={
            4: "hamper(?x, ?y) -> is(?x, reported, 9*?y[shy]+9)",
            8: "stack(?x, ?y) -> hamper(?x, ?y)",
            13: "admire(?x, ?y) -> stack(?x, ?y)",
        },
        query="is(Ed, reported, ?)",
        answer=36,
        gold=(
            ("r13 f15", "stack(Ed, Claresta)"),
            ("r8 i1", "hamper(Ed, Claresta)"),
            ("r4 i2 f2", "is(Ed, reported, 36)"),
        ),
        lines="""
rule_13 & fact_15 => fact_i1: stack exists between Ed and Claresta.
rule_8 & fact_i1 => fact_i2: hampers exists between Ed and Claresta.
rule_4 & fact_i2 & fact_2 => fact_i3: Eds reported is 36.
""",
        given=36,
        process=1.0,
    ),
    4: Case(
        facts={
            2: "is(Charlton, slim, 5)", 3: "aid(Tedie, Roz)", 4: "nudge(Cleo, Astrid)",
            5: "is(Charlton, warm, 2)", 7: "aid(Roz, Charlton)", 8: "coax(Astrid, Tedie)",
            9: "whipsaw(Cleo, Charlton)", 13: "is(Bob, odd, 6)", 14: "pay(Charlton, Bob)",
            15: "is(Roz, lean, 8)",
        },
        rules={
            5: "whipsaw(?x, ?y) & is(?y, slim, 5) -> is(?y, unusual, ?y[side])",
            9: "is(?y, regional, 78) & assume(?x, ?y) & coax(?z, ?x) -> whipsaw(?z, ?y)",
            10: "whipsaw(?x, ?y) & nudge(?x, ?z) -> is(?y, regional, 2*?y[side]+10)",
            11: "aid(?x, ?y) & aid(?y, ?z) & is(?y, lean, 8) -> assume(?x, ?z)",
            14: "pay(?x, ?y) & is(?x, warm, 2) -> is(?x, side, 4*?y[odd]+10)",
        },
        query="is(Charlton, unusual, ?)",
        answer=34,
        gold=(
            ("r14 f14 f5 f13", "is(Charlton, side, 34)"),
            ("r11 f3 f15 f7", "assume(Tedie, Charlton)"),
            ("r10 f4 f9 i1", "is(Charlton, regional, 78)"),
            ("r9 i3 f8 i2", "whipsaw(Astrid, Charlton)"),
            ("r5 f2 i4 i1", "is(Charlton, unusual, 34)"),
        ),
        lines="""
rule_14 & fact_14 & fact_5 & fact_13 => fact_i1: Charltons side is 34.
rule_5 & fact_2 & fact_9 & fact_i1 => fact_i2: Charltons unusual is 34.
""",
        given=34,
        process=1.0,
    ),
    5: Case(
        facts={3: "is(Maryann, annual, 4)", 10: "adopt(Bengt, Maryann)"},
        rules={
            4: "is(?x, annual, 3) -> is(?x, iranian, 4)",
            5: "adopt(?x, ?y) -> finalize(?x, ?y)",
            13: "finalize(?x, ?y) -> is(?y, iranian, 2)",
        },
        query="is(Maryann, iranian, ?)",
        answer=2,
        gold=(("r5 f10", "finalize(Bengt, Maryann)"), ("r13 i1", "is(Maryann, iranian, 2)")),
        lines="""
fact_3 => fact_i1: Maryanns annual is 4.
rule_5 & fact_10 => fact_i2: finalize exists between Bengt and Maryann.
rule_13 & fact_i2 => fact_i3: Bengts iranian is 2.
rule_4 & fact_3 => fact_i4: Maryanns iranian is 4.
""",
        given=4,
        process=0.5,
    ),
    6: Case(
        facts={
            2: "praise(Hetty, Al)", 3: "praise(Al, Hetty)", 4: "is(Hetty, calm, 5)",
            7: "is(Hetty, wild, 33)",
        },
        rules={
            5: "is(?x, calm, 5) -> is(?x, legal, -95*?x[wild]-16)",
            6: "praise(?x, ?y) -> is(?y, willing, addition(?y[legal], -46))",
        },
        query="is(Hetty, willing, ?)",
        answer=-3197,
        gold=(("r5 f4 f7", "is(Hetty, legal, -3151)"), ("r6 f3 i1", "is(Hetty, willing, -3197)")),
        lines="""
rule_5 & fact_4 & fact_7 => fact_i1: Hettys legal is -3151.
rule_6 & fact_2 & fact_i1 => fact_i2: Hettys willing is -3197.
""",
        given=-3197,
        process=0.5,
    ),
    7: Case(
        facts={
            1: "is(Garey, neat, 52)", 2: "is(Tove, pale, 6)", 3: "is(Tove, lush, 1)",
            4: "call(Garey, Aura)", 8: "is(Aura, young, 3)", 9: "is(Lonnie, hot, 7)",
            10: "fix(Garey, Tove)", 12: "meet(Aura, Lonnie)", 13: "is(Lonnie, firm, -17)",
        },
        rules={
            1: "is(?x, liquid, 52) & scrutinize(?x, ?y) & waive(?y, ?z) -> "
            "is(?x, mean, -31*?z[firm]+76)",
            3: "is(?y, young, 3) & call(?x, ?y) -> scrutinize(?x, ?y)",
            7: "fix(?x, ?y) & is(?y, pale, 6) -> is(?x, liquid, max(?x[neat], ?y[lush]))",
            13: "meet(?x, ?y) & is(?y, hot, 7) -> waive(?x, ?y)",
        },
        query="is(Garey, mean, ?)",
        answer=603,
        gold=(
            ("r7 f10 f2 f1 f3", "is(Garey, liquid, 52)"),
            ("r3 f8 f4", "scrutinize(Garey, Aura)"),
            ("r13 f12 f9", "waive(Aura, Lonnie)"),
            ("r1 i1 i2 i3 f13", "is(Garey, mean, 603)"),
        ),
        lines="""
fact_4 & fact_8 & rule_3 => fact_i1: scrutinize exists between Garey and Aura.
fact_12 & fact_9 & rule_13 => fact_i2: waive exists between Aura and Lonnie.
fact_10 & fact_1 & fact_2 & rule_7 => fact_i3: Gareys liquid is 52.
fact_i1 & fact_i2 & fact_13 & fact_i3 & rule_1 => fact_i4: Gareys mean is 603.
""",
        given=603,
        process=0.5,
    ),
    8: Case(
        facts={3: "hire(Bradly, Uma)", 4: "is(Bradly, dry, -29)", 9: "is(Bradly, plain, 14)"},
        rules={
            12: "hire(?x, ?y) -> is(?x, conditional, -93*?x[accepting]-25)",
            15: "is(?x, plain, 14) -> is(?x, accepting, 42*?x[dry]+86)",
        },
        query="is(Bradly, conditional, ?)",
        answer=105251,
        gold=(
            ("r15 f9 f4", "is(Bradly, accepting, -1132)"),
            ("r12 f3 i1", "is(Bradly, conditional, 105251)"),
        ),
        lines="""
rule_15 & fact_9 & fact_4 => fact_i1: Bradleys accepting is -1132.
rule_12 & fact_3 & fact_i1 => fact_i2: Bradlys conditional is 105251.
""",
        given=105251,
        process=0.0,
    ),
    9: Case(
        facts={5: "visit(Joscelin, Gus)", 9: "visit(Joscelin, Clementia)"},
        rules={
            1: "unsettle(?x, ?y) -> is(?y, first, ?x[go])",
            2: "visit(?x, ?y) -> is(?x, go, 7)",
            9: "is(?x, busy, 7) -> unsettle(?x, ?x)",
            14: "visit(?x, ?y) -> unsettle(?x, ?y)",
        },
        query="is(Clementia, first, ?)",
        answer=7,
        gold=(
            ("r14 f9", "unsettle(Joscelin, Clementia)"),
            ("r2 f5", "is(Joscelin, go, 7)"),
            ("r1 i1 i2", "is(Clementia, first, 7)"),
        ),
        lines="""
fact_9 & rule_9 => fact_i1: unsettle exists between Clementia and Joscelin.
rule_2 & fact_9 => fact_i2: Joscelins go is 7.
fact_i1 & rule_1 & fact_i2 => fact_i3: Clementias first is 7.
""",
        given=7,
        process=1 / 3,
    ),
}  # fmt: skip
"""Number of the case → the case."""
