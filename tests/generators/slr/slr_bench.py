"""What the published SLR-Bench looks like."""

COLUMNS = [
    "id", "prompt", "ground-truth rule", "validation program", "symbols", "curriculum level",
    "curriculum tier", "rule sampling", "rule complexity", "background sampling", "problem size",
    "vocabulary predicates", "vocabulary car constants", "validation_program_shortcuts",
]  # fmt: skip
"""The names of its columns, in its order."""
