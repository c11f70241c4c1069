"""Live crawls of a small site, each with one random fault, continued until they end: no page may be lost.

The site has 150 pages on 12 hosts of this machine. The faults are: the crawl is killed (SIGKILL), stopped for
longer than its deadline (SIGSTOP), its name server fails, its connections are dropped, its disk is full, its
parsers are killed, its clock is moved by 400 days, the end of one of its files is cut off or garbled after a
kill, or it may open few files. At the end of each crawl every page was visited once, the log and every WARC
file are whole (checked by two independent checkers), kept pages agree with the log, and for each kill at most
``width`` pages were requested again.

    python benchmarks/soak.py [--crawls 120] [--faults kill,stop] [--width 8] [--seed 0]
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from fcwseo.crawling.run_directory.log import PAGE, read_visits
from fcwseo.webs.warc.write import Archive

_SCRIPTS = Path(sysconfig.get_path("scripts"))
_PAGES, _HOSTS = 150, 12
_DEADLINE = 4.0
_OUTAGE = 6.0  # seconds
# Read by every Python of the crawl: names of the site are addresses of this machine, unless the name server
# is to fail; and the clock may be moved.
_SITE = """
import os, socket, time
folder = os.environ["SOAK"]
real, clock = socket.getaddrinfo, time.time
def getaddrinfo(host, *given, **more):
    if str(host).endswith(".example"):
        if os.path.exists(f"{folder}/no-names"):
            raise socket.gaierror(socket.EAI_AGAIN, "temporary failure")
        host = "127.0.0.1"
    return real(host, *given, **more)
