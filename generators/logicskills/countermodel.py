"""The family countermodel: show by a structure that an argument is not valid (LogicSkills, §3.1).

The arguments are almost valid: few stored models refute them, and no regular one does, nor one that
is read off the signs of what occurs (:class:`Signs`). Every premise counts: without it, twice as
many stored models refute the argument. And the premises are compatible with the conclusion, so it
is not refuted whatever they say. The countermodel that a task shows has distinct names, and no
object or pair that could be left out.
"""

import itertools
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from logic_curriculum.generators.family import Family, Options, option
from logic_curriculum.generators.logicskills import TIERS, arguments, models, prompts, sentences
from logic_curriculum.generators.logicskills.arguments import Combinations, Composition, PremiseSpec
from logic_curriculum.generators.logicskills.constructions import CANONICAL, LEAF, SHAPES
from logic_curriculum.generators.logicskills.models import Bits, Indices, count_bits
from logic_curriculum.generators.logicskills.polarity import Signs
from logic_curriculum.generators.logicskills.sentences import DOMAIN_AXIOM
from logic_curriculum.generators.seeding import stream
from logic_curriculum.generators.task import Task, digest
from logic_curriculum.rewards.countermodel.judge import CountermodelPayload
from logic_curriculum.rewards.engines.fol import models as fol
from logic_curriculum.rewards.engines.fol.syntax import Binary, Formula, Not, parse, to_ast
from logic_curriculum.rewards.registry import JUDGES


@dataclass(frozen=True)
class Level:
    """What the arguments of one level are."""

    size: int  # objects in the domain
    premises: PremiseSpec  # the premises beside the domain axiom
    max_share: float  # largest share of the stored models of this size that are countermodels

    @property
    def axiom(self) -> bool:
        """Whether the domain axiom is the first premise; it needs at least three objects."""
        return self.size > 2


# Sorts of a sentence's symbols, as sentences.sorts_of writes them: "nbn" is a verb of two names.
_NAMES = ("nm", "nk", "nbn")
_VERBS = ("nm", "nk", "km", "nbn", "kbn", "nbk")
_ANY = (*_VERBS, "kbk")

LEVELS: tuple[Level, ...] = (
    Level(2, PremiseSpec(5, (2, 3), _NAMES, 5, names="ab", binary="P"), 0.005),
    Level(2, PremiseSpec(2, (2, 3), _VERBS, binary="P"), 0.01),
    Level(3, PremiseSpec(2, (2, 3), _VERBS, binary="P"), 0.01),
    Level(3, PremiseSpec(3, (1, 2), _VERBS, binary="P"), 0.008),
    Level(3, PremiseSpec(3, (1, 2, 3), _ANY, 3, binary="P"), 0.005),
    Level(3, PremiseSpec(4, (1, 2), _ANY, 3, binary="PQ"), 0.004),
    Level(4, PremiseSpec(4, (1, 2), _ANY, 3, binary="PQ"), 0.004),
    Level(4, PremiseSpec(4, (1, 2, 3), _ANY, 3, binary="PQ"), 0.003),
    Level(5, PremiseSpec(5, (1, 2, 3), _ANY, 3, binary="PQ"), 0.002),
    Level(5, PremiseSpec(5, (2, 3, 4), _ANY, 3, monadic="FGH", binary="PQ"), 0.0015),
)


PAPER = {n: Level(3, PremiseSpec(n, (1, 2, 3), _ANY, 3, binary="PQ"), 0.015 / n) for n in (3, 4, 5)}
PRESETS = {"paper": SimpleNamespace(configs=PAPER)}
"""Name → levels, which are numbers of premises beside the axiom: the paper has 3 to 5 (section 3),
and the domain [0, 1, 2] (Figure 5)."""

STORED = 4096  # random models of each size; regular ones come after them
NEAR = STORED // models.WORD  # words of their bits
VARIANTS = 16
COMBINATIONS = 192
CONCLUSIONS = 12  # sentences that are tried as conclusions


@dataclass(frozen=True, eq=False)
class Found:
    """An invalid argument."""

    schema: arguments.Schema
    premises: tuple[Formula, ...]
    conclusion: Formula
    countermodels: Indices  # stored models where the premises are true and the conclusion is false


def stored_models(size: int, axiom: bool) -> models.ModelStore:
    """Return the models of one size among which countermodels are found."""
    return models.with_regular_models(models.random_store(((size, STORED),), axiom), axiom)


