"""The notebook runs from top to bottom, and its judges say what its text does."""

from __future__ import annotations

import pytest
from pages import ROOT

nbclient = pytest.importorskip("nbclient", reason="needs nbclient and ipykernel: make setup")


@pytest.mark.slow
def test_the_notebook_runs_and_draws_the_level(tmp_path):
    import nbformat

    book = nbformat.read(ROOT / "docs" / "first_steps.ipynb", as_version=4)
    assert all(cell.execution_count for cell in book.cells if cell.cell_type == "code")  # as stored
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(book, timeout=280, kernel_name="python3", resources=resources).execute()
    programs = [cell for cell in book.cells if cell.cell_type == "code"]
    printed = ["".join(out.get("text", "") for out in cell.outputs) for cell in programs]
    assert [line[:3] for line in printed[2].splitlines()] == ["1.0", "0.0", "0.0"]
    assert "\n1.0\n" in printed[3]
    assert "\n0.0\noutside the rule language" in printed[3]
    assert "image/png" in programs[-1].outputs[-1].data
