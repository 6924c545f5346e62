"""The builder of models: elements are added one by one, and ``freeze`` returns the model."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, pairwise, product
from keyword import iskeyword
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar
from unicodedata import normalize

from freebody.errors import FieldError, FreebodyError, ModelError, SimulationWarning, no_attribute, warn, within
from freebody.keywords import hint_keywords
from freebody.model.accelerations import MULTIPLIER, REACTION, NameTable, accelerations_in, refusal_of_accelerations
from freebody.model.angles import warn_of_joint, warn_of_rotation
from freebody.model.blocks import SignalBlock
from freebody.model.body import (
    Body,
    BodySpec,
    Coupling,
    Point,
    Reference,
    attach,
    declare_coordinates,
    name_of,
    three_of,
)
from freebody.model.components import Component, Prefixes, RelativeNames
from freebody.model.constraints import (
    Belt,
    Closure,
    Constraint,
    ExpressionConstraint,
    Gear,
    KnifeEdge,
    PointContact,
    PointOnCurve,
    PointOnLine,
    PointOnPlane,
    PointOnSurface,
    Rod,
    Roll,
)
from freebody.model.contact.contact import Contact
from freebody.model.contact.joint_stop import JointStop
from freebody.model.contact.material import ContactMaterial, same_material
from freebody.model.contact.pairs import candidates_of, least_points
from freebody.model.contact.shape_on_body import ShapeOnBody, ShapeOnBodyField, names_of_pairs
from freebody.model.couplings import (
    coordinate_of,
    couplable,
    coupled_to,
    couplings_from,
    require_couplable,
    single_coordinate_spec,
)
from freebody.model.declarations import Filter, Input, Parameter, State
from freebody.model.element import (
    Element,
    expressions,
    field_table,
    map_expressions,
    normal_form,
    values_of,
    with_fields,
)
from freebody.model.flexible.base import FlexibleDescription
from freebody.model.free_directions import free_directions
from freebody.model.inertia import ROWS, about_centre
from freebody.model.joints import JOINTS, Joint, Weld
from freebody.model.kinds import ListOf, ScalarsValue, Scope, Symbolic, describe, suggest
from freebody.model.loads import ElasticBelt, ElasticGear, Force, ForceBetween, JointForce, Load, Spring, Torque
from freebody.model.model import Model
from freebody.model.orientation import Orientation
from freebody.model.outputs import OutputSpec, read_output
from freebody.model.placed import PlacedBodies, SystemScope
from freebody.model.sampled import Controller, QuantitySensor, Sampled, Sensor, in_order
from freebody.model.sampled.declare import declare_held, output_names, require_writable
from freebody.model.sensors import SectionForces, deflection, section_forces, strain
from freebody.model.signals import SignalSource, declare_symbols
from freebody.model.vectors import PointField, bodies_of, reaction_vector
from freebody.model.wheel_pairs import DEGREES_20
from freebody.names import U_DOT, Q, U
from freebody.scalar.expr import Expr, equals_number
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.parse import CONSTANTS, FUNCTIONS, parse
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.spatial.vector import Dyadic, Vector, handle
from freebody.tables import CELL, counted, shorten

GRAVITY = ListOf(Symbolic(), 3)
SHAPE = ShapeOnBodyField()
CONTACT_POINTS = 300
"""So many points ``s.contacts`` adds at once."""
LOAD_SECTIONS = ("contacts", "loads", "stops")
"""The sections of model files that hold loads, in the order in which they are in a model, whatever was added first."""
STATE_KEYS = field_table(State).keys
DERIVED = "eq = s.derive() for the equations of motion, f = eq.compile() for functions such as f.mass_matrix(q)"
ATTRIBUTES = {
    **dict.fromkeys(("add_body", "add_link", "add_rigid_body", "addBody"), "s.body(name, on=…, joint=…, mass=…)"),
    **dict.fromkeys(("add_joint", "joint", "addJoint", "revolute", "hinge", "prismatic", "pin"),
                    "s.body(name, on=parent, joint=fb.Revolute('z')): a joint belongs to the body that it moves;"
                    " s.close(…) for one that closes a loop"),
    **dict.fromkeys(("add_force", "add_load", "add_loads", "apply_force"),
                    "s.force(vector, at=point), s.torque(…), s.joint_force(body, value) or s.add(load)"),
    **dict.fromkeys(("add_torque", "actuator", "add_actuator"),
                    "s.joint_force(body, value), with value an input of s.input(name)"),
    **dict.fromkeys(("motor", "servo", "hydraulic_cylinder"), "s.add(fb.Motor(body, torque=…), name)"),
    **dict.fromkeys(("add_spring", "add_damper", "damper"), "s.spring(start, end, stiffness, free_length, damping)"),
    **dict.fromkeys(("add_constraint", "constraint"), "s.close(…), s.rod(…), s.constrain(expression), …"),
    **dict.fromkeys(("add_contact", "collision", "add_collision", "ground_contact"),
                    "s.contact(body.shape('tip'), s.ground.plane(), fb.ContactMaterial(stiffness, friction=0.5))"),
    **dict.fromkeys(("add_parameter", "symbol", "symbols", "constant"), "s.parameter(name, value)"),
    **dict.fromkeys(("add_input", "control", "dynamicsymbols"), "s.input(name); joints have coordinates, q.NAME"),
    **dict.fromkeys(("add_output", "sensor", "add_sensor"), "s.output(name, value)"),
    **dict.fromkeys(("add_block", "block", "filter", "pid", "transfer_function"), "s.add(fb.PID(…), name)"),
    **dict.fromkeys(("run", "integrate", "solve", "solve_ivp", "step", "play"), "s.simulate(end)"),
    **dict.fromkeys(("compile", "mass_matrix", "rhs", "equations", "eom", "eoms", "kanes_method", "forward_dynamics",
                     "jacobian", "inverse_dynamics", "lagrangian", "to_sympy", "to_c", "to_latex", "bias", "finalize",
                     "Finalize"), DERIVED),
    **dict.fromkeys(("q", "u", "coordinates", "speeds", "nq", "nv"), "s.derive().q and .u, the names in order"),
    **dict.fromkeys(("animate", "plot"), "run = s.simulate(end), then run.animate() or run.plot()"),
    **dict.fromkeys(("show", "draw"), "s.view() for a picture, s.diagram() for a drawing"),
    "time": "s.t for the time in expressions", "origin": "s.ground.origin", **{k: f"s.ground.{k}" for k in "xyz"},
    **dict.fromkeys(("world", "base", "root"), "s.ground"),
    "to_file": "s.save('model.yaml')", "write": "s.save('model.yaml')", "load": "fb.load('model.yaml')",
}  # fmt: skip
"""Attributes of systems of other programs, with what to write."""
PLACED = frozenset(("placed", "ground", "bodies", "t", "names", "prefixes", "scope", "_begun", "_frozen"))
"""Attributes of a system that follow from its description and its graph."""
Added = TypeVar("Added", bound=Load | Constraint | SignalBlock | Sampled)
Read = TypeVar("Read")


def reserved_meaning(name: str) -> str:
    """What a name means in every expression (a reserved word, a constant or a function), or "" if it is free."""
    normalised = normalize("NFKC", name)
    if any(iskeyword(part) for part in normalised.split(".")):
        return "a reserved word"
    return "a constant" if normalised in CONSTANTS else "a function" if normalised in FUNCTIONS else ""


def stop_or_watch(limits: Any) -> Literal["watch", "stop"]:
    """The option ``limits``, checked."""
    if limits in ("watch", "stop"):
        return limits  # type: ignore[no-any-return]
    raise ModelError(
        f"limits must be 'watch' (runs that leave them end with a warning) or 'stop', not {limits!r}"[:300]
    )


def is_grouped(element: Any) -> bool:
    """Whether the symbols of an element have the name of a group before that of the element."""
    return isinstance(element, SignalSource) and bool(element.group)


def require_text(value: Any, context: str) -> str:
    if not isinstance(value, str):
        raise ModelError(f"{context} must be text, not {value!r}")
    return value


def finite_number(value: Any, context: str) -> float:
    """A finite number; a text is not converted."""
    try:
        number = float(value) if not isinstance(value, str | bytes) else None
    except (TypeError, ValueError, OverflowError, FreebodyError):
        number = None
    if number is None:
        raise ModelError(f"{context} must be a number, not {value!r}"[:300])
    if not isfinite(number):
        raise ModelError(f"{context} is {number}; give it a finite value")
    return number


@hint_keywords
class ModelBuilder:
    """Bodies in a tree, with joints, loads, parameters, inputs, extra states and outputs. A scalar is a number, an
    expression, or a text of declared names."""

    robot: Any = None  # what a URDF file says, of a system that was read from one

    def __init__(
        self, name: str = "system", gravity: ScalarsValue = (0, 0, -9.81), limits: Literal["watch", "stop"] = "watch"
    ) -> None:
        """``limits="stop"`` gives each joint with limits a stop there (``joint_stop``); by default a run that leaves
        them is watched, and ends with a warning."""
        self.name, self.graph = require_text(name, "the name of a system"), Graph()
        self.limits = stop_or_watch(limits)
        self._gravity = tuple(three_of(gravity, "gravity, such as (0, 0, -9.81),"))
        self.values: dict[str, float] = {}
        self.inputs: dict[str, Expr] = {}
        self.extra_states: dict[str, State] = {}
        self._filters: dict[str, tuple[Filter, tuple[str, ...]]] = {}  # with the names of their states
        self._without_rate = set[str]()  # extra states whose rates are still to be defined
        self.loads: dict[str, Load] = {}
        self.constraints: dict[str, Constraint] = {}
        self.outputs: dict[str, OutputSpec] = {}
        self.blocks: dict[str, SignalBlock] = {}
        self._begun_sources: dict[str, SignalBlock | Load] = {}  # with declared signals, that are not added yet
        self.sampled: dict[str, Sampled] = {}
        self.materials: dict[str, ContactMaterial] = {}  # that contacts share by name
        self._signals: dict[str, tuple[str, ...]] = {}  # the names of the symbols of blocks and loads, by element
        self._symbols: set[str] = set()  # names of the symbols of all coordinates and speeds
        self._begun_closures: set[str] = set()  # closures with declared coordinates that may not be added yet
        self._place(())

    def _place(self, specs: Iterable[BodySpec]) -> None:
        """Place bodies that are in normal form on the ground, and set what follows from the description."""
        self.placed = PlacedBodies(self.graph)
        self.ground, self.bodies = self.placed.ground, self.placed.bodies
        self.placed.require_free = self._require_free
        self.t = Expr(self.graph, self.graph.symbol("t", Kind.TIME, "time", "s"))
        names = NameTable(self.graph, lambda: (body.spec for body in self.bodies.values()), self.constraints)
        self.prefixes = Prefixes()  # of the components that are being added
        self.names = RelativeNames(names, self.prefixes, lambda name: name in self.outputs)
        self.scope: Scope = SystemScope(self, names)  # reads elements; while a file is read, also its definitions
        self._begun: dict[str, BodySpec] = {}  # bodies with declared coordinates that are not placed yet
        self._frozen: tuple[list[object], Model] | None = None
        for spec in specs:
            self.placed.add(with_fields(spec, {"coupling": None})).spec = spec

    def __getstate__(self) -> dict[str, Any]:
        """The description, from which ``_place`` sets the rest."""
        state = {name: value for name, value in vars(self).items() if name not in PLACED}
        return {**state, "specs": tuple(body.spec for body in self.bodies.values())}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update({name: value for name, value in state.items() if name != "specs"})
        self._place(state["specs"])

    def __copy__(self) -> Self:
        """A system with the same description. Bodies and expressions of this one do not belong to it."""
        new, graph, state = object.__new__(type(self)), self.graph.fork(), self.__getstate__()
        graph.start_family()
        for name, value in state.items():
            if isinstance(value, set):
                state[name] = value.copy()
            elif name != "graph":
                state[name] = map_expressions(value, lambda x: Expr(graph, x.handle))
        new.__setstate__({**state, "graph": graph})
        return new

    def __deepcopy__(self, memo: object) -> Self:
        return self.__copy__()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name, ATTRIBUTES)

    def __repr__(self) -> str:
        sizes = [counted(len(self.bodies), "body", "bodies"), counted(len(self.loads), "load")]
        sizes += [counted(len(self.constraints), "constraint")] if self.constraints else []
        sizes += [counted(len(self.blocks), "block")] if self.blocks else []
        kinds = [element.section.removesuffix("s") for element in self.sampled.values()]
        sizes += [counted(kinds.count(kind), kind) for kind in dict.fromkeys(kinds)]
        return f"<System {shorten(self.name, CELL)}: {', '.join(sizes)}>"

    # Components

    def component(self, name: str) -> Component:
        """Add a component: ``with s.component("front left"): …``. What is added inside has the prefix ``front left.``,
        and names inside mean its elements first. A function that adds a component is made by ``@fb.component``."""
        return Component(self, name)

    def _absolute(self, name: str) -> str:
        """The name of something that is added now, with the prefix of the component that is open."""
        return self.prefixes.absolute(require_text(name, "a name"))

    def _nearest(self, name: Any) -> Any:
        """The body that a name means, as a full name; what is no name of a body as it is."""
        if not isinstance(name, str) or not self.prefixes.open:
            return name
        known = (one for one in self.prefixes.candidates(name) if one in self.bodies or one in self._begun)
        return next(known, name)

    def _nearest_input(self, name: str) -> str:
        """The input that a name means, as a full name."""
        return next((one for one in self.prefixes.candidates(name) if one in self.inputs), name)

    # Scalars

    def parameter(self, name: str, value: float, unit: str = "", description: str = "") -> Expr:
        """Declare a parameter: a constant of the model with a default value."""
        return self.declare(self._absolute(name), Parameter(value, unit, description))

    def parameters(self, **values: float) -> tuple[Expr, ...]:
        """Declare several parameters: ``m, l = s.parameters(m=1.0, l=0.5)``."""
        return tuple(self.parameter(name, value) for name, value in values.items())

    def input(self, name: str, unit: str = "", description: str = "", rates: bool = False) -> Expr:
        """Declare an input: a quantity from outside, such as a force or a voltage. With ``rates`` it can move a joint,
        ``motion=s.input("lift", "m", rates=True)``: it has the inputs "lift.rate" and "lift.acceleration" beside it,
        which follow from a law or a table of t."""
        return self.declare(self._absolute(name), Input(unit, description, rates))

    def filter(
        self,
        name: str,
        signal: Any,
        frequency: Any,
        damping: Any = 1,
        order: int = 2,
        initial: float = 0.0,
        unit: str = "",
        description: str = "",
    ) -> Expr:
        """A signal through a low-pass filter of order 2 or 3, as extra states: ``motion=s.filter("lift", "command",
        frequency=3)`` moves a joint by any input, since the filter has its rate and acceleration. The frequency ω/(2π)
        is in Hz; of order 3 a lag of 1/ω follows, and the acceleration is continuous where the signal jumps."""
        name = self._absolute(name)
        with within("filters", name):
            self.begin_filter(name, Filter(signal, frequency, damping, order, initial, unit, description))
            try:
                return self.finish_filter(name)
            except FreebodyError:
                for state in self._filters.pop(name)[1]:
                    del self.extra_states[state]
                    self._without_rate.discard(state)
                raise

    def begin_filter(self, name: str, given: Filter) -> None:
        """Declare the states of a filter."""
        states = normal_form(given, self.scope, late=False).states(name)
        for one in states:
            self._require_free(one, in_texts=True)
        for one, state in states.items():
            self.declare(one, state)
            self._without_rate.add(one)
        self._filters[name] = given, tuple(states)

    def finish_filter(self, name: str) -> Expr:
        """Read the rates of a filter, when everything that its signal uses is declared."""
        given, names = self._filters[name]
        one = normal_form(given, self.scope, late=True)
        states = [Expr(self.graph, self.graph.by_name[n]) for n in names]
        for state, rate in zip(names, one.rates(states), strict=True):
            self.rate(state, rate)
        return states[0]

    def state(self, name: str, rate: Any = None, initial: float = 0.0, unit: str = "", description: str = "") -> Expr:
        """Declare an extra state z with ż = rate, of an actuator, a filter or a tyre. The rate may depend on z. Without
        a rate, ``s.rate(z, …)`` defines it later."""
        name = self._absolute(name)
        if rate is not None:
            state = State(rate=rate, initial=initial, unit=unit, description=description)
            return self._declare_states([(name, state)])[0]
        symbol = self.declare(name, State(rate=0, initial=initial, unit=unit, description=description))
        self._without_rate.add(name)
        return symbol

    def states(self, **rates: Any) -> tuple[Expr, ...]:
        """Declare several extra states, whose rates may depend on each other: ``a, b = s.states(a="b - a", b="-a")``.
        A mapping gives further fields: ``s.states(a={"rate": "b - a", "initial": 1.0, "unit": "Pa"}, b="-a")``."""
        declared = list[tuple[str, State]]()
        for name, value in rates.items():
            with within("states", name):
                fields = value if isinstance(value, Mapping) else {"rate": value}
                for key in fields:
                    if key not in STATE_KEYS:
                        raise FieldError(f"there is no key '{key}' here. {suggest(str(key), [*STATE_KEYS])}")
                if fields.get("rate") is None:
                    raise FieldError("the key 'rate' is missing")
                declared.append((self._absolute(name), State(**fields)))
        return self._declare_states(declared)

    def rate(self, state: Expr | str, rate: Any) -> None:
        """Define the rate of an extra state that was declared without one, such as one that depends on states declared
        after it: ``a = s.state("a"); b = s.state("b", rate=-a); s.rate(a, b - a)``."""
        symbols = {self.graph.named(one): one for one in self.extra_states}
        name = state if isinstance(state, str) else symbols.get(state.handle, str(state))
        name = next((one for one in self.prefixes.candidates(name) if one in self.extra_states), name)
        if name not in self.extra_states:
            raise ModelError(f"'{name[:80]}' is not an extra state. {suggest(name, [*self.extra_states])}")
        if name not in self._without_rate:
            raise ModelError(
                f"the extra state '{name}' has a rate already; declare it as s.state('{name}') to define its rate later"
            )
        before = self.extra_states[name]
        self.extra_states[name] = with_fields(before, {"rate": rate})
        try:
            self.finish_state(name)
        except FreebodyError:
            self.extra_states[name] = before
            raise
        self._without_rate.discard(name)

    def _declare_states(self, declared: Sequence[tuple[str, State]]) -> tuple[Expr, ...]:
        """The symbols of new extra states, whose rates are read when all of them are declared."""
        done = list[str]()
        try:
            symbols = list[Expr]()
            for name, state in declared:
                symbols.append(self.declare(name, state))
                done.append(name)
            for name in done:
                self.finish_state(name)
        except FreebodyError:
            for name in done:
                del self.extra_states[name]
            raise
        return tuple(symbols)

    def declare(self, name: str, declaration: Parameter | Input | State) -> Expr:
        """The symbol of a new parameter, input or state. ``finish_state`` reads the rate of a state, when everything
        that it may use is declared."""
        with within(declaration.section, name):
            element = normal_form(declaration, self.scope, late=False)
            beside = element.companions(name) if isinstance(element, Input) else {}
            for one in (name, *beside):
                self._require_free(one, in_texts=True)
            symbol = Expr(self.graph, self.graph.symbol(name, element.symbol_kind, element.description, element.unit))
        if isinstance(element, Parameter):
            self.values[name] = element.value
        elif isinstance(element, State):
            self.extra_states[name] = replace(element, symbol=symbol)
        else:
            self.inputs[name] = symbol
            parts = [symbol, *(self.declare(one, of_one) for one, of_one in beside.items())]
            if beside:
                self.graph.rates |= {x.handle: rate.handle for x, rate in pairwise(parts[:3])}
        return symbol

    def finish_state(self, name: str) -> None:
        """Read the rate of a state."""
        with within("states", name):
            state = self.extra_states[name] = normal_form(self.extra_states[name], self.scope, late=True)
        self.graph.rates[state.symbol.handle] = state.rate.handle

    def scalar(self, value: Any, context: str, accelerations: bool = False) -> Expr:
        """A number, an expression or a text as an expression of this system. It raises if the expression uses
        accelerations, unless they are allowed."""
        if isinstance(value, Vector):
            raise ModelError(f"{context}: a scalar is needed, not a vector")
        if isinstance(value, str):
            node = parse(self.graph, value, self.names, context=context)
        else:
            node = handle(self.graph, value, context, context)
        if not accelerations:
            self._require_no_accelerations([node], context)
        return Expr(self.graph, node)

    def _require_no_accelerations(self, nodes: Iterable[Node], context: str) -> None:
        names = accelerations_in(self.graph, nodes)
        if names:
            raise ModelError(refusal_of_accelerations(names, context))

    def _require_free(self, name: str, in_texts: bool = False) -> None:
        """Raise if a name is taken. A name that is used in texts must be an identifier, or identifiers with dots
        between them, that has no other meaning there."""
        *before, last = require_text(name, "a name").split(".")
        identifiers = last.isidentifier() and all(part.strip() for part in before)  # those of components are any text
        if not name.strip() or (in_texts and not identifiers):
            raise ModelError(f"{name!r} cannot be a name here: use letters, digits and underscores, a letter first")
        if in_texts:
            meaning = reserved_meaning(name)
            if not meaning and (U_DOT.holds(name) or name.startswith((REACTION, MULTIPLIER))):
                meaning = "the name of an acceleration, reaction or multiplier"
            if meaning:
                raise ModelError(f"'{name}' cannot be a name here: in expressions it is {meaning}; choose another")
        named = self._named(name) or (self._named_in_texts(name) if in_texts else "")
        if named:
            raise ModelError(f"'{name}' is the name of {named} in system '{self.name}'; choose another")

    def _require_free_for(self, element: Load | Constraint | SignalBlock, name: str) -> None:
        """Raise if the name of a new element is taken. One whose signals are in a group is in texts behind the name of
        the group alone, so that it may be called after a body."""
        if is_grouped(element):
            if name in self.loads or name in self._begun_sources:
                raise ModelError(f"'{name}' is the name of a load in system '{self.name}'; choose another")
        else:
            self._require_free(name)

    def _named(self, name: str) -> str:
        """What has a name, such as "a body"; "" if nothing has it."""
        tables: dict[str, Container[str]] = {
            "a parameter": self.values,
            "an input": self.inputs,
            "an extra state": self.extra_states,
            "a body": self._begun,
            "a load": [n for n, load in self.loads.items() if not is_grouped(load)],
            "a constraint": self.constraints,
            "an output": self.outputs,
            "a block": self.blocks,
            "a block or a load": [n for n, source in self._begun_sources.items() if not is_grouped(source)],
            "a sampled element": self.sampled,
            "the ground": ("ground",),
            "the time": ("t",),
        }
        if name in self.bodies:
            return "a node" if self.bodies[name].spec.is_node else "a body"
        return next((what for what, table in tables.items() if name in table), "")

    def _named_in_texts(self, name: str) -> str:
        """What has a name that only texts use."""
        if name in self._symbols:
            self._forget_deleted_signals()
        if name in self._symbols:
            holder = next((one for one in self.sampled.values() if name in one.held), None)
            if holder is not None:
                return f"a value that {holder.group} '{holder.name}' holds"
            if any(name in one.symbol_names for one in self._sources()):
                return "a signal"
            return "a coordinate" if Q.holds(name) else "a speed" if U.holds(name) else "a variable of a constraint"
        return "a component of an output" if name in self._output_components() else ""

    def _forget_deleted_signals(self) -> None:
        """Let the names of the signals of blocks and loads be free that are not in the system any more."""
        present = {one.name for one in self._sources()}
        for owner in [one for one in self._signals if one not in present]:
            self._symbols -= {*self._signals.pop(owner)}

    def _sources(self) -> Iterator[SignalSource]:
        """The blocks and actuators, also those that are not added yet."""
        every = (*self.blocks.values(), *self.loads.values(), *self._begun_sources.values())
        return (one for one in every if isinstance(one, SignalSource))

    def _output_components(self) -> list[str]:
        """The names of the components of vector outputs in texts."""
        return [name + part for name, output in self.outputs.items() if output.is_vector for part in output.names]

    # Bodies

    def body(
        self,
        name: str,
        on: Reference | str | None = None,
        joint: Joint | str | None = None,
        at: ScalarsValue = (0, 0, 0),
        orient: Any = None,
        mass: Any = 0,
        com: ScalarsValue = (0, 0, 0),
        inertia: Any = None,
        about: Any = None,
        shape: Any = None,
        physical: bool = True,
        flexible: FlexibleDescription | None = None,
        modes: Any = None,
        order: str = "full",
        quasi_static: float | None = None,
    ) -> Body:
        """Add a body on a parent (the ground by default), with a joint (a weld by default).

        ``at`` is the position of the joint in the parent and ``orient`` its orientation there: three rows of R, or
        (axis, angle). ``com`` and ``inertia`` are along the body's axes. The inertia is a matrix, three moments, a
        function such as ``rod``, or a function of the body that returns a dyadic; it is about the mass centre, or about
        the point ``about``. ``physical=False`` accepts an inertia that no body can have, as in some robot files.

        ``flexible`` describes what bends, such as ``fb.Beam(…)``, and ``modes`` how many of its modes are coordinates:
        a number, or one for each kind. ``order`` is "full", "ruthless" to neglect all terms that depend on the
        deformation, or "paper" for the terms of Jain and Rodriguez. Modes with a frequency above ``quasi_static``
        (rad/s) follow their forces quasi-statically and do not limit the steps. Mass, mass centre and inertia are then
        those of a rigid part that is fixed in the body's frame.
        """
        name = self._absolute(name)
        with within("bodies", name, "joint"):
            element: Any = Weld() if joint is None else joint if isinstance(joint, Joint) else JOINTS.find(joint)()
        fields: dict[str, Any] = {
            "parent": on,
            "joint": element,
            "at": at,
            "orient": orient,
            "mass": mass,
            "com": com,
            "inertia": inertia,
            "about": about,
            "physical": physical,
            "shape": shape,
            "flexible": flexible,
            "modes": modes,
            "order": order,
            "quasi_static": quasi_static,
        }
        self.begin_body(name, BodySpec(**fields))
        try:
            body = self.finish_body(name)
        except FreebodyError:
            self._symbols -= _symbol_names(self._begun.pop(name))
            raise
        warn_of_rotation(f"body '{name}'", orient)
        warn_of_joint(f"body '{name}'", element)
        if self.limits == "stop":
            self._stop_at_limits(body)
        return body

    def begin_body(self, name: str, spec: BodySpec) -> None:
        """Read the fields of a body that may not depend on coordinates, and declare its coordinates."""
        with within("bodies", name):
            self._require_free(name)
            with within("on"):
                parent = self._parent_name(name, spec.parent)
            spec = with_fields(spec, {"name": name, "parent": parent, "coupling": None})
            spec = normal_form(spec, self.scope, late=False)
            self._require_free_symbols(f"body '{spec.name}'", spec.names)
            with within("joint"):
                declare_coordinates(self.graph, spec.freedoms, spec.names)
            self._begun[name] = spec
            self._symbols |= _symbol_names(spec)

    def finish_body(self, name: str) -> Body:
        """Read the other fields of a body, and place it on its parent."""
        with within("bodies", name):
            spec = normal_form(self._begun[name], self.scope, late=True)
            zero = ROWS.read(((0, 0, 0),) * 3, self.scope)
            with within("inertia"):
                inertia: Any = zero if spec.inertia is None else spec.inertia
                if callable(inertia):  # a function of the body that returns a dyadic
                    parent = self.placed.named(spec.parent) or self.placed.body(spec.parent)
                    body = attach(replace(spec, inertia=zero), parent, -1)
                    try:
                        dyadic = inertia(body)
                    except Exception as error:
                        raise FieldError(f"its function raises {type(error).__name__}: {error}") from error
                    if not isinstance(dyadic, Dyadic):
                        raise FieldError(f"the function must return a dyadic, not {dyadic!r}")
                    inertia = ROWS.read([list(row) for row in dyadic.resolve(body)], self.scope)
                inertia, physical = about_centre(self.scope, inertia, spec.mass, spec.com, spec.about, spec.physical)
            spec = with_fields(spec, {"inertia": inertia, "about": None, "physical": physical})
            if not spec.is_node:
                with within("at"):
                    self.placed.require_not_node(spec.parent, lambda: [x.handle for x in spec.at])
            with within("joint"):
                body = self.placed.add(spec)
            if spec.modal is not None and spec.order == "full":
                modal = with_fields(spec.modal, {"directions": free_directions(body)})
                body.spec = with_fields(spec, {"modal": modal})
            _warn_of_held_mean(spec)
            with within("nodes"):
                for node in spec.nodes:
                    self.placed.node(body, node)
            del self._begun[name]
            return body

    def _parent_name(self, name: str, on: Reference | str | None) -> str:
        if on is None or on is self.ground or (isinstance(on, str) and on == "ground"):
            return "ground"
        if isinstance(on, str) and self.prefixes.open:
            near = (one for one in self.prefixes.candidates(on) if one in self._begun or one in self.bodies)
            on = next(near, next((one for one in self.prefixes.candidates(on) if self._is_node(one)), on))
        key = name_of(on)
        if isinstance(on, str) and (key in self._begun or self._is_node(key)):
            return key
        if isinstance(on, Reference) and on.graph is not self.graph:
            raise FieldError(f"{on!r} belongs to another system; name a body of this one, or copy that system first")
        known = self.bodies.get(key)
        if known is not None and (isinstance(on, str) or known is on):
            return key
        if key in self.scope.file_bodies:
            raise FieldError(f"body '{key}' is defined further down; define a parent before its children")
        if isinstance(on, str):
            self.placed.require_node(key)
            raise FieldError(f"'{key}' is not a body. {suggest(key, ['ground', *self.bodies, *self._begun])}")
        bodies = ", ".join(["ground", *self.bodies])
        raise FieldError(f"the parent '{key}' of body '{name}' is not a body of this system (its bodies: {bodies})")

    def _is_node(self, name: str) -> bool:
        """Whether a name is that of a node of a flexible body that may not be placed yet."""
        body, _, node = name.rpartition(".")
        spec = self._begun.get(body) or (self.bodies[body].spec if body in self.bodies else None)
        return spec is not None and spec.modal is not None and node in spec.modal.nodes

    def _require_free_symbols(self, context: str, names: Sequence[Sequence[str]]) -> None:
        """Raise if a coordinate or speed has the name of another: 'a.x' of body 'a' and of body 'a.x'."""
        tables = self._symbols, self.values, self.inputs, self.extra_states
        outputs = {*self.outputs, *self._output_components()}
        for group, some in zip((Q, U), names, strict=True):
            for name in some:
                if any(group(name) in table for table in tables):
                    raise ModelError(f"{context}: '{name}' is already a coordinate or speed; choose another name")
                if group(name) in outputs:
                    raise ModelError(f"{context}: '{group(name)}' is the name of an output; rename one of them")

    def couple(self, body: Body | str, to: Reference | str, ratio: Any = 1, offset: Any = 0) -> None:
        """Couple the coordinate of a body's joint to that of another: q = ratio · q(to) + offset.

        Both joints have one coordinate. Ratio and offset are numbers, expressions or texts of parameters. The coupled
        coordinate is not in q and u, and tau on the other joint is the generalised force on both.
        """
        body, to = self._nearest(body), self._nearest(to)
        law: dict[str, Any] = {"to": to, "ratio": ratio, "offset": offset}
        self.finish_coupling(name_of(body), body, Coupling(**law))

    def finish_coupling(self, name: str, body: Body | str, coupling: Coupling) -> None:
        """Read a coupling, when both bodies are placed."""
        context = f"coupling of '{name}'"
        with within("bodies", name, "couple"):
            spec = single_coordinate_spec(self.bodies, body, context)
            with within("to"):
                other = single_coordinate_spec(self.bodies, self._nearest(coupling.to), context)
            require_couplable(self.bodies, spec, other.name, context)
            coupling = normal_form(replace(coupling, to=other.name), self.scope, late=False)
            self.bodies[spec.name].spec = replace(spec, coupling=coupling)

    # Loads

    def add(self, element: Added, name: str = "") -> Added:
        """Add a load, a constraint, a block or a sampled element: ``s.add(fb.Bushing(s.ground, arm, stiffness=(…)),
        "mount")``. Without a name it is called after its kind, with a number."""
        if isinstance(element, Sampled):
            return self._add_sampled(element, self._absolute(name))
        section, elements = self._section_of(element)
        name = self._name_of(element, name)
        before = self._begun_sources.pop(name, None)
        with within(section, name):
            self._require_free_for(element, name)
        with within(section, name, *([element.kind] if _has_kind(section) else [])):
            added: Any = self._begin(element, name) if before is None else before
            try:
                added = self._finish(added, f"{section[:-1]} '{name}'")
            except FreebodyError:
                self._forget_deleted_signals()
                raise
        elements[name] = added
        result: Added = added
        return result

    def add_together(self, **elements: SignalBlock | Load) -> tuple[Any, ...]:
        """Add blocks and actuators that may read each other, whichever comes first, and return them: ``e, y =
        s.add_together(e=fb.PID("r - y", kp=2), y=fb.Lag("e", time=0.1))``."""
        for name, one in elements.items():
            if not isinstance(one, SignalSource):
                text = f"add_together: '{name}' must be a block or an actuator, such as fb.Lag(…), not {one!r}"
                raise ModelError(text[:300])
        begun, added = list[str](), list[Any]()
        try:
            for name, one in elements.items():
                begun.append(self.begin_source(one, name))
            for name in elements:
                added.append(self.add(elements[name], name))
        except FreebodyError:
            for full in begun:
                self._begun_sources.pop(full, None)
                self.blocks.pop(full, None)
                self.loads.pop(full, None)
            self._forget_deleted_signals()
            raise
        return tuple(added)

    def begin_source(self, element: Load | SignalBlock, name: str) -> str:
        """Declare the signals of a block or an actuator, which ``add`` adds when what it reads is declared too. Returns
        its name."""
        section, _ = self._section_of(element)
        name = self._name_of(element, name)
        with within(section, name):
            self._require_free_for(element, name)
        with within(section, name, element.kind):
            self._begun_sources[name] = self._begin(element, name)
        return name

    def _section_of(self, element: Any) -> tuple[str, dict[str, Any]]:
        """The section of model files in which an element is, and the elements there."""
        if isinstance(element, Load):
            return element.section, self.loads
        if isinstance(element, Constraint):
            return "constraints", self.constraints
        if isinstance(element, SignalBlock):
            return "blocks", self.blocks
        raise ModelError(
            f"a load, a constraint or a block is needed, such as fb.Bushing(…) or fb.Closure(…), not {element!r}"[:300]
        )

    def _name_of(self, element: Load | Constraint | SignalBlock, name: str) -> str:
        """The name of a new element, by default its kind with a number."""
        _, elements = self._section_of(element)
        kind = element.kind
        name = require_text(require_text(name, f"the name of a {kind}") or element.name, f"the name of a {kind}")
        if name:
            return self._absolute(name)
        return next(free for k in count(1) if (free := self._absolute(f"{kind}{k}")) not in elements)

    def _begin(self, element: Any, name: str) -> Any:
        """An element with its early fields read and its signals declared."""
        element = normal_form(replace(element, name=name), self.scope, late=False)
        if isinstance(element, SignalSource):
            self._forget_deleted_signals()
            for symbol in element.symbol_names:
                self._require_free_signal(symbol, name)
            element = replace(element, symbols=declare_symbols(element, self.graph))  # type: ignore[type-var]
            self._signals[name] = tuple(element.symbol_names)
            self._symbols.update(element.symbol_names)
        return element

    def _require_free_signal(self, name: str, owner: str) -> None:
        """Raise if a signal of an element has a name that is taken, or that means something else in expressions."""
        parts = name.split(".")
        if all(part.isidentifier() or part.isdigit() for part in parts) and (meaning := reserved_meaning(name)):
            raise ModelError(f"'{name}' cannot be a name here: in expressions it is {meaning}; choose another")
        known = self._named_in_texts(name) or (self._named(name) if name != owner else "")
        if known:
            raise ModelError(f"'{name}', a signal of '{owner}', is the name of {known}; choose another name")

    def _finish(self, added: Any, context: str) -> Any:
        """An element with its other fields read, when all that they may use is declared."""
        added, name = normal_form(added, self.scope, late=True), added.name
        self._require_no_nodes(added)
        self._require_no_accelerations((x.handle for x in expressions(added)), context)
        if isinstance(added, Closure) and name not in self._begun_closures:
            self._declare_cut_coordinates(added)
        if isinstance(added, Constraint):
            self._declare_held(added)
            self._symbols.update(added.state_names)
        if isinstance(added, Closure):
            self._warn_of_held_rotations(added)
        return added

    def _require_no_nodes(self, element: Element) -> None:
        """Raise if a point of a flexible body that an element uses is where one of its nodes is."""
        for f, value in values_of(element):
            if isinstance(f.kind, PointField):
                with within(f.key):
                    self.placed.require_not_node(value.body, partial(self.placed.components, value))

    # Sampled elements

    def controller(
        self,
        name: str,
        law: Mapping[str, Any] | None = None,
        states: Mapping[str, Any] | None = None,
        reads: Mapping[str, Any] | None = None,
        *,
        period: Any = None,
        rate: Any = None,
        **options: Any,
    ) -> Controller:
        """Add a controller that is evaluated every ``period`` seconds, or ``rate`` times a second: the ``law`` gives
        values of inputs by name, which are held until the next sample, ``states`` the next values of its memory, and
        ``reads`` names for what both use. Further options, as of ``fb.Controller``: offset, delay or delay_samples,
        initial, saturation, rate_limit, quantisation, anti_windup."""
        fields: dict[str, Any] = {"law": law or {}, "states": states or {}, "reads": reads or {}, **options}
        return self._add_sampled(Controller(period=period, rate=rate, **fields), self._absolute(name))

    def sensor(
        self,
        name: str,
        sensor: Sensor | None = None,
        *,
        of: Any = None,
        period: Any = None,
        rate: Any = None,
        **options: Any,
    ) -> Sensor:
        """Add a sensor, ``s.sensor("imu", fb.IMU(at=arm.origin, rate=500, noise_density=…))``; or one that measures any
        scalar, ``s.sensor("gyro", of="u.arm", rate=1000, noise=0.01)``, or several by names of its own. Further
        options, as of ``fb.QuantitySensor``: noise, noise_density, bias, bias_walk, resolution, range, unit, offset,
        delay or delay_samples."""
        if sensor is None:
            if of is None:
                raise ModelError(f"sensor '{name}': give what it measures, of='q.arm', or a sensor such as fb.IMU(…)")
            sensor = QuantitySensor(of, period=period, rate=rate, **options)
        elif of is not None or period is not None or rate is not None or options:
            raise ModelError(f"sensor '{name}': pass options to {type(sensor).__name__}(…), which is given too")
        elif not isinstance(sensor, Sensor):
            raise ModelError(f"sensor '{name}' must be a sensor such as fb.IMU(…), not {shorten(repr(sensor), CELL)}")
        return self._add_sampled(sensor, self._absolute(name))

    @property
    def free_inputs(self) -> list[str]:
        """The inputs that no sampled element writes: runs give their values."""
        written = {name for element in self.sampled.values() for name in element.inputs}
        return [name for name in self.inputs if name not in written]

    def _add_sampled(self, element: Added, name: str) -> Added:
        self.begin_sampled(name, element)  # type: ignore[arg-type]
        try:
            result: Added = self.finish_sampled(name)  # type: ignore[assignment]
        except FreebodyError:
            self._symbols -= {*self.sampled.pop(name).held}
            raise
        return result

    def begin_sampled(self, name: str, element: Sampled) -> None:
        """Read the times of a sampled element and declare what it holds; ``finish_sampled`` reads its expressions, when
        all that they may use is declared."""
        element = replace(element, name=name)
        for f, value in values_of(element):
            if isinstance(f.kind, Orientation):
                warn_of_rotation(f"{element.group} '{name}'", value)
        with within(*element.path):
            self._require_free(name)
            element = element.renamed(self._nearest_input) if self.prefixes.open else element
            read = normal_form(element, self.scope, late=False)
            require_writable(read, self.inputs, self.sampled)
            declare_held(read, self.graph, self._require_free)
            self.sampled[name] = read
            self._symbols |= {*read.held}

    def finish_sampled(self, name: str) -> Sampled:
        """Read the expressions of a sampled element, which may use outputs by name."""
        element = self.sampled[name]
        with within(*element.path):
            outputs = output_names(self.outputs, self.placed)
            inner = {name.removeprefix(self.prefixes.innermost): x for name, x in outputs.items()}
            scope = self.scope.inner({**outputs, **inner})
            read = normal_form(element, scope, late=True)
            self._require_no_nodes(read)
            read.check_in_system(scope)
            for held, unit in read.units(self.graph).items():
                self.graph.set_unit(held, unit)
            self.sampled[name] = read
        return read

    def _warn_of_held_rotations(self, closure: Closure) -> None:
        """Warn of a node that may not rotate, where the modes of its body have no bending moment."""
        for point in (closure.start, closure.end):
            node = self.bodies.get(point.body)
            if node is None or not node.spec.node or not isinstance(node.parent, Body):
                continue
            flexible, name = node.parent.spec.flexible, node.spec.node
            self._warn_of_held_length(closure, node.parent)
            if flexible is None or any("rad" in unit for unit in closure.joint.units[1]):
                continue
            if name in flexible.moment_free_nodes:
                warn(
                    f"constraint '{closure.name}' holds the rotation of '{point.body}', where the modes of the beam"
                    " have no bending moment: the first frequency is 28 % too high with 4 modes, 7 % with 12. Take"
                    f" modes that have one: flexible=fb.SpaceFrame(…, static=['{name}'])",
                    SimulationWarning,
                )

    def _warn_of_held_length(self, closure: Closure, body: Body) -> None:
        """Warn of a beam whose two ends are held on one body, where it has no axial modes: it cannot stretch, so that
        it can hardly bend either."""
        spec, others = body.spec, {point.body for point in (closure.start, closure.end)}
        slides = any("rad" not in unit for unit in (*closure.joint.units[1], *spec.joint.units[1]))
        beam, modes = spec.flexible, dict(spec.modes) if isinstance(spec.modes, tuple) else {}
        if beam is None or beam.stretches(modes) or slides or spec.parent not in others:
            return
        warn(
            f"constraint '{closure.name}' and the joint of '{body.name}' hold both ends of this beam on"
            f" '{spec.parent}', and it has no axial modes: it cannot stretch, so it can hardly bend. Add the"
            " axial mode: fb.Beam(…, EA=…, axial=1)",
            SimulationWarning,
        )

    def _declare_held(self, constraint: Constraint) -> None:
        """Declare the symbols of the flag and of the captured pose of a constraint that can be switched."""
        names = list(constraint.held())
        taken = [n for n in names if any(n in table for table in (self.values, self.inputs, self.extra_states))]
        if taken:
            named = self._named(taken[0])
            raise ModelError(f"'{taken[0]}' is the name of {named} in system '{self.name}'; choose another")
        for name in names:
            self.graph.symbol(name, Kind.INPUT)
        self._symbols |= {*names}

    def begin_closure(self, name: str, closure: Closure) -> None:
        """Declare the coordinates of a joint that closes a loop; ``add`` adds it, when all bodies are placed."""
        with within("constraints", name, closure.kind):
            with within("joint"):
                joint = normal_form(closure.joint, self.scope, late=False)
            self._declare_cut_coordinates(replace(closure, name=name, joint=joint))
            self._begun_closures.add(name)

    def _declare_cut_coordinates(self, closure: Closure) -> None:
        """Declare the symbols of the coordinates and speeds of a joint that closes a loop."""
        self._require_free_symbols(f"closure '{closure.name}'", closure.names)
        states = set(closure.names[0]) if closure.has_states else set()
        tables = self._symbols, self.extra_states, self.values, self.inputs
        taken = [n for n in states if any(n in table for table in tables)]
        if taken:
            named = self._named(taken[0]) or self._named_in_texts(taken[0])
            raise ModelError(f"closure '{closure.name}': '{taken[0]}' is the name of {named}; choose another")
        if any(closure.names):
            declare_coordinates(self.graph, closure.joint, closure.names)
        self._symbols |= {*Q.all(closure.names[0]), *U.all(closure.names[1]), *states}

    def force(
        self, force: Vector, at: Point | Reference | str, reaction: Reference | str | None = None, name: str = ""
    ) -> Force:
        """Add a force through a point, or through the origin of a body, with an optional reaction on another body."""
        return self.add(Force(force, at, reaction), name)

    def torque(
        self,
        torque: Any,
        on: Reference | str,
        reaction: Reference | str | None = None,
        about: Vector | None = None,
        name: str = "",
    ) -> Torque:
        """Add a torque on a body: a vector, or a scalar about a direction, whose length does not matter."""
        vector, value = (torque, None) if about is None else (None, torque)
        return self.add(Torque(on, vector, value, about, reaction), name)

    def force_between(
        self, start: Point | Reference | str, end: Point | Reference | str, law: Any, name: str = ""
    ) -> ForceBetween:
        """Add a force along the line between two points; a positive law pulls them together. ``law`` is a function of
        (length, rate), or a text that uses ``length`` and ``rate``."""
        return self.add(ForceBetween(start, end, law), name)

    def spring(
        self,
        start: Point | Reference | str,
        end: Point | Reference | str,
        stiffness: Any = 0,
        free_length: Any = 0,
        damping: Any = 0,
        name: str = "",
    ) -> ForceBetween:
        """Add a linear spring and damper between two points."""
        load: Any = self.add(Spring(start, end, stiffness, free_length, damping), name)
        return load  # type: ignore[no-any-return]

    # Contacts

    def contact(
        self,
        first: Any,
        second: Any,
        material: ContactMaterial | str,
        name: str = "",
        points: int | None = None,
        slots: int | None = None,
    ) -> Contact:
        """Let two shapes touch: ``s.contact(foot.shape("tip"), s.ground.plane(), fb.ContactMaterial(2e4, friction=0.7),
        "fl")``. A shape is ``body.shape("name")``, ``body.shape(fb.Sphere(0.02))``, a body that has one shape only, or
        a text such as "FL_FOOT.tip" or "ground.plane"; ``points`` says how fine edges and faces are divided into points
        that touch, and ``slots`` at how many of them the shapes have forces at a time (for shapes with many points at
        fixed steps). The force on the body of the first shape is recorded."""
        return self.add(Contact((first, second), material, points, slots), name)

    def contacts(
        self,
        first: Iterable[Any],
        second: Iterable[Any],
        material: ContactMaterial | str,
        points: int | None = None,
        limit: int = CONTACT_POINTS,
        slots: int | None = None,
    ) -> dict[str, Contact]:
        """Let each shape of one list touch each of another: ``s.contacts(feet, [s.ground.plane()], rubber)``. Pairs on
        one body are left out; a pair that the lists have twice, ``s.contacts(parts, parts, steel)``, is one contact.
        They are called after their bodies, "FL_FOOT", or after their shapes where that is not unique. ``points`` is for
        those pairs of which something is divided. More than ``limit`` points are refused: each of them is computed in
        every step; of a pair with ``slots`` only these count."""
        for some, which in ((first, "first"), (second, "second")):
            if isinstance(some, str) or not isinstance(some, Iterable):
                raise ModelError(
                    f"s.contacts: a list of shapes is needed as {which}, not {describe(some)}; write"
                    " s.contacts([ball], [s.ground.plane()], material), or s.contact(…) for one pair"
                )
        shapes = [[SHAPE.read(one, self.scope) for one in some] for some in (first, second)]
        unordered = dict[frozenset[tuple[str, str | int]], tuple[ShapeOnBody, ShapeOnBody]]()
        for a, b in product(*shapes):
            if a.body != b.body:
                unordered.setdefault(frozenset((x.body, x.label or id(x.shape)) for x in (a, b)), (a, b))
        pairs = [*unordered.values()]
        if not pairs:
            raise ModelError("s.contacts: there are no two shapes of different bodies in the two lists")
        divided = [least_points(a.shape, b.shape) > 0 for a, b in pairs]
        given = [points if one or not any(divided) else None for one in divided]
        try:
            counts = [
                len(candidates_of(a.shape, b.shape, n).candidates) for (a, b), n in zip(pairs, given, strict=True)
            ]
            count = sum(counts) if slots is None else sum(min(n, slots) for n in counts)
        except FieldError as error:
            raise ModelError(f"s.contacts: {error.message}") from None
        if count > limit:
            raise ModelError(
                f"s.contacts: {len(pairs)} pairs of shapes can touch at {count} points, and the limit is {limit}. Each"
                " point is computed in every step: name fewer pairs, take spheres or capsules, or raise limit=…"
            )
        added = dict[str, Contact]()
        try:
            for (a, b), n, name in zip(pairs, given, names_of_pairs(pairs), strict=True):
                contact = self.add(Contact((a, b), material, n, slots), name)
                added[contact.name] = contact
        except FreebodyError:
            for name in added:
                del self.loads[name]
            self._forget_deleted_signals()
            raise
        return added

    def share_material(self, material: ContactMaterial) -> ContactMaterial:
        """A material that contacts may use by its name from now on; that of this name, if it is equal."""
        for name in self.prefixes.candidates(material.name):
            if name in self.materials and same_material(self.materials[name], material):
                return self.materials[name]
        material = with_fields(material, {"name": self._absolute(material.name)})
        if material.name in self.materials:
            raise FieldError(f"there is another contact material '{material.name}'; choose another name")
        self.materials[material.name] = material
        return material

    def joint_force(self, body: Reference | str, value: Any, speed: str = "", name: str = "") -> JointForce:
        """Add a generalised force on a speed of a body's joint: a torque about its axis, or a force along it."""
        return self.add(JointForce(body, value, speed), name)

    def joint_stop(
        self,
        body: Reference | str,
        lower: Any = None,
        upper: Any = None,
        stiffness: Any = None,
        dissipation: Any = 1,
        coordinate: str = "",
        name: str = "",
    ) -> JointStop:
        """Add a stop to a coordinate of a body's joint, at ``lower`` and ``upper`` (by default the joint's limits): the
        force stiffness · x · max(0, 1 − dissipation · v) at the depth x beyond an end, v the speed back inside. The
        default stiffness is the inertia beyond the joint over (5 ms)². It has the name of the body (with the coordinate
        of a joint with several), and runs record ``stop.NAME.force``, ``.gap`` and ``.stiffness``."""
        fields = {"lower": lower, "upper": upper, "stiffness": stiffness, "dissipation": dissipation}
        body = self._nearest(body)
        default = f"{name_of(body)}.{coordinate}" if coordinate else name_of(body)
        return self.add(JointStop(body, **fields, coordinate=coordinate), name or self._relative(default))

    def stop_at_limits(self) -> None:
        """Give each joint with limits a stop there, unless it has one: as ``fb.load(…, limits="stop")`` does."""
        for body in [*self.bodies.values()]:
            self._stop_at_limits(body)

    def _stop_at_limits(self, body: Body) -> None:
        """A stop at the limits of each free coordinate of a joint, unless it has one."""
        joint = body.spec.joint
        if joint.limits is None or not any(map(isfinite, joint.limits)):
            return
        stopped = {one.coordinate_name for one in self.loads.values() if isinstance(one, JointStop)}
        for coordinate, motion in zip(joint.coordinates, joint.coordinate_motions, strict=True):
            stop = JointStop(body.name, coordinate=coordinate)
            if motion is None and stop.coordinate_name not in stopped:
                self.add(stop, self._relative(stop.coordinate_name))

    def _relative(self, name: str) -> str:
        """A full name without the prefix of the component that is open."""
        return name.removeprefix(self.prefixes.innermost)

    # Constraints

    def close(
        self,
        start: Point | Reference | str,
        end: Point | Reference | str,
        joint: Joint | str | None = None,
        orient: Any = None,
        orient_to: Any = None,
        name: str = "",
        engaged: bool | None = None,
        capture: bool = False,
    ) -> Closure:
        """Close a loop by a joint (a weld by default) between two bodies of the tree, or points of them. ``orient`` and
        ``orient_to`` are the orientations of the joint's frame in the first and in the second body.

        A constraint whose ``engaged`` is True or False can be switched by events; this is its state at the start of a
        run. With ``capture``, the pose in which the bodies meet becomes the zero of the joint when it is engaged."""
        element: Any = Weld() if joint is None else joint if isinstance(joint, Joint) else JOINTS.find(joint)()
        closure = self.add(Closure(start, end, element, orient, orient_to, capture, engaged=engaged), name)
        for rotation in (orient, orient_to):
            warn_of_rotation(f"constraint '{closure.name}'", rotation)
        warn_of_joint(f"constraint '{closure.name}'", element)
        return closure

    def rod(
        self,
        start: Point | Reference | str,
        end: Point | Reference | str,
        length: Any,
        name: str = "",
        engaged: bool | None = None,
    ) -> Rod:
        """Keep the distance between two points: a massless rod, whose multiplier is its tension. The length may depend
        on parameters, time and coordinates."""
        return self.add(Rod(start, end, length, engaged=engaged), name)

    def gear(
        self,
        one: Body | Point | Reference | str,
        other: Body | Point | Reference | str,
        ratio: Any = None,
        offset: Any = 0,
        name: str = "",
        engaged: bool | None = None,
        *,
        radii: ScalarsValue | None = None,
        pressure_angle: Any = DEGREES_20,
        helix_angle: Any = 0,
        axes: Sequence[Any] | None = None,
        stiffness: Any = None,
        damping: Any = 0,
        backlash: Any = 0,
    ) -> ExpressionConstraint | Gear | ElasticGear | None:
        """Gear two bodies: with ``radii`` by teeth, whose force acts at the mesh point; with a ``ratio`` their
        coordinates alone.

        **Teeth.** ``radii`` are the pitch radii, of a ring gear negative, of a rack None: ``s.gear(sun, planet,
        radii=(0.1, 0.05))``, ``s.gear(planet, ring, radii=(0.05, -0.2))``. Both bodies, or points of them that are the
        centres of the gears, turn about the axes of their joints or about ``axes``, along the axes of the bodies; a
        rack slides along its axis. Parallel axes are those of spur and helical gears, axes that meet those of bevel
        gears. Angles are in radians. The multiplier is the tangential force. With ``engaged`` the gears can be shifted.
        With a ``stiffness`` (N/m, along the normal of the teeth) the mesh is a load, a spring with a ``damping`` and a
        ``backlash`` (m, along the pitch circles); then the axes may be on springs.

        **Ratio.** q(one) = ratio · q(other) + offset. Each is a body whose joint has one coordinate, or
        the name of a coordinate. Between an angle and a travel this is a rack (the ratio is the radius of the pinion)
        or a screw (the lead divided by 2π). Ratio and offset depend on parameters only.
        If possible the first coordinate is coupled to the second (``couple``), or the second to the first. Otherwise it
        is a constraint, which is returned: for coordinates of joints that have several or close loops, or if couplings,
        motions or initial values determine both. Its multiplier is the generalised force on the first coordinate, and
        its name is ``name``, or ``gear.`` and the first coordinate; a coupling has no name. Such a gear is a ratio of
        torques: reactions of its bodies do not contain the force of the mesh on their bearings.

        With ``engaged`` it can be switched: a clutch, or a gear that is shifted. It then meshes at any angle, and is a
        constraint of the rates, q̇(one) = ratio · q̇(other), without an offset.
        """
        if radii is not None:
            if ratio is not None or not equals_number(offset, 0):
                raise ModelError(
                    "gear: it has radii, from which the ratio follows; leave out ratio and offset, or the radii"
                )
            fields = one, other, radii, (None, None) if axes is None else axes
            if stiffness is None:
                if not (equals_number(damping, 0) and equals_number(backlash, 0)):
                    raise ModelError("gear: damping and backlash need elastic teeth; give stiffness=… in N/m too")
                return self.add(Gear(*fields, pressure_angle, helix_angle, engaged=engaged), name)
            if engaged is not None:
                raise ModelError("gear: elastic teeth cannot be switched; leave out engaged, or the stiffness")
            return self.add(ElasticGear(*fields, stiffness, damping, pressure_angle, helix_angle, backlash), name)
        teeth = {
            "stiffness": (stiffness, None),
            "damping": (damping, 0),
            "backlash": (backlash, 0),
            "axes": (axes, None),
            "pressure_angle": (pressure_angle, DEGREES_20),
            "helix_angle": (helix_angle, 0),
        }
        changed = [n for n, (x, usual) in teeth.items() if x is not usual and not equals_number(x, usual or 0)]
        if changed:
            raise ModelError(
                f"gear: '{changed[0]}' describes teeth, which a gear by a ratio of coordinates does not have;"
                " give radii=… instead of the ratio, or leave it out"
            )
        if ratio is None:
            raise ModelError(
                "gear: give the radii of the pitch circles, radii=(0.1, 0.2), for a force at the mesh that"
                " loads the bearings; or a ratio of the coordinates"
            )
        if isinstance(one, Point) or isinstance(other, Point):
            raise ModelError("gear: a ratio is between coordinates, not points; name bodies, or give radii")
        context = "gear"
        closing = [n for c in self.constraints.values() if isinstance(c, Closure) for n in c.names[0]]
        a, b = (coordinate_of(self.bodies, closing, self._nearest(x), context) for x in (one, other))
        context = f"gear between '{a}' and '{b}'"
        r, c = self._constant(ratio, f"{context}: the ratio"), self._constant(offset, f"{context}: the offset")
        if equals_number(r, 0):
            raise ModelError(f"{context}: the ratio is 0, which would hold '{a}'; give a ratio that is not 0")
        if a == b:
            raise ModelError(f"{context}: it needs two coordinates; name another one")
        if coupled_to(self.bodies, a) == coupled_to(self.bodies, b):
            chains = [" → ".join([x, *chain]) for x in (a, b) if (chain := couplings_from(self.bodies, x))]
            raise ModelError(
                f"{context}: they are coupled already ({', '.join(chains)}); leave out this gear or that coupling"
            )
        if engaged is not None:
            if not equals_number(c, 0):
                raise ModelError(
                    f"{context}: a gear with engaged=… meshes at any angle, so it has no offset; leave out the offset"
                )
            rate_a, rate_b = (self._rate_of(x, context) for x in (a, b))
            return self.constrain(rate_a - r * rate_b, name=name or f"gear.{a}", engaged=engaged)
        if couplable(self.bodies, a, b):
            self.couple(a, b, r, c)
        elif couplable(self.bodies, b, a):
            self.couple(b, a, 1 / r, -c / r)
        else:
            difference = self.scalar(Q(a), context) - r * self.scalar(Q(b), context) - c
            return self.constrain(difference, name=name or f"gear.{a}")
        return None

    def _rate_of(self, coordinate: str, context: str) -> Expr:
        """The rate of a coordinate, which must be a speed."""
        joints = [(body.spec.names, body.spec.joint) for body in self.bodies.values()]
        joints += [(c.names, c.joint) for c in self.constraints.values() if isinstance(c, Closure)]
        (q, u), joint = next(pair for pair in joints if coordinate in pair[0][0])
        if not joint.rates:
            raise ModelError(
                f"{context}: the rate of '{coordinate}' is not a speed of its {joint.kind} joint; state an equation of"
                " speeds, constrain(…, engaged=…)"
            )
        return self.scalar(U(u[q.index(coordinate)]), context)

    def _constant(self, value: Any, context: str) -> Expr:
        """A scalar of numbers and parameters."""
        x = self.scalar(value, context)
        if self.graph.mask[x.handle] > PARAMETERS_ONLY:
            raise ModelError(f"{context} may depend on numbers and parameters only, not on {x}")
        return x

    def point_on_plane(
        self,
        point: Point | Reference | str,
        on: Point | Reference | str | None = None,
        normal: Any = "z",
        name: str = "",
        engaged: bool | None = None,
    ) -> PointOnPlane:
        """Keep a point on a plane through a point of another body (the ground's origin by default). The normal is given
        along the axes of that body."""
        return self.add(PointOnPlane(point, self.ground if on is None else on, normal, engaged=engaged), name)

    def point_contact(
        self,
        point: Point | Reference | str,
        on: Point | Reference | str | None = None,
        normal: Any = "z",
        friction: Any = 0,
        restitution: float = 0.0,
        rest_speed: float = 1e-3,
        name: str = "",
        engaged: bool = False,
    ) -> PointContact:
        """Let a point touch a plane through a point of another body (the ground's origin by default), on the side of
        its normal, with exact impacts and Coulomb's friction. Runs engage it at touch by an impulse, let it stick or
        slide, and release it where it lifts off."""
        plane = self.ground if on is None else on
        return self.add(PointContact(point, plane, normal, friction, restitution, rest_speed, engaged=engaged), name)

    def point_on_line(
        self,
        point: Point | Reference | str,
        on: Point | Reference | str | None = None,
        direction: Any = "x",
        name: str = "",
        engaged: bool | None = None,
    ) -> PointOnLine:
        """Keep a point on a straight line through a point of another body (the ground's origin by default). The
        direction is given along the axes of that body."""
        return self.add(PointOnLine(point, self.ground if on is None else on, direction, engaged=engaged), name)

    def point_on_surface(
        self,
        point: Point | Reference | str,
        law: Any,
        on: Reference | str | None = None,
        name: str = "",
        engaged: bool | None = None,
    ) -> PointOnSurface:
        """Keep a point on the surface of a body (the ground by default) where a law of the point's position along the
        axes of that body is zero: a text in ``x``, ``y`` and ``z``, or a function of them."""
        return self.add(PointOnSurface(point, law, self.ground if on is None else on, engaged=engaged), name)

    def point_on_curve(
        self,
        point: Point | Reference | str,
        curve: Any,
        on: Reference | str | None = None,
        start: float = 0.0,
        name: str = "",
        engaged: bool | None = None,
    ) -> PointOnCurve:
        """Keep a point on a curve of a body (the ground by default): three texts in ``s``, or a function of s that
        returns the curve's coordinates along the axes of that body. The extra state ``name.s`` follows the point;
        ``start`` is near its initial value."""
        return self.add(PointOnCurve(point, curve, self.ground if on is None else on, start, engaged=engaged), name)

    def knife_edge(
        self,
        point: Point | Reference | str,
        direction: Any = "y",
        on: Reference | str | None = None,
        name: str = "",
        engaged: bool | None = None,
    ) -> KnifeEdge:
        """Forbid a point of a body to slip on another body (the ground by default) along a direction of its body. Only
        speeds are restricted."""
        return self.add(KnifeEdge(point, direction, self.ground if on is None else on, engaged=engaged), name)

    def roll(
        self,
        centre: Point | Reference | str,
        on: Point | Reference | str | None = None,
        radius: Any = None,
        axis: Any = None,
        tyre: Any = 0,
        normal: Any = "z",
        name: str = "",
        engaged: bool | None = None,
    ) -> Roll:
        """Let a body roll without slip on a plane through a point of another body (the ground's origin by default): a
        sphere, or with an ``axis`` a wheel, which has a round ``tyre`` or is a thin disc. ``centre`` is the centre of
        the wheel. Multipliers are the forces ``normal``, ``longitudinal`` and ``lateral`` on the wheel."""
        if radius is None:
            raise ModelError("roll: the radius of the wheel or sphere is missing; give radius=…")
        plane = self.ground if on is None else on
        roll = Roll(centre, on=plane, radius=radius, axis=axis, tyre=tyre, normal=normal, engaged=engaged)
        return self.add(roll, name)

    def belt(
        self,
        one: Point | Reference | str,
        other: Point | Reference | str,
        radii: ScalarsValue,
        crossed: bool = False,
        pretension: Any = 0,
        axes: Sequence[Any] | None = None,
        stiffness: Any = None,
        damping: Any = 0,
        name: str = "",
        engaged: bool | None = None,
    ) -> Belt | ElasticBelt:
        """Connect two pulleys by a belt, or two sprockets by a chain, without slip. ``radii`` are positive; the bodies,
        or points of them that are the centres, turn about the axes of their joints or about ``axes``. ``pretension`` is
        the tension of each span without torque. The multiplier is the difference of the tensions. With a ``stiffness``
        of each span (N/m) it is a load, and the pulleys may be on springs."""
        pair = one, other, radii, (None, None) if axes is None else axes
        if stiffness is None:
            if not equals_number(damping, 0):
                raise ModelError("belt: damping needs an elastic belt; give stiffness=… in N/m too")
            return self.add(Belt(*pair, crossed, pretension, engaged=engaged), name)
        if engaged is not None:
            raise ModelError("belt: an elastic belt cannot be switched; leave out engaged, or the stiffness")
        return self.add(ElasticBelt(*pair, stiffness, damping, crossed, pretension), name)

    def constrain(
        self, *values: Any, unit: str = "", name: str = "", engaged: bool | None = None
    ) -> ExpressionConstraint:
        """Keep expressions at zero: scalars or vectors of coordinates and time, or linear in speeds. A vector is three
        equations along the axes of the ground."""
        return self.add(ExpressionConstraint(values, unit, engaged=engaged), name)

    # Outputs and gravity

    def output(self, name: str, value: Any, unit: str | None = None) -> None:
        """Add an output: a scalar or vector that is computed along the motion. It may use accelerations and reactions
        (``u_dot.arm``, ``reaction.arm.force.x``). ``unit`` is a label ("N*m", "m/s^2"); by default it is that of the
        value where it follows from what this is: a coordinate, a speed, a position, a reaction, or a component of
        one."""
        name = self._absolute(name)
        with within("outputs", name):
            self._require_free(name)
            output = read_output(value, unit, self.scope)
            for n in [name + part for part in output.names]:
                others = (
                    self._symbols,
                    self.values,
                    self.inputs,
                    self.extra_states,
                    self.outputs,
                    self._output_components(),
                )
                taken = any(n in table for table in others)
                if taken or ((U_DOT.holds(n) or n.startswith((REACTION, MULTIPLIER))) and n in self.names):
                    raise ModelError(f"output '{name}': texts use '{n}' for something else; choose another name")
            self.outputs[name] = output

    @property
    def gravity(self) -> Vector:
        """The acceleration of gravity."""
        return self.ground.vector(self._gravity, "gravity").in_unit("m/s²")

    @gravity.setter
    def gravity(self, xyz: ScalarsValue) -> None:
        with within("gravity"):
            self._gravity = GRAVITY.read(xyz, self.scope)

    # Reactions

    def reaction_force(self, joint: Reference | Constraint | str) -> Vector:
        """The force that the joint of a body applies to it, at its origin; or that of a closure on its second body, at
        the joint's origin there. For outputs and events."""
        return self._read(joint, partial(reaction_vector, kind="force"), "a reaction force")

    def reaction_torque(self, joint: Reference | Constraint | str) -> Vector:
        """The torque that the joint of a body applies to it, about its origin; or that of a closure on its second body,
        about the joint's origin there. For outputs and events."""
        return self._read(joint, partial(reaction_vector, kind="torque"), "a reaction torque")

    # Sensors of flexible bodies

    def deflection(self, node: Body | str) -> Vector:
        """The displacement of a node relative to the undeformed body, ``s.deflection(boom.node("tip"))``. A component
        along the body's axes is ``.dot(boom.y)``."""
        return self._read(node, deflection, "a deflection is of a node")

    def strain(self, body: Body | str, at: float, offset: Sequence[float] = (0, 0)) -> Expr:
        """The normal strain of a beam at the position ``at`` along x, and at the distances ``offset`` = (y, z) from its
        axis: the stretch less y and z times the curvatures of its modes."""
        return self._read(body, partial(strain, at=at, offset=offset), "a strain")

    def section_forces(self, body: Body | str, at: float) -> SectionForces:
        """The forces and moments in the section of a beam at the position ``at`` along x, which its outer part exerts
        on the inner one: ``axial``, ``shear_y``, ``shear_z``, ``torsion``, ``moment_y``, ``moment_z``, along the axes
        of the undeformed body. They follow from the strains of the modes."""
        return self._read(body, partial(section_forces, at=at), "section forces")

    def _read(self, value: Any, read: Callable[[Any, Scope], Read], context: str) -> Read:
        """A point, a body or a vector of this system; ``context`` needs it."""
        try:
            return read(value, self.scope)
        except FieldError as error:
            raise ModelError(f"{context}: {error}") from None

    # The model

    def freeze(self) -> Model:
        """The model of the system, in a graph of its own. The same object is returned until the system changes."""
        contents: list[object] = [self.name, *self._gravity]  # elements are frozen, so each is compared by identity
        sections = self.values, self.inputs, self.extra_states, self.loads, self.constraints, self.outputs, self.sampled
        for section in (*sections, self.blocks):
            for name, element in section.items():
                contents += name, element
            contents.append(None)
        for name, body in self.bodies.items():
            contents += name, body, body.spec
        if self._frozen is None or not _same(self._frozen[0], contents):
            self._frozen = contents, self.described.frozen()
        return self._frozen[1]

    @property
    def described(self) -> Model:
        """The present description, in the graph of the system."""
        for name in self._without_rate:
            raise ModelError(f"the extra state '{name}' has no rate; define it by s.rate('{name}', …)")
        g = three_of(self._gravity, "gravity")
        x, y, z = (v if isinstance(v, Real | Expr) else self.scalar(v, "gravity") for v in g)
        bodies = self._specs()
        self._require_bodies(bodies)
        return Model(
            self.name,
            self.graph,
            (x, y, z),
            self.values,
            self.inputs,
            self.extra_states,
            bodies,
            {name: one for section in LOAD_SECTIONS for name, one in self.loads.items() if one.section == section},
            self.constraints,
            self.outputs,
            {element.name: element for element in in_order(self.sampled)},
            self.blocks,
        )

    def _require_bodies(self, bodies: Mapping[str, BodySpec]) -> None:
        """Raise if a body or an element is on a body that was deleted."""
        sections: dict[str, Mapping[str, Any]] = {
            "bodies": {name: spec.parent for name, spec in bodies.items()},
            "loads": self.loads,
            "blocks": self.blocks,
            "constraints": self.constraints,
            "sampled": self.sampled,
        }
        for section, elements in sections.items():
            for name, element in elements.items():
                parts = [element] if isinstance(element, str) else bodies_of(element)
                gone = next((one for one in parts if one != "ground" and one not in bodies), None)
                if gone is not None:
                    kind = "body" if isinstance(element, str) else element.kind.replace("_", " ")
                    raise ModelError(
                        f"{kind} '{name}' is on body '{gone}', which is not in system '{self.name}' any more; delete it"
                        f" too, del s.{section}['{name}']"
                    )

    @property
    def has_symbols(self) -> bool:
        """Whether there are symbols that the model does not have: coordinates of joints that close loops, and signals
        of blocks and actuators."""
        return bool(self.constraints) or any(True for _ in self._sources())

    def _specs(self) -> dict[str, BodySpec]:
        """The bodies in order, nodes that are used directly behind their flexible bodies."""
        specs = dict[str, BodySpec]()
        for name, body in self.bodies.items():
            modal = body.spec.modal
            nodes = () if modal is None else tuple(node for node in modal.nodes if f"{name}.{node}" in self.bodies)
            specs.setdefault(name, body.spec if nodes == body.spec.nodes else replace(body.spec, nodes=nodes))
            for node in nodes:
                specs[f"{name}.{node}"] = self.bodies[f"{name}.{node}"].spec
        return specs

    def digest(self) -> str:
        """The digest of the system: 40 hexadecimal digits, equal for systems with equal descriptions, in every process
        and whatever the order in which expressions were built. The order of the elements counts."""
        return self.freeze().digest


def _warn_of_held_mean(spec: BodySpec) -> None:
    """Warn of a joint that holds the floating frame of a free beam, in which no section rests."""
    if spec.flexible is not None and spec.flexible.floats and len(spec.joint.speeds) < 6:
        warn(
            f"body '{spec.name}': with frame='floating' its {spec.joint.kind} joint is attached to the mean position"
            " of a free beam, which is no point of the beam: the root moves relative to the joint when the beam bends."
            " For a joint at the root use frame='root', for one on the line through both ends ends='pinned'",
            SimulationWarning,
        )


def _has_kind(section: str) -> bool:
    """Whether the kind of an element is a key in a section of model files."""
    return section in ("loads", "constraints", "blocks")


def _symbol_names(spec: BodySpec) -> set[str]:
    """The names of the symbols of a body's coordinates and speeds."""
    q, u = spec.names
    return {*Q.all(q), *U.all(u)}


def _same(one: list[object], other: list[object]) -> bool:
    """Whether these are the same objects, or equal texts and numbers."""
    return len(one) == len(other) and all(
        a is b or (isinstance(a, str | Real) and type(a) is type(b) and a == b) for a, b in zip(one, other, strict=True)
    )
