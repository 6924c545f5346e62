"""Straight beams along the x axis of the body, with modes of bending, stretching and torsion.

Second-order displacements Γ follow from a rod whose strains are linear in the modal coordinates (Reissner's strains),
so that the strain energy is ½ ηᵀ K η to third order. With ψ the rotations of the section, γ the shear strains, θ the
twist and ε the stretch (v bends along y, w along z):

    Γ_x' = −ψ_v ψ_v − 2 ψ_v γ_v − ψ_w ψ_w − 2 ψ_w γ_w      (foreshortening; −v'v' − w'w' without shear)
    Γ_y' = 2 (−∫ θ ψ_w' − θ γ_w + ε ψ_v)      Γ_z' = 2 (∫ θ ψ_v' + θ γ_v + ε ψ_w)

where each product stands for the symmetric product of two modes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from freebody.errors import FieldError, ModelError
from freebody.fem.beam_modes import KindOfModes, Panels, RitzProblem, uniform_bar, uniform_bending
from freebody.fem.beam_sections import BeamSections
from freebody.fem.modal_data import Array, ModalData
from freebody.fem.nodal_data import NodalData
from freebody.model.element import ElementOf, Given, field
from freebody.model.flexible.base import FlexibleDescription, Modes
from freebody.model.flexible.sections import EACH_PLANE, PAIRED, CrossSection, PointMass, section_field
from freebody.model.kinds import Choice, Integer, ListOf, MappingOf, Number, Scope, Text, suggest

BENDING = ("bending y", "bending z")
KINDS = (*BENDING, "axial", "torsion")
OUTLINE = 21
"""Nodes for drawing."""


@dataclass(frozen=True, eq=False)
class Segment(CrossSection):
    """A segment of a beam with a constant section. Stiffnesses and inertias are needed only for the kinds of modes that
    use them. One number is for bending along y and along z, a pair for each of them; with None in place of an EI, such
    as (1e5, None), the beam does not bend in that plane."""

    length: Given[float | None] = field(Number(), "length along x", default=None, unit="m")
    EA: Given[float | None] = section_field("EA", ", for axial modes", default=None)
    EI: Given[float | Sequence[float | None] | None] = section_field(
        "EI", "; (EI, None) bends along y alone", EACH_PLANE, default=None
    )
    GJ: Given[float | None] = section_field("GJ", ", for torsion modes", default=None)
    density: Given[float | None] = section_field("density", default=None)
    GA: Given[float | Sequence[float | None] | None] = section_field("GA", kind=EACH_PLANE, default=None)
    rotary_inertia: Given[float | Sequence[float | None] | None] = section_field(
        "rotary_inertia", kind=EACH_PLANE, default=None
    )
    polar_inertia: Given[float] = section_field(
        "polar_inertia", ". Without it the undeformed beam has no inertia about x", default=0.0
    )
    kind: ClassVar[str] = "segment"

    def finalise(self, scope: Scope) -> Self:
        self.check_signs(("length", "EA", "EI", "GJ", "GA"), ("density", "polar_inertia", "rotary_inertia"))
        if self.EI is not None and not self.bends:
            raise FieldError("no number is given for either plane; leave EI out if the beam does not bend", "EI")
        return self

    @property
    def bends(self) -> tuple[str, ...]:
        """The kinds of bending for which there is a stiffness."""
        return tuple(kind for plane, kind in enumerate(BENDING) if self.of_plane("EI", plane) is not None)


@dataclass(frozen=True, eq=False)
class Beam(FlexibleDescription, Segment):
    """A straight beam along x, from the node `root` at 0 to the node `tip`. Modes of uniform Euler–Bernoulli beams are
    closed forms, others are computed by Ritz's method. Geometric stiffening is included.

    `modes` of the body is the number of bending modes, the lowest in both planes; `axial` and `torsion` modes are
    added. A mapping such as {"bending y": 3, "bending z": 2, "axial": 1} gives the number of each kind instead.
    """

    segments: Given[Sequence[Segment | Mapping[str, Any]]] = field(
        ListOf(ElementOf(Segment)), "segments from the root to the tip, in place of length, EA, …", default=()
    )
    ends: str = field(
        Choice(("cantilever", "pinned", "free")),
        "cantilever: the root is clamped; pinned: both ends are held but may"
        " rotate in bending, and the root is held axially and in torsion; free: both ends are free",
        default="cantilever",
    )
    nodes: Given[Mapping[str, float]] = field(
        MappingOf(Number()), "further nodes by their positions along x", default=(), unit="m"
    )
    masses: Given[Mapping[str, PointMass | Mapping[str, Any]]] = field(
        MappingOf(ElementOf(PointMass)), "masses at nodes", default=()
    )
    axial: Given[int] = field(Integer(), "number of axial modes", default=0)
    torsion: Given[int] = field(Integer(), "number of torsion modes", default=0)
    frame: str = field(
        Text(),
        "node that is the body's frame. With 'floating', the frame of a pinned beam is the line through its"
        " ends, and that of a free beam moves with its mean; a joint then holds this frame, not a section",
        default="root",
    )
    kind: ClassVar[str] = "beam"

    def finalise(self, scope: Scope) -> Self:
        Segment.finalise(self, scope)
        own = [
            key
            for key in ("length", "EA", "EI", "GJ", "GA", "density", "rotary_inertia", "polar_inertia")
            if self.__dict__[key] not in (None, 0.0)
        ]
        if self.segments and own:
            raise FieldError(f"the segments of this beam give its sections; leave out {', '.join(own)}", own[0])
        for k, segment in enumerate(self.segments or (self,)):
            for key in ("length", "density"):
                if segment.__dict__[key] is None:
                    where = ("segments", k, key) if self.segments else (key,)
                    raise FieldError(f"the {'segment' if self.segments else 'beam'} needs a {key}", *where)
        if len({segment.bends for segment in self.sections}) > 1:
            raise FieldError(
                "some segments bend in planes in which others have no EI; give EI for the same planes in all",
                "segments",
            )
        for key in ("axial", "torsion"):
            if self.__dict__[key] < 0:
                raise FieldError(f"{self.__dict__[key]} is negative; give the number of {key} modes", key)
        length = self.total_length
        for name, x in self.nodes:
            if name in ("root", "tip", "floating", ""):
                raise FieldError(f"'{name}' is a reserved name; choose another one", "nodes", name)
            if not 0 <= x <= length:
                raise FieldError(f"{x:g} is not on the beam, which reaches from 0 to {length:g}", "nodes", name)
        for name, _ in self.masses:
            if name not in self.positions:
                raise FieldError(f"there is no node '{name}'. {suggest(name, [*self.positions])}", "masses", name)
        if self.frame != "floating" and self.frame not in self.positions:
            raise FieldError(
                f"there is no node '{self.frame}'. {suggest(self.frame, [*self.positions, 'floating'])}", "frame"
            )
        return FlexibleDescription.finalise(self, scope)

    @property
    def floats(self) -> bool:
        return self.frame == "floating" and self.ends == "free"

    @property
    def sections(self) -> "tuple[Segment, ...]":
        """The segments; a uniform beam is one."""
        return self.segments or (self,)

    @property
    def total_length(self) -> float:
        return float(sum(segment.length for segment in self.sections))

    @property
    def node_names(self) -> list[str]:
        return [*self.positions]

    @property
    def positions(self) -> dict[str, float]:
        """The nodes by name, along x."""
        return {"root": 0.0, "tip": self.total_length, **dict(self.nodes)}

    @property
    def moment_free_nodes(self) -> tuple[str, ...]:
        ends = ("tip",) if self.ends == "cantilever" else ("root", "tip")
        return tuple(name for name in ends if name != self.frame)

    def stretches(self, modes: Mapping[str, Any]) -> bool:
        return bool(self.axial or modes.get("axial", 0))

    def compute(self, modes: Modes, paper: bool) -> ModalData:
        counts, bending = self._counts(modes)
        panels, sections = self._panels(counts)
        named = np.array([*self.positions.values()])
        x = np.concatenate([named, np.linspace(0, self.total_length, OUTLINE)])
        kinds = [self._modes(kind, n, panels, sections, x) for kind, n in counts.items() if n > 0]
        if bending:  # the lowest in both planes
            limit = np.sort(np.concatenate([one.squares for one in kinds if one.kind in BENDING]))[bending - 1]
            taken = np.cumsum([0, *(np.sum(one.squares <= limit) for one in kinds if one.kind in BENDING)])
            shares = np.diff(np.minimum(taken, bending))
            kinds = [one if one.kind not in BENDING else one.first(shares[k]) for k, one in enumerate(kinds)]
        nodes, squares, labels = self._nodal_data(kinds, panels, sections, x)
        frame = "" if self.frame == "floating" else self.frame
        strains = self._beam_sections(kinds, panels, sections)
        return self.of_nodes(nodes, np.diag(squares), labels, frame, outline=OUTLINE, sections=strains, paper=paper)

    def _beam_sections(self, kinds: "list[KindOfModes]", panels: Panels, sections: "list[Segment]") -> BeamSections:
        """The strains of the modes, with the stiffness of each panel."""
        stiffness = [
            (s.EA, s.of_plane("GA", 0), s.of_plane("GA", 1), s.GJ, s.of_plane("EI", 1), s.of_plane("EI", 0))
            for s in sections
        ]
        return BeamSections.of_modes(kinds, panels, np.array([[x or 0.0 for x in row] for row in stiffness]))

    def _counts(self, modes: Modes) -> tuple[dict[str, int], int]:
        """The number of modes of each kind that are computed, and how many of the bending modes are kept, or 0 for
        all."""
        if isinstance(modes, Mapping):
            for kind in modes:
                if kind not in KINDS:
                    raise ModelError(f"modes: a beam has no modes of the kind '{kind}'. {suggest(str(kind), [*KINDS])}")
            if self.axial or self.torsion:
                raise ModelError(
                    "modes: the numbers of axial and torsion modes are given twice; leave out 'axial' and"
                    " 'torsion' of the beam"
                )
            return {kind: int(n) for kind, n in modes.items()}, 0
        if modes is None:
            raise ModelError("modes: a beam needs the number of its modes, such as modes=4")
        bending = dict.fromkeys(self.sections[0].bends or BENDING[:1], modes)
        return {**bending, "axial": self.axial, "torsion": self.torsion}, modes

    def _panels(self, counts: Mapping[str, int]) -> "tuple[Panels, list[Segment]]":
        """Panels with a constant section and without masses inside, and the section of each. There are enough points in
        each for products of modes: the phase of the n-th mode along the beam is about n π, shared in the ratio of the
        local wave numbers, and a polynomial of degree z + 8 z^⅓ + 12 resolves sines and exponentials of a phase z; a
        lower one does where z < 1, as in each of many segments."""
        ends = np.cumsum([0.0, *(s.length for s in self.sections)])
        inner = [self.positions[name] for name, _ in self.masses]
        edges = sorted({*ends.tolist(), *inner})
        middles = (np.array(edges[:-1]) + edges[1:]) / 2
        sections = [self.sections[k - 1] for k in np.searchsorted(ends, middles)]
        phase = 0.0
        for kind, n in counts.items():
            waves = np.diff(edges) * [_wave_number(kind, section) for section in sections]
            phase = max(phase, np.pi * (n + 1 + len(self.masses)) * waves.max() / waves.sum())
        return Panels(edges, max(8, int(phase + 8 * np.cbrt(phase) + 3 + 9 * min(1, phase)))), sections

    def _modes(self, kind: str, n: int, panels: Panels, sections: "list[Segment]", nodes: Array) -> KindOfModes:
        """The first n modes of one kind, at the Gauss points and the nodes."""
        plane = BENDING.index(kind) if kind in BENDING else 0
        keys = {"axial": ("EA", "density"), "torsion": ("GJ", "polar_inertia")}
        stiffness_key, inertia_key = keys.get(kind, ("EI", "density"))

        def values(key: str, needed: bool, otherwise: float = 0.0) -> Array:
            found = [s.of_plane(key, plane) if key in PAIRED else s.__dict__[key] for s in sections]
            if needed and None in found:
                along = f" along {kind[-1]}" if key == "EI" else ""
                raise FieldError(f"{kind} modes need {key}{along} in every segment", stiffness_key)
            return np.array([otherwise if x is None else x for x in found])

        stiffness, inertia = values(stiffness_key, True), values(inertia_key, True)
        shear = values("GA", False, np.inf) if kind in BENDING and any(s.GA for s in sections) else None
        rotary = values("rotary_inertia", False) if kind in BENDING else inertia
        moments, axis = {name: one.inertia for name, one in self.masses}, {"bending y": 2, "bending z": 1}.get(kind, 0)
        if not np.any(inertia) and not any(one.mass if kind != "torsion" else one.inertia[0] for _, one in self.masses):
            raise FieldError(f"{kind} modes need {inertia_key}", inertia_key)
        length, x = self.total_length, np.concatenate([panels.x, nodes])
        if not self.segments and not self.masses and shear is None:
            if kind in BENDING and not np.any(rotary):
                return uniform_bending(kind, self.ends, length, stiffness[0], inertia[0], n, x)
            if kind not in BENDING:
                return uniform_bar(kind, self.ends, length, stiffness[0], inertia[0], n, x)
        problem = RitzProblem(
            kind,
            self.ends,
            panels,
            panels.points - 4,
            stiffness,
            shear,
            density=np.zeros_like(inertia) if kind == "torsion" else inertia,
            rotary=np.zeros_like(inertia) if kind == "axial" else rotary,
            at=np.array([self.positions[name] for name, _ in self.masses]),
            masses=np.array([0.0 if kind == "torsion" else one.mass for _, one in self.masses]),
            moments=np.array([0.0 if kind == "axial" else m[axis] for m in moments.values()]),
            nodes=nodes,
        )
        return problem.solve(n)

    def _nodal_data(
        self, kinds: "list[KindOfModes]", panels: Panels, sections: "list[Segment]", x: Array
    ) -> tuple[NodalData, Array, list[str]]:
        """Gauss points with masses, then nodes; with ω² and the kind of each mode."""
        gauss, n = len(panels.x), sum(len(kind.squares) for kind in kinds)
        k = gauss + len(x)
        translations, slopes = np.zeros((k, 3, n)), np.zeros((k, 3, n))
        rotation, shear = ({name: np.zeros((gauss, n)) for name in BENDING} for _ in range(2))
        curvature = {name: np.zeros((gauss, n)) for name in BENDING}
        stretch, twist = np.zeros((gauss, n)), np.zeros((gauss, n))
        start, labels = 0, list[str]()
        for one in kinds:
            at = slice(start, start := start + len(one.squares))
            labels += [one.kind] * len(one.squares)
            if one.kind in BENDING:
                axis = 1 + BENDING.index(one.kind)
                translations[:, axis, at] = one.displacement
                slopes[:, 3 - axis, at] = one.rotation if axis == 1 else -one.rotation
                rotation[one.kind][:, at], shear[one.kind][:, at] = one.rotation[:gauss], one.shear[:gauss]
                curvature[one.kind][:, at] = one.strain[:gauss]
            elif one.kind == "axial":
                translations[:, 0, at], stretch[:, at] = one.displacement, one.strain[:gauss]
            else:
                slopes[:, 0, at], twist[:, at] = one.rotation, one.rotation[:gauss]

        def product(a: Array, b: Array) -> Array:
            return np.asarray(np.einsum("kr,ks->krs", a, b) + np.einsum("ks,kr->krs", a, b))

        (pv, pw), (sv, sw), (cv, cw) = (tuple(f[name] for name in BENDING) for f in (rotation, shear, curvature))
        slope = np.stack(
            [
                -product(pv, pv / 2 + sv) - product(pw, pw / 2 + sw),
                product(stretch, pv) - product(twist, sw) - panels.integral(product(twist, cw)),
                product(stretch, pw) + product(twist, sv) + panels.integral(product(twist, cv)),
            ],
            axis=1,
        )
        second = np.concatenate([panels.integral(slope), panels.integral_to(x, slope)])
        positions = np.concatenate([panels.x, x])
        if self.ends == "pinned":  # the ends stay on the x axis
            second[:, 1:] -= (
                positions[:, None, None, None]
                / self.total_length
                * panels.integral_to(np.array([self.total_length]), slope[:, 1:])
            )
        names = ["" for _ in panels.x] + [*self.positions] + ["" for _ in range(OUTLINE)]
        masses, inertias = np.zeros(k), np.zeros((k, 3, 3))
        for s, section in enumerate(sections):
            here = slice(s * panels.points, (s + 1) * panels.points)
            masses[here] = section.density * panels.weights[here]
            across = section.of_plane("rotary_inertia", 1), section.of_plane("rotary_inertia", 0)
            for axis, value in enumerate((section.polar_inertia, *across)):
                inertias[here, axis, axis] = (value or 0.0) * panels.weights[here]
        for name, one in self.masses:
            j = names.index(name)
            masses[j], inertias[j] = masses[j] + one.mass, inertias[j] + np.diag(one.inertia)
        squares = np.concatenate([np.zeros(0), *(one.squares for one in kinds)])
        place = np.column_stack([positions, np.zeros((k, 2))])
        offsets = np.zeros((k, 3))
        return NodalData(names, place, masses, inertias, offsets, translations, slopes, second), squares, labels


def _wave_number(kind: str, section: Segment) -> float:
    """The wave number of a section at the frequency 1, or 1 where it is not known."""
    if kind in BENDING:
        stiffness, inertia, power = section.of_plane("EI", BENDING.index(kind)), section.density, 0.25
    else:
        stiffness, inertia, power = (
            (section.EA, section.density, 0.5) if kind == "axial" else (section.GJ, section.polar_inertia, 0.5)
        )
    return float((inertia / stiffness) ** power) if inertia and stiffness else 1.0
