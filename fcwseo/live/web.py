"""The live web as a ``Web``: polite, safe, and with limits on every resource."""

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Self

import msgspec

from fcwseo.errors import FcwseoError, NoFiles
from fcwseo.live.client import (
    Client,
    EarlierPages,
    NoEarlierPages,
    OutOfFiles,
    Response,
    conditions_of,
)
from fcwseo.live.guards import ForbiddenAddress, Resolver, UnknownHost
from fcwseo.live.outages import Outages, Probe
from fcwseo.live.parsers import Job, Parser
from fcwseo.live.politeness import HostTooSlow, HostTurns, Politeness, Turn
from fcwseo.live.robots import Robots, Rules, origin
from fcwseo.live.scope import Scope
from fcwseo.live.slots import Slots
from fcwseo.live.traps import Limits, Shares, trap_in
from fcwseo.live.unexpected import ErrorLog
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.pages.numbers import whole_number
from fcwseo.pages.responses import is_readable, obeying
from fcwseo.pages.urls import canonical, host
from fcwseo.webs.warc.exchange import Exchange, NullRecorder, Recorder

_MOST_REDIRECTS = 10
_TRIES = 3
_BUSY = (429, 503)
_NOT_REQUESTED = (Why.REFUSED, Why.EXCLUDED, Why.ROBOTS, Why.DUPLICATE, Why.DEFERRED)
_PROBE = 10.0  # seconds for the answer to a probe
_MOST_WAITS = 120  # for files to be closed
_LONGEST_WAIT = 10**9  # seconds in a Retry-After


@dataclass(slots=True)
class _Fetch:
    """A link in flight: its remaining seconds, its exchanges and the URLs that it passed."""

    link_url: str
    left: float
    exchanges: list[Exchange] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    began: float = 0.0  # of the last request; whether it was answered, or its name server failed for now
    is_answered: bool = False
    is_temporary: bool = False


