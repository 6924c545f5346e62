"""Sensors of flexible bodies, for outputs, events and loads: deflection of a node, strain and section forces of a beam.

Strains and section forces are those of the modes (Σ η_r times those of mode r): they converge with the number of modes,
moments more slowly than displacements and shear forces more slowly than moments. A section force is known only if the
modes contain its strain.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from freebody.errors import FieldError, ModelError, within
from freebody.fem.beam_sections import FORCES, BeamSections
from freebody.model.body import Body, BodyName, BodyValue
from freebody.model.element import Element, Given, field
from freebody.model.joints.modal_dynamics import weighted
from freebody.model.kinds import UNPARSED, Choice, ListOf, Number, Scope
from freebody.scalar.expr import Expr
from freebody.spatial.vector import MeasuredExpr, Vector

Array = NDArray[np.float64]
MODES = {
    "axial": "axial",
    "torsion": "torsion",
    "shear_y": "'bending y'",
    "moment_z": "'bending y'",
    "shear_z": "'bending z'",
    "moment_y": "'bending z'",
}
"""The modes that contain the strain of a section force."""


@dataclass(frozen=True)
class SectionForces:
    """Forces and moments in a section of a beam, of its outer part (larger x) on its inner part, along the axes of the
    undeformed body. Each is an expression of the modal coordinates."""

    body: str
    at: float
    known: dict[str, Expr]

    def component(self, name: str) -> Expr:
        """A component by its name, such as "moment_z"."""
        if name not in self.known:
            raise ModelError(
                f"section forces of '{self.body}': its modes contain no strain of '{name}', so this force cannot be"
                f" computed from them. Add {MODES[name]} modes, or use the reaction of the joint at the root"
            )
        return self.known[name]

    @property
    def axial(self) -> Expr:
        """The axial force, positive for tension [N]."""
        return self.component("axial")

    @property
    def shear_y(self) -> Expr:
        """The shear force along y [N]."""
        return self.component("shear_y")

    @property
    def shear_z(self) -> Expr:
        """The shear force along z [N]."""
        return self.component("shear_z")

    @property
    def torsion(self) -> Expr:
        """The torque about x [N·m]."""
        return self.component("torsion")

    @property
    def moment_y(self) -> Expr:
        """The bending moment about y, of bending along z [N·m]."""
        return self.component("moment_y")

    @property
    def moment_z(self) -> Expr:
        """The bending moment about z, of bending along y [N·m]."""
        return self.component("moment_z")


def deflection(value: Any, scope: Scope) -> Vector:
    """The displacement of a node relative to the undeformed body: γ η + ½ ηᵀ Γ η."""
    node = scope.body(value)
    if not isinstance(node, Body) or not node.spec.is_node or not isinstance(node.parent, Body):
        raise FieldError(f"'{node.name}' is not a node of a flexible body; use body.node('tip')")
    modal = node.parent.spec.modal
    if modal is None:
        raise FieldError(f"the undeformed position of '{node.name}' is not known")
    q = node.parent.q[len(node.parent.q) - modal.data.n :]
    return modal.deflection(node.spec.node, node.parent.frame, [x.handle for x in q]).in_unit("m")


def strain(value: Any, scope: Scope, at: Any, offset: Any) -> Expr:
    """The normal strain along x of a beam at a position, and at distances (y, z) from its axis."""
    body, sections, x = _section(value, at, scope)
    with within("offset"):
        pair = ListOf(Number(), 2).read(offset, scope)
    if not np.any(sections.strain(x, *pair)):
        raise FieldError(
            f"the modes of '{body.name}' have no strain at x = {x:g} with the offset ({pair[0]:g}, {pair[1]:g}):"
            " bending strains are proportional to the offset in the plane of bending, and the axis is strained by axial"
            " modes only"
        )
    return beam_strain(body, x, pair)


def beam_strain(body: Body, x: float, offset: Sequence[float]) -> Expr:
    """The normal strain of a beam at a position on it, at distances (y, z) from its axis."""
    modal = body.spec.described.modal
    assert modal is not None and modal.data.sections is not None
    return _combined(body, modal.data.sections.strain(x, *offset))


def section_forces(value: Any, scope: Scope, at: Any) -> SectionForces:
    """The section forces of a beam at a position along x."""
    body, sections, x = _section(value, at, scope)
    rows = zip(FORCES, sections.forces(x), strict=True)
    known = {name: _combined(body, row) for name, row in rows if sections.carries(name)}
    units = {name: "N" if name.startswith(("axial", "shear")) else "N·m" for name in known}
    return SectionForces(body.name, x, {n: MeasuredExpr(e.graph, e.handle, units[n]) for n, e in known.items()})


def _section(value: Any, at: Any, scope: Scope) -> tuple[Body, BeamSections, float]:
    """The body, its sections, and a position on the beam."""
    body = scope.body(value)
    modal = body.spec.modal if isinstance(body, Body) else None
    if not isinstance(body, Body) or modal is None:
        raise FieldError(f"'{body.name}' is not a flexible body; strains and section forces are those of beams")
    sections = modal.data.sections
    if sections is None:
        kind = "its description" if body.spec.flexible is None else body.spec.flexible.kind
        raise FieldError(f"'{body.name}' has no section data ({kind}); strains and section forces are those of beams")
    with within("at"):
        x: float = Number().read(at, scope)
        if not 0 <= x <= sections.length:
            raise FieldError(f"{x:g} is not on the beam '{body.name}', which reaches from 0 to {sections.length:g}")
    return body, sections, x


def _combined(body: Body, row: Array) -> Expr:
    """Σ row η"""
    g = body.graph
    return Expr(g, weighted(g, row, [q.handle for q in body.q[len(body.q) - len(row) :]]))


# In model files


class ScalarTerm(Element, ABC):
    """A scalar output in a file that is not an expression."""

    @abstractmethod
    def scalar(self, scope: Scope) -> Expr:
        """The scalar, with its body read in this scope."""


@dataclass(frozen=True, eq=False)
class StrainTerm(ScalarTerm):
    """The normal strain of a beam."""

    body: Given[BodyValue] = field(BodyName(), "beam", key="strain")
    at: Given[float] = field(Number(), "position along x", unit="m")
    offset: Given[Sequence[float]] = field(
        ListOf(Number(), 2), "distances y and z from the axis", default=(0.0, 0.0), unit="m"
    )
    kind: ClassVar[str] = "strain"

    def scalar(self, scope: Scope) -> Expr:
        return strain(self.body, scope, self.at, self.offset)


@dataclass(frozen=True, eq=False)
class SectionForceTerm(ScalarTerm):
    """A section force of a beam."""

    body: Given[BodyValue] = field(BodyName(), "beam", key="section force")
    at: Given[float] = field(Number(), "position along x", unit="m")
    component: str = field(Choice(FORCES), "which force or moment")
    kind: ClassVar[str] = "section force"

    def scalar(self, scope: Scope) -> Expr:
        with within("component"):
            name = Choice(FORCES).read(self.component, UNPARSED)
        return section_forces(self.body, scope, self.at).component(name)


SCALAR_TERMS: dict[str, type[ScalarTerm]] = {cls.kind: cls for cls in (StrainTerm, SectionForceTerm)}
"""Scalar terms, each by a key that only its data has."""
