"""Files that are written whole, and what else a name may lead to."""

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from oracle.files import Unreadable, write_pieces, write_whole


def test_what_a_link_points_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "target.json", tmp_path / "link.json"
    link.symlink_to(target)
    for text in ("not there before", "there before"):
        write_whole(link, text)
        assert link.is_symlink()
        assert target.read_text() == text
    assert [*(tmp_path / "far").iterdir()] == [target]


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        read: list[str] = []
        reader = threading.Thread(target=lambda read=read: read.append(pipe.read_text()))
        reader.start()
        write_whole(path, "words \ud800\n")
        reader.join()
        assert read == ["words \\ud800\n"]
        assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert link.is_symlink()


def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    sink = tmp_path / "sink"
    try:
        os.mknod(sink, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        write_whole(sink, "words")
    except (PermissionError, Unreadable):
        pytest.skip("no devices can be made and written here")
    assert stat.S_ISCHR(sink.lstat().st_mode)
    assert [*tmp_path.iterdir()] == [sink]


def test_links_in_a_circle_cost_one_line(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.symlink_to(other)
    other.symlink_to(one)
    with pytest.raises(Unreadable, match="one: too many levels of symbolic links"):
        write_whole(one, "words")


def test_an_interrupt_while_a_file_is_written_leaves_the_old_one(tmp_path: Path) -> None:
    def pieces() -> Iterator[str]:
        yield "new"
        raise KeyboardInterrupt

    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write_pieces(path, pieces())
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]
