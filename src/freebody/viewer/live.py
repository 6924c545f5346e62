"""A simulation that runs live in the browser, through viser: play, pause and step it, change inputs and parameters, and
pull at its bodies with the mouse."""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from math import floor, isfinite, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, FreebodyError
from freebody.names import Q
from freebody.results.live_simulator import Adjustable, LiveSimulator
from freebody.viewer.extent import room
from freebody.viewer.live_access import LOCAL, Access
from freebody.viewer.live_scene import LiveScene
from freebody.viewer.live_server import LiveServer
from freebody.viewer.scene import Scene
from freebody.viewer.sketch import quaternion, rotation

Array = NDArray[np.float64]
FRAME = 1 / 40
"""Seconds between two pictures."""

STEP = 1 / 100
"""Seconds of simulated time of the button for one step."""

CATCH_UP = 0.1
"""The longest time in seconds that is made up for after a delay; what is beyond is lost."""

FIRST = 1e-3
"""Seconds of the first part that is simulated: how fast a system can be simulated is not known before."""

SHARE = 0.9
"""The part of the time between two pictures that the simulation may take."""

SLOW = 0.9
"""Below this fraction of the speed that is asked for, the page says that the computer is too slow."""

SPEEDS = ("0.05", "0.1", "0.25", "0.5", "1", "2", "5", "10")
BESIDE_PANEL = 0.4
"""How far the camera looks to the right of the system, relative to its distance from it."""
PULL_FREQUENCY = 2.0
"""Natural frequency in Hz of the spring that pulls a body."""

MANY = 100
"""The largest number of sliders in a folder."""


