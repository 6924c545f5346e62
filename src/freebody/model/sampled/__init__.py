"""Sampled elements: they are evaluated at times of their own, and hold values in between."""

from freebody.model.sampled.base import HeldValue, Sampled, Samples, SampleView, in_order
from freebody.model.sampled.controller import Controller
from freebody.model.sampled.python_controller import PythonController
from freebody.model.sampled.sensor import Sensor
from freebody.model.sampled.sensors import (
    IMU,
    SENSORS,
    DistanceSensor,
    Encoder,
    ForceTorqueSensor,
    PositionSensor,
    QuantitySensor,
    SensorEntry,
    StrainGauge,
    Tachometer,
)

__all__ = [
    "IMU",
    "SENSORS",
    "Controller",
    "DistanceSensor",
    "Encoder",
    "ForceTorqueSensor",
    "HeldValue",
    "PositionSensor",
    "PythonController",
    "QuantitySensor",
    "SampleView",
    "Sampled",
    "Samples",
    "Sensor",
    "SensorEntry",
    "StrainGauge",
    "Tachometer",
    "in_order",
]
