"""The solvers of two papers (Mufti 1983; Rodriguez, Jain & Kreutz 1991), each a module with its ``SOLVER``."""
