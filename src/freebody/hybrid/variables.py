"""Variables: the list of quantities that runs, results, files, reports and views read."""

from dataclasses import dataclass
from functools import cached_property

QUATERNION = ("qw", "qx", "qy", "qz")
"""The last parts of the names of a quaternion's components."""


@dataclass(frozen=True)
class Variable:
    """A quantity of a system: one number, or several with names (``parts``). One that ``steps`` is constant between
    instants: it is not interpolated."""

    group: str
    name: str
    unit: str = ""
    description: str = ""
    parts: tuple[str, ...] = ()
    steps: bool = False

    @property
    def key(self) -> str:
        """The full name, such as ``q.upper`` or ``energy.kinetic``."""
        return f"{self.group}.{self.name}"

    @property
    def columns(self) -> tuple[str, ...]:
        """A full name for each number."""
        return tuple(f"{self.key}.{p}" for p in self.parts) or (self.key,)

    @property
    def is_pose(self) -> bool:
        """Whether its numbers are positions in m followed by a quaternion."""
        return self.parts[-4:] == QUATERNION

    def unit_of(self, part: int | None) -> str:
        """The unit of one of its parts, or of its only number (None)."""
        return self.unit if part is None or not self.is_pose else "m" if part < len(self.parts) - 4 else ""


@dataclass(frozen=True)
class VariableRow:
    """Variables whose numbers follow one another in a row."""

    variables: tuple[Variable, ...] = ()

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """A full name for each number."""
        return tuple(column for variable in self.variables for column in variable.columns)

    @cached_property
    def index(self) -> dict[str, int]:
        """The places of the numbers in the row, by full name."""
        return {column: k for k, column in enumerate(self.columns)}

    def __len__(self) -> int:
        return len(self.columns)
