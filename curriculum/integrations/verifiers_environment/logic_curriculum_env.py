"""What ``vf-eval logic-curriculum-env`` runs: verifiers finds these classes by their bases."""

from logic_curriculum.curriculum.integrations.verifiers_taskset import (
    LogicEnv,
    LogicHarness,
    LogicTaskset,
)

__all__ = ["LogicEnv", "LogicHarness", "LogicTaskset"]
