"""Functional mock-up units (FMI 2.0 and 3.0): a hybrid system as a file that other simulators import."""
