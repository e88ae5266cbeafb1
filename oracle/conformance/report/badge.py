"""``.badge.json``: what a shields.io endpoint badge is drawn from."""

from oracle.conformance.report.base import FileReport
from oracle.conformance.report.words import failures
from oracle.conformance.run import Run
from oracle.conformance.verdicts import EXPECTED_FAILURE, Result
from oracle.files import write_whole
from oracle.strict_json import dumps


class BadgeReport(FileReport):
    """A small JSON object: a label, a message and a colour."""

    def begin(self) -> None:
        """Note which games there are."""
        self._games: set[str] = set()

    def add(self, result: Result) -> None:
        """Note the game of a case."""
        self._games.add(result.case.game)

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report; raises Unreadable when the place can't be written."""
        message, color = _said(run, exit_code)
        label = f"{next(iter(self._games))} rules" if len(self._games) == 1 else "rules"
        badge = {"schemaVersion": 1, "label": label, "message": message, "color": color}
        write_whole(self.path, dumps(badge) + "\n")


def _said(run: Run | None, exit_code: int) -> tuple[str, str]:
    if run is None:
        return "no handshake", "red"
    if not run.executed:
        return "not checked", "lightgrey"
    known = run.verdicts[EXPECTED_FAILURE]
    passed = f"{run.executed - failures(run) - known}/{run.executed}"
    if known:
        passed += f", {known} known"
    if exit_code == 130:
        return f"interrupted at {passed}", "lightgrey"
    return passed, "red" if exit_code else "yellow" if known else "brightgreen"
