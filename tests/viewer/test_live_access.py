"""Live views and the rest of the world: who can open the page and its WebSocket, and what a client can do there."""

import http.client
import logging
import math
import random
import time
from collections.abc import Iterator
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from freebody.errors import ArgumentError, BackendError
from freebody.results.live_simulator import PullForce
from freebody.viewer import live_server
from freebody.viewer.live import LiveView
from freebody.viewer.live_access import Access
from tests.viewer.test_live import HOSTILE, Rotor, scene_of

viser = pytest.importorskip("viser")
msgspec = pytest.importorskip("msgspec")


class Slider(Rotor):
    """A simulation that has controls of every kind, and pulls."""

    engaged = MappingProxyType({"latch": True})  # type: ignore[assignment]

    def set_parameter(self, name: str, value: float) -> None:
        self.mass = value

    def pull(self, body: int, point: Any, target: Any, frequency: float) -> None:
        self.pulling = PullForce(np.zeros(3), np.zeros(3))

    def release(self) -> None:
        self.pulling = None


@pytest.fixture
def view() -> Iterator[LiveView]:
    opened = LiveView(Slider(), lambda: scene_of([HOSTILE]), port=0)
    opened.start()
    yield opened
    opened.stop()
    until(lambda: not opened.server._websock_server._server_thread.is_alive())


def until(condition: Any, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.005)


