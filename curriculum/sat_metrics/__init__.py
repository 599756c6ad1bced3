"""How well a model tells consistent texts from inconsistent ones, as LTGen measures it.

``tables`` and ``plots`` make tables and pictures of the records of a run, and
``python -m curriculum.sat_metrics RESULTS.jsonl --out DIR`` writes both for a file of records.

Source: LTGen, section 4 and appendix B. *Positive* is consistent: "higher recall than precision"
is there "a tendency to over-predict the consistent class" (section 4.1), and a false positive is
the answer "consistent" where the text is inconsistent (section 4.2).
"""

from __future__ import annotations

from logic_curriculum.curriculum.sat_metrics.answers import (
    Answer,
    Experiment,
    experiments,
    read_answer,
)
from logic_curriculum.curriculum.sat_metrics.report import markdown, plots, tables

__all__ = ["Answer", "Experiment", "experiments", "markdown", "plots", "read_answer", "tables"]
