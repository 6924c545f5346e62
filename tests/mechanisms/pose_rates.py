"""Rates of the joints' poses along q̇, by a complex step through the reference formulas."""

import numpy as np

from tests.mechanisms import joint_maps
from tests.mechanisms.newton_euler_reference import by_angles, nominal, orientation, plane, split
from tests.mechanisms.random_trees import Hinge, State, Tree, given, rodrigues, unit

Array = np.ndarray


def pose_along(tree: Tree, state: State, q_dot: Array) -> list[tuple[Array, Array]]:
    """Rates (Ṙ, ṗ) of the joints' poses when their coordinates move at q_dot, by a complex step."""
    h, found, iq = 1e-30, [], 0
    for twig, (q, _, _) in zip(tree.twigs, split(tree, state, state.u, np.zeros(len(state.u))), strict=True):
        hinge = twig.hinge
        along = np.zeros(len(q))
        for k in range(len(q)):
            if not (hinge.plain and given(twig, k)):
                along[k], iq = q_dot[iq], iq + 1
        x = q + 1j * h * along
        found.append((_complex_rotation(hinge, x).imag / h, _complex_slide(hinge, x).imag / h))
    return found


def _complex_rotation(h: Hinge, x: Array) -> Array:
    match h.kind:
        case "revolute" | "screw" | "cylindrical":
            return rodrigues(unit(h.axes[0]), x[0])
        case "planar":
            return rodrigues(unit(h.axes[0]), x[2])
        case "universal":
            return rodrigues(unit(h.axes[0]), x[0]) @ rodrigues(unit(h.axes[1]), x[1])
        case "spherical":
            return orientation(h, x)
        case "free":
            return orientation(h, x[3:])
        case "building block":
            return nominal(h) @ by_angles(h.word, x[len(h.axes) :])
        case "simple" | "compound":
            return joint_maps.chained(h.word, x)[:3, :3]
        case "custom":
            angles = [joint_maps.polynomial(c, x) for c in h.word[1]]
            first, second = (rodrigues(unit(a), angle) for a, angle in zip(h.axes, angles, strict=True))
            return first @ second
    return np.eye(3, dtype=complex)


def _complex_slide(h: Hinge, x: Array) -> Array:
    match h.kind:
        case "prismatic":
            return x[0] * unit(h.axes[0])
        case "screw":
            return h.number * x[0] * unit(h.axes[0])
        case "cylindrical":
            return x[1] * unit(h.axes[0])
        case "planar":
            first, second = plane(h.axes[0])
            return x[0] * first + x[1] * second
        case "free":
            return x[:3]
        case "building block":
            return sum((x[k] * unit(a) for k, a in enumerate(h.axes)), np.zeros(3, dtype=complex))
        case "simple" | "compound":
            return joint_maps.chained(h.word, x)[:3, 3]
        case "custom":
            return np.array([joint_maps.polynomial(c, x) for c in h.word[0]])
    return np.zeros(3, dtype=complex)
