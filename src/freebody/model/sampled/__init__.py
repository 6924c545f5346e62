"""Sampled elements: they are evaluated at times of their own, and hold values in between."""

from freebody.model.sampled.base import HeldValue, Sampled, Samples, SampleView, in_order
from freebody.model.sampled.controller import Controller
from freebody.model.sampled.python_controller import PythonController

__all__ = ["Controller", "HeldValue", "PythonController", "SampleView", "Sampled", "Samples", "in_order"]
