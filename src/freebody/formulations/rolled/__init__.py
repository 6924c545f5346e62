"""Rolled programs: loops over bodies, each step traced once per kind of body, for systems of many bodies."""

from freebody.formulations.rolled.equations import MANY, MANY_CLOSED, Rolled

__all__ = ["MANY", "MANY_CLOSED", "Rolled"]
