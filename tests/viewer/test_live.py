"""The live view: its loop and its page with a simulation that needs no equations, and its server."""

import re
import socket
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from freebody.errors import ArgumentError, BackendError
from freebody.extras import install_command
from freebody.results.live_simulator import Adjustable, Array, LiveSimulator, PullForce
from freebody.viewer import live as live_module
from freebody.viewer.geometry import unit_box as box
from freebody.viewer.live import FRAME, SHARE, LiveView, upright_axes
from freebody.viewer.live_scene import _link_points
from freebody.viewer.live_server import free_port
from freebody.viewer.scene import FlexibleItem, Item, Polyline, Scene, SceneBody, SceneLink, Series

pytest.importorskip("viser")
HOSTILE = "</script><img src=x onerror=alert(1)>"


class Rotor(LiveSimulator):
    """A body that moves along x. ``clock`` gains ``cost`` seconds for each simulated second."""

    inputs, parameters = (), (Adjustable("m", "kg", 0.1, 3.0, 1.0, HOSTILE),)
    coordinates = (Adjustable("locked by its limits", "rad", 0.0, 0.0, 0.0),)

    def __init__(self, cost: float = 0.0) -> None:
        self.title, self.bodies, self.t, self.cost, self.clock = HOSTILE, [HOSTILE], 0.0, cost, 0.0
        self.durations, self.pulls, self.fails = list[float](), list[Any](), ""

    engaged: Mapping[str, bool] = {}  # type: ignore[assignment]
    pulling: PullForce | None = None  # type: ignore[assignment]

    def advance(self, duration: float) -> str:
        self.durations.append(duration)
        self.t, self.clock = self.t + duration, self.clock + self.cost * duration
        return self.fails

    def reset(self) -> None:
        self.t = 0.0

    def poses(self) -> tuple[Array, Array]:
        return np.array([[self.t, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.0, 0.0]])

    def energies(self) -> tuple[float, float]:
        return 1.0, 2.0

    def value(self, key: str) -> float:
        return {"q.bend": 0.5, "engaged.latch": 0.0}.get(key, np.nan)

    def set_input(self, name: str, value: float) -> None: ...

    def set_parameter(self, name: str, value: float) -> None:
        raise ArgumentError(f"{name} = {value:g} is refused")

    def set_coordinate(self, name: str, value: float) -> None:
        raise ArgumentError(f"{name} = {value:g} is refused")

    def coordinate(self, name: str) -> float:
        return 0.25 if name == "elbow" else 0.0

    def engage(self, constraint: str, engaged: bool) -> None: ...

    def pull(self, body: int, point: Array, target: Array, frequency: float) -> None:
        self.pulls.append((body, point, target, frequency))

    def release(self) -> None:
        self.pulls.append(None)


PLACE = np.hstack([np.eye(3), np.zeros((3, 1))])


def scene_of(names: Sequence[str], **more: Any) -> Scene:
    bodies = [SceneBody(n, -1, "revolute", 1.0, (0, 0, 0), (0, 0, 0), (0.2, 0.4, 0.8)) for n in names]
    items = [Item(box(), k, PLACE * np.array([0.2, 0.2, 0.2, 1.0])) for k in range(len(names))]
    return Scene(names[0], "", 1.0, bodies, [*items, *more.pop("items", ())], notes=[HOSTILE], **more)


@pytest.fixture
def views() -> Iterator[list[LiveView]]:
    opened = list[LiveView]()
    yield opened
    for view in opened:
        view.stop()
        view.server.stop()


def open_view(views: list[LiveView], simulator: LiveSimulator, scene: Scene, **options: Any) -> LiveView:
    views.append(LiveView(simulator, lambda: scene, port=0, **options))
    return views[-1]


@pytest.mark.parametrize(("cost", "speed"), [(4.0, 1.0), (0.1, 1.0), (0.1, 5.0), (0.5, 5.0)])
def test_a_slow_simulation_slows_down_and_a_fast_one_keeps_up(
    views: list[LiveView], monkeypatch: pytest.MonkeyPatch, cost: float, speed: float
) -> None:
    """With a clock of its own: each part takes at most the time between two pictures once the cost is known, and the
    factor is what is asked for, or what is possible."""
    rotor = Rotor(cost)
    view = open_view(views, rotor, scene_of([HOSTILE]), speed=speed)
    monkeypatch.setattr(live_module.time, "perf_counter", lambda: rotor.clock)
    elapsed = FRAME
    for _ in range(200):
        began = rotor.clock
        view._play(elapsed)
        elapsed = max(FRAME, rotor.clock - began)
        rotor.clock = began + elapsed
    possible = min(speed, SHARE / cost)
    assert np.isclose(view.real_time_factor, possible, rtol=0.05)
    assert max(rotor.durations[1:]) * cost <= 1.01 * FRAME
    assert ("too slow" in view._factor()) == (possible < speed)


