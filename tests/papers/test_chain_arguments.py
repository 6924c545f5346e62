"""Functions of serial chains accept or refuse each argument of a wrong type."""

from typing import Any

import pytest

import freebody as fb
from freebody.papers.serial_chain import ChainBody
from tests.test_wrong_types import tried

HINGES = [fb.Revolute("z"), fb.Revolute("z")]
LINKS = [ChainBody(("a/2", 0, 0), ("a", 0, 0), "m", (0, 0, "I")) for _ in HINGES]
CHAIN = fb.chain_inertia(HINGES, LINKS, "t1 t2")
NAMES = {"q": "t1 t2", "p": "p1 p2"}
CHAINS: dict[str, dict[str, Any]] = {
    "chain_inertia": {"joints": HINGES, "bodies": LINKS, "names": "t1 t2", "angles": "shortest"},
    "end_effector_pose": {"bodies": LINKS, "X": CHAIN.X}, "gravity_potential": {"bodies": LINKS, "X": CHAIN.X},
    "coriolis_matrix": {"M": CHAIN.M, "V": CHAIN.V, **NAMES, "skew": False},
    "poincare_function": {"M": CHAIN.M, "V": CHAIN.V, "potential": 0, "Q": "T1 T2", **NAMES, "on": "speeds"},
    "joint_map": {"joint": HINGES[0], "names": "a"}, "joint_configuration": {"joint": HINGES[0], "names": "a"},
    "kinematic_matrix": {"joint": HINGES[0], "names": "a"},
}  # fmt: skip
CHAINED = [(name, key) for name, arguments in CHAINS.items() for key in arguments]


@pytest.mark.parametrize(("name", "key"), CHAINED, ids=[f"{name}-{key}" for name, key in CHAINED])
def test_functions_of_chains_accept_or_refuse_arguments(name: str, key: str) -> None:
    getattr(fb, name)(**CHAINS[name])
    tried(lambda wrong: getattr(fb, name)(**{**CHAINS[name], key: wrong}), f"{name} {key}")
