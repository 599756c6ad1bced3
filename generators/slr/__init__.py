"""Scalable inductive logic tasks: learn a Prolog rule from labelled examples.

Source: "SLR: Automated Synthesis for Scalable Logical Reasoning", §3, Table 2, App. A, D and E.
"""
