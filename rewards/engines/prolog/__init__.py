"""Programs of ground facts about labelled examples, and what confines a process that runs them."""

from logic_curriculum.rewards.engines.prolog.program import Fact, Program, isomorphic_copy

__all__ = ["Fact", "Program", "isomorphic_copy"]
