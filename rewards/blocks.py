r"""Which parts of a completion may hold its answer: ``docs/judges.md``, where it stands.

What a model thinks is left out, and what is left is cut into blocks. Completions are hostile: every
function here, in ``answers.py`` and in the families' forms of answers takes time linear in the
length of its input.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Literal, NamedTuple

MAX_TEXT = 100_000  # how much of a text is read, in characters from its end

_THOUGHT = r"(?:think(?:ing)?|thoughts?|reasoning|analysis|scratchpad|reflection|\w{2,12}[:_]think)"
_CLOSES_THOUGHT = re.compile(
    rf"[<\[]\s?/\s?{_THOUGHT}\s?[>\]]|◁/think▷|<\|(?:end_of_thought|end_thinking|/think)\|>"
    r"|<\|channel\|>\s?final\b[^<\n]{0,40}(?:<\|message\|>)?|<channel\|>"
    r"|assistantfinal",  # the same marks, as decoders that skip special tokens leave them
    re.IGNORECASE,
)
_OPENS_THOUGHT = re.compile(
    rf"<\s?{_THOUGHT}\s?>|\[\s?think(?:ing)?\s?\]|◁think▷"
    r"|<\|(?:begin_of_thought|start_thinking|think)\|>|<\|channel>\s?thought"
    r"|<\|channel\|>\s?(?:analysis|commentary)\b[^<\n]{0,40}(?:<\|message\|>)?|(?-i:\Aanalysis(?=[A-Z]))",
    re.IGNORECASE,
)
_MAY_THINK = re.compile(
    r"[<◁]|\[\s?/?\s?(?:th|rea|ref|ana|scr|\w+[:_])|assistantfinal|\Aanalysis", re.IGNORECASE
)
_TURN_ENDS = re.compile(r"(?:<(?:\|[A-Za-z_▁]{2,20}\||/s|end_of_turn|eos)>\s{0,3}){1,5}\Z")
_IN_NUMBER = re.compile(r"[\u2004-\u200a\u202f\u205f](?<=\d.)(?=\d{3}(?!\d))")
_PLAIN = {
    **dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060\u00ad\ufe0f\r")),
    **dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " "),
    **{0xFEE0 + code: chr(code) for code in range(ord("!"), ord("~") + 1)},  # full-width signs
    **{ord("、"): ",", ord("。"): "."},
}
_BOX = {"<|begin_of_box|>": r"\boxed{", "<|end_of_box|>": "}", "\b": r"\b"}  # as JSON reads it
_WRITTEN = {"&lt;": "<", "&gt;": ">", **_BOX}
_BARE_BOX = re.compile(r"(?:(?<!\\)\\\\|(?<![\w\\]))(?=boxed\s*+\{)")  # or as JSON writes it


def opens_thought(prompt: str) -> bool:
    """Return whether a prompt ends with an opening thought mark, so that the completion thinks.

    >>> opens_thought("Is it red?<think>\\n"), opens_thought("Is it <think> red?")
    (True, False)
    """
    end = prompt[-100:].rstrip()
    return any(mark.end() == len(end) for mark in _OPENS_THOUGHT.finditer(end))


def without_thoughts(text: str) -> tuple[str, bool]:
    """Return a text without its thoughts, and whether it ends within one.

    A thought ends at the last closing mark, or begins at an opening mark that is never closed.

    >>> without_thoughts("red?</think>blue")
    ('blue', False)
    >>> without_thoughts("red<think>or blue?")
    ('red', True)
    """
    if not _MAY_THINK.search(text):
        return text, False
    start = max((mark.end() for mark in _CLOSES_THOUGHT.finditer(text)), default=0)
    opened = _OPENS_THOUGHT.search(text, start)
    return text[start : opened.start() if opened else None], opened is not None


def plain_signs(text: str) -> str:
    """Return a text with plain spaces, letters and signs, without what can't be seen."""
    return text if text.isascii() and "\r" not in text else text.translate(_PLAIN)


def plain_text(text: str) -> str:
    """Return a text with plain signs and spaces, also in numbers, and plain brackets and boxes."""
    text = plain_signs(_IN_NUMBER.sub(",", text))
    for written, meant in _WRITTEN.items():
        text = text.replace(written, meant)
    return _BARE_BOX.sub(r"\\", text) if "boxed" in text else text


