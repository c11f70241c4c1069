"""Topics of tasks as an earlier commit built them, to measure a change to relevance apart from one to
ontologies.

    python benchmarks/earlier_topics.py topics --commit 4d942b6 [--tasks python]
    BENCHMARK_TOPICS=topics python benchmarks/yardstick.py earlier-ontologies fcwseo@4d942b6 --tasks python

``earlier-ontologies`` crawls with the present code and these topics. Ontologies of a commit that counted no
words of documents get these counts from the present code.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from kept_crawls import HERE, code_of
from tasks import add_data_option, available, load_task, names, topic_file


def write(folder: Path, data: list[Path], tasks: list[str]) -> None:
    """With whichever version of fcwseo the path of Python names."""
    from fcwseo_ontology.topic import encoded

    for name in tasks:
        topic_file(folder, name).write_bytes(encoded(load_task(tuple(data), name).topic))
        print(name, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--tasks", nargs="*", default=[])
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    add_data_option(parser)
    given = parser.parse_args()
    tasks = available(tuple(given.data), names(*given.tasks))
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.inside:
        write(given.folder, given.data, tasks)
        return
    missing = [name for name in tasks if not topic_file(given.folder, name).exists()]
    with code_of(given.commit) as root:
        path = os.pathsep.join((*(str(root / package) for package in ("", "ontology")), str(HERE)))
        command = [sys.executable, __file__, str(given.folder), "--commit", given.commit, "--inside"]
        options = ["--tasks", *missing, "--data", *map(str, given.data)]
        if missing:
            subprocess.run([*command, *options], check=True, env=os.environ | {"PYTHONPATH": path})


if __name__ == "__main__":
    main()
