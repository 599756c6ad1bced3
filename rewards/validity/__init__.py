"""Validity: the statements that follow."""
