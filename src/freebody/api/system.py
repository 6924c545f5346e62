"""The system: describe it, derive its equations, simulate it; and systems from files."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar, Unpack, cast, overload

from freebody import files, wings
from freebody.api.equations import Equations
from freebody.errors import ArgumentError
from freebody.keywords import hint_keywords_of, keyword_hints, near_names
from freebody.model.body import Body, Point, Reference
from freebody.model.builder import ModelBuilder
from freebody.model.model import Model
from freebody.model.units import RATES
from freebody.model.vectors import read_body, read_point, read_vector
from freebody.run.arguments import boolean, names
from freebody.run.initial import InitialValues
from freebody.spatial.vector import Vector
from freebody.tree.motion import Motion, whole_motion

if TYPE_CHECKING:
    from freebody.api.live import PageKeywords
    from freebody.io.readers import LoadOptions
    from freebody.io.urdf_file import Robot
    from freebody.papers.topology import Topology
    from freebody.results import BodyInfo
    from freebody.viewer.diagram import Diagram
    from freebody.viewer.live import LiveView
    from freebody.viewer.page_view import PageView

P = ParamSpec("P")
R = TypeVar("R")


def _of_equations(method: Callable[Concatenate[Equations, P], R]) -> "Callable[Concatenate[System, P], R]":
    """A method of equations as that of a system, whose default equations it uses; these are stored until the system
    changes."""

    @wraps(method)
    def call(self: "System", /, *arguments: P.args, **options: P.kwargs) -> R:
        return method(self._current(), *arguments, **options)

    return cast("Callable[Concatenate[System, P], R]", call)


@hint_keywords_of(Equations)
class System(ModelBuilder):
    """A mechanical system: describe it, then derive its equations. For a system from a URDF file, ``robot`` has the
    links and joints of the file by name."""

    robot: "Robot | None" = None
    _equations_of_model: tuple[Model, Equations] | None = None

    def derive(
        self,
        formulation: str | None = None,
        small: Sequence[str] = (),
        speeds: Literal["standard", "mass-centre"] = "standard",
        search: int = 1,
        rolled: bool | None = None,
        solver: str | None = None,
        secondary: Sequence[Body | str] = (),
        omit: Sequence[Body | str] = (),
    ) -> Equations:
        """The equations of motion.

        ``formulation``: by default "kane" where it computes u̇ in fewer operations, else "aba"; ``print(eq)`` says
        which, and why. There are "kane", for reading; "crba" and "aba", the recursive algorithms (composite bodies,
        articulated bodies); "cheapest", which builds many programs and takes the smallest (``search``, 0 to 3, is the
        length of the search; its result is cached); "sayers", the method of his paper; "poincare", by momenta of
        composite bodies; "gauss", Gauss's principle, as the solver derives it. A formulation that takes long for so
        many bodies is announced by a warning.
        ``solver`` names how u̇ and the forces of constraints are computed, one of ``fb.solvers`` ("auto": the one that
        is expected to be the fastest); by default the formulation does it in its own way. For "compliance",
        ``secondary`` names the bodies of a secondary system: whole trees, such as objects that robots hold.
        ``rolled`` makes "aba" a loop over the bodies instead of one expression (default: where there are many bodies
        of few kinds). ``small`` names coordinates (with their speeds), states or inputs whose products are dropped: M
        and f are then exact to first order in them. ``speeds="mass-centre"`` takes Sayers' speeds in place of the
        standard ones. ``omit`` names coordinates of no interest, or bodies for all of theirs: nothing depends on them
        (``eq.unused_coordinates``), they are not among the states, and a run is completed by
        ``run.integrate_omitted()`` (docs/sayers.md).
        """

        def named(given: Sequence[Body | str], argument: str) -> list[str]:
            several = isinstance(given, list | tuple)
            return names([x.name if isinstance(x, Body) else x for x in given] if several else given, argument)

        apart, left_out, model = named(secondary, "secondary"), named(omit, "omit"), self.freeze()
        return Equations.derived(
            model, formulation, names(small, "small"), speeds, search, rolled, solver, apart, left_out
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_equations_of_model"}

    assemble = _of_equations(Equations.assemble)
    inverse_kinematics = _of_equations(Equations.inverse_kinematics)
    inverse_kinematics_solver = _of_equations(Equations.inverse_kinematics_solver)
    inverse_kinematics_path = _of_equations(Equations.inverse_kinematics_path)
    inverse_velocity = _of_equations(Equations.inverse_velocity)
    inverse_acceleration = _of_equations(Equations.inverse_acceleration)
    simulate = _of_equations(Equations.simulate)
    simulator = _of_equations(Equations.simulator)
    simulators = _of_equations(Equations.simulators)
    to_program = _of_equations(Equations.to_program)
    sweep = _of_equations(Equations.sweep)
    equilibrium = _of_equations(Equations.equilibrium)
    equilibria = _of_equations(Equations.equilibria)
    continuation = _of_equations(Equations.continuation)
    lyapunov = _of_equations(Equations.lyapunov)
    linearize = _of_equations(Equations.linearize)
    expressions = _of_equations(Equations.expressions)
    input_output = _of_equations(Equations.input_output)
    accessibility = _of_equations(Equations.accessibility)
    observability = _of_equations(Equations.observability)
    routh = _of_equations(Equations.routh)
    symmetries = _of_equations(Equations.symmetries)

    def _current(self) -> Equations:
        """The default equations, stored until the system changes."""
        model = self.freeze()
        if self._equations_of_model is None or self._equations_of_model[0] is not model:
            self._equations_of_model = model, self.derive()
        return self._equations_of_model[1]

    def to_yaml(self) -> str:
        """The system as the text of a model file, which reads back as an equal system."""
        from freebody.io import dumps

        return dumps(self)

    def save(self, path: str | Path) -> Path:
        """Write the system to a model file (.yaml)."""
        from freebody.io import write

        return write(self, path)

    def diagram(self) -> "Diagram":
        """The bodies, joints and constraints as a drawing (SVG), which notebooks show and ``save`` writes to a file."""
        from freebody.viewer.diagram import diagram

        eq = self.derive()
        return diagram(self._elements(eq), self.name, eq.constraints)

    def report(self, path: str | Path, *, meshes: Sequence[str | Path] = ()) -> Path:
        """One self-contained page (.html) of the model: the model in 3D as by ``view``, its tree, its tables, its
        equations of motion, their cost. ``meshes`` are folders in which the files of meshes are searched."""
        from freebody.report.model_scene import model_scene
        from freebody.report.page import page_of_model, target

        file, eq, folders = target(path), self.derive(), files.folders_of(meshes)
        elements = self._elements(eq)
        scene = model_scene(eq.derivation, eq.values, folders=folders) if elements else None
        return files.write_text(file, page_of_model(eq.derivation, self.values, elements, eq.constraints, scene))

    @overload
    def view(
        self,
        path: str | Path,
        *,
        q: InitialValues = None,
        parameters: Mapping[str, float] | None = None,
        meshes: Sequence[str | Path] = (),
        deformation: float = 1.0,
    ) -> Path: ...

    @overload
    def view(
        self,
        path: None = None,
        *,
        live: Literal[False] = False,
        q: InitialValues = None,
        parameters: Mapping[str, float] | None = None,
        meshes: Sequence[str | Path] = (),
        deformation: float = 1.0,
    ) -> "PageView": ...

    @overload
    def view(
        self,
        *,
        live: Literal[True],
        meshes: Sequence[str | Path] = (),
        **options: "Unpack[PageKeywords]",
    ) -> "LiveView": ...

    def view(
        self,
        path: str | Path | None = None,
        *,
        live: bool = False,
        q: InitialValues = None,
        parameters: Mapping[str, float] | None = None,
        meshes: Sequence[str | Path] = (),
        deformation: float = 1.0,
        **options: Any,
    ) -> "Path | PageView | LiveView":
        """The model in 3D as one self-contained page (.html): its initial state, and a slider for each coordinate.
        Without a path it returns a view, which a notebook shows; outside of notebooks it also opens it in the browser.
        Limits of joints are honoured, and closed loops stay closed. ``q`` and ``parameters`` replace initial values and
        those of parameters, by name; ``meshes`` are folders in which the files of meshes are searched. Flexible bodies
        are drawn with ``deformation`` times their deformation; the page states a factor other than 1.

        With ``live=True`` and no path, the model is simulated live in the browser (extra ``live``): it is played,
        paused and stepped there, inputs and parameters have sliders, and bodies are pulled with the mouse. Options of
        this are ``host`` (127.0.0.1: this computer only), ``port`` (the first free one from 8080 on), ``allowed_hosts``
        (further names under which the page may be opened, such as ``["localhost:9000"]`` for a forwarded port),
        ``browser`` (True: open one), ``speed``, ``paused``, ``ranges`` of sliders by name, ``block`` (False: go on, and
        return a view with ``stop()``; by default where Python is used interactively), and those of ``simulate``: u, z,
        inputs, events, engaged, method, rtol (1e-6), atol (1e-8), step.
        """
        folders = files.folders_of(meshes)
        if boolean(live, "live") and path is not None:
            raise ArgumentError(
                "view('model.html') writes a page, and view(live=True) simulates in the browser: give a"
                " path or live=True"
            )
        if live and deformation != 1:
            raise ArgumentError(f"view(live=True) shows deformations as they are; leave out deformation={deformation}")
        if live:
            from freebody.api.live import show_live

            return show_live(self._current(), folders, q=q, parameters=parameters, **options)
        if options:
            near = near_names(next(iter(options)), ["q", "parameters", "meshes", "deformation", "path", "live"])
            hint = f" (did you mean {' or '.join(near)}?)" if near else ""
            raise ArgumentError(
                f"view: a page has no option {', '.join(options)}{hint}; its options: q, parameters,"
                " meshes and deformation, and more with live=True"
            )
        from freebody.report.model_scene import model_scene
        from freebody.viewer.page_view import write_or_show
        from freebody.viewer.scene_of_run import with_deformation

        target = None if path is None else files.target(path, "a 3D view", files.PAGES)
        eq = self._current()
        scene = model_scene(eq.derivation, eq.values, q, parameters, folders)
        return write_or_show(with_deformation(scene, deformation), target)

    def _repr_html_(self) -> str:
        from freebody.api.notebook import system_html

        return system_html(self)

    def topology(self) -> "Topology":
        """The graph of bodies and joints with its matrices: incidence, paths, loops (docs/solvers.md)."""
        graph: Topology = wings.load("method", "topology", "s.topology()")(self.freeze())
        return graph

    def _elements(self, eq: Equations) -> "tuple[BodyInfo, ...]":
        from freebody.run.bodies import body_infos

        return body_infos(eq.derivation, self.values)

    # The motion as expressions, for loads and outputs

    @property
    def _motion(self) -> Motion:
        return whole_motion(self)

    def position(self, point: Point | Reference | str, of: Point | Reference | str | None = None) -> Vector:
        """From the ground's origin (or another point) to a point; a body or its name stands for its origin."""
        ends = (self.ground if of is None else of), point
        start, end = (self._read(p, read_point, "a position is of a point or a body") for p in ends)
        return self._motion.position(start, end).in_unit("m")

    def velocity(self, point: Point | Reference | str) -> Vector:
        """Of a point in the ground."""
        where = self._read(point, read_point, "a velocity is of a point or a body")
        return self._motion.velocity(where).in_unit("m/s")

    def acceleration(self, point: Point | Reference | str) -> Vector:
        """Of a point in the ground, for outputs and events: it holds the symbols ``u_dot.…``, so that loads, joints and
        rates of states refuse it."""
        where = self._read(point, read_point, "an acceleration is of a point or a body")
        return self._motion.acceleration_of(where).in_unit("m/s²")

    def angular_acceleration(self, body: Reference | str) -> Vector:
        """Of a body in the ground, for outputs and events."""
        whose = self._read(body, read_body, "an angular acceleration")
        return self._motion.angular_acceleration(whose).in_unit("rad/s²")

    def derivative(self, vector: Vector, seen_from: Reference | str | None = None) -> Vector:
        """dv/dt of a vector as seen from a body (the ground by default). Where it depends on speeds, its derivative
        depends on u̇, and only outputs and events may use it."""
        body = self.ground if seen_from is None else seen_from
        seen = self._read(body, read_body, "a derivative is seen from a body")
        v = self._read(vector, read_vector, "what is differentiated")
        return self._motion.derivative(v, seen).in_unit(RATES.get(v.unit, ""))

    def angular_velocity(self, body: Reference | str) -> Vector:
        """Of a body in the ground, in native form: u.A·ground1 + u.B·A2, along the axes of the joints.
        ``w.within(body)`` writes it in the basis of a body."""
        whose = self._read(body, read_body, "an angular velocity")
        return self._motion.native_angular_velocity(whose).in_unit("rad/s")


