"""A loop on a virtual clock: its time passes without waiting, and always the same way."""

import asyncio
import signal
import time

import pytest

from fcwseo.errors import FcwseoError
from fcwseo.loops import LoopThread
from fcwseo.webs.clock import VirtualClock, run_virtually


async def two_sleepers() -> list[tuple[str, float]]:
    """Who woke when: two tasks that sleep different times, again and again."""
    loop, woke = asyncio.get_running_loop(), list[tuple[str, float]]()

    async def sleeper(name: str, seconds: float) -> None:
        for _ in range(3):
            await asyncio.sleep(seconds)
            woke.append((name, loop.time()))

    await asyncio.gather(sleeper("a", 1000.0), sleeper("b", 1500.5))
    return woke


def test_an_hour_passes_at_once_and_in_order() -> None:
    began = time.monotonic()
    woke = run_virtually(two_sleepers())
    assert [seconds for _, seconds in woke] == [1000.0, 1500.5, 2000.0, 3000.0, 3001.0, 4501.5]
    assert [name for name, _ in woke] == ["a", "b", "a", "a", "b", "b"]
    assert time.monotonic() - began < 1000


def test_a_clock_may_begin_later() -> None:
    async def slept() -> float:
        await asyncio.sleep(2)
        return asyncio.get_running_loop().time()

    assert run_virtually(slept(), VirtualClock(40.5)) == 42.5


def test_timeouts_are_virtual() -> None:
    async def waits() -> float:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 60)
        return asyncio.get_running_loop().time()

    assert run_virtually(waits()) == 60.0


def test_waiting_for_ever_is_refused() -> None:
    with pytest.raises(FcwseoError, match="waits for something that never comes"):
        run_virtually(_never())


async def _never() -> None:
    await asyncio.Event().wait()


def test_it_runs_in_a_running_loop_and_in_a_thread() -> None:
    async def outer() -> list[tuple[str, float]]:
        return run_virtually(two_sleepers())

    thread = LoopThread(lambda: run_virtually(two_sleepers()))
    thread.start()
    thread.join()
    assert asyncio.run(outer()) == thread.result() == run_virtually(two_sleepers())


def test_signals_arrive_on_a_virtual_clock() -> None:
    async def until_a_signal() -> int:
        loop, came = asyncio.get_running_loop(), asyncio.Event()
        loop.add_signal_handler(signal.SIGUSR1, came.set)
        slept = 0
        while not came.is_set():
            slept += 1
            if slept == 5:
                signal.raise_signal(signal.SIGUSR1)
            await asyncio.sleep(1)
        return slept

    assert 5 <= run_virtually(until_a_signal()) < 1000