class LiveWeb:
    """Real servers, requested one page at a time. As an asynchronous context, it closes its connections at
    the end.

    Every hop of a redirect passes the same gates: scope, traps, robots, the host's turn, a public IP address.
    """

    def __init__(
        self,
        client: Client,
        resolver: Resolver,
        *,
        slots: Slots,
        politeness: Politeness,
        robots: Robots,
        workers: Parser,
        recorder: Recorder | None = None,
        scope: Scope | None = None,
        limits: Limits | None = None,
        earlier: EarlierPages | None = None,
        errors: ErrorLog | None = None,
        obey_meta: bool = True,
        sitemaps: bool = False,
        one_address: bool = False,
        deadline: float = 60.0,
        backoff: float = 1.0,
        outages: Callable[[Probe], Outages] = Outages,
    ) -> None:
        self._client, self._resolver = client, resolver
        self._slots, self._politeness, self._robots = slots, politeness, robots
        self._workers = workers
        self._recorder = recorder or NullRecorder()
        self._scope = scope or Scope()
        self._limits = limits or Limits()
        self._shares = Shares(self._limits)
        self._earlier = earlier or NoEarlierPages()
        self._errors = errors or ErrorLog()
        self._obey_meta, self._sitemaps, self._one_address = obey_meta, sitemaps, one_address
        self._claimed: dict[str, str] = {}  # requested URLs, and the page that each led to
        self._deadline, self._backoff = deadline, backoff
        self._outages = outages(self._answers)
        self._names = outages(self._resolves)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self._client)
        await self._stack.enter_async_context(self._workers)
        self._stack.callback(self._resolver.close)
        self._outages.start()
        self._stack.push_async_callback(self._outages.close)
        self._stack.push_async_callback(self._names.close)
        self._stack.callback(self._robots.close)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    @property
    def bytes(self) -> int:
        """Number of bytes received."""
        return self._client.bytes

    @property
    def turns(self) -> HostTurns:
        """When hosts accept requests."""
        return HostTurns(self._politeness)

    def waiting(self) -> dict[str, float]:
        """The hosts that links wait for, and the remaining seconds."""
        return self._politeness.waiting()

    def state(self) -> dict[str, object]:
        """Counts of active requests, hosts waited for, and bytes received."""
        return {
            "on_network": len(self._slots),
            "hosts_waited_for": self.waiting(),
            "bytes": self.bytes,
            "outage": round(max(self._outages.seconds, self._names.seconds), 1),
        }

    def why_waiting(self) -> str:
        """A line that describes what the crawl waits for."""
        if outage := self._outages.why or self._names.why:
            return outage
        hosts = self.waiting()
        if not hosts:
            return f"{len(self._slots)} requests active"
        slowest = max(hosts, key=lambda name: (self._politeness.pause(name), name))
        return (
            f"{len(self._slots)} requests active, waiting for {len(hosts)} hosts, the slowest is "
            f"{slowest} ({self._politeness.pause(slowest):.1f} s between requests)"
        )

    def remember(self, visit: Visit) -> None:
        """Add a visit of the log: its page is not fetched again, and counts towards the limits."""
        if isinstance(visit.outcome, Page):
            self._claim((visit.link.target, visit.outcome.url), visit.outcome.url)
        if isinstance(visit.outcome, Page) or visit.outcome.why not in _NOT_REQUESTED:
            self._shares.begin(visit.link.target)
        self.learn(visit)

    def learn(self, visit: Visit) -> None:
        """Count the page of a visit towards the limits of its site, which depend on its relevance."""
        if isinstance(visit.outcome, Page):
            self._shares.add(visit.outcome, link_url=visit.link.target, relevant=visit.relevance > 0)

    def as_followed(self, page: Page) -> Page:
        """A page with the links that this crawl follows: without nofollow links, with the sitemaps of its
        host.
        """
        if self._obey_meta:
            page = obeying(page)
        if not self._sitemaps:
            return page
        maps = (Link(there, page.url, tag_path="sitemap") for there in self._robots.sitemaps(page.url))
        return msgspec.structs.replace(page, links=(*page.links, *maps))

    async def fetch(self, url: str) -> Page | Failure:
        """The page at a URL, or a failure.

        Only errors that concern the whole crawl are raised: a full disk, no parser process. Any other error
        is a failure of this link.
        """
        fetch = _Fetch(url, self._deadline)
        try:
            outcome = await self._outcome(fetch)
        except BaseException as error:
            self._unclaim(fetch.claims)
            if isinstance(error, FcwseoError) or not isinstance(error, Exception):
                raise
            outcome = self._errors.failure(url, error)
        for number, exchange in enumerate(fetch.exchanges, start=1):
            final = number == len(fetch.exchanges)
            self._recorder.record(msgspec.structs.replace(exchange, final=True) if final else exchange)
        return outcome

    async def _outcome(self, fetch: _Fetch) -> Page | Failure:
        """The outcome of a fetch, with the URLs that lead to it claimed."""
        outcome = await self._follow(fetch)
        if isinstance(outcome, Page):
            page = self.as_followed(outcome)
            self._claim(fetch.claims, outcome.url)
            return page
        if outcome.why is Why.DUPLICATE:
            self._claim(fetch.claims, outcome.detail)
        else:
            self._unclaim(fetch.claims)
        return outcome

    async def _follow(self, fetch: _Fetch) -> Page | Failure:
        """Follow the redirects to the page."""
        url = here = fetch.link_url
        for _ in range(_MOST_REDIRECTS + 1):
            if why := self._gate(here):
                return Failure(url, *why)
            if here in fetch.claims:
                return Failure(url, Why.REDIRECTS, here)
            if here in self._claimed:
                return Failure(url, Why.DUPLICATE, self._claimed[here])
            self._claimed[here] = here
            fetch.claims.append(here)
            self._shares.begin(here)
            answer = await self._allowed(here, fetch)
            if isinstance(answer, Failure):
                return Failure(url, answer.why, _seen_from(url, here, answer.detail))
            fetch.exchanges.append(answer.exchange)
            if not answer.location:
                outcome = await self._read(here, answer)
                return Failure(url, outcome.why, outcome.detail) if isinstance(outcome, Failure) else outcome
            there = canonical(answer.location, here)
            if there is None:
                return Failure(url, Why.REFUSED, f"redirected to {answer.location[:200]}")
            here = there
        return Failure(url, Why.REDIRECTS, f"at {here}")

    def _gate(self, url: str) -> tuple[Why, str] | None:
        """The reason not to request a URL at all."""
        if why := self._scope.why_not(url):
            return Why.EXCLUDED, why
        if why := trap_in(url, self._limits) or self._shares.used_up(url):
            return Why.REFUSED, why
        return None

    async def _allowed(self, here: str, fetch: _Fetch) -> Response | Failure:
        """The response to a hop that robots.txt allows."""
        rules = await self._rules(here, fetch.link_url)
        if rules.why is not None:
            return rules.why
        if not rules.allows(here):
            return Failure(here, Why.ROBOTS, "forbidden by robots.txt")
        self._politeness.wants(host(here), rules.delay)
        return await self._persist(here, fetch, lambda kind: is_readable(here, kind))

    async def _rules(self, here: str, link_url: str) -> Rules:
        async def get(url: str) -> Response | Failure:
            answer = await self._persist(url, _Fetch(link_url, self._deadline), lambda kind: True)
            if isinstance(answer, Response):
                self._recorder.record(msgspec.structs.replace(answer.exchange, link_url=""))
            return answer

        return await self._robots.rules(here, get)

    async def _persist(self, here: str, fetch: _Fetch, reads: Callable[[str], bool]) -> Response | Failure:
        """Send a request, and repeat it after a failure of the server or the connection; after one of our own
        network, begin anew.
        """
        while True:
            answer = await self._try(here, fetch, reads)
            if isinstance(answer, Response):
                self._outages.is_good(origin(here))
            if not isinstance(answer, Failure) or not await self._is_ours(here, fetch, answer):
                return answer
            fetch.left = self._deadline

    async def _is_ours(self, here: str, fetch: _Fetch, failure: Failure) -> bool:
        """Whether a request failed because of our own network, which works again when this returns."""
        if failure.why not in (Why.UNREACHABLE, Why.TIMEOUT):
            return False
        self._slots.release(fetch.link_url)
        if fetch.is_answered or (_has_no_address(failure) and not fetch.is_temporary):
            return self._outages.was_stopped_since(fetch.began)
        if fetch.is_temporary:
            return await self._names.is_ours(_name(host(here)), fetch.began)
        return await self._outages.is_ours(origin(here), fetch.began)

    async def _answers(self, there: str) -> bool:
        """Whether a host answers a request, in its turn."""
        begun = asyncio.Event()
        try:
            async with self._politeness.turn(host(f"{there}/"), priority=float("inf")):
                await self._client.get(f"{there}/robots.txt", deadline=_PROBE, answered=begun.set)
        except (HostTooSlow, OutOfFiles):
            return False
        return begun.is_set()

    async def _resolves(self, name: str) -> bool:
        """Whether the name server answers."""
        try:
            await self._resolver.ask(name)
        except UnknownHost as error:
            return not error.is_temporary
        return True

    async def _try(self, here: str, fetch: _Fetch, reads: Callable[[str], bool]) -> Response | Failure:
        """Send a request up to three times."""
        for number in range(1, _TRIES + 1):
            answer = await self._ask(here, fetch, reads)
            if isinstance(answer, Response) and answer.status in _BUSY:
                self._politeness.slow_down(host(here), retry_after(answer.headers.get("retry-after", "")))
            elif not _is_worth_asking_again(answer):
                self._politeness.is_well(host(here))
                return answer
            elif number < _TRIES:
                self._slots.release(fetch.link_url)
                await asyncio.sleep(self._backoff * 2.0 ** (number - 1))
        return answer

    async def _ask(self, here: str, fetch: _Fetch, reads: Callable[[str], bool]) -> Response | Failure:
        """Send one request, in its host's turn and with a slot. If there are too many open files, wait."""
        for _ in range(_MOST_WAITS):
            self._slots.release(fetch.link_url)
            await self._outages.over()
            await self._names.over()
            try:
                return await self._ask_once(here, fetch, reads)
            except OutOfFiles:
                self._slots.release(fetch.link_url)
                fetch.left = self._deadline
                await self._client.close_idle()
                await asyncio.sleep(self._backoff)
        raise NoFiles("too many files are open: raise the limit (ulimit -n), or lower --width")

    async def _ask_once(self, here: str, fetch: _Fetch, reads: Callable[[str], bool]) -> Response | Failure:
        name = host(here)
        fetch.began, fetch.is_answered, fetch.is_temporary = time.monotonic(), False, False
        try:
            address = await self._address(_name(name), fetch.link_url)
            priority = self._slots.expected(fetch.link_url)
            turn_of = self._politeness.turn(name, address, priority=priority)
            async with turn_of as turn, self._slots.slot(fetch.link_url):
                turn.begins()

                def answered(turn: Turn = turn) -> None:
                    turn.answered()
                    fetch.is_answered = True
                    self._outages.answered()

                fetch.began = time.monotonic()
                try:
                    return await self._client.get(
                        here,
                        link_url=fetch.link_url,
                        deadline=fetch.left,
                        reads=reads,
                        conditions=conditions_of(self._earlier.validators(here)),
                        answered=answered,
                    )
                finally:
                    fetch.left -= turn.seconds
        except HostTooSlow as error:
            return Failure(here, Why.DEFERRED, str(error))
        except ForbiddenAddress as error:
            return Failure(here, Why.REFUSED, str(error))
        except UnknownHost as error:
            fetch.is_temporary = error.is_temporary
            if not error.is_temporary:
                self._names.answered()
            return Failure(here, Why.UNREACHABLE, str(error))

    async def _address(self, name: str, link_url: str) -> str:
        """The IP address whose turn applies; resolving a name takes a slot like any request."""
        if self._one_address:
            return ""
        if not self._resolver.knows(name):
            async with self._slots.slot(link_url):
                await self._resolver(name)
            self._names.answered()
            self._names.is_good(name)
            self._slots.release(link_url)
        return (await self._resolver(name))[0]

    async def _read(self, here: str, answer: Response) -> Page | Failure:
        status = answer.status
        if answer.failure is not None:
            return answer.failure
        if status == 304:
            return Failure(here, Why.UNCHANGED)
        if status in _BUSY:
            return Failure(here, Why.DEFERRED, f"status {status}, also after retries")
        if status >= 500:
            return Failure(here, Why.SERVER_ERROR, f"status {status}")
        if not 200 <= status < 300:
            return Failure(here, Why.GONE, f"status {status}")
        robots_tag = answer.headers.get("x-robots-tag", "")
        return await self._workers.parse(Job(answer.body, here, answer.content_type, status, robots_tag))

    def _claim(self, urls: Iterable[str], page: str) -> None:
        """Record that all these URLs led to the page. Most pages have one URL, which is stored once."""
        for url in urls:
            self._claimed[url] = url if url == page else page

    def _unclaim(self, urls: Iterable[str]) -> None:
        for url in urls:
            self._claimed.pop(url, None)


