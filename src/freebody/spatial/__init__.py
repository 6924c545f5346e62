"""Frames, vectors and dyadics without bases, and twists, wrenches and inertia resolved in frames."""
