"""``metrics.jsonl``: measures of a crawl at every twentieth of its budget."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from fcwseo.crawling.metrics import Harvest, average_relevance, checkpoints, harvest_rate, standard_deviation
from fcwseo.crawling.run_directory.lines import append_line, line_of
from fcwseo.crawling.run_directory.times import RunTime
from fcwseo.files import EndlessLine, atomically, whole_lines

NAME = "metrics.jsonl"


class Checkpoint(Struct, frozen=True, omit_defaults=True):
    """A line of ``metrics.jsonl``. ``clock`` are the virtual seconds of a rehearsed crawl."""

    n: int
    relevant: int
    harvest_rate: float
    average_relevance: float
    sd: float
    hosts: int
    seconds: float
    clock: float | None = None


class Checkpoints:
    """The checkpoints of a crawl.

    Args:
        path: The run directory.
        budget: The budget, in pages.
        logged: Number of pages in the log. Later checkpoints are measured again.
        time: Where the seconds come from.
    """

    def __init__(self, path: Path, *, budget: int, logged: int, time: RunTime) -> None:
        earlier = [checkpoint for checkpoint in read_checkpoints(path) if checkpoint.n <= logged]
        self._at = set(checkpoints(budget))
        self._measured = max((checkpoint.n for checkpoint in earlier), default=0)
        self._seconds_before = max((checkpoint.seconds for checkpoint in earlier), default=0.0)
        self._time = time
        atomically(path / NAME, b"".join(map(line_of, earlier)))
        self._file = (path / NAME).open("ab", buffering=0)

    @property
    def seconds(self) -> float:
        """Duration of the crawl, including the time before it was continued."""
        return self._time.seconds(self._seconds_before)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def measure(self, harvest: Harvest, *, relevant: int) -> None:
        """Write a checkpoint if one is due and not written yet."""
        if len(harvest) not in self._at or len(harvest) <= self._measured:
            return
        self._measured = len(harvest)
        checkpoint = Checkpoint(
            n=len(harvest),
            relevant=relevant,
            harvest_rate=harvest_rate(harvest.relevant),
            average_relevance=average_relevance(harvest.relevance),
            sd=standard_deviation(harvest.relevance),
            hosts=len(harvest.hosts),
            seconds=round(self.seconds, 3),
            clock=self._time.clock,
        )
        append_line(self._file, checkpoint)


def read_checkpoints(path: Path) -> Iterator[Checkpoint]:
    """The checkpoints of a run directory, without damaged lines, which can be measured again."""
    file = path / NAME
    if not file.exists():
        return
    with file.open("rb") as lines, suppress(EndlessLine):
        for text in whole_lines(lines):
            with suppress(ValueError, RecursionError):
                yield msgspec.json.decode(text, type=Checkpoint)
