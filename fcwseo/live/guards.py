"""What a crawl of the live web never does: dial an address that is not public, or walk into a trap.

The address is checked where it is dialled: a name is resolved once, each address that it gives is looked at,
and the connection goes to that very address. So no spelling of a private address and no name server that
changes its mind gets past it.
"""

import asyncio
import re
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import httpcore2
from msgspec import Struct

from fcwseo.urls import host

Lookup = Callable[[str], Awaitable[list[str]]]

_NAT64 = IPv6Network("64:ff9b::/96")
_REMEMBERED = 300.0  # seconds for which an address is not asked for again
_MOST_NAMES = 10_000


class NotDialled(Exception):
    """An address that is not of the public web."""


class UnknownHost(Exception):
    """A name without an address."""


# --- addresses --------------------------------------------------------------------------------------------


def is_public(address: str) -> bool:
    """Whether an address belongs to a machine of the public internet, whatever it is wrapped in.

    >>> [is_public(a) for a in ("93.184.215.14", "10.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1")]
    [True, False, False, False, False]
    """
    ip = ip_address(address.partition("%")[0])
    for inner in _wrapped(ip):
        return is_public(str(inner))
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def _wrapped(ip: IPv4Address | IPv6Address) -> Iterable[IPv4Address]:
    """The IPv4 address inside of an IPv6 one."""
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
    """Names -> the addresses that may be dialled for them, remembered for five minutes."""

    def __init__(self, *, allow_private: bool = False, lookup: Lookup | None = None) -> None:
        self._allow_private = allow_private
        self._lookup = lookup or self._ask_system
        self._known: dict[str, tuple[float, list[str]]] = {}
        self._threads = ThreadPoolExecutor(16, "resolver")  # a dead name server holds up a thread for long

    async def __call__(self, name: str) -> list[str]:
        """The addresses of a name. Raises ``NotDialled`` if none of them is public, ``UnknownHost`` if there
        are none.
        """
        known = self._known.get(name)
        if known is None or known[0] < time.monotonic():
            if len(self._known) >= _MOST_NAMES:
                self._known.clear()
            known = (time.monotonic() + _REMEMBERED, await self._lookup(name))
            self._known[name] = known
        return self._allowed(name, known[1])

    def _allowed(self, name: str, addresses: list[str]) -> list[str]:
        if not addresses:
            raise UnknownHost(f"{name} has no address")
        allowed = [address for address in addresses if self._allow_private or is_public(address)]
        if not allowed:
            raise NotDialled(f"{name} is {addresses[0]}, which is no address of the public web")
        return allowed

    async def _ask_system(self, name: str) -> list[str]:
        def ask() -> list[str]:
            found = socket.getaddrinfo(name.strip("[]"), None, type=socket.SOCK_STREAM)
            return list(dict.fromkeys(str(entry[4][0]) for entry in found))

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        except (OSError, UnicodeError) as error:
            raise UnknownHost(f"{name} has no address ({error})") from error

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Dials what the resolver allows and nothing else; or one given address, whatever the name."""

    def __init__(self, resolver: Resolver, *, connect_to: tuple[str, int] | None = None) -> None:
        self._resolver = resolver
        self._connect_to = connect_to
        self._plain = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
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
        timeout: float | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise NotDialled("a socket file is no address of the web")

    async def sleep(self, seconds: float) -> None:
        await self._plain.sleep(seconds)


# --- traps ------------------------------------------------------------------------------------------------


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """From where on an address looks like a trap. Numbers of pages are those of one crawl; 0 is no limit."""

    url_length: int = 2_000
    path_depth: int = 20
    repeats: int = 4
    parameters: int = 20
    queries_per_path: int = 500
    pages_per_host: int = 0
    pages_per_prefix: int = 5_000
    same_text: float = 0.9


_SAMPLE = 30  # pages below a prefix from which on their sameness says something


def trap_in(url: str, limits: Limits) -> str:
    """What about an address looks like a trap; nothing if it looks like any other.

    >>> trap_in("http://a.example/x/y/x/y/x/y/x/y/", Limits())
    "'x' stands 4 times in the path"
    >>> trap_in("http://a.example/2026/11/17/", Limits())
    ''
    """
    if len(url) > limits.url_length > 0:
        return f"{len(url)} characters long"
    path, _, query = url.partition("?")
    segments = [segment for segment in path.split("/")[3:] if segment]
    if len(segments) > limits.path_depth > 0:
        return f"{len(segments)} segments deep"
    if segments and limits.repeats > 0:
        segment, times = Counter(segments).most_common(1)[0]
        if times >= limits.repeats:
            return f"{segment[:40]!r} stands {times} times in the path"
    parameters = query.count("&") + 1
    return f"{parameters} parameters" if parameters > limits.parameters > 0 else ""


_NUMBER = re.compile(r"\d+")


def prefix_of(url: str) -> str:
    """The part of a site that an address belongs to: host and first two folders, numbers left out.

    >>> prefix_of("http://a.example/cal/2026/11/17.html?day=1"), prefix_of("http://a.example/x.html")
    ('a.example/cal/#/', 'a.example/')
    """
    folders = url.partition("?")[0].split("/")[3:-1]
    return _NUMBER.sub("#", "/".join([host(url), *folders[:2]])) + "/"


class Shares:
    """How many pages each host and each part of a site had, and how many of them said nothing new."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._hosts: Counter[str] = Counter()
        self._prefixes: Counter[str] = Counter()
        self._repeated: Counter[str] = Counter()
        self._queries: Counter[str] = Counter()
        self._texts: set[tuple[str, str]] = set()

    def add(self, url: str, digest: str) -> None:
        """Count a page; ``digest`` tells its text from others."""
        prefix = prefix_of(url)
        self._hosts[host(url)] += 1
        self._prefixes[prefix] += 1
        self._repeated[prefix] += (prefix, digest) in self._texts
        self._texts.add((prefix, digest))
        path, question, _ = url.partition("?")
        if question:
            self._queries[path] += 1

    def used_up(self, url: str) -> str:
        """Which share an address would exceed; nothing if none."""
        limits, prefix = self._limits, prefix_of(url)
        if self._hosts[host(url)] >= limits.pages_per_host > 0:
            return f"{limits.pages_per_host} pages of {host(url)} were visited"
        pages = self._prefixes[prefix]
        if pages >= limits.pages_per_prefix > 0:
            return f"{pages} pages below {prefix} were visited"
        if pages >= _SAMPLE and self._repeated[prefix] > limits.same_text * pages > 0:
            return f"{self._repeated[prefix]} of {pages} pages below {prefix} say the same"
        path, question, _ = url.partition("?")
        if question and self._queries[path] >= limits.queries_per_path > 0:
            return f"{limits.queries_per_path} queries of {path} were visited"
        return ""
