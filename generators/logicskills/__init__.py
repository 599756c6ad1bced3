"""First-order logic in prose: symbolization, countermodels and validity.

Source: "LogicSkills: A Structured Benchmark for Formal Reasoning in Large Language Models", §3,
App. A and B. Each task family is a module: ``symbolization``, ``countermodel`` and ``validity``.
"""
