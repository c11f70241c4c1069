"""Each command once, in the order in which a user comes to them; runs on the wheel, too."""

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from helpers.commands import environment, start
from helpers.runs import log
from helpers.servers import answer, serving_apart

from fcwseo.webs.generated import GeneratedWeb
from fcwseo_cli.commands import app
from fcwseo_cli.main import main
from fcwseo_ontology.shipped import shipped_corpus

WEB = GeneratedWeb(0, 300)
OFFLINE = """
config show --json
web make web --pages 300
web info web
web import site imported --base http://a.example/
strategies --json
new strategy my-first
ontology build corpus.jsonl --topic rainstorm --terms 20 --out rain.owl
ontology check rain.owl
ontology show rain.owl
ontology weights rain.owl
topic test rain.owl site/index.html
topic calibrate rain.owl --positive site
seeds merge ranking.txt --out seeds.txt
crawl --web web --topic rain.owl --seeds seeds.txt --max-pages 60 --out run
status run
repair run --dry-run
search run rainstorm
explain run PAGE
export run --format csv --out pages.csv
weights fit run
report run
compare --web web --topic rain.owl --seeds seeds.txt --relevant rainstorm --strategies bfs,fcwseo --max-pages 20 --workers 1 --out compared
demo --max-pages 30 --out demo
"""  # noqa: E501
LIVE = """
seeds search rain --engine http://127.0.0.1:ENGINE/ --pages 1 --out found.txt
crawl --topic rain.owl --seeds seeds.txt --max-pages 8 --contact a@b.example --allow-private --connect-to 127.0.0.1:SERVED --delay 0 --out live
recrawl live --contact a@b.example --allow-private --connect-to 127.0.0.1:SERVED --delay 0 --out again
"""  # noqa: E501
SERVED = "web serve web --port 0"


def commands(command: Any, path: str = "") -> Iterator[str]:
    below: dict[str, Any] = getattr(command, "commands", {})
    for name, child in below.items():
        yield from commands(child, f"{path} {name}".strip())
    if not below:
        yield path


def call(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["fcwseo", *shlex.split(line)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code, line


def test_no_command_is_left_out() -> None:
    lines = f"{OFFLINE}{LIVE}{SERVED}\n"
    assert [name for name in commands(typer.main.get_command(app)) if f"\n{name} " not in lines] == []


@pytest.mark.slow
def test_each_command_does_its_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.environ", environment())
    Path("site").mkdir()
    Path("site", "index.html").write_text("<title>Rain</title><p>A rainstorm brought floods.</p>")
    Path("ranking.txt").write_text("\n".join(WEB.seeds("rainstorm")))
    shutil.copy(shipped_corpus("rainstorm"), "corpus.jsonl")
    for line in OFFLINE.strip().splitlines():
        page = next(row["url"] for row in log(Path("run"))[5:]) if " PAGE" in line else ""
        call(line.replace("PAGE", page), monkeypatch)
    server = start(shlex.split(SERVED))
    try:
        assert server.stderr is not None
        (port,) = re.findall(r"http://127\.0\.0\.1:(\d+)", server.stderr.readline())
        with serving_apart({}) as engine:
            found = answer('{"results": [{"url": "http://a.example/"}]}', "Content-Type: application/json")
            engine.answers[f"http://127.0.0.1:{engine.port}/?q=rain&format=json&pageno=1"] = found
            for line in LIVE.strip().splitlines():
                call(line.replace("ENGINE", str(engine.port)).replace("SERVED", port), monkeypatch)
    finally:
        server.terminate()
        server.communicate()
