"""Answers that try to break out of the page that shows them."""

from __future__ import annotations

from evaluation_records import made_up

from logic_curriculum.curriculum.evaluation.records import Record

HOSTILE = (
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "<!--<script>",
    "]]></pre></article><h1 id=injected>",
    "{{data}} {{script}} {{title}}",
    "half \ud83d of a pair, \u2028 \u2029 \x00 \x1b[31m",
    "\u202eright to left",
    "&lt;b&gt; &#60; \\u003c \\\\ \" ' `${1}`",
    "javascript:window.hacked=1",
    "a" * 30_000,
)


def hostile_run() -> list[Record]:
    """Return a run in which every text of a record is hostile in turn."""
    return [
        made_up(
            number,
            number % 2 == 0,
            level=1 + number % 3,
            family=("slr", "sat", "validity")[number % 3],
            graded=number != 5,
            syntax=number != 3,
            tier=text[:40],
            model=HOSTILE[1],
            prompt=f"{number} {text}",
            completion=text,
            solution=text,
            metrics={text[:40]: 1.0},
        )
        for number, text in enumerate(HOSTILE)
    ]
