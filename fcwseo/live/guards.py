"""Restricts connections to public IP addresses, unless private ones are allowed.

The IP address is checked at the connection: a name is resolved once, each of its IP addresses is checked, and
the connection goes to a checked address. This also stops unusual spellings of private addresses, and name
servers that change their response.
"""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

import httpcore2

from fcwseo.pages.numbers import whole_number
from fcwseo.pages.urls import host

Lookup = Callable[[str], Awaitable[list[str]]]

_NAT64 = IPv6Network("64:ff9b::/96")
# Blocks that are not public, also where the tables of this version of Python lack them.
_BLOCKS = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
            "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 "
            "224.0.0.0/4 240.0.0.0/4 "
            "168.63.129.16/32 "  # answers inside of Azure only, with data of the machine
            "::/96 64:ff9b:1::/48 100::/64 2001:2::/48 2001:10::/28 2001:20::/28 2001:db8::/32 3fff::/20 "
            "5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8"
        ).split(),
    )
)
# Ports of other services than the web (fetch standard, "bad port"): a link could send them a request.
_BAD_PORTS = frozenset(
    map(
        int,
        (
            "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 "
            "111 113 115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 "
            "532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 "
            "5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
        ).split(),
    )
)
_REMEMBERED = 300.0  # seconds for which an IP address is cached
_MOST_NAMES = 10_000
_TEMPORARY = (socket.EAI_AGAIN, socket.EAI_SYSTEM, socket.EAI_FAIL)  # failures of the name server


class ForbiddenAddress(Exception):
    """An IP address that is not public."""


class UnknownHost(Exception):
    """A name without an IP address; ``is_temporary`` if the name server failed to answer."""

    def __init__(self, message: str, *, is_temporary: bool = False) -> None:
        super().__init__(message)
        self.is_temporary = is_temporary


def is_public(address: str) -> bool:
    """Whether an IP address is public, including IPv4 addresses inside IPv6 ones.

    >>> [is_public(a) for a in ("93.184.215.14", "10.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1")]
    [True, False, False, False, False]
    """
    ip = ip_address(address.partition("%")[0])
    for inner in _wrapped(ip):
        return is_public(str(inner))
    if any(ip in block for block in _BLOCKS if block.version == ip.version):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def is_loopback(name: str) -> bool:
    """Whether a host, with or without its port, is this machine by its name.

    >>> [is_loopback(name) for name in ("127.0.0.1:8000", "localhost", "[::1]", "a.example", "10.0.0.1")]
    [True, True, True, False, False]
    """
    bare = name.rpartition(":")[0] if name.count(":") == 1 or "]:" in name else name
    try:
        return ip_address(bare.strip("[]")).is_loopback
    except ValueError:
        return bare == "localhost" or bare.endswith(".localhost")


def why_private(url: str) -> str:
    """The reason not to request a canonical URL whose host is a private IP address, or this machine.

    >>> why_private("http://10.0.0.1:8080/"), why_private("http://a.example/")
    ('10.0.0.1 is not a public IP address (--allow-private allows it)', '')
    """
    name = host(url)
    bare = name.rpartition(":")[0] if name.count(":") == 1 or "]:" in name else name
    try:
        is_private = not is_public(bare.strip("[]"))
    except ValueError:
        is_private = is_loopback(bare)
    return f"{bare} is not a public IP address (--allow-private allows it)" if is_private else ""


def why_no_port(url: str) -> str:
    """The reason not to send a request to the port of a canonical URL; empty if there is none.

    >>> why_no_port("http://a.example:25/"), why_no_port("http://a.example:8080/")
    ('port 25 belongs to another service than the web', '')
    """
    port = whole_number(host(url).rpartition(":")[2])
    return f"port {port} belongs to another service than the web" if port in _BAD_PORTS else ""


def _wrapped(ip: IPv4Address | IPv6Address) -> Iterable[IPv4Address]:
    """The IPv4 address inside an IPv6 one."""
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            yield ip.ipv4_mapped
        elif ip.sixtofour is not None:
            yield ip.sixtofour
        elif ip.teredo is not None:
            yield ip.teredo[1]
        elif ip in _NAT64:
            yield IPv4Address(int(ip) & 0xFFFFFFFF)


class Resolver:
    """Resolves names to allowed IP addresses, with a cache of five minutes."""

    def __init__(self, *, public: bool = True, private: bool = False, lookup: Lookup | None = None) -> None:
        self._allowed_kinds = {True: public, False: private}
        self._lookup = lookup or self._ask_system
        self._known: dict[str, tuple[float, list[str]]] = {}
        self._threads = ThreadPoolExecutor(16, "resolver")  # a dead name server blocks a thread for long

    async def __call__(self, name: str) -> list[str]:
        """The IP addresses of a name.

        Raises ``UnknownHost`` if there is no IP address, ``ForbiddenAddress`` if all are forbidden.
        """
        if not self.knows(name):
            await self.ask(name)
        return self._allowed(name, self._known[name][1])

    async def ask(self, name: str) -> None:
        """Ask the name server for the IP addresses of a name, and cache them. Raises ``UnknownHost``."""
        if len(self._known) >= _MOST_NAMES:
            self._known.clear()
        addresses = await self._lookup(name)
        self._known[name] = (time.monotonic() + _REMEMBERED, addresses)

    def knows(self, name: str) -> bool:
        """Whether the IP addresses of a name are cached."""
        return name in self._known and self._known[name][0] >= time.monotonic()

    def _allowed(self, name: str, addresses: list[str]) -> list[str]:
        if not addresses:
            raise UnknownHost(f"{name} has no IP address")
        allowed = [address for address in addresses if self._allowed_kinds[is_public(address)]]
        if allowed:
            return allowed
        if is_public(addresses[0]):
            raise ForbiddenAddress(f"{name} is on the public web, which is not crawled without a contact")
        what = "" if name.strip("[]") == addresses[0] else f" ({addresses[0]})"
        raise ForbiddenAddress(f"{name}{what} is not a public IP address (--allow-private allows it)")

    async def _ask_system(self, name: str) -> list[str]:
        def ask() -> list[str]:
            found = socket.getaddrinfo(name.strip("[]"), None, type=socket.SOCK_STREAM)
            return list(dict.fromkeys(str(entry[4][0]) for entry in found))

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        except (OSError, UnicodeError) as error:
            is_temporary = isinstance(error, socket.gaierror) and error.errno in _TEMPORARY
            message = f"{name} has no IP address ({error})"
            raise UnknownHost(message, is_temporary=is_temporary) from error

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to IP addresses that the resolver allows, or to one fixed address for every name."""

    def __init__(self, resolver: Resolver, *, connect_to: tuple[str, int] | None = None) -> None:
        self._resolver = resolver
        self._connect_to = connect_to
        self._plain = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the interface of httpcore2)
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        name, port = self._connect_to or (host, port)
        addresses = await self._resolver(name)
        for address in addresses[:-1]:
            try:
                return await self._plain.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._plain.connect_tcp(addresses[-1], port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 (the interface of httpcore2)
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise ForbiddenAddress("a socket file is not an address of the web")

    async def sleep(self, seconds: float) -> None:
        await self._plain.sleep(seconds)
