"""Countermodels: a structure that shows an argument invalid."""
