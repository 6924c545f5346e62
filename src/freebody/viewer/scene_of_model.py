"""The scene of a model without a run: its initial state, and sliders for its coordinates."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from freebody.names import ENGAGED
from freebody.results import RunResult
from freebody.results.motion_table import MotionTable
from freebody.viewer.scene import Scene
from freebody.viewer.scene_of_run import clip, poses_of, require_drawing
from freebody.viewer.system_scene import system_scene


def scene_of_model(
    run: RunResult, motion: MotionTable | None, notes: Sequence[str] = (), folders: Sequence[Path] = ()
) -> Scene:
    """The model at the only time of a run. Without a table of its motion it stands still. Constraints that are released
    are not drawn."""
    known = system_scene(run.about, require_drawing(run), folders=folders, poses=poses_of([run]))
    scene = known.scene
    released = {ENGAGED(c.name) for c in run.about.constraints if c.engaged is not None and not run[ENGAGED(c.name)][0]}
    return replace(
        scene,
        subtitle="initial state",
        motion=motion,
        clips=[] if motion is not None else [clip(known, run)],
        items=[item for item in scene.items if item.engaged not in released],
        lines=[line for line in scene.lines if line.engaged not in released],
        links=[link for link in scene.links if link.engaged not in released],
        notes=[*notes, *scene.notes],
    )
