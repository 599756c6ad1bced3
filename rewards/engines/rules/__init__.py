"""SLR's rule language: read, checked against a task's vocabulary and caps, and decided here."""

from logic_curriculum.rewards.engines.rules.compiler import Rule, compile_rule
from logic_curriculum.rewards.engines.rules.examples import (
    Constant,
    Examples,
    LabelledExamples,
    OtherShapeError,
)
from logic_curriculum.rewards.engines.rules.language import Caps, Vocabulary
from logic_curriculum.rewards.engines.rules.terms import RefusedError, UnreadableError

__all__ = ["Caps", "Constant", "Examples", "LabelledExamples", "OtherShapeError", "RefusedError"]
__all__ += ["Rule", "UnreadableError", "Vocabulary", "compile_rule"]
