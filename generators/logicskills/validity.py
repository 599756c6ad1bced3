"""The family validity: which of six statements must be true in a situation? ("LogicSkills", §3.1).

The six options are chosen first, all of them within reach of one schema's premises, with premises
that make each of them the right one. Those premises are kept that :mod:`.tells` can't tell the
right option from. So the topics of all clauses in their places, and the clauses on the options'
topics, are the same whichever option is right, and the words of logic around them say little.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from random import Random
from typing import Any, ClassVar

import numpy as np

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.logicskills import (
    TIERS,
    arguments,
    models,
    prompts,
    sentences,
    tells,
)
from logic_curriculum.generators.logicskills import validity_options as choosing
from logic_curriculum.generators.logicskills.arguments import Combinations, Composition, PremiseSpec
from logic_curriculum.generators.logicskills.constructions import CANONICAL, LEAF, SHAPES
from logic_curriculum.generators.logicskills.models import Bits
from logic_curriculum.generators.logicskills.sentences import DOMAIN_AXIOM, Renaming, Sentence
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task, digest
from logic_curriculum.rewards.engines.fol.entailment import entails
from logic_curriculum.rewards.registry import JUDGES
from logic_curriculum.rewards.validity import ValidityPayload

_SIMPLE = "simple "
_OPTION_SHAPES = 2  # ways to join clauses that the options of one task are made with


@dataclass(frozen=True)
class Question:
    """What the options may be about, and premises among which such options are found."""

    about: str  # what draw_subject knows; with "simple" in front, no option is a compound
    premises: PremiseSpec


Level = tuple[Question, ...]  # each task draws one; all have the same number of premises


def _level(
    premises: int, *questions: tuple[str, tuple[int, ...], int, tuple[str, tuple[str, ...]]]
) -> Level:
    """Return a level; a question is ``about, clauses, link_count, (binary, links)``."""
    return tuple(
        Question(about, PremiseSpec(premises, clauses, links, link_count, binary=binary))
        for about, clauses, link_count, (binary, links) in questions
    )


_FEW, _MANY, _MOST = (2, 3), (3,), (3, 4)
# Verbs of the premises, and sorts of their symbols, as sentences.sorts_of writes them.
_MONADIC = ("", ("nm", "nk", "km"))
_NAMES = ("P", ("nm", "nk", "km", "nbn", "kbn", "nbk"))
_KINDS = ("P", (*_NAMES[1], "kbk"))
_TWO_VERBS = ("PQ", _KINDS[1])

# fmt: off
LEVELS: tuple[Level, ...] = (
    _level(3, ("three names", _FEW, 1, _MONADIC), ("kind and name", _FEW, 1, _MONADIC)),
    _level(3, ("two names", _FEW, 1, _NAMES), ("kind to name", _FEW, 1, _NAMES)),
    _level(3, ("two by two", _FEW, 2, _MONADIC), ("kind and name", _FEW, 2, _MONADIC)),
    _level(3, ("two names", _FEW, 2, _NAMES), ("kind to name", _FEW, 2, _NAMES)),
    _level(3, ("simple two kinds", _MANY, 0, _KINDS), ("kind and name", _FEW, 2, _KINDS),
           ("kind to name", _FEW, 2, _KINDS)),
    _level(4, ("kind and name", _FEW, 2, _MONADIC), ("two names", _FEW, 2, _NAMES),
           ("kind to name", _FEW, 2, _NAMES)),
    _level(4, ("simple two kinds", _MOST, 1, _KINDS), ("kind and name", _FEW, 2, _KINDS),
           ("kind to name", _FEW, 2, _KINDS)),
    _level(4, ("two kinds", _MANY, 2, _TWO_VERBS), ("kind to name", _MANY, 2, _TWO_VERBS),
           ("kind and name", _MANY, 2, _TWO_VERBS), ("two names", _MANY, 3, _TWO_VERBS)),
    _level(5, ("kind to name", _FEW, 3, _KINDS), ("kind and name", _FEW, 3, _KINDS),
           ("two names", _FEW, 3, _KINDS)),
    _level(5, ("kind to name", _MOST, 3, _TWO_VERBS), ("kind and name", _MOST, 2, _TWO_VERBS),
           ("two names", _MOST, 3, _TWO_VERBS)),
)
# fmt: on


def draw_subject(question: Question, rng: Random) -> tuple[list[str], list[str]]:
    """Draw topics that the premises take up, and topics of options that only stand alone.

    Topics have the same symbols as far as there are enough of them.
    """
    spec = question.premises
    relation = "".join(rng.sample(spec.binary, len(spec.binary)))[:1]
    kind, other_kind, _ = rng.sample(CANONICAL.kinds, 3)
    names = rng.sample(spec.names, len(spec.names))
    monadic = rng.sample(spec.monadic, len(spec.monadic))
    name, other = names[:2]
    match question.about.removeprefix(_SIMPLE):
        case "three names":
            return [item + monadic[0] for item in names], []
        case "two by two":
            return [item + predicate for item in names[:2] for predicate in monadic], []
        case "kind and name":
            return [kind + monadic[0], name + monadic[0], name + kind], []
        case "two names":
            return [name + relation + other, other + relation + name, name + relation + name], []
        case "kind to name":
            third = rng.choice([name + relation + name, name + kind])
            return [kind + relation + name, name + relation + kind, third], []
        case "two kinds":
            both = [kind + relation + other_kind, other_kind + relation + kind]
            return [*both, kind + relation + kind], [topic + relation for topic in both]
    raise ValueError(f"no subject is called {question.about!r}")


def candidates(
    question: Question,
    about: Sequence[str],
    alone: Sequence[str],
    table: arguments.ClauseTable,
    rng: Random,
) -> list[Composition]:
    """Return the sentences that may be options, given what :func:`draw_subject` returned."""
    simple = [item for topic in [*about, *alone] for item in table.on(topic, alone=True)]
    if question.about.startswith(_SIMPLE):
        return [Composition(LEAF, (item,)) for item in simple]
    pairs = [(one, other) for one in about for other in about if one != other]
    if question.about != "three names":
        symbols = set("".join(about))
        pairs = [pair for pair in pairs if set("".join(pair)) == symbols]
        simple = [item for item in simple if set(arguments.topic_of(item.sentence)) == symbols]
    compounds = [
        Composition(shape, (one, other))
        for shape in rng.sample(SHAPES[2], _OPTION_SHAPES)
        for first, second in pairs
        for one in table.on(first, alone=False)
        for other in table.on(second, alone=False)
    ]
    return compounds + [Composition(LEAF, (item,)) for item in simple]


STORED = ((4, 1024), (6, 1024), (3, 4096), (5, 8192), (7, 8192))
"""Size and number of the stored models, in the order of their bits."""
NEAR = 32  # words of bits that settle most questions: the first two batches
VARIANTS = 48
COMBINATIONS = 4096
MOST_CANDIDATES = 48  # sentences among which the options are chosen


@dataclass(frozen=True, eq=False)
class Found:
    """An argument with its options, before it is proven."""

    schema: arguments.Schema
    premises: tuple[Sentence, ...]
    options: tuple[Sentence, ...]
    right: int  # place of the option that follows
    refutations: tuple[int, ...]  # option → a model of the premises where it is false, or -1
    needs: tuple[int, ...]  # premise → a model of the others where the right option is false, or -1


def stored_models() -> models.ModelStore:
    """Return the models of the domain axiom that refute entailments."""
    return models.random_store(STORED, True)


def search(question: Question, rng: Random, *, minimal: bool, split: str) -> Found | None:
    """Make one schema and return an argument with one right option, if it has one that fits.

    The conclusion follows from no single premise and, if ``minimal``, from no proper subset of the
    premises. Schemas of other splits are left.
    """
    table = arguments.clause_table(stored_models())
    about, alone = draw_subject(question, rng)
    schema = arguments.draw_schema(question.premises, about, about, table, rng)
    if schema.split() != split:
        return None
    statements = candidates(question, about, alone, table, rng)
    combinations = arguments.combine(schema, table, rng, VARIANTS, COMBINATIONS, NEAR)
    if len(statements) > MOST_CANDIDATES:
        statements = rng.sample(statements, MOST_CANDIDATES)
    pool = _option_pool(combinations, statements, minimal)
    if pool is None:
        return None
    for chosen in choosing.option_sets(pool, rng):
        drawn = _drawn(combinations, pool, chosen, rng)
        if drawn is not None:
            break
    else:
        return None
    row, right_one = drawn
    premises = combinations.compositions(row)
    order = rng.sample(range(choosing.OPTIONS), choosing.OPTIONS)
    right, numbers = order.index(right_one), [chosen.options[place] for place in order]
    options = [pool.candidates[number] for number in numbers]
    bits, premise_bits = pool.bits[numbers], [item.bits for item in premises]
    near, denied = [item[:NEAR] for item in premise_bits], ~bits[right][:NEAR]
    together = np.bitwise_and.reduce(premise_bits)
    without = [np.bitwise_and.reduce(near[:i] + near[i + 1 :]) for i in range(len(near))]
    return Found(
        schema,
        tuple(item.sentence for item in premises),
        tuple(option.sentence for option in options),
        right,
        tuple(_any_model(together & ~option, rng) for option in bits),
        tuple(_any_model(others & denied, rng) for others in without),
    )


def _drawn(
    combinations: Combinations, pool: choosing.OptionPool, chosen: choosing.OptionSet, rng: Random
) -> tuple[int, int] | None:
    """Draw premises for a set of options, and return the place of the right one, too."""
    right_ones = list(map(choosing.members, chosen.right))
    rows = pool.rows[np.concatenate(right_ones)]
    right = np.repeat(np.arange(len(right_ones)), list(map(len, right_ones)))
    options = [pool.candidates[number] for number in chosen.options]
    shares = tells.shares_of(combinations.variants, combinations.chosen[:, rows], options)
    kept = tells.kept(shares, right, np.array([rng.random() for _ in rows]))
    for one in rng.sample(kept.tolist(), len(kept)):
        row, place = int(rows[one]), int(right[one])
        if not models.any_bit(combinations.bits(row) & ~pool.bits[chosen.options[place]]):
            return row, place
    return None


def _option_pool(
    combinations: Combinations, statements: Sequence[Composition], minimal: bool
) -> choosing.OptionPool | None:
    """Return those of the statements that may be options, if they are enough."""
    found = arguments.find_entailments(combinations, statements, minimal)
    if len(found.columns) < choosing.OPTIONS:
        return None
    within = [statements[column] for column in found.columns.tolist()]
    bits = np.stack([sentence.bits for sentence in within])
    follows, joint = map(choosing.bitsets, (found.follows, found.joint))
    return choosing.OptionPool(within, bits, found.rows, follows, joint)


def _any_model(bits: Bits, rng: Random) -> int:  # -1 if there is none
    found = models.set_bits(bits)
    return int(found[rng.randrange(len(found))]) if len(found) else -1


ATTEMPTS = 20_000  # schemas of premises that are tried for one task
PROOF_BUDGET = 2_000_000  # Z3 resource units for one proof, enough for all but a few
_AXIOM = str(DOMAIN_AXIOM)


@dataclass(frozen=True)
class ValidityOptions(Options):
    """Options of the family's tasks.

    No premises of one split occur in another, not even with other symbols or other words of logic.
    If the conclusion need not depend on every premise, it only does not follow from a single one,
    which is closer to the paper's own rule.
    """

    language: str = option("english", "words of the sentences", sentences.LANGUAGES)
    style: str = option("full", "style of the prompt", prompts.STYLES)
    minimal: bool = option(True, "whether the conclusion needs every premise")


class ValidityFamily(Family):
    """Tell which of six statements must be true; language and style do not change the argument."""

    name = "validity"
    judge = JUDGES["validity"]
    tiers = TIERS
    options = ValidityOptions
    leak_unit = "set of premises"
    columns: ClassVar[Mapping[str, str]] = {
        **arguments.ARGUMENT_COLUMNS,
        "premise_sentences": "the premises as the prompt says them",
        "options": "formulas of the candidate conclusions",
        "option_sentences": "the candidate conclusions as the prompt says them",
        "option_types": "sentence types of the candidate conclusions",
        "label": "the right answer",
        "z3_entailed": "whether each candidate conclusion follows",
    }

    def make(self, level: int, seed: int, options: ValidityOptions) -> Task:
        """Make a task; raise SynthesisError if no argument is found within the limits."""
        lexicon = sentences.task_lexicon(options.language, level, seed, options.split)
        rng = stream(self.name, level, seed, options.split, int(options.minimal))
        found, renaming = _find(level, options.split, options.minimal, rng)
        premises = [sentences.rename_sentence(premise, renaming) for premise in found.premises]
        candidates = [sentences.rename_sentence(candidate, renaming) for candidate in found.options]
        shown = "".join(str(item.formula) for item in [*premises, *candidates]) + _AXIOM
        # The structures of other options make the premises true and the option false; those of
        # premises make the others true and the conclusion false.
        refutations = _structures(found.refutations, renaming, shown, rng)
        needs = _structures(found.needs, renaming, shown, rng)
        situation = [sentences.realize(premise, lexicon) for premise in premises]
        statements = [sentences.realize(candidate, lexicon) for candidate in candidates]
        label = found.right + 1
        payload = ValidityPayload(frozenset([label]), len(statements), tuple(statements))
        return Task(
            family=self.name,
            level=level,
            seed=seed,
            prompt=prompts.validity_prompt(
                [lexicon.domain_axiom, *situation], statements, options.style
            ),
            solution=prompts.validity_solution(label, options.style),
            verification=payload.to_dict(),
            metadata={
                "domain": _AXIOM,
                "topics": [sentences.rename_text(text, renaming) for text in found.schema.topics],
                "premises": [str(premise.formula) for premise in premises],
                "premise_sentences": situation,
                "premise_types": [premise.type for premise in premises],
                "options": [str(candidate.formula) for candidate in candidates],
                "option_sentences": statements,
                "option_types": [candidate.type for candidate in candidates],
                "refutations": refutations,
                "needs": needs,
                "language": lexicon.name,
                "tier": self.tier(level),
                "split": options.split,
                "style": options.style,
            },
        )

    def fingerprint(self, task: Task) -> str:
        """Return a hash that symbols, order of premises, language and style do not change."""
        about = task.metadata
        text = sentences.canonical_text(about["premises"], [*about["options"], str(_right(task))])
        return digest(text)

    def leak_key(self, task: Task) -> str:
        """Return the topics of the premises; it equals a countermodel task's with such premises."""
        return sentences.canonical_text(task.metadata["topics"])

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of the published data."""
        about, right = task.metadata, _right(task)
        return {
            "id": self.fingerprint(task),
            **{name: about[name] for name in self.columns if name in about},
            "label": str(right),
            "z3_entailed": [number == right for number in range(1, len(about["options"]) + 1)],
        }

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        """Return the number of tasks of a level by split; in all, the paper's 600 to test."""
        return {"train": 1_000, "validation": 20, "test": 60}

    def constant_answers(self, level: int, options: Mapping[str, Any]) -> list[str]:
        """Return the number of each option."""
        return [str(number) for number in range(1, choosing.OPTIONS + 1)]

    def sly_answers(self, task: Task) -> dict[str, str]:
        """Return answers that hold the right option, or none at all."""
        every, right = range(1, choosing.OPTIONS + 1), _right(task)
        answers = {
            "every option": ", ".join(map(str, every)),
            "the right option or another": f"{right} or {right % choosing.OPTIONS + 1}",
            "none of them": "none",
        }
        return {name: f"<answer>{text}</answer>" for name, text in answers.items()}

    def level_settings(self, level: int, preset: str | None) -> Mapping[str, object]:
        """Return a level's number of premises, and what its options may be about."""
        questions = LEVELS[level - 1]
        about = ", ".join(question.about for question in questions)
        return {"premises": questions[0].premises.premises, "options about": about}

    def versions(self) -> dict[str, str]:
        """Return the version of the prover: which arguments it gives up on may depend on it."""
        return {"z3-solver": version("z3-solver")}


