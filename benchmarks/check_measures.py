"""Work out the measures of a comparison once more, from its logs and the labels of the web, without our code.

    python benchmarks/check_measures.py COMPARISON

For comparisons on frozen webs (pages.jsonl.gz) that labels judge. Every number of every run in results.json,
and the means over runs, must come out the same to nine digits; else it says which does not, and fails.
"""

import gzip
import json
import sys
from math import isclose, sqrt
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


def labels_of(web: Path) -> dict[str, set[str]]:
    with gzip.open(web / "pages.jsonl.gz", "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    pages = [record for record in records if record.get("status", 200) < 300 and "redirect" not in record]
    return {page["url"]: set(page.get("labels", ())) for page in pages}


def log_of(folder: Path) -> list[dict[str, Any]]:
    with (folder / "visits.jsonl").open(encoding="utf-8") as file:
        visits = [json.loads(line) for line in file]
    return [visit for visit in visits if visit["outcome"] == "page"]


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def deviation(values: list[float]) -> float:
    middle = mean(values)
    return sqrt(mean([(value - middle) ** 2 for value in values]))


def host(visit: dict[str, Any]) -> str:
    return urlsplit(str(visit["final_url"])).netloc


def measured(visits: list[dict[str, Any]], relevant: set[str], budget: int) -> dict[str, Any]:
    visits = visits[:budget]
    hits = [visit["final_url"] in relevant for visit in visits]
    values = [visit["relevance"] for visit in visits]
    errors = [abs(v["relevance"] - v["predicted"]) for v in visits if v["predicted"] is not None]
    at = [round(budget * part / 20) for part in range(1, 21)]
    return {
        "pages": len(visits),
        "relevant": sum(hits),
        "harvest_rate": sum(hits) / budget,
        "harvest_area": mean([sum(hits[:n]) / n for n in at]),
        "precision": mean([float(hit) for hit in hits]),
        "average_relevance": mean(values),
        "sd": deviation(values),
        "average_similarity": mean([value for value, hit in zip(values, hits, strict=True) if hit]),
        "absolute_error": mean(errors) if errors else None,
        "sum_of_information": sum(values),
        "recall": sum(hits) / len(relevant),
        "target_recall": sum(hits) / min(len(relevant), budget),
        "hosts": len({host(visit) for visit in visits}),
        "relevant_hosts": len({host(visit) for visit, hit in zip(visits, hits, strict=True) if hit}),
        "checkpoints": [
            {
                "n": n,
                "relevant": sum(hits[:n]),
                "harvest_rate": sum(hits[:n]) / n,
                "average_relevance": mean(values[:n]),
                "sd": deviation(values[:n]),
                "recall": sum(hits[:n]) / len(relevant),
            }
            for n in at
        ],
    }


def differences(ours: object, theirs: object, where: str) -> list[str]:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [line for key in ours for line in differences(ours[key], theirs[key], f"{where}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [line for at, (a, b) in pairs for line in differences(a, b, f"{where}[{at}]")]
    if isinstance(ours, int | float) and isinstance(theirs, int | float):
        return [] if isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-12) else [f"{where}: {ours}, {theirs}"]
    return [] if ours == theirs else [f"{where}: {ours}, {theirs}"]


def main() -> None:
    folder = Path(sys.argv[1])
    experiment = json.loads((folder / "experiment.json").read_text(encoding="utf-8"))
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    tasks = {task["name"]: task for task in experiment["tasks"]}
    labels = {name: labels_of(Path(task["web"])) for name, task in tasks.items()}
    wrong: list[str] = []
    means: dict[str, list[dict[str, Any]]] = {}
    for run in results["runs"]:
        wanted = set(tasks[run["task"]]["relevant"])
        relevant = {url for url, own in labels[run["task"]].items() if own & wanted}
        part = f"{run['seed_set']}-{run['repeat']}"
        (path,) = [
            path
            for path in (folder / "runs" / run["task"]).glob(f"*/{part}")
            if json.loads((path / "run.json").read_text())["config"]["strategy"] == run["strategy"]
        ]
        found = measured(log_of(path), relevant, results["max_pages"])
        wrong += differences(found, run, f"{run['strategy']} {part}")
        means.setdefault(run["strategy"], []).append(found)
    for row in results["summary"]:
        own = means[row["strategy"]]
        for name in ("harvest_rate", "harvest_area", "average_relevance", "sd", "recall", "hosts"):
            wrong += differences(mean([run[name] for run in own]), row[name], f"{row['strategy']}, {name}")
    print("\n".join(wrong[:20]) or f"{len(results['runs'])} runs: all measures agree")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
