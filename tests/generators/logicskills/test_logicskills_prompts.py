"""Style ``paper``: the published prompts of LogicSkills come out character by character."""

import re
from hashlib import sha256
from pathlib import Path

import pytest
from skill_prompts import read_answer, read_structure

from logic_curriculum.generators import generate
from logic_curriculum.generators.logicskills import prompts
from logic_curriculum.generators.logicskills.lexicon import DOMAIN_AXIOM
from logic_curriculum.rewards import judge_batch

FAMILIES = ("symbolization", "countermodel", "validity")
STYLES = ("full", "compact", "paper")

SENTENCE = (
    "Hazel saw Alfred and not all donkeys kicked Alfred.",
    {
        "P": "[1] saw [2]",
        "c": "Hazel",
        "a": "Alfred",
        "M": "[1] is a donkey",
        "Q": "[1] kicked [2]",
    },
)
ARGUMENT = (
    [
        str(DOMAIN_AXIOM),
        "¬∃x∃y((Mx∧My)∧Pxy)",
        "(¬∃x(Ox∧Qxc)→Mb)",
        "(¬∃x(Nx∧Rxc)→∃x(Nx∧¬Rxb))",
        "(∀x(Ox→Rxc)→(Mb→∀x(Nx→Pxc)))",
        "(Pcc∧∀x(Ox→Rxa))",
    ],
    "Mc",
    [0, 1, 2],
)
PRELIMINARY = (
    [str(DOMAIN_AXIOM), "(¬Pcc∧¬∃x(Mx∧Pxc))", "(¬Mb∧¬∃x(Mx∧Pxc))", "(∃x(Mx∧¬Gx)∨∀x(Nx→Pxc))"],
    "(∃x(Mx∧¬Pxc)∧¬¬Pbc)",
    [0, 1, 2, 3, 4],
)
SITUATION = (
    [
        "Everything is a donkey, or a human, or a monkey (exclusively), "
        "and there's at least one of each.",
        "Every donkey saw a monkey.",
        "A human saw a human that saw a donkey.",
        "Hazel saw a human.",
        "Hazel didn't chase Alfred but it is not the case that Lewis saw Alfred.",
        "Every monkey chased Hazel just in case every human chased Hazel.",
    ],
    [
        "Every donkey saw every monkey.",
        "No donkeys saw a monkey.",
        "There is a donkey that every monkey saw.",
        "A donkey saw a monkey.",
        "A donkey saw every monkey.",
        "No donkeys saw every monkey.",
    ],
)


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


def test_the_notice_names_the_authors_and_has_their_licence():
    notice = Path(prompts.__file__).with_name("NOTICE").read_text(encoding="utf-8")
    for needed in ("Brian Rabern, Philipp Mondorf and Barbara Plank", "arXiv:2602.06533"):
        assert needed in notice
        assert needed in prompts.__doc__
    assert "The above copyright notice and this permission notice shall be included" in notice
    assert notice.endswith("\n-- brian rabern, 2026\n")


@pytest.mark.parametrize("level", [1, 2, 3, 7, 10])
def test_the_format_s_values_are_objects_of_the_domain(level):
    task = generate("countermodel", level, 0, style="paper")
    head = task.prompt.partition("\n\nArgument:\n\n")[0].partition('"F"')[2]
    objects = {int(char) for char in head if char.isdigit()}
    assert objects <= set(task.verification["domain"])


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_judge_reads_what_a_style_asks_for(family, style):
    tasks = [generate(family, level, 3, style=style) for level in range(1, 11)]
    verdicts = judge_batch(family, [t.solution for t in tasks], [t.verification for t in tasks])
    assert [verdict.explanation for verdict in verdicts if verdict.reward != 1.0] == []


@pytest.mark.parametrize("level", [1, 5, 10])
def test_an_answer_is_the_same_in_every_style(level):
    for family in ("symbolization", "validity"):
        solutions = {style: generate(family, level, 1, style=style).solution for style in STYLES}
        assert len({read_answer(text, style, family) for style, text in solutions.items()}) == 1
    tasks = {style: generate("countermodel", level, 1, style=style) for style in STYLES}
    domain = tuple(tasks["full"].verification["domain"])
    worlds = [read_structure(task.solution, style, domain) for style, task in tasks.items()]
    assert worlds == [worlds[0]] * len(STYLES)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("family", FAMILIES)
def test_an_echo_of_the_prompt_is_no_right_answer(family, style):
    tasks = [generate(family, level, seed, style=style) for level in (1, 3, 6) for seed in range(4)]
    verdicts = judge_batch(family, [t.prompt for t in tasks], [t.verification for t in tasks])
    assert not any(verdict.solved for verdict in verdicts)


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
