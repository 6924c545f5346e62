"""The system as users hold it: describe it, derive its equations, let it move."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from freebody.api.controlling import Verbs
from freebody.api.equations import Equations
from freebody.api.sizing import warn_of_size
from freebody.api.trajectory import Trajectory
from freebody.errors import ModelError
from freebody.files import path_of, write_text
from freebody.formulations import kane
from freebody.formulations.derivation import Derivation
from freebody.model.body import Point, Reference
from freebody.model.builder import ModelBuilder
from freebody.model.model import Model
from freebody.model.vectors import read_body, read_point, read_vector
from freebody.run.numbers import names
from freebody.spatial.vector import Vector
from freebody.tree.forest import span
from freebody.tree.motion import Motion, whole_motion

if TYPE_CHECKING:
    import xarray

    from freebody.formulations.formulation import Speeds
    from freebody.io.urdf_file import Robot
    from freebody.results import BodyInfo
    from freebody.viewer.diagram import Diagram

URDF_OPTIONS = ("floating", "lock", "mimic", "dynamics", "parameters", "physical", "snap")
FORMULATIONS = ("kane", "crba", "aba", "cheapest", "sayers", "poincare")


class System(ModelBuilder, Verbs):
    """A mechanical system: describe it, then derive its equations. Where it comes from a URDF file, ``robot`` is what
    the file says, by its own names of links and joints."""

    robot: "Robot | None" = None
    _runs: tuple[Model, Equations] | None = None

    def derive(
        self, formulation: str | None = None, small: Sequence[str] = (), speeds: "Speeds" = "standard", search: int = 1,
        rolled: bool | None = None,
    ) -> Equations:  # fmt: skip
        """The equations of motion.

        ``formulation``: left out, "kane" for up to 50 bodies and "aba" for more. There are "kane"; "crba" and "aba",
        the recursive algorithms (composite bodies, articulated bodies); "cheapest", which builds many programs and
        keeps the smallest (``search`` 0 to 3 says how long it looks; what it finds is kept for the next time);
        "sayers", the paper's own way; "poincare", by momenta of composite bodies. One that takes long for so many
        bodies is announced in a warning before it begins.
        ``rolled`` makes "aba" a loop over the bodies instead of one expression (left out: where there are many bodies
        of few kinds). ``small`` names coordinates (with their speeds), states or inputs whose products are dropped: M
        and f are then exact to first order in them. ``speeds="mass-centre"`` takes Sayers' speeds in place of the
        standard ones.
        """
        small = names(small, "small")
        if not isinstance(speeds, str):
            raise ModelError(f"speeds is 'standard' or 'mass-centre', not {speeds!r}")
        if not isinstance(rolled, bool | None):
            raise ModelError(f"rolled must be True, False or None, not {rolled!r}")
        if formulation is None:
            formulation = self._usual(small, speeds, rolled)
        if not isinstance(formulation, str) or formulation not in FORMULATIONS:
            raise ModelError(f"there is no formulation {formulation!r}; there are {', '.join(FORMULATIONS)}")
        if rolled and formulation != "aba":
            raise ModelError(f"rolled=True needs the formulation 'aba', not '{formulation}'")
        if not self.bodies:
            raise ModelError(f"system '{self.name}' has no bodies; add some with body(…)")
        taken = formulation if speeds == "standard" else "sayers"
        warn_of_size(self, taken)
        model = self.freeze()
        made = _catalogue(model, taken, small, speeds, search, rolled)
        return Equations(made, model.parameters, [s.initial for s in model.states.values()])

    def simulate(self, end: float | ArrayLike, **options: Any) -> Trajectory:
        """The motion until a time, or at given times: derive, compile, integrate. Options are those of
        ``Equations.simulate``: q, u, z, parameters, inputs, method, rtol, atol, step, events, start, …"""
        return self._moving().simulate(end, **options)

    def sweep(self, end: float | ArrayLike, over: Mapping[str, ArrayLike], **options: Any) -> "xarray.Dataset":
        """Many runs at once over initial values, parameters or inputs, stacked in one dataset; options are those of
        ``Equations.sweep``: grid, record, cluster, store, …"""
        return self._moving().sweep(end, over, **options)

    def _usual(self, small: Sequence[str], speeds: "Speeds", rolled: bool | None) -> str:
        """The formulation where none is named (docs/decisions/015): Kane's has the fewest operations, the work for it
        grows with the square of a chain's length, that of articulated bodies in a loop hardly at all."""
        from freebody.formulations.rolled import MANY

        many = len(self.bodies) > MANY and not small and speeds == "standard"
        return "aba" if many or rolled else "kane"

    def _moving(self) -> Equations:
        """The equations to run with, kept until the system changes."""
        model = self.freeze()
        if self._runs is None or self._runs[0] is not model:
            self._runs = model, self.derive()
        return self._runs[1]

    def to_yaml(self) -> str:
        """The system as the text of a model file, which reads back as an equal system."""
        from freebody.io import dumps

        return dumps(self)

    def save(self, path: str | Path) -> Path:
        """Write the system to a model file (.yaml)."""
        from freebody.io import write

        return write(self, path)

    def diagram(self) -> "Diagram":
        """The tree of bodies and joints as a drawing (SVG), which notebooks show and ``save`` writes to a file."""
        from freebody.viewer.diagram import diagram

        return diagram(self._elements(self.derive()), self.name)

    def report(self, path: str | Path) -> Path:
        """One self-contained page (.html) of the model: its tree, its tables, its equations of motion, their cost."""
        from freebody.report.page import page_of_model, target

        file, eq = target(path), self.derive()
        return write_text(file, page_of_model(eq.derivation, self.values, self._elements(eq)))

    def _elements(self, eq: Equations) -> "tuple[BodyInfo, ...]":
        from freebody.run.planning import elements

        return elements(eq.derivation, self.values)

    # The motion in the user's own terms, for loads and outputs

    @property
    def _motion(self) -> Motion:
        return whole_motion(self)

    def position(self, point: Point | Reference | str, of: Point | Reference | str | None = None) -> Vector:
        """From the ground's origin (or another point) to a point; a body or its name stands for its origin."""
        ends = (self.ground if of is None else of), point
        start, end = (self._read(p, read_point, "a position is of a point or a body") for p in ends)
        return self._motion.position(start, end)

    def velocity(self, point: Point | Reference | str) -> Vector:
        """Of a point in the ground."""
        return self._motion.velocity(self._read(point, read_point, "a velocity is of a point or a body"))

    def acceleration(self, point: Point | Reference | str) -> Vector:
        """Of a point in the ground, for outputs and events: it holds the symbols ``u_dot.…``, so that loads, joints and
        rates of states refuse it."""
        where = self._read(point, read_point, "an acceleration is of a point or a body")
        return self._motion.acceleration_of(where)

    def angular_acceleration(self, body: Reference | str) -> Vector:
        """Of a body in the ground, for outputs and events."""
        return self._motion.angular_acceleration(self._read(body, read_body, "an angular acceleration"))

    def derivative(self, vector: Vector, seen_from: Reference | str | None = None) -> Vector:
        """dv/dt of a vector as seen from a body (the ground by default). Where it depends on speeds, its derivative
        depends on u̇, and only outputs and events may use it."""
        body = self.ground if seen_from is None else seen_from
        seen = self._read(body, read_body, "a derivative is seen from a body")
        return self._motion.derivative(self._read(vector, read_vector, "what is differentiated"), seen)

    def angular_velocity(self, body: Reference | str) -> Vector:
        """Of a body in the ground."""
        return self._motion.angular_velocity(self._read(body, read_body, "an angular velocity"))