def search(level: Level, rng: Random, split: str) -> Iterator[Found]:
    """Make one schema and yield its almost valid arguments, if it belongs to the split."""
    stored = stored_models(level.size, level.axiom)
    table = arguments.clause_table(stored)
    about = rng.sample(arguments.link_topics(level.premises, table), 2)
    schema = arguments.draw_schema(level.premises, about, (), table, rng)
    if schema.split(kinds_apart=level.axiom) != split:
        return
    combinations = arguments.combine(schema, table, rng, VARIANTS, COMBINATIONS, NEAR)
    conclusions = _conclusions(about, table, rng)
    denied = ~np.stack([conclusion.bits for conclusion in conclusions])
    together = combinations.near_bits(np.arange(COMBINATIONS))
    refuting = count_bits(together[:, None] & denied[None, :, :NEAR])
    agreeing = count_bits(together)[:, None] - refuting
    rare = (refuting > 0) & (refuting <= level.max_share * STORED) & (agreeing >= refuting)
    rows, columns = np.nonzero(rare)
    counts = _every_premise_counts(combinations, rows, denied[columns], refuting[rows, columns])
    needed = np.flatnonzero(counts).tolist()
    for place in rng.sample(needed, len(needed)):
        row, column = rows[place], columns[place]
        premises = tuple(item.sentence.formula for item in combinations.compositions(row))
        conclusion = conclusions[column].sentence.formula
        refuted = combinations.bits(row) & denied[column]
        if refuted[NEAR:].any() or not set(str(conclusion)) <= set("".join(map(str, premises))):
            continue
        signs, wanted = Signs.of(premises, conclusion), _refuted(premises, conclusion)
        if not signs.are_idle(stored, refuted):
            continue
        if not fol.evaluate(wanted, signs.readings(level.size, level.axiom)).any():
            yield Found(schema, premises, conclusion, models.set_bits(refuted))


def _refuted(premises: Sequence[Formula], conclusion: Formula) -> Formula:
    """Return the formula that is true in the countermodels and nowhere else."""
    return reduce(lambda a, b: Binary("and", a, b), [*premises, Not(conclusion)])


