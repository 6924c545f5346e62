"""Other libraries as references for robots: the same quantities in their own layouts."""

import re
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.io import loads_urdf

Array = np.ndarray


def loaded(text: str, **options: Any) -> fb.System:
    """The system of a URDF text, as from ``fb.load``."""
    system, robot = loads_urdf(text, fb.System, **options)
    system.robot = robot
    return system


def error(got: Array, wanted: Array) -> float:
    """The largest difference relative to the largest entry."""
    return float(np.abs(got - wanted).max() / np.abs(wanted).max())


class Referee(ABC):
    """A library's model of a URDF text, evaluated at a state in its own layout."""

    library = ""
    model: Any

    @abstractmethod
    def answers(self, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
        """The mass matrix, the forces for a, and the accelerations for these forces."""

    @abstractmethod
    def pose(self, link: str) -> tuple[Array, Array]:
        """R and p of a link at the last state."""


class Pinocchio(Referee):
    library = "pinocchio"

    def __init__(self, text: str, floating: bool = False) -> None:
        self.pin = pytest.importorskip("pinocchio", reason="the referee Pinocchio is not installed (pip install pin)")
        root = (self.pin.JointModelFreeFlyer(),) if floating else ()
        self.model = self.pin.buildModelFromXML(text, *root)
        self.data = self.model.createData()

    def answers(self, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
        M = self.pin.crba(self.model, self.data, q)
        tau = self.pin.rnea(self.model, self.data, q, v, a).copy()
        self.pin.framesForwardKinematics(self.model, self.data, q)
        return np.triu(M) + np.triu(M, 1).T, tau, self.pin.aba(self.model, self.data, q, v, tau).copy()

    def pose(self, link: str) -> tuple[Array, Array]:
        found = self.data.oMf[self.model.getFrameId(link, self.pin.FrameType.BODY)]
        return found.rotation, found.translation

    def momenta_and_energies(self, q: Array, v: Array) -> tuple[Array, Array, float, float]:
        """Linear momentum, angular momentum about the world's origin, kinetic and potential energy."""
        h, pin = self.pin.computeCentroidalMomentum(self.model, self.data, q, v), self.pin
        about = h.angular + np.cross(self.data.com[0], h.linear)
        energies = pin.computeKineticEnergy(self.model, self.data), pin.computePotentialEnergy(self.model, self.data, q)
        return np.array(h.linear), about, *energies


class MuJoCo(Referee):
    """Without contacts, limits and dry friction. A floating root needs a floating joint in the file."""

    library = "mujoco"

    def __init__(self, text: str) -> None:
        self.mujoco = pytest.importorskip("mujoco", reason="the referee MuJoCo is not installed (pip install mujoco)")
        asked = '<mujoco><compiler fusestatic="false" discardvisual="true"/></mujoco>'
        self.model = self.mujoco.MjModel.from_xml_string(re.sub(r"(<robot [^>]*>)", rf"\1{asked}", text, count=1))
        self.model.opt.disableflags |= self.mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        self.data = self.mujoco.MjData(self.model)

    def answers(self, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
        d, n = self.data, self.model.nv
        d.qpos[:], d.qvel[:], d.qacc[:] = q, v, a
        self.mujoco.mj_inverse(self.model, d)
        tau, M = d.qfrc_inverse.copy(), np.zeros((n, n))
        for k, row in enumerate(np.eye(n)):
            self.mujoco.mj_mulM(self.model, d, M[k], row)
        d.qfrc_applied[:] = tau
        self.mujoco.mj_forward(self.model, d)
        return M, tau, d.qacc.copy()

    def pose(self, link: str) -> tuple[Array, Array]:
        body = self.data.body(link)
        return body.xmat.reshape(3, 3), body.xpos


def floated(text: str, root: str) -> str:
    """The text with its root on a floating joint."""
    joint = f'<joint name="root" type="floating"><parent link="world"/><child link="{root}"/></joint>'
    return re.sub(r"(<robot [^>]*>)", rf'\1<link name="world"/>{joint}', text, count=1)


def bare(text: str) -> str:
    """The text without elements for which a library needs files or has its own conventions."""
    for tag in ("visual", "collision", "transmission", "gazebo"):
        text = re.sub(rf"<{tag}\b[^>]*/>|<{tag}\b.*?</{tag}>", "", text, flags=re.DOTALL)
    return re.sub(r"<mimic\b[^>]*/>", "", text)
