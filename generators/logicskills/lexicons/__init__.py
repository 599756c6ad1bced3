"""Lexicons that come with the package, one YAML file each."""
