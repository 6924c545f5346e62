"""Frames: beams and bars in space, rigidly connected or hinged at nodes"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError, ModelError
from freebody.fem.frame_assembly import FrameAssembly, NodeMass, SectionNumbers, Stretch
from freebody.fem.interfaces import Tie
from freebody.fem.modal_data import ModalData, ModalNode
from freebody.fem.reduction import reduce
from freebody.fem.structure import Structure
from freebody.model.element import Element, ElementOf, Given, field
from freebody.model.flexible.base import FlexibleDescription, Modes, only_limit
from freebody.model.flexible.reduced_body import ReducedBody
from freebody.model.flexible.sections import CrossSection, PointMass, section_field
from freebody.model.kinds import Choice, Integer, ListOf, MappingOf, NameList, Number, Scope, Text, suggest

Array = NDArray[np.float64]
ELEMENTS = 8
"""Elements of a member between two nodes."""
MOST_ELEMENTS = 100_000
"""Elements of a frame."""
PARALLEL = 1e-6
"""Sine of the angle below which directions are parallel."""
LOOSE = 1e-12
"""Smallest eigenvalue of a stiffness matrix with unit diagonal below which the frame is a mechanism."""
BEAM_ONLY = ("GJ", "GA", "rotary_inertia", "polar_inertia")


@dataclass(frozen=True, eq=False)
class FrameSection(CrossSection):
    """A cross-section of members. A pair of values is for bending along y and along z of the section. A section with EA
    and density alone is that of a bar, which is hinged at its nodes and carries axial force only."""

    EA: Given[float] = section_field("EA")
    density: Given[float] = section_field("density")
    EI: Given[float | Sequence[float] | None] = section_field("EI", default=None)
    GJ: Given[float | None] = section_field("GJ", default=None)
    GA: Given[float | Sequence[float] | None] = section_field("GA", default=None)
    rotary_inertia: Given[float | Sequence[float] | None] = section_field("rotary_inertia", default=None)
    polar_inertia: Given[float | None] = section_field("polar_inertia", default=None)
    kind: ClassVar[str] = "section"

    def finalise(self, scope: Scope) -> Self:
        self.check_signs(("EA", "EI", "GJ", "GA"), ("density", "polar_inertia", "rotary_inertia"))
        if self.EI is None:
            for key in BEAM_ONLY:
                if self.__dict__[key] is not None:
                    raise FieldError(
                        f"a section without EI is that of a bar, which has no {key}; leave it out, or give EI", key
                    )
        elif self.GJ is None:
            raise FieldError(
                "a beam twists too, where members meet at an angle: give its torsional stiffness GJ, or"
                " leave out EI for a bar, which carries axial force only",
                "GJ",
            )
        return self

    @property
    def is_bar(self) -> bool:
        """Whether it carries axial force only."""
        return self.EI is None

    @property
    def numbers(self) -> SectionNumbers:
        """Its numbers along x, y and z."""

        def planes(key: str, otherwise: float) -> tuple[float, float]:
            along_y, along_z = (otherwise if x is None else x for x in (self.of_plane(key, 0), self.of_plane(key, 1)))
            return along_y, along_z

        bending, rotary = (planes(key, 0.0)[::-1] for key in ("EI", "rotary_inertia"))  # along z it turns about y
        return SectionNumbers(
            self.is_bar,
            (self.EA, *planes("GA", np.inf)),
            (self.GJ or 0.0, *bending),
            self.density,
            (self.polar_inertia or 0.0, *rotary),
        )


@dataclass(frozen=True, eq=False)
class FrameMember(Element):
    """Straight members from node to node, all with the same section. x of the section is along the member. Without
    `up`, y is perpendicular to z of the body, and it is y of the body for members along z."""

    nodes: Given[Sequence[str]] = field(ListOf(Text()), "two nodes, or more: a member from each of them to the next")
    section: str = field(Text(), "name of the section; it may be left out if there is one only", default="")
    up: Given[Sequence[float] | None] = field(
        ListOf(Number(), 3), "vector in the plane of the section's x and z axes, on the side of z", default=None
    )
    hinges: str = field(
        Choice(("none", "start", "end", "both")), "ends that transmit no bending moments, but torques", default="none"
    )
    elements: Given[int] = field(Integer(), "finite elements between two nodes", default=ELEMENTS)
    kind: ClassVar[str] = "member"
    short: ClassVar[str] = "nodes"

    def finalise(self, scope: Scope) -> Self:
        if len(self.nodes) < 2:
            raise FieldError(f"a member connects at least two nodes, not {len(self.nodes)}", "nodes")
        if not 1 <= self.elements <= MOST_ELEMENTS:
            raise FieldError(f"{self.elements} elements: give a number from 1 to {MOST_ELEMENTS}", "elements")
        return self


@dataclass(frozen=True, eq=False)
class SpaceFrame(FlexibleDescription):
    """Beams and bars in space. Members that meet at a node are rigidly connected, unless they are bars or have hinges
    there. Geometric stiffening of axial forces, bending moments and torques is included."""

    nodes: Given[Mapping[str, Sequence[float]]] = field(
        MappingOf(ListOf(Number(), 3)), "positions of the nodes by name", unit="m"
    )
    sections: Given[Mapping[str, FrameSection | Mapping[str, Any]]] = field(
        MappingOf(ElementOf(FrameSection)), "cross-sections by name"
    )
    members: Given[Sequence[FrameMember | Mapping[str, Any]]] = field(
        ListOf(ElementOf(FrameMember)), "members between nodes, such as [foot, knee]"
    )
    masses: Given[Mapping[str, PointMass | Mapping[str, Any]]] = field(
        MappingOf(ElementOf(PointMass)), "masses at nodes", default=()
    )
    frame: Given[str | Sequence[str]] = field(
        NameList(),
        "node that is the body's frame, by default the first; or several nodes, all fixed in this frame,"
        " whose origin is the first of them",
        default=(),
    )
    interfaces: Given[str | Sequence[str]] = field(
        NameList(), "nodes to which bodies, loads and sensors can be attached, by default all", default=()
    )
    static: Given[str | Sequence[str]] = field(
        NameList(), "nodes whose displacements by constant forces and torques there are added to the modes", default=()
    )
    kind: ClassVar[str] = "frame"

    def finalise(self, scope: Scope) -> Self:
        names = self.all_names
        if not names:
            raise FieldError("a frame needs nodes", "nodes")
        if not self.members:
            raise FieldError("a frame needs members", "members")
        sections = dict(self.sections)
        for k, member in enumerate(self.members):
            for name in member.nodes:
                if name not in names:
                    raise FieldError(f"there is no node '{name}'. {suggest(name, names)}", "members", k, "nodes")
            if not member.section and len(sections) != 1:
                raise FieldError(
                    f"the name of its section is missing: {', '.join(sections) or 'there are none'}", "members", k
                )
            if member.section and member.section not in sections:
                raise FieldError(
                    f"there is no section '{member.section}'. {suggest(member.section, [*sections])}",
                    "members",
                    k,
                    "section",
                )
            if self._section(member).is_bar and member.hinges != "none":
                raise FieldError("a bar is hinged at both ends in any case; leave this out", "members", k, "hinges")
        for key, known in (("masses", names), ("frame", names), ("interfaces", names), ("static", self.node_names)):
            listed = [name for name, _ in self.masses] if key == "masses" else self.__dict__[key]
            for k, name in enumerate(listed):
                if name not in known:
                    raise FieldError(f"there is no node '{name}'. {suggest(name, known)}", key)
                if name in listed[:k]:
                    raise FieldError(f"'{name}' is listed twice", key)
                if key == "static" and name in self.fixed_nodes:
                    raise FieldError(f"'{name}' is fixed in the body's frame, so that loads there move nothing", key)
        self._check_connected([*self._stretches()])
        return super().finalise(scope)

    @property
    def all_names(self) -> list[str]:
        """The names of all nodes."""
        return [name for name, _ in self.nodes]

    @property
    def node_names(self) -> list[str]:
        chosen = [*self.fixed_nodes, *self.interfaces]
        return [name for name in self.all_names if name in chosen] if self.interfaces else self.all_names

    def _section(self, member: FrameMember) -> FrameSection:
        sections: dict[str, FrameSection] = dict(self.sections)
        return sections[member.section or next(iter(sections))]

    def _stretches(self) -> Iterator[Stretch]:
        """The members between two nodes, in order."""
        positions = {name: np.array(x) for name, x in self.nodes}
        size = max(np.abs(x).max() for x in positions.values())
        for k, member in enumerate(self.members):
            last = len(member.nodes) - 2
            for j, (start, end) in enumerate(pairwise(member.nodes)):
                line = positions[end] - positions[start]
                length = float(np.linalg.norm(line))
                if length <= 1e-9 * size:
                    raise FieldError(f"its length from '{start}' to '{end}' is 0", "members", k, "nodes")
                section = self._section(member).numbers
                hinges = j == 0 and member.hinges in ("start", "both"), j == last and member.hinges in ("end", "both")
                yield Stretch(
                    start,
                    end,
                    positions[start],
                    length,
                    _axes(line / length, member.up, k),
                    section,
                    hinges,
                    1 if section.is_bar else member.elements,
                )

    def _check_connected(self, stretches: list[Stretch]) -> None:
        """Raise if there are pieces without connection, or too many elements."""
        group = {name: {name} for name in self.all_names}
        for one in stretches:
            if group[one.start] is not group[one.end]:
                merged = group[one.start] | group[one.end]
                group.update(dict.fromkeys(merged, merged))
        first = group[self.all_names[0]]
        for name in self.all_names:
            if name not in first:
                raise FieldError(
                    f"no members connect '{name}' with '{self.all_names[0]}'; a frame is one piece", "members"
                )
        if sum(one.elements for one in stretches) > MOST_ELEMENTS:
            raise FieldError(f"there are more than {MOST_ELEMENTS} elements; give fewer to its members", "members")

    def structure(self) -> Structure:
        """The finite elements: nodes by name, then those inside members, with six unknowns each. Nodes of bars alone do
        not rotate. The set of a named node contains this node."""
        frame = self.normalised()
        stretches = [*frame._stretches()]
        built = frame._assembled(stretches)
        coarse = (
            built
            if all(one.elements == 1 for one in stretches)
            else frame._assembled([replace(one, elements=1) for one in stretches])
        )
        frame._check_mechanism(coarse)
        return built

    def _assembled(self, stretches: list[Stretch]) -> Structure:
        assembly = FrameAssembly(self.all_names, np.array([x for _, x in self.nodes]))
        turning = {name for name, mass in self.masses if any(mass.inertia)}
        for one in stretches:
            if not one.section.is_bar:
                turning |= {one.start, one.end}
        for j, name in enumerate(self.all_names):
            assembly.add_node(j, rotates=name in turning)
        for one in stretches:
            assembly.add_stretch(one)
        structure = assembly.structure([NodeMass(name, one.mass, one.inertia) for name, one in self.masses])
        return structure if not assembly.hinges else assembly.with_hinges(structure)

    def _check_mechanism(self, structure: Structure) -> None:
        """Raise if the structure moves without forces while the nodes of the body's frame are fixed."""
        from scipy.sparse import diags, identity
        from scipy.sparse.linalg import splu

        fixed = np.concatenate([structure.sets[name] for name in self.fixed_nodes])
        free = np.flatnonzero(~np.isin(structure.node, fixed))
        K = structure.stiffness[free][:, free]
        loose = np.flatnonzero(K.diagonal() == 0)
        if not len(free):
            return
        if len(loose):
            vector = np.zeros(len(free))
            vector[loose[0]], value = 1.0, 0.0
        else:
            scale = diags(1 / np.sqrt(K.diagonal()))
            scaled = (scale @ K @ scale).tocsc()
            solve = splu(scaled + 1e-15 * identity(len(free)), diag_pivot_thresh=0.0, options={"SymmetricMode": True})
            vector = np.random.default_rng(0).normal(size=len(free))
            for _ in range(4):
                vector = solve.solve(vector)
                vector /= np.linalg.norm(vector)
            value, vector = float(vector @ (scaled @ vector)), scale @ vector
        if value > LOOSE:
            return
        moves = np.zeros(structure.size)
        moves[free] = vector
        sizes = np.abs(moves) * np.where(structure.component < 3, 1.0, self._size)
        shifts = np.where(structure.component < 3, sizes, 0.0)
        worst = int(np.argmax(shifts if shifts.max() > 1e-3 * sizes.max() else sizes))
        away = structure.positions[: len(self.nodes)] - structure.positions[structure.node[worst]]
        name = self.all_names[int(np.argmin(np.linalg.norm(away, axis=1)))]
        how = "moves" if structure.component[worst] < 3 else "turns"
        raise FieldError(
            f"the frame is a mechanism: node '{name}' {how} without any force while {_quoted(self.fixed_nodes)}"
            f" {'is' if len(self.fixed_nodes) == 1 else 'are'} fixed. Remove hinges, add members, or fix more nodes"
            " ('frame' may be a list)",
            "members",
        )

    def compute(self, modes: Modes, paper: bool) -> ModalData:
        return self.reduce(modes).compute(None, paper)

    def reduce(self, modes: Modes) -> ReducedBody:
        """The frame reduced to this number of modes with its frame fixed: what a body with ``flexible=frame`` and
        ``modes=…`` contains. Other reductions are those of ``frame.structure().reduce(…)``."""
        if modes is None:
            raise ModelError("modes: a frame needs the number of its modes, such as modes=6")
        frame = self.normalised()
        limit: dict[str, Any] = {"modes": modes}
        if isinstance(modes, Mapping):
            key, value = only_limit(modes)
            limit = {key.replace(" ", "_"): value}
        return frame._reduced(limit)

    def _reduced(self, limit: Mapping[str, Any]) -> ReducedBody:
        structure, (first, *others) = self.structure(), self.fixed_nodes
        if structure.total_mass <= 0:
            raise FieldError("the frame has no mass: give its sections a density, or its nodes masses", "sections")
        inertia = np.linalg.eigvalsh(structure.rigid_mass)
        if inertia[0] <= 1e-14 * inertia[-1]:
            raise FieldError(
                "the frame is straight and has no inertia about its axis: give polar_inertia to its"
                " sections, or an inertia to a mass",
                "sections",
            )
        interfaces: dict[str, Any] = {name: name for name in self.node_names if name not in others}
        if others:
            nodes = np.concatenate([structure.sets[name] for name in self.fixed_nodes])
            interfaces[first] = Tie(nodes, kind="rigid", at=structure.positions[structure.sets[first][0]])
        reduced = reduce(structure, interfaces=interfaces, frame=first, method="modal", static=self.static, **limit)
        data = reduced.data
        zero, origin = np.zeros((3, data.n)), structure.positions[structure.sets[first][0]]
        fixed = {
            name: ModalNode(
                structure.positions[structure.sets[name][0]] - origin, zero, zero, np.zeros((3, data.n, data.n))
            )
            for name in others
        }
        data = replace(data, nodes={**data.nodes, **fixed})
        return ReducedBody(
            replace(reduced, data=data),
            damping=self.damping,
            rayleigh=self.rayleigh,
            preload=self.preload,
            loads=self.loads,
        )

    @property
    def fixed_nodes(self) -> list[str]:
        """The nodes that are fixed in the body's frame; its origin is the first of them."""
        return [*(self.frame or self.all_names[:1])]

    @property
    def _size(self) -> float:
        """The largest dimension of the frame."""
        return float(np.ptp(np.array([x for _, x in self.nodes]), axis=0).max())


def _axes(x: Array, up: tuple[float, ...] | None, member: int) -> Array:
    """The axes of a section as rows: x along the member, z towards ``up``."""
    y = np.cross((0.0, 0.0, 1.0) if up is None else np.array(up), x)
    size = np.linalg.norm(y)
    if size <= PARALLEL * np.linalg.norm((1.0,) if up is None else up):
        if up is not None:
            raise FieldError("up is parallel to the member; give another direction", "members", member, "up")
        y, size = np.array([0.0, 1.0, 0.0]), np.float64(1.0)
    y = y / size
    return np.stack([x, y, np.cross(x, y)])


def _quoted(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
