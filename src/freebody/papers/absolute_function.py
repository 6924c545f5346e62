"""The equations of Mufti (1983) as a function of the state: one compiled program computes poses, velocities, forces and
the points and axes of hinges, from which ``MuftiEquations`` forms its matrices."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from freebody.backends import Function, compile
from freebody.errors import ModelError
from freebody.model.body import Point
from freebody.model.constraints.closure import Closure
from freebody.model.joints.base import scalar
from freebody.model.model import Model
from freebody.papers.absolute import Array, CutHinges, MuftiEquations
from freebody.papers.augmented_bodies import Hinges
from freebody.papers.barycentres import Barycentres
from freebody.papers.operators.function import outputs_at
from freebody.papers.topology import GROUND, Arc, Topology
from freebody.program import assemble
from freebody.program.program import Program
from freebody.run.arguments import by_name, numbers
from freebody.run.programs import body_poses
from freebody.spatial.scalars import cross3
from freebody.spatial.vector import Vector, components
from freebody.tree.inertia import has_fixed_origin
from freebody.tree.joint_forces import joint_forces
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import body_wrenches
from freebody.tree.tree import require_uncoupled, span

WHAT = "absolute equations"
INSTEAD = "use derive(solver='sparse')"


class AbsoluteFunction:
    """The absolute equations of a system at any state; the program is compiled at the first call."""

    def __init__(self, model: Model, values: Mapping[str, float], start: Sequence[float]) -> None:
        self.values, self.start, self.motion = dict(values), list(start), Motion(span(model, staged=False))
        tree = self.motion.tree
        require_uncoupled(tree, WHAT, INSTEAD)
        self.hinges = Hinges(tree, WHAT, INSTEAD)
        for link in tree.links:
            joint = link.body.spec.joint
            if scalar(tree.graph, joint.armature) != tree.graph.zero:
                raise ModelError(
                    f"{WHAT}: the joint of '{link.name}' has an armature, which these equations do not contain;"
                    f" {INSTEAD}"
                )
            inner = link.parent is not None and self.hinges.carrier[link.parent.index] is not None
            if inner and not link.u and not has_fixed_origin(link):
                raise ModelError(f"{WHAT}: '{link.name}' slides as prescribed on '{link.described.parent}'; {INSTEAD}")
        for hinged in self.hinges.trees:
            if len(hinged.translations) == 2:
                raise ModelError(f"{WHAT}: the root '{hinged.root.name}' moves in a plane; {INSTEAD}")
        self.closures = [self._closure(name, c) for name, c in tree.model.constraints.items()]
        bodies = [link for link in tree.links if self.hinges.carrier[link.index] is not None]
        self.names = tuple(link.name for link in bodies)
        self.indices = [link.index for link in bodies]
        self.free = frozenset(hinged.root.name for hinged in self.hinges.trees if hinged.free)
        arcs = tuple(Arc(link.name, self._vertex(link.described.parent), link.name) for link in bodies)
        ends = ((c.name, *map(self._vertex, c.bodies())) for c in self.closures)
        self.topology = Topology(self.names, arcs, tuple(Arc(*end) for end in ends))

    def _vertex(self, name: str) -> str:
        """A body of the graph; external ones are the ground."""
        return name if name in self.names else GROUND

    @staticmethod
    def _closure(name: str, constraint: Any) -> Closure:
        """A constraint that is a hinge between points of two bodies."""
        if not isinstance(constraint, Closure):
            raise ModelError(f"{WHAT}: the constraint '{name}' is not a hinge that closes a loop; {INSTEAD}")
        if constraint.engaged is not None or constraint.moves or constraint.joint.motion is not None:
            raise ModelError(f"{WHAT}: the hinge '{name}' is switched, moves on its bodies or is driven; {INSTEAD}")
        if constraint.joint.kind not in ("spherical", "revolute", "universal", "weld"):
            raise ModelError(
                f"{WHAT}: the {constraint.joint.kind} joint '{name}' closes a loop, and only rotations about a point"
                f" are supported; {INSTEAD}"
            )
        return constraint

    @cached_property
    def _function(self) -> Function:
        return compile(self._program(), "numpy")

    def _program(self) -> Program:
        motion, tree, g = self.motion, self.motion.tree, self.motion.graph
        nothing, root = Vector(g, {}), tree.root

        def along(v: Vector) -> list[int]:
            return list(components(v, root))

        bodies = [link.body for link in tree.links]
        points = [Point(body, nothing) for body in bodies]
        outputs: dict[str, Any] = {
            "poses": body_poses(tree),
            "w": [along(motion.angular_velocity(body)) for body in bodies],
            "alpha": [along(motion.carried_angular_acceleration(body)) for body in bodies],
            "a": [along(motion.carried_acceleration(point) - motion.minus_g) for point in points],
            "mass": [body.spec.mass.handle for body in bodies],
            "com": [[x.handle for x in body.spec.com] for body in bodies],
            "inertia": [[x.handle for row in body.spec.inertia for x in row] for body in bodies],
            "wrench": [list(F.c) for F in body_wrenches(motion)],
            "joint_force": joint_forces(tree),
            "turns": [along(turn) for link in tree.links for turn in link.turns],
            "gravity": along(tree.gravity),
        }
        centre = Point(tree.placed.ground, nothing)
        for closure in self.closures:
            A, B = closure.frames(motion)
            one, other = A.origin.body, B.origin.body
            w_A, w_B = motion.angular_velocity(one), motion.angular_velocity(other)
            directions, rates = list[list[int]](), list[list[int]]()
            for r in closure.joint.resists(A.axes) or ():
                if r.along is not None:
                    continue
                if r.turning:
                    a, b = A.direction(r.a), B.direction(r.b)
                    c, rate = b.cross(a), w_B.cross(b).cross(a) + b.cross(w_A.cross(a))
                else:
                    c = A.direction(cross3(g, r.b, r.a))
                    rate = w_A.cross(c)
                directions.append(along(c))
                rates.append(along(rate))
            key, ends = f"cut.{closure.name}", (A.origin, B.origin)
            outputs[f"{key}.points"] = [along(motion.position(centre, end)) for end in ends]
            outputs[f"{key}.a"] = [along(motion.carried_acceleration(end) - motion.minus_g) for end in ends]
            outputs[f"{key}.w"] = [along(v) for v in (w_A, w_B)]
            alphas = [motion.carried_angular_acceleration(body) for body in (one, other)]
            outputs[f"{key}.alpha"] = [along(v) for v in alphas]
            if directions:
                outputs[f"{key}.q"], outputs[f"{key}.q_dot"] = directions, rates
        layout = tree.layout
        parameters, z, inputs = (
            [h for n in names if (h := g.named(n)) is not None]
            for names in (layout.parameters, layout.z, layout.inputs)
        )
        groups = {
            "parameters": parameters,
            "t": [tree.t],
            "q": list(layout.q_handles),
            "u": list(layout.u_handles),
            "z": z,
            "inputs": inputs,
        }
        return assemble.program("absolute_equations", g, groups, outputs)

    def __call__(
        self,
        q: ArrayLike,
        u: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        t: float = 0.0,
        z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
        parameters: Mapping[str, float] | None = None,
    ) -> MuftiEquations:
        """The equations at one state."""
        values = {**self.values, **by_name(parameters, "parameters", "{'m': 2.0}")}
        arguments = {"t": [t], "q": q, "u": u, "z": self.start if z is None else z, "inputs": inputs}
        layout = self.motion.tree.layout
        flat, rows = outputs_at(self._function, layout, values, arguments, WHAT)
        count, nu = len(self.motion.tree.links), len(layout.u)
        out = {name: np.asarray(x, float) for name, x in flat.items()}
        shapes = {
            "poses": (count, 12),
            "com": (count, 3),
            "inertia": (count, 3, 3),
            "wrench": (count, 6),
            "turns": (nu, 3),
        }
        shapes |= dict.fromkeys(("w", "alpha", "a"), (count, 3))
        for name, shape in shapes.items():
            out[name] = out[name].reshape(shape)
        forces = out["joint_force"].reshape(nu)
        forces = forces + (0.0 if tau is None else numbers(tau, f"{WHAT}: tau"))
        return self._equations(out, rows["u"].reshape(nu), forces)

    def _equations(self, out: Mapping[str, Array], u: Array, forces: Array) -> MuftiEquations:
        keep, links = self.indices, self.motion.tree.links
        R, p = out["poses"][:, :9].reshape(-1, 3, 3), out["poses"][:, 9:]
        arms = np.einsum("ixy,iy->ix", R, out["com"])
        inertia = np.einsum("ixa,iab,iyb->ixy", R, out["inertia"], R)
        mass = out["mass"].reshape(-1)
        at = Barycentres(self.topology, mass[keep], inertia[keep], (p + arms)[keep], p[keep], self.free)
        torque, force = (np.einsum("ixy,iy->ix", R, out["wrench"][:, k : k + 3]) for k in (0, 3))
        torque = torque - np.cross(arms, force)
        force = force + mass[:, None] * out["gravity"]
        axes, rates, bias = list[Array](), list[Array](), np.zeros((len(links), 3))
        for k in keep:
            link = links[k]
            parent = None if link.parent is None or link.parent.index not in keep else link.parent.index
            bias[k] = out["alpha"][k] - (0 if parent is None else out["alpha"][parent])
            turns = out["turns"][link.u].T
            if link.name in self.free:  # its forces act from the ground
                slide, turn = forces[link.u][3:], forces[link.u][:3]
                force[k] += R[k] @ slide
                torque[k] += R[k] @ turn - np.cross(arms[k], R[k] @ slide)
                continue
            g = turns @ np.linalg.solve(turns.T @ turns, forces[link.u]) if link.u else np.zeros(3)
            torque[k] += g
            if parent is not None:
                torque[parent] -= g
            axes.append(turns.reshape(3, -1))
            rates.append(u[link.u])
        kept = np.array([name not in self.free for name in self.names], bool)
        outer = np.array([arc.start == GROUND for arc in self.topology.joints])[:, None] * out["a"][keep]
        return MuftiEquations(
            at,
            out["w"][keep],
            force[keep],
            torque[keep],
            kept,
            tuple(axes),
            np.concatenate([np.zeros(0), *rates]),
            bias[keep],
            outer,
            self._cut_hinges(out, (p + arms)[keep]),
        )

    def _cut_hinges(self, out: Mapping[str, Array], centres: Array) -> CutHinges:
        n, cuts = len(self.names), self.topology.cuts
        L, directions = np.zeros((n, len(cuts), 3)), list[Array]()
        u3, u4 = list[Array](), list[Array]()
        for k, arc in enumerate(cuts):
            key = f"cut.{arc.name}"
            points, a, w, alpha = (out[f"{key}.{name}"].reshape(2, 3) for name in ("points", "a", "w", "alpha"))
            q = out[f"{key}.q"].reshape(-1, 3).T if f"{key}.q" in out else np.zeros((3, 0))
            force = np.zeros(3)
            torque = -np.einsum("ji,i->j", out[f"{key}.q_dot"].reshape(-1, 3), w[1] - w[0]) if q.size else np.zeros(0)
            for end, sign in ((0, 1.0), (1, -1.0)):
                name = arc[1 + end]
                if name == GROUND:  # it moves as prescribed
                    force, torque = force + sign * a[end], torque + sign * (q.T @ alpha[end])
                    continue
                i = self.names.index(name)
                L[i, k] = sign * (points[end] - centres[i])
                force = force + np.cross(w[end], np.cross(w[end], L[i, k]))
            directions.append(q)
            u3.append(force)
            u4.append(torque)
        empty = [np.zeros(0)]
        return CutHinges(L, tuple(directions), np.concatenate(empty + u3), np.concatenate(empty + u4))
