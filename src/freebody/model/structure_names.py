"""Names of entries of the equations of motion, which texts write as functions of names: ``mass(arm, elbow)``,
``bias(arm)``, ``gravity(arm)``, ``jacobian(tip.x, arm)``. They are known when equations have been derived."""

from typing import NamedTuple

from freebody.errors import ExpressionError
from freebody.names import U

ARGUMENTS = {"mass": 2, "bias": 1, "gravity": 1, "jacobian": 2}
"""How many names each has: speeds; of ``jacobian`` first an output."""


class StructureName(NamedTuple):
    """An entry: what it is, the output if it has one, its speeds."""

    what: str
    output: str
    speeds: tuple[str, ...]

    @classmethod
    def of(cls, name: str) -> "StructureName":
        """The parts of "mass(arm, elbow)"; raises for another number of names than it has."""
        what, _, inside = name.partition("(")
        names = inside.removesuffix(")").split(", ")
        if len(names) != ARGUMENTS[what]:
            wanted = "an output and a speed" if what == "jacobian" else ["", "a speed", "two speeds"][ARGUMENTS[what]]
            raise ExpressionError(f"{what}(…) takes {wanted}, not {inside.removesuffix(')') or 'nothing'}")
        output = names.pop(0) if what == "jacobian" else ""
        return cls(what, output, tuple(U.strip(name) for name in names))


def is_structure(name: str) -> bool:
    """Whether a name is one of these."""
    return name.endswith(")") and name.partition("(")[0] in ARGUMENTS


def parts_of(name: str) -> list[str]:
    """The names in it; other names are one part."""
    return name.partition("(")[2].removesuffix(")").split(", ") if is_structure(name) else [name]
