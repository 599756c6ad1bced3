"""Answers that try to be paid without being right, or to stall a judge: a table for each target.

Attacks stand on lines, with bars between. In them ``<r>`` is the right answer, ``<w>`` a wrong one,
``<R>`` and ``<W>`` are whole blocks with them, and ``{n*text}`` is a text n times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from typing import NamedTuple


class Target(NamedTuple):
    """A task, answers to it as they stand in a block, and what else a completion says."""

    payload: dict[str, object]
    right: str
    wrong: str
    tag: str = "answer"
    before: str = ""

    def block(self, text: str) -> str:
        """Return a completion that answers with a text."""
        return f"{self.before}<{self.tag}>{text}</{self.tag}>"


_WORLD = {
    "facts": ["is(Tai, calm, 4)", "likes(Tai, Kim)"],
    "rules": [
        *("is(?x, calm, 4) -> is(?x, humid, 10)", "likes(?x, ?y) -> fears(?y, ?x)"),
        *("likes(?x, ?y) -> is(?y, humid, 2*?x[humid]+1)", "fears(?x, ?y) -> likes(?y, ?x)"),
    ],
    "query": "is(Kim, humid, ?)",
    "answer": 21,
    "steps": [{"conclusion": "is(Tai, humid, 10)"}, {"conclusion": "is(Kim, humid, 21)"}],
}
_SYMBOLS = {"O": "[1] is a monkey", "P": "[1] saw [2]", "c": "Hazel", "d": "Lewis"}
_ARGUMENT = {"premises": ["∀x(Fx→∃yRxy)", "Fa"], "conclusion": "∃xRxx", "domain": [0, 1, 2]}
_SAT = {"formulas": ["(v1→v2)", "v1", "¬v3"], "satisfiable": True, "certificate": True}
_CORE = {"formulas": ["(v1→v2)", "v3", "v1", "¬v2"], "satisfiable": False, "certificate": True}
GOLD, MODEL, VALUES = "∀x(Ox→Pxc)", "a=0, F={0}, R={(0,1)}", "v1=true, v2=true, v3=false"
TARGETS = {
    "symbolization": Target({"formula": GOLD, "abbreviations": _SYMBOLS}, GOLD, "∃xOx"),
    "countermodel": Target(_ARGUMENT, MODEL, "a=0, F={0}, R={(0,0)}"),
    "validity": Target({"correct": [4], "options": 6}, "4", "2"),
    "loginum": Target(_WORLD, "21", "9"),
    "sat": Target(_SAT, VALUES, "v1=false", "certificate", "<result>consistent</result>\n"),
    "sat core": Target(_CORE, "1, 3, 4", "1, 2", "certificate", "<result>inconsistent</result>\n"),
}
_IN_A_BLOCK = r"""
<r> or <w>¦<w> or else <r>¦either <w> or <r>¦not <r>¦maybe <r>¦<r> is wrong¦anything but <r>
I reject <r>¦<r>? <w>?¦<r> / <w> / all¦x<r>x¦0eeee<r>¦{"rejected": "<r>"}
{"answer": ["<r>", "<w>", "or"]}¦<r>…¦...<r>¦{"answer": "<w>", "answer": "<r>"}
answer: <w>\nanswer: <r>¦answer: &x <r>\nresult: *x¦<r>\0<w>¦- or <r>
<<: {answer: <r>}\nanswer: <w>¦{"a": {"b": {"answer": "<r>"}}}¦<w>\r<w>\x0b<r>
{99999*[}<r>{99999*]}¦{300*(}<w>{300*)}¦{30000*<r> }x¦{5000*{}<w>¦{3000*\text{}<w>{3000*}}
{100000*9}¦{50000*∀x}¦{9000*- }or <r>¦{2000*{"answer": }1{2000*}}¦{5000*\ud800}¦the opposite of <r>
denied: <r>¦<w>\n<r>\nor
"""
_IN_A_TEXT = r"""
<R>\n<W>¦{300*<w> <R> no: <W> }¦<think><R>¦<R></think>¦<R><think><R></think>
<{9000*answer><}w></answer>¦<!-- <r> --><W>¦```\n<r>\n```\n<W>¦\boxed{<r>} <W>
Answer: <r>\n<W>\nAnswer: <r>¦\0¦{50000*<>}¦{9999*<answer>}¦<R>{9000*\n<W>}¦{9000*<R>\n}<W>
<analysis><R>¦[think]<R>¦◁think▷<R>¦<|channel|>analysis<|message|><R>¦<R/
"""
_BAD = ["3", "-1", "0.5", "1e0", "0x0", "٠", "⁰", "NaN", "∞", "true", "null", "[0]", "b"]
_OWN = {
    "symbolization": r"""
{0*}{1*¬}∀x(Ox→Pxc)¦{99*¬}∀x(Ox→Pxc)¦{100001*¬}∀x(Ox→Pxc)¦{101*(}∀x(Ox→Pxc){101*)}
{99999*(}∀x(Ox→Pxc){99999*)}¦{9999*∀x(Ox→Pxc)∧}Ox¦∀x(Ox→({700*Pxd∧}Pxc))¦∀x(Ox→({9*Pxd↔}Pxc))
∀x(Ox→({40*Pxd↔}Pxc))¦{9*∀x∃y}(Ox→Pyc)¦{40*∀x∃y}(Ox→Pyc)¦{49*∀x∃y}(Ox→Pyc)¦{25000*∀x∃y}(Ox→Pyc)
∀x∃y∀z∃w∀u∃v({9*(Pxy→Pzw)↔}Puv)¦∀x(Ox→P{500*x})¦∀x(Ox=Pxc)¦∃!x(Ox→Pxc)¦⊤¦∀x⊤¦∀x∈O Pxc¦λx.Ox¦Pxc
Ox→Pxc¦∀O(Ox→Pxc)¦∀x(Ox→Pxc→Pxc→Pxd)¦∀x Ox → Pxc¦∀x∀x¦(∀xOx→∀xPxc)¦∀x(Ox→Pcx)¦∃x(Ox∧Pxc)¦∀x(О х)
∃x(Ox→Pxc)¦∀x(Ox∧Pxc)¦∀x(Ox∨Pxc)¦∀x(Ox↔Pxc)¦∀x(Ox←Pxc)¦∀x(Ox→Pxd)¦∀x(Qx→Pxc)¦∀x(Ox→Qxc)¦∀x(Ox→Oxc)
∀x(Px→Pxc)¦∀y(Ox→Pxc)¦∀x(Oc→Pxc)¦∀x(Ox→Pcc)¦∀x(Ox→Pxe)¦∀xOx→Pxc)¦∀x(Ox→Pxc¦∀x∃c(Ox→Pxc)
∀c∀x(Ox→Pxc)¦∀x(Ox→Pxcc)¦∀x(Ox→P)¦∀x(O→Pxc)¦¬¬∃x(Ox∧Pxc)¦∀x¬(Ox→Pxc)¦∀x(¬Ox→Pxc)¦∀x(Ox→¬Pxc)
""",
    "countermodel": r"""
F={0}, R={(0,1)}¦a=0, R={(0,1)}¦a=0, F={0}¦a=b=0¦F(0), ¬F(0), a=0, R(0,1)¦Domain: [0]\n<r>
Domain: {0,1}\n<r>¦Domain: [0,1,2,3]\n<r>¦Domain: []\n<r>¦Domain: ∅\n<r>¦domain={{99999*0,}}, <r>
a=0, F={0}, R={{300000*(0,1),}}¦a=0, F={0}, R=[{1000000*[0,1],}]¦a=0, F={0}, R={1000000*(0,1), }
{"a": 0, "F": [0], "R": [{300000*[0, 1], }[0, 1]]}¦a=0, F={0}, R={4*[}0,1{4*]}
a=0, F={0}, R={900*[}0,1{900*]}¦a=0, F={0}, R={99999*[}0,1{99999*]}¦a=0, F={0}, R={(0,1,2)}
a=0, F={0}, R={0,1}¦a=0, F={0}, R={(0)}¦a=0, F={0}, R={}¦a=0, F={0}, R=all but (0,0)
a=0, F={0}, R=F×F¦a=0, F={0}, R={(x,y): x≠y}¦a=0, F={0}, R={(0,1)}∪{(1,1)}¦<r>, R={(1,2)}
a=0, F={0}, R=not {}¦a=0, F={0}, R={(0,(1,2))}¦a=0, F={0}, R={(0,1),2}
a=0, F={0}, R(x,y)={(0,1),(1,1)}¦a=0, F={0}, R^M={(2,2)}¦a=1, F={}, R={(0,1)}¦a=2, F={1}, R={(1,0)}
a=0, F={0,1}, R={(0,1)}¦a=0, F={0}, R={(1,0)}¦a={{10000*9}}, <r>
""",
    "validity": r"""
④¦⁴¦IV¦４.5¦4.0¦4e0¦0x4¦-4¦+ 4 +¦4%¦1-4¦3…4¦2+2¦√16¦8/2¦{10000*9}¦{10000*4}¦4, {9999*7}¦{9000*4,}5
0¦7¦4, 7¦4, 0¦4, -4¦all¦any¦none, 4¦4, none¦everything but 1, 2, 3, 5, 6¦⟦4⟧¦[[4], [5]]¦{4: 5}¦4=5
none¦[]¦∅¦4 and 4.5
""",
    "loginum": r"""
-21¦--21¦+-21¦±21¦~21¦≈21¦≠21¦<22¦>20¦21!¦21%¦21^1¦21²¦2×10+1¦20+1¦22-1¦7*3¦21.5¦21.0000000001¦21e
2.15e1¦0x15¦0b10101¦XXI¦twenty-one¦㉑¦2 1¦2,1¦2_1¦21 21 22¦20..22¦20-22¦[20, 21]¦21 mod 2¦NaN¦inf
-inf¦∞¦1e999¦1e-999¦1/0¦0/0¦21/0¦21/2¦-42/2¦√441¦21j¦21n¦{5000*21}¦2{9999*1}¦21.{9999*0}1
{100000*9}/1¦1/{9000*9}¦{9000*0}¦9{300*,999}¦Tai's humid is 21¦Kim's calm is 21
Kim's humid isn't 21¦Kim's humid is 21 or 22¦humid(Kim)=21=22¦Kim's humid is 20
rule_3 & fact_2 & int_1 =>> int_1: Kim's humid is 21¦int_1 =>> int_1: Kim's humid is 21¦21 = 21 = 9
9 (really 21)
""",
    "sat": r"""
v1=true, v2=true¦v1=true¦v2=true, v3=false¦¦v1, v2¦1, 2, 3¦1¦{}¦[]¦v1∧v2∧¬v3¦<r>, v4=true
<r>, v1=false¦<r>, x¦<r>, v=true¦<r>, v3=true or v3=false¦{100000*v1=true, }
v1=true, v2=true, v3={9000*not }false¦v{9999*1}=true, <r>¦v1=true, v2=2, v3=false
v1=true, v2=NaN, v3=false¦v1=true, v2=тrue, v3=false¦v1=true, v2=t/f, v3=false
v1=true, v2=10, v3=false¦v1=true, v2=null, v3=false¦v1=true, v2=-1, v3=false
v1=true, v2=1e0, v3=false
""",
    "sat core": r"""
v1=true, v2=true, v3=false¦1-4¦1 to 4¦{1: 3, 4: 1}¦not 2¦1, 3, 4 or 2¦{9000*1, 2, }4
[[1, 3], [4]], 2¦{9999*1}¦1, 3, 4.0¦1, 3, -4¦1, 3, +4¦1, 3, ④¦1, 3, ٤¦1, 3, 0x4¦1, 3, 5¦1, 3, 0
1, 3, 4, 4.5¦1, 3, 4e0¦1, 3, NaN¦1, 3, 1/4
""",
}
_TIMES = re.compile(r"\{(\d+)\*(.*?)\}(?!\})")
_ESCAPE = re.compile(r"\\(?:u\w{4}|x\w\w|[n0r])")


def _listed(table: str, target: Target) -> Iterator[str]:
    blocks = {"R": target.block(target.right), "W": target.block(target.wrong)}
    texts = {"r": target.right, "w": target.wrong, **blocks}
    for attack in re.split("[¦\n]", table.strip("\n")):
        text = _TIMES.sub(lambda m: int(m[1]) * m[2], attack)
        text = _ESCAPE.sub(lambda m: m[0].encode().decode("unicode_escape"), text)
        yield re.sub("<([rwRW])>", lambda m: texts[m[1]], text)


def _made(name: str) -> Iterable[str]:
    """Return what is enumerated: sets of statements, values of variables, odd elements."""
    sizes = {"validity": (2, 3, 6), "sat core": (1, 2, 3, 4)}.get(name, ())
    numbers = range(1, 7 if name == "validity" else 5)
    sets = chain.from_iterable(combinations(numbers, size) for size in sizes)
    found = [", ".join(map(str, some)) for some in sets]
    if name == "sat":
        values = product(("true", "false"), repeat=3)
        found = [", ".join(f"v{n}={v}" for n, v in enumerate(some, 1)) for some in values]
    if name == "countermodel":
        slots = ("a=_, F={0}, R={(0,1)}", "a=0, F={0,_}, R={(0,1)}", "a=0, F={0}, R={(0,_)}")
        found = [slot.replace("_", bad) for slot in slots for bad in _BAD]
    return [text for text in found if text != TARGETS[name].right]


def attacks(name: str) -> list[str]:
    """Return the attacks on a target, each once."""
    target = TARGETS[name]
    inside = chain(_listed(_IN_A_BLOCK + _OWN[name], target), _made(name))
    return list(dict.fromkeys([*map(target.block, inside), *_listed(_IN_A_TEXT, target)]))
