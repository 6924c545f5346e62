"""Random robots as URDF text: every joint of URDF, frames with quarter turns and arbitrary rotations, links without
mass, and names in no alphabetical order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import pi
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

ALL = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating")
HINGES = ("revolute", "continuous", "prismatic", "fixed")
ODD = ("left arm", "é-1", "a.b", "x&y", "<z>", "50%", "it's", "ground", "t", "{q}")


@dataclass
class Draw:
    """A seeded source of random numbers for a robot."""

    seed: int
    kinds: Sequence[str] = ALL
    dynamics: bool = False
    odd: bool = False
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def three(self, size: float = 1.0) -> str:
        return " ".join(repr(float(v)) for v in self.rng.uniform(-size, size, 3))

    def rpy(self) -> str:
        """No rotation, quarter turns, or an arbitrary rotation."""
        match self.rng.integers(3):
            case 0:
                return "0 0 0"
            case 1:
                return " ".join(repr(float(k) * pi / 2) for k in self.rng.integers(-2, 3, 3))
        return self.three(3.0)

    def axis(self) -> str:
        if self.rng.random() < 0.7:
            return " ".join(str(v) for v in self.rng.permutation([0, 0, int(self.rng.choice([-1, 1]))]))
        return self.three()

    def inertial(self, mass: bool) -> str:
        if not mass:
            return ""
        points = self.rng.normal(size=(6, 3)) * 0.3  # six point masses have a possible inertia
        J = sum(np.eye(3) * (p @ p) - np.outer(p, p) for p in points)
        entries = {"xx": (0, 0), "xy": (0, 1), "xz": (0, 2), "yy": (1, 1), "yz": (1, 2), "zz": (2, 2)}
        moments = " ".join(f'i{word}="{float(J[i, j])!r}"' for word, (i, j) in entries.items())
        m = float(self.rng.uniform(0.5, 3))
        origin = f'<origin rpy="{self.rpy()}" xyz="{self.three(0.3)}"/>'
        return f'<inertial>{origin}<mass value="{m!r}"/><inertia {moments}/></inertial>'

    def joint(self, name: str, kind: str, parent: str, child: str) -> str:
        axis = "0 0 1" if kind == "planar" else self.axis()
        more = '<limit lower="-1" upper="1" effort="10" velocity="5"/>' if kind in ("revolute", "prismatic") else ""
        if self.dynamics and kind in ("revolute", "continuous", "prismatic"):
            more += f'<dynamics damping="{self.rng.uniform(0.1, 1)!r}"/>'
        return (
            f'<joint name={quoteattr(name)} type="{kind}"><parent link={quoteattr(parent)}/>'
            f'<child link={quoteattr(child)}/><origin xyz="{self.three()}" rpy="{self.rpy()}"/><axis xyz="{axis}"/>'
            f"{more}</joint>"
        )

    def names(self, count: int, letter: str) -> list[str]:
        """Names that are not in alphabetical order."""
        plain = [f"{letter}{k}" for k in self.rng.permutation(count)]
        return [f"{ODD[k % len(ODD)]}" if self.odd and k < len(ODD) else name for k, name in enumerate(plain)]


def robot(seed: int, links: int = 7, **options: Any) -> str:
    """The text of a random robot whose joints are listed in another order than its links."""
    draw = Draw(seed, **options)
    names, joints = draw.names(links, "l"), [f"j{k}" for k in draw.rng.permutation(links)]
    kinds = ["fixed", *(draw.kinds[(seed + k) % len(draw.kinds)] for k in range(1, links))]
    parents = [max(0, k - 1) if draw.rng.random() < 0.6 else int(draw.rng.integers(0, max(1, k))) for k in range(links)]
    ends = {k for k in range(links) if k not in parents[1:]}
    made = []
    for k, name in enumerate(names):
        heavy = k == 0 or kinds[k] != "fixed" or k in ends or draw.rng.random() < 0.5
        made.append(f"<link name={quoteattr(name)}>{draw.inertial(heavy)}</link>")
    texts = [draw.joint(joints[k], kinds[k], names[parents[k]], names[k]) for k in range(1, links)]
    order = draw.rng.permutation(len(texts))
    return "\n".join([f'<robot name="robot {seed}">', *(texts[k] for k in order), *made, "</robot>"])
