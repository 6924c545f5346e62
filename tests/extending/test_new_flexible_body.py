"""A description of flexible bodies that is defined in this file alone is in files, has a digest, a picture and modes,
and runs in every formulation or is refused by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.fem.modal_data import ModalData, ModalNode
from freebody.model.element import Given, field
from freebody.model.flexible import FLEXIBLE, FlexibleDescription
from freebody.model.flexible.base import Modes
from freebody.model.kinds import Number
from freebody.tree.tree import span
from tests.extending.checks import FORMULATIONS, in_files, picture
from tests.formulations.test_every_lane import agree
from tests.mechanisms.general_position import At, random_state


@dataclass(frozen=True, eq=False)
class Buffer(FlexibleDescription):
    """A rigid rod along x with a slider at its end, held by a spring: one mode, the travel of the slider."""

    length: Given[float] = field(Number(), "length of the rod", unit="m")
    mass: Given[float] = field(Number(), "mass of the rod", unit="kg")
    slider: Given[float] = field(Number(), "mass of the slider", unit="kg")
    stiffness: Given[float] = field(Number(), "stiffness of the spring", unit="N/m")
    kind: ClassVar[str] = "buffer"

    @property
    def node_names(self) -> Sequence[str]:
        return ("root", "slider")

    def compute(self, modes: Modes, paper: bool) -> ModalData:
        """The slider is at (L + η, 0, 0). It has no integrals of the order "paper"."""
        if modes is not None and modes != 1:
            raise ModelError(f"modes: a buffer has one mode, not {modes!r}")
        L, m, s = self.length, self.mass, self.slider
        across = m * L**2 / 3 + s * L**2
        J1, J2 = np.zeros((1, 3, 3)), np.zeros((1, 1, 3, 3))
        J1[0] = np.diag([0, 2 * s * L, 2 * s * L])
        J2[0, 0] = np.diag([0, 2 * s, 2 * s])
        along = np.array([[1.0], [0], [0]])
        still, none = np.zeros((3, 1)), np.zeros((3, 1, 1))
        data = ModalData(
            m=m + s,
            c0=np.array([m * L / 2 + s * L, 0, 0]),
            J0=np.diag([1e-3, across, across]),
            M_ff=np.array([[s]]),
            E=s * along,
            C=none,
            F0=still,
            F1=none,
            J1=J1,
            J2=J2,
            K=np.array([[self.stiffness]]),
            D=np.zeros((1, 1)),
            preload=np.zeros(1),
            nodes={
                "root": ModalNode(np.zeros(3), still, still, none),
                "slider": ModalNode(np.array([L, 0, 0]), along, still, none),
            },
        )
        return self.orthonormal(data, ["axial"], None)


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    """The line in the table."""
    FLEXIBLE.add(Buffer)
    yield
    del FLEXIBLE["buffer"]


def system() -> fb.System:
    s = fb.System("flexible")
    rod = s.body("rod", joint=fb.Revolute((1, 2, 3)), flexible=Buffer(length=2, mass=3, slider=0.5, stiffness=50))
    s.body("tip", on=rod.node("slider"), joint=fb.Revolute("y"), mass=0.3, com=(0.1, 0, 0.2), inertia=(0.1, 0.2, 0.2))
    return s


def rigid() -> fb.System:
    """The same by a prismatic joint with a spring."""
    s = fb.System("rigid")
    rod = s.body("rod", joint=fb.Revolute((1, 2, 3)), mass=3, com=(1, 0, 0), inertia=(1e-3, 1, 1))  # about its centre
    slider = s.body("slider", on=rod, at=(2, 0, 0), joint=fb.Prismatic("x", stiffness=50), mass=0.5)
    s.body("tip", on=slider, joint=fb.Revolute("y"), mass=0.3, com=(0.1, 0, 0.2), inertia=(0.1, 0.2, 0.2))
    return s


def test_every_formulation_has_it_or_refuses_it_by_name() -> None:
    """And it moves as the slider on a rigid rod does; its modal coordinate is √m times the travel."""
    s = system()
    at = At(s, *random_state(span(s.freeze()), np.random.default_rng(5)))
    agree(at, FORMULATIONS, every=True)
    f, g = (one.derive("kane").compile("numpy") for one in (s, rigid()))
    size = np.array([1, np.sqrt(0.5), 1])
    other = g.forward_dynamics(at.q / size, at.u / size, np.zeros(3))
    assert np.allclose(f.forward_dynamics(at.q, at.u, np.zeros(3)), other * size, rtol=1e-9)


def test_files_digest_and_picture() -> None:
    s = system()
    in_files(s, "buffer")
    facts, scene = picture(s)
    assert len(facts.meshes["rod"].points) == 2
    assert len(scene.flexible) == 1
    (mode,) = s.bodies["rod"].modes
    assert mode.frequency == pytest.approx(10.0)
    with pytest.raises(fb.FreebodyError, match="a buffer has one mode, not 2"):
        s.body("other", flexible=Buffer(length=2, mass=3, slider=0.5, stiffness=50), modes=2)
