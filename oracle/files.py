"""Files read with one-line errors, and written whole or not at all."""

import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path


class Unreadable(ValueError):
    """A file that can't be read or isn't what it should be; one line that names it."""


def read_bytes(path: Path) -> bytes:
    """The bytes of a file; raises Unreadable."""
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "can't be read").lower()
        raise Unreadable(f"{path}: {reason}") from None


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that a reader finds the old one or the new one, never a part.

    What a link points to is written, and the link stays. A device or a pipe is written to as it
    is. Raises Unreadable when the place can't be written.
    """
    write_pieces(path, [text])


def write_pieces(path: Path, pieces: Iterable[str]) -> None:
    """``write_whole`` for a text that comes in pieces."""
    try:
        if _is_regular(path):
            _replace(path.resolve(), pieces)
        else:
            _write(path, pieces)
    except OSError as error:
        reason = (error.strerror or "can't be written").lower()
        raise Unreadable(f"{path}: {reason}") from None


def _is_regular(path: Path) -> bool:
    """Whether a path leads to a file that may be replaced, or to none yet."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True


def _replace(path: Path, pieces: Iterable[str]) -> None:
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        _write(descriptor, pieces)
        # mkstemp makes files that only their owner may read.
        mask = os.umask(0)
        os.umask(mask)
        Path(beside).chmod(0o666 & ~mask)
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _write(file: int | Path, pieces: Iterable[str]) -> None:
    # What UTF-8 can't hold (a lone surrogate in an engine's words) is written as its escape.
    with open(file, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as opened:  # noqa: PTH123
        opened.writelines(pieces)


def make_folder(path: Path) -> None:
    """Make a folder, with those above it, if it isn't there; raises Unreadable."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unreadable(f"{path}: {(error.strerror or 'cannot be made').lower()}") from None
