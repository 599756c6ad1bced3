r"""What a completion answers: the contract of ``docs/judges.md``.

The last block that has an answer counts, and nothing outside of it. What wraps a block is taken off
here, for all families alike: labels, quotes, fences, brackets of LaTeX, a mapping in JSON or YAML.
What an answer looks like is a family's form, in the family's own file.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, TypeVar

import yaml

from logic_curriculum.rewards.blocks import (
    Parts,
    Unit,
    all_blocks,
    fences_of,
    is_cut_off,
    paragraphs,
    spoken_text,
    tag_pattern,
    tagged,
    with_minus,
)
from logic_curriculum.rewards.engines.fol.tolerant import KEPT, LAYOUT, SPACE

Answer = TypeVar("Answer")
_WHY = {
    "answered": "",
    "ambiguous": "the text gives different answers",
    "truncated": "the text ends before an answer",
    "unreadable": "no answer found",
}
STATUSES = tuple(_WHY)
"""What became of a completion; a verdict has 1.0 as the metric of one of them."""
MAX_BLOCK = 20_000  # longest block that is read, in characters
MAX_READ = 100_000  # of all blocks of a text together, each as often as it is read


class AmbiguousError(ValueError):
    """A block gives different answers."""


class RefusedError(Exception):
    """A block is a mapping that could be read in more than one way, or above the bounds."""


@dataclass(frozen=True)
class Reading(Generic[Answer]):
    """What a completion answers."""

    status: str  # one of STATUSES
    answer: Answer | None = None
    text: str | None = None  # the block that holds the answer, or the first one that holds none
    why: str = field(default="", repr=False)  # no answer, if it says more

    @property
    def explanation(self) -> str:
        """Why there is no answer, in one line."""
        shown = f": {self.text.strip()[:60]!r} is none" if self.text else ""
        return self.why or _WHY[self.status] + (shown if self.status == "unreadable" else "")

    @property
    def metrics(self) -> dict[str, float]:
        """The status as metrics, 1.0 for one and 0.0 for the others."""
        return {name: float(name == self.status) for name in STATUSES}


ANSWERED = Reading("answered").metrics  # the status of a completion that has an answer, as metrics


def read(
    text: str,
    form: Callable[[str], Answer | None],
    tags: Sequence[str] = (),
    parts: Parts = paragraphs,
    keys: Collection[str] = (),
    ending: str = "",
) -> Reading[Answer]:
    r"""Read the answer of a completion.

    ``form`` returns the answer that a block holds, or ``None`` when it holds something else or
    something more, and raises :class:`AmbiguousError` when it holds different ones. ``tags`` are
    the family's own, beside ``<answer>`` and ``<final_answer>``. ``parts`` returns the paragraphs
    between two positions of a text, in their order. With ``keys``, an answer may also stand in a
    mapping, under one of them or ``answer``. A tag that is left open has to end in ``ending``.

    >>> read("So it is 3.\n**Answer:** 4", lambda block: int(block) if block.isdigit() else None)
    Reading(status='answered', answer=4, text='4')
    """
    spoken, is_cut = spoken_text(text)
    tag = tag_pattern(*tags, "answer", "final[_ -]?answer")
    left = MAX_MAPPINGS

    def of_mapping_or_form(block: str) -> Answer | None:
        nonlocal left
        found = None
        if left > 0 and has_key(block, _with_answer(keys)):
            left -= len(block)
            found = read_field(block, keys, of_mapping_or_form)
        return form(block) if found is None else found

    return _last_answer(
        all_blocks(spoken, tag, parts, ending),
        of_mapping_or_form if keys else form,
        lambda: is_cut or is_cut_off(spoken, tag),
    )


def read_tag(text: str, form: Callable[[str], Answer | None], name: str) -> Reading[Answer]:
    """Read the answer in one tag alone; see :func:`read`."""
    spoken, is_cut = spoken_text(text)
    units, end = tagged(spoken, tag_pattern(name))
    return _last_answer(reversed(units), form, lambda: is_cut or end < len(spoken))


def _last_answer(
    blocks: Iterable[Unit], form: Callable[[str], Answer | None], is_cut: Callable[[], bool]
) -> Reading[Answer]:
    """Return the answer of the first of some blocks that has one; else whether the text is cut."""
    form = _within_bounds(form)
    seen: set[str] = set()
    last: Reading[Answer] | None = None  # of a block that is joined to the one before
    tag = ""
    denied: list[Answer | None] = []  # answers right after "not"
    for block in blocks:
        if block.kind == "if" and last is None:
            continue
        found, text = None, block.text
        if not (text in seen or len(text) > MAX_BLOCK or "..." in text or "…" in text):
            seen.add(text)
            found = _in_layers(text, form)
            if found is None and block.kind == "marked":
                found = _before_reason(text, form)
        if block.kind == "denied" and last is None:
            denied += [found.answer] if found and found.status == "answered" else []
            continue
        if found is not None and found.answer not in denied:
            differs = last is not None and found.answer != last.answer
            if differs or (block.is_choice and found.status == "answered"):
                return Reading("ambiguous", text=found.text)
            last = last or found
        if last is not None and not block.is_joined:
            return last
        tag = tag or text if block.kind == "tag" else tag
    return last or (Reading("truncated") if is_cut() else Reading("unreadable", text=tag))


def _within_bounds(form: Callable[[str], Answer | None]) -> Callable[[str], Answer | None]:
    """Return a form that refuses what is left of a text once it has read :data:`MAX_READ`."""
    left = MAX_READ

    def bounded(block: str) -> Answer | None:
        nonlocal left
        left -= len(block)
        if left < 0:
            raise RefusedError
        return form(block)

    return bounded


def _in_layers(block: str, form: Callable[[str], Answer | None]) -> Reading[Answer] | None:
    for layer in _layers(block):
        try:
            answer = form(layer)
        except AmbiguousError:
            return Reading("ambiguous", text=layer)
        except RefusedError:
            return Reading("unreadable", text=layer)
        if answer is not None:
            return Reading("answered", answer, layer)
    return None


# -- an answer with its reason ---------------------------------------------------------------------

_MOST_ENDS = 5  # how many places are tried at which the answer could end
_REST = (
    r"(?:(?:and|but) )?(?:(?:all|no|none|not|each|any) )?(?:of )?(?:the )?"
    r"(?:others?|rest|remaining)\b"
)
_ANSWER_END = re.compile(
    rf"(?i)(?P<stop>[.;:!]|,(?= {_REST})|[ ](?=[—–]|\({_REST}))?[,—–]?[*_`\"”’$]{{0,9}}+"
    r"(?:\s{1,9}+|(?<=[ ])\()(?:(?P<reason>(?:because|since|given|as(?! well)|due to|by|from|via"
    r"|which)(?![^\W_])|(?:fact|rule|int)_\d++)|(?(stop)|(?!)))"
)
_NO_REASON = re.compile(r"(?i)which|(?:fact|rule|int)_\d+")
_CITED = re.compile(
    r"(?i)\b(?:(?:first|second|third|last) )?(?:premise|fact|rule|int)s?"
    r"(?:[ _]\(?\d++\)?(?: and \d++)?)?"
)
_IN_WORDS = re.compile(r"(?:[^\W_]|[\s.,;:!'’\"“”*`—–-]){0,1000}+")
DENIAL = r"(?i:\b(?:not|no|none|never|neither|cannot|false|wrong|incorrect)\b|n['’]t\b)"
_OTHERS_FAIL = re.compile(
    r"(?i)(?:^|[.;:!]\s|\s(?=and\b))[\s*]*+"
    r"(?=[^.;:!]*(?:\bno|n['’]t|\bfalse|contradict|\bfail|countermodel))"
    rf"{_REST}[^.;:!]*+"
)
_HEDGE = re.compile(
    r"(?i)\b(?:or|nor|either|but|however|al?though|unless|otherwise|instead|alternatively|maybe|may"
    r"|perhaps|possibly|might|could|also|too|scratch|correction|sorry|rest|wait|fifth"
    r"|(?:an)?others?|(?:it|this|that) is (?:false|wrong)|actually|first|second|third|last|fourth"
    r"|sixth|former|latter|(?:statement|option)s? (?:one|two)|three|four|five|six)\b"
)


def _before_reason(block: str, form: Callable[[str], Answer | None]) -> Reading[Answer] | None:
    """Return the answer that a block begins with, if what follows is words with no other one."""
    for end in islice(_ANSWER_END.finditer(block), _MOST_ENDS):
        found = _in_layers(block[: end.start()], form)
        if found is not None and found.answer is not None:
            said = _CITED.sub("", block[end.end() :]).rstrip(").*_ ")
            doubts = _OTHERS_FAIL.sub(" ", said)
            if not _IN_WORDS.fullmatch(said) or _HEDGE.search(doubts):
                return None
            if _NO_REASON.fullmatch(end["reason"] or "which") and re.search(DENIAL, doubts):
                return None
            pieces = re.findall(r"\d+|[^\W\d_]+", doubts) + re.split(r"[.,;:!\n]", said)
            others = (_in_layers(piece, form) for piece in pieces)
            is_alone = all(other is None or other.answer == found.answer for other in others)
            return found if is_alone else None
        if found is not None:
            return found
    return None


# -- what stands in a block ------------------------------------------------------------------------

_COMMAND = re.compile(rf"\\(?:{KEPT}|boxed|fbox)\s*+\{{|\\verb\*?+(?=[^\w\s*])")
_PAIRS = (
    *(("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"), ('"', '"'), ("'", "'")),
    *(("“", "”"), ("‘", "’"), ("«", "»"), ("`", "`"), ("__", "__"), ("_", "_")),
    *((f"<{name}>", f"</{name}>") for name in ("b", "strong", "i", "em", "code", "pre")),
)
_NEUTRAL = """
a above among analysis answer answers as assignment based be best by can certificate clause code
conclude conclusion core correct counter-model countermodel deduce exactly expression final first
first-order fol follow follows following for formal formalisation formalization formula get given
have hence here here's however hypothesis i in information interpretation is are it learned logic
logical logically model must my necessarily necessary notation number numbers of on one only
option options order our output predicate program prolog response result rule rules sentence
sentence's simplest situation so solution statement statements strict structure symbolic
symbolisation symbolization that the therefore these this thus translation true value verdict we
which with
"""
NEUTRAL_WORDS = frozenset(_NEUTRAL.split())
"""What a label is made of: words that announce an answer and say nothing about it."""
_LABEL = re.compile(
    r"_{0,2}+[A-Za-z'’-]++(?:[\s*_,()]{1,4}+[A-Za-z][A-Za-z'’-]*+){0,14}+[\s*_)]{0,3}+:(?![-=])"
)
_CELL = re.compile(r"(?:\|(?P<head>[^|\n]*+)\|\s*+)?(?:\|[ :-]++\|\s*+)?\|(?P<cell>[^|\n]++)\|")
_BULLET = re.compile(r"[•+] |- (?!\s*[\d\\])")  # and no minus
_MAX_LAYERS = 10
_AROUND = " \t\n*✅✔✓☑🎉🎯👍"


def is_label(text: str, words: frozenset[str] = frozenset()) -> bool:
    """Return whether a text has only words that announce an answer, or some of a family's."""
    said = re.findall(r"[a-z][a-z'-]*", text.lower().replace("’", "'"))
    return all(word in NEUTRAL_WORDS or word in words for word in said)


