"""Writing: whole or not at all."""

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from fcwseo.errors import InvalidInput, NoSpace
from fcwseo.files import append, atomically, io_error

LIMITED = """
import resource, sys
from pathlib import Path
from fcwseo.errors import NoSpace
from fcwseo.files import append, atomically
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
path = Path(sys.argv[1])
try:
    {writing}
except NoSpace as error:
    print(error.exit_code, error)
"""


def run_out_of_space(path: Path, writing: str) -> str:
    """What is said when a file may have a thousand bytes."""
    program = LIMITED.format(writing=writing)
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_lines_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"old\n")
    with path.open("ab", buffering=0) as file:
        append(file, b"one\n")
        append(file, b"")
        append(file, b"two" * 100_000 + b"\n")
    assert path.read_bytes() == b"old\none\n" + b"two" * 100_000 + b"\n"


def test_a_line_that_finds_no_space_is_not_there_at_all(tmp_path: Path) -> None:
    path = tmp_path / "log"
    writing = "[append(path.open('ab', buffering=0), b'x' * 299 + b'\\n') for _ in range(9)]"
    assert run_out_of_space(path, writing).startswith(f"3 no space left to write {path}")
    assert path.read_bytes() == (b"x" * 299 + b"\n") * 3  # and not the hundred bytes that there was space for


@pytest.mark.slow
def test_what_was_appended_before_the_space_ran_out_stays_readable(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"kept\n")
    assert "free some space" in run_out_of_space(path, "append(path.open('ab', buffering=0), b'x' * 5000)")
    assert path.read_bytes() == b"kept\n"


def test_a_file_that_cannot_be_appended_to_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"old")
    with path.open("rb", buffering=0) as file, pytest.raises(OSError):  # noqa: PT011 (systems differ)
        append(file, b"new")
    assert path.read_bytes() == b"old"


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    atomically(path, b"one")
    atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o644


def test_readers_see_the_old_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    contents = [bytes([letter]) * 200_000 for letter in b"abc"]
    atomically(path, contents[0])
    seen: list[bytes] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.append(path.read_bytes())

    reader = threading.Thread(target=look)
    reader.start()
    for number in range(30):
        atomically(path, contents[number % 3])
    done.set()
    reader.join()
    assert set(seen) <= set(contents)


@pytest.mark.slow
def test_a_file_that_finds_no_space_is_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(b"old")
    said = run_out_of_space(path, "atomically(path, b'x' * 5000)")
    assert said.startswith(f"3 no space left to write {path}")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["none/run.json", "file/run.json", "folder"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder" / "full").mkdir(parents=True)
    with pytest.raises(InvalidInput, match=f"cannot write {tmp_path / name}: ") as error:
        atomically(tmp_path / name, b"x")
    assert error.value.exit_code == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_an_interrupted_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "run.json"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        atomically(path, b"new")
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_has_an_exit_code_of_its_own(number: int) -> None:
    assert isinstance(io_error("x", OSError(number, os.strerror(number))), NoSpace)
    assert not isinstance(io_error("x", OSError(errno.EACCES, "denied")), NoSpace)
