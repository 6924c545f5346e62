"""In which order other libraries have the joints of a system, and which angles they write as (cos, sin)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from freebody.errors import ArgumentError
from freebody.model.body import Body

if TYPE_CHECKING:
    from freebody.api.system import System

PLANE = ("_TX", "_TY", "_RZ")  # MuJoCo's three joints for a planar one


@runtime_checkable
class PinocchioModel(Protocol):
    """What is read of a ``pinocchio.Model``."""

    names: Sequence[str]
    nqs: Sequence[int]
    nvs: Sequence[int]


@runtime_checkable
class MujocoModel(Protocol):
    """What is read of a ``mujoco.MjModel``."""

    njnt: int

    def joint(self, index: int) -> Any: ...


@runtime_checkable
class DrakePlant(Protocol):
    """What is read of Drake's ``MultibodyPlant``."""

    def GetJointIndices(self) -> Sequence[Any]: ...

    def get_joint(self, index: Any) -> Any: ...


def joint_names(system: "System", bodies: Mapping[str, Body]) -> dict[str, str]:
    """The name of each moving body's joint: the URDF's, or else the body's own."""
    told = {} if system.robot is None else {j.body: j.name for j in system.robot.joints.values()}
    return {name: told.get(name, name) for name in bodies}


def circles(system: "System", found: Sequence[str], model: Any) -> set[str]:
    """The bodies whose angle Pinocchio writes as (cos, sin): those on continuous joints, or as its model has them."""
    if isinstance(model, PinocchioModel):
        sizes = [(nq, nv) for nq, nv in zip(model.nqs, model.nvs, strict=True) if nq]
        return {name for name, size in zip(found, sizes, strict=True) if size == (2, 1)}
    return set() if system.robot is None else {j.body for j in system.robot.joints.values() if j.kind == "continuous"}


def read(model: Any) -> list[str]:
    """The names of the joints of another library's model, in its order."""
    if isinstance(model, PinocchioModel):
        return [name for name, n in zip(model.names, model.nqs, strict=True) if n]
    if isinstance(model, MujocoModel):
        return [model.joint(k).name for k in range(model.njnt)]
    if isinstance(model, DrakePlant):
        joints = [model.get_joint(k) for k in model.GetJointIndices()]
        moving = [j for j in joints if j.num_positions()]
        return [j.name() for j in sorted(moving, key=lambda j: j.position_start())]
    kind = type(model).__name__
    raise ArgumentError(f"{kind} is not a model of Pinocchio, MuJoCo or Drake; give order=[joints' names]")


def matched(wanted: list[str], bodies: Mapping[str, Body], names: Mapping[str, str]) -> list[str]:
    """The bodies behind names of joints; one name that is none's is the floating root's, which has none of its own."""
    known = {**{name: name for name in bodies}, **{joint: body for body, joint in names.items()}}
    said = [name.removesuffix(PLANE[2]) if name not in known else name for name in wanted if not _slide(name, known)]
    found = [known.get(name) for name in said]
    missing, strange = [b for b in bodies if b not in found], [n for n, b in zip(said, found, strict=True) if b is None]
    if len(missing) == len(strange) == 1 and _root(bodies[missing[0]]):
        return [missing[0] if b is None else b for b in found]
    if strange:
        raise ArgumentError(f"'{strange[0]}' is not a joint here; there are {', '.join(names.values())}")
    if missing or len(found) > len(bodies):
        what = f"joint '{names[missing[0]]}' is missing" if missing else "a joint is named twice"
        raise ArgumentError(f"the order must name every joint once; {what}")
    return [b for b in found if b is not None]


def _slide(name: str, known: Mapping[str, str]) -> bool:
    """Whether a joint is one of the two slides before the hinge of a planar one, in MuJoCo."""
    return name not in known and name[-3:] in PLANE[:2] and name[:-3] in known


def _root(body: Body) -> bool:
    return body.recipe.joint.kind == "free" and body.recipe.parent == "ground"


def usual(system: "System", library: str, names: Mapping[str, str]) -> list[str]:
    """Branch by branch, children in the file's order; in Pinocchio by the names of their joints."""
    if library != "pinocchio":
        return list(names)
    children: dict[str, list[tuple[str, str]]] = {}
    if system.robot is None:
        for body in system.bodies.values():
            children.setdefault(body.recipe.parent, []).append((body.name, body.name))
        todo = ["ground"]
    else:
        for joint in system.robot.joints.values():
            children.setdefault(system.robot.links[joint.parent].body, []).append((joint.name, joint.body))
        todo = [system.robot.links[system.robot.root].body]
    order: list[str] = []
    while todo:
        order.append(todo.pop())
        todo += [body for _, body in sorted(children.get(order[-1], []), reverse=True)]
    return [name for name in order if name in names]
