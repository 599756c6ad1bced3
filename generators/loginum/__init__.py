"""Joint logical and numerical deduction: the value of an attribute, given facts and rules."""