def get(view: LiveView, path: str, **headers: str) -> http.client.HTTPResponse:
    """The answer to a request for a page; ``Host`` is that of the view, unless it is one of the headers."""
    connection = http.client.HTTPConnection("127.0.0.1", view.port, timeout=20)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in {"Host": f"127.0.0.1:{view.port}", **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    answer.text = answer.read().decode("utf-8", "replace")  # type: ignore[attr-defined]
    connection.close()
    return answer


def connect(view: LiveView, path: str | None = None, origin: str | None = "", host: str = "") -> Any:
    """A WebSocket as a page opens it, or with another path, origin and host."""
    import socket

    from websockets.sync.client import connect

    own = f"127.0.0.1:{view.port}"
    path = f"/{view._access.token}" if path is None else path
    sock = socket.create_connection(("127.0.0.1", view.port), timeout=20)
    return connect(
        f"ws://{host or own}{path}",
        sock=sock,
        origin=f"http://{own}" if origin == "" else origin,
        subprotocols=[f"viser-v{viser.__version__}"],
        max_size=None,
    )


CAMERA = {
    "type": "ViewerCameraMessage", "wxyz": (1.0, 0.0, 0.0, 0.0), "position": (1.0, 1.0, 1.0), "fov": 1.0, "near": 0.1,
    "far": 9.0, "image_height": 90, "image_width": 90, "look_at": (0.0, 0.0, 0.0), "up_direction": (0.0, 0.0, 1.0),
}  # fmt: skip
DRAG = {
    "type": "SceneNodeDragMessage", "phase": "start", "name": "/scene/0/item0", "instance_index": None,
    "start_position": (0.0, 0.0, 0.0), "start_screen_pos": (1.0, 1.0), "end_position": (0.0, 0.0, 1.0),
    "end_screen_pos": (1.0, 1.0), "button": "left", "modifier": None, "owner": "",
}  # fmt: skip
CLICK = {
    "type": "SceneNodeClickMessage", "name": "/scene/0/item0", "instance_index": None, "ray_origin": (0.0, 0.0, 0.0),
    "ray_direction": (1.0, 0.0, 0.0), "screen_pos": (1.0, 1.0), "modifier": None, "owner": "",
}  # fmt: skip


def control(view: LiveView, label: str) -> Any:
    handles = view.server.gui._gui_input_handle_from_uuid.values()
    return next(handle for handle in handles if getattr(handle, "label", "") == label)


def update(handle: Any, value: Any, name: str = "value") -> dict[str, Any]:
    return {"type": "GuiUpdateMessage", "uuid": handle._impl.uuid, "updates": {name: value}}


def send(socket: Any, message: Any) -> None:
    socket.send(message if isinstance(message, bytes | str) else msgspec.msgpack.encode(message))


def window(view: LiveView) -> Any:
    """A client that viser counts as connected."""
    before = len(view.server.get_clients())
    socket = connect(view)
    send(socket, CAMERA)
    until(lambda: len(view.server.get_clients()) > before)
    return socket


def is_closed(socket: Any) -> bool:
    from websockets.exceptions import ConnectionClosed

    try:
        while True:
            socket.recv(timeout=20)
    except ConnectionClosed:
        return True


def test_only_a_page_at_the_right_address_under_a_right_name_is_served(view: LiveView) -> None:
    """Every combination of token, host and origin, for the page and for the WebSocket."""
    from websockets.exceptions import InvalidStatus

    token, own = view._access.token, f"127.0.0.1:{view.port}"
    hosts = [own, f"localhost:{view.port}", "evil.example", f"evil.example:{view.port}", "127.0.0.1"]
    hosts += [f"127.0.0.2:{view.port}", f"127.0.0.1:{view.port + 1}", f"{own}.evil.example", ""]
    paths = [f"/{token}", "/", f"/{token[:-1]}", f"/{token}x", f"/x/{token}", f"/?{token}", f"/{token.swapcase()}"]
    origins = [
        f"http://{own}",
        f"https://localhost:{view.port}",
        None,
        "null",
        "https://evil.example",
        f"http://evil.example:{view.port}",
        "http://127.0.0.1",
        f"http://{own}.evil.example",
        f"ftp://{own}",
        f"http://x@{own}",
        "",
    ]
    served = 0
    for path, host, origin in [*product(paths[:1], hosts, origins), *product(paths, hosts[:1], origins[:1])]:
        right = path == paths[0] and host in hosts[:2]
        page = get(view, path, Host=host, **({} if origin is None else {"Origin": origin}))
        shown = right and (origin in origins[:2] or origin is None)
        assert page.status == (200 if shown else 403), (path, host, origin)
        assert page.headers["X-Frame-Options"] == "DENY" and page.headers["Referrer-Policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        assert page.headers["Cache-Control"] == "no-store" and (right or token not in page.text)
        if "" in (host, origin) or host.count(".") == 5:
            continue  # a client does not send these
        try:
            connect(view, path, origin, host).close()
            opened = True
        except InvalidStatus as refused:
            opened = False
            assert refused.response.status_code == 403
        assert opened == (right and origin in origins[:2]), (path, host, origin)
        served += opened
    assert served == 4 + 1


def test_names_that_the_user_lists_are_allowed() -> None:
    listed = ["Lab.example", "localhost:9000", "[fd00::1]:80"]
    for host, address, allowed, refused in (
        ("127.0.0.1", "127.0.0.1", ["127.0.0.1:5", "localhost:5"], ["192.168.0.7:5", "0.0.0.0:5", "[::1]:5"]),
        ("0.0.0.0", "192.168.0.7", ["192.168.0.7:5"], ["127.0.0.1:5", "localhost:5", "0.0.0.0:5"]),
        ("::1", "::1", ["[::1]:5", "localhost:5"], ["127.0.0.1:5"]),
        ("box.local", "192.168.0.7", ["box.local:5", "192.168.0.7:5"], ["lab.local:5"]),
    ):
        known = Access(host, listed).hosts(address, 5)
        assert known >= {*allowed, "lab.example", "lab.example:5", "localhost:9000", "[fd00::1]:80"}
        assert not known & {*refused, "lab.example:6", "fd00::1", "evil.example:5", ""}
    assert "192.168.0.7" in Access("192.168.0.7").hosts("192.168.0.7", 80)  # browsers leave out the usual port
    for wrong in ("*", "http://lab.example", "a b", "a/b", 3, None, ["lab.example", 3], [""]):
        with pytest.raises(ArgumentError, match="allowed_hosts are names under which the page may be opened"):
            Access("127.0.0.1", wrong)  # type: ignore[arg-type]
    view = LiveView(Rotor(), lambda: scene_of([HOSTILE]), port=0, allowed_hosts="lab.example:9000")
    try:
        path = f"/{view._access.token}"
        assert get(view, path, Host="lab.example:9000").status == 200
        assert get(view, path, Host="lab.example").status == 403
        connect(view, origin="https://lab.example:9000", host="lab.example:9000").close()
    finally:
        view.server.stop()


def test_a_server_that_cannot_be_guarded_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A version of viser that starts its server in another way."""
    monkeypatch.setattr(live_server._Guard, "__enter__", lambda self: self)
    monkeypatch.setattr(live_server._Guard, "__exit__", lambda *_: None)
    with pytest.raises(BackendError, match=r"requests could not be checked: pip install 'viser~=1\.1'"):
        LiveView(Rotor(), lambda: scene_of([HOSTILE]), port=0)


def test_a_link_leads_to_the_page_once(view: LiveView) -> None:
    """Arguments of commands, such as the one that starts a browser, can be read by other users of the computer."""
    path = "/" + view.link().rpartition("/")[2]
    assert view._access.token not in path
    assert get(view, path, Host="evil.example").status == 403
    first = get(view, path)
    assert first.status == 303 and first.headers["Location"] == f"/{view._access.token}"
    assert get(view, path).status == 403


def test_the_token_is_neither_logged_nor_shown(view: LiveView, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("", "websockets", "websockets.server", "asyncio"):
        caplog.set_level(logging.DEBUG, name)
    page, socket = get(view, f"/{view._access.token}"), window(view)
    connect(view, origin=f"http://127.0.0.1:{view.port}").close()
    caplog.handler.records[:] = [r for r in caplog.records if r.name != "websockets.client"]
    assert page.status == 200 and view._access.token not in page.text  # type: ignore[attr-defined]
    assert not any(view._access.token in record.getMessage() for record in caplog.handler.records)
    sent = view.server._websock_server._broadcast_buffer.message_from_id.values()
    assert not any(view._access.token in repr(vars(message)) for message in sent)  # with the title
    assert view._access.token != Access("127.0.0.1").token and len(view._access.token) >= 22
    socket.close()


def mistakes(view: LiveView, seed: int, number: int) -> Iterator[Any]:
    """Messages that the page does not send: those of the examples, and damaged ones."""
    controls = [view._frequency, *view._coordinates.values(), *view._switches.values(), view._play_button]
    speed = control(view, "speed")
    numbers = (math.nan, math.inf, -math.inf, -1, 1e200, 2**63, "abc", "nan", None, [], {}, [1.0], b"x")
    for one in (*controls, speed):
        for value in numbers:
            yield update(one, value)
        yield from (update(one, True, name) for name in ("removed", "min", "label", "update_cb", "__class__"))
    yield from (update(speed, value) for value in ("0", "-1", "inf", "1e308", 1.0, True))
    for message in (CAMERA, DRAG, CLICK):
        for field in message:
            if field not in ("type", "owner", "start_screen_pos", "end_screen_pos", "screen_pos", "name", "modifier"):
                for value in ("abc", {}, [1.0, 2.0], [math.nan] * 3, [1e300] * 3, [1.0] * 5):
                    yield {**message, field: value}
            if field != "owner":
                yield {k: v for k, v in message.items() if k != field}
        yield {**message, "more": 1}
    yield from ("text", b"", b"\xc1", b"\x91" * 5000, b"\0" * 20_000, [1, 2], {"type": 3}, {"type": "Message"})
    names = ["ResetGuiMessage", "FileTransferStartUpload", "GetRenderResponseMessage", "RunJavascriptMessage"]
    yield from ({"type": name} for name in names)
    rng, whole = random.Random(seed), [msgspec.msgpack.encode(m) for m in (CAMERA, DRAG, CLICK, update(speed, "2"))]
    for _ in range(number):
        raw = bytearray(rng.choice(whole))
        del raw[rng.randrange(len(raw)) :]
        yield bytes(raw)


def test_a_message_with_a_mistake_ends_its_client_alone(view: LiveView) -> None:
    speed = control(view, "speed")
    known = [update(speed, value) for value in ("abc", math.nan, "inf", "-1")]
    known += [update(view._frequency, 1e200), update(view._frequency, True, "removed")]
    known += [{**DRAG, "end_position": (1.0, 2.0)}, {**DRAG, "end_position": (math.nan, 0.0, 0.0)}]
    attack(view, [*known, *random.Random(0).sample(list(mistakes(view, 0, 20)), 12)])


@pytest.mark.long
def test_all_damaged_messages_end_their_clients_alone(view: LiveView) -> None:
    attack(view, list(mistakes(view, 0, 400)))


def attack(view: LiveView, messages: list[Any]) -> None:
    """Every mistake closes the client that sends it; the simulation goes on, and another window still controls it."""
    other, simulator = window(view), view.simulator
    for message in messages:
        socket = connect(view)
        send(socket, message)
        assert is_closed(socket), message
    assert view.message == "" and view.speed == 1.0 and view.playing
    t = simulator.t
    until(lambda: simulator.t > t)
    send(other, update(view._play_button, True))
    until(lambda: not view.playing)
    assert len(view.server.get_clients()) == 1
    other.close()


@pytest.mark.long
def test_no_message_ends_the_simulation(view: LiveView) -> None:
    """Changed bytes may be another message that is allowed; whatever happens, the next client is served."""
    rng, socket = random.Random(1), window(view)
    whole = [msgspec.msgpack.encode(m) for m in (CAMERA, DRAG, CLICK, update(control(view, "speed"), "2"))]
    for _ in range(3000):
        raw = bytearray(rng.choice(whole))
        for _ in range(rng.randrange(1, 4)):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        try:
            send(socket, bytes(raw))
        except Exception:
            socket = connect(view)
    view.message = ""
    until(lambda: "of" in view._factor())
    socket = window(view)
    send(socket, update(control(view, "Reset"), True))
    view.simulator.t = 1e6
    until(lambda: view.simulator.t < 1e6)
    socket.close()


def test_messages_of_the_page_are_accepted(view: LiveView) -> None:
    socket, simulator = window(view), view.simulator
    speed, mass = control(view, "speed"), control(view, "m [kg]")
    for message in (
        CLICK,
        update(speed, "2"),
        update(mass, 3.0),
        update(view._switches["latch"], False),
        {**DRAG, "start_screen_pos": (math.nan, math.inf)},
        {"type": "ShareUrlRequest"},
    ):
        send(socket, message)
    until(lambda: view.speed == 2.0 and getattr(simulator, "mass", 0) == 3.0 and simulator.pulling is not None)
    assert view._selected == 0 and len(view.server.get_clients()) == 1
    socket.close()


def test_what_a_window_pulls_is_free_when_it_is_gone(view: LiveView) -> None:
    first, second = window(view), window(view)
    send(first, DRAG)
    until(lambda: view._grip is not None)
    holder = view._grip[0]
    send(second, DRAG)
    until(lambda: "another window pulls" in view.message)
    first.socket.close()  # without a goodbye
    until(lambda: view._grip is None and view.simulator.pulling is None)
    send(second, DRAG)
    until(lambda: view._grip is not None and view._grip[0] != holder)
    second.close()
    until(lambda: view._grip is None)
