"""The description of a run's system: its bodies, joints, variables, units and parameter values."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from freebody.errors import ArgumentError
from freebody.hybrid.variables import Variable
from freebody.tables import ShortRepr

GROUPS = {
    "q": "coordinates", "u": "speeds", "u_dot": "accelerations", "z": "states", "input": "inputs",
    "output": "outputs", "energy": "energies", "momentum": "momenta", "load": "loads", "pose": "poses",
    "drive_force": "drive forces",
    "power": "powers", "work": "works", "multiplier": "multipliers", "residual": "residuals",
    "residual_rate": "residual rates", "engaged": "switched constraints", "captured": "captured poses",
    "gripping": "contacts that stick", "slipping": "directions of slip", "stop": "stops of joints",
    "contact": "contacts", "sensor": "sensors", "controller": "controllers", "held": "held values",
}  # fmt: skip
"""The groups of recorded variables; a variable's full name is its group, a dot, and the name the user knows."""

Facts = TypeVar("Facts")


@dataclass(frozen=True)
class ModeInfo:
    """A mode of a flexible body: its angular frequency in rad/s and its damping ratio with the body's frame fixed, the
    inertia about x, y, z (kg·m²), and the mass along them (kg), that move with it if the frame moves."""

    name: str
    kind: str
    frequency: float
    damping: float
    effective_mass: tuple[float, ...]


@dataclass(frozen=True)
class FlexibleInfo:
    """What is flexible about a body: the kind of its description, the order of its equations, the names of its internal
    coordinates, its nodes and its modes."""

    description: str
    order: str
    coordinates: tuple[str, ...]
    nodes: tuple[str, ...]
    modes: tuple[ModeInfo, ...]


@dataclass(frozen=True)
class BodyInfo:
    """A body and the joint that connects it to its parent. ``coupled`` is the formula of its coordinate where that
    follows another. The joint of a node of a flexible body is "node". ``shape`` holds the fields of a shape by name and
    its ``kind``; several shapes are a "group" with ``parts``."""

    name: str
    parent: str
    joint: str
    q: tuple[str, ...] = ()
    u: tuple[str, ...] = ()
    prescribed: tuple[str, ...] = ()
    mass: float = 0.0
    limits: tuple[float, float] | None = None
    shape: Mapping[str, Any] | None = None
    coupled: str = ""
    flexible: FlexibleInfo | None = None

    @property
    def joint_q(self) -> tuple[str, ...]:
        """The coordinates of its joint, without those inside the body."""
        return tuple(name for name in self.q if self.flexible is None or name not in self.flexible.coordinates)

    @property
    def is_node(self) -> bool:
        """Whether it is a node of a flexible body."""
        return self.joint == "node"


@dataclass(frozen=True)
class ConstraintInfo:
    """A constraint, with the joint if it closes a loop, the bodies that it connects, the expressions that it keeps at
    zero, the names of its multipliers, and the reason for each of its equations that is left out, by name. ``engaged``
    is its state at the start if it can be switched, None if it always holds. ``redundant`` are equations that follow
    from others in general and are kept for certain positions or lengths; ``undetermined`` those whose multipliers the
    motion does not determine, by name. ``details`` are what else tables say of it, as the radii of gears."""

    name: str
    kind: str
    joint: str = ""
    bodies: tuple[str, ...] = ()
    expressions: tuple[str, ...] = ()
    multipliers: tuple[str, ...] = ()
    omitted: Mapping[str, str] = field(default_factory=dict)
    engaged: bool | None = None
    redundant: Mapping[str, str] = field(default_factory=dict)
    undetermined: tuple[str, ...] = ()
    details: str = ""

    @property
    def marked_multipliers(self) -> tuple[str, ...]:
        """The names of its multipliers for display, those that the motion does not determine marked."""
        names = dict.fromkeys((*self.multipliers, *self.undetermined))
        return tuple(f"{name} (undetermined)" if name in self.undetermined else name for name in names)


@dataclass(frozen=True)
class SingularPosition:
    """A singular position that was passed when a state was assembled: the coordinates there, by name, and those at the
    end of each other branch that begins there."""

    q: Mapping[str, float]
    branches: tuple[Mapping[str, float], ...] = ()


