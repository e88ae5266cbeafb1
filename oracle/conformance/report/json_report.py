"""The reports for programs: one JSON file whole at the end, or JSON lines as results come."""

from collections.abc import Iterator
from contextlib import closing

from oracle import __version__
from oracle.conformance.compare import ABSENT
from oracle.conformance.report.base import FileReport, Json, Spool
from oracle.conformance.run import Run
from oracle.conformance.verdicts import VERDICTS, Result, refusal
from oracle.files import Unreadable, write_pieces
from oracle.strict_json import dumps

SCHEMA = "urn:trick-oracle:schema:report:1"
FORMAT = 1

#: Differences beyond these follow from the first ones.
_MOST_DIFFERENCES = 20


def case_record(result: Result) -> Json:
    """What the report says of one case."""
    record: Json = {
        "id": result.case.id,
        "game": result.case.game,
        "op": result.case.op,
        "clauses": list(result.case.clauses),
        "verdict": result.verdict,
        "milliseconds": round(result.seconds * 1000),
    }
    if result.differences:
        record["differences"] = [
            {
                "pointer": difference.pointer,
                **{
                    name: value
                    for name, value in (
                        ("expected", difference.expected),
                        ("actual", difference.actual),
                        ("clause", refusal(result.case, difference) or ABSENT),
                    )
                    if value is not ABSENT
                },
            }
            for difference in result.differences[:_MOST_DIFFERENCES]
        ]
    if result.message:
        record["message"] = result.message
    if result.stderr:
        record["stderr"] = result.stderr
    return record


def run_record(report: FileReport, run: Run | None, exit_code: int) -> Json:
    """What the report says of the run as a whole: everything but its cases."""
    return {
        "$schema": SCHEMA,
        "format": FORMAT,
        "oracle": __version__,
        "suite": __version__,
        "date": report.began.isoformat(timespec="seconds"),
        "engine": dict(run.claims.engine) if run else None,
        "command": report.command,
        "rules": report.rules,
        "totals": {verdict: run.verdicts[verdict] if run else 0 for verdict in VERDICTS},
        "clauses": {
            clause: {"pass": counts["pass"], "fail": counts["fail"]}
            for clause, counts in sorted(run.clauses.items() if run else ())
        },
        "not_checked": [
            {"why": why, "cases": count}
            for why, count in sorted(run.not_asked.items() if run else ())
        ],
        "faults": list(run.faults) if run else [],
        "unknown_fields": run.unknown_fields if run else 0,
        "seconds": round(run.seconds) if run else 0,
        "exit": exit_code,
    }


class JsonReport(FileReport):
    """``.json``: one object, as report.schema.json describes it."""

    def begin(self) -> None:
        """Open the spool of cases."""
        self._cases = Spool()

    def add(self, result: Result) -> None:
        """Take down the result of a case."""
        self._cases.add(dumps(case_record(result)) + "\n")

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report; raises Unreadable when the place can't be written."""
        with closing(self._cases):
            write_pieces(self.path, self._pieces(run, exit_code))

    def _pieces(self, run: Run | None, exit_code: int) -> Iterator[str]:
        yield "{\n"
        for name, value in run_record(self, run, exit_code).items():
            yield f"{dumps(name)}: {dumps(value)},\n"
        yield '"cases": ['
        for number, line in enumerate(self._cases):
            yield (",\n" if number else "\n") + line.rstrip("\n")
        yield "\n]\n}\n"


class JsonLines(FileReport):
    """``.jsonl``: a line for each case as soon as its verdict is there, and in the end one line
    ``{"summary": …}`` with everything else that ``.json`` holds."""

    def begin(self) -> None:
        """Open the file at once; raises Unreadable when the place can't be written."""
        try:
            # Stays open until finish.
            self._file = self.path.open(
                "w", encoding="utf-8", errors="backslashreplace", newline="\n"
            )
        except OSError as error:
            raise self._unwritable(error) from None

    def add(self, result: Result) -> None:
        """Write the line of a case."""
        self._write(case_record(result))

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the last line; raises Unreadable when it can't be written."""
        with closing(self._file):
            self._write({"summary": run_record(self, run, exit_code)})

    def _write(self, record: Json) -> None:
        try:
            self._file.write(dumps(record) + "\n")
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> Unreadable:
        reason = (error.strerror or "can't be written").lower()
        return Unreadable(f"{self.path}: {reason}")
