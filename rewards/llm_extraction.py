"""An answer that the parser can't read, written out by a language model, then judged as ever.

For evaluation, where the papers do so (LogicSkills §3 and App. E, LogiNumSynth App. F.2). No
reward function uses it: in training, what can't be read is wrong. The model decides nothing but
what was meant, of the completion alone. It sees neither the task nor its solution, and what it
writes goes through the ordinary parser and judge.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from logic_curriculum.common.files import template
from logic_curriculum.rewards.blocks import without_thoughts
from logic_curriculum.rewards.completions import Completion, as_list, between_last, completion_texts
from logic_curriculum.rewards.judge import ExtractionForm, Verdict, as_mapping
from logic_curriculum.rewards.registry import JUDGES, judge_batch, judge_of

Ask = Callable[[Sequence[str]], Sequence[str | None]]
"""Puts questions to a language model and returns the texts of its answers, in their order; None
where no answer came."""
LONGEST = 20_000
"""Characters of a completion that the model is shown, the last ones, and of what it writes."""
NOTHING = "none"  # what the model writes where a completion states no answer
_WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
_NUMBER_WORDS = dict(zip("12345678", zip(_WORDS, _ORDINALS, strict=True), strict=True))


def judge_with_extractor(
    family: str, completions: Iterable[Completion], verifications: Iterable[Any], ask: Ask
) -> list[Verdict]:
    """Judge completions; of those that can't be read, judge what a language model makes of them.

    Arguments are those of ``judge_batch``. The model is asked about completions with text whose
    verdict has ``syntax`` False, and about those without steps where the judge has a metric
    ``no_steps``. Where the parser did read an answer, it stays.

    Verdicts have a metric ``extracted`` more: 1.0 where the model's extract was judged. ``reward``
    is None where the extractor failed: no answer came, it had no extract in it, or one that can't
    be read or that claims what the completion does not. Where the model says that a completion
    states no answer, its verdict stays. A family without an ``extraction`` is a ValueError.
    """
    form = judge_of(family).extraction
    if form is None:
        having = [name for name, judge in JUDGES.items() if judge.extraction]
        raise ValueError(
            f"family={family!r} has no extractor: those that have one are {', '.join(having)}. "
            "Use judge_batch, whose parser reads what is needed."
        )
    given = completion_texts(completions)
    verifications = as_list("verifications", verifications)
    verdicts = judge_batch(family, given, verifications)
    # The parsers read the end of what a completion says outside of its thoughts.
    texts = [without_thoughts(text)[0].strip()[-LONGEST:] for text in given]
    unread = [place for place, text in enumerate(texts) if text and _is_unread(verdicts[place])]
    prompts = [_prompt(form, texts[place], verifications[place]) for place in unread]
    found = [_with_metric(verdict, 0.0) for verdict in verdicts]
    for place, reply in zip(unread, ask(prompts), strict=True):
        judge = partial(judge_batch, family, verifications=[verifications[place]])
        found[place] = _after(reply, found[place], texts[place], form, judge)
    return found


def _after(
    reply: str | None,
    before: Verdict,
    text: str,
    form: ExtractionForm,
    judge: Callable[[list[str]], list[Verdict]],
) -> Verdict:
    """Return the verdict on a text after a model's reply; ``before`` is that on the text alone."""
    extract = (between_last(reply or "", "<extract>", "</extract>") or "").strip()
    if extract.casefold().strip(".") == NOTHING:
        return before
    if reply is None:
        why = "no answer came"
    elif not 0 < len(extract) <= LONGEST:
        why = "its answer has no extract"
    elif not _is_grounded(form, extract, text):
        why = "its extract claims what the completion does not"
    else:
        completion = f"<answer>{extract}</answer>" if form.in_block else extract
        (after,) = judge([completion])
        if after.answer is not None or after.metrics.get("steps"):
            is_kept = before.syntax and (after.reward is None or after.solved != before.solved)
            return before if is_kept else _with_metric(after, 1.0)
        why = "its extract can't be read"
    return replace(before, solved=False, reward=None, explanation=f"not gradable: {why}")


def _is_unread(verdict: Verdict) -> bool:
    has_gap = not verdict.syntax or verdict.metrics.get("no_steps") == 1.0
    return has_gap and verdict.reward is not None


def _with_metric(verdict: Verdict, extracted: float) -> Verdict:
    return replace(verdict, metrics={**verdict.metrics, "extracted": extracted})


def _is_grounded(form: ExtractionForm, extract: str, text: str) -> bool:
    """Return whether all that an extract claims is in the completion, as far as one can see."""
    numbers = frozenset(re.findall("[0-9]+", re.sub(r"(?<=[0-9]),(?=[0-9])", "", text)))
    words = frozenset(re.findall(r"[a-z]+", text.casefold())) if form.spelled_numbers else ()
    return all(
        claim in numbers
        or (claim in text and not claim.isdigit())
        or any(word in words for word in _NUMBER_WORDS.get(claim, ()))
        for claim in form.claims.findall(extract)
    )


def _prompt(form: ExtractionForm, text: str, verification: Any) -> str:
    hints, layout = form.hints(as_mapping(verification)), form.layout
    asked = template(Path(__file__).parent, "extraction")
    return f"{asked.format(layout=layout, hints=hints, text=text, nothing=NOTHING)}\n"
