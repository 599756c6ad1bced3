"""Joint logical and numerical reasoning: a value, and the steps that lead to it."""
