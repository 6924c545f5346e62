"""The builder: a mechanical system described piece by piece, in the language of vectors."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import count
from keyword import iskeyword
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar
from unicodedata import normalize

from freebody.errors import FieldError, FreebodyError, ModelError, no_attribute, within
from freebody.model.accelerations import REACTION, NameTable, accelerations_in, refusal_of_accelerations
from freebody.model.body import (
    Body,
    Coupling,
    Point,
    Recipe,
    Reference,
    attach,
    coordinate_names,
    declare_coordinates,
    name_of,
    three_entries,
)
from freebody.model.couplings import require_acyclic, require_uncoupled, single_coordinate_recipe
from freebody.model.declarations import Declaration, Input, Parameter, State
from freebody.model.element import expressions, normal_form, with_fields
from freebody.model.joints import JOINTS, Joint, Weld
from freebody.model.kinds import ListOf, Scope, Symbolic, suggest
from freebody.model.loads import Force, ForceBetween, JointForce, Load, Spring, Torque
from freebody.model.mass import ROWS, about_centre
from freebody.model.model import Model
from freebody.model.placed import PlacedBodies
from freebody.model.texts import SystemScope
from freebody.model.vectors import Components, OutputField, reaction_vector, read_body
from freebody.names import U_DOT
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.parse import CONSTANTS, FUNCTIONS, parse
from freebody.scalar.symbol import Kind
from freebody.spatial.vector import Dyadic, Vector, handle

GRAVITY = ListOf(Symbolic(), 3)
Kept = TypeVar("Kept", bound=Load)
Read = TypeVar("Read")


def reserved_meaning(name: str) -> str:
    """What expressions take a name for, if it is not free: a word of the language, a constant or a function."""
    read = normalize("NFKC", name)
    if any(iskeyword(word) for word in read.split(".")):
        return "a reserved word"
    return "a constant" if read in CONSTANTS else "a function" if read in FUNCTIONS else ""


def text(given: Any, who: str) -> str:
    if not isinstance(given, str):
        raise ModelError(f"{who} must be text, not {given!r}")
    return given


def finite_number(given: Any, who: str) -> float:
    """One number; texts are none, also where they look like one."""
    try:
        value = float(given) if not isinstance(given, str | bytes) else None
    except (TypeError, ValueError, OverflowError, FreebodyError):
        value = None
    if value is None:
        raise ModelError(f"{who} must be a number, not {given!r}"[:300])
    if not isfinite(value):
        raise ModelError(f"{who} is {value}; give it a finite value")
    return value


def _freedoms(recipe: Recipe) -> set[str]:
    """The symbols of a body's coordinates and speeds."""
    return {f"{letter}.{n}" for letter, given in zip("qu", recipe.names, strict=True) for n in given}


