"""Kinds of elements, readers, integrators and commands that are defined in a test alone, as CONTRIBUTING.md says: one
file, and a line in a table."""