def without_label(block: str) -> str | None:
    """Return what follows the label that a block begins with, ``None`` if there is none."""
    label = _LABEL.match(block)
    is_count = label is not None and re.search(r"(?i)number of (?!the)", label[0])
    return block[label.end() :] if label and is_label(label[0]) and not is_count else None


def _layers(block: str) -> Iterator[str]:
    """Yield a block, and what is left of it as what wraps it is taken off."""
    has_label = True
    for _ in range(_MAX_LAYERS):
        block = _unquoted(block.strip(_AROUND)).strip(_AROUND)
        if _BULLET.match(block) and "\n" not in block:
            block = block[2:]
            continue
        fences, end = fences_of(block)
        if len(fences) == 1 and end == len(block) == fences[0].end - fences[0].start:
            block = fences[0].text
            continue
        if (cell := _CELL.fullmatch(block)) and is_label(cell["head"] or ""):
            block = cell["cell"]
            continue
        yield block
        inner = _unwrapped(block) or _unwrapped(block.removesuffix("."))
        if inner is None and has_label:
            inner, has_label = without_label(block), False
        if inner is None:
            return
        block = inner


def _unwrapped(block: str) -> str | None:
    for opening, closing in _PAIRS:
        inside = len(block) - len(closing)
        if len(opening) <= inside and block.startswith(opening) and block.endswith(closing):
            return with_minus(block[len(opening) : inside])
    if command := _COMMAND.match(block):
        if command[0].startswith(r"\verb"):
            return block[command.end() + 1 : -1]
        return with_minus(block[command.end() : -1]) if block.endswith("}") else None
    return None


