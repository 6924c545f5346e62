"""Simulation programs as source: what a hybrid system needs to run without freebody, in C and in Fortran."""
