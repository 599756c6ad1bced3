"""Our families as tasks of lm-evaluation-harness; see ``docs/downstream.md``."""
