"""Scalable inductive logic: a Prolog rule from labelled examples."""
