"""A page to try tasks, answers and verdicts on: ``logic-curriculum play``, see ``docs/play.md``.

Only ``page.py`` needs Gradio.
"""
