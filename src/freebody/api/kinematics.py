"""Methods of equations for inverse kinematics (docs/inverse_kinematics.md)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from freebody.formulations.derivation import Derivation
from freebody.keywords import hint_keywords
from freebody.run.initial import InitialValues

if TYPE_CHECKING:
    from freebody.analysis.inverse_kinematics import InverseKinematics
    from freebody.analysis.inverse_kinematics_result import InverseKinematicsResult
    from freebody.analysis.inverse_rates import InverseRatesResult
    from freebody.analysis.target_paths import InverseKinematicsPath

Names = Sequence[str] | str
Numbers = Mapping[str, float]


@hint_keywords
class KinematicsMethods:
    """Methods of equations of motion that find coordinates, speeds and accelerations for given motions of points and
    bodies."""

    derivation: Derivation
    values: dict[str, float]

    def inverse_kinematics(
        self,
        targets: Mapping[Any, Any],
        q: InitialValues = None,
        *,
        limits: bool | Mapping[str, Sequence[float]] = True,
        weights: Mapping[Any, Any] | None = None,
        hold: Names = (),
        posture: float | Numbers | None = None,
        t: float = 0.0,
        parameters: Numbers | None = None,
        engaged: Mapping[str, bool] | None = None,
        tolerance: float = 1e-10,
        steps: int = 1000,
        restarts: int = 0,
        seed: int = 0,
    ) -> "InverseKinematicsResult":
        """Coordinates near the guess q at which bodies and points reach targets, {body, point or name: pose}.

        A pose is a position (three numbers; None where it is free), a rotation (a matrix, or a quaternion
        (w, x, y, z)), both, (position, rotation), seven numbers, a 4 × 4 matrix, or parts by name: {"position": …,
        "rotation": …, "axis": {"z": (0, 0, -1)}}, where an axis of the body has a direction; all in the ground.

        The guess is the joints' initial values with those by name, or a vector. Constraints hold exactly, flexible
        bodies keep their deformation, prescribed coordinates are those of the time t. ``limits``: those of joints (and
        others by name) are kept, or False. ``hold`` names coordinates, or bodies for all of theirs, that stay as in the
        guess. Targets that cannot all be reached are weighed by ``weights``, numbers by target, or (position in m,
        rotation in rad). Of coordinates that reach the targets, ``posture`` chooses those near the guess: the weight of
        changes, a number or by name; the targets are then reached exactly from there.

        The result has ``q``, ``converged``, the ``reason`` and a ``message``, the ``residual`` of each target, active
        ``limits`` and ``singular`` directions. Where targets cannot be reached it is the closest pose. Targets are
        reached to the ``tolerance``, in m and rad, in at most as many ``steps``; where they are not, the search begins
        again at up to ``restarts`` random starts within the limits."""
        from freebody.analysis.inverse_kinematics_solvers import find_solver
        from freebody.run.simulate import require_standard_speeds

        require_standard_speeds(self.derivation)
        solver, read = find_solver(self.derivation, self.values, targets, weights is not None)
        return solver.solve(
            read,
            targets,
            q,
            limits,
            weights,
            hold,
            posture,
            t,
            parameters,
            engaged,
            tolerance,
            steps,
            restarts,
            seed,
        )

    def inverse_kinematics_solver(self, targets: Mapping[Any, Any]) -> "InverseKinematics":
        """The solver of ``inverse_kinematics`` for targets of this kind: ``ik =
        eq.inverse_kinematics_solver(targets)``, then ``ik(targets, q, …)`` with other values and the same options,
        which takes microseconds."""
        from freebody.analysis.inverse_kinematics_solvers import find_solver
        from freebody.run.simulate import require_standard_speeds

        require_standard_speeds(self.derivation)
        return find_solver(self.derivation, self.values, targets, True)[0]

    def inverse_velocity(
        self,
        targets: Mapping[Any, Any],
        q: InitialValues = None,
        *,
        weights: Mapping[Any, Any] | None = None,
        hold: Names = (),
        t: float = 0.0,
        parameters: Numbers | None = None,
        engaged: Mapping[str, bool] | None = None,
        damping: float = 0.0,
    ) -> "InverseRatesResult":
        """Speeds at the coordinates q at which points and bodies have velocities, {point: (vx, vy, vz)}, {body:
        (ω, v)} with six numbers along the ground's axes, or parts by name, {"velocity": v, "angular_velocity": ω}.

        Constraints hold exactly, what ``hold`` names does not move, nor do modes of flexible bodies. Of several
        solutions it is the shortest; where there is none the nearest, and ``reason`` says whether the position is
        "singular" or there are too few freedoms ("unreachable"). Near singular positions ``damping`` (of the order of
        the smallest singular value to be used, 0.01 … 0.1) keeps speeds small."""
        return self._inverse_rates("velocity", targets, q, None, weights, hold, t, parameters, engaged, damping)

    def inverse_acceleration(
        self,
        targets: Mapping[Any, Any],
        q: InitialValues = None,
        u: InitialValues = None,
        *,
        weights: Mapping[Any, Any] | None = None,
        hold: Names = (),
        t: float = 0.0,
        parameters: Numbers | None = None,
        engaged: Mapping[str, bool] | None = None,
        damping: float = 0.0,
    ) -> "InverseRatesResult":
        """Rates of speeds at q and u at which points and bodies have accelerations (without gravity), {point: a},
        {body: (α, a)}, or parts by name, {"acceleration": a, "angular_acceleration": α}; as ``inverse_velocity``. The
        result's ``u`` are these rates."""
        return self._inverse_rates("acceleration", targets, q, u, weights, hold, t, parameters, engaged, damping)

    def _inverse_rates(self, *arguments: Any) -> "InverseRatesResult":
        from freebody.analysis.inverse_rates import inverse_rates
        from freebody.run.simulate import require_standard_speeds

        require_standard_speeds(self.derivation)
        return inverse_rates(self.derivation, self.values, *arguments)

    def inverse_kinematics_path(
        self,
        times: ArrayLike,
        targets: Mapping[Any, Any],
        q: InitialValues = None,
        *,
        limits: bool | Mapping[str, Sequence[float]] = True,
        weights: Mapping[Any, Any] | None = None,
        hold: Names = (),
        posture: float | Numbers | None = None,
        parameters: Numbers | None = None,
        engaged: Mapping[str, bool] | None = None,
        tolerance: float = 1e-10,
        steps: int = 1000,
        restarts: int = 0,
        seed: int = 0,
    ) -> "InverseKinematicsPath":
        """A smooth path of coordinates at which targets are followed: as ``inverse_kinematics``, whose options these
        are, where the values of targets are functions of time, or arrays with a row for each of the ``times``, {tool:
        positions}, {tool: (positions, rotations)}; parts may be constant.

        Each position is found from the one before by continuation, so that the branch of the first one is followed;
        where coordinates change fast, steps are divided. What cannot be continued is named: ``jumps`` between branches,
        and times at which targets are not reached (``converged``). ``path["elbow"]`` are the values of a coordinate,
        ``path.motion("elbow")`` is the prescribed motion of its joint."""
        from freebody.analysis.target_paths import follow
        from freebody.run.simulate import require_standard_speeds

        require_standard_speeds(self.derivation)
        options = (limits, weights, hold, posture, parameters, engaged, tolerance, steps, restarts, seed)
        return follow(self.derivation, self.values, times, targets, q, *options)
