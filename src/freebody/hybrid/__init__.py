"""Hybrid systems: states that flow, values that are held between instants, and rules that change both at instants."""
