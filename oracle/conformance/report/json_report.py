"""The report for programs: one JSON file, its cases written as they come so that none are held."""

import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from oracle import __version__
from oracle.conformance.compare import ABSENT
from oracle.conformance.run import VERDICTS, Result, Run
from oracle.files import write_pieces
from oracle.strict_json import dumps

SCHEMA = "urn:trick-oracle:schema:report:1"
FORMAT = 1

Json = dict[str, Any]


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


#: Differences beyond these follow from the first ones.
_MOST_DIFFERENCES = 20


class JsonReport:
    """A report under way: results go to a spool, and the file is written whole at the end."""

    def __init__(self, path: Path, command: Sequence[str], rules: dict[str, Json]) -> None:
        self._path = path
        self._command = list(command)
        self._rules = rules
        self._began = datetime.now(UTC)
        # Lives as long as the report: finish closes it.
        self._spool: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115

    def add(self, result: Result) -> None:
        """Take down the result of a case."""
        self._spool.write(dumps(case_record(result)) + "\n")

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report; raises Unreadable when the place can't be written."""
        write_pieces(self._path, self._pieces(run, exit_code))
        self._spool.close()

    def _pieces(self, run: Run | None, exit_code: int) -> Iterator[str]:
        head: Json = {
            "$schema": SCHEMA,
            "format": FORMAT,
            "oracle": __version__,
            "suite": __version__,
            "date": self._began.isoformat(timespec="seconds"),
            "engine": dict(run.claims.engine) if run else None,
            "command": self._command,
            "rules": self._rules,
            "totals": {verdict: run.verdicts[verdict] if run else 0 for verdict in VERDICTS},
            "clauses": {
                clause: {"pass": counts["pass"], "fail": counts["fail"]}
                for clause, counts in sorted(run.clauses.items() if run else ())
            },
            "not_checked": [
                {"why": why, "cases": count}
                for why, count in sorted(run.not_asked.items() if run else ())
            ],
            "unknown_fields": run.unknown_fields if run else 0,
            "seconds": round(run.seconds) if run else 0,
            "exit": exit_code,
        }
        yield "{\n"
        for name, value in head.items():
            yield f"{dumps(name)}: {dumps(value)},\n"
        yield '"cases": ['
        self._spool.seek(0)
        for number, line in enumerate(self._spool):
            yield (",\n" if number else "\n") + line.rstrip("\n")
        yield "\n]\n}\n"
