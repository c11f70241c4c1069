"""Writing so that nothing is half-written: files that appear whole, and lines that are appended whole."""

import errno
import fcntl
import os
import tempfile
from pathlib import Path
from typing import BinaryIO

from platformdirs import user_cache_path

from fcwseo.errors import FcwseoError, InvalidInput, NoSpace, RunLocked

_FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def io_error(path: Path | str, error: OSError) -> FcwseoError:
    """What to tell the user when a file cannot be written."""
    if error.errno in _FULL:
        return NoSpace(
            f"no space left to write {path} ({error.strerror}): make room and run the same command again"
        )
    return InvalidInput(f"cannot write {path}: {error.strerror}")


def lock(folder: Path, doing: str) -> BinaryIO:
    """The folder for this process alone, until the file is closed; ``doing`` is what another one is at."""
    try:
        file = (folder / ".lock").open("ab")
    except OSError as error:
        raise io_error(folder, error) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise RunLocked(f"another process is {doing} into {folder}: wait for it or name another") from error
    return file


def append(file: BinaryIO, line: bytes) -> None:
    """Append a line to an unbuffered file, whole or not at all."""
    start = os.fstat(file.fileno()).st_size
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[os.write(file.fileno(), rest) :]
    except OSError as error:
        os.ftruncate(file.fileno(), start)
        raise io_error(file.name, error) from error


def atomically(path: Path, content: bytes) -> None:
    """Write a file so that whoever reads it sees the old content or the new one."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise io_error(path, error) from error


def cache_folder() -> Path:
    """Where parsed webs and vectors are kept between crawls."""
    named = os.environ.get("FCWSEO_CACHE")
    return Path(named) if named else user_cache_path("fcwseo")