def _find(level: int, split: str, minimal: bool, rng: Random) -> tuple[Found, Renaming]:
    for _ in range(ATTEMPTS):
        renaming = sentences.draw_renaming(rng)
        question = rng.choice(LEVELS[level - 1])
        found = search(question, rng, minimal=minimal, split=split)
        if found is None:
            continue
        premises = [premise.formula for premise in found.premises]
        conclusion = found.options[found.right].formula
        # What is not proven is given up with its schema: to try others of the same answer would
        # favour answers that many premises entail.
        if entails([DOMAIN_AXIOM, *premises], conclusion, rlimit=PROOF_BUDGET):
            return found, renaming
    raise arguments.SynthesisError(level, split, ATTEMPTS)


def _structures(
    numbers: Sequence[int], renaming: Renaming, symbols: str, rng: Random
) -> dict[str, dict[str, Any]]:
    """Return stored models by number, as structures for some symbols, their objects shuffled."""
    structures = {}
    for number, model in enumerate(numbers, start=1):
        if model >= 0:
            structure = stored_models().structure(model)
            objects = rng.sample(structure.domain, len(structure.domain))
            renamed = models.rename_structure(structure, renaming, symbols, objects)
            structures[str(number)] = models.structure_json(renamed)
    return structures


def _right(task: Task) -> int:
    """Return the number of the option that must be true."""
    return int(task.verification["correct"][0])
