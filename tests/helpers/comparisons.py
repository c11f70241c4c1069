"""Small comparisons to look at."""

from pathlib import Path
from typing import Any

import msgspec

from fcwseo.comparison.compare import Comparison, compare
from fcwseo.comparison.experiment import Experiment, make_experiment
from fcwseo.comparison.results import Results
from fcwseo.webs.generated import GeneratedWeb

WEB = GeneratedWeb(0, 300)
BUDGET = 40


def write_seeds(folder: Path, *, sets: int = 2) -> Path:
    """A file with alternative seed sets: relevant pages of the web, three each."""
    urls = [url for url in WEB.urls() if "rainstorm" in WEB.labels(url)]
    path = folder / "seeds.txt"
    path.write_text("\n\n".join("\n".join(urls[3 * i : 3 * i + 3]) for i in range(sets)) + "\n")
    return path


def small_experiment(
    folder: Path, *, sets: int = 2, task: dict[str, Any] | None = None, **choices: Any
) -> Experiment:
    """Two strategies, so many seed sets, 40 pages, judged by labels; or whatever the choices say."""
    fixed = {
        "web": WEB.name,
        "topic": "rainstorm",
        "seeds": [str(write_seeds(folder, sets=sets))],
        "relevant": ["rainstorm"],
    }
    given = {"strategies": ["bfs", "best-first"], "max_pages": BUDGET, **choices}
    return make_experiment({"tasks": [{**fixed, **(task or {})}], **given}, where="a test")


def finished(comparison: Comparison) -> Results:
    assert comparison.results is not None
    return comparison.results


def small_comparison(folder: Path, **choices: Any) -> Results:
    return finished(compare(small_experiment(folder, **choices), folder / "c", workers=1))


def timeless(folder: Path) -> dict[str, Any]:
    """``results.json`` without times."""
    results: dict[str, Any] = msgspec.json.decode((folder / "results.json").read_bytes())
    for run in results["runs"]:
        del run["seconds"]
    return results
