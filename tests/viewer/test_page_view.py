"""Moving pictures without a path: in notebooks the view, elsewhere the browser, and errors where there is none."""

import re
import sys
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Callable
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import freebody as fb
from freebody.errors import ArgumentError, BackendError, FileError
from freebody.viewer import page_view
from freebody.viewer.page_view import PageView, in_notebook
from tests.viewer.test_scene_of_runs import pendulum, scene_in

Show = Callable[..., Any]


def beam() -> fb.System:
    s = fb.System("beam")
    s.body("boom", joint=fb.Revolute("z"), flexible=fb.Beam(length=2.0, density=10.0, EI=(40.0, None)), modes=2)
    return s


VIEWS: dict[str, Callable[[], Show]] = {
    "run": lambda: pendulum().simulate(0.2).animate,
    "model": lambda: pendulum().view,
    "runs": lambda: lambda *path: fb.animate([pendulum(k).simulate(0.2) for k in (0.5, 0.7)], *path),
    "one run": lambda: lambda *path: fb.animate(pendulum().simulate(0.2), *path),
    "modes": lambda: pendulum().linearize(trim=True).modes().animate,
    "modes of a body": lambda: beam().bodies["boom"].modes.animate,
}


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A browser that opens each page and stores what it receives."""
    pages = list[str]()

    def load(url: str) -> bool:
        pages.append(urllib.request.urlopen(url).read().decode())
        return True

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "open", load)
    return pages


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


def frame_page(view: Any) -> str:
    """The page in the frame that a notebook shows."""
    frame = r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts" style="[^"]*"></iframe>'
    match = re.fullmatch(frame, view._repr_html_())
    assert match is not None
    return unescape(match[1])


@pytest.mark.parametrize("kind", VIEWS)
def test_notebooks_show_the_page_that_a_path_writes(
    kind: str, notebook: None, screen: list[str], tmp_path: Path
) -> None:
    assert in_notebook()
    show = VIEWS[kind]()
    view, written = show(), show(tmp_path / "written.html")
    assert isinstance(view, PageView) and isinstance(written, Path) and screen == []
    assert frame_page(view) == written.read_text() == view.save(tmp_path / "saved.html").read_text()
    scene, _ = scene_in(written)
    assert scene["bodies"] and f"3D view of {scene['title']}" in repr(view) and " at 0x" not in repr(view)


@pytest.mark.parametrize("kind", VIEWS)
def test_elsewhere_the_browser_opens(kind: str, screen: list[str], tmp_path: Path) -> None:
    show = VIEWS[kind]()
    view = show()
    assert screen == [show(tmp_path / "written.html").read_text()]
    view.open()
    assert len(screen) == 2 and screen[0] == screen[1]


def test_a_console_of_ipython_is_no_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (
        None,
        SimpleNamespace(),
        SimpleNamespace(get_ipython=lambda: None),
        SimpleNamespace(get_ipython=lambda: SimpleNamespace(ask_exit=None)),
    ):
        monkeypatch.setitem(sys.modules, "IPython", module)
        assert not in_notebook()


def test_the_frame_has_the_size_and_the_time_that_are_asked_for(notebook: None) -> None:
    run = pendulum().simulate(0.2)
    view = run.animate(t=0.1, size=(640, 480))
    assert "width: 640px; height: 480px" in view._repr_html_() and 'data-time="0.1"' in frame_page(view)
    assert "width: 100%" in run.animate()._repr_html_()
    with pytest.raises(ArgumentError, match="the size of a picture"):
        run.animate(size=(1, 2))


def test_the_page_is_sent_once_and_to_those_who_know_its_address(
    screen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known, load = list[str](), webbrowser.open

    def curious(url: str) -> bool:
        known.append(url)
        host = url.split("/")[2]
        assert host.startswith("127.0.0.1:")
        for path in ("", "/", "/view.html", url.partition(host)[2].replace("view", "wiev")):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(f"http://{host}{path}")
        return load(url)

    monkeypatch.setattr(webbrowser, "open", curious)
    run = pendulum().simulate(0.1)
    run.animate()
    run.animate()
    assert len(screen) == 2 and known[0].split("/")[3] != known[1].split("/")[3]
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(known[0])


def test_without_a_screen_an_error_names_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    for show in (pendulum().view, pendulum().simulate(0.1).animate):
        with pytest.raises(BackendError, match=r"no screen .*; pass a path, such as 'view.html'"):
            show()


@pytest.mark.parametrize("starts", [True, False])
def test_a_browser_that_loads_nothing_is_an_error(
    starts: bool, screen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda url: starts)
    monkeypatch.setattr(page_view, "PATIENCE", 0.1)
    with pytest.raises(BackendError, match="no browser has loaded the page; pass a path"):
        pendulum().view()


def test_views_are_saved_as_pages(notebook: None, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"view\.png.*\.html"):
        pendulum().view().save(tmp_path / "view.png")


def test_wrong_arguments_of_views(screen: list[str]) -> None:
    with pytest.raises(ArgumentError, match="give a path or live=True"):
        pendulum().view("a.html", live=True)  # type: ignore[call-overload]
    with pytest.raises(ArgumentError, match="a page has no option speed"):
        pendulum().view(speed=2)  # type: ignore[call-overload]
    assert screen == []