def _unquoted(block: str) -> str:
    """Return a block without the ``>`` before each of its lines."""
    if not block.startswith(">"):
        return block
    lines = [line.lstrip() for line in block.split("\n")]
    is_quoted = all(line.startswith(">") for line in lines if line)
    return "\n".join(line[1:] for line in lines) if is_quoted else block


# -- mappings --------------------------------------------------------------------------------------

_MAX_DEPTH = 8
_MAX_BRACKETS = 200
MAX_YAML = 5_000  # longest mapping that is read as YAML, in characters
MAX_MAPPINGS = 10_000  # after so many characters of a text no other mapping is looked for
_KEY = re.compile(r"(?:^|[{,])[\s\"'*-]{0,4}([A-Za-z][\w ]{0,30}?)[\"']?\s?:", re.MULTILINE)

_EMPHASIS = re.compile(r"(?<![\w)*])\*{1,3}+(?=[^\s*])|(?<=[^\s*])\*{1,3}+(?![\w(¬~∀∃*])")


def has_key(block: str, keys: Collection[str]) -> bool:
    """Return whether a block has one of some keys before a colon."""
    low = block.replace("_", " ").lower()
    if not any(key.lower() in low for key in keys):
        return False  # most blocks, at little cost
    return any(_key(match[1]) in keys for match in _KEY.finditer(block))


