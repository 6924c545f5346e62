"""The loads, one file each, and the table that names them."""

from freebody.model.loads.base import LOADS, Load, Shown, Wrench
from freebody.model.loads.bushing import Bushing
from freebody.model.loads.effort import Effort
from freebody.model.loads.force import Force
from freebody.model.loads.line import Line, Spring
from freebody.model.loads.torque import Torque

LOADS.update({load.kind: load for load in (Force, Torque, Line, Spring, Effort, Bushing)})

__all__ = ["LOADS", "Bushing", "Effort", "Force", "Line", "Load", "Shown", "Spring", "Torque", "Wrench"]
