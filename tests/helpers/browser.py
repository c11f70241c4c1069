"""A real browser, which reaches nobody: what it complains of, and where it puts what."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

_QUIET = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking"
_MORE = "--disable-component-update --enable-logging=stderr --dump-dom --allow-file-access-from-files"


def _opened(page: Path, profile: Path, *more: str) -> tuple[str, list[str]]:
    """The document of a page, and what it writes into the console."""
    command = [str(CHROMIUM), *_QUIET.split(), *_MORE.split(), f"--user-data-dir={profile}", *more]
    command += ["--host-resolver-rules=MAP * ~NOTFOUND", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert "</html>" in done.stdout
    return done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE" in line]


def said_in_console(page: Path, profile: Path) -> list[str]:
    """What a browser writes into its console when it opens a page."""
    return _opened(page, profile)[1]


# Around the page, which keeps its own policy.
_FRAME = (
    '<!doctype html><html><body><iframe id="f" src="%PAGE%" width="%WIDTH%" height="1200"></iframe>'
    '<pre id="found"></pre><script>%SCRIPT%</script></body></html>'
)
_SCRIPT = Path(__file__).parents[1] / "data" / "look.js"


def boxes(page: Path, folder: Path, *, width: int) -> dict[str, Any]:
    """What a browser shows of a page in a window of that width: its width, whether it scrolls sideways,
    pictures, names in pictures that collide or are cut, before and after all chips are pressed, and the
    colours of its ground in both modes.
    """
    frame = folder / "frame.html"
    values = {"PAGE": page.as_uri(), "WIDTH": str(width), "SCRIPT": _SCRIPT.read_text(encoding="utf-8")}
    html = _FRAME
    for name, value in values.items():
        html = html.replace(f"%{name}%", value)
    frame.write_text(html, encoding="utf-8")
    document, console = _opened(
        frame, folder / "profile", "--virtual-time-budget=5000", "--window-size=1600,1400"
    )
    found = re.search(r'<pre id="found">(.+?)</pre>', document)
    assert found, document[-500:]
    return {**json.loads(unescape(found[1])), "console": console}
