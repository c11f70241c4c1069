"""The durations of the crawls of a comparison: ``times.jsonl`` in each run directory."""

from pathlib import Path

import msgspec


class Times(msgspec.Struct, frozen=True):
    """A line of ``times.jsonl`` in a run directory: seconds of the crawl so far, and of this process."""

    seconds: float
    cpu_seconds: float


def read_times(run: Path) -> Times:
    """The wall time and the processor time of a crawl."""
    file = run / "times.jsonl"
    lines = file.read_bytes().splitlines() if file.exists() else []
    times = [msgspec.json.decode(line, type=Times) for line in lines]
    if not times:
        return Times(0.0, 0.0)
    return Times(times[-1].seconds, round(sum(line.cpu_seconds for line in times), 3))
