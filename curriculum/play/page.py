"""The page, in Gradio. What is typed there goes to the judge and is shown as text, nothing else."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from logic_curriculum.curriculum import require
from logic_curriculum.curriculum.play.view import (
    Prepared,
    error_html,
    prepared_answers,
    read_number,
    verdict_html,
)
from logic_curriculum.generators import Task, families, generate, registry
from logic_curriculum.rewards.registry import judge_batch

gr: Any = require("gradio", extra="play")

TITLE = "logic-curriculum"
ABOUT = """# Play with the tasks

Choose a task, answer it or take a prepared answer, and see what the judge makes of it."""
FONTS = {"font": ["system-ui", "sans-serif"], "font_mono": ["ui-monospace", "monospace"]}
ERRORS = (ValueError, RuntimeError, OSError)  # of wrong input, and of what is not installed
PRIVATE = {"api_visibility": "private", "trigger_mode": "always_last"}
"""Options of all events; what a visitor does while one is at work is done after it."""
IN_TURN = {**PRIVATE, "concurrency_id": "engines", "concurrency_limit": 1}
"""Options of events that may keep a core busy for seconds: one at a time, of all visitors."""


class Shown(NamedTuple):
    """What a visitor has before them."""

    task: Task
    answers: Sequence[Prepared]


def choose_family(family: str, level: str | int) -> Any:
    """Return the list of a family's levels, set to the level that was chosen, or to the last."""
    try:
        found = registry.family(family)
    except ValueError:
        return gr.Dropdown([1], value=1)  # the error is shown in place of a task
    levels = found.levels()
    named = [(" · ".join(filter(None, [str(n), found.tier(n)])), n) for n in levels]
    return gr.Dropdown(named, value=level if level in levels else levels[-1])


def show(shown: Shown | None, family: str, level: str | int, seed: str) -> Any:
    """Return the task that was chosen, with its answers, unless it is shown already."""
    try:
        wanted = family, read_number("level", level), read_number("seed", seed)
        if shown and (shown.task.family, shown.task.level, shown.task.seed) == wanted:
            return gr.skip()
        task = generate(*wanted)
        answers = prepared_answers(task)
    except ERRORS as error:
        return None, error_html(error), "", gr.Radio([], value=None), "", "", None
    names = [(f"{answer.kind}: {answer.name}", n) for n, answer in enumerate(answers)]
    payload = dict(task.verification)
    return Shown(task, answers), "", task.prompt, gr.Radio(names, value=None), "", "", payload


def take(shown: Shown, number: int) -> str:
    """Return a prepared answer."""
    return shown.answers[number].completion


def judge(shown: Shown | None, completion: str) -> str:
    """Return the verdict on an answer, as HTML."""
    if shown is None:
        return error_html("There is no task to judge by: choose another level or seed.")
    try:
        (verdict,) = judge_batch(shown.task.family, [completion], [dict(shown.task.verification)])
    except ERRORS as error:
        return error_html(error)
    return verdict_html(verdict)


def next_seed(seed: str) -> str:
    """Return the number after a seed; what is no seed stays as it is, to be complained of."""
    try:
        return str(read_number("seed", seed) + 1)
    except ValueError:
        return seed


def build() -> Any:
    """Return the page; ``launch`` it by :func:`serve`."""
    names = list(families())
    with gr.Blocks(title=TITLE, analytics_enabled=False) as page:
        gr.Markdown(ABOUT)
        with gr.Row(elem_id="choice"):
            family = gr.Dropdown(names, value=names[0], label="Family", min_width=140)
            level = gr.Dropdown(
                [1], value=1, label="Level", min_width=140, allow_custom_value=True
            )  # what is no level is refused in a line on the page
            seed = gr.Textbox("0", label="Seed", min_width=100, max_lines=1, elem_id="seed")
            following = gr.Button("Next seed", scale=0, min_width=140, elem_id="next")
        choice = [family, level, seed]
        message, shown = gr.HTML(elem_id="message"), gr.State()
        with gr.Row():
            parts = _task_parts(shown)

        def follow(event: Any) -> None:
            event.then(show, [shown, *choice], [shown, message, *parts], **IN_TURN)

        listing = {"fn": choose_family, "inputs": [family, level], "outputs": level, **IN_TURN}
        follow(page.load(**listing))
        follow(family.input(**listing))
        follow(gr.on([level.input, seed.submit, seed.blur], None, **PRIVATE))
        follow(following.click(next_seed, seed, seed, **IN_TURN))
    return page


def _task_parts(shown: Any) -> list[Any]:
    """Lay out a task beside its answers, and return what :func:`show` fills."""
    with gr.Column(scale=3, min_width=320):
        prompt = gr.Textbox(
            label="Prompt", lines=12, max_lines=30, elem_id="prompt", elem_classes="mono",
            interactive=False, autoscroll=False, buttons=["copy"],
        )  # fmt: skip
    with gr.Column(scale=2, min_width=320):
        prepared = gr.Radio([], label="A prepared answer", elem_id="prepared")
        answer = gr.Textbox(
            label="Answer", lines=6, max_lines=14, elem_id="answer", elem_classes="mono"
        )
        button = gr.Button("Judge", variant="primary", elem_id="judge")
        verdict = gr.HTML(elem_id="verdict")
        with gr.Accordion("What the judge knows of the task", open=False):
            payload = gr.JSON(show_label=False, max_height=400, elem_id="payload")
    judged = {"fn": judge, "inputs": [shown, answer], "outputs": verdict, **IN_TURN}
    button.click(**judged)
    prepared.input(take, [shown, prepared], answer, **IN_TURN).then(**judged)
    return [prompt, prepared, answer, verdict, payload]


def serve(host: str, port: int | None) -> None:
    """Open the page on a port, or on the first free one from 7860 on, until Ctrl-C.

    An ``OSError`` says that the port is taken.
    """
    page = build()
    _, url, _ = page.launch(
        server_name=host,
        server_port=port,
        prevent_thread_lock=True,
        quiet=True,
        share=False,
        ssr_mode=False,
        footer_links=[],
        max_file_size=1,  # in bytes: nobody has anything to upload
        theme=gr.themes.Default(**FONTS),
        css_paths=Path(__file__).with_name("page.css"),
    )
    print(f"The page is at {url} until Ctrl-C", flush=True)
    page.block_thread()
