"""What is learnt from equations (equilibria, linearisations, feedback, symmetries) and from many runs (sweeps)."""
