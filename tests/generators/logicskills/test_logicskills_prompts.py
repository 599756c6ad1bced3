"""Style ``paper``: the published prompts of LogicSkills come out character by character."""

import re
from hashlib import sha256

import pytest

from logic_curriculum.generators import generate
from logic_curriculum.generators.logicskills import prompts
from logic_curriculum.generators.logicskills.sentences import DOMAIN_AXIOM
from logic_curriculum.rewards import judge_batch

FAMILIES = ("symbolization", "countermodel", "validity")

SENTENCE = (
    "Hazel saw Alfred and not all donkeys kicked Alfred.",
    {"P": "[1] saw [2]", "c": "Hazel", "a": "Alfred", "M": "[1] is a donkey",
     "Q": "[1] kicked [2]"},
)  # fmt: skip
ARGUMENT = (
    [str(DOMAIN_AXIOM), "¬∃x∃y((Mx∧My)∧Pxy)", "(¬∃x(Ox∧Qxc)→Mb)", "(¬∃x(Nx∧Rxc)→∃x(Nx∧¬Rxb))",
     "(∀x(Ox→Rxc)→(Mb→∀x(Nx→Pxc)))", "(Pcc∧∀x(Ox→Rxa))"],
    "Mc",
    [0, 1, 2],
)  # fmt: skip
PRELIMINARY = (
    [str(DOMAIN_AXIOM), "(¬Pcc∧¬∃x(Mx∧Pxc))", "(¬Mb∧¬∃x(Mx∧Pxc))", "(∃x(Mx∧¬Gx)∨∀x(Nx→Pxc))"],
    "(∃x(Mx∧¬Pxc)∧¬¬Pbc)",
    [0, 1, 2, 3, 4],
)
SITUATION = (
    ["Everything is a donkey, or a human, or a monkey (exclusively), "
     "and there's at least one of each.", "Every donkey saw a monkey.",
     "A human saw a human that saw a donkey.", "Hazel saw a human.",
     "Hazel didn't chase Alfred but it is not the case that Lewis saw Alfred.",
     "Every monkey chased Hazel just in case every human chased Hazel."],
    ["Every donkey saw every monkey.", "No donkeys saw a monkey.",
     "There is a donkey that every monkey saw.", "A donkey saw a monkey.",
     "A donkey saw every monkey.", "No donkeys saw every monkey."],
)  # fmt: skip


@pytest.mark.parametrize(
    ("prompt", "digest"),
    [
        (prompts.symbolization_prompt(*SENTENCE, "paper"), "6f673215c9072623540896c025b1a361"),
        (prompts.countermodel_prompt(*ARGUMENT, "paper"), "602f470c5fb06d6ea31d260c045e420a"),
        (prompts.countermodel_prompt(*PRELIMINARY, "paper"), "2257482555966065fb4bd6ac61333953"),
        (prompts.validity_prompt(*SITUATION, "paper"), "8265389e2e3593754c73685cdadd737c"),
    ],
    ids=["item 11131", "item 62d4f6152155aa29", "item 83f72a47b37485b7", "item afbbcb77088f27f3"],
)
def test_a_published_item_has_the_published_prompt(prompt, digest):
    assert sha256(prompt.encode()).hexdigest()[:32] == digest


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("level", [1, 5, 9])
def test_spaced_tasks_are_the_compact_ones_with_letters_apart(family: str, level: int) -> None:
    for seed in range(2):
        compact, spaced = (generate(family, level, seed, style=s) for s in ("compact", "spaced"))
        for name in ("prompt", "solution"):
            texts = [getattr(task, name).replace(" ", "") for task in (compact, spaced)]
            assert texts[0] == texts[1]
        assert spaced.verification == compact.verification
        (verdict,) = judge_batch(family, [spaced.solution], [spaced.verification])
        assert verdict.reward == 1.0
        if family == "countermodel":  # formulas begin after the domain
            formulas = spaced.prompt.partition("]")[2]
        else:
            formulas = spaced.solution if family == "symbolization" else ""
        assert not re.search(r"\w\w|\w[^\s,\w]", formulas.partition("\n")[0])
