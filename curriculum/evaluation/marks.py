"""What a report says of an answer's errors: their categories, and where its texts show them."""

from collections.abc import Iterable

from logic_curriculum.curriculum.evaluation.records import Record
from logic_curriculum.rewards.registry import judge_of

Span = tuple[int, int]
"""Where a part of a text begins and ends, as JavaScript counts: in units of UTF-16."""
TRIES = 30  # How often a passage is sought that is a part of longer words: texts may be hostile
_BEFORE, _AFTER = "\"'*,:;", "\"'*.,:;"  # What a passage may stand beside, and white space


def categories(record: Record) -> tuple[str, ...]:
    """Return what is wrong with an answer; see :meth:`Judge.categories`."""
    if not record.graded:
        return ("not_gradable",)
    return judge_of(record.family).categories(record.verdict)


def marks(record: Record, prompt: str, completion: str) -> dict[str, list[Span]]:
    """Return where the prompt and the completion, as they are shown, hold the verdict's faults.

    What stands in the prompt, such as a false premise, is marked there; of what does not, such as a
    wrong step, the line in the completion. Of several places it is the last one: in a prompt,
    examples that are worked out come before the question.
    """
    faults = record.verdict.faults
    in_prompt = {part: span for part in faults if (span := _last(prompt, part))}
    others = (_last(completion, part) for part in faults if part not in in_prompt)
    return {
        "prompt": _joined(prompt, in_prompt.values()),
        "completion": _joined(completion, [_line(completion, span) for span in others if span]),
    }


def _last(text: str, passage: str) -> Span | None:
    """Return where a text last holds a passage that is no part of a longer word or formula."""
    end = len(text)
    for _ in range(TRIES):
        start = text.rfind(passage, 0, end)
        if start < 0 or not passage:
            break
        end = start + len(passage)
        before, after = text[max(0, start - 1) : start], text[end : end + 1]
        if (before.isspace() or before in _BEFORE) and (after.isspace() or after in _AFTER):
            return start, end
        end -= 1
    return None


def _line(text: str, span: Span) -> Span:
    start, end = text.rfind("\n", 0, span[0]) + 1, text.find("\n", span[1])
    return start, len(text) if end < 0 else end


def _joined(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return spans in their order, those that touch each other or a line's end between as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1] + (text[found[-1][1] : start] == "\n"):
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return [(_units(text[:start]), _units(text[:end])) for start, end in found]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
