"""The family of solvers of constrained equations (Mufti 1983; Rodriguez, Jain & Kreutz 1991): all give the same u̇ and
multipliers, in different ways. The table of their names is in ``table.py``."""
