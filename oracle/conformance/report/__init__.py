"""What a run has to say: for a person at a terminal, and in files for other programs.

A report is given every result with ``add`` as it comes, and ``finish`` when the run is over. One
that goes to a file is made with its path, the engine's command, the rules of the run and the
options that a case needs to be run again (``FileReport``); its suffix names its kind.
"""

from pathlib import Path
from typing import Protocol

from oracle.conformance.report.badge import BadgeReport
from oracle.conformance.report.base import FileReport
from oracle.conformance.report.html import HtmlReport
from oracle.conformance.report.json_report import JsonLines, JsonReport
from oracle.conformance.report.junit import JUnitReport
from oracle.conformance.report.markdown import MarkdownReport
from oracle.conformance.report.tap import TapReport
from oracle.conformance.run import Run
from oracle.conformance.verdicts import Result


class Report(Protocol):
    """A report under way."""

    def add(self, result: Result) -> None:
        """Take down the result of a case; keeps nothing that grows with the run in memory."""

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report (``run`` is None when there was no handshake); raises Unreadable."""


#: The kinds of report by suffix.
KINDS: dict[str, type[FileReport]] = {
    ".json": JsonReport,
    ".jsonl": JsonLines,
    ".xml": JUnitReport,
    ".tap": TapReport,
    ".md": MarkdownReport,
    ".html": HtmlReport,
    ".badge.json": BadgeReport,
}


def kind_of(path: Path) -> type[FileReport] | None:
    """The kind of report that a path asks for by its suffix, the longest that fits."""
    fitting = [suffix for suffix in KINDS if path.name.endswith(suffix)]
    return KINDS[max(fitting, key=len)] if fitting else None
