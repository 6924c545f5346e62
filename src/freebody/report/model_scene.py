"""The 3D scene of a model without a run: its initial state, and sliders for its coordinates."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from freebody.errors import SimulationWarning, warn
from freebody.formulations.derivation import Derivation
from freebody.run.display_state import display_state, run_through
from freebody.run.initial import InitialValues
from freebody.run.motion_table import movable_model
from freebody.viewer.scene import Scene
from freebody.viewer.scene_of_run import scene_of_model


def model_scene(
    e: Derivation,
    values: Mapping[str, float],
    q: InitialValues = None,
    parameters: Mapping[str, float] | None = None,
    folders: Sequence[Path] = (),
) -> Scene:
    """The scene of equations, for default ``values`` of their parameters; ``q`` and ``parameters`` are values by name
    in place of initial and default ones, and ``folders`` are searched for meshes."""
    state = display_state(e, values, q, parameters)
    for note in state.notes:
        warn(note, SimulationWarning)
    run, (table, notes) = run_through(state, np.zeros(1), state.q[None, :]), movable_model(state)
    return scene_of_model(run, table, [*state.notes, *notes], folders)
