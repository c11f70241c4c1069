"""Run directories for tests: their log, their files, and a small crawl."""

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import Result, run_crawl
from fcwseo.pages import Failure, Page
from fcwseo.webs.generated import GeneratedWeb


class RememberedWeb(GeneratedWeb):
    """Makes each page once: the tests crawl the same ones again and again."""

    def __init__(self, seed: int, pages: int) -> None:
        super().__init__(seed, pages)
        self._answers: dict[str, Page | Failure] = {}

    async def fetch(self, url: str) -> Page | Failure:
        if url not in self._answers:
            self._answers[url] = await super().fetch(url)
        return self._answers[url]


WEB = RememberedWeb(0, 400)
SEEDS = WEB.seeds("rainstorm")
BUDGET = 60


def small_run(out: Path, **choices: Any) -> Result:
    """A crawl of 60 pages, or whatever the choices say."""
    given = {"web": WEB, "topic": WEB.topic(), "seeds": SEEDS, "max_pages": BUDGET, **choices}
    plan = plan_of(given)
    return run_crawl(given.pop("web"), given.pop("topic"), given.pop("seeds"), out, plan, **given)


def plan_of(choices: dict[str, Any]) -> Plan:
    """The plan that some choices make; what belongs to it is taken out of them."""
    names = [field.name for field in dataclasses.fields(Plan) if field.name in choices]
    return Plan(**{name: choices.pop(name) for name in names})


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects in a file of JSON lines, every one of them whole."""
    text = path.read_text(encoding="utf-8")
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def log(run: Path) -> list[dict[str, Any]]:
    """The visits of a run without times."""
    return [{key: value for key, value in row.items() if key != "at"} for row in lines(run / "visits.jsonl")]


def kept(run: Path) -> list[dict[str, Any]]:
    """The kept pages of a run without times."""
    rows = lines(run / "pages.jsonl")
    return [{key: value for key, value in row.items() if key != "fetched_at"} for row in rows]


def measures(run: Path) -> list[dict[str, Any]]:
    """The checkpoints of a run without times."""
    rows = lines(run / "metrics.jsonl")
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


def whole(run: Path) -> tuple[list[dict[str, Any]], ...]:
    """All that must be the same whether a crawl was interrupted or not."""
    return log(run), kept(run), measures(run)


def on_disk(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, except the empty lock."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def copied(run: Path, to: Path) -> Path:
    return Path(shutil.copytree(run, to))


def left_at(run: Path, to: Path, count: int, *, rest: bytes = b"") -> Path:
    """A copy of a finished run as it would be if the crawl had been killed after so many visits.

    ``rest`` is what the next line had got to. The kept pages and the checkpoints are those of that time.
    """
    copied(run, to)
    rows = lines(run / "visits.jsonl")[:count]
    _keep_lines(to / "visits.jsonl", count, rest)
    _keep_lines(to / "pages.jsonl", sum(row["kept"] for row in rows))
    pages = sum(row["outcome"] == "page" for row in rows)
    _keep_lines(to / "metrics.jsonl", sum(line["n"] <= pages for line in lines(run / "metrics.jsonl")))
    file = json.loads((to / "run.json").read_text())
    (to / "run.json").write_text(json.dumps(file | {"stop": None, "counts": {}}))
    return to


def _keep_lines(path: Path, count: int, rest: bytes = b"") -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:count]) + rest)
