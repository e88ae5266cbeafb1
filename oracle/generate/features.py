"""What a replayed case shows: the rare corners that generation goes looking for.

A feature is a short text such as ``refused HEARTS-10 in play``. Two cases with the same features
are worth about the same; a case with a feature that nothing else has is worth keeping.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from oracle.vectors.coverage import phase_of

Json = dict[str, Any]


def features(request: Json, response: Json) -> frozenset[str]:
    """The features of a request to replay with its response."""
    return frozenset(_features(request, response))


def _features(request: Json, response: Json) -> Iterator[str]:
    states = response["states"]
    options = [f"{name} {value}" for name, value in request["rules"].items()]
    for before, state in pairwise(states):
        phase = phase_of(before)
        if state["ok"]:
            yield f"in {phase}"
            yield from _sizes(before, phase)
        else:
            yield f"refused {state['clause']} in {phase}"
            yield from (f"refused {state['clause']} with {option}" for option in options)
        yield from _results(state, options)


def _sizes(before: Json, phase: str) -> Iterator[str]:
    """Whether there was one action to choose from, or a pattern, or more."""
    for entries in before["legal"].values():
        if len(entries) == 1 and "{" not in entries[0]:
            yield f"one choice in {phase}"


def _results(state: Json, options: list[str]) -> Iterator[str]:
    for name, value in state.get("contract", {}).items():
        values = value if isinstance(value, list) else [value]
        yield from (f"contract {name} {each}" for each in values)
    trick = state.get("trick", {})
    if "points" in trick:
        yield f"trick of {trick['points']} points"
    paid = trick.get("combinations", ())
    yield from (f"{line['clause']} pays {line['points']}" for line in paid)
    if len(paid) > 1:
        yield f"{len(paid)} combinations in a trick"
    hand = state.get("hand")
    if hand is None:
        return
    lines = [
        f"{line['clause']} {'gains' if line['points'] > 0 else 'loses'}"
        for line in hand["breakdown"]
    ]
    yield from lines
    yield from (f"{line} with {option}" for line in lines for option in options)
    yield f"score lines {' and '.join(sorted(set(lines)))}"
    scores = hand["scores"]
    for name, total in (("lowest", min(scores)), ("highest", max(scores))):
        if scores.count(total) > 1:
            yield f"{scores.count(total)} share the {name} total"
    if min(scores) < 0:
        yield "a total below nothing"
    match = state.get("match")
    ending = f"match won by {len(match['winners'])}" if match else "match goes on"
    yield ending
    yield from (f"{ending} with {option}" for option in options)


class Covered:
    """How often each feature has been seen, and what a new case would add."""

    def __init__(self, wanted: int = 2) -> None:
        """``wanted`` is how often a feature should come."""
        self.wanted = wanted
        self.seen: Counter[str] = Counter()

    def adds(self, found: Iterable[str]) -> int:
        """How many features of a case are still wanted."""
        return sum(1 for name in found if self.seen[name] < self.wanted)

    def take(self, found: Iterable[str]) -> None:
        """Count a case that is kept."""
        self.seen.update(found)
