"""Sampled elements: they are evaluated at times of their own, and hold values in between."""

from freebody.model.sampled.base import HeldValue, Sampled, Samples, SampleView, in_order
from freebody.model.sampled.controller import Controller

__all__ = ["Controller", "HeldValue", "SampleView", "Sampled", "Samples", "in_order"]
