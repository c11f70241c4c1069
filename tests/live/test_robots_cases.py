"""Google's cases for readers of robots.txt, through our path from bytes and address to verdict.

The cases (google/robotstxt-spec-test) lie beside the project and are not part of it. Where ours differs is
written down in docs/robots.md.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.sources import TREE
from protego import Protego

from fcwseo.live.robots import Rules

CASES = TREE.parent / "shared" / "external" / "robots"
_TOKEN = re.compile(r'(\w+)\s*:\s*((?:"(?:[^"\\]|\\.)*"\s*)+|\w+)|#[^\n]*')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


class RobotsCase(NamedTuple):
    robots: bytes
    url: str
    agent: str
    allowed: bool


def text(literals: str) -> bytes:
    """The bytes of string literals that stand one after the other.

    >>> text('"a\\\\n" "\\\\xEF"')
    b'a\\n\\xef'
    """
    parts = _STRING.findall(literals)
    return b"".join(part.encode().decode("unicode_escape").encode("latin-1") for part in parts)


def cases(path: Path) -> Iterator[RobotsCase]:
    robots, url, agent = b"", "", ""
    for match in _TOKEN.finditer(path.read_text(encoding="utf-8")):
        match match[1]:
            case "robotstxt":
                robots = text(match[2])
            case "testurl":
                url = text(match[2]).decode("utf-8", "replace")
            case "useragent":
                agent = text(match[2]).decode()
            case "expected_outcome":
                yield RobotsCase(robots, url, agent, match[2] == "ALLOWED")


def is_right(case: RobotsCase) -> bool:
    rules = Protego.parse(case.robots.decode("utf-8-sig", "replace").lstrip("\ufffd"))
    return Rules(rules, 0.0).allows(case.url, token=case.agent) is case.allowed


# How many cases of each file ours answers otherwise.
DIFFERENT = {"non-ascii-paths": 3, "user-agent-name": 8}


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases of google/robotstxt-spec-test are not beside us")
def test_all_cases_but_those_written_down() -> None:
    found = {path.stem: list(cases(path)) for path in sorted(CASES.glob("*.textproto"))}
    assert sum(map(len, found.values())) > 100
    wrong = {name: [case for case in of if not is_right(case)] for name, of in found.items()}
    assert {name: len(of) for name, of in wrong.items() if of} == DIFFERENT, wrong


def test_the_reader_reads() -> None:
    line = b"User-agent: foo\nDisallow: /a"
    assert is_right(RobotsCase(line, "http://a.example/a", "foo", False))
    assert not is_right(RobotsCase(line, "http://a.example/b", "foo", False))
