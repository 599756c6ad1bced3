"""Countermodel: a structure in which the premises are true and the conclusion is false."""
