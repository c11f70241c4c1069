"""Writing so that nothing is half-written: files that appear whole, and lines that are appended whole."""

import errno
import os
import tempfile
from pathlib import Path
from typing import BinaryIO

from fcwseo.errors import FcwseoError, InvalidInput, NoSpace

_FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def trouble(path: Path | str, error: OSError) -> FcwseoError:
    """What to tell the user when a file cannot be written."""
    if error.errno in _FULL:
        return NoSpace(
            f"no space left to write {path} ({error.strerror}): make room and run the same command again"
        )
    return InvalidInput(f"cannot write {path}: {error.strerror}")


def append(file: BinaryIO, line: bytes) -> None:
    """Append a line to an unbuffered file, whole or not at all."""
    start = os.fstat(file.fileno()).st_size
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[os.write(file.fileno(), rest) :]
    except OSError as error:
        os.ftruncate(file.fileno(), start)
        raise trouble(file.name, error) from error


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
        raise trouble(path, error) from error
