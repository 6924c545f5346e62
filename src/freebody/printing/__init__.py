"""Programs as text for people and for other algebra systems: listings, LaTeX, MathML, SymPy."""
