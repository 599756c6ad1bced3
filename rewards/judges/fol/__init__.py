"""First-order logic: formulas, finite models, and Z3 for what finite models can't decide."""