def test_a_failure_pauses_and_is_shown_until_a_reset(views: list[LiveView]) -> None:
    rotor = Rotor()
    view = open_view(views, rotor, scene_of([HOSTILE]))
    rotor.fails = f"{HOSTILE} is singular"
    view._play(FRAME)
    view._show()
    assert not view.playing and "is singular" in view._text.content and "role='alert'" in view._text.content
    assert "<img" not in view._text.content and "&lt;img" in view._text.content
    rotor.fails = ""
    view.reset()
    assert view.message == "" and rotor.t == 0
    view.step()
    assert rotor.t > 0 and not view.playing


def test_one_window_pulls_at_a_time_and_one_that_leaves_lets_go(views: list[LiveView]) -> None:
    class Event:
        def __init__(self, client: int, phase: str) -> None:
            self.client_id, self.phase = client, phase
            self.start_position, self.end_position = (0.1, 0.0, 0.0), (1.0, 2.0, 3.0)

    rotor = Rotor()
    view = open_view(views, rotor, scene_of([HOSTILE]))
    for client, phase in ((1, "start"), (2, "start"), (2, "update"), (1, "update"), (2, "end"), (1, "end")):
        view._on_drag(Event(client, phase), 0)
        view._run_commands()
        if (client, phase) == (2, "start"):
            assert "another window" in view.message
    assert [pull is None for pull in rotor.pulls] == [False, False, True]
    body, point, target, _ = rotor.pulls[0]
    assert body == 0 and np.allclose(point, (0.1, 0, 0)) and np.allclose(target, (1, 2, 3))


def test_links_flexible_bodies_and_released_constraints_follow_the_simulation(views: list[LiveView]) -> None:
    shapes = np.zeros((3, 3, 1))
    shapes[2, 2] = 1.0
    flexible = FlexibleItem(0, np.eye(3), shapes, np.array([[0, 1], [1, 2]]), np.array([[0, 1, 2]]), [0])
    links = [
        SceneLink("spring", (0, -1), ((0, 0, 0), (0, 0, 1)), 0.1),
        SceneLink("rod", (-1, 0), ((1, 0, 0), (1, 0, 0)), 0.1),
    ]
    latch = Item(box(), -1, PLACE, engaged="engaged.latch")
    line = Polyline(np.eye(3), 0, layer="bodies", dashed=True)
    scene = scene_of(
        [HOSTILE], items=[latch], lines=[line], links=links, flexible=[flexible], series=[Series("q.bend", "bend", "q")]
    )
    rotor = Rotor()
    view = open_view(views, rotor, scene)
    rotor.t = 2.0
    view._show()
    mesh, lines = (handle for handle, *_ in view.scene._flexible[0])
    assert np.allclose(mesh.vertices[2], (0, 0, 1.5)) and np.allclose(lines.points[1, 1], (0, 0, 1.5))
    spring, rod = (handle.points for handle in view.scene._links)
    assert np.allclose(spring[0, 0], (2, 0, 0)) and np.allclose(spring[-1, 1], (0, 0, 1)) and len(spring) > 8
    assert np.allclose(rod, [[(1, 0, 0), (3, 0, 0)]])
    assert np.allclose(view.scene.frames[0].position, (2, 0, 0))
    assert [node.handle.visible for node in view.scene.nodes if node.engaged] == [False]
    width = np.linalg.norm(_link_points(links[0], np.zeros(3), np.array([0, 0, 2.0]))[:, 0, :2], axis=1).max()
    assert np.isclose(width, 0.1)


def test_the_picture_follows_what_moves_away_and_a_pull_with_it(views: list[LiveView]) -> None:
    rotor = Rotor()
    view = open_view(views, rotor, scene_of([HOSTILE]))
    view._set_follows(True)
    view._hold(1, 0, np.zeros(3), np.array([0.0, 0.0, 1.0]))
    rotor.t = 7.5
    view._show()
    ground, body = view.scene._ground, view.scene.frames[0]
    assert np.allclose(ground.position, (-7.5, 0, 0)) and np.allclose(body.position, 0)
    assert np.allclose(rotor.pulls[-1][2], (7.5, 0, 1))
    view._set_follows(False)
    view._show()
    assert np.allclose(ground.position, 0) and np.allclose(body.position, (7.5, 0, 0))