class ModelBuilder:
    """Bodies in a tree, with joints, loads, parameters, inputs, extra states and outputs. All scalars may be numbers,
    expressions, or text of declared names."""

    def __init__(self, name: str = "system", gravity: Sequence[Any] = (0, 0, -9.81)) -> None:
        self.name, self.graph = text(name, "the name of a system"), Graph()
        three_entries(gravity, "gravity")
        self.placed = PlacedBodies(self.graph)
        self.ground, self.bodies = self.placed.ground, self.placed.bodies
        self.names = NameTable(self.graph, lambda: (body.recipe for body in self.bodies.values()))
        self.t = Expr(self.graph, self.graph.symbol("t", Kind.TIME, "time", "s"))
        self.values: dict[str, float] = {}
        self.inputs: dict[str, Expr] = {}
        self.states: dict[str, State] = {}
        self.loads: dict[str, Load] = {}
        self.outputs: dict[str, Expr | tuple[Components, ...]] = {}
        self.scope: Scope = SystemScope(self)  # reads elements; while a file is read, also its definitions
        self._gravity = gravity
        self._freedoms: set[str] = set()  # the symbols of all coordinates and speeds
        self._begun: dict[str, Recipe] = {}  # bodies whose coordinates are declared, and that are not placed yet
        self._frozen: tuple[list[object], Model] | None = None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name)

    def __repr__(self) -> str:
        return f"<System {self.name}: {len(self.bodies)} bodies, {len(self.loads)} loads>"

    # Scalars

    def parameter(self, name: str, value: float, unit: str = "", description: str = "") -> Expr:
        """A constant of the model with its default value."""
        return self.declare(name, Parameter(value, unit, description))

    def parameters(self, **values: float) -> tuple[Expr, ...]:
        """Several parameters at once: ``m, l = s.parameters(m=1.0, l=0.5)``."""
        return tuple(self.parameter(name, value) for name, value in values.items())

    def input(self, name: str, unit: str = "", description: str = "") -> Expr:
        """A named input: a force, a voltage, anything that comes from outside."""
        return self.declare(name, Input(unit, description))

    def state(self, name: str, rate: Any, initial: float = 0.0, unit: str = "", description: str = "") -> Expr:
        """An extra state ż = rate, of an actuator, a filter, a tyre. The rate may use the state itself."""
        symbol = self.declare(name, State(rate=rate, initial=initial, unit=unit, description=description))
        try:
            self.finish_state(name)
        except FreebodyError:
            del self.states[name]
            raise
        return symbol

    def declare(self, name: str, given: Declaration) -> Expr:
        """The symbol of a parameter, an input or a state. The rate of a state is read by ``finish_state``, when all
        that it may use is there."""
        with within(given.section, name):
            self._new(name, spoken=True)
            made = normal_form(given, self.scope, late=False)
            symbol = Expr(self.graph, self.graph.symbol(name, made.symbol_kind, made.description, made.unit))
        if isinstance(made, Parameter):
            self.values[name] = made.value
        elif isinstance(made, State):
            self.states[name] = replace(made, symbol=symbol)
        else:
            self.inputs[name] = symbol
        return symbol

    def finish_state(self, name: str) -> None:
        """Read the rate of a state."""
        with within("states", name):
            self.states[name] = normal_form(self.states[name], self.scope, late=True)

    def scalar(self, value: Any, who: str, accelerations: bool = False) -> Expr:
        """A number, an expression or text as an expression of this system; one that uses accelerations is refused
        unless they are allowed."""
        if isinstance(value, Vector):
            raise ModelError(f"{who}: a vector was given where a scalar belongs")
        if isinstance(value, str):
            made = Expr(self.graph, parse(self.graph, value, self.names, who=who))
        else:
            made = Expr(self.graph, handle(self.graph, value, who, who))
        if not accelerations:
            self._require_early([made.handle], who)
        return made

    def _require_early(self, nodes: Iterable[int], who: str) -> None:
        """Refuse what is known only once u̇ is solved."""
        names = accelerations_in(self.graph, nodes)
        if names:
            raise ModelError(refusal_of_accelerations(names, who))

    def _new(self, name: str, spoken: bool = False) -> None:
        """A name must be free, and one that texts may use must be a word (or words with dots between) that they do not
        read otherwise."""
        words = all(word.isidentifier() for word in text(name, "a name").split("."))
        if not name.strip() or (spoken and not words):
            raise ModelError(f"{name!r} cannot be a name here: use letters, digits and underscores, a letter first")
        later = U_DOT.holds(name) or name.startswith(REACTION)
        taken = reserved_meaning(name) or ("the name of an acceleration or reaction" if later else "") if spoken else ""
        if taken:
            raise ModelError(f"'{name}' cannot be a name here: in expressions it is {taken}; choose another")
        kinds = (self.values, self.inputs, self.states, self.bodies, self._begun, self.loads, self.outputs,
                 ("ground", "t"))  # fmt: skip
        if any(name in kind for kind in kinds) or (spoken and name in {*self._freedoms, *self._parts()}):
            raise ModelError(f"'{name}' is the name of something else in system '{self.name}'; choose another")

    def _parts(self) -> list[str]:
        """What texts call the components of vector outputs."""
        return [f"{name}.{c}" for name, value in self.outputs.items() if isinstance(value, tuple) for c in "xyz"]

    # Bodies

    def body(
        self, name: str, on: Reference | str | None = None, joint: Joint | str | None = None,
        at: Sequence[Any] = (0, 0, 0), orient: Any = None, mass: Any = 0, com: Sequence[Any] = (0, 0, 0),
        inertia: Any = None, about: Any = None, shape: Any = None, physical: bool = True,
    ) -> Body:  # fmt: skip
        """A body on a parent (the ground by default), joined there by a joint (a weld by default).

        ``at`` is the joint's place in the parent and ``orient`` its orientation there (three rows of R, or (axis,
        angle)); mass centre and inertia are in the body's axes, the inertia (a matrix, three moments, a helper such as
        ``rod``, or a function of the body that gives a dyadic) about the mass centre, or about the point ``about``.
        ``physical=False`` accepts an inertia that no body can have, as some robots' files have.
        """
        given: dict[str, Any] = {
            "parent": on, "joint": self._joint(name, joint), "at": at, "orient": orient, "mass": mass, "com": com,
            "inertia": inertia, "about": about, "physical": physical, "shape": shape,
        }  # fmt: skip
        self.begin_body(name, Recipe(**given))
        try:
            return self.finish_body(name)
        except FreebodyError:
            self._freedoms -= _freedoms(self._begun.pop(name))
            raise

    def begin_body(self, name: str, given: Recipe) -> None:
        """Read what a body may not make depend on coordinates, and declare its own."""
        with within("bodies", name):
            self._new(name)
            with within("on"):
                parent = self._parent(name, given.parent)
            recipe = with_fields(given, {"name": name, "parent": parent, "coupling": None})
            recipe = normal_form(recipe, self.scope, late=False)
            with within("joint"):
                recipe = with_fields(recipe, {"names": coordinate_names(name, recipe.joint)})
            self._unnamed(name, recipe.names)
            with within("joint"):
                declare_coordinates(self.graph, recipe.joint, recipe.names)
            self._begun[name] = recipe
            self._freedoms |= _freedoms(recipe)

    def finish_body(self, name: str) -> Body:
        """Read the rest of a body, and place it on its parent."""
        with within("bodies", name):
            recipe = normal_form(self._begun[name], self.scope, late=True)
            parent: Reference = self.ground if recipe.parent == "ground" else self.bodies[recipe.parent]
            with within("inertia"):
                given: Any = recipe.inertia
                if given is None:
                    given = ROWS.read(((0, 0, 0),) * 3, self.scope)
                elif callable(given):
                    given = self._resolved(given, recipe, parent)
                inertia, physical = about_centre(
                    self.scope, given, recipe.mass, recipe.com, recipe.about, recipe.physical
                )
            recipe = with_fields(recipe, {"inertia": inertia, "about": None, "physical": physical})
            with within("joint"):
                body = self._attach(recipe)
            del self._begun[name]
            return body

    def couple(self, body: Body | str, to: Reference | str, ratio: Any = 1, offset: Any = 0) -> None:
        """Let the coordinate of a body's joint follow another's: q = ratio · q(to) + offset, one freedom for both.

        Both joints have one coordinate; ratio and offset are numbers, expressions or texts of parameters. The coupled
        coordinate leaves q and u, and tau on what is followed is the generalised force on all that follows it.
        """
        law: dict[str, Any] = {"to": to, "ratio": ratio, "offset": offset}
        self.finish_coupling(name_of(body), body, Coupling(**law))

    def finish_coupling(self, name: str, body: Body | str, given: Coupling) -> None:
        """Read a coupling, when the bodies that it joins are there."""
        who = f"coupling of '{name}'"
        with within("bodies", name, "couple"):
            recipe = single_coordinate_recipe(self.bodies, body, who)
            with within("to"):
                other = single_coordinate_recipe(self.bodies, given.to, who)
            require_uncoupled(recipe, who)
            require_acyclic(self.bodies, recipe.name, other.name, f"{who} to '{other.name}'")
            made = normal_form(replace(given, to=other.name), self.scope, late=False)
            self.bodies[recipe.name].recipe = replace(recipe, coupling=made)

    def _resolved(self, inertia: Callable[[Body], Dyadic], recipe: Recipe, parent: Reference) -> Any:
        """The matrix of an inertia dyadic, written as a function of the body, in the body's basis."""
        zero = ROWS.read(((0, 0, 0),) * 3, self.scope)
        body = attach(replace(recipe, inertia=zero), parent, -1)
        given = inertia(body)
        if not isinstance(given, Dyadic):
            raise FieldError(f"the function must return a dyadic, not {given!r}")
        return ROWS.read([[Expr(self.graph, s) for s in row] for row in given.resolve(body.frame)], self.scope)

    def _unnamed(self, name: str, said: tuple[tuple[str, ...], ...]) -> None:
        """Names of coordinates and speeds that no other body's joint has given: 'a.x' of body 'a' or of body 'a.x'."""
        kinds, told = (self._freedoms, self.values, self.inputs, self.states), {*self.outputs, *self._parts()}
        for letter, given in zip("qu", said, strict=True):
            taken = [n for n in given if any(f"{letter}.{n}" in kind for kind in kinds)]
            if taken:
                raise ModelError(f"body '{name}': '{taken[0]}' is already a coordinate or speed; choose another name")
            shadows = [f"{letter}.{n}" for n in given if f"{letter}.{n}" in told]
            if shadows:
                raise ModelError(f"body '{name}': '{shadows[0]}' is the name of an output; rename one of them")

    def _attach(self, recipe: Recipe) -> Body:
        body = self.placed.add(recipe)
        self._freedoms |= _freedoms(recipe)
        return body

    def _parent(self, name: str, on: Reference | str | None) -> str:
        if on is None or on is self.ground or (isinstance(on, str) and on == "ground"):
            return "ground"
        key = name_of(on)
        if isinstance(on, str) and key in self._begun:
            return key
        found = self.bodies.get(key)
        if found is not None and (isinstance(on, str) or found is on):
            return key
        if key in self.scope.further:
            raise FieldError(f"body '{key}' comes further down; a parent stands before its children")
        if isinstance(on, str):
            raise FieldError(f"'{key}' is not a body. {suggest(key, ['ground', *self.bodies, *self._begun])}")
        known = ", ".join(["ground", *self.bodies])
        raise FieldError(f"body '{name}' hangs on '{key}', which is not a body of this system (there are {known})")

    def _joint(self, name: str, joint: Joint | str | None) -> Any:
        with within("bodies", name, "joint"):
            return Weld() if joint is None else joint if isinstance(joint, Joint) else JOINTS.find(joint)()

    # Loads

    def add(self, load: Kept, name: str = "") -> Kept:
        """A load of any kind: ``s.add(fb.Bushing(s.ground, arm, stiffness=(…)), "mount")``."""
        if not isinstance(load, Load):
            raise ModelError(f"a load is needed, such as fb.Bushing(…), not {load!r}"[:300])
        name = self._name(text(name, f"the name of a {load.kind}") or load.name, load.kind)
        with within("loads", name):
            self._new(name)
        with within("loads", name, load.kind):
            made: Kept = normal_form(replace(load, name=name), self.scope, late=False)
            made = normal_form(made, self.scope, late=True)
            self._require_early((x.handle for x in expressions(made)), f"load '{name}'")
        self.loads[name] = made
        return made

    def force(
        self, force: Vector, at: Point | Reference | str, reaction: Reference | str | None = None, name: str = ""
    ) -> Force:
        """A force through a point (a body stands for its origin), with an optional reaction on another body."""
        return self.add(Force(force, at, reaction), name)

    def torque(
        self, torque: Any, on: Reference | str, reaction: Reference | str | None = None, about: Vector | None = None,
        name: str = "",
    ) -> Torque:  # fmt: skip
        """A torque on a body: a vector, or a scalar about a direction."""
        vector, value = (torque, None) if about is None else (None, torque)
        return self.add(Torque(on, vector, value, about, reaction), name)

    def force_between(
        self, start: Point | Reference | str, end: Point | Reference | str, law: Any, name: str = ""
    ) -> ForceBetween:
        """A force along the line between two points, pulling them together. ``law`` is a function of (length, rate),
        or text that uses ``length`` and ``rate``."""
        return self.add(ForceBetween(start, end, law), name)

    def spring(
        self, start: Point | Reference | str, end: Point | Reference | str, stiffness: Any = 0, free_length: Any = 0,
        damping: Any = 0, name: str = "",
    ) -> ForceBetween:  # fmt: skip
        """A linear spring and damper between two points, with its free length."""
        made: Any = self.add(Spring(start, end, stiffness, free_length, damping), name)
        return made  # type: ignore[no-any-return]

    def joint_force(self, body: Reference | str, value: Any, speed: str = "", name: str = "") -> JointForce:
        """A generalised force on a speed of a body's joint: a torque about its axis, a force along it."""
        return self.add(JointForce(body, value, speed), name)

    def _name(self, given: str, kind: str) -> str:
        free = (name for k in count(1) if (name := f"{kind}{k}") not in self.loads)
        return text(given, f"the name of a {kind}") or next(free)

    # Outputs and gravity

    def output(self, name: str, value: Any) -> None:
        """Something to compute along the motion: a scalar or a vector expression. It may use accelerations and
        reactions (``u_dot.arm``, ``reaction.arm.force.x``)."""
        with within("outputs", name):
            self._new(name)
            made = OutputField().read(value, self.scope)
            said = [f"{name}.{c}" for c in "xyz"] if isinstance(made, tuple) else [name]
            taken = [n for n in said for kind in (self._freedoms, self.values, self.inputs, self.states) if n in kind]
            taken += [n for n in said if (U_DOT.holds(n) or n.startswith(REACTION)) and n in self.names]
            if taken:
                raise ModelError(f"output '{name}': texts use '{taken[0]}' for something else; choose another name")
            self.outputs[name] = made

    @property
    def gravity(self) -> Vector:
        """The acceleration of free fall."""
        return self.ground.vector(self._gravity, "gravity")

    @gravity.setter
    def gravity(self, xyz: Sequence[Any]) -> None:
        with within("gravity"):
            self._gravity = GRAVITY.read(xyz, self.scope)

    # Reactions

    def reaction_force(self, body: Reference | str) -> Vector:
        """The force that a body's joint puts on it, at its origin: for outputs and events."""
        return self._reaction(body, "force")

    def reaction_torque(self, body: Reference | str) -> Vector:
        """The torque that a body's joint puts on it, about its origin: for outputs and events."""
        return self._reaction(body, "torque")

    def _reaction(self, given: Reference | str, kind: str) -> Vector:
        return reaction_vector(self._read(given, read_body, f"a reaction {kind}"), kind)

    def _read(self, given: Any, read: Callable[[Any, Scope], Read], who: str) -> Read:
        """A point, a body or a vector of this system."""
        try:
            return read(given, self.scope)
        except FieldError as error:
            raise ModelError(f"{who}: {error}") from None

    # The model

    def freeze(self) -> Model:
        """The model: what the system describes, in a graph of its own. Asked for again, the same one, until the system
        changes."""
        contents = self._contents()
        if self._frozen is None or not _alike(self._frozen[0], contents):
            self._frozen = contents, self.described.frozen()
        return self._frozen[1]

    @property
    def described(self) -> Model:
        """What is described so far, in the system's own graph."""
        g = three_entries(self._gravity, "gravity")
        x, y, z = (v if isinstance(v, Real | Expr) else self.scalar(v, "gravity") for v in g)
        bodies = {name: body.recipe for name, body in self.bodies.items()}
        return Model(self.name, self.graph, (x, y, z), self.values, self.inputs, self.states, bodies, self.loads,
                     self.outputs)  # fmt: skip

    def _contents(self) -> list[object]:
        """All that the system is described by, one after another. Elements are frozen, so each is known by itself."""
        found: list[object] = [self.name, *self._gravity]
        for section in (self.values, self.inputs, self.states, self.loads, self.outputs):
            for name, element in section.items():
                found += name, element
            found.append(None)
        for name, body in self.bodies.items():
            found += name, body, body.recipe
        return found

    def digest(self) -> str:
        """The fingerprint of the system: equal for systems described alike, in every process, whatever the order in
        which parameters, bodies, loads and the expressions they hold were made (but not the order among bodies)."""
        return self.freeze().digest


def _alike(one: list[object], other: list[object]) -> bool:
    """Whether these are the same objects, or equal texts and numbers."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(
        a is b or (isinstance(a, str | Real) and type(a) is type(b) and a == b) for a, b in pairs
    )