def spoken_text(text: str) -> tuple[str, bool]:
    """Return the end of a text without thoughts and marks, and whether it ends in a thought."""
    spoken, is_cut = without_thoughts(plain_text(text))
    spoken = spoken[-MAX_TEXT:]
    ends = _TURN_ENDS.search(spoken, max(0, len(spoken) - 150))
    return spoken[: ends.start() if ends else None], is_cut


Kind = Literal["tag", "box", "marked", "fence", "paragraph", "prose", "denied", "if"]


class Unit(NamedTuple):
    """What may hold an answer, and where it stands.

    Prose, such as a heading, is a paragraph that holds an answer only behind a marker. What is
    denied ("not 3") holds none; neither does what is denied in a condition ("if it were not 3").
    """

    start: int
    end: int
    text: str
    kind: Kind = "paragraph"
    is_choice: bool = False  # "or" joins it to something else
    is_joined: bool = False  # "and", "or" or a comma joins it to the block before


Parts = Callable[[str, int, int], Iterable[Unit]]
_MARKUP = " \t\n*`"
_BRACE = re.compile(r"\\(?:boxed|fbox)\s*+(?P<box>\{)|\\.|[{}]", re.DOTALL)
_FENCE = re.compile(
    r"(?P<starts>^[ \t>]*+(?:[-*•] |\d{1,2}[.)] )?)?(?:`{3,}+|(?<=\n)~{3,}+|(?<![^\n])~{3,}+)"
    r"|(?P<inline>(?<!`)```(?!`)[^`\n]++```(?!`))",
    re.MULTILINE,
)
_INFO = re.compile(r"[ \t]*+[\w+#.-]*+(?:[ \t][^\n(:%]*+)?\n|[ \t]*+(?:prolog|json|yaml|text)\b")
_BLANK = re.compile(r"\n(?:[ \t>]*+\n)++")
_HEADING = re.compile(r"[\s>]*#{1,6}[ \t][^\n]*\n?")
_ITEM = re.compile(r"[ \t>]*+[*_#]*+[ \t]*+(?:[-*+•][ \t]|\(?\d{1,2}[.)])")
_THAT = (
    r"(?:\s(?:that|which)(?:\s(?:must|necessarily|has|have|to|be|is|are|true|valid|follows?|holds?"
    r"|entailed|guaranteed|correct|in\sthis\s(?:situation|case))){1,6})?"
)
_WHICH = r"(?:final|correct|right|corrected|revised|updated|new|actual)"
_TO_WHAT = r"(?:[ \t]to[ \t]the[ \t](?:query|question))?"
_MARKER = re.compile(
    r"^(?:>[ \t]*+)*+(?:[^\w\n\"'<>\[\]{}/]|_){0,16}(?:\\text(?:bf|it)?\{)?"
    rf"(?:\d{{1,2}}[.)][ \t*_]{{1,4}})?(?:(?:the|my|our)[ \t])?(?:{_WHICH}[ \t])*"
    rf"ans(?:wers?)?(?![^\W_]|[-'’]){_TO_WHAT}(?:[ \t]is(?![^\W_]))?"
    rf"|(?<![^\W_])the\s(?:(?:(?:{_WHICH}|only|single)\s)*answer{_TO_WHAT}"
    r"|(?:(?:final|correct|right|only|single)\s)*(?:(?:option|choice|one)s?"
    r"|statements?(?=\s(?:that|which))|(?<=(?:only|rect|ight)\s)statements?))"
    rf"{_THAT}\s(?:is|are)(?![^\W_])"
    r"|^[ \t]*+(?P<hashes>####(?!\#))",
    re.IGNORECASE | re.MULTILINE,
)
_AFTER_MARKER = re.compile(
    r"[*_`}\"]*+[ \t]*+(?:\([^()\n]{0,60}\)[*_` \t]*+(?=[:：]))?"  # a remark
    r"(?:[:：=→]|[–—](?=[ \t])|-(?=[ \t]++[^\d\\]))?+(?:[*_`]++(?=[ \t\n]|\Z))?"
)
_DOUBT = re.compile(  # in a sentence before its marker
    r"(?i:(?<![^\W_])(?:none|neither|unless|suppose|if (?:i|we|you|one|it|forced))\b[^.!?\n]*+\Z"
    r"|(?:(?:n['’]t|(?<![^\W_])(?:not|never))\s(?:[a-z]+\s){0,2}?(?:think|believe|say|claim|agree|true"
    r"|certain|sure|so(?=\sthat)|as(?=\s(?:if|th)))|(?<![^\W_])(?:false(?=\sthat)|i\sdoubt|check(?=\sif)|whether|perhaps|maybe|negation\sof"
    r"|(?:might|may|could)\s(?:be|think|say|seem)"
    r"|(?<!even\s)if\s(?:so|not|(?:this|that)(?:\s[a-z]+){1,3}),?))(?:\s(?:that|if|though))?\s*\Z)"
)
_OPENS_DISPLAY = ("$$", r"\[")
_OR_BEFORE = re.compile(
    r"(?i)(?:(?<![^\W_])(?:or|alternatively|otherwise|lor|vee)(?:[\W_]++(?:else|maybe|perhaps|possibly))?+"
    r"[\W_]*+|[}>$] ?/ ?\$?)\Z"
)
_NOT_BEFORE = re.compile(
    r"(?i)(?:(?<!\bor\s)(?:(?<!\bdo\s)(?<!\bdoes\s)(?<![^\W_])(?:not|never|cannot)"
    r"|\b(?:is|are|was|were|ca)n['’]t|(?:\bnot|n['’]t)\s(?:be|equal))"
    r"|\b(?:neither|nor|rather than|instead of)|(?<![是道])不是|≠|!=|\\neq?(?![a-z]))"
    r"(?:[ \t](?:be|equal|to|the|correct|final|right|actually|really|simply|statement|option|number"
    r"|value|answer))*[ \t$*`~_({\[\\\"“#]*\Z"
)
_IF = re.compile(  # and what else denies a denial
    r"(?i)(?:(?<![^\W_])(?:if|unless|suppos(?:e|ing)|assum(?:e|ing)|impossible|no way|nothing|why)"
    r"(?![^\W_])[^.!?,;:\n]*+|\bwere\s(?:it|this|that|they|the\s\w+)\s|(?:如果|假如|假设|若|要)[^。,，!?\n]{0,20})\Z"
)
_OR_BEHIND = re.compile(r"(?:(?!\n\s*\n)[^\w.!?])*+or(?![^\W_])", re.IGNORECASE)
_GOES_ON = re.compile(
    r"(?:[^\s\w.!)\]}'\"*`$⟩⊤⊥∅]|(?<=\s)\*|(?<![^\W_])(?:and|or|not|is))[\s*`~$]*+\Z", re.IGNORECASE
)
_GAP = r"(?:[\s$*`~_}]|\\(?:[()\[\],;:! ]|q?quad\b|(?:text|mbox)\s*\{))*+"
_JOINT = re.compile(
    rf"(?i){_GAP}(?:[,;]{_GAP})?(?:(?:(?:or|else|alternatively|otherwise|\\lor|\\vee)\b|∨)[^.!?]*+"
    rf"|(?:(?:[,;&∧]|\\(?:&|land\b|wedge\b)|(?:and|also|plus|as well as)\b){_GAP})++)\Z"
)
_NEAR = 60  # how far from a block "or" and "not" are looked for, in characters
_RULED_LINE = re.compile(r"[ \t]*+(?:[-=*_][ \t]*+){3,}+(?=\n|\Z)")