@keyword_hints
def load(path: str | Path, **options: "Unpack[LoadOptions]") -> System:
    """The system that a model file (.yaml) or a robot's description (.urdf) describes. Files are data: nothing in them
    is run. ``limits="stop"`` gives each joint with limits a stop there; by default runs that leave them end with a
    warning.

    Options for a .urdf, as in ``freebody.io.loads_urdf``: ``floating=True`` lets the root move freely; ``lock`` names
    joints that are held; ``mimic`` ("couple", "lock", "free") says what becomes of joints that mimic others;
    ``dynamics=False`` leaves out damping and friction; ``parameters=True`` makes masses, mass centres and inertias
    parameters; ``physical=False`` takes inertias that no body can have; ``snap`` is how near to a quarter turn an angle
    is taken for one; ``close={"pin": ("rod", "slider", fb.Revolute("z"))}`` closes loops between links, or points of
    links, ``("rod", (1, 0, 0))``, beside those of ``<loop_joint>``; ``meshes`` is a list of folders in which the meshes
    of its shapes are searched for when they are drawn, beside the folder of the file; ``ignore`` names elements and
    attributes that are not read and that no warning should name; ``motors=True`` gives each joint a motor with the
    file's limits, driven by an input, and ``hold`` (True, or values by joint) holds a pose by PD control.

    A file of another program (MJCF, SDF, xacro, Simscape, Adams, CAD, …) raises an error that says what it is and what
    to do with it.
    """
    from freebody.io.readers import read_system

    system: System = read_system(files.path_of(path), System, options)
    return system
