"""Modes of flexible bodies: the joint that holds a body's modal coordinates, and its nodes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError, ModelError
from freebody.fem.modal_data import ModalData, ModalNode, cleaned
from freebody.fem.paper_integrals import NEEDED
from freebody.model.element import field
from freebody.model.joints.axes import direction
from freebody.model.joints.base import NodeColumns, Placement, combined, scaled, zero_vector
from freebody.model.joints.flexible import BendingShapes, Flexible, InternalDynamics
from freebody.model.joints.free_frame_dynamics import FreeFrameDynamics
from freebody.model.joints.modal_dynamics import (
    ModalDynamics,
    PaperDynamics,
    RuthlessDynamics,
    constants,
    integral,
    numbers,
    quadratic,
    weighted,
)
from freebody.model.joints.spherical import axis_vectors
from freebody.model.kinds import Choice, FieldKind, Scope
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Transform, Vec
from freebody.spatial.scalars import Scalar
from freebody.spatial.vector import Vector, vector

Array = NDArray[np.float64]
AMPLITUDE = "m·√kg"
"""The unit of η with ½ η̇ᵀ η̇ as kinetic energy."""
ORDERS = ("full", "ruthless", "paper")
"""Which terms the equations of a flexible body contain."""


@dataclass(frozen=True)
class Modal(Flexible):
    """The modes of a flexible body."""

    data: Any = field(FieldKind(), "the modal data")
    order: str = field(Choice(ORDERS), "which terms the equations contain", default="full")
    directions: Any = field(
        FieldKind(),
        "directions about which the body turns freely, if its modes take nearly all inertia that the joint"
        " does not hold; otherwise None",
        default=None,
        derived=True,
    )
    kind: ClassVar[str] = "modal"

    def finalise(self, scope: Scope) -> "Modal":
        if not isinstance(self.data, ModalData):
            raise FieldError("modal data is needed here; describe a flexible body by flexible=fb.Beam(…)", "data")
        if self.order == "paper" and self.data.paper is None:
            raise FieldError(f"order 'paper' needs {NEEDED}", "order")
        return super().finalise(scope)

    @property
    def coordinates(self) -> tuple[str, ...]:
        return tuple(f"m{k + 1}" for k in range(self.data.n))

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Amplitudes of modes with unit modal mass have the unit m·√kg, nodal coordinates are in m and rad."""
        q = self.data.units or (AMPLITUDE,) * self.data.n
        return q, tuple(f"{unit}/s" for unit in q)

    @property
    def magnitudes(self) -> tuple[float, ...]:
        """Amplitudes at which the mean square of the displacements, weighted by mass, is that of the distances from the
        origin: M_ff η² = ½ tr J0. Displacements of nodes (nodal coordinates) are compared with 1 m and 1 rad."""
        if self.data.units:
            return super().magnitudes
        size = float(np.trace(self.data.J0)) / 2
        amplitudes = np.sqrt(size / np.diag(self.data.M_ff)) if size > 0 else np.ones(self.data.n)
        return tuple(amplitudes.tolist())

    @property
    def nodes(self) -> tuple[str, ...]:
        return tuple(self.data.nodes)

    @property
    def stiffnesses(self) -> tuple[float, ...]:
        return tuple(np.diag(self.data.K).tolist())

    @property
    def bending(self) -> BendingShapes | None:
        rigid = np.inf if self.order == "ruthless" else 1.0  # its mass matrix does not depend on the modes
        return BendingShapes(self.data.turns, rigid * np.array(self.magnitudes, float)) if self.data.n else None

    def losses(self, g: Graph, speeds: Sequence[Node], k: int) -> Node:
        """−D η̇, besides what the options of the joint give."""
        return g.sub(super().losses(g, speeds, k), weighted(g, self.data.D[k], speeds))

    def first_moment(self, g: Graph, q: Sequence[Node]) -> list[Node]:
        """c(η) along the body's axes."""
        data = self.data
        first = data.m * data.paper.p1 if self.order == "paper" else data.E
        second = data.C if self.order == "full" else 0 * data.C
        return integral(g, data.c0, first, second, q)[0]

    def internal_dynamics(self, X: Transform, q: Sequence[Scalar], u: Sequence[Scalar]) -> InternalDynamics:
        R = rotation_of(X)
        data = self.data.along(R)
        if self.order == "full" and self.directions is not None:
            return FreeFrameDynamics(data, cleaned(R @ np.reshape(self.directions, (-1, 3)).T), X.base, q, u)
        kinds = {"full": ModalDynamics, "ruthless": RuthlessDynamics, "paper": PaperDynamics}
        return kinds[self.order](data, X.base, q, u)

    def deflection(self, node: str, body: Frame, q: Sequence[Node]) -> Vector:
        """The displacement of a node relative to the undeformed body: γ η + ½ ηᵀ Γ η."""
        g, at = body.graph, self.data.nodes[node]
        second = at.second if self.order == "full" else 0 * at.second
        return vector(body, integral(g, np.zeros(3), at.translations, second, q)[0])

    def node(self, node: str, body: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        g, at, none = body.graph, self.data.nodes[node], zero_vector(body.graph)
        if at.slopes is None:
            raise FieldError(
                f"node '{node}' has no rotation, because its slopes are not known, so nothing can be"
                " attached to it. Use a node with slopes; for solids tie several nodes together:"
                f" interfaces={{'{node}': fb.Tie(nodes)}}"
            )
        if self.order == "ruthless":
            return _undeformed_node(at, body, q)
        frame, axes = body, [none] * 3
        for k, row in enumerate(at.slopes):
            if any(row):
                turn = name if not np.any(at.slopes[k + 1 :]) else f"{name}.{'xyz'[k]}"
                axes[k] = vector(frame, direction(frame, "xyz"[k], turn))
                frame = frame.turned(turn, k, weighted(g, row, q), joins=True)  # nothing is computed in a node's axes
        exact = self.order == "full" or sum(map(any, at.slopes)) < 2
        if not exact:  # λ η̇ of the paper, which is fixed in the body
            axes = axis_vectors(body)
        slopes = constants(g, at.slopes)
        turns = [combined(g, axes, column) for column in zip(*slopes, strict=True)]
        second = at.second if self.order == "full" else np.zeros_like(at.second)
        position, shapes = integral(g, at.position, at.translations, second, q)  # and γ + Γ η
        slides = [vector(body, column) for column in zip(*shapes, strict=True)]
        turning, before = none, none
        for axis, row in zip(axes, at.slopes, strict=True):
            step = scaled(axis, weighted(g, row, u))
            turning, before = turning + before.cross(step), before + step
        sliding = vector(body, [quadratic(g, row, u) for row in second])
        return Placement(
            frame,
            vector(body, position),
            turns,
            slides,
            turning if exact else none,
            sliding,
            [],
            axes=body,
            exact=exact,
            shapes=NodeColumns(axes, slopes, shapes),
        )


def _undeformed_node(at: ModalNode, body: Frame, q: Sequence[Node]) -> Placement:
    """A node that neither turns nor changes the geometry of the equations: only its columns depend on the modes, and
    its position where loads and results need it."""
    g, none = body.graph, zero_vector(body.graph)
    assert at.slopes is not None
    still, slopes, shapes = numbers(g, at.position), constants(g, at.slopes), constants(g, at.translations)
    turns, slides = ([vector(body, column) for column in zip(*rows, strict=True)] for rows in (slopes, shapes))
    moved = [g.add(x, weighted(g, row, q)) for x, row in zip(still, at.translations, strict=True)]
    return Placement(
        body,
        vector(body, moved),
        turns,
        slides,
        none,
        none,
        [],
        axes=body,
        exact=False,
        undeformed=vector(body, still),
        shapes=NodeColumns(axis_vectors(body), slopes, shapes),
    )


def rotation_of(X: Transform) -> Array:
    """R of a transform, which must consist of numbers: it maps components along the axes of the tip to the base."""
    g = X.base.graph
    units = [Vec(X.tip, direction(X.tip, axis, "a flexible body")) for axis in "xyz"]
    columns = [[g.number(x) for x in unit.in_(X.base).c] for unit in units]
    if any(x is None for column in columns for x in column):
        raise ModelError("the orientation of a flexible body must consist of numbers, not of parameters")
    return np.array(columns, float).T
