"""What all reports that go to a file are made with, and where they keep results meanwhile."""

import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from oracle.conformance.report.words import again
from oracle.conformance.run import Run
from oracle.conformance.verdicts import Result

Json = dict[str, Any]


class FileReport:
    """A report under way: made when the run begins, given every result, written at its end."""

    def __init__(
        self,
        path: Path,
        command: Sequence[str],
        rules: dict[str, Json],
        options: Sequence[str] = (),
    ) -> None:
        """``command`` started the engine, ``rules`` are the options asked for by game, and
        ``options`` the words of the command line that a case needs to be run again."""
        self.path = path
        self.command = list(command)
        self.rules = rules
        self.options = tuple(options)
        self.began = datetime.now(UTC)
        self.begin()

    def begin(self) -> None:
        """Make ready for results; a kind of report that needs nothing leaves it as it is."""

    def again(self, result: Result) -> str:
        """The command that runs the case of a result again."""
        return again(result.case.id, self.command, self.options)

    def add(self, result: Result) -> None:
        """Take down the result of a case."""
        raise NotImplementedError

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report (``run`` is None when there was no handshake); raises Unreadable."""
        raise NotImplementedError


class Spool:
    """Text put by on disk while a run goes on, so that no report holds its results in memory."""

    def __init__(self) -> None:
        # Lives as long as the report: close ends it.
        self._file: IO[str] = tempfile.TemporaryFile(  # noqa: SIM115
            "w+", encoding="utf-8", errors="backslashreplace", newline="\n"
        )

    def add(self, text: str) -> None:
        """Put a text by."""
        self._file.write(text)

    def __iter__(self) -> Iterator[str]:
        """What has been put by, line by line with its line ends."""
        self._file.seek(0)
        yield from self._file

    def close(self) -> None:
        """Have done with it."""
        self._file.close()
