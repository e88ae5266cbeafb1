"""Which failures are shown first, and which of them in full."""

from collections import defaultdict
from collections.abc import Iterable

from oracle.conformance.verdicts import UNEXPECTED_PASS, Result


class Foremost:
    """The failures of a run that a person should see first: hand-worked cases, which say what
    they are about, before hands that the oracle played, and otherwise in the order of asking."""

    def __init__(self, full: int, named: int = 0) -> None:
        """So many are shown ``full``, and so many more are ``named``."""
        self._full = full
        self._most = full + named
        self._kept: dict[tuple[bool, str], list[tuple[int, Result]]] = defaultdict(list)
        self.count = 0

    def add(self, result: Result) -> None:
        """Keep a failure if it may be among the first; count it in any case."""
        self.count += 1
        same = self._kept[not result.case.hand_worked, result.verdict]
        if len(same) < self._most:
            same.append((self.count, result))

    def more(self, told: int) -> str:
        """What is to be said of those beyond the ones that are told; empty if there are none."""
        if self.count <= told:
            return ""
        count = self.count - told
        if any(verdict == UNEXPECTED_PASS for _, verdict in self._kept):
            return f"… and {count} more that {'is' if count == 1 else 'are'} not as expected"
        return f"… and {count} more failure{'' if count == 1 else 's'}"

    def chosen(self) -> tuple[list[Result], list[Result]]:
        """The failures to be shown in full, every verdict among them if there is room, and
        those to be named."""
        row = [
            (later, number, result)
            for (later, _), results in self._kept.items()
            for number, result in results
        ]
        row.sort(key=lambda each: each[:2])
        first: dict[str, int] = {}
        for place, (_, _, result) in enumerate(row):
            first.setdefault(result.verdict, place)
        full = set([*first.values(), *_without(range(len(row)), first.values())][: self._full])
        told = [result for place, (_, _, result) in enumerate(row) if place in full]
        named = [result for place, (_, _, result) in enumerate(row) if place not in full]
        return told, named[: self._most - self._full]


def _without(places: Iterable[int], taken: Iterable[int]) -> list[int]:
    taken = set(taken)
    return [place for place in places if place not in taken]