class LiveView:
    """The page of a simulation, at ``url``, which only those know to whom it is shown (see ``Access``). ``draw``
    returns the scene for the simulation's parameters; it is called again when one changes. ``run`` shows it until
    Ctrl-C, or until another thread calls ``stop``. Everything that users do is queued, and done between two steps of
    the simulation."""

    def __init__(
        self,
        simulator: LiveSimulator,
        draw: Callable[[], Scene],
        host: str = LOCAL,
        port: int | None = None,
        speed: float = 1.0,
        playing: bool = True,
        allowed_hosts: Sequence[str] | str = (),
    ) -> None:
        if not (isinstance(speed, int | float) and isfinite(speed) and speed > 0):
            raise ArgumentError(f"speed must be a positive number, not {speed!r}")
        self.simulator, self.speed, self.playing, self.message = simulator, float(speed), playing, ""
        self._draw, scene, self._drawn, self._changed = draw, draw(), 0, False
        self._commands, self._stopped = queue.SimpleQueue[Callable[[], None]](), threading.Event()
        self._order = _order(scene, simulator)
        self._grip: tuple[int, Array] | None = None  # the client that pulls, and the target in the picture
        self._nodes = _nodes(scene)
        self._selected: int | None = None
        self._follows = any(body.joint == "free" and body.parent < 0 for body in scene.bodies)
        masses = np.array([body.mass for body in scene.bodies])
        self._masses = masses / (float(masses.sum()) or 1.0)
        self._turn = upright_axes(scene.gravity)
        self._centre = self._masses @ simulator.poses()[0][self._order]
        self._offset = np.zeros(3)  # of the picture, so that what is followed stays in sight
        self._pace, self.real_time_factor, self._last_text = FIRST / FRAME, 0.0, 0.0
        self._access = Access(host, allowed_hosts)
        self._web = LiveServer(self._access, port)
        self.server, self.port = self._web.viser, self._web.port
        self.url = self._access.url(self.port)
        try:
            self.scene = LiveScene(self.server, scene, self._on_drag, self._on_click, scene.shown)
            self._set_camera(scene)
            self._add_controls(scene)
            self._show()
            self._web.accept_messages(scene.size)
        except BaseException:
            self._web.stop()
            raise

    def announcement(self) -> str:
        """Where the page is, and who can open it."""
        if self._access.is_local:
            return f"{self.url} (this computer only; Ctrl-C ends)"
        every = self._access.host != self._access.shown_host
        elsewhere = f", from others under its address instead of {self._access.shown_host}" if every else ""
        return (
            f"{self.url} (Ctrl-C ends{elsewhere}). Warning: it is bound to {self._access.host}, so that anyone on the"
            f" network who learns this address can see and control this simulation, and it is not encrypted; leave host"
            f" out to bind it to {LOCAL}"
        )

    def link(self) -> str:
        """An address that leads to the page once, for the command that starts a browser."""
        return self._access.link(self.port)

    # The loop

    def start(self) -> None:
        """``run`` in a thread of its own."""
        threading.Thread(target=self.run, name="freebody live view", daemon=True).start()

    def run(self) -> None:
        """Simulate and show until ``stop`` is called, or Ctrl-C is pressed."""
        last = time.perf_counter()
        try:
            while not self._stopped.is_set():
                began = time.perf_counter()
                self._run_commands()
                self._release_absent()
                if self.playing:
                    self._play(began - last)
                if self._changed and self._grip is None:
                    self._redraw()
                self._show()
                last = began
                self._stopped.wait(max(0.0, FRAME - (time.perf_counter() - began)))
        except KeyboardInterrupt:
            pass
        finally:
            self._stopped.set()
            self._web.stop()

    def stop(self) -> None:
        """End the simulation and close the page."""
        self._stopped.set()

    def _repr_html_(self) -> str:
        """A link to the page in a notebook. The page is not shown in frames, where others could cover it."""
        return f'<a href="{escape(self.url)}" target="_blank" rel="noopener noreferrer">the live view</a>'

    def _run_commands(self) -> None:
        """Do what users have asked for."""
        while not self._commands.empty():
            command = self._commands.get()
            try:
                command()
            except FreebodyError as error:
                self.message = str(error)
            except Exception as error:  # what one window asks for ends the simulation of no other
                self.message = f"{type(error).__name__}: {error}"

    def _play(self, elapsed: float) -> None:
        """Simulate as long as the time since the last picture, at the speed that is asked for, or as much of it as can
        be computed until the next picture."""
        wanted = self.speed * min(elapsed, CATCH_UP)
        duration = min(wanted, self._pace * FRAME * SHARE)
        began = time.perf_counter()
        self._advance(duration)
        spent = max(time.perf_counter() - began, 1e-6)
        # quickly down and slowly up: one long part delays the page, a short one does not matter
        measured = duration / spent
        self._pace = measured if measured < self._pace else min(2 * self._pace, (self._pace + measured) / 2 + 1e-9)
        self.real_time_factor += 0.1 * (duration / max(elapsed, spent, 1e-6) - self.real_time_factor)

    def _advance(self, duration: float) -> None:
        if duration > 0:
            message = self.simulator.advance(duration)
            if message:
                self.message = message
                self.set_playing(False)

    def set_playing(self, playing: bool) -> None:
        if playing:
            self.message = ""
        self.playing, self.real_time_factor, self._pace = playing, 0.0, min(self._pace, self.speed)
        self._play_button.label = "Pause" if playing else "Play"
        self._step_button.disabled = playing
        for slider in self._coordinates.values():
            slider.disabled = playing
        if not playing:
            self._refresh_coordinates()

    def step(self) -> None:
        """Pause, and simulate one short step."""
        self.set_playing(False)
        self._advance(STEP)
        self._refresh_coordinates()

    def reset(self) -> None:
        """Go back to the start; inputs and parameters keep their values."""
        self.simulator.reset()
        self.message = ""
        self._refresh_coordinates()
        self._refresh_switches()

    # The page

    def _redraw(self) -> None:
        """Another scene after a parameter has changed."""
        old, self._changed, self._drawn = self.scene, False, self._drawn + 1
        root = f"/scene{self._drawn}"
        with self.server.atomic():
            self.scene = LiveScene(self.server, self._draw(), self._on_drag, self._on_click, old.layers, root)
            self.scene.look_from(self._offset)
            self._show()
            old.remove()

    def _show(self) -> None:
        positions, turns = self.simulator.poses()
        if not np.all(np.isfinite(positions)):
            return
        positions, turns = positions[self._order], turns[self._order]
        self._follow(positions)
        self.scene.update(positions, turns, self.simulator.value)
        pulling = self.simulator.pulling
        if pulling is None or self._grip is None:
            self.scene.show_pull(None, None)
        else:
            self.scene.show_pull(pulling.point, self._grip[1] + self._offset)
        now = time.perf_counter()
        if now - self._last_text > 0.2 or not self.playing:
            self._last_text = now
            text = self._status()
            if text != self._text.content:
                self._text.content = text
            self._refresh_switches()

    def _follow(self, positions: Array) -> None:
        """Move the picture against the motion of the mass centre, and the grid by whole cells with it."""
        offset = self._masses @ positions - self._centre if self._follows else np.zeros(3)
        if np.allclose(offset, self._offset, rtol=0.0, atol=1e-6 * self.scene.scene.size):
            return
        self._offset = offset
        self.scene.look_from(offset)
        section = 5 * self._cell
        right, away, up = self._turn.T @ offset
        self._grid.position = tuple(self._turn @ (-(right % section), -(away % section), -up))
        if self._grip is not None:
            self._pull(self._grip[1])

    def _status(self) -> str:
        """The text at the top of the panel; names in it are free texts."""
        kinetic, potential = self.simulator.energies()
        rows = [("time", f"{self.simulator.t:.3f} s"), ("real-time factor", self._factor())]
        rows += [("energy", f"{kinetic + potential:.5g} J"), ("… kinetic", f"{kinetic:.5g} J")]
        pulling = self.simulator.pulling
        rows += [] if pulling is None else [("pull", f"{float(np.linalg.norm(pulling.force)):.4g} N")]
        if self._selected is not None:
            body = self.scene.scene.bodies[self._selected]
            rows += [("body", body.name), ("… joint", body.joint), ("… mass", f"{body.mass:.5g} kg")]
            rows += [(f"… {name}", f"{self.simulator.value(Q(name)):.5g}") for name in body.q[:8]]
        cells = "".join(
            f"<tr><td style='padding-right:1em;opacity:.7'>{escape(name)}</td>"
            f"<td style='overflow-wrap:anywhere'>{escape(text)}</td></tr>"
            for name, text in rows
        )
        alert = ""
        if self.message:
            style = "color:#c92a2a;margin:.5em 0;overflow-wrap:anywhere"
            alert = f"<div role='alert' style='{style}'>{escape(self.message)}</div>"
        return f"<div style='padding:0 1em;font-size:.85em'>{alert}<table>{cells}</table></div>"

    def _factor(self) -> str:
        if not self.playing:
            return f"paused (asked: {self.speed:g})"
        slow = self.real_time_factor < SLOW * self.speed and self._pace * SHARE < self.speed
        return f"{self.real_time_factor:.2f} of {self.speed:g}" + (": the computer is too slow" if slow else "")

    def _set_camera(self, scene: Scene) -> None:
        """Look at the whole system from the front, left of the panel, with gravity downwards, and draw a grid on the
        ground."""
        positions, turns = self.simulator.poses()
        low, high = room(scene, positions[self._order], turns[self._order])
        centre, reach = (low + high) / 2, max(float(np.linalg.norm(high - low)), 0.2 * scene.size)
        camera, api = self.server.initial_camera, self.server.scene
        turn, away = self._turn, np.array([0.6, -1.4, 0.5])
        target = centre + reach * BESIDE_PANEL * turn @ (-away[1], away[0], 0.0)
        camera.position, camera.look_at = tuple(target + reach * turn @ away), tuple(target)
        camera.up = tuple(turn[:, 2])
        api.set_up_direction(turn[:, 2])
        camera.near, camera.far = reach / 200, 200 * reach
        # lights without an image of surroundings and without shadows: browsers without a graphics card need seconds for
        # these
        api.configure_environment_map(None)
        api.configure_default_lights(cast_shadow=False)
        api.add_light_ambient("/light", intensity=2.0)
        self._cell = 10.0 ** floor(log10(reach))
        self._grid = api.add_grid(
            "/grid",
            width=40 * self._cell,
            height=40 * self._cell,
            cell_size=self._cell / 2,
            section_size=5 * self._cell,
            infinite_grid=True,
            fade_distance=40 * self._cell,
            wxyz=np.array(quaternion(turn)),
        )

    def _add_controls(self, scene: Scene) -> None:
        gui = self.server.gui
        gui.configure_theme(show_logo=False, show_share_button=False)
        gui.set_panel_label(scene.title)
        self._text = gui.add_html("")
        self._play_button = gui.add_button("Pause" if self.playing else "Play", hint="key: space")
        self._step_button = gui.add_button(f"Step {STEP:g} s", disabled=self.playing)
        reset = gui.add_button("Reset", hint="back to the start; inputs and parameters stay")
        own = f"{self.speed:g}"
        options = SPEEDS if own in SPEEDS else tuple(sorted((*SPEEDS, own), key=float))
        speed = gui.add_dropdown("speed", options, initial_value=own)
        self._frequency = gui.add_slider(
            "pull",
            0.2,
            5.0,
            0.1,
            PULL_FREQUENCY,
            hint="drag a body with the left button: its point follows as on a spring with this frequency in Hz",
        )
        self._on(self._play_button.on_click, lambda _: self.set_playing(not self.playing))
        self._on(self._step_button.on_click, lambda _: self.step())
        self._on(reset.on_click, lambda _: self.reset())
        self._on(speed.on_update, self._set_speed)
        self._on(
            gui.add_command("Play or pause", hotkey="space").on_trigger, lambda _: self.set_playing(not self.playing)
        )
        s = self.simulator
        self._add_sliders("Inputs", s.inputs, s.set_input, True)
        self._add_sliders("Parameters", s.parameters, self._set_parameter, len(s.parameters) <= 8)
        self._coordinates = self._add_sliders(
            "Coordinates (while paused)", s.coordinates, s.set_coordinate, False, self.playing
        )
        self._switches = dict[str, Any]()
        if s.engaged:
            with gui.add_folder("Constraints"):
                for name, engaged in s.engaged.items():
                    self._switches[name] = box = gui.add_checkbox(name, engaged)
                    self._on(box.on_update, partial(s.engage, name))
        layers = self.scene.present_layers()
        with gui.add_folder("Show", expand_by_default=False):
            self._on(gui.add_checkbox("follow the motion", self._follows).on_update, self._set_follows)
            for layer in layers:
                box = gui.add_checkbox(layer, layer in self.scene.layers)
                self._on(box.on_update, partial(self._show_layer, layer))
            if scene.notes:
                notes = "".join(f"<p>{escape(note)}</p>" for note in scene.notes)
                gui.add_html(f"<div style='padding:0 1em;font-size:.8em;opacity:.8'>{notes}</div>")

    def _add_sliders(
        self,
        folder: str,
        numbers: Sequence[Adjustable],
        change: Callable[[str, float], None],
        expand: bool,
        disabled: bool = False,
    ) -> dict[str, Any]:
        """Sliders by name; one that is refused goes back to what the simulation has."""
        sliders, gui = dict[str, Any](), self.server.gui
        if not numbers:
            return sliders
        with gui.add_folder(folder, expand_by_default=expand):
            for one in numbers[:MANY]:
                label = f"{one.name} [{one.unit}]" if one.unit else one.name
                step = 10.0 ** floor(log10((one.high - one.low or 1.0) / 200))
                slider = sliders[one.name] = gui.add_slider(
                    label, one.low, one.high, step, one.initial, disabled=disabled, hint=one.description or None
                )
                accepted = {one.name: one.initial}

                def set_value(
                    value: Any, name: str = one.name, slider: Any = slider, accepted: dict[str, float] = accepted
                ) -> None:
                    self.message = ""
                    try:
                        change(name, float(value))
                    except FreebodyError:
                        slider.value = accepted[name]
                        self._refresh_coordinates()
                        raise
                    accepted[name] = float(value)
                    self._refresh_coordinates(name)

                self._on(slider.on_update, set_value)
            if len(numbers) > MANY:
                gui.add_html(f"<p style='padding:0 1em'>{len(numbers) - MANY} more have no slider</p>")
        return sliders

    def _on(self, register: Callable[[Any], Any], action: Callable[[Any], None]) -> None:
        """Queue an action for a change that a user makes; changes by this program itself have no client."""

        async def changed(event: Any) -> None:
            if event.client_id is not None:
                value = getattr(event.target, "value", None)
                self._commands.put(lambda: action(value))

        register(changed)

    def _set_parameter(self, name: str, value: float) -> None:
        self.simulator.set_parameter(name, value)
        self._changed = True

    def _set_speed(self, value: str) -> None:
        self.speed = float(value)
        self.real_time_factor = 0.0

    def _set_follows(self, value: bool) -> None:
        self._follows = bool(value)

    def _show_layer(self, layer: str, shown: bool) -> None:
        self.scene.show_layers(self.scene.layers | {layer} if shown else self.scene.layers - {layer})

    def _refresh_coordinates(self, but: str = "") -> None:
        """Set the sliders of coordinates to their values."""
        if self.playing:
            return
        for name, slider in self._coordinates.items():
            value = float(np.clip(self.simulator.coordinate(name), slider.min, slider.max))
            if name != but and abs(value - slider.value) > slider.step / 2:
                slider.value = value

    def _refresh_switches(self) -> None:
        for name, engaged in self.simulator.engaged.items() if self._switches else ():
            if self._switches[name].value != engaged:
                self._switches[name].value = engaged

    # The mouse

    def _on_click(self, event: Any, body: int) -> None:
        def select() -> None:
            self._selected = body

        self._commands.put(select)

    def _on_drag(self, event: Any, body: int) -> None:
        client, phase = event.client_id, event.phase
        start, target = np.array(event.start_position), np.array(event.end_position)

        def drag() -> None:
            if phase == "end":
                if self._grip is not None and self._grip[0] == client:
                    self._release()
            elif phase == "start":
                if self._grip is not None and self._grip[0] != client:
                    self.message = "another window pulls a body at present; wait until it lets go"
                    return
                self._selected = body
                self._hold(client, body, start, target)
            elif self._grip is not None and self._grip[0] == client:
                self._grip = client, target
                self._pull(target)

        self._commands.put(drag)

    def _pull(self, target: Array) -> None:
        """Pull what is held towards a target in the picture, or let go where that is refused."""
        try:
            self.simulator.pull(*self._held, target + self._offset, self._frequency.value)
        except FreebodyError as error:
            self.message = str(error)
            self._release()

    def _release(self) -> None:
        self._grip = None
        self.simulator.release()

    def _release_absent(self) -> None:
        """Let go of what a window pulled that is not open any more."""
        if self._grip is not None and self._grip[0] not in self.server.get_clients():
            self._release()

    def _hold(self, client: int, body: int, start: Array, target: Array) -> None:
        """Begin to pull a body, or the node of a flexible body that is nearest to the pointer."""
        positions, turns = self.simulator.poses()
        start = start + self._offset
        candidates = [self._order[k] for k in self._nodes.get(body, [body])]
        index = min(candidates, key=lambda k: float(np.linalg.norm(positions[k] - start)))
        self._held = index, rotation(turns[index]).T @ (start - positions[index])
        self._grip = client, target
        self._pull(target)


