"""Control engineers' verbs: equilibria, linearisation, feedback, symmetries (docs/control.md)."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from freebody.formulations.derivation import Derivation
from freebody.run.initial import Given
from freebody.run.numbers import switch

if TYPE_CHECKING:
    from freebody.analysis.equilibrium import Equilibrium
    from freebody.analysis.input_output import InputOutput
    from freebody.analysis.lie import Rank
    from freebody.analysis.symmetry import Symmetry
    from freebody.api.equations import Equations

Names = Sequence[str] | str
Numbers = Mapping[str, float]


class Controlled(ABC):
    """What equations of motion answer to control engineers. A point ``at`` which something is asked is an equilibrium,
    or values by name: {"q.arm": 0.3, "u.arm": 0, "motor": 1.5, "t": 0}; what is not said is the joint's initial value,
    or 0."""

    derivation: Derivation
    values: dict[str, float]

    def equilibrium(
        self, q: Given = None, u: Given = None, z: Given = None, inputs: Any = None, parameters: Numbers | None = None,
        free: Names = (), hold: Names = (), t: float = 0.0,
    ) -> "Equilibrium":  # fmt: skip
        """Where ẋ = 0: found from the guess q (and z), at the speeds u (0; others are held: a steady motion). ``hold``
        names coordinates that stay as given, ``free`` what may be trimmed: inputs, "tau" or "tau.‹speed›", parameters.
        """
        from freebody.analysis.equilibrium import equilibrium
        from freebody.api.locating import asked, at_rest

        rest = at_rest(self, hold, free)
        return equilibrium(rest, asked(self, rest.state, {"q": q, "u": u, "z": z}, inputs, parameters, t))

    def equilibria(
        self, q: Given = None, u: Given = None, z: Given = None, inputs: Any = None, parameters: Numbers | None = None,
        free: Names = (), hold: Names = (), t: float = 0.0, starts: int = 30, seed: int = 0,
    ) -> "list[Equilibrium]":  # fmt: skip
        """Distinct equilibria found from the guess and random starts, with their stability."""
        from freebody.analysis.equilibrium import equilibria
        from freebody.api.locating import asked, at_rest

        rest = at_rest(self, hold, free)
        guess = asked(self, rest.state, {"q": q, "u": u, "z": z}, inputs, parameters, t)
        return equilibria(rest, guess, starts, seed)

    def linearize(
        self, at: Any = None, inputs: Names | None = None, outputs: Any = None, parameters: Numbers | None = None,
        trim: bool = False, free: Names = (), hold: Names = (), minimal: bool = True, symbolic: bool = False,
    ) -> Any:  # fmt: skip
        """ẋ = A x + B w, y = C x + D w near a point, by exact derivatives. ``trim`` first looks for an equilibrium from
        there. ``minimal`` states are along the tangent of q (2 nu + nz of them, more only for joints that are not
        holonomic), else x itself. ``symbolic`` gives expressions (``SymbolicLinear``), with numbers only where ``at``
        says them; else it is a ``Linear``."""
        from freebody.api.locating import at_rest, derivatives, located, near, said

        minimal, symbolic, trim = (
            switch(value, who)
            for who, value in (("minimal", minimal), ("symbolic", symbolic), ("trim", trim))
        )
        if symbolic:
            from freebody.analysis.linearise import Linearisation

            field, point = near(self, at, parameters)
            exprs = Linearisation(field, field.inputs(inputs), field.outputs(outputs), minimal)
            return exprs.symbolic(point, said(field, at, point))
        exact = derivatives(self, inputs, outputs, minimal)
        point = located(self, exact.state, at, parameters)
        if trim:
            from freebody.analysis.equilibrium import equilibrium

            point = equilibrium(at_rest(self, hold, free), point).point
        return exact.at(point)

    def input_output(
        self, outputs: Any = None, inputs: Names | None = None, parameters: Numbers | None = None
    ) -> "InputOutput":
        """How inputs move outputs: relative degrees, decoupling matrix, linearising feedback, zero dynamics."""
        from freebody.analysis.input_output import InputOutput
        from freebody.analysis.lie import ControlAffine
        from freebody.api.locating import located, near

        field, point = near(self, None, parameters)
        motion = ControlAffine(field, field.inputs(inputs), point)
        chosen = motion.with_accelerations(field.outputs(outputs))
        return InputOutput(motion, chosen, lambda at: located(self, field, at, parameters))

    def accessibility(
        self, at: Any = None, inputs: Names | None = None, parameters: Numbers | None = None, depth: int | None = None
    ) -> "Rank":
        """The dimension that Lie brackets of the inputs' fields span at a point, up to a depth of brackets."""
        from freebody.analysis.lie import ControlAffine, accessibility
        from freebody.analysis.linearise import Linearisation
        from freebody.api.locating import near

        field, point = near(self, at, parameters)
        nearby = Linearisation(field, [], [])
        over = np.asarray(np.linalg.pinv(nearby.lift(point)), float)
        return accessibility(ControlAffine(field, field.inputs(inputs), point), nearby.states, over, depth)

    def observability(
        self, at: Any = None, outputs: Any = None, inputs: Names | None = None, parameters: Numbers | None = None,
        depth: int | None = None,
    ) -> "Rank":  # fmt: skip
        """The dimension that gradients of the outputs' Lie derivatives span at a point, up to a depth."""
        from freebody.analysis.lie import ControlAffine, observability
        from freebody.analysis.linearise import Linearisation
        from freebody.api.locating import near

        field, point = near(self, at, parameters)
        T = (nearby := Linearisation(field, [], [])).lift(point)
        motion = ControlAffine(field, field.inputs(inputs), point)
        return observability(motion, motion.with_accelerations(field.outputs(outputs)), nearby.states, T, depth)

    def symmetries(self, parameters: Numbers | None = None) -> "list[Symmetry]":
        """Cyclic coordinates with their momenta, and the momenta and the energy that are conserved."""
        from freebody.analysis.symmetry import symmetries
        from freebody.api.locating import near

        return symmetries(*near(self, None, parameters))


