"""Formulations, each one way to M u̇ = f + tau; the derivation of quantities from them; the search for the smallest
program."""
