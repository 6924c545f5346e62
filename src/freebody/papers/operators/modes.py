"""The numbers of flexible bodies and of their nodes at one state, for spatial operators (Jain & Rodriguez 1992).

The modal velocity of a body is V_m = (η̇, ω, v). A rigid body has no η, so that M_m, Φ and 𝓗 are M, φ and H of
Rodriguez, Jain and Kreutz. A node is a body without mass and without a joint: its velocity is that of the flexible body
that carries it there, Π η̇ included.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from freebody.model.joints.flexible import Flexible, NodeAttachment
from freebody.papers.operators.linear_maps import Array, slices
from freebody.scalar.derivative import gradient
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Transform, Vec
from freebody.spatial.scalars import PAIRS
from freebody.spatial.vector import components
from freebody.tree.motion import Motion
from freebody.tree.tree import Link

MODES = "modes."
"""The beginning of the names of outputs."""


class ModeLayout(NamedTuple):
    """For each body whether it is flexible, the number of its own speeds η̇, and whether it is a node of its parent."""

    flexible: tuple[bool, ...]
    own: tuple[int, ...]
    nodes: tuple[bool, ...]

    @classmethod
    def of(cls, bodies: Sequence[Link]) -> "ModeLayout":
        """From the last link of each body."""
        joints = [link.body.spec.joint for link in bodies]
        flexible, nodes = (tuple(isinstance(joint, kind) for joint in joints) for kind in (Flexible, NodeAttachment))
        own = tuple(len(link.u) if one else 0 for link, one in zip(bodies, flexible, strict=True))
        return cls(flexible, own, nodes)


def mode_outputs(motion: Motion, bodies: Sequence[Link]) -> dict[str, list[int]]:
    """The nodes of the numbers in ``ModeNumbers``: for each flexible body its inertia, the forces that its motion
    requires at zero accelerations, and its elastic forces; for each node its columns Π, all along the body's axes."""
    g = motion.graph
    lists: dict[str, list[int]] = {name: [] for name in ("rr", "fr", "ff", "required", "elastic", "Pi")}
    for link in bodies:
        body, joint = link.body, link.body.spec.joint
        if isinstance(joint, NodeAttachment):
            for turn, slide in zip(body.placement.turns, body.placement.slides, strict=True):
                lists["Pi"] += [*components(turn, body.frame), *components(slide, body.frame)]
        if not isinstance(joint, Flexible):
            continue
        base, tip = (Frame(link.name, g, body.frame) for _ in range(2))
        q, u = ([s.handle for s in some] for some in (body.q, body.u))
        inside, zero = joint.internal_dynamics(Transform(base, tip, Vec.zero(base)), q, u), Vec.zero(base)
        forces, wrench = inside.required(motion.of(link).w.in_(base), zero, zero, [g.zero] * len(u))
        lists["rr"] += [inside.rr.m, *inside.rr.h, *inside.rr.second]
        lists["fr"] += [x for F in inside.fr for x in F.c]
        lists["ff"] += [inside.ff.get((max(i, j), min(i, j)), g.zero) for i in range(len(u)) for j in range(len(u))]
        lists["required"] += [*forces, *wrench.c]
        lists["elastic"] += gradient(g, inside.stored_energy(), q)
    return {f"{MODES}{name}": values for name, values in lists.items()}


@dataclass(frozen=True)
class ModeNumbers:
    """By the index of the body. ``mass``: the part of M_m that belongs to the modes, (n + 6) × (n + 6); ``required``:
    the forces (n + 6) that the motion requires at zero accelerations, elastic forces included, without those of the
    rigid block of ``mass``; ``elastic``: K η (n); ``Pi``: the columns of a node (6 × n)."""

    mass: Mapping[int, Array]
    required: Mapping[int, Array]
    elastic: Mapping[int, Array]
    Pi: Mapping[int, Array]

    @classmethod
    def of(cls, shape: ModeLayout, parents: Sequence[int], outputs: Mapping[str, Array]) -> "ModeNumbers":
        flexible, nodes = ([k for k, yes in enumerate(some) if yes] for some in (shape.flexible, shape.nodes))

        def parts(name: str, bodies: Sequence[int], sizes: Sequence[int]) -> dict[int, Array]:
            values = np.asarray(outputs[f"{MODES}{name}"], dtype=float).ravel()
            return {k: values[s] for k, s in zip(bodies, slices(sizes), strict=True)}

        n = [shape.own[k] for k in flexible]
        rr, fr = parts("rr", flexible, [10] * len(n)), parts("fr", flexible, [6 * i for i in n])
        ff = parts("ff", flexible, [i * i for i in n])
        mass = {k: _modal_mass(rr[k], fr[k].reshape(-1, 6), ff[k].reshape(2 * (shape.own[k],))) for k in flexible}
        Pi = parts("Pi", nodes, [6 * shape.own[parents[k]] for k in nodes])
        return cls(
            mass,
            parts("required", flexible, [i + 6 for i in n]),
            parts("elastic", flexible, n),
            {k: x.reshape(-1, 6).T for k, x in Pi.items()},
        )


def _modal_mass(rr: Array, fr: Array, ff: Array) -> Array:
    """M_m = [M_ff, M_fr; M_rf, M_rr] (Eq 3.25) from m, h and the second moments of the rigid block."""
    m, h, second = rr[0], rr[1:4], np.zeros((3, 3))
    for x, (i, j) in zip(rr[4:], PAIRS, strict=True):
        second[i, j] = second[j, i] = x
    across = np.cross(h, np.eye(3), axisb=0, axisc=0)
    rigid = np.block([[np.trace(second) * np.eye(3) - second, across], [across.T, m * np.eye(3)]])
    return np.block([[ff, fr], [fr.T, rigid]])
