"""Consistency of texts: can all statements of a text be true together?"""