def upright_axes(gravity: Sequence[float]) -> Array:
    """The axes of the picture in the ground as columns; the last is up: z, or the axis of the ground against gravity
    where gravity is along another one."""
    axis = int(np.argmax(np.abs(gravity)))
    if gravity[axis] == 0 or (axis == 2 and gravity[2] < 0):
        return np.eye(3)
    up, right = -np.sign(gravity[axis]) * np.eye(3)[axis], np.eye(3)[1 if axis == 0 else 0]
    return np.column_stack([right, np.cross(up, right), up])


def _order(scene: Scene, simulator: LiveSimulator) -> NDArray[np.intp]:
    """For each body of the scene its index in the simulation."""
    index = {name: k for k, name in enumerate(simulator.bodies)}
    missing = [body.name for body in scene.bodies if body.name not in index]
    if missing:
        raise ArgumentError(f"the scene has the body '{missing[0]}', which the simulation does not have")
    return np.array([index[body.name] for body in scene.bodies], np.intp)


def _nodes(scene: Scene) -> dict[int, list[int]]:
    """The nodes of each flexible body that is drawn as a mesh."""
    flexible = {item.body for item in scene.flexible}
    nodes = dict[int, list[int]]()
    for k, body in enumerate(scene.bodies):
        if body.node and body.parent in flexible:
            nodes.setdefault(body.parent, []).append(k)
    return nodes
