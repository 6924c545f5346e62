"""Contact between the shapes of bodies: materials, pairs of shapes, and the points at which they can touch."""
