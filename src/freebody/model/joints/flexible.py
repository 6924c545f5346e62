"""Bodies with internal motion: coordinates η and speeds η̇ of the body itself, and its nodes.

Such a body is described by the last joint on the path to it, a ``Flexible``. The speeds of this joint do not move the
body's frame relative to the parent; they describe the motion inside the body and of its nodes. A massless body with the
joint ``NodeAttachment`` represents a node; other bodies, loads and outputs can be attached to it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from freebody.errors import FieldError, ModelError
from freebody.model.element import field
from freebody.model.joints.base import Array, Joint, Placement, zero_vector
from freebody.model.kinds import Scope, Text
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Transform, Vec, Wrench
from freebody.spatial.scalars import Scalar
from freebody.spatial.vector import Vector


class InternalDynamics(ABC):
    """The internal dynamics of a body at the present η, in a frame that is fixed in the body. With V the twist of this
    frame, the kinetic energy is ½ V·rr V + η̇·fr V + ½ η̇·ff η̇."""

    rates: Sequence[Scalar]  # η̇
    rr: RigidInertia
    fr: Sequence[Wrench]  # for each speed
    ff: Mapping[tuple[int, int], Scalar]  # by pairs of speeds (i, j) with i ≥ j; absent entries are zero
    variational: ClassVar[bool] = True  # whether ``required`` follows from this kinetic energy

    @abstractmethod
    def required(self, w: Vec, alpha: Vec, a: Vec, accelerations: Sequence[Scalar]) -> tuple[Sequence[Scalar], Wrench]:
        """For ω, α, the acceleration of the frame's origin less gravity, and η̈: the generalised force that each speed
        requires, elastic forces included, and the required wrench without the part of ``rr``."""

    def residual_inertia(self) -> Array | None:
        """rr − rf ff⁻¹ fr of the undeformed body along the axes of the frame, if it is known in numbers."""
        return None

    @abstractmethod
    def stored_energy(self) -> Scalar:
        """The stored energy; its derivatives with respect to η are part of ``required``."""


class BendingShapes(NamedTuple):
    """The rotations of points of a body per unit of each coordinate (points, 3, n), and the amplitudes up to which the
    equations hold, infinite if they do not depend on the deformation."""

    turns: Array
    amplitudes: Array


@dataclass(frozen=True)
class Flexible(Joint):
    """The joint of a body with internal coordinates. It fixes the body's frame to the parent as a weld does. Options
    (damping, armature, …) act along each internal speed."""

    @abstractmethod
    def internal_dynamics(self, X: Transform, q: Sequence[Scalar], u: Sequence[Scalar]) -> InternalDynamics:
        """The internal dynamics in the frame ``X.base``. ``X.tip`` has the body's axes and origin. It is fixed in
        ``X.base``, so constants of the body are constant there too: ``Vec(X.tip, …).in_(X.base)``, plus ``X.arm`` for
        points."""

    @property
    @abstractmethod
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes."""

    @property
    def stiffnesses(self) -> tuple[float, ...]:
        """The stiffness along each coordinate, as far as it is known in numbers; 0 where it is not."""
        return (0.0,) * len(self.speeds)

    @property
    def bending(self) -> "BendingShapes | None":
        """How far the body bends; None if that is not known."""
        return None

    @abstractmethod
    def node(self, node: str, body: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        """The placement of a node on the body. Its turns and slides belong to the internal speeds, and ``q_dot`` is
        empty. ``name`` is the name of the node's frame."""

    def finalise(self, scope: Scope) -> Self:
        if self.motion is not None:
            raise FieldError("internal coordinates cannot be prescribed; prescribe those of another joint", "motion")
        return super().finalise(scope)

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        none = zero_vector(parent.graph)
        return Placement(parent, none, [none] * len(u), [none] * len(u), none, none, list(u))

    def parent_inertia(self, placement: Placement) -> tuple[str, Vector | None]:
        return "none", None


@dataclass(frozen=True)
class NodeAttachment(Joint):
    """A node of the parent. It moves with the parent's internal speeds and has no coordinates."""

    node: str = field(Text(), "name of the node")
    kind: ClassVar[str] = "node"
    coordinates: ClassVar = ()

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        raise ModelError(f"joint of '{name}': a node cannot be part of another joint; use it alone")

    def parent_inertia(self, placement: Placement) -> tuple[str, Vector | None]:
        return "none", None
