"""Comparison of Jacobians, derivatives and centroidal momentum with Pinocchio, which puts linear parts first; its
LOCAL axes are those of the body, LOCAL_WORLD_ALIGNED those of the ground."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import freebody as fb
from tests.robots.compare_dynamics import state
from tests.robots.reference_libraries import Array, Pinocchio, error

SWAP = [3, 4, 5, 0, 1, 2]
LAST = 3
"""So many of the tree's tips are asked for their Jacobians."""


@dataclass(frozen=True)
class Pair:
    """A robot in freebody and in Pinocchio at one state; ``tight`` is relative to the largest entry."""

    system: fb.System
    referee: Pinocchio
    tight: float

    @cached_property
    def f(self) -> fb.Compiled:
        return self.system.derive().compile("numpy")

    @cached_property
    def here(self) -> tuple[Array, Array, Array]:
        """q, u and u̇ (or tau)."""
        return state(self.system)

    @cached_property
    def to(self) -> Any:
        return fb.layout(self.system, "pinocchio", model=self.referee.model)

    @cached_property
    def there(self) -> tuple[Array, Array, Array]:
        """q, v and v̇ (or tau) as Pinocchio has them."""
        q, u, a = self.here
        return self.to.q_to(q), self.to.v_to(q, u), self.to.a_to(q, u, a)

    @cached_property
    def X(self) -> Array:
        """The permutation v = X u; derivatives by u are X D Xᵀ in Pinocchio."""
        found: Array = self.to.v_to(self.here[0], np.eye(len(self.here[1]))).T
        assert np.array_equal(found @ found.T, np.eye(len(found)))
        return found

    def columns(self, spatial: Array) -> Array:
        """A matrix from our u to (angular, linear), as Pinocchio's."""
        turned: Array = spatial[SWAP] @ self.X.T
        return turned

    def square(self, D: Array) -> Array:
        turned: Array = self.X @ D @ self.X.T
        return turned


def jacobians_agree(p: Pair) -> None:
    """Jacobians of the last links in axes of the body and of the ground."""
    pin, model, data = p.referee.pin, p.referee.model, p.referee.data
    pin.computeJointJacobians(model, data, p.there[0])
    pin.updateFramePlacements(model, data)
    for link in tips(p.system)[-LAST:]:
        frame, body = model.getFrameId(link.name, pin.FrameType.BODY), link.body
        for ours, theirs in (("body", pin.LOCAL), ("ground", pin.LOCAL_WORLD_ALIGNED)):
            wanted = pin.getFrameJacobian(model, data, frame, theirs)
            assert error(p.columns(p.f.jacobian(p.here[0], body, frame=ours)), wanted) < p.tight, (link.name, ours)


def tips(system: fb.System) -> list[Any]:
    """Moving links without children."""
    assert system.robot is not None
    robot = system.robot
    parents = {joint.parent for joint in robot.joints.values()}
    moving = {robot.root} if robot.floating else set[str]()
    for joint in robot.joints.values():
        if joint.moves or joint.parent in moving:
            moving.add(joint.child)
    return [link for name, link in robot.links.items() if name in moving and name not in parents]


def centroidal_agrees(p: Pair) -> None:
    """Momentum and its matrix about Pinocchio's mass centre, which excludes links fixed to the ground."""
    (q, u, _), data = p.here, p.referee.data
    p.referee.pin.ccrba(p.referee.model, data, *p.there[:2])
    got, momentum = p.f.centroidal(q), p.f.centroidal_momentum(q, u)
    apart = got.centre - p.referee.pin.centerOfMass(p.referee.model, data, p.there[0])
    if p.system.robot is not None and p.system.robot.floating:
        assert np.abs(apart).max() < p.tight
        assert error(got.inertia, data.Ig.inertia) < p.tight
    assert error(p.columns(shifted(got.matrix, apart)), data.Ag) < p.tight
    assert error(shifted(momentum[:, None], apart)[SWAP, 0], data.hg.vector) < p.tight


def shifted(h: Array, r: Array) -> Array:
    """Columns of (angular, linear) momentum about a point at −r from their reference point."""
    return np.concatenate([h[:3] + np.cross(r, h[3:], axisb=0, axisc=0), h[3:]])


def inverse_derivatives_agree(p: Pair) -> None:
    """Columns of derivatives by q are along the tangent in both libraries."""
    data = p.referee.data
    p.referee.pin.computeRNEADerivatives(p.referee.model, data, *p.there)
    got = p.f.inverse_derivatives(*p.here)
    M = np.triu(data.M) + np.triu(data.M, 1).T
    for name, wanted in (("q", data.dtau_dq), ("u", data.dtau_dv), ("u_dot", M)):
        assert error(p.square(got[name]), wanted) < p.tight, name


def forward_derivatives_agree(p: Pair) -> None:
    data = p.referee.data
    p.referee.pin.computeABADerivatives(p.referee.model, data, *p.there)
    got = p.f.forward_derivatives(*p.here)
    inverse = np.triu(data.Minv) + np.triu(data.Minv, 1).T
    for name, wanted in (("q", data.ddq_dq), ("u", data.ddq_dv), ("tau", inverse)):
        assert error(p.square(got[name]), wanted) < p.tight, name


CHECKS = {
    "jacobians": jacobians_agree, "centroidal": centroidal_agrees,
    "inverse derivatives": inverse_derivatives_agree, "forward derivatives": forward_derivatives_agree,
}  # fmt: skip
