"""What users import: systems, their equations, compiled functions, and results of runs."""

from freebody.api.compiled import Compiled
from freebody.api.equations import Equations
from freebody.api.mode_pictures import ViewerPictures
from freebody.api.system import System, load
from freebody.api.trajectory import Trajectory
from freebody.model.flexible.mode_table import ModeTable

ModeTable.draw_with(ViewerPictures())

__all__ = ["Compiled", "Equations", "System", "Trajectory", "load"]
