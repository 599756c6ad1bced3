"""Curriculum reinforcement learning on symbolic reasoning tasks, for TRL trainers.

The packages are :mod:`~logic_curriculum.generators` (tasks), :mod:`~logic_curriculum.rewards`
(judges) and :mod:`~logic_curriculum.curriculum` (levels and trainers). In a checkout they are the
folders of these names at the top, and this folder holds links to them.
"""

from pathlib import Path

if not (Path(__file__).parent / "generators").is_dir():  # links were not made, as on Windows
    __path__.append(str(Path(__file__).parents[1]))
