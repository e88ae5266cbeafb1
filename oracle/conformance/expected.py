"""Failures that a person expects: a TOML file that names cases and says why each fails.

    [[expected]]
    case = "hearts/moon/shot-by-seat-2"
    reason = "issue 12: moons are not scored yet"

A case is an id, or a pattern in which ``*`` stands for anything. An id promises a failure: if
its case passes, that is an ``unexpected-pass``. A pattern only allows failures, so cases that
pass under it just pass. An entry under which no case fails is stale, and a run with a stale
entry is not as expected. What was left out of the run, or not reached, makes nothing stale.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from oracle import strict_json
from oracle.conformance.verdicts import (
    EXPECTED_FAILURE,
    NOT_RUN,
    PASS,
    UNEXPECTED_PASS,
    UNSUPPORTED,
    VERDICTS,
    Result,
)
from oracle.files import Unreadable, read_bytes, write_whole

#: A reason that is written for a person is no longer than this.
_LONGEST_REASON = 200


@dataclass
class Entry:
    """One entry of the file, and what its cases have come to."""

    case: str
    reason: str
    failures: int = 0
    passed: bool = False
    #: Some case under it was not judged.
    open: bool = False

    @property
    def is_pattern(self) -> bool:
        """Whether it stands for any number of cases."""
        return any(mark in self.case for mark in "*?[")


class Expected:
    """The expected failures of a run, and those that it finds."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries = {entry.case: entry for entry in entries}
        self._patterns = [entry for entry in self._entries.values() if entry.is_pattern]
        self._failures: dict[str, str] = {}

    def entry_for(self, case_id: str) -> Entry | None:
        """The entry that speaks of a case: the one with its id, or the first pattern that fits."""
        entry = self._entries.get(case_id)
        if entry is None:
            fitting = (each for each in self._patterns if fnmatchcase(case_id, each.case))
            entry = next(fitting, None)
        return entry

    def leave_out(self, case_id: str) -> None:
        """Take note of a case that is not part of the run."""
        if entry := self.entry_for(case_id):
            entry.open = True

    def judge(self, result: Result) -> Result:
        """A result in the light of what was expected."""
        entry = self.entry_for(result.case.id)
        if entry is None:
            if result.failed:
                self._failures[result.case.id] = _reason(result)
            return result
        if result.verdict in (NOT_RUN, UNSUPPORTED):
            entry.open = True
        elif result.failed:
            entry.failures += 1
            self._failures[entry.case] = entry.reason
            told = f" ({result.message})" if result.message else ""
            message = f"expected: {entry.reason}{told}"
            return replace(result, verdict=EXPECTED_FAILURE, message=message)
        elif result.verdict == PASS:
            entry.passed = True
            if not entry.is_pattern:
                message = f"expected to fail: {entry.reason}"
                return replace(result, verdict=UNEXPECTED_PASS, message=message)
        return result

    def stale(self) -> Iterator[str]:
        """The entries under which nothing fails any more, a line each."""
        for entry in self._entries.values():
            if entry.failures or entry.open or (entry.passed and not entry.is_pattern):
                continue
            why = "all its cases pass" if entry.passed else "no case that was asked is like that"
            yield f"the expected failure {strict_json.quote(entry.case)} is stale: {why}"

    def wide(self) -> Iterator[str]:
        """The patterns under which several cases failed, a line each: how many they hide."""
        for entry in self._patterns:
            if entry.failures > 1:
                yield (
                    f"expected: {entry.failures} failures under {strict_json.quote(entry.case)} "
                    f"({strict_json.shorten(entry.reason, _LONGEST_REASON)})"
                )

    def write(self, path: Path) -> int:
        """Write a file that expects the failures of this run, under the entries that spoke of
        them already; entries that were not judged stay. How many entries there are. Raises
        Unreadable."""
        kept = {
            entry.case: entry.reason
            for entry in self._entries.values()
            if entry.open and not entry.failures
        }
        lines = ["# Failures that are expected, and why (oracle check --expected).", ""]
        entries = {**self._failures, **kept}
        for case, reason in entries.items():
            lines += ["[[expected]]", f"case = {_toml(case)}", f"reason = {_toml(reason)}", ""]
        write_whole(path, "\n".join(lines))
        return len(entries)

    @property
    def own_reasons(self) -> int:
        """How many reasons a person has written."""
        return sum(
            not entry.reason.startswith(tuple(f"{verdict}: " for verdict in VERDICTS))
            for entry in self._entries.values()
        )


def read_expected(path: Path) -> Expected:
    """The expected failures in a file; raises Unreadable."""
    try:
        value = tomllib.loads(read_bytes(path).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path}: not UTF-8 at byte {error.start}") from None
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"{path}: not TOML: {str(error).lower()}") from None
    for name in value.keys() - {"expected"}:
        raise Unreadable(f"{path}: {strict_json.quote(name)}: expected [[expected]] entries only")
    entries = value.get("expected", [])
    if not isinstance(entries, list):
        raise Unreadable(f"{path}: expected entries that begin with [[expected]]")
    read = [_read_entry(f"{path}: entry {n}", each) for n, each in enumerate(entries, 1)]
    for n, entry in enumerate(read):
        if any(other.case == entry.case for other in read[:n]):
            raise Unreadable(f"{path}: {strict_json.quote(entry.case)} comes twice")
    return Expected(read)


def _read_entry(place: str, value: Any) -> Entry:
    fields = ("case", "reason")
    if not isinstance(value, dict) or value.keys() - set(fields):
        raise Unreadable(f"{place}: there may be case and reason, found {_shown(value)}")
    for name in fields:
        if not isinstance(value.get(name), str) or not value[name].strip():
            raise Unreadable(f"{place}: {name} is missing, or no text, in {_shown(value)}")
    return Entry(value["case"], value["reason"])


def _shown(value: Any) -> str:
    # TOML knows dates, which JSON can't hold.
    return strict_json.shorten(str(value))


def _reason(result: Result) -> str:
    """Why a case fails, as far as the result tells."""
    why = result.message
    if not why and result.differences:
        why = f"another answer at {result.differences[0].pointer or 'the response'}"
    return strict_json.shorten(f"{result.verdict}: {why}", _LONGEST_REASON)


def _toml(text: str) -> str:
    """A text as a basic string of TOML, which is JSON's but for one character."""
    return strict_json.dumps(text).replace("\x7f", "\\u007f")
