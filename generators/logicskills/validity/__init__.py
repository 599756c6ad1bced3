"""Validity: which of six statements must be true in a situation?"""
