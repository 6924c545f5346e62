"""Joints whose speeds do not move their body in as many ways make M singular: they are named before anything fails."""

import numpy as np

from freebody.errors import ExpressionError, ModelError
from freebody.model.joints.base import scalar
from freebody.scalar.walk import somewhere, values
from freebody.spatial.vector import components
from freebody.tree.forest import Forest, Link

PLACES = 3
SMALL = 1e-10


def require_independent(forest: Forest) -> None:
    """Refuse joints whose columns depend on each other wherever one looks, unless rotors tell them apart."""
    for link in forest.links:
        recipe = link.body.recipe
        rotors = scalar(link.graph, recipe.joint.armature) != link.graph.zero
        if recipe.joint.composed and len(link.u) > 1 and not rotors:
            ways = max(_rank(link, seed) for seed in range(PLACES))
            if ways < len(link.u):
                raise ModelError(
                    f"joint '{link.name}' ({link.name} on {link.body.parent.name}): its {len(link.u)} speeds move it in"
                    f" {ways} {'ways' if ways != 1 else 'way'} only, so the mass matrix is singular. Leave out what"
                    " repeats, or give the joint an armature."
                )


def _rank(link: Link, seed: int) -> int:
    """Of the columns at a random place; full where they have no values there."""
    both = zip(link.turns, link.slides, strict=True)
    rows = [[*components(e, link.frame), *components(l, link.frame)] for e, l in both]
    try:
        found = values(link.graph, [x for row in rows for x in row], {}, somewhere(seed))
    except (ArithmeticError, ValueError, ExpressionError):
        return len(rows)
    columns = np.array(found, float).reshape(-1, 6)
    return int(np.linalg.matrix_rank(columns, tol=SMALL)) if np.isfinite(columns).all() else len(rows)
