"""The builder: a mechanical system described piece by piece, in the language of vectors."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from keyword import iskeyword
from math import isfinite
from numbers import Real
from typing import Any, TypeVar
from unicodedata import normalize

from freebody.errors import FieldError, FreebodyError, ModelError, within
from freebody.model.accelerations import RATE, REACTION, Names, accelerations_in, refusal
from freebody.model.body import Body, Ground, Point, Recipe, Reference, Tie, attach, called, declare, names, three
from freebody.model.element import normal
from freebody.model.fingerprint import Prints, fingerprint
from freebody.model.joints import JOINTS, Joint, Weld
from freebody.model.kinds import Kind as FieldKind
from freebody.model.kinds import Scope
from freebody.model.loads import Effort, Force, Line, Load, Spring, Torque
from freebody.model.mass import matrix, not_negative
from freebody.model.orientation import rows
from freebody.model.remap import Mover, handles
from freebody.model.shapes import ShapeField
from freebody.model.texts import Texts
from freebody.model.ties import followed, hinge, require_acyclic, require_loose, substituted
from freebody.model.vectors import BodyField, reaction_vector
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number, exact
from freebody.scalar.parse import CONSTANTS, FUNCTIONS, parse
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import transfer
from freebody.spatial.frame import Frame
from freebody.spatial.vector import Dyadic, Vector, handle

CONSTANT = int(Kind.PARAMETER)
Kept = TypeVar("Kept", bound=Load)


def reserved(name: str) -> str:
    """What expressions take a name for, if it is not free: a word of the language, a constant or a function."""
    read = normalize("NFKC", name)
    if any(iskeyword(word) for word in read.split(".")):
        return "a reserved word"
    return "a constant" if read in CONSTANTS else "a function" if read in FUNCTIONS else ""


@dataclass(frozen=True)
class State:
    """An extra state z: its rate and its value at the start."""

    symbol: Expr
    rate: Expr
    initial: float


def text(given: Any, who: str) -> str:
    if not isinstance(given, str):
        raise ModelError(f"{who} must be text, not {given!r}")
    return given


def _is_finite(value: Real) -> bool:
    """Whether a number is finite as a float."""
    try:
        return isfinite(value)
    except OverflowError:
        return False


def _said(who: str, unit: Any, description: Any) -> tuple[str, str]:
    """Description and unit of a symbol."""
    return text(description, f"the description of {who}"), text(unit, f"the unit of {who}")


def finite(given: Any, who: str) -> float:
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


class System:
    """Bodies in a tree, with joints, loads, parameters, inputs, extra states and outputs. All scalars may be numbers,
    expressions, or text of declared names."""

    def __init__(self, name: str = "system", gravity: Sequence[Any] = (0, 0, -9.81)) -> None:
        self.name, self.graph = text(name, "the name of a system"), Graph()
        three(gravity, "gravity")
        self.ground = Ground(Frame("ground", self.graph))
        self.t = Expr(self.graph, self.graph.symbol("t", Kind.TIME, "time", "s"))
        self.bodies: dict[str, Body] = {}
        self.values: dict[str, float] = {}
        self.inputs: dict[str, Expr] = {}
        self.states: dict[str, State] = {}
        self.loads: dict[str, Load] = {}
        self.outputs: dict[str, Expr | Vector] = {}
        self.scope: Scope = Texts(self)  # how elements are read; while a file is read, its definitions are known too
        self._gravity = gravity
        self._freedoms: set[str] = set()  # the symbols of all coordinates and speeds

    def __repr__(self) -> str:
        return f"<System {self.name}: {len(self.bodies)} bodies, {len(self.loads)} loads>"

    # Scalars

    def parameter(self, name: str, value: float, unit: str = "", description: str = "") -> Expr:
        """A constant of the model with its default value."""
        with within("parameters", name):
            self._new(name, spoken=True)
            said = _said(f"parameter '{name}'", unit, description)
            self.values[name] = finite(value, f"parameter '{name}'")
        return Expr(self.graph, self.graph.symbol(name, Kind.PARAMETER, *said))

    def parameters(self, **values: float) -> tuple[Expr, ...]:
        """Several parameters at once: ``m, l = s.parameters(m=1.0, l=0.5)``."""
        return tuple(self.parameter(name, value) for name, value in values.items())

    def input(self, name: str, unit: str = "", description: str = "") -> Expr:
        """A named input: a force, a voltage, anything that comes from outside."""
        with within("inputs", name):
            self._new(name, spoken=True)
            said = _said(f"input '{name}'", unit, description)
        self.inputs[name] = Expr(self.graph, self.graph.symbol(name, Kind.INPUT, *said))
        return self.inputs[name]

    def state(self, name: str, rate: Any, initial: float = 0.0, unit: str = "", description: str = "") -> Expr:
        """An extra state ż = rate, of an actuator, a filter, a tyre. The rate may use the state itself."""
        with within("states", name):
            self._new(name, spoken=True)
            said = _said(f"state '{name}'", unit, description)
            with within("initial"):
                start = finite(initial, f"initial value of state '{name}'")
            symbol = Expr(self.graph, self.graph.symbol(name, Kind.STATE, *said))
            with within("rate"):
                self.states[name] = State(symbol, self.scalar(rate, f"rate of state '{name}'"), start)
        return symbol

    def scalar(self, value: Any, who: str, accelerations: bool = False) -> Expr:
        """A number, an expression or text as an expression of this system; one that uses accelerations is refused
        unless they are allowed."""
        if isinstance(value, Vector):
            raise ModelError(f"{who}: a vector was given where a scalar belongs")
        if isinstance(value, str):
            made = Expr(self.graph, parse(self.graph, value, Names(self), who=who))
        else:
            made = Expr(self.graph, handle(self.graph, value, who, who))
        if not accelerations:
            self._require_early([made.handle], who)
        return made

    def _require_early(self, nodes: Iterable[int], who: str) -> None:
        """Refuse what is known only once u̇ is solved."""
        names = accelerations_in(self.graph, nodes)
        if names:
            raise ModelError(refusal(names, who))

    def tidy(self, value: Any, who: str, accelerations: bool = False) -> Number | Expr:
        """A scalar in its normal form: a number where it is one, else an expression."""
        if isinstance(value, Real) and _is_finite(value):
            return exact(value)
        made = self.scalar(value, who, accelerations)
        number = self.graph.number(made.handle)
        return made if number is None else number

    def _constant(self, value: Any, who: str) -> Expr:
        """A scalar that depends on parameters only."""
        made = self.scalar(value, who)
        if self.graph.mask[made.handle] > CONSTANT:
            raise ModelError(f"{who}: {made} depends on the state, time or an input; only numbers and parameters may")
        return made

    def _new(self, name: str, spoken: bool = False) -> None:
        """A name must be free, and one that texts may use must be a word (or words with dots between) that they do not
        read otherwise."""
        words = all(word.isidentifier() for word in text(name, "a name").split("."))
        if not name.strip() or (spoken and not words):
            raise ModelError(f"{name!r} cannot be a name here: use letters, digits and underscores, a letter first")
        later = name.startswith((RATE, REACTION))
        taken = reserved(name) or ("the name of an acceleration or reaction" if later else "") if spoken else ""
        if taken:
            raise ModelError(f"'{name}' cannot be a name here: in expressions it is {taken}; choose another")
        kinds = (self.values, self.inputs, self.states, self.bodies, self.loads, self.outputs, ("ground", "t"))
        if any(name in kind for kind in kinds) or (spoken and name in {*self._freedoms, *self._parts()}):
            raise ModelError(f"'{name}' is the name of something else in system '{self.name}'; choose another")

    def _parts(self) -> list[str]:
        """What texts call the components of vector outputs."""
        return [f"{name}.{c}" for name, value in self.outputs.items() if isinstance(value, Vector) for c in "xyz"]

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
        with within("bodies", name):
            return self._body(name, on, joint, at, orient, mass, com, inertia, about, shape, physical)

    def _body(
        self, name: str, on: Any, joint: Any, at: Any, orient: Any, mass: Any, com: Any, inertia: Any, about: Any,
        shape: Any, physical: bool,
    ) -> Body:  # fmt: skip
        self._new(name)
        with within("on"):
            parent = self._parent(name, on)
        with within("joint"):
            made = normal(self._joint(joint), self.scope, late=False)
            said = names(name, made)
        self._unnamed(name, said)
        with within("joint"):
            declare(self.graph, made, said)
            made = normal(made, self.scope, late=True)
        with within("mass"):
            m = self._constant(mass, f"mass of '{name}'")
            not_negative(m, f"mass of '{name}'")
        with within("com"):
            centre = self._trio(com, f"mass centre of '{name}'")
        with within("at"):
            laid = self._trio(at, f"place of '{name}'")
        with within("orient"):
            turned = self._orient(name, orient)
        with within("shape"):
            seen = ShapeField().read(shape, self.scope)
        zero = self._trio((0, 0, 0), name)
        recipe = Recipe(name, parent.name, made, laid, turned, m, centre, (zero, zero, zero), seen, said)
        with within("inertia"):
            if callable(inertia):
                inertia = self._resolved(inertia, attach(recipe, parent, -1))
            recipe = replace(recipe, inertia=matrix(self, name, inertia, m, centre, about, physical))
        with within("joint"):
            return self._attach(recipe)

    def tie(self, body: Body | str, to: Reference | str, ratio: Any = 1, offset: Any = 0) -> None:
        """Let the coordinate of a body's joint follow another's: q = ratio · q(to) + offset, one freedom for both.

        Both joints have one coordinate; ratio and offset are numbers, expressions or texts of parameters. The tied
        coordinate leaves q and u, and tau on what is followed is the generalised force on all that follows it.
        """
        name = called(body)
        who = f"tie of '{name}'"
        with within("bodies", name, "tie"):
            recipe, other = hinge(self.bodies, body, who), hinge(self.bodies, to, who)
            require_loose(recipe, who)
            require_acyclic(self.bodies, recipe.name, other.name, f"{who} to '{other.name}'")
            law = (self._constant(v, f"{who}: {what}") for v, what in ((ratio, "ratio"), (offset, "offset")))
            self.bodies[recipe.name].recipe = replace(recipe, tie=Tie(other.name, *law))

    def _resolved(self, inertia: Callable[[Body], Dyadic], body: Body) -> list[list[Expr]]:
        """The matrix of an inertia dyadic, written as a function of the body, in the body's basis."""
        given = inertia(body)
        if not isinstance(given, Dyadic):
            raise ModelError(f"inertia of '{body.name}': the function must give a dyadic, not {given!r}")
        return [[Expr(self.graph, s) for s in row] for row in given.resolve(body.frame)]

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

    def _attach(self, recipe: Recipe, place: Callable[[Recipe, Reference, int], Body] = attach) -> Body:
        parent: Reference = self.ground if recipe.parent == "ground" else self.bodies[recipe.parent]
        self.bodies[recipe.name] = place(recipe, parent, len(self.bodies))
        self._freedoms |= {f"{letter}.{n}" for letter, given in zip("qu", recipe.names, strict=True) for n in given}
        return self.bodies[recipe.name]

    def _parent(self, name: str, on: Reference | str | None) -> Reference:
        if on is None or on is self.ground or (isinstance(on, str) and on == "ground"):
            return self.ground
        key = called(on)
        found = self.bodies.get(key)
        if found is None or (isinstance(on, Body) and found is not on):
            known = ", ".join(["ground", *self.bodies])
            raise ModelError(f"body '{name}' hangs on '{key}', which is not a body of this system (there are {known})")
        return found

    def _joint(self, joint: Joint | str | None) -> Joint:
        if joint is None:
            return Weld()
        return joint if isinstance(joint, Joint) else JOINTS.find(joint)()  # type: ignore[return-value]

    def _trio(self, values: Any, who: str) -> tuple[Expr, Expr, Expr]:
        x, y, z = (self._constant(v, who) for v in three(values, who))
        return x, y, z

    def _orient(self, name: str, given: Any) -> Any:
        who = f"orientation of '{name}'"
        return None if given is None else tuple(self._trio(r, who) for r in rows(self, name, given))

    # Loads

    def add(self, load: Kept, name: str = "") -> Kept:
        """A load of any kind: ``s.add(fb.Bushing(s.ground, arm, stiffness=(…)), "mount")``."""
        if not isinstance(load, Load):
            raise ModelError(f"a load is needed, such as fb.Bushing(…), not {load!r}"[:300])
        name = self._name(text(name, f"the name of a {load.kind}") or load.name, load.kind)
        with within("loads", name):
            self._new(name)
        with within("loads", name, load.kind):
            made: Kept = normal(replace(load, name=name), self.scope, late=False)
            made = normal(made, self.scope, late=True)
            self._require_early(handles(made), f"load '{name}'")
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

    def line(self, start: Point | Reference | str, end: Point | Reference | str, law: Any, name: str = "") -> Line:
        """A force along the line between two points, pulling them together. ``law`` is a function of (length, rate),
        or text that uses ``length`` and ``rate``."""
        return self.add(Line(start, end, law), name)

    def spring(
        self, start: Point | Reference | str, end: Point | Reference | str, stiffness: Any = 0, length: Any = 0,
        damping: Any = 0, name: str = "",
    ) -> Line:  # fmt: skip
        """A linear spring and damper between two points, with its free length."""
        made: Any = self.add(Spring(start, end, stiffness, length, damping), name)
        return made  # type: ignore[no-any-return]

    def effort(self, body: Reference | str, value: Any, speed: str = "", name: str = "") -> Effort:
        """A generalised force on a speed of a body's joint: a torque about its axis, a force along it."""
        return self.add(Effort(body, value, speed), name)

    def _name(self, given: str, kind: str) -> str:
        free = (name for k in count(1) if (name := f"{kind}{k}") not in self.loads)
        return text(given, f"the name of a {kind}") or next(free)

    # Outputs and gravity

    def output(self, name: str, value: Any) -> None:
        """Something to compute along the motion: a scalar or a vector expression. It may use accelerations and
        reactions (``u_dot.arm``, ``reaction.arm.force.x``)."""
        with within("outputs", name):
            self._new(name)
            if isinstance(value, Vector) and value.graph is not self.graph:
                raise ModelError(f"output '{name}': {value!r} belongs to another system")
            made = value if isinstance(value, Vector) else self.scalar(value, f"output '{name}'", accelerations=True)
            said = [f"{name}.{c}" for c in "xyz"] if isinstance(made, Vector) else [name]
            taken = [n for n in said for kind in (self._freedoms, self.values, self.inputs, self.states) if n in kind]
            taken += [n for n in said if n.startswith((RATE, REACTION)) and n in Names(self)]
            if taken:
                raise ModelError(f"output '{name}': texts use '{taken[0]}' for something else; choose another name")
            self.outputs[name] = made

    @property
    def gravity(self) -> Vector:
        """The acceleration of free fall."""
        return self.ground.vector(self._gravity, "gravity")

    @gravity.setter
    def gravity(self, xyz: Sequence[Any]) -> None:
        self._gravity = tuple(self.scalar(v, "gravity") for v in three(xyz, "gravity"))

    # Reactions

    def reaction_force(self, body: Reference | str) -> Vector:
        """The force that a body's joint puts on it, at its origin: for outputs and events."""
        return self._reaction(body, "force")

    def reaction_torque(self, body: Reference | str) -> Vector:
        """The torque that a body's joint puts on it, about its origin: for outputs and events."""
        return self._reaction(body, "torque")

    def _reaction(self, given: Reference | str, kind: str) -> Vector:
        return reaction_vector(self._read(BodyField(), given, f"a reaction {kind}"), kind)

    def _read(self, kind: FieldKind, given: Any, who: str) -> Any:
        """A point, a body or a vector of this system."""
        try:
            return kind.read(given, self.scope)
        except FieldError as error:
            raise ModelError(f"{who}: {error}") from None

    # The frozen copy

    def copy(self, place: Callable[[Recipe, Reference, int], Body] = attach, staged: bool = True) -> "System":
        """The same system in a graph of its own: what derivations work on, so that none of them leaves a trace.
        ``place`` makes a body of its recipe and its parent; joints with stages are ``staged``: a body for each."""
        new = System(self.name, self._gravity)
        mover = Mover(new.graph, self._transfer(new.graph))
        new._gravity = mover(self._gravity)
        new.values, new.inputs, new.states = dict(self.values), mover(self.inputs), mover(self.states)
        mover.learn(self.ground, [new.ground])
        recipes = followed(mover({b.name: b.recipe for b in self.bodies.values()}))
        stages: dict[str, list[Body]] = {}
        for body in self.bodies.values():
            recipe = recipes[body.name]
            parts = recipe.stages(self.bodies) if staged else [recipe]
            stages[body.name] = [new._attach(part, place) for part in parts]
            mover.learn(body, stages[body.name])
        new.loads, new.outputs = mover(self.loads), mover(self.outputs)
        for name, load in new.loads.items():
            if isinstance(load, Effort) and len(stages[load.body.name]) > 1:
                old = self.loads[name]
                assert isinstance(old, Effort)
                stage = stages[load.body.name][old.index]
                new.loads[name] = replace(load, on=stage, speed=stage.recipe.joint.speeds[0])
        return new

    def digest(self) -> str:
        """The fingerprint of the system: equal for systems described alike, in every process, whatever the order in
        which parameters, bodies, loads and the expressions they hold were made (but not the order among bodies)."""
        own = self.copy(staged=False)
        prints = Prints(own.graph, [own.ground, *own.bodies.values()])
        values = {name: float(value) for name, value in own.values.items()}
        symbols = [Expr(own.graph, h) for name in values if (h := own.graph.named(name)) is not None]
        recipes = [b.recipe for b in own.bodies.values()]
        everything = (own.gravity, symbols, values, own.inputs, own.states, recipes, own.loads, own.outputs)
        return fingerprint(self.name, prints(everything))

    def _transfer(self, graph: Graph) -> Mapping[int, int]:
        everything = (self._gravity, self.inputs, self.states, self.loads, self.outputs)
        recipes = [b.recipe for b in self.bodies.values()]
        symbols = [h for s in self.graph.symbols if (h := self.graph.named(s.name)) is not None]
        nodes = transfer(self.graph, [*symbols, *handles(everything), *handles(recipes)], graph)
        if all(r.tie is None and r.joint.motion is None for r in recipes):
            return nodes
        return substituted(graph, Mover(graph, nodes)({r.name: r for r in recipes}), nodes)
