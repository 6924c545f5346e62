"""The server of a live view: viser behind checks of every request and of every message."""

import logging
import socket
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from threading import Lock
from types import SimpleNamespace
from typing import Any

from freebody.errors import ArgumentError, BackendError
from freebody.extras import install_command
from freebody.viewer.live_access import HEADERS, LOCAL, Access
from freebody.viewer.live_messages import LONGEST, Messages

PORTS = range(8080, 8130)
"""The ports of which the first free one is taken if none is given."""

Mistake = Callable[[object], str | None]
"""What is wrong with a message; see ``Messages.mistake``."""

_opening = Lock()
"""Servers are opened one after another, since viser's functions are replaced meanwhile."""


class LiveServer:
    """A server of viser that answers only what ``access`` allows, at a port, or at the first free one of ``PORTS``. A
    client that sends a message with a mistake is disconnected; until the scene and the controls are there, all are."""

    def __init__(self, access: Access, port: int | None) -> None:
        try:
            import viser
        except ImportError as error:
            raise BackendError(f"the live view needs viser: {install_command('live')}") from error
        if port is not None and (isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < 65536):
            raise ArgumentError(f"port is an integer from 0 to 65535 (0: any that is free), or left out, not {port!r}")
        host, self._messages = access.host, None
        chosen = free_port(host, PORTS if port is None else [port])
        with _opening, redirect_stdout(StringIO()), _Guard(access, self._mistake) as guard:  # its banner
            server: Any = viser.ViserServer(host=host, port=chosen, verbose=False)
        self.viser = server
        self.port = int(self.viser.get_port())
        if not guard.stands:
            self.stop()
            raise BackendError(
                f"viser {viser.__version__} starts its server in another way than versions 1.1, so that requests could"
                " not be checked: pip install 'viser~=1.1'"
            )
        if chosen and self.port != chosen:
            self.stop()
            raise BackendError(f"port {chosen} of {host} was taken at this moment; try again, or give another port")

        def refuse() -> None:
            """Pages of viser can ask for a tunnel that makes them public."""

        self.viser.request_share_url = refuse

    _messages: Messages | None

    def accept_messages(self, size: float) -> None:
        """Accept messages about the controls that are there, and about a scene of this size."""
        self._messages = Messages(lambda: self.viser.gui._gui_input_handle_from_uuid, size)

    def _mistake(self, raw: object) -> str | None:
        return "the page is not ready" if self._messages is None else self._messages.mistake(raw)

    def stop(self) -> None:
        with redirect_stdout(StringIO()):  # its farewell
            self.viser.stop()


class _Guard:
    """``with _Guard(access, mistake) as guard:`` a server of viser that is opened meanwhile checks requests and
    messages. viser has no parameter for it: it calls ``websockets.asyncio.server.serve``, which has, by a name in one
    of its modules. Afterwards ``guard.stands`` is whether that was called."""

    def __init__(self, access: Access, mistake: Mistake) -> None:
        self.access, self.mistake, self.stands = access, mistake, False

    def __enter__(self) -> "_Guard":
        import websockets
        from websockets.asyncio import server

        module: Any = import_module("viser.infra._infra")
        guarded = SimpleNamespace(**{**vars(server), "serve": self._serve})
        self._module, self._original = module, module.websockets
        module.websockets = SimpleNamespace(**{**vars(websockets), "asyncio": SimpleNamespace(server=guarded)})
        return self

    def __exit__(self, *_: object) -> None:
        self._module.websockets = self._original

    def _serve(self, handler: Any, host: Any, port: Any, *, process_request: Any, **options: Any) -> Any:
        from websockets.asyncio.server import serve

        self.stands = True

        def process(connection: Any, request: Any) -> Any:
            answer = self.access.answer(connection, request)
            if isinstance(answer, type(request)):
                answer = process_request(connection, answer)
                if answer is not None:  # the page
                    answer.headers.update(HEADERS)
            return answer

        changed = {"max_size": LONGEST, "logger": quiet_logger(), "create_connection": checked_connection(self.mistake)}
        return serve(handler, host, port, process_request=process, **{**options, **changed})


def checked_connection(mistake: Mistake) -> type[Any]:
    """Connections that are closed at the first message with a mistake."""
    from websockets.asyncio.server import ServerConnection

    class CheckedConnection(ServerConnection):
        async def recv(self, decode: bool | None = None) -> Any:
            while True:
                message = await super().recv(decode)
                wrong = mistake(message)
                if wrong == "":
                    return message
                if wrong:
                    await self.close(1008, wrong)  # the next call raises that it is closed

    return CheckedConnection


def quiet_logger() -> logging.Logger:
    """A logger without output: others write the addresses of requests, with the token."""
    logger = logging.Logger("freebody.live", logging.CRITICAL + 1)
    logger.addHandler(logging.NullHandler())
    return logger


def free_port(host: str, ports: Sequence[int]) -> int:
    """The first port that can be bound; 0 stands for any."""
    reason = ""
    for port in ports:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except socket.gaierror as error:
                raise ArgumentError(
                    f"host {host!r}: {error.strerror}. Give an address of this computer, such as {LOCAL!r}"
                ) from error
            except OSError as error:
                reason = error.strerror or str(error)
            else:
                return port
    which = f"port {ports[0]}" if len(ports) == 1 else f"any port from {ports[0]} to {ports[-1]}"
    raise BackendError(
        f"the live view cannot use {which} of {host}: {reason}. Give another port (port=0 takes any that is free), or"
        " end the program that uses it"
    )