def _with_answer(keys: Collection[str]) -> Collection[str]:
    return (*keys, "answer", "final answer")


def read_mapping(block: str, keys: Collection[str]) -> Mapping[str, Any] | None:
    """Return the mapping that a block is, in JSON or YAML, its keys in lower case.

    Values of YAML are texts, lists and mappings. Returns ``None`` for what is no mapping or has
    none of the keys at any depth; raises a :class:`RefusedError` when a key is given twice, or
    there is an anchor or an alias.

    >>> read_mapping('{"Answer": [3]}', ["answer"])
    {'answer': [3]}
    """
    if not has_key(block, keys):
        return None
    try:
        try:
            found = json.loads(block, object_pairs_hook=_mapping)
        except json.JSONDecodeError:
            if len(block) > MAX_YAML or block.count("[") + block.count("{") > _MAX_BRACKETS:
                return None
            plain = block if "&" in block else _EMPHASIS.sub("", block)  # no alias has an anchor
            found = yaml.load(plain.replace("**", ""), Loader=_Loader)
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        return None
    return found if isinstance(found, dict) and not _is_deep(found) else None


def _is_deep(value: Any) -> bool:
    layer = [value]
    for _ in range(_MAX_DEPTH):
        nested = (item for item in layer if isinstance(item, list | dict))
        layer = [part for i in nested for part in (i.values() if isinstance(i, dict) else i)]
    return bool(layer)


def _mapping(pairs: Iterable[Sequence[Any]]) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for key, value in pairs:
        name = _key(str(key))
        if name in mapping:
            raise RefusedError(f"the key {name!r} is given twice")
        mapping[name] = value
    return mapping


def _key(name: str) -> str:
    """Return a name in lower case; single letters are symbols and keep theirs."""
    name = name.strip()
    is_symbol = len(name) == 1 or name[1:2] == "("
    return name if is_symbol else name.replace("_", " ").lower()


class _Loader(yaml.BaseLoader):
    """Reads scalars as text, also what begins with ``!``, and refuses anchors and aliases."""

    def fetch_tag(self) -> None:
        self.fetch_plain()

    def compose_node(self, parent: Any, index: Any) -> Any:
        if getattr(self.peek_event(), "anchor", None):
            raise RefusedError("an anchor or alias")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        pairs = [[self.construct_object(part, deep=True) for part in pair] for pair in node.value]
        is_set = node.flow_style and not any(value for _, value in pairs)
        return [key for key, _ in pairs] if is_set else _mapping(pairs)


