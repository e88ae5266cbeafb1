"""What a run has to say: for a person at a terminal, and in files for other programs.

A report is made with the path that it goes to, the engine's command and the rules of the run;
it is given every result with ``add`` and written whole by ``finish``. Its suffix names its kind.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from oracle.conformance.report.json_report import JsonReport
from oracle.conformance.run import Result, Run


class Report(Protocol):
    """A report file under way."""

    def __init__(
        self, path: Path, command: Sequence[str], rules: dict[str, dict[str, Any]]
    ) -> None: ...

    def add(self, result: Result) -> None:
        """Take down the result of a case; keeps nothing that grows with the run in memory."""

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report whole (``run`` is None when there was no handshake); raises Unreadable."""


#: The kinds of report by suffix.
KINDS: dict[str, type[Report]] = {".json": JsonReport}