def _catalogue(
    model: Model, formulation: str, small: Sequence[str], speeds: "Speeds", search: int, rolled: bool | None
) -> Derivation:
    if formulation == "kane":
        return Derivation(kane.derive(span(model)), small)
    if formulation == "sayers":
        from freebody.formulations.sayers import Sayers

        return Derivation(Sayers(span(model, staged=speeds == "standard"), speeds), small)
    if formulation == "poincare":
        from freebody.formulations.poincare import Poincare

        return Derivation(Poincare(span(model)), small)
    if formulation == "cheapest":
        from freebody.api.choosing import chosen

        return chosen(model, small, search)
    from freebody.formulations.recursive import Recursive
    from freebody.formulations.rolled import Rolled

    if formulation == "aba" and not small:
        looped = Rolled(span(model))
        if rolled or (rolled is None and looped.pays):
            return looped
    return Derivation(Recursive(span(model), () if formulation == "crba" else None), small)


def load(path: str | Path, **options: Any) -> System:
    """The system that a model file (.yaml) or a robot's description (.urdf) describes. Files are data: nothing in them
    is run.

    Options for a .urdf, as in ``freebody.io.loads_urdf``: ``floating=True`` lets the root move freely; ``lock`` names
    joints that are held; ``mimic`` ("couple", "lock", "free") says what becomes of joints that mimic others;
    ``dynamics=False`` leaves out damping and friction; ``parameters=True`` makes masses, mass centres and inertias
    parameters; ``physical=False`` takes inertias that no body can have; ``snap`` is how near to a quarter turn an angle
    is taken for one.
    """
    if path_of(path).suffix.lower() == ".urdf":
        unknown = [option for option in options if option not in URDF_OPTIONS]
        if unknown:
            raise ModelError(f"{path}: there is no option '{unknown[0]}'; there are {', '.join(URDF_OPTIONS)}")
        from freebody.io.urdf import read_urdf

        system, robot = read_urdf(path, System, **options)
        system.robot = robot
        return system
    if options:
        raise ModelError(f"{path}: '{next(iter(options))}' is an option of .urdf files; a model file says all itself")
    from freebody.io.model_reader import read

    return read(path, System)
