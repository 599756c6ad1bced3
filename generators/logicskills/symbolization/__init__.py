"""Symbolization: translate a sentence into first-order logic."""