@dataclass(frozen=True)
class AssemblyInfo:
    """What an assembly changed: by how much the coordinates ``moved`` that had no value, by name, in rad and m (the
    angle of rotation of a quaternion as ``body.turn``); the energy in J that springs and flexible bodies have
    ``stored``; the ``singular`` positions that were passed on the way."""

    moved: Mapping[str, float] = field(default_factory=dict)
    stored: Mapping[str, float] = field(default_factory=dict)
    singular: tuple[SingularPosition, ...] = ()

    def __str__(self) -> str:
        moved = ", ".join(f"{name} by {x:.3g}" for name, x in _largest(self.moved))
        stored = ", ".join(f"{x:.3g} J in {name}" for name, x in _largest(self.stored))
        places = len(self.singular)
        singular = f"{places} singular position{'s' * (places > 1)} passed" if places else ""
        return "; ".join(part for part in (f"moved {moved}" * bool(moved), stored, singular) if part)


@dataclass(frozen=True)
class JoinInfo:
    """How a run goes on from that of another ``system``, whose bodies were others: the states that were ``taken`` from
    it by name, those that were ``given``, and those that ``left``; ``parameters`` with other values (there, here); the
    momenta about the ground's origin and the energies at the end of that run."""

    system: str
    taken: tuple[str, ...]
    given: tuple[str, ...]
    left: tuple[str, ...]
    parameters: Mapping[str, tuple[float, float]]
    linear: tuple[float, float, float]
    angular: tuple[float, float, float]
    kinetic: float
    potential: float


def _largest(amounts: Mapping[str, float]) -> list[tuple[str, float]]:
    ordered = sorted(amounts.items(), key=lambda item: -abs(item[1]))
    return ordered[:6]


@dataclass(frozen=True, repr=False)
class About(ShortRepr):
    """The system behind a run. ``state`` lists the keys of x = [q, u, z] in order, ``quaternions`` the indices in x
    where a unit quaternion begins, ``inputs`` how each input was driven, in words; ``assembly`` what was changed at the
    start of a run so that it satisfies the constraints, None if nothing; ``joined`` the run of another system that it
    continues."""

    system: str
    digest: str
    elements: tuple[BodyInfo, ...]
    variables: tuple[Variable, ...]
    state: tuple[str, ...]
    quaternions: tuple[int, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    constraints: tuple[ConstraintInfo, ...] = ()
    assembly: AssemblyInfo | None = None
    joined: JoinInfo | None = None

    def __post_init__(self) -> None:
        for k in self.quaternions:
            if not 0 <= k <= len(self.state) - 4:
                raise ArgumentError(f"no quaternion begins at index {k} of {len(self.state)} states")

    @cached_property
    def indices(self) -> dict[str, dict[str, int]]:
        """The indices in x of the states of each group (q, u, z), by name."""
        groups: dict[str, dict[str, int]] = {"q": {}, "u": {}, "z": {}}
        for k, key in enumerate(self.state):
            group, _, name = key.partition(".")
            groups.setdefault(group, {})[name] = k
        return groups

    @cached_property
    def bodies(self) -> dict[str, BodyInfo]:
        """The elements by name."""
        return {element.name: element for element in self.elements}

    @cached_property
    def omitted(self) -> tuple[str, ...]:
        """The coordinates of no interest, which are not among the states."""
        names = [n for e in self.elements if not e.coupled for n in e.q if n not in e.prescribed]
        return tuple(n for n in names if n not in self.indices["q"])

    def portable(self) -> "About":
        """The facts without the folders of a machine in which meshes of shapes are searched for. Files neither get them
        nor give them: a file must not choose what is read."""
        elements = [e if e.shape is None else replace(e, shape=_without_folders(e.shape)) for e in self.elements]
        return replace(self, elements=tuple(elements))

    def to_plain(self) -> dict[str, Any]:
        """The facts as dicts, lists, texts and numbers."""
        import json

        plain: dict[str, Any] = json.loads(to_json(asdict(self.portable())))
        return plain

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "About":
        """The facts that ``to_plain`` returned, checked."""
        return validate(cls, plain, "facts about a run").portable()


def _without_folders(shape: Mapping[str, Any]) -> dict[str, Any]:
    facts = {key: value for key, value in shape.items() if key != "folders"}
    if isinstance(facts.get("parts"), list | tuple):
        facts["parts"] = [_without_folders(part) if isinstance(part, Mapping) else part for part in facts["parts"]]
    return facts


def to_json(value: Any) -> str:
    """The value as ASCII JSON, NumPy's numbers and arrays as plain ones."""
    import json

    return json.dumps(value, default=lambda x: x.tolist())


def validate(cls: type[Facts], plain: Any, what: str) -> Facts:
    """A dataclass from plain data, its fields checked by their types; lists become tuples."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(cls).validate_python(_tuples(plain))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = "".join(f"{part}: " if k + 1 == len(first["loc"]) else f"{part}." for k, part in enumerate(first["loc"]))
        raise ArgumentError(f"{what}: {path}{first['msg']}, not {str(first['input'])[:60]!r}") from None


def _tuples(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _tuples(v) for k, v in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value
