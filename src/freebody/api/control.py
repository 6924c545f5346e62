"""Methods of equations for control engineers: equilibria, linearisation, feedback, symmetries (docs/control.md)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from freebody.errors import AnalysisWarning, ArgumentError, warn
from freebody.formulations.derivation import Derivation
from freebody.formulations.memo import key_of
from freebody.keywords import hint_keywords
from freebody.names import U
from freebody.run.arguments import boolean, by_name, is_positive_integer, names, number
from freebody.run.initial import InitialValues, default_state
from freebody.run.inputs import InputValues, named_inputs
from freebody.tables import listed
from freebody.tree.tree import require_unconstrained

if TYPE_CHECKING:
    from freebody.analysis.branches import Continuation
    from freebody.analysis.equilibrium import Equilibrium, RestEquations
    from freebody.analysis.input_output import InputOutput
    from freebody.analysis.lie import Rank
    from freebody.analysis.lyapunov_function import LyapunovFunction
    from freebody.analysis.routh import Routhian
    from freebody.analysis.state_equations import OperatingPoint, StateEquations
    from freebody.analysis.symmetry import Symmetry

Names = Sequence[str] | str
Numbers = Mapping[str, float]


@hint_keywords
class ControlMethods:
    """Methods of equations of motion for control engineers. A point ``at`` which something is computed is an
    equilibrium, or values by name: {"q.arm": 0.3, "u.arm": 0, "motor": 1.5, "t": 0}; what is left out is the joint's
    initial value, or 0."""

    derivation: Derivation
    values: dict[str, float]

    def equilibrium(
        self,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
        inputs: InputValues = None,
        parameters: Numbers | None = None,
        free: Names = (),
        hold: Names = (),
        t: float = 0.0,
        free_motion: Names = (),
        rates: Numbers | None = None,
    ) -> "Equilibrium":
        """Where u̇ = 0 and ż = 0: searched from the guess q (and z), at the speeds u (0 by default). ``hold`` names
        coordinates that stay at the guess, ``free`` what may be trimmed: inputs, "tau" or "tau.‹speed›", parameters,
        "u.‹speed›".

        With speeds the result is a steady motion: u̇ and ż also stay 0 as the coordinates move, (∂u̇/∂q) q̇ = 0. Cyclic
        coordinates may move; ``free_motion`` names others whose motion is left out of this condition. ``rates`` has
        rates of coordinates, {"q.chassis.z": 0}, for as many speeds in ``free``."""
        from freebody.analysis.equilibrium import equilibrium

        state = {"q": q, "u": u, "z": z}
        found = equilibrium(*self._rest(hold, free, free_motion, rates, state, inputs, parameters, t))
        self._warn_of_large_slopes(found.point.q)
        return found

    def equilibria(
        self,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
        inputs: InputValues = None,
        parameters: Numbers | None = None,
        free: Names = (),
        hold: Names = (),
        t: float = 0.0,
        starts: int = 30,
        seed: int = 0,
        free_motion: Names = (),
        rates: Numbers | None = None,
    ) -> "list[Equilibrium]":
        """Distinct equilibria found from the guess and random starts, with their stability."""
        from freebody.analysis.equilibrium import equilibria

        state = {"q": q, "u": u, "z": z}
        rest = self._rest(hold, free, free_motion, rates, state, inputs, parameters, t)
        several = equilibria(*rest, starts, seed)
        if several:
            self._warn_of_large_slopes(np.array([one.point.q for one in several]))
        return several

    def continuation(
        self,
        parameter: str,
        start: float,
        end: float,
        q: InitialValues = None,
        u: InitialValues = None,
        z: InitialValues = None,
        inputs: InputValues = None,
        parameters: Numbers | None = None,
        free: Names = (),
        hold: Names = (),
        t: float = 0.0,
        free_motion: Names = (),
        rates: Numbers | None = None,
        step: float = 0.05,
        points: int = 500,
        branches: int = 20,
    ) -> "Continuation":
        """Equilibria, or steady motions, as a parameter, an input, a generalised force "tau.‹speed›" or a speed
        "u.‹speed›" changes from ``start`` to ``end``: the branch through the equilibrium that the guess leads to at the
        start, by pseudo-arclength, so that it is followed around folds; its folds, branch points and Hopf points; and
        the branches that begin there. ``step`` is the largest step along a branch, where 1 is the range of the
        parameter or a large change of a coordinate (1 rad, 1 m); a branch has at most ``points``, and at most
        ``branches`` are followed.
        The other arguments are those of ``equilibrium``."""
        from freebody.analysis.continuation import continuation
        from freebody.analysis.equilibrium import RestEquations
        from freebody.analysis.equilibrium_curve import EquilibriumCurve
        from freebody.analysis.state_equations import StateEquations

        if not isinstance(parameter, str):
            raise ArgumentError(f"continuation needs the name of one parameter or input, not {parameter!r}")
        ends = number(start, "start"), number(end, "end")
        if ends[0] == ends[1] or not np.isfinite(ends).all():
            raise ArgumentError(f"start and end of '{parameter}' must differ; they are {ends[0]:g} and {ends[1]:g}")
        step = number(step, "step")
        if not 0 < step <= 1:
            raise ArgumentError(f"step, the largest step along a branch, must be above 0 and at most 1, not {step:g}")
        for name, value in (("points", points), ("branches", branches)):
            if not is_positive_integer(value):
                raise ArgumentError(
                    f"{name}, the largest number of {name}, must be an integer of at least 1, not {value!r}"
                )
        e, others = self.derivation, names(free, "free")
        if parameter in others:
            raise ArgumentError(f"'{parameter}' changes along the branches; leave it out of free")
        state = {"q": q, "u": u, "z": z}
        rest, guess = self._rest(hold, [parameter, *others], free_motion, rates, state, inputs, parameters, t)
        if len(rest.trimmed) != 1 + len(others) + ("tau" in others) * (len(e.layout.u) - 1):
            raise ArgumentError(f"'{parameter}' names several forces; give one of them, 'tau.‹speed›'")
        speeds = rest.with_speeds

        def derive() -> RestEquations:
            return RestEquations(StateEquations(e), hold, others, free_motion, [*(rates or {})], speeds)

        fixed = e.memo.get(key_of("rest", hold, others, free_motion, [*(rates or {})], speeds), derive)
        fixed = fixed.aim(rest.targets.tolist()) if rates else fixed
        result = continuation(EquilibriumCurve(rest, fixed, parameter, guess, ends, step), points, branches)
        self._warn_of_large_slopes(np.array([p.point.q for branch in result.branches for p in branch.points]))
        return result

    def _rest(
        self,
        hold: Any,
        free: Any,
        free_motion: Any,
        rates: Any,
        state: Mapping[str, InitialValues],
        inputs: InputValues,
        parameters: Numbers | None,
        t: Any,
    ) -> "tuple[RestEquations, OperatingPoint]":
        """The equations of rest, and the guess."""
        from freebody.analysis.operating_point import point_of_state
        from freebody.analysis.state_equations import StateEquations

        e, named = self.derivation, named_inputs(self.derivation, inputs, held=True)
        shared = e.memo.get("state equations", lambda: StateEquations(e))
        point = point_of_state(shared, self.values, state, named, parameters, t)
        return self._rest_equations(hold, free, free_motion, rates, point), point

    def _rest_equations(
        self, hold: Any, free: Any, free_motion: Any, rates: Any, point: "OperatingPoint"
    ) -> "RestEquations":
        """Those of a steady motion where there are speeds, or may be."""
        from freebody.analysis.equilibrium import RestEquations
        from freebody.analysis.state_equations import StateEquations

        e, aims = self.derivation, by_name(rates, "rates", "{'q.chassis.z': 0}")
        targets = [number(value, f"the rate of '{name}'") for name, value in aims.items()]
        speeds = bool(np.any(point.u)) or bool(aims) or any(U.holds(str(name)) for name in names(free, "free"))

        def derive() -> RestEquations:
            return RestEquations(StateEquations(e), hold, free, free_motion, [*aims], speeds)

        rest = e.memo.get(key_of("rest", hold, free, free_motion, [*aims], speeds), derive)
        return rest.aim(targets) if targets else rest

    def _near(
        self, at: Any, parameters: Numbers | None, what: str, way_out: str
    ) -> "tuple[StateEquations, OperatingPoint]":
        """ẋ as expressions, and a point, for an analysis that does not support constraints."""
        from freebody.analysis.operating_point import operating_point
        from freebody.analysis.state_equations import StateEquations

        require_unconstrained(self.derivation.tree, what, way_out)
        state = StateEquations(self.derivation)
        return state, operating_point(state, self.values, at, parameters)

    def linearize(
        self,
        at: Any = None,
        inputs: Names | None = None,
        outputs: Any = None,
        parameters: Numbers | None = None,
        trim: bool = False,
        free: Names = (),
        hold: Names = (),
        minimal: bool = True,
        symbolic: bool = False,
        independent: Names = (),
        free_motion: Names = (),
        rates: Numbers | None = None,
    ) -> Any:
        """ẋ = A x + B w, y = C x + D w near a point, by exact derivatives. ``trim`` first searches an equilibrium from
        there, with ``free``, ``hold``, ``free_motion`` and ``rates`` of ``equilibrium``; at a point that is neither an
        equilibrium nor part of a steady motion a warning names the largest rate. ``minimal`` states are along the
        tangent of q (2 nu + nz of them, more only for joints that are not holonomic), else x itself. ``symbolic``
        returns expressions (``SymbolicLinear``), with numbers only where ``at`` has them; else it is a ``Linear``.

        With constraints the point is moved to them, while the values that ``at`` has are held (``assemble``), and the
        minimal states are independent ones: those that ``independent`` names (coordinates "crank" with their speeds as
        far as they are independent, speeds "u.crank"), completed in the order of the system."""
        from freebody.analysis.linearise import Linearisation, assembled
        from freebody.analysis.operating_point import fixed_symbols, operating_point, states_set
        from freebody.analysis.state_equations import StateEquations

        minimal, symbolic = boolean(minimal, "minimal"), boolean(symbolic, "symbolic")
        trim, e = boolean(trim, "trim"), self.derivation
        of_trim = {"free": free, "hold": hold, "free_motion": free_motion, "rates": rates}
        if not trim and any(of_trim.values()):
            name = next(name for name, value in of_trim.items() if value)
            raise ArgumentError(f"linearize({name}=…) is used only with the search for an equilibrium: add trim=True")

        def derive() -> Linearisation:
            state = StateEquations(e)
            chosen = names(independent, "independent")
            return Linearisation(state, state.inputs(inputs), state.outputs(outputs), minimal, chosen)

        key = key_of("linearize", inputs, outputs, minimal, independent)
        linear = derive() if symbolic else e.memo.get(key, derive)
        point = operating_point(linear.state, self.values, at, parameters)
        if symbolic:
            return linear.symbolic(point, fixed_symbols(linear.state, at, point))
        if trim:
            from freebody.analysis.equilibrium import equilibrium

            point = equilibrium(self._rest_equations(hold, free, free_motion, rates, point), point).point
        elif linear.constrained:
            try:
                base = default_state(e) if isinstance(at, Mapping) else None
                point = assembled(linear.state, point, states_set(linear.state, at), base=base)
            except ArgumentError as error:
                if not linear.body_energies.flexible:
                    raise
                raise ArgumentError(f"{error}. Or linearise about the equilibrium: linearize(trim=True)") from None
        self._warn_of_large_slopes(point.q)
        result = linear.at(point)
        if result.largest_rate is not None:
            warn(f"{self.derivation.tree.model.name}: {result.caution}", AnalysisWarning)
        return result

    def _warn_of_large_slopes(self, q: "NDArray[np.float64]") -> None:
        from freebody.run.large_slopes import bendings, warn_of_large_slopes

        e = self.derivation
        warn_of_large_slopes(e.tree.model.name, e.memo.get("bendings", lambda: bendings(e)), q)

    def input_output(
        self, outputs: Any = None, inputs: Names | None = None, parameters: Numbers | None = None
    ) -> "InputOutput":
        """How inputs act on outputs: relative degrees, decoupling matrix, linearising feedback, zero dynamics."""
        from freebody.analysis.input_output import InputOutput
        from freebody.analysis.lie import ControlAffine
        from freebody.analysis.operating_point import operating_point

        instead = "linearize it: linearize(…).zeros(), controllability() and observability()"
        state, point = self._near(None, parameters, "input_output", instead)
        motion = ControlAffine(state, state.inputs(inputs), point)
        chosen = motion.with_accelerations(state.outputs(outputs))
        return InputOutput(motion, chosen, lambda at: operating_point(state, self.values, at, parameters))

    def accessibility(
        self, at: Any = None, inputs: Names | None = None, parameters: Numbers | None = None, depth: int | None = None
    ) -> "Rank":
        """The dimension that Lie brackets of the inputs' fields span at a point, up to a depth of brackets."""
        from freebody.analysis.lie import ControlAffine, accessibility
        from freebody.analysis.linearise import Linearisation

        state, point = self._near(at, parameters, "accessibility", "use linearize(…).controllability()")
        nearby = Linearisation(state, [], [])
        over = np.asarray(np.linalg.pinv(nearby.lift(point)), float)
        return accessibility(ControlAffine(state, state.inputs(inputs), point), nearby.states, over, depth)

    def observability(
        self,
        at: Any = None,
        outputs: Any = None,
        inputs: Names | None = None,
        parameters: Numbers | None = None,
        depth: int | None = None,
    ) -> "Rank":
        """The dimension that gradients of the outputs' Lie derivatives span at a point, up to a depth."""
        from freebody.analysis.lie import ControlAffine, observability
        from freebody.analysis.linearise import Linearisation

        state, point = self._near(at, parameters, "observability", "use linearize(…).observability()")
        T = (nearby := Linearisation(state, [], [])).lift(point)
        motion = ControlAffine(state, state.inputs(inputs), point)
        return observability(motion, motion.with_accelerations(state.outputs(outputs)), nearby.states, T, depth)

    def lyapunov(
        self,
        at: Any = None,
        method: Literal["energy", "quadratic"] = "energy",
        Q: Any = None,
        parameters: Numbers | None = None,
        starts: int = 20,
        rays: int = 300,
        seed: int = 0,
    ) -> "LyapunovFunction":
        """A Lyapunov function of an equilibrium at rest: ``at`` it, or at the one to which values by name lead.

        "energy": V = E − E₀, for systems whose loads have a potential or take energy away, also with constraints. What
        follows is in ``verdict``; its ``level`` is that of the lowest other equilibrium found by ``starts`` searches.
        "quadratic": V = yᵀ P y by the Lyapunov equation AᵀP + PA = −Q of a stable linearisation (Q = 1 by default, a
        matrix or its diagonal); its ``level`` is the largest below which V decreases on so many ``rays``: an estimate
        of the region of attraction, not a proof."""
        from freebody.analysis.equilibrium import Equilibrium, equilibria, equilibrium
        from freebody.analysis.linearise import Linearisation
        from freebody.analysis.lyapunov import energy_function, quadratic_function
        from freebody.analysis.operating_point import operating_point
        from freebody.analysis.state_equations import StateEquations

        if method not in ("energy", "quadratic"):
            raise ArgumentError(f"method must be 'energy' or 'quadratic', not {method!r}")
        for name, value in (("starts", starts), ("rays", rays)):
            if not is_positive_integer(value):
                raise ArgumentError(f"{name}, the number of {name}, must be an integer of at least 1, not {value!r}")
        if method == "quadratic":
            require_unconstrained(self.derivation.tree, "lyapunov(method='quadratic')", "use method='energy'")
        state = StateEquations(self.derivation)
        if not state.holonomic:
            raise ArgumentError(
                f"system '{state.name}' has nonholonomic joints: its equilibria are not isolated, so that no Lyapunov"
                " function is positive around one of them"
            )
        point = operating_point(state, self.values, at, parameters)
        rest = self._rest_equations((), (), (), None, point)
        found = at if isinstance(at, Equilibrium) and parameters is None else equilibrium(rest, point)
        if found.rates:
            raise ArgumentError(
                f"system '{state.name}' moves steadily here ({listed(found.rates)}) and is not at rest; if these"
                " coordinates are cyclic, Routh's reduction, routh(…), makes it a state of rest"
            )
        linear = Linearisation(state, [], []).at(found.point)
        if method == "quadratic":
            return quadratic_function(state, found, linear, Q, rays, seed)
        if Q is not None:
            raise ArgumentError("Q is used with method='quadratic' only; leave it out")
        return energy_function(state, found, linear, lambda: equilibria(rest, found.point, starts, seed), starts)

    def routh(self, momenta: Numbers, inputs: InputValues = None, parameters: Numbers | None = None) -> "Routhian":
        """The system in its other coordinates alone, at constant momenta of cyclic coordinates by name,
        {"q.mast": 0.3} (Routh's reduction): equations, amended potential, runs. Inputs are constant."""
        from freebody.analysis.operating_point import point_of_state
        from freebody.analysis.routh import routh
        from freebody.analysis.state_equations import StateEquations

        require_unconstrained(self.derivation.tree, "routh", "look at momenta along a run")
        state, named = StateEquations(self.derivation), named_inputs(self.derivation, inputs, held=True)
        point = point_of_state(state, self.values, {}, named, parameters, 0.0)
        return routh(state, point, by_name(momenta, "momenta", "{'q.mast': 0.3}"))

    def symmetries(self, parameters: Numbers | None = None) -> "list[Symmetry]":
        """Cyclic coordinates with their momenta, and the momenta and the energy that are conserved."""
        from freebody.analysis.symmetry import symmetries

        instead = "look at momenta and energies along a run"
        return symmetries(*self._near(None, parameters, "symmetries", instead))
