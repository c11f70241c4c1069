"""Many crawls in a few processes, each a run directory. What was done stays done; Ctrl-C ends all in good
order.

A worker opens a web once and keeps it, with what it read there. What a crawl finds depends on nothing but its
order, so the number of workers changes no number.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from functools import lru_cache
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import msgspec

from fcwseo.comparison.experiment import Case, Task
from fcwseo.comparison.judge import by_labels
from fcwseo.comparison.times import Times
from fcwseo.crawling.engine import Stop
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.errors import FcwseoError, MissingExtra, UnfitTopic
from fcwseo.files import append
from fcwseo.relevance.words import TokenCache
from fcwseo.strategies import ORACLE, Factory
from fcwseo.strategies.oracle import Oracle
from fcwseo.webs.cached import for_many_crawls
from fcwseo.webs.opening import open_web
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.topic import Topic

_TOLD_AGAIN = 1.0  # seconds after which a worker that is still there is told again to end


class Order(NamedTuple):
    """A crawl to be done, and where."""

    case: Case
    out: Path
    plan: Plan


class Ended(NamedTuple):
    """What came of an order. ``missing`` is what its strategy needs and does not find: an extra, or words."""

    order: Order
    stop: Stop | None
    missing: str = ""


def run_orders(orders: Sequence[Order], *, workers: int) -> Generator[Ended, None, None]:
    """Do the crawls and say what came of each, as they end. After an interrupted one there are no more."""
    todo = _here(orders) if min(workers, len(orders)) <= 1 else _in_processes(orders, workers)
    with closing(todo):
        for ended in todo:
            yield ended
            if ended.stop in (Stop.INTERRUPTED, Stop.FORCED):
                return


def _here(orders: Sequence[Order]) -> Generator[Ended, None, None]:
    try:
        for order in orders:
            yield carry_out(order)
    finally:  # unlike a worker, this process lives on, and what it opened may change
        _opened.cache_clear()
        _topic.cache_clear()
        _token_cache.cache_clear()


def _in_processes(orders: Sequence[Order], workers: int) -> Generator[Ended, None, None]:
    strangers = active_children()
    pool = ProcessPoolExecutor(
        min(workers, len(orders)), mp_context=get_context("spawn"), initializer=_begin_worker
    )
    futures: list[Future[Ended]] = []
    try:
        with _without_main():
            futures = [pool.submit(_carry_out_in_worker, order) for order in orders]
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool as error:
        raise FcwseoError(
            "a worker was killed (no memory left?): the same command goes on, perhaps with --workers 1"
        ) from error
    finally:  # also when the caller looks no further, an order failed, or Ctrl-C was pressed
        if not all(future.done() for future in futures):
            _end(pool, [child for child in active_children() if child not in strangers])
        pool.shutdown(cancel_futures=True)  # once more: without it, what was to be cancelled would be done


@contextmanager
def _without_main() -> Iterator[None]:
    """Processes that are spawned here do not import the main module of this program.

    They need nothing of it, and a script that calls us outside of ``if __name__ == "__main__"`` would start
    all over in each of them.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _end(pool: ProcessPoolExecutor, workers: Sequence[BaseProcess]) -> None:
    """Let each worker finish the visit that it is at, and start nothing more. An order that lies ready for it
    cannot be called back: who has begun with one is told again.
    """
    pool.shutdown(wait=False, cancel_futures=True)
    while workers := [worker for worker in workers if worker.is_alive()]:
        for worker in workers:
            worker.terminate()
        wait([worker.sentinel for worker in workers], timeout=_TOLD_AGAIN)


def _begin_worker() -> None:
    """Ctrl-C is for the parent, who tells us; when the parent dies, so do we."""
    os.setpgid(0, 0)
    _listen_while_idle()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _listen_while_idle() -> None:
    """One who waits for work and is told to end gives back the lock of the queue: killed with it in hand, it
    would leave the others waiting for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))


def _carry_out_in_worker(order: Order) -> Ended:
    try:
        return carry_out(order)
    finally:  # the crawl had its own way with signals
        _listen_while_idle()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@lru_cache(maxsize=1)  # the cases of a task come together
def _opened(name: str) -> ClosedWeb:
    return for_many_crawls(open_web(name))


_topic = lru_cache(maxsize=1)(load_topic)


@lru_cache(maxsize=1)
def _token_cache(topic: Topic) -> TokenCache:
    """The pages of a task as its crawls read them."""
    return TokenCache()


def _oracle(task: Task) -> Factory:
    """Makes an oracle that sees the labels of the task's web."""
    web = _opened(task.web)
    pages = by_labels(web, task.relevant).pages
    return lambda topic, relevance, rng: Oracle(lambda url: (web.resolve(url) or url) in pages, relevance)


def carry_out(order: Order) -> Ended:
    """One crawl, into its directory."""
    task, strategy = order.case.task, order.plan.strategy
    cpu = time.process_time()
    try:
        result = run_crawl(
            _opened(task.web),
            _topic(task.topic),
            order.case.seeds,
            order.out,
            order.plan,
            factory=_oracle(task) if strategy == ORACLE else None,
            token_cache=_token_cache(_topic(task.topic)),
        )
    except (MissingExtra, UnfitTopic) as error:
        return Ended(order, None, str(error))
    except FcwseoError:
        raise
    except Exception as error:
        raise FcwseoError(
            f"strategy {strategy} failed in {order.out}: {type(error).__name__}: {error}"
        ) from error
    with (order.out / "times.jsonl").open("ab", buffering=0) as file:
        times = Times(round(result.seconds, 3), round(time.process_time() - cpu, 3))
        append(file, msgspec.json.encode(times) + b"\n")
    return Ended(order, result.stop)