def _is_worth_asking_again(answer: Response | Failure) -> bool:
    if isinstance(answer, Response):
        return answer.status >= 500
    return answer.why is Why.UNREACHABLE and not _has_no_address(answer)


def _has_no_address(failure: Failure) -> bool:
    return failure.why is Why.UNREACHABLE and "has no IP address" in failure.detail


def _name(name: str) -> str:
    """A host without its port."""
    return name if name.endswith("]") else name.rpartition(":")[0] if ":" in name else name


def _seen_from(url: str, here: str, detail: str) -> str:
    return detail if here == url else f"{detail} (redirected to {here})"


def retry_after(value: str, now: float | None = None) -> float | None:
    """The seconds in a Retry-After header; None if it is invalid.

    >>> retry_after("120"), retry_after("Thu, 01 Jan 1970 00:02:00 GMT", now=60.0), retry_after("soon")
    (120.0, 60.0, None)
    """
    if (seconds := whole_number(value)) is not None:
        return float(min(seconds, _LONGEST_WAIT))
    try:
        when = parsedate_to_datetime(value)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        start = datetime.fromtimestamp(time.time() if now is None else now, UTC)
        return max(0.0, (when - start).total_seconds())
    except (ValueError, OverflowError):  # OverflowError: a time zone of twenty digits
        return None
