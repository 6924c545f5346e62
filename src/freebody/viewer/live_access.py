"""Who may open the page of a live view: every request needs a random token, and names of hosts that are expected.

Programs and pages that do not know the address cannot read or control the simulation. Three things are checked, for the
page and for its WebSocket:

- The path begins with the token, 128 random bits. The page finds its WebSocket at its own path.
- ``Host`` is the address at which the request arrived, or a name that the user listed. A page of another site whose
  name is made to resolve to this computer (DNS rebinding) has its own name there.
- ``Origin``, which browsers send with every WebSocket, is one of the same. A page of another site has its own there.

Pages are never shown in frames of others, and neither stored nor named in requests to others (``HEADERS``).
"""

import re
import secrets
from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from freebody.errors import ArgumentError

if TYPE_CHECKING:
    from websockets.http11 import Request, Response

HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every answer."""

LOCAL, EVERY = "127.0.0.1", {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""The default address, and those that stand for all addresses of this computer, with the one to open there."""

NAME = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?", re.IGNORECASE)
"""A name or an address, IPv6 in brackets, with or without a port."""


class Access:
    """The checks for a page that is bound to ``host``. ``allowed_hosts`` are further names under which it may be
    opened: "lab.example" with the port of the page or none, "lab.example:9000" with this one."""

    def __init__(self, host: str, allowed_hosts: Sequence[str] | str = ()) -> None:
        if not isinstance(host, str):
            raise ArgumentError(f"host is the address to bind to, such as {LOCAL!r}, not {host!r}")
        names = [allowed_hosts] if isinstance(allowed_hosts, str) else allowed_hosts
        wrong = [n for n in names if not isinstance(n, str) or not NAME.fullmatch(n)] if _is_list(names) else [names]
        if wrong:
            raise ArgumentError(
                f"allowed_hosts are names under which the page may be opened, such as ['lab.example'] or"
                f" ['localhost:9000'], not {wrong[0]!r}"
            )
        self.host = host.strip("[]") or "0.0.0.0"
        self.allowed, self.token = [name.lower() for name in names], secrets.token_urlsafe(16)
        self._links = set[str]()

    @property
    def is_local(self) -> bool:
        """Whether only programs of this computer can connect."""
        return self.host == "localhost" or _is_loopback(self.host)

    @property
    def shown_host(self) -> str:
        """The address to open on this computer."""
        return EVERY.get(self.host, self.host)

    def url(self, port: int) -> str:
        """The address of the page, with its token."""
        return f"http://{_bracketed(self.shown_host)}:{port}/{self.token}"

    def link(self, port: int) -> str:
        """An address that leads to the page once. Other users of this computer can see those that are passed to a
        browser when it is started."""
        key = secrets.token_urlsafe(16)
        self._links.add(key)
        return f"http://{_bracketed(self.shown_host)}:{port}/{key}"

    def hosts(self, address: str, port: int) -> set[str]:
        """What ``Host`` may be for a request that arrived at this address and port."""
        names = {_bracketed(address), *([] if self.host in EVERY else [_bracketed(self.host.lower())])}
        names |= {"localhost"} if _is_loopback(address) else set()
        named = {name for name in self.allowed if ":" not in name.rpartition("]")[2]}
        both = {f"{name}:{port}" for name in names | named}
        return both | set(self.allowed) | (names if port == 80 else set())

    def answer(self, connection: Any, request: "Request") -> "Response | Request":
        """An answer that refuses or redirects a request, or the request without its token."""
        reason = self.refusal(connection, request)
        if reason:
            return respond(HTTPStatus.FORBIDDEN, f"{reason}\n")
        path, mark, query = request.path.partition("?")
        key, _, rest = path.lstrip("/").partition("/")
        if key in self._links:
            self._links.discard(key)
            return respond(HTTPStatus.SEE_OTHER, "", Location=f"/{self.token}")
        if not secrets.compare_digest(key.encode(), self.token.encode()):
            return respond(HTTPStatus.FORBIDDEN, "Open the address that freebody printed; it ends with a token.\n")
        return replace(request, path=f"/{rest}{mark}{query}")

    def refusal(self, connection: Any, request: "Request") -> str:
        """Why a request is refused because of its ``Host`` or ``Origin``; "" if it is not."""
        allowed = self.hosts(*connection.local_address[:2])
        for name in ("Host", "Origin"):
            values = request.headers.get_all(name)
            if not values and name == "Origin" and "Upgrade" not in request.headers:
                continue  # browsers send none with the request of a page
            if len(values) != 1 or _host_of(name, values[0]) not in allowed:
                return (
                    f"{name} is not the address of this page. Open it at the address that freebody printed, or list the"
                    " name under which you open it: allowed_hosts=['NAME'], --allow-host NAME."
                )
        return ""


def respond(status: HTTPStatus, text: str, **headers: str) -> "Response":
    """An answer of plain text."""
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    body = text.encode()
    plain = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body)), "Connection": "close"}
    return Response(status, status.phrase, Headers({**HEADERS, **plain, **headers}), body)


def _host_of(name: str, value: str) -> str:
    """The host and port in a header; of an origin such as "http://lab.example:8080" without the scheme."""
    if name == "Host":
        return value.strip().lower()
    try:
        parts = urlsplit(value.strip().lower())
    except ValueError:
        return ""
    return parts.netloc if parts.scheme in ("http", "https") and not parts.path else ""


def _is_list(names: object) -> bool:
    return isinstance(names, list | tuple | set | frozenset)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
