"""Consistency of texts: can all statements of a text be true together?

Source: "LTGen", §3 and App. A.
"""