class Verbs(ABC):
    """The same verbs of a system."""

    @abstractmethod
    def _moving(self) -> "Equations":
        """Its equations, kept until it changes."""

    def equilibrium(self, *given: Any, **options: Any) -> "Equilibrium":
        """A state where nothing changes; see ``Equations.equilibrium``: q, u, z, inputs, parameters, free, hold."""
        return self._moving().equilibrium(*given, **options)

    def equilibria(self, *given: Any, **options: Any) -> "list[Equilibrium]":
        """Several, from random starts; see ``Equations.equilibria``: as above, starts, seed."""
        return self._moving().equilibria(*given, **options)

    def linearize(self, at: Any = None, **options: Any) -> Any:
        """A, B, C, D near a point; see ``Equations.linearize``: inputs, outputs, trim, minimal, symbolic, …"""
        return self._moving().linearize(at, **options)

    def input_output(self, outputs: Any = None, **options: Any) -> "InputOutput":
        """Relative degrees and linearising feedback; see ``Equations.input_output``: outputs, inputs, parameters."""
        return self._moving().input_output(outputs, **options)

    def accessibility(self, at: Any = None, **options: Any) -> "Rank":
        """Rank of Lie brackets at a point; see ``Equations.accessibility``: inputs, parameters, depth."""
        return self._moving().accessibility(at, **options)

    def observability(self, at: Any = None, **options: Any) -> "Rank":
        """Rank of gradients of Lie derivatives; see ``Equations.observability``: outputs, inputs, depth."""
        return self._moving().observability(at, **options)

    def symmetries(self, **options: Any) -> "list[Symmetry]":
        """Cyclic coordinates, conserved momenta and energy; see ``Equations.symmetries``."""
        return self._moving().symmetries(**options)