def as_text(value: Any) -> str | None:
    """Return what a field holds as text; ``None`` for a mapping.

    >>> as_text([2, 5]), as_text(True), as_text("none")
    ('2, 5', 'true', 'none')
    """
    if isinstance(value, list):
        if not value:
            return "[]"
        texts = [as_text(item) for item in value]
        return None if None in texts else ", ".join(map(str, texts))
    if isinstance(value, dict):
        return None
    return value if isinstance(value, str) else json.dumps(value)


def read_field(
    block: str, keys: Collection[str], form: Callable[[str], Answer | None]
) -> Answer | None:
    """Return the answer that a mapping gives under ``answer`` or some keys, see :func:`one_of`."""
    keys = _with_answer(keys)
    mapping = read_mapping(block, keys) or {}
    texts = [as_text(mapping[key]) for key in keys if mapping.get(key) is not None]
    return one_of([form(with_minus(text)) for text in texts if text is not None])


def one_of(answers: Iterable[Answer | None]) -> Answer | None:
    """Return the one answer among several readings, ``None`` when one of them is none.

    Raises an :class:`AmbiguousError` when they differ.
    """
    given = list(answers)
    if not given or None in given:
        return None
    if any(answer != given[0] for answer in given):
        raise AmbiguousError("different answers")
    return given[0]


# -- markup ----------------------------------------------------------------------------------------

_CHARACTERS = {
    **dict.fromkeys(map(ord, "“”„«»"), '"'),
    **dict.fromkeys(map(ord, "‘’‚ʼ´"), "'"),
    **dict.fromkeys(map(ord, "−‐‑‒﹣"), "-"),
    **dict.fromkeys(map(ord, "*`")),
}
_GROUP = re.compile(rf"(?:\\(?:{KEPT}|boxed)\s*+|[_^])\{{([^{{}}]*+)\}}")
_FRACTION = re.compile(r"\\[dt]?frac\s*+\{([^{}]*+)\}\s*+\{([^{}]*+)\}")
_LATEX = re.compile(
    r"\\(?P<brace>[{}_#%&$|])|(?P<line>\\\\)"
    r"|(?P<grouped>(?<=\d)(?:\{,\}|\\(?:[,!;:> ]|(?:thin|med)space\s?))(?=\d{3}))"
    rf"|\\(?P<layout>{LAYOUT})|\\(?:{SPACE})"
    r"|\\(?P<word>[A-Za-z]++)|\\[,;:!>()\[\] ]|\$"
)
_WORDS = {
    **dict.fromkeys(("emptyset", "varnothing"), "∅"),
    **dict.fromkeys(("to", "mapsto", "rightarrow"), "→"),
    **{"langle": "⟨", "rangle": "⟩", "neg": "¬", "lnot": "¬", "times": "×", "cdot": "×"},
    **{"coloneqq": ":=", "lbrace": "{", "rbrace": "}", "lbrack": "[", "rbrack": "]", "div": "/"},
}


def without_markup(block: str) -> str:
    r"""Return a block without Markdown's emphasis and without LaTeX.

    >>> without_markup(r"**Jermaine’s** value: $\frac{580}{2} \text{ units}$")
    "Jermaine's value: 580/2  units"
    """
    text = block.translate(_CHARACTERS)
    if "\\" not in text and "$" not in text and "{,}" not in text:
        return text
    if r"\begin{" in text:
        text = text.replace("&", " ")
    for _ in range(3):
        text = _FRACTION.sub(r"\1/\2", _GROUP.sub(r"\1", text))
    return _LATEX.sub(_spelled, text)


def _spelled(command: re.Match[str]) -> str:
    kind = command.lastgroup
    if kind == "word":
        return _WORDS.get(command["word"], command[0])
    if kind == "brace":
        return command["brace"]
    plain = {"grouped": ",", "line": "\n", "layout": ""}
    return plain.get(kind or "", "" if command[0] == "$" else " ")
