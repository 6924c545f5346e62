"""The times of a picture: between them the motion is interpolated, so that there must be enough."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.names import POSE_OF
from freebody.results import RunResult

Array = NDArray[np.float64]
Run = TypeVar("Run", bound=RunResult)
START, MOST, ROUNDS = 1500, 6000, 8
"""Times of a picture at first, at most, and how often they may be halved."""
FINE = 2e-4
"""The largest error of positions between the times of a picture, relative to the size of the motion."""
TURN = 0.35
"""The largest rotation between two times of a picture, in rad."""


def with_picture_times(run: Run) -> Run:
    """The run at the times that a picture needs: all saved ones if they are not too many, and more where the motion
    between them is too fast for interpolation."""
    if not len(run):
        raise ArgumentError(f"run of {run.about.system}: it has no saved times, so there is nothing to show")
    few = np.unique(np.linspace(0, len(run.t) - 1, START).astype(int))
    known = run if len(run) <= START else run.at(run.t[few])
    names = [e.name for e in run.about.elements]
    if len(known) < 2 or not names or "x_dot" not in run.recorded:
        return known
    t, poses = known.t, _poses(known, names)
    open_ = np.arange(len(t) - 1)  # intervals that are not known to be short enough
    for _ in range(ROUNDS):
        open_ = open_[np.abs(np.diff(t)[open_]) > 1e-9 * max(1.0, float(np.abs(t).max()))][: max(0, MOST - len(t))]
        if not len(open_):
            break
        middle = (t[open_] + t[open_ + 1]) / 2
        actual = _poses(run.at(middle), names)
        coarse = _is_coarse(t, poses, open_, actual)
        at = open_[coarse] + 1
        t, poses = np.insert(t, at, middle[coarse]), np.insert(poses, at, actual[coarse], axis=0)
        first = at - 1 + np.arange(len(at))  # the first half of each interval that was halved
        open_ = np.sort(np.concatenate([first, first + 1]))
    return known if len(t) == len(known) else run.at(t)


def _poses(run: RunResult, names: Sequence[str]) -> Array:
    return np.stack([run[POSE_OF(n)] for n in names], axis=1)


def _is_coarse(t: Array, poses: Array, intervals: NDArray[np.intp], actual: Array) -> NDArray[np.bool_]:
    """Whether the pose in the middle of intervals is not where interpolation puts it, or a body turns too far."""
    x, k = poses[..., :3], intervals
    slopes = np.gradient(x, t, axis=0) if len(t) > 2 else np.repeat(np.diff(x, axis=0) / np.diff(t), 2, axis=0)
    h = np.diff(t)[k][:, None, None]
    guessed = (x[k] + x[k + 1]) / 2 + h * (slopes[k] - slopes[k + 1]) / 8
    size = float(np.ptp(x[np.isfinite(x).all(axis=(1, 2))].reshape(-1, 3), axis=0).max(initial=0.0)) or 1.0
    far = np.abs(guessed - actual[..., :3]).max(axis=(1, 2)) > FINE * size
    halves = [np.abs(np.sum(poses[side, :, 3:] * actual[..., 3:], axis=2)).min(axis=1) for side in (k, k + 1)]
    turns = sum(2 * np.arccos(np.clip(cosine, -1, 1)) for cosine in halves)
    return np.asarray(far | (turns > TURN))
