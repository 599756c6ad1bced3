"""Symbolization: a sentence's formula."""
