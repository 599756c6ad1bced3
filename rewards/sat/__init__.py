"""Consistency: can all statements be true together?"""
