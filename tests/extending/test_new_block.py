"""A block that is defined in this file alone has a form in files, a digest, records, and every formulation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

import freebody as fb
from freebody.model.blocks import BLOCKS
from freebody.model.blocks.base import SignalBlock
from freebody.model.element import Given, field
from freebody.model.kinds import Number, Scalar, ScalarValue
from freebody.model.signals import OwnSignal, OwnState, SignalView
from freebody.tree.tree import span
from tests.extending.checks import FORMULATIONS, in_files
from tests.formulations.test_every_lane import agree
from tests.mechanisms.general_position import At, random_state, two_bodies


@dataclass(frozen=True, eq=False)
class Oscillator(SignalBlock):
    """A sine whose frequency is a signal: the outputs are ``NAME`` and ``NAME.cosine``."""

    frequency: Given[ScalarValue] = field(Scalar(), "angular frequency", unit="rad/s")
    phase: Given[float] = field(Number(), "initial phase", default=0.0)
    kind: ClassVar[str] = "oscillator"

    def own_states(self) -> Sequence[OwnState]:
        return (OwnState("phase", self.phase, "rad"),)

    def own_signals(self) -> Sequence[OwnSignal]:
        return *super().own_signals(), OwnSignal("cosine")

    def laws(self, view: SignalView) -> tuple[Sequence[Any], Sequence[Any]]:
        phase = self.own(view, "phase")
        return [view.scalar(self.frequency)], [fb.sin(phase), fb.cos(phase)]


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    """The line in the table."""
    BLOCKS.add(Oscillator)
    yield
    del BLOCKS["oscillator"]


def system() -> fb.System:
    s = two_bodies(5)
    s.add(Oscillator("k + t", phase=0.3), "wave")
    s.joint_force("tip", "wave + 2*wave.cosine")
    return s


def test_every_formulation_has_it() -> None:
    s = system()
    agree(At(s, *random_state(span(s.freeze()), np.random.default_rng(5)), [0.7]), FORMULATIONS, every=True)


def test_files_digest_and_records() -> None:
    s = system()
    in_files(s, "oscillator")
    assert s.digest() != two_bodies(5).digest()
    run = s.simulate([0, 0.1, 0.2], rtol=1e-10)
    phase = 0.3 + 3 * run.t + run.t**2 / 2
    assert np.allclose(run["output.wave"], np.sin(phase), atol=1e-8)
    assert np.allclose(run["output.wave.cosine"], np.cos(phase), atol=1e-8)
