"""Live crawls, killed at random and continued: checks that nothing is lost, doubled or broken.

A served web is crawled repeatedly into new run directories. Each crawl is killed (SIGKILL) at random moments
and continued until it ends. After each kill, the log and every WARC file are checked, the latter by two
independent checkers; at the end also that the budget is reached, every link is visited once, and no page is
requested again except those in flight at a kill.

    python benchmarks/soak.py [--kills 50] [--pages 300] [--width 8] [--seed 0]
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from fcwseo.crawling.run_directory.log import PAGE, read_visits
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.serve import make_server
from fcwseo.webs.warc.write import Archive

_SCRIPTS = Path(sysconfig.get_path("scripts"))
_LONGEST = 2.5  # seconds from the first new visit to a kill


def served(web: GeneratedWeb, asked: list[str]) -> int:
    """The port of a server of this web that logs its requests."""
    server = make_server(web, 0)
    handler = server.RequestHandlerClass
    answer = handler.do_GET  # type: ignore[attr-defined]

    def do_get(self: BaseHTTPRequestHandler) -> None:
        asked.append(f"http://{self.headers['Host']}{self.path}")
        answer(self)

    handler.do_GET = do_get  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return int(server.server_port)


class Soak:
    """Crawls with one web, one server and one count of kills."""

    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        self._pages, self._width, self._folder = given.pages, given.width, folder
        self._rng = random.Random(given.seed)
        self._web = GeneratedWeb(given.seed, 20 * given.pages)
        self._asked: list[str] = []
        self._port = served(self._web, self._asked)
        words = {"name": "rainstorm", "weights": self._web.topic().weights}
        (folder / "topic.json").write_text(json.dumps(words))
        (folder / "seeds.txt").write_text("\n".join(self._web.seeds("rainstorm")))

    def crawl(self, out: Path, kills: int) -> int:
        """Crawl to the end with at most this number of kills; return the number of kills."""
        self._asked.clear()
        killed = 0
        while True:
            process = self._start(out)
            if killed < kills and self._kill(process, out):
                killed += 1
                _check_files(out)
                continue
            said = process.communicate()[1].decode()
            assert process.returncode == 0, said
            self._check(out, killed)
            return killed

    def _start(self, out: Path) -> "subprocess.Popen[bytes]":
        where = ("--allow-private", "--connect-to", f"127.0.0.1:{self._port}", "--delay", "0.02")
        files = ("--topic", self._folder / "topic.json", "--seeds", self._folder / "seeds.txt", "--out", out)
        numbers = ("--max-pages", str(self._pages), "--width", str(self._width))
        command: list[str | Path] = [_SCRIPTS / "fcwseo", "crawl", *files, *where, *numbers]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def _kill(self, process: "subprocess.Popen[bytes]", out: Path) -> bool:
        """Kill the crawl some time after its first new visit; return whether it was still running."""
        before = _length(out)
        while _length(out) == before and process.poll() is None:
            time.sleep(0.01)
        try:
            process.wait(self._rng.uniform(0, _LONGEST))
            return False
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            return True

    def _check(self, out: Path, killed: int) -> None:
        rows = list(read_visits(out))
        urls = Counter(row.url for row in rows)
        assert max(urls.values()) == 1, "a link was visited twice"
        finals = Counter(row.final_url for row in rows if row.outcome == PAGE)
        assert max(finals.values()) == 1, "a page was visited twice"
        assert len(finals) == self._pages, f"{len(finals)} pages"
        again = sum(count - 1 for url, count in Counter(self._asked).items() if not self._is_hop(url))
        assert again <= killed * self._width, f"{again} pages were requested again after {killed} kills"
        _check_files(out)
        kept = [json.loads(line)["id"] for line in (out / "pages.jsonl").read_text().splitlines()]
        assert len(kept) == len(set(kept)) == sum(row.kept for row in rows), "kept pages"

    def _is_hop(self, url: str) -> bool:
        return url.endswith("/robots.txt") or self._web.redirect(url) is not None


def _check_files(out: Path) -> None:
    """Check that the log can be read and that both checkers accept the archive, once opened for
    continuing.
    """
    places = [row.warc for row in read_visits(out) if row.warc is not None]
    Archive(out / "warc", places).close()
    for file in sorted((out / "warc").glob("*.warc.gz")):
        for checker in ("fastwarc", "warcio"):
            done = subprocess.run([_SCRIPTS / checker, "check", file], capture_output=True, check=False)
            assert done.returncode == 0, f"{checker} check {file}: {done.stderr.decode()}"


def _length(out: Path) -> int:
    try:
        return (out / "visits.jsonl").stat().st_size
    except FileNotFoundError:
        return 0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    soak = Soak(given, folder)
    killed = crawls = 0
    while killed < given.kills:
        crawls += 1
        killed += soak.crawl(folder / f"run-{crawls}", min(5, given.kills - killed))
        print(f"{killed} of {given.kills} kills, {crawls} crawls of {given.pages} pages: whole", flush=True)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
