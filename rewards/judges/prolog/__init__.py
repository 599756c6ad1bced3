"""The Prolog judge."""

from rewards.judges.prolog.availability import PrologUnavailable
from rewards.judges.prolog.in_process import entailed
from rewards.judges.prolog.program import Fact, Program

__all__ = ["Fact", "Program", "PrologUnavailable", "entailed"]
