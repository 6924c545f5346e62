"""Random modal data: symmetric where it must be, and well-posed, but of no body in particular."""

import numpy as np

import freebody as fb
from freebody.fem.modal_data import ModalData, ModalNode
from freebody.model.body import Reference
from freebody.model.joints.flexible import NodeAttachment
from freebody.model.joints.modal import Modal


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return R * np.linalg.det(R)


def random_node(rng: np.random.Generator, n: int) -> ModalNode:
    second = rng.normal(size=(3, n, n))
    return ModalNode(
        rng.normal(size=3),
        rng.normal(size=(3, n)) * 0.3,
        rng.normal(size=(3, n)) * 0.3,
        0.1 * (second + second.transpose(0, 2, 1)),
    )


def random_modal_data(rng: np.random.Generator, n: int, nodes: int = 1, damping: float = 0.01) -> ModalData:
    """Data with nodes p1, p2, …; its mass matrix is positive definite for |η| up to about 0.3."""
    C, J2 = rng.normal(size=(3, n, n)), rng.normal(size=(n, n, 3, 3))
    J1 = rng.normal(size=(n, 3, 3))
    C, J1 = 0.05 * (C + C.transpose(0, 2, 1)), 0.1 * (J1 + J1.transpose(0, 2, 1))
    J2 = J2 + J2.transpose(1, 0, 2, 3)
    J0 = rng.normal(size=(3, 3))
    return ModalData(
        m=float(n + 5),
        c0=rng.normal(size=3) * 0.5,
        E=rng.normal(size=(3, n)) * 0.5,
        C=C,
        F0=rng.normal(size=(3, n)) * 0.5,
        F1=rng.normal(size=(3, n, n)) * 0.1,
        J0=J0 @ J0.T + (n + 5) * np.eye(3),
        J1=J1,
        J2=0.02 * (J2 + J2.transpose(0, 1, 3, 2)),
        M_ff=np.eye(n),
        K=np.diag(rng.uniform(1, 9, n)),
        D=damping * np.eye(n),
        preload=np.zeros(n),
        nodes={f"p{k + 1}": random_node(rng, n) for k in range(nodes)},
    )


def chain(
    count: int, n: int, order: str, rng: np.random.Generator, gravity: tuple[float, ...] = (0, 0, 0)
) -> fb.System:
    """Flexible bodies on hinges in general position, one on another."""
    s = fb.System("flexible chain", gravity=gravity)
    on: Reference = s.ground
    R = np.eye(3)
    for k in range(count):
        hub = s.body(f"hub{k}", on=on, joint=fb.Revolute("z"), orient=R.tolist())
        body = s.body(f"body{k}", on=hub, joint=Modal(random_modal_data(rng, n, damping=0.0), order))
        if k + 1 < count:
            R = random_rotation(rng)
            on = s.body(f"node{k}", on=body, joint=NodeAttachment("p1"))
    return s
