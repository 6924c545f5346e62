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
START, MOST, FEWEST, ROUNDS = 1500, 6000, 300, 8
"""Times of a picture at first, at most, how many are allowed however many bodies there are, and how often intervals may
be halved."""
POSES = 700_000
"""Poses of all bodies at all times that a picture holds at most."""
FINE = 2e-4
"""The largest error of positions between the times of a picture, relative to the size of the motion."""
TURN = 0.35
"""The largest rotation between two times of a picture, in rad."""


def with_picture_times(run: Run, most: int | None = None) -> tuple[Run, list[str]]:
    """The run at the times that a picture needs: all saved ones if they are not too many, and more where the motion
    between them is too fast for interpolation. ``most`` is the largest number of times. Also returns notes for the
    legend: one if these are too few for all of the motion."""
    if not len(run):
        raise ArgumentError(f"run of {run.about.system}: it has no saved times, so there is nothing to show")
    names = [e.name for e in run.about.elements]
    most = most or int(np.clip(POSES // max(1, len(names)), FEWEST, MOST))
    few = np.unique(np.linspace(0, len(run.t) - 1, min(START, most)).astype(int))
    known = run if len(run) <= len(few) else run.at(run.t[few])
    if len(known) < 2 or not names or "x_dot" not in run.recorded:
        return known, []
    t, poses = known.t, _poses(known, names)
    open_ = np.arange(len(t) - 1)  # intervals that are not known to be short enough
    enough = True
    for _ in range(ROUNDS):
        open_ = open_[np.abs(np.diff(t)[open_]) > 1e-9 * max(1.0, float(np.abs(t).max()))]
        if not len(open_):
            break
        middle = (t[open_] + t[open_ + 1]) / 2
        actual = _poses(run.at(middle), names)
        excess = _coarseness(t, poses, open_, actual)
        coarse, room = excess > 1, most - len(t)
        enough = bool(np.count_nonzero(coarse) <= room)
        if not enough:  # the worst alone
            coarse[np.argsort(-excess, kind="stable")[max(0, room) :]] = False
        at = open_[coarse] + 1
        t, poses = np.insert(t, at, middle[coarse]), np.insert(poses, at, actual[coarse], axis=0)
        if not enough:
            break
        first = at - 1 + np.arange(len(at))  # the first half of each interval that was halved
        open_ = np.sort(np.concatenate([first, first + 1]))
    notes = [] if enough else [f"Some motions are too fast for the {len(t):,} times of this picture."]
    return known if len(t) == len(known) else run.at(t), notes


def _poses(run: RunResult, names: Sequence[str]) -> Array:
    return np.stack([run[POSE_OF(n)] for n in names], axis=1)


def _coarseness(t: Array, poses: Array, intervals: NDArray[np.intp], actual: Array) -> Array:
    """How far the pose in the middle of intervals is from where interpolation puts it, or how far a body turns in them,
    relative to what is allowed."""
    x, k = poses[..., :3], intervals
    slopes = np.gradient(x, t, axis=0) if len(t) > 2 else np.repeat(np.diff(x, axis=0) / np.diff(t), 2, axis=0)
    h = np.diff(t)[k][:, None, None]
    guessed = (x[k] + x[k + 1]) / 2 + h * (slopes[k] - slopes[k + 1]) / 8
    finite = x[np.isfinite(x).all(axis=(1, 2))].reshape(-1, 3)
    size = (float(np.ptp(finite, axis=0).max()) if len(finite) else 0.0) or 1.0
    far = np.abs(guessed - actual[..., :3]).max(axis=(1, 2)) / (FINE * size)
    halves = [np.abs(np.sum(poses[side, :, 3:] * actual[..., 3:], axis=2)).min(axis=1) for side in (k, k + 1)]
    turns = sum(2 * np.arccos(np.clip(cosine, -1, 1)) for cosine in halves)
    return np.asarray(np.nan_to_num(np.maximum(far, turns / TURN)))
