"""Rolled programs: loops over bodies, each step traced once per kind of body, for systems of many bodies."""

MANY, MANY_CLOSED = 50, 200
"""Systems of more bodies than the first are better rolled (docs/decisions/010), with constraints those of more than the
second (docs/decisions/022)."""