@lru_cache(maxsize=32)
def tag_pattern(*tags: str) -> re.Pattern[str]:
    """Return a pattern for tags, opening or closing, perhaps with attributes."""
    names = "|".join(tags)
    attributes = r"(?:\s{1,9}\w[^<>\[\]\n=]{0,40}=[^<>\[\]\n]{0,99})?"
    mark = rf"\\?[<\[]\s?(?P<closes>\\?/|\\|)\s?(?:{names}){attributes}\s?\\?[>\]]"
    return re.compile(mark, re.IGNORECASE)


def tagged(text: str, tag: re.Pattern[str], ending: str = "") -> tuple[list[Unit], int]:
    """Return what is between tags, and where an unclosed tag is, or else the text's end.

    Any closing tag closes one. The end of the text closes the last, as where a stop string was cut
    off, unless what it holds continues: a bracket is open, its last sign or word joins it to
    something, or it lacks its ``ending``.
    """
    units: list[Unit] = []
    opened: re.Match[str] | None = None
    first = len(text)
    for found in tag.finditer(text):
        if not found["closes"]:
            first = found.start() if opened is None else first
            opened = found
        elif opened:
            inside = text[opened.end() : found.start()]
            units.append(Unit(opened.start(), found.end(), inside, "tag"))
            opened = None
    if opened is None:
        return units, len(text)
    inside = text[opened.end() :].rstrip()
    bare = inside.rstrip(_MARKUP + "~")
    is_whole = bare.endswith(ending) and not _GOES_ON.search(inside, max(0, len(inside) - 30))
    if is_whole and all(inside.count(a) == inside.count(b) for a, b in ("()", "[]", "{}")):
        units.append(Unit(opened.start(), len(text), inside, "tag"))
    return units, first