def _conclusions(about: list[str], table: arguments.ClauseTable, rng: Random) -> list[Composition]:
    """Draw conclusions on one or both of two topics."""
    simple = [table.on(topic, alone=True) for topic in about]
    drawn = [Composition(LEAF, (rng.choice(rng.choice(simple)),)) for _ in range(CONCLUSIONS // 2)]
    clauses = [table.on(topic, alone=False) for topic in about]
    for _ in range(CONCLUSIONS - len(drawn)):
        pair = tuple(map(rng.choice, clauses))
        drawn.append(Composition(rng.choice(SHAPES[2]), pair))
    return drawn


def _every_premise_counts(
    combinations: Combinations, rows: Indices, denied: Bits, refuting: npt.NDArray[np.int64]
) -> fol.Bools:
    """Say for which arguments each premise excludes as many models as all together leave."""
    counts = np.ones(len(rows), np.bool_)
    for premise in range(len(combinations.chosen)):
        left = np.flatnonzero(counts)
        others = combinations.near_bits(rows[left], premise) & denied[left, : combinations.near]
        counts[left] = count_bits(others) >= 2 * refuting[left]
    return counts


def sparsest(stored: fol.Models, found: Indices, symbols: Collection[str]) -> int:
    """Return the first of the models that tell most names apart and have least in predicates."""
    names = [values[found] for name, values in stored.constants.items() if name in symbols]
    apart = np.zeros(len(found), np.intp)
    if names:
        apart = (np.diff(np.sort(names, axis=0), axis=0) != 0).sum(axis=0)
    extensions = {**stored.monadic, **stored.binary}
    used = [values[found] for name, values in extensions.items() if name in symbols]
    filled = sum((values.reshape(len(found), -1).sum(axis=1) for values in used), np.intp(0))
    return int(found[np.lexsort((np.broadcast_to(filled, apart.shape), -apart))[0]])


def number_objects(
    structure: fol.Structure, names: Sequence[str], kinds: Sequence[str]
) -> list[int]:
    """Return a new number for each object: those with names first, then kind by kind."""
    sequence = [structure.constants[name] for name in names]
    sequence += [item for kind in kinds for item in sorted(structure.monadic[kind])]
    order = list(dict.fromkeys([*sequence, *structure.domain]))
    return [order.index(item) for item in structure.domain]


def minimal_countermodel(
    structure: fol.Structure, premises: Sequence[Formula], conclusion: Formula, fixed: str
) -> fol.Structure:
    """Return a countermodel without an object or pair that could be left out of a predicate.

    Members go in alphabetic and ascending order, as many at a time as can go together, except those
    of ``fixed`` predicates.
    """
    wanted = _refuted(premises, conclusion)
    while members := _members(structure.as_models, fixed):
        alone = fol.evaluate(wanted, _without(structure.as_models, members, together=False))
        free = list(itertools.compress(members, alone))
        if not free:
            break
        thinned = _without(structure.as_models, free, together=True)
        structure = fol.structure_of(thinned, np.flatnonzero(fol.evaluate(wanted, thinned))[-1])
    return structure


Member = tuple[str, tuple[int, ...]]  # a predicate and an object or pair of which it is true


def _members(model: fol.Models, fixed: str) -> list[Member]:
    return [
        (name, tuple(place))
        for extensions in (model.monadic, model.binary)
        for name in sorted(extensions)
        if name not in fixed
        for place in np.argwhere(extensions[name][0])
    ]


def _without(model: fol.Models, members: Sequence[Member], *, together: bool) -> fol.Models:
    """Return a copy for each member, without it; if ``together``, without those before it, too."""
    count = len(members)
    values = {**model.constants, **model.monadic, **model.binary}
    copies = {name: np.repeat(found, count, axis=0) for name, found in values.items()}
    for number, (name, place) in enumerate(members):
        copies[name][(slice(number, None if together else number + 1), *place)] = False
    sorts = (model.constants, model.monadic, model.binary)
    return fol.Models(model.size, count, *({name: copies[name] for name in s} for s in sorts))


ATTEMPTS = 10_000  # schemas of premises that are tried for one task
_KINDS = CANONICAL.kinds  # what the domain axiom is about; under it, kinds stay kinds


@dataclass(frozen=True)
class CountermodelOptions(Options):
    """No premises of one split occur in another, whatever their symbols and words of logic."""

    style: str = option("full", "style of the prompt", prompts.STYLES)
    preset: str | None = option(None, "paper: the paper's numbers of premises, and its domain")


class CountermodelFamily(Family):
    """Show by a structure that an argument is not valid; the style does not change the argument."""

    name = "countermodel"
    judge = JUDGES["countermodel"]
    tiers = TIERS
    options = CountermodelOptions
    leak_unit = "set of premises"
    configs = LEVELS
    presets = PRESETS
    level_meaning = "a number of premises"
    columns: ClassVar[Mapping[str, str]] = {
        **arguments.ARGUMENT_COLUMNS,
        "conclusion": "formula that does not follow from the premises",
        "argument_ast": "premises and conclusion as trees, as JSON",
        "constants": "names in the argument",
        "monadic": "predicates of one argument in the argument",
        "binary": "predicates of two arguments in the argument",
        "required_domain": "the objects that the structure is to have",
        "example_countermodel": "one structure that solves the task, as JSON",
    }

    def make(self, level: int, seed: int, options: CountermodelOptions) -> Task:
        """Make a task; raise SynthesisError if no argument is found within the limits."""
        preset, row = self.config(level, options.preset)
        rng = stream(self.name, *([preset] if preset else []), level, seed, options.split)
        found = _find(row, level, options.split, rng)
        renaming = sentences.draw_renaming(rng, kinds_apart=row.axiom)
        own = [sentences.rename_formula(premise, renaming) for premise in found.premises]
        conclusion = sentences.rename_formula(found.conclusion, renaming)
        topics = [sentences.rename_text(text, renaming) for text in found.schema.topics]
        premises = [DOMAIN_AXIOM, *own] if row.axiom else own
        symbols = "".join(map(str, [*premises, conclusion]))
        structure = _countermodel(row, found, renaming, symbols)
        fixed = _KINDS if row.axiom else ""
        structure = minimal_countermodel(structure, own, conclusion, fixed)
        payload = CountermodelPayload(tuple(map(str, premises)), str(conclusion), structure.domain)
        return Task(
            family=self.name,
            level=level,
            seed=seed,
            prompt=prompts.countermodel_prompt(
                payload.premises, payload.conclusion, payload.domain, options.style
            ),
            solution=prompts.countermodel_solution(structure, options.style),
            verification=payload.to_dict(),
            metadata={
                "topics": topics,
                "domain": str(DOMAIN_AXIOM) if row.axiom else "",
                "premises": list(map(str, own)),
                "conclusion": str(conclusion),
                "example_countermodel": models.structure_json(structure),
                "countermodel_share": len(found.countermodels) / STORED,
                "constants": sorted(structure.constants),
                "monadic": sorted(structure.monadic),
                "binary": sorted(structure.binary),
                "tier": self.tier(level),
                "split": options.split,
                "style": options.style,
                **({"preset": preset} if preset else {}),
            },
        )

    def fingerprint(self, task: Task) -> str:
        """Return a hash that symbols, order of premises, style and solution do not change."""
        about, size = task.metadata, len(task.verification["domain"])
        axiom = bool(about["domain"])
        text = sentences.canonical_text(about["premises"], [about["conclusion"]], kinds_apart=axiom)
        return digest(f"{size} {axiom} {text}")

    def leak_key(self, task: Task) -> str:
        """Return the topics of the premises, in a text that symbols and order do not change."""
        about = task.metadata
        return sentences.canonical_text(about["topics"], kinds_apart=bool(about["domain"]))

    def published_columns(self, task: Task) -> dict[str, Any]:
        """Return the task under the column names of the published data.

        ``argument_ast`` and ``example_countermodel`` are JSON texts, since their shapes differ from
        row to row. ``domain`` is empty where the argument has no domain axiom.
        """
        about = task.metadata
        formulas = [*about["premises"], about["conclusion"]]
        return {
            "id": self.fingerprint(task),
            "language": "formal",
            **{name: about[name] for name in ("domain", "premises", "conclusion")},
            "argument_ast": json.dumps([to_ast(parse(text)) for text in formulas]),
            **{name: about[name] for name in ("constants", "monadic", "binary")},
            "required_domain": task.verification["domain"],
            "example_countermodel": json.dumps(about["example_countermodel"]),
        }

    def published_sizes(self, level: int, preset: str | None = None) -> dict[str, int]:
        """Return the number of tasks of a level by split; in all, the paper's 100,000 and 300."""
        train, held_out = (33_334, 100) if preset else (10_000, 30)
        return {"train": train, "validation": held_out, "test": held_out}

    def constant_answers(self, level: int, options: Mapping[str, Any]) -> list[str]:
        """Return structures for any argument: the symbols that one lacks are taken from others."""
        # the judge reads all styles; in this one, a word is the value of a symbol
        found = super().constant_answers(level, {**options, "style": "compact"})
        return [_fill_in(found[i:] + found[:i]) for i in range(len(found))]

    def sly_answers(self, task: Task) -> dict[str, str]:
        """Return structures that need no look at the argument."""
        about, domain = task.metadata, task.verification["domain"]
        pairs = [[one, other] for one in domain for other in domain]
        answers = {
            "nothing is true of anything": _uniform_structure(about, domain[0], [], []),
            "everything is true of everything": _uniform_structure(about, domain[0], domain, pairs),
        }
        return {name: f"<answer>{text}</answer>" for name, text in answers.items()}

    def level_settings(self, level: int, preset: str | None) -> Mapping[str, object]:
        """Return the sizes of a level's arguments and domains."""
        row = self.config(level, preset)[1]
        spec, share = row.premises, f"{row.max_share:.2%}"
        sizes = {"premises": spec.premises, "clauses": spec.clauses, "verbs": len(spec.binary)}
        return {"domain": row.size, **sizes, "countermodels, at most": share}


def _uniform_structure(
    about: Mapping[str, Any], named: int, objects: Sequence[int], pairs: Sequence[Sequence[int]]
) -> str:
    """Return, as JSON, a structure that makes no difference between the symbols of a sort."""
    values = {"constants": named, "monadic": objects, "binary": pairs}
    return json.dumps({name: value for sort, value in values.items() for name in about[sort]})


def _find(row: Level, level: int, split: str, rng: Random) -> Found:
    for _ in range(ATTEMPTS):
        for found in search(row, rng, split):
            return found
    raise arguments.SynthesisError(level, split, ATTEMPTS)


def _countermodel(
    row: Level, found: Found, renaming: sentences.Renaming, shown: str
) -> fol.Structure:
    """Return the sparsest stored countermodel, with the symbols that the task shows."""
    used = [old for _, old in sorted((new, old) for old, new in renaming.items() if new in shown)]
    stored = stored_models(row.size, row.axiom)
    structure = stored.structure(sparsest(stored.batches[0], found.countermodels, used))
    names, kinds = ([old for old in used if old in sort] for sort in (CANONICAL.names, _KINDS))
    numbers = number_objects(structure, names, kinds)
    return models.rename_structure(structure, renaming, shown, numbers)


def _fill_in(structures: Sequence[str]) -> str:
    """Return the first structure, with what it does not interpret taken from the next ones."""
    values: dict[str, str] = {}
    for structure in structures:
        for word in structure.split():
            values.setdefault(word.split("=")[0], word)
    return " ".join(values.values())
