"""Runs many crawls in a few processes, each into a run directory. Finished work is kept; Ctrl-C ends all
crawls cleanly.

A worker opens a web once and keeps it, with the tokens of its pages. The result of a crawl depends only on
its order, so the number of workers does not affect results.
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
from types import ModuleType
from typing import NamedTuple

import msgspec

from fcwseo.comparison.experiment import Order, Task
from fcwseo.comparison.judge import by_labels
from fcwseo.comparison.times import Times
from fcwseo.crawling.engine import Stop
from fcwseo.crawling.run import run_crawl
from fcwseo.crawling.run_rehearsed import run_rehearsed
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

_TERMINATE_AGAIN = 1.0  # seconds after which a remaining worker is terminated again


class Ended(NamedTuple):
    """The outcome of an order. ``missing`` names a requirement of the strategy that is not met: an extra, or
    words.
    """

    order: Order
    stop: Stop | None
    missing: str = ""


def run_orders(orders: Sequence[Order], *, workers: int) -> Generator[Ended, None, None]:
    """Run the crawls and yield the outcome of each as it ends. An interrupted crawl is the last."""
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
    finally:  # unlike a worker, this process continues, and opened webs may change
        _opened.cache_clear()
        _topic.cache_clear()
        _token_cache.cache_clear()


def _in_processes(orders: Sequence[Order], workers: int) -> Generator[Ended, None, None]:
    others = active_children()
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
            "a worker was killed (no memory left?): repeat the command, perhaps with --workers 1"
        ) from error
    finally:  # also when the caller stops, an order failed, or Ctrl-C was pressed
        if not all(future.done() for future in futures):
            _end(pool, [child for child in active_children() if child not in others])
        pool.shutdown(cancel_futures=True)  # again: without it, cancelled orders would run


@contextmanager
def _without_main() -> Iterator[None]:
    """Let spawned processes not import the main module of this program.

    They do not need it, and a script that calls us outside ``if __name__ == "__main__"`` would run again in
    each of them.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _end(pool: ProcessPoolExecutor, workers: Sequence[BaseProcess]) -> None:
    """Let each worker finish its present visit, and start no more. An order already sent to a worker cannot
    be recalled, so a worker that starts it is terminated again.
    """
    pool.shutdown(wait=False, cancel_futures=True)
    while workers := [worker for worker in workers if worker.is_alive()]:
        for worker in workers:
            worker.terminate()
        wait([worker.sentinel for worker in workers], timeout=_TERMINATE_AGAIN)


def _begin_worker() -> None:
    """Start a worker: Ctrl-C goes to the parent, which terminates workers; a worker ends with its parent."""
    os.setpgid(0, 0)
    _listen_while_idle()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _listen_while_idle() -> None:
    """Let a waiting worker exit on SIGTERM, so that it releases the lock of the queue; if it were killed with
    the lock, the others would wait for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))


def _carry_out_in_worker(order: Order) -> Ended:
    try:
        return carry_out(order)
    finally:  # the crawl had its own signal handlers
        _listen_while_idle()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@lru_cache(maxsize=1)  # the cases of a task are adjacent
def _opened(name: str) -> ClosedWeb:
    return for_many_crawls(open_web(name))


_topic = lru_cache(maxsize=1)(load_topic)


@lru_cache(maxsize=1)
def _token_cache(topic: Topic) -> TokenCache:
    """The tokenised pages of a task, shared by its crawls."""
    return TokenCache()


def _oracle(task: Task) -> Factory:
    """A factory of an oracle with the labels of the task's web."""
    web = _opened(task.web)
    pages = by_labels(web, task.relevant).pages
    return lambda topic, relevance, rng: Oracle(lambda url: (web.resolve(url) or url) in pages, relevance)


def carry_out(order: Order) -> Ended:
    """Run one crawl, into its directory."""
    task, strategy = order.case.task, order.plan.strategy
    cpu = time.process_time()
    factory = _oracle(task) if strategy == ORACLE else None
    web, topic = _opened(task.web), _topic(task.topic)
    given = (topic, order.case.seeds, order.out, order.plan)
    try:
        if order.rehearsal is None:
            result = run_crawl(web, *given, factory=factory, token_cache=_token_cache(topic))
        else:
            result = run_rehearsed(
                web,
                order.rehearsal,
                *given,
                max_time=order.max_time,
                factory=factory,
                token_cache=_token_cache(topic),
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