def _boxed(text: str) -> tuple[list[Unit], bool]:
    """Return the texts in boxes that hold no other box, and whether one is never closed."""
    if "box" not in text:
        return [], False
    units: list[Unit] = []
    opened: list[re.Match[str] | None] = []
    innermost: re.Match[str] | None = None
    for brace in _BRACE.finditer(text):
        if brace["box"]:
            innermost = brace
            opened.append(innermost)
        elif brace[0] == "{":
            opened.append(None)
        elif brace[0] == "}" and opened:
            start = opened.pop()
            if start and start is innermost:
                inside = with_minus(text[start.end() : brace.start()])
                if _MINUS_BEFORE.search(text, max(0, start.start() - 10), start.start()):
                    inside = f"-{inside}"
                units.append(Unit(start.start(), brace.end(), inside, "box"))
                innermost = None
    return units, innermost is not None


def fences_of(text: str) -> tuple[list[Unit], int]:
    """Return the fenced blocks, and where the text ends or a fence that is never closed."""
    if "```" not in text and "~~~" not in text:
        return [], len(text)
    fences: list[Unit] = []
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(text):
        if opened is None:
            opened = mark if mark["starts"] is not None else None
        elif mark[0].strip(" \t>").startswith(opened[0].strip(" \t>")):
            info = _INFO.match(text, opened.end(), mark.start())
            content = text[info.end() if info else opened.end() : mark.start()]
            fences.append(Unit(opened.start(), mark.end(), content, "fence"))
            opened = None
    return fences, opened.start() if opened else len(text)


def paragraphs(text: str, start: int, end: int) -> list[Unit]:
    """Return the paragraphs between two positions; items of one list are one paragraph."""
    units: list[Unit] = []
    while start < end:
        heading = _HEADING.match(text, start, end)
        blank = None if heading else _BLANK.search(text, start, end)
        stop = heading.end() if heading else blank.start() if blank else end
        paragraph = text[start:stop]
        if heading:
            units.append(Unit(start, stop, paragraph, "prose"))
        elif units and _ITEM.match(paragraph) and _ITEM.match(units[-1].text):
            units[-1] = Unit(units[-1].start, stop, f"{units[-1].text}\n{paragraph}")
        elif paragraph.strip(_MARKUP) and not _RULED_LINE.fullmatch(paragraph.strip("\n")):
            units.append(Unit(start, stop, paragraph))
        start = blank.end() if blank else stop
    return units


def _units(text: str, fences: Sequence[Unit], parts: Parts) -> list[Unit]:
    """Return fences, and paragraphs without and within them, in their order."""
    units: list[Unit] = []
    position = 0
    for fence in fences:
        inside = text.index(fence.text, fence.start)
        its = [*parts(text, inside, inside + len(fence.text))]
        is_denied = any(unit.kind == "denied" for unit in its)
        units += parts(text, position, fence.start)
        units += [*([] if is_denied else [fence]), *its]
        position = fence.end
    return [*units, *parts(text, position, len(text))]


