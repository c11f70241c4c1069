"""Atomic writes: a reader sees a whole file or a whole line, or none of it."""

import errno
import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from platformdirs import user_cache_path

from fcwseo.errors import FcwseoError, InvalidInput, NoSpace, RunLocked

_LONGEST_LINE = 64 << 20  # bytes; a line of ours has at most a page, in JSON
_TRIES, _PAUSE = 3, 0.02  # of locking a folder; seconds
_FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def io_error(path: Path | str, error: OSError) -> FcwseoError:
    """The error to raise when writing ``path`` fails: ``NoSpace`` for a full disk, else ``InvalidInput``.

    >>> type(io_error("a.txt", OSError(errno.ENOSPC, "No space left on device"))).__name__
    'NoSpace'
    >>> io_error("a.txt", OSError(errno.EACCES, "Permission denied"))
    InvalidInput('cannot write a.txt: Permission denied')
    """
    if error.errno in _FULL:
        return NoSpace(f"no space left to write {path} ({error.strerror}): free some space and run it again")
    return InvalidInput(f"cannot write {path}: {error.strerror}")


def lock(folder: Path, doing: str) -> BinaryIO:
    """Lock a folder for this process until the returned file is closed.

    Raises ``RunLocked`` if another process holds the lock; ``doing`` names its work in the message.
    """
    try:
        file = (folder / ".lock").open("ab")
    except OSError as error:
        raise io_error(folder, error) from error
    for left in reversed(range(_TRIES)):  # a reader that asks whether it is locked locks it for a moment
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except OSError as error:
            if not left:
                file.close()
                raise RunLocked(
                    f"another process is {doing} into {folder}: wait until it ends, or name another folder"
                ) from error
        time.sleep(_PAUSE)
    raise AssertionError


def is_locked(folder: Path) -> bool:
    """Whether a process holds the lock of a folder."""
    try:
        with (folder / ".lock").open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def append(file: BinaryIO, line: bytes) -> None:
    """Append a line to an unbuffered file: all of it, or nothing if this raises."""
    start = os.fstat(file.fileno()).st_size
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[os.write(file.fileno(), rest) :]
    except OSError as error:
        os.ftruncate(file.fileno(), start)
        raise io_error(file.name, error) from error


class EndlessLine(ValueError):
    """A line that is longer than any line of ours."""


def whole_lines(file: BinaryIO, *, longest: int = _LONGEST_LINE) -> Iterator[bytes]:
    """The lines of a file, without an incomplete last one. A file of somebody else may have a line without an
    end, of which no more than ``longest`` bytes are read.

    Raises ``EndlessLine``.
    """
    while line := file.readline(longest):
        if line.endswith(b"\n"):
            yield line
        elif len(line) == longest:
            raise EndlessLine(f"it is longer than {longest:,} bytes")


def sync(file: BinaryIO) -> None:
    """Return when the content of a file is on the disk, where it outlives a power cut."""
    try:
        os.fsync(file.fileno())
    except OSError as error:
        raise io_error(file.name, error) from error


def sync_folder(folder: Path) -> None:
    """Return when the names of the files in a folder are on the disk, where the system can do that."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass  # some file systems cannot sync folders
    finally:
        os.close(handle)


def atomically(path: Path, content: bytes) -> None:
    """Replace a file; a reader sees either the old content or the new one, also after a power cut."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
            sync_folder(path.parent)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise io_error(path, error) from error


def cache_folder() -> Path:
    """The folder that caches parsed webs and vectors: ``FCWSEO_CACHE``, or the user's cache folder."""
    named = os.environ.get("FCWSEO_CACHE")
    return Path(named) if named else user_cache_path("fcwseo")
