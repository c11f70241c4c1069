"""Runs coroutines from anywhere: in a script, in a thread, and inside a running event loop.

A notebook runs every cell inside its own event loop, where ``asyncio.run`` is not allowed. There the
coroutine runs in a separate thread, and an interruption is passed on to it as a signal would be.
"""

import asyncio
import selectors
import signal
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial, wraps
from typing import Any, Generic, ParamSpec, TypeVar, TypeVarTuple

T = TypeVar("T")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")

_EVERY = 0.1  # seconds between two checks whether a thread has ended


class Clock(selectors.DefaultSelector):
    """A selector that also tells its loop the time."""

    def time(self) -> float:
        """Seconds."""
        raise NotImplementedError


def run_async(main: Coroutine[Any, Any, T], *, clock: Callable[[], Clock] | None = None) -> T:
    """Run a coroutine to its end, whether or not a loop is running in this thread.

    Args:
        main: The coroutine.
        clock: Makes the clock of its loop; without it, the loop goes by real time.

    Returns:
        What the coroutine returns.

    Raises:
        KeyboardInterrupt: If it was interrupted, and had no signal handler of its own.

    >>> async def answer() -> int:
    ...     return 42
    >>> async def in_a_running_loop() -> int:
    ...     return run_async(answer())
    >>> run_async(answer()), run_async(in_a_running_loop())
    (42, 42)
    """
    thread = threading.current_thread()
    if isinstance(thread, LoopThread):
        found: T = thread.complete(main, clock=clock)
        return found
    if not _is_running():
        with asyncio.Runner(loop_factory=None if clock is None else lambda: _LoopOn(clock())) as runner:
            return runner.run(main)
    return _waited_for(LoopThread(lambda: run_async(main, clock=clock)))


def awaitable(function: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Return an awaitable version of a function, with the same signature. It runs in a thread. Cancelling it
    interrupts the coroutine in that thread and waits for its clean end.

    >>> asyncio.run(awaitable(abs)(-1))
    1
    """

    @wraps(function)
    async def awaited(*args: P.args, **kwargs: P.kwargs) -> T:
        done, loop = asyncio.Event(), asyncio.get_running_loop()
        thread = LoopThread(partial(function, *args, **kwargs), ended=lambda: _tell(loop, done))
        thread.start()
        cancelled: asyncio.CancelledError | None = None
        while not done.is_set():
            try:
                await done.wait()
            except asyncio.CancelledError as error:
                cancelled = error
                thread.interrupt()
        if cancelled is not None:
            raise cancelled
        return thread.result()

    return awaited


class LoopThread(threading.Thread, Generic[T]):
    """A thread that calls a function. ``interrupt`` acts on its coroutine like Ctrl-C in the main thread."""

    def __init__(self, function: Callable[[], T], *, ended: Callable[[], None] = lambda: None) -> None:
        super().__init__(name="fcwseo", daemon=True)
        self._function = function
        self._ended = ended
        self._outcome: list[T] = []
        self._error: BaseException | None = None
        self._loop: _ThreadLoop | None = None
        self._is_interrupted = False
        self._guard = threading.Lock()

    def run(self) -> None:
        try:
            self._outcome.append(self._function())
        except BaseException as error:
            self._error = error
        finally:
            self._ended()

    def result(self) -> T:
        """The return value of the function; raises the function's error."""
        if self._error is not None:
            raise self._error
        return self._outcome[0]

    def complete(self, main: Coroutine[Any, Any, T], *, clock: Callable[[], Clock] | None = None) -> T:
        """Run a coroutine in this thread."""
        with asyncio.Runner(loop_factory=lambda: _ThreadLoop(clock() if clock else None)) as runner:
            loop = runner.get_loop()
            assert isinstance(loop, _ThreadLoop)
            with self._guard:
                self._loop = loop
                if self._is_interrupted:
                    loop.interrupt()
            try:
                return runner.run(main)
            except asyncio.CancelledError:
                if loop.is_cancelled:
                    raise KeyboardInterrupt from None
                raise
            finally:
                with self._guard:
                    self._loop = None

    def interrupt(self) -> None:
        """Interrupt the coroutine that runs, or else the next one at its start."""
        with self._guard:
            self._is_interrupted = True
            if self._loop is not None:
                self._loop.interrupt()


class _LoopOn(asyncio.SelectorEventLoop):
    """A loop that goes by a clock; without one, by real time."""

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__(clock)
        self._clock = clock

    def time(self) -> float:
        return super().time() if self._clock is None else self._clock.time()


class _ThreadLoop(_LoopOn):
    """A loop outside of the main thread, where no signal arrives: ``interrupt`` stands for Ctrl-C."""

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__(clock)
        self._handler: Callable[[], object] | None = None
        self.is_cancelled = False  # by an unhandled interruption

    def add_signal_handler(self, sig: int, callback: Callable[[*Ts], object], *args: *Ts) -> None:
        if sig == signal.SIGINT:
            self._handler = partial(callback, *args)

    def interrupt(self) -> None:
        self.call_soon_threadsafe(self._interrupted)

    def _interrupted(self) -> None:
        if self._handler is not None:
            self._handler()
        else:
            self.is_cancelled = True
            for task in asyncio.all_tasks(self):
                task.cancel()


def _is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _waited_for(thread: LoopThread[T]) -> T:
    thread.start()
    while thread.is_alive():
        try:
            thread.join(_EVERY)
        except KeyboardInterrupt:
            thread.interrupt()
    return thread.result()


def _tell(loop: asyncio.AbstractEventLoop, done: asyncio.Event) -> None:
    with suppress(RuntimeError):  # the loop that waited is closed
        loop.call_soon_threadsafe(done.set)