socket.getaddrinfo = getaddrinfo
time.time = lambda: clock() - (400 * 86400 if os.path.exists(f"{folder}/clock") else 0)
"""


class Site:
    """The site and its server."""

    def __init__(self, rng: random.Random) -> None:
        self.asked: Counter[str] = Counter()
        self.drops = False
        self.port = 0
        self._bodies: dict[tuple[str, str], bytes] = {}
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                if site.drops:
                    self.close_connection = True
                    return
                body = site.body(str(self.headers["Host"]), self.path)
                self.send_response(200 if body is not None else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *given: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.port = server.server_port
        for number in range(_PAGES):
            links = "".join(f'<a href="{self.url(n)}">rain</a>' for n in self._links(number, rng))
            words = " ".join(f"w{rng.randrange(999)}" for _ in range(60))
            self._bodies[self._key(number)] = (
                f"<title>rain {number}</title><p>rain {words}</p>{links}".encode()
            )
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def url(self, number: int) -> str:
        host, path = self._key(number)
        return f"http://{host}{path}"

    def body(self, host: str, path: str) -> bytes | None:
        if path != "/robots.txt":
            self.asked[f"http://{host}{path}"] += 1
        return self._bodies.get((host, path))

    def _key(self, number: int) -> tuple[str, str]:
        return f"h{number % _HOSTS}.example:{self.port}", f"/{number}.html"

    def _links(self, number: int, rng: random.Random) -> list[int]:
        return [n for n in (2 * number + 1, 2 * number + 2) if n < _PAGES] + rng.sample(range(_PAGES), 5)


class Soak:
    """Crawls with one site, one server and one source of randomness."""

    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        self._width, self._folder = given.width, folder
        self._rng = random.Random(given.seed)
        self._site = Site(self._rng)
        (folder / "topic.json").write_text('{"name": "rain", "weights": {"rain": 1.0}}')
        (folder / "sitecustomize.py").write_text(_SITE)

    def crawl(self, out: Path, fault: str) -> str:
        """Crawl to the end with a fault; return what happened."""
        self._site.asked.clear()
        before = _limits(fault)
        process = self._start(out, before)
        moment = self._rng.randrange(1, _PAGES * 2 // 3)
        while _visits(out) < moment and process.poll() is None:
            time.sleep(0.01)
        kills = lost = 0
        if process.poll() is None:
            kills, lost = getattr(self, f"_{fault}", lambda process, out: (0, 0))(process, out)
        said = process.communicate()[1].decode()
        if process.returncode:
            assert kills or process.returncode == 3 or fault == "files", said
            process = self._start(out, None)
            said = process.communicate()[1].decode()
        assert process.returncode == 0, said
        again = self._check(out, self._width * (kills + (fault == "disk")) + lost)
        return f"{again} pages requested again"

    def _start(self, out: Path, before: Callable[[], None] | None) -> "subprocess.Popen[bytes]":
        files = ("--topic", self._folder / "topic.json", "--seeds", self._site.url(0), "--out", out)
        how = ("--allow-private", "--delay", "0.05", "--strategy", "bfs", "--width", str(self._width))
        command: list[str | Path] = [_SCRIPTS / "fcwseo", "crawl", *files, *how, "--max-pages", "1000"]
        more = {
            "SOAK": str(self._folder),
            "PYTHONPATH": str(self._folder),
            "FCWSEO_LIVE__DEADLINE": str(_DEADLINE),
            "FCWSEO_LIVE__ADDRESS_DELAY": "0",
            "FCWSEO_LIVE__MIN_FREE": "1M",
        }
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=os.environ | more, preexec_fn=before, **pipes)  # type: ignore[call-overload,no-any-return]

    def _kill(self, process: "subprocess.Popen[bytes]", out: Path) -> tuple[int, int]:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return 1, 0

    def _cut(self, process: "subprocess.Popen[bytes]", out: Path) -> tuple[int, int]:
        """Kill it, and cut or garble the end of a file."""
        self._kill(process, out)
        before = _visits(out)
        name = self._rng.choice(["visits.jsonl", "pages.jsonl", "warc/fcwseo-00000.warc.gz"])
        data = (out / name).read_bytes()
        length = min(len(data), self._rng.randrange(1, 5000))
        tail = self._rng.choice([b"", bytes(length), self._rng.randbytes(length)])
        (out / name).write_bytes(data[: len(data) - length] + tail)
        return 1, before

    def _stop(self, process: "subprocess.Popen[bytes]", out: Path) -> tuple[int, int]:
        process.send_signal(signal.SIGSTOP)
        time.sleep(_DEADLINE + 2)
        process.send_signal(signal.SIGCONT)
        return 0, self._width

    def _names(self, process: "subprocess.Popen[bytes]", out: Path) -> tuple[int, int]:
        (self._folder / "no-names").touch()
        time.sleep(_OUTAGE)
        (self._folder / "no-names").unlink()
        return 0, 0

    def _drop(self, process: "subprocess.Popen[bytes]", out: Path) -> tuple[int, int]:
        self._site.drops = True
        time.sleep(_OUTAGE)
        self._site.drops = False
        return 0, self._width

    def _parser(self, process: "subprocess.Popen[bytes]", out: Path) -> tuple[int, int]:
        for _ in range(2):
            for child in _children(process.pid):
                os.kill(child, signal.SIGKILL)
            time.sleep(0.3)
        return 0, 0

    def _clock(self, process: "subprocess.Popen[bytes]", out: Path) -> tuple[int, int]:
        (self._folder / "clock").touch()
        process.wait()
        (self._folder / "clock").unlink()
        return 0, 0

    def _check(self, out: Path, most: int) -> int:
        rows = list(read_visits(out))
        urls = Counter(row.url for row in rows)
        assert max(urls.values()) == 1, "a link was visited twice"
        pages = {row.url for row in rows if row.outcome == PAGE}
        lost = {self._site.url(number) for number in range(_PAGES)} - pages
        assert not lost, f"{len(lost)} pages were lost: {[row for row in rows if row.url in lost][:3]}"
        again = sum(count - 1 for count in self._site.asked.values())
        assert again <= most, f"{again} pages were requested again, more than {most}"
        _check_files(out)
        kept = [json.loads(line)["id"] for line in (out / "pages.jsonl").read_text().splitlines()]
        assert len(kept) == len(set(kept)) == sum(row.kept for row in rows), "kept pages"
        return again


def _limits(fault: str) -> Callable[[], None] | None:
    """What a process does to itself before it becomes a crawl."""
    if fault == "files":
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48))
    if fault == "disk":

        def full() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

        return full
    return None


def _children(pid: int) -> list[int]:
    """The processes that a process started."""
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in found.read_text().split()] if found.exists() else []


def _check_files(out: Path) -> None:
    """Check that both checkers accept the archive, once opened for continuing."""
    places = [row.warc for row in read_visits(out) if row.warc is not None]
    Archive(out / "warc", places).close()
    for file in sorted((out / "warc").glob("*.warc.gz")):
        for checker in ("fastwarc", "warcio"):
            done = subprocess.run([_SCRIPTS / checker, "check", file], capture_output=True, check=False)
            assert done.returncode == 0, f"{checker} check {file}: {done.stderr.decode()}"


def _visits(out: Path) -> int:
    try:
        return (out / "visits.jsonl").read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


FAULTS = ("kill", "stop", "names", "drop", "disk", "parser", "clock", "cut", "files")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--crawls", type=int, default=120)
    parser.add_argument("--faults", default=",".join(FAULTS))
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    soak, faults = Soak(given, folder), given.faults.split(",")
    for number in range(given.crawls):
        began = time.monotonic()
        fault = faults[number % len(faults)]
        found = soak.crawl(folder / f"run-{number}", fault)
        print(
            f"{number + 1}/{given.crawls} {fault}: whole, {found}, {time.monotonic() - began:.0f} s",
            flush=True,
        )
        shutil.rmtree(folder / f"run-{number}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