def _marked(text: str, units: Sequence[Unit]) -> Iterator[Unit]:
    """Yield the values of answer markers, from the last to the first."""
    starts = [unit.start for unit in units]
    later, used = len(text) + 1, -1
    for marker in reversed(list(_MARKER.finditer(text))):
        end = text.find("\n", marker.end())
        end = line_end = len(text) if end < 0 else end
        if end >= later:
            continue  # a line's last marker is the one that has a value
        rest = _AFTER_MARKER.match(text, marker.end(), end)
        begin = rest.end() if rest else marker.end()
        index = bisect_right(starts, marker.start()) - 1
        if _announces(text[begin:end]) and index >= 0:
            begin = begin if text[begin:end].strip() in _OPENS_DISPLAY else end
            end = max(begin, min(units[index].end, later))
        later = text.rfind("\n", 0, marker.start()) + 1
        value = text[begin:end]
        if _announces(value):
            index += 1
            if index == used:
                continue  # a unit is the value of one marker
            used = index
            value, end = (units[index].text, units[index].end) if index < len(units) else ("", end)
        if marker["hashes"] and (index + 1 < len(units) or text[line_end:].strip(_MARKUP)):
            continue  # a heading, unless the text ends with it
        if not _DOUBT.search(text[max(later, marker.start() - 200) : marker.start()]):
            yield Unit(marker.start(), end, value, "marked")


def _announces(value: str) -> bool:
    """Return whether a marker's value is empty or ends in a colon."""
    bare = value.strip(_MARKUP + "}_-=|$")
    return not bare or bare == _OPENS_DISPLAY[1] or value.rstrip(_MARKUP + "_").endswith(":")


_MINUS = re.compile(r"\A\s*(?:[-−–]|minus\b)(?:\s|\\[,:;! ]|~)+(?=[0-9]|\\[dt]?frac)")
_MINUS_BEFORE = re.compile(r"(?:[-−–]|\bminus\s)\$?\Z")


def with_minus(text: str) -> str:
    """Return a text that is no list, such as a formula's, with its minus next to the number."""
    return _MINUS.sub("-", text)


def all_blocks(text: str, tag: re.Pattern[str], parts: Parts, ending: str = "") -> Iterator[Unit]:
    """Yield the blocks of what is said, kind by kind, the last of each kind first."""
    for enclosed in (tagged(text, tag, ending)[0], _boxed(text)[0]):
        ends = [0, *(unit.end for unit in enclosed)]
        yield from map(partial(_in_context, text), reversed(enclosed), reversed(ends[:-1]))
    whole = _body(text, tag)
    body = tag.sub("\n\n", whole)
    fences = fences_of(body)[0]
    units = _units(body, fences, parts)
    everything = body + text[len(whole) :]
    yield from (_in_context(everything, unit) for unit in _marked(body, units))
    for kind in ("fence", "paragraph"):
        own = (unit for unit in reversed(units) if unit.kind == kind)
        yield from (_in_context(everything, unit) for unit in own)


def _in_context(text: str, unit: Unit, end: int = 0) -> Unit:
    """Mark what joins a block to others; ``end`` is that of the block before, if it may be one."""
    before = text[max(0, unit.start - _NEAR) : unit.start]
    behind = _OR_BEHIND.match(text, unit.end, unit.end + _NEAR)
    is_choice = behind is not None or _OR_BEFORE.search(before) is not None
    is_joined = end > 0 and _JOINT.match(text, end, unit.start) is not None
    if denial := _NOT_BEFORE.search(before):
        is_condition = _IF.search(before, 0, denial.start()) is not None
        unit = unit._replace(kind="if" if is_condition else "denied")
    return unit._replace(is_choice=is_choice, is_joined=is_joined)


def is_cut_off(text: str, tag: re.Pattern[str]) -> bool:
    """Return whether what is said ends in a tag, a box or a fence that is never closed."""
    return _boxed(text)[1] or len(_body(text, tag)) < len(text)


def _body(text: str, tag: re.Pattern[str]) -> str:
    """Return a text up to a tag or fence that is never closed."""
    text = text[: tagged(text, tag)[1]]
    return text[: fences_of(text)[1]]
