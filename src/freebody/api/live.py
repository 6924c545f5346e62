"""Live simulations of systems: the equations with a pull, and the page in the browser."""

import sys
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from freebody.api.derive import derive
from freebody.api.equations import Equations
from freebody.errors import ArgumentError
from freebody.keywords import near_names
from freebody.model.model import Model
from freebody.model.pull import with_pull
from freebody.run.arguments import boolean
from freebody.run.build import build
from freebody.run.drawing import drawing
from freebody.run.event import Event
from freebody.run.initial import InitialValues
from freebody.run.inputs import InputValues, unwritten_names
from freebody.run.live_simulation import LiveSimulation
from freebody.run.options import RunKeywords, RunOptions
from freebody.viewer.browser import has_screen

if TYPE_CHECKING:
    from freebody.viewer.live import LiveView
    from freebody.viewer.scene import Scene

TOLERANCES: RunKeywords = {"rtol": 1e-6, "atol": 1e-8}
"""Errors far below what can be seen; a run has smaller ones by default."""


class LiveKeywords(RunKeywords, total=False):
    """The options of a live simulation as keyword arguments."""

    q: InitialValues
    u: InitialValues
    z: InitialValues
    parameters: Mapping[str, float] | None
    inputs: InputValues
    events: Sequence[Event]
    engaged: Mapping[str, bool] | None
    ranges: Mapping[str, tuple[float, float]] | None


class PageKeywords(LiveKeywords, total=False):
    """Those of a live simulation and of its page."""

    host: str
    port: int | None
    allowed_hosts: Sequence[str] | str
    browser: bool
    block: bool | None
    speed: float
    paused: bool


def live_simulation(
    model: Model,
    q: InitialValues = None,
    u: InitialValues = None,
    z: InitialValues = None,
    parameters: Mapping[str, float] | None = None,
    inputs: InputValues = None,
    events: Sequence[Event] = (),
    engaged: Mapping[str, bool] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    **options: Unpack[RunKeywords],
) -> LiveSimulation:
    """A simulation of a model that can be advanced, changed and pulled at; see ``System.view``. Other
    options are those of ``Equations.simulate``: method, rtol, atol, step, max_step, …"""
    known = [f.name for f in fields(RunOptions)]
    unknown = [name for name in options if name not in known]
    if unknown:
        own = [name for name in PageKeywords.__annotations__ if name not in known]
        shown = [*known, *own]
        near = near_names(unknown[0], shown)
        hint = f" (did you mean {' or '.join(near)}?)" if near else ""
        raise ArgumentError(f"a live view has no option '{unknown[0]}'{hint}; its options: {', '.join(shown)}")
    chosen: RunKeywords = {**TOLERANCES, **options}
    pulled, names = with_pull(model)
    derivation = derive(pulled, None, (), "standard", 1, None, None, ())
    return LiveSimulation(
        derivation,
        names,
        {"q": q, "u": u, "z": z},
        parameters,
        inputs,
        events,
        engaged,
        ranges,
        RunOptions(**chosen),
    )


def live_view(
    equations: Equations,
    folders: Sequence[Path],
    host: str,
    port: int | None,
    speed: float,
    playing: bool,
    allowed_hosts: Sequence[str] | str = (),
    **options: Unpack[LiveKeywords],
) -> "LiveView":
    """The page of a live simulation of a model, not running yet. ``folders`` are those of meshes; other options
    are those of ``live_simulation``."""
    from freebody.viewer.live import LiveView
    from freebody.viewer.system_scene import system_scene

    e = equations.derivation
    simulation = live_simulation(e.tree.model, **options)

    def draw() -> "Scene":
        values = dict(simulation.compiled.parameters)
        about = build(e, values, dict.fromkeys(unwritten_names(e), 0.0)).about
        return system_scene(about, drawing(e, values), folders=folders).scene

    return LiveView(simulation, draw, host, port, speed, playing, allowed_hosts)


def show_live(
    equations: Equations,
    folders: Sequence[Path],
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
    block: bool | None = None,
    speed: float = 1.0,
    paused: bool = False,
    allowed_hosts: Sequence[str] | str = (),
    **options: Unpack[LiveKeywords],
) -> "LiveView":
    """Simulate live in the browser; see ``System.view``."""
    opens, waits = boolean(browser, "browser"), None if block is None else boolean(block, "block")
    playing = not boolean(paused, "paused")
    view = live_view(equations, folders, host, port, speed, playing, allowed_hosts, **options)
    print(view.announcement(), flush=True)
    if opens:
        open_browser(view.link())
    interactive = hasattr(sys, "ps1") or "ipykernel" in sys.modules
    if (waits is None and interactive) or waits is False:
        view.start()
    else:
        view.run()
    return view


def open_browser(url: str) -> None:
    """Open a page where there is a screen."""
    if has_screen():
        webbrowser.open(url)
