"""Completions in the layouts of models, and what they answer by the contract of docs/judges.md.

Each line of ``answers/<set>/<family>.jsonl`` has a ``completion``, what it ``means`` (the answer,
``null`` or ``"ambiguous"``) and its ``layout``. They were written from the contract alone. The
readers were made to read all of ``first``; the other sets they had not seen.
"""

import json
import re
from pathlib import Path

import pytest
import yaml

from logic_curriculum.rewards.completions import completion_text
from logic_curriculum.rewards.countermodel.answer import read_structure
from logic_curriculum.rewards.engines.fol.syntax import FormulaError
from logic_curriculum.rewards.engines.fol.tolerant import parse_tolerant
from logic_curriculum.rewards.engines.numeric.syntax import Query
from logic_curriculum.rewards.loginum.answer import read_value
from logic_curriculum.rewards.sat import read_certificate, read_verdict
from logic_curriculum.rewards.slr.answer import read_rule
from logic_curriculum.rewards.symbolization import read_formula
from logic_curriculum.rewards.validity import read_labels

TABLES = sorted((Path(__file__).parent / "answers").glob("*/*.jsonl"))
LEAST_SHARE = {"first": 1.0}
OF_OTHERS = 0.95
STATEMENTS = (
    "Every donkey saw every monkey.",
    "No donkeys saw a monkey.",
    "There is a donkey that every monkey saw.",
    "A donkey saw a monkey.",
    "Hazel isn't a monkey.",
    "Hazel is asleep and Alfred isn't asleep.",
)
ARITIES = {"O": 1, "M": 1, "P": 2, "Q": 2}
COMMENT = re.compile(r"/\*.*?\*/|%[^\n]*|^[ \t]*(?:#|//)[^\n]*", re.DOTALL | re.MULTILINE)


def formula(text):
    try:
        return str(parse_tolerant(text, ARITIES))
    except FormulaError:
        return text.strip()


def structure(values):
    """Return a structure in JSON's types, with the elements of each extension sorted."""
    values = json.loads(json.dumps(values))
    return {name: sorted(v) if isinstance(v, list) else v for name, v in values.items()}


FORMS = {
    "slr": (
        lambda text: read_rule(text, "eastbound", "westbound"),
        lambda rule: re.sub(r"\s+", "", COMMENT.sub("", rule)),
    ),
    "symbolization": (lambda text: read_formula(text, {*"OMPQacb"}), formula),
    "countermodel": (lambda text: read_structure(text, "acFGMR", "R"), structure),
    "validity": (lambda text: read_labels(text, STATEMENTS), sorted),
    "loginum": (lambda text: read_value(text, Query("Jermaine", "convulsive")), int),
}
"""Family → what reads the answer of a completion, and what makes answers comparable."""


def answer(family, text):
    """Return what a completion answers: ``None``, ``"ambiguous"`` or a comparable answer."""
    if family == "sat":
        return sat_answer(text)
    read, comparable = FORMS[family]
    reading = read(text)
    if reading.status != "answered":
        return "ambiguous" if reading.status == "ambiguous" else None
    return comparable(reading.answer)


def sat_answer(text):
    verdict = read_verdict(text)
    proof = read_certificate(text, ["v1", "v2", "v3", "v4"], verdict)
    if "ambiguous" in (verdict.status, proof.status if verdict.answer is not None else None):
        return "ambiguous"
    if verdict.answer is None:
        return None
    certificate = proof.answer
    certificate = sorted(certificate) if isinstance(certificate, frozenset) else certificate
    name = "consistent" if verdict.answer else "inconsistent"
    return {"verdict": name, "certificate": certificate}


def meant(family, means):
    return means if family == "sat" or means in (None, "ambiguous") else FORMS[family][1](means)


@pytest.mark.parametrize("table", TABLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_completions_mean_what_the_contract_says(table):
    rows = [json.loads(line) for line in table.read_text(encoding="utf-8").splitlines()]
    wrong = [
        f"{row['layout']}: means {row['means']}, read as {found}"
        for row in rows
        if (found := answer(table.stem, completion_text(row["completion"])))
        != meant(table.stem, row["means"])
    ]
    share = 1 - len(wrong) / len(rows)
    assert share >= LEAST_SHARE.get(table.parent.name, OF_OTHERS), "\n".join(wrong)


def test_every_family_has_sixty_completions_of_the_first_set():
    first = {path.stem: path for path in TABLES if path.parent.name == "first"}
    assert first.keys() == {*FORMS, "sat"}
    assert {len(path.read_text().splitlines()) for path in first.values()} == {60}


KINDS = yaml.safe_load((Path(__file__).parent / "answers" / "kinds.yaml").read_text("utf-8"))
STRUCTURE = "Domain: [0, 1, 2]\na: 0\nc: 1\nF: [0]\nG: [1]\nM: []\nR: [[0, 1]]"


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_answer_is_read_and_each_hedge_is_not(kind):
    wrong = []
    for family, texts in KINDS[kind].items():
        for text, means in [
            *texts.get("accepted", []),
            *((t, None) for t in texts.get("rejected", [])),
        ]:
            found = answer(family, text.replace("{S}", STRUCTURE))
            if means == "S":
                means = answer(family, f"<answer>{STRUCTURE}</answer>")
            is_right = (
                found in (None, "ambiguous") if means is None else found == meant(family, means)
            )
            wrong += [] if is_right else [f"{text!r} means {means}, read as {found}"]
    assert not wrong, "\n".join(wrong)
