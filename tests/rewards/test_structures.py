"""Structures that completions state, in the spellings that models use."""

import time

import pytest

from rewards.structures import extract_structure

PAPER = """Domain: [0, 1, 2]
Constants: "a": 0, "b": 1
Monadic predicates: "M": [0, 2], "N": []
Binary predicates: "P": [[0, 1], [2, 0]]"""
JSON = """```json
{"Domain": [0, 1, 2], "Constants": {"a": 0, "b": 1},
 "Monadic predicates": {"M": [0, 2], "N": []}, "Binary predicates": {"P": [[0, 1], [2, 0]]}}
```"""
PYTHON = "domain = {0, 1, 2}; a = 0; b = 1\nM = {0, 2}\nN = set()\nP = {(0, 1), (2, 0)}"
LATEX = (
    r"\[\boxed{\begin{array}{l} \text{Domain: } \{0,1,2\} \\\\ a = 0,\\ b = 1 \\\\"
    r" M = \{0,2\},\; N = \varnothing \\\\ P = \{\langle 0,1\rangle, \langle 2,0\rangle\}"
    r" \end{array}}\]"
).replace("\\\\", "\\\\")
TABLE = """Domain: [0, 1, 2]

| symbol | value |
|---|---|
| a | 0 |
| b | 1 |
| M | {0, 2} |
| N | ∅ |
| P | {(0,1), (2,0)} |"""
MARKDOWN = """### Domain
- [0, 1, 2]

### Constants
- **a**: 0 (Alfred)
- **b**: 1

### Predicates
- `Mx`: 0, 2
- N: empty set
- P(x, y): (0,1), (2,0)

1. Mx is true if x is 0, and since a is 0, Ma holds. If b = 2, it would not."""
FACTS = "Domain: {0,1,2}\na = 0, b = 1\nM(0), M(2), N(0) = false\nP(0,1), P(2,0), ¬P(1,1)"


@pytest.mark.parametrize("text", [PAPER, JSON, PYTHON, LATEX, TABLE, MARKDOWN, FACTS])
def test_every_spelling_of_a_structure_is_the_same_structure(text):
    found = extract_structure(text, "ab", "MNP")
    assert _numbers(found.domain) == [0, 1, 2]
    assert found.values["a"] == 0
    assert found.values["b"] == 1
    assert _numbers(found.values["M"]) == [0, 2]
    assert _numbers(found.values["N"]) == []
    assert [_numbers(pair) for pair in found.values["P"].items] == [[0, 1], [2, 0]]


def _numbers(listing):
    return list(listing.items)


READ = [
    ("a=0 b=1 M={0} P={(0,1),(2,2)}", "a=0 b=1 M={0} P={(0,1),(2,2)}", "the compact style"),
    ("a = b = 0", "a=0 b=0", "a chain"),
    ("M: [0]\n\nThat fails.\n\nM: [1]", "M=[1]", "the last statement counts"),
    ("M: [0]\n\nLet's adjust M: [1].", "M=[1]", "a revision in prose"),
    ("M: [0]\n\nSince M is [1] there, fine.", "M=[0]", "a list goes before a sentence"),
    ("a: 0. Pxa holds for a = 1.", "a=0", "what is supposed is not stated"),
    ("P: [[0,1]\nM: [0]", "M=[0] P=?", "brackets that never close"),
    ('"M": 0', "M=0", "JSON means what it says"),
    ("<think>M = {1}</think>M = {0}", "M={0}", "thoughts are no answer"),
    ("M: [0]\nP: [0]\nP: [[0,1]]", "M=[0] P=0,[0,1]", "two kinds in one list are kept"),
]


@pytest.mark.parametrize(("text", "stated", "reason"), READ)
def test_assignments_are_read(text, stated, reason):
    assert str(extract_structure(text, "ab", "MNP")) == stated, reason


@pytest.mark.parametrize(
    "domain", ['[0, 1, 2, "x"]', "{d0, d1}", "{0, 1, ...}", "[0, 1, 2.5]", "[0, 1"]
)
def test_a_domain_that_is_no_list_of_numbers_is_not_taken_for_unstated(domain):
    for name in ("Domain: ", '"Domain":', "D = "):
        assert extract_structure(f"{name}{domain}\nM: [0]", "ab", "M").garbled_domain


@pytest.mark.parametrize(
    "text", ["M: [0]", "The domain (of 3 objects).\nM: [0]", "D: [0, x]\nM: [0]\nD: [0, 1]"]
)
def test_a_domain_that_is_unstated_or_restated_is_not_garbled(text):
    assert not extract_structure(text, "ab", "M").garbled_domain


@pytest.mark.parametrize("text", ["", "There is none.", "Mx is true if x is 0", "x = 0", "z: [1]"])
def test_a_text_without_assignments_states_no_structure(text):
    assert extract_structure(text, "ab", "MNP") is None


@pytest.mark.parametrize(
    "piece", ["[", "a=", "a=0 ", "M={", "M(0),", " ", "0", "```\n", "P: [[0,1],"]
)
def test_a_hostile_megabyte_is_read_in_time(piece):
    text = piece * (1_000_000 // len(piece))
    started = time.process_time()
    extract_structure(text, "ab", "MNP")
    assert time.process_time() - started < 10
