"""Bodies that move inside: coordinates η and speeds η̇ of a body's own, and its nodes.

Such a body is described by the last joint on the way to it, a ``Flexible``: the joint's speeds leave the body's frame
where it is on the parent and move what is inside. Its nodes move with them; a massless body with the joint ``Node``
stands for one, and other bodies, loads and outputs take hold of it there.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from freebody.errors import FieldError, ModelError
from freebody.model.element import field
from freebody.model.joints.base import Joint, Placement, nothing
from freebody.model.kinds import Scope, Text
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Transform, Vec, Wrench
from freebody.spatial.scalars import Scalar


class Inside(ABC):
    """What moves inside a body, at the present η, in a frame that is fixed in the body. With V the twist of this frame
    its kinetic energy is ½ V·rr V + η̇·fr V + ½ η̇·ff η̇."""

    rates: Sequence[Scalar]  # η̇
    rr: RigidInertia
    fr: Sequence[Wrench]  # for each speed
    ff: Mapping[tuple[int, int], Scalar]  # by pairs of speeds (i, j) with i ≥ j; what is absent is zero

    @abstractmethod
    def needs(self, w: Vec, alpha: Vec, a: Vec, accelerations: Sequence[Scalar]) -> tuple[Sequence[Scalar], Wrench]:
        """For ω, α, the felt acceleration of the frame's origin and η̈: the force that each speed needs, what the body
        stores included, and the wrench beside the one that ``rr`` needs."""

    @abstractmethod
    def stored(self) -> Scalar:
        """The energy stored in it; its derivatives by η are part of ``needs``."""


@dataclass(frozen=True)
class Flexible(Joint):
    """The joint of a body with coordinates of its own. It holds the body on its parent as a weld does. The options of
    joints (damping, armature, …) act along each of the body's own speeds."""

    @abstractmethod
    def inside(self, X: Transform, q: Sequence[Scalar], u: Sequence[Scalar]) -> Inside:
        """What moves inside, in the frame ``X.base``. ``X.tip`` has the body's axes and origin; it is fixed in
        ``X.base``, so what the element knows about the body is constant there too: ``Vec(X.tip, …).in_(X.base)``, and
        ``X.arm`` more for points."""

    @property
    @abstractmethod
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes."""

    @abstractmethod
    def node(self, node: str, body: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        """A node on the body, as a joint places a child: turns and slides are those of the body's own speeds, and
        ``q_dot`` is empty. The node's frame is called ``name``."""

    def finalise(self, scope: Scope) -> Self:
        if self.motion is not None:
            raise FieldError("coordinates of the body's own cannot be prescribed; prescribe those of a joint", "motion")
        return super().finalise(scope)

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        none = nothing(parent.graph)
        return Placement(parent, none, [none] * len(u), [none] * len(u), none, none, list(u))


@dataclass(frozen=True)
class Node(Joint):
    """A node of the parent, which moves by the parent's own speeds and has no freedom of its own."""

    node: Any = field(Text(), "its name")
    kind: ClassVar[str] = "node"

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ()

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        raise ModelError(f"joint of '{name}': a node cannot be a part of another joint; use it alone")
