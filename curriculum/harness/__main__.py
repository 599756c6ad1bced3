"""Prints the folder for the harness's ``--include_path``."""

from pathlib import Path

print(Path(__file__).parent)
