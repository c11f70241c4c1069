"""A server of a web in a process of its own, for crawls of the live web on loopback."""

import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(web: str | Path, *, log: Path | None = None) -> Iterator[int]:
    """The port of a server in a separate process, once it responds."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sysconfig.get_path("scripts")) / "fcwseo"), "-q", "web", "serve", str(web)]
    logging = [] if log is None else ["--log", str(log)]
    server = subprocess.Popen([*command, "--port", str(port), *logging])
    try:
        while not _answers(port):
            if server.poll() is not None:
                sys.exit(f"the server of {web} has ended with {server.returncode}")
            time.sleep(0.2)
        yield port
    finally:
        server.terminate()
        server.wait()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True