def test_small_motions_far_away_are_followed(views: list[LiveView]) -> None:
    rotor = Rotor()
    view = open_view(views, rotor, scene_of([HOSTILE]))
    view._set_follows(True)
    for rotor.t in (1e3, 1e3 + 0.005):
        view._show()
    assert np.allclose(view.scene.frames[0].position, 0, atol=1e-9)


def test_gravity_is_downwards_in_the_picture() -> None:
    x, y, z = np.eye(3)
    for gravity, up in ((-9.81 * z, z), (-9.81 * y, y), (9.81 * z, -z), (3 * x + y, -x), (0 * z, z)):
        axes = upright_axes(gravity.tolist())
        assert np.array_equal(axes[:, 2], up) and np.isclose(np.linalg.det(axes), 1)


def test_a_coordinate_that_is_refused_goes_back_to_that_of_the_simulation(
    views: list[LiveView], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not to the value that the slider had before, from which the system has moved away."""
    monkeypatch.setattr(Rotor, "coordinates", (Adjustable("elbow", "rad", -1.0, 1.0, 0.7),))
    actions = list[Any]()
    monkeypatch.setattr(LiveView, "_on", lambda self, register, action: actions.append((register, action)))
    view = open_view(views, Rotor(), scene_of([HOSTILE]), playing=False)
    slider = view._coordinates["elbow"]
    slider.value = 0.9
    (set_value,) = (action for register, action in actions if getattr(register, "__self__", None) is slider)
    with pytest.raises(ArgumentError, match=r"elbow = 0\.9 is refused"):
        set_value(0.9)
    assert slider.value == 0.25


def test_a_changed_parameter_draws_again(views: list[LiveView]) -> None:
    """Sizes of shapes may depend on it; the layers that are shown stay."""
    rotor, sizes = Rotor(), [1.0, 2.0]
    view = LiveView(rotor, lambda: scene_of([HOSTILE], items=[Item(box(), 0, sizes.pop(0) * PLACE)]), port=0)
    views.append(view)
    view._show_layer("joints", False)
    with pytest.raises(ArgumentError, match="refused"):
        view._set_parameter("m", 2.0)
    assert not view._changed
    before = view.scene
    view._redraw()
    assert all(node.handle._impl.removed for node in before.nodes)
    handle = view.scene.nodes[-1].handle
    assert np.abs(handle.vertices).max() == 2 * np.abs(box().vertices).max() and "joints" not in view.scene.layers


def test_the_server_is_local_and_cannot_be_made_public(views: list[LiveView]) -> None:
    view = open_view(views, Rotor(), scene_of([HOSTILE]))
    assert view.url.startswith(f"http://127.0.0.1:{view.port}/") and "this computer only" in view.announcement()
    assert "<iframe" not in view._repr_html_() and view.url in view._repr_html_()
    with socket.socket() as elsewhere:  # the same port of another address of this computer is free
        elsewhere.bind(("127.0.0.2", view.port))
    assert view.server.request_share_url() is None
    with pytest.raises(BackendError, match=rf"cannot use port {view.port} of 127\.0\.0\.1: .*Give another port"):
        LiveView(Rotor(), lambda: scene_of([HOSTILE]), port=view.port)
    with pytest.raises(BackendError, match="cannot use port 80 of"):
        LiveView(Rotor(), lambda: scene_of([HOSTILE]), host="203.0.113.9", port=80)
    with pytest.raises(ArgumentError, match="port is an integer"):
        LiveView(Rotor(), lambda: scene_of([HOSTILE]), port=99999)
    with pytest.raises(ArgumentError, match="host is the address"):
        LiveView(Rotor(), lambda: scene_of([HOSTILE]), host=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="speed must be a positive number"):
        LiveView(Rotor(), lambda: scene_of([HOSTILE]), speed=0)
    with pytest.raises(ArgumentError, match="has the body 'x'"):
        LiveView(Rotor(), lambda: scene_of(["x"]))
    free = free_port("127.0.0.1", [view.port, view.port + 1, view.port + 2])
    assert free != view.port
    for host in ("", "0.0.0.0"):
        wide = open_view(views, Rotor(), scene_of([HOSTILE]), host=host)
        assert "anyone on the network" in wide.announcement() and "under its address" in wide.announcement()
        assert wide.url.startswith(f"http://127.0.0.1:{wide.port}/")


def test_without_viser_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(BackendError, match=re.escape(install_command("live"))):
        LiveView(Rotor(), lambda: scene_of([HOSTILE]))
