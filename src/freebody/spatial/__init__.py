"""Frames, vectors and dyadics without a fixed basis, and twists, wrenches and inertia resolved in frames."""
