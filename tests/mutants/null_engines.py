"""Engines that know nothing: what a suite gives away to an answer that costs no thought.

Each answers by one habit, and says nothing where the habit has nothing to say: who judges actions
by it knows no view. They are measured report by report, as if an engine made this one report and
no other, and with all reports together. A case counts for a report if it states something of it;
for ``error`` every case counts that lies in a topic with wrong requests, because a right request
must not be called wrong.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from oracle.conformance.claims import REPORTS
from oracle.conformance.compare import Comparer
from oracle.games import GAMES
from oracle.replay import replay
from oracle.vectors.cases import Case

Json = dict[str, Any]
NullEngine = Callable[[Json], Json]

NULL_ENGINES: dict[str, NullEngine] = {}


def null_engine(engine: NullEngine) -> NullEngine:
    """An engine of this module, by the name of its function."""
    NULL_ENGINES[engine.__name__.replace("_", " ")] = engine
    return engine


def _states(request: Json, first: Json, then: Json) -> Json:
    return {"states": [first, *(then for _ in request["actions"])]}


@null_engine
def refuses_everything(request: Json) -> Json:
    """Every action is no action of this game, and nobody may do anything."""
    if request["op"] != "replay":
        return {}
    return _states(request, {"legal": {}}, {"ok": False, "clause": "FORMAT", "legal": {}})


@null_engine
def accepts_everything(request: Json) -> Json:
    """Every action is in order, and nobody may do anything."""
    if request["op"] != "replay":
        return {}
    return _states(request, {"legal": {}}, {"ok": True, "legal": {}})


@null_engine
def calls_every_request_wrong(request: Json) -> Json:
    """There is something wrong with every request."""
    return {"error": "a wrong request"}


@null_engine
def every_held_card_is_legal(request: Json) -> Json:
    """Whoever acts next may play every card that was dealt to them and not yet played."""
    if request["op"] != "replay" or not request["deals"]:
        return {}
    held = _held(request["deals"][0])
    actions = [action.split(" ") for action in request["actions"]]
    actors = [words[0] for words in actions] + ["0"]
    states: list[Json] = [{"legal": _plays(held, actors[0])}]
    for words, after in zip(actions, actors[1:], strict=True):
        hand = held.get(words[0], [])
        ok = words[1:2] != ["play"] or words[-1] in hand
        if words[-1] in hand:
            hand.remove(words[-1])
        states.append({"ok": ok, "legal": _plays(held, after)})
    return {"states": states}


def _held(deal: Json) -> dict[str, list[str]]:
    """The cards that lie with each seat; where a deal says nothing of seats, all with everybody."""
    rows = deal.get("hands") or deal.get("up") or [deal.get("pack", "")] * 2
    return {str(seat): str(row).split(" ") for seat, row in enumerate(rows)}


def _plays(held: Mapping[str, list[str]], seat: str) -> Json:
    return {seat: [f"play {card}" for card in held[seat]]} if seat in held else {}


@null_engine
def only_the_first_legal_action(request: Json) -> Json:
    """Lists, of all that may be done, the first thing alone; takes every action."""
    right = replay(request)
    if "states" not in right:
        return {}
    return {
        "states": [
            {"ok": True, "legal": {seat: each[:1] for seat, each in state["legal"].items()}}
            for state in right["states"]
        ]
    }


@null_engine
def all_scores_are_zero(request: Json) -> Json:
    """Nobody ever scores a point."""
    game = GAMES[request["game"]]
    nothing = [0] * game.sides
    hand = {"delta": nothing, "scores": nothing, "breakdown": []}
    hand |= dict.fromkeys(game.counts, nothing)
    if request["op"] != "replay":
        return {"hand": hand}
    return _states(request, {"legal": {}}, {"ok": True, "legal": {}, "hand": hand})


@null_engine
def says_nothing(request: Json) -> Json:
    """An empty object."""
    return {}


def answer(engine: NullEngine, case: Case) -> Json:
    """A null engine's answer to a case. All but one take a wrong request for no request at all."""
    if case.op == "error" and engine is not calls_every_request_wrong:
        return {}
    return engine(case.request)


# The levels.

#: The reports that are told inside what another one gives.
INSIDE = {"combinations": "trick", "breakdown": "hand"}
#: The reports that belong to each level.
LEVELS: dict[str, tuple[str, ...]] = {
    **{report: (report,) for report in REPORTS},
    **{report: (outer, report) for report, outer in INSIDE.items()},
    "view": (),
    "perft": (),
    "shuffle": (),
    "full": REPORTS,
}


@cache
def _comparer(game: str, reports: tuple[str, ...]) -> Comparer:
    return Comparer(game, reports)


def states(case: Case, level: str) -> bool:
    """Whether a case says anything on a level; for ``error``, whether it is a wrong request."""
    if level == "full":
        return True
    if level == "error":
        return case.op == "error"
    if level in ("view", "perft", "shuffle"):
        return case.op == level
    if case.op == "view":
        return level == "legal"
    parts = case.response.get("states", [case.response])
    if outer := INSIDE.get(level):
        return any(level in part.get(outer, {}) for part in parts)
    return any(level in part for part in parts)


def passes(case: Case, given: Json, level: str) -> bool:
    """Whether an answer passes a case on a level."""
    if level == "error":
        return ("error" in given) == (case.op == "error")
    comparer = _comparer(case.game, LEVELS[level])
    return not comparer.compare(case.op, case.response, given, case.partial).differences


@dataclass
class Share:
    """How many cases of a topic state something on a level, and how many an engine passes."""

    passed: int = 0
    stated: int = 0

    @property
    def whole(self) -> bool:
        """Whether everything is passed that is stated."""
        return 0 < self.stated == self.passed


def shares(cases: Iterable[Case]) -> dict[tuple[str, str, str], Share]:
    """By null engine, level and topic (``<game>/<topic>``), what the engine passes."""
    found: dict[tuple[str, str, str], Share] = {}
    for topic, members in _by_topic(cases).items():
        wrong_requests = any(case.op == "error" for case in members)
        for case in members:
            levels = _levels(case, wrong_requests)
            for name, engine in NULL_ENGINES.items():
                given = answer(engine, case)
                for level in levels:
                    share = found.setdefault((name, level, topic), Share())
                    share.stated += 1
                    share.passed += passes(case, given, level)
    return found


def _levels(case: Case, among_wrong_requests: bool) -> list[str]:
    """The levels for which a case counts."""
    return [
        level
        for level in LEVELS
        if states(case, level) or (level == "error" and among_wrong_requests)
    ]


def whole_topics(cases: Iterable[Case]) -> list[tuple[str, str, str]]:
    """By null engine, level and topic, where an engine passes whatever a topic states."""
    found = []
    for topic, members in _by_topic(cases).items():
        wrong_requests = any(case.op == "error" for case in members)
        for level in LEVELS:
            # Nearly always a case or two are enough to see every engine fail.
            left, stated = list(NULL_ENGINES), False
            for case in members:
                if not left:
                    break
                if states(case, level) or (level == "error" and wrong_requests):
                    stated = True
                    left = [
                        name
                        for name in left
                        if passes(case, answer(NULL_ENGINES[name], case), level)
                    ]
            found += [(name, level, topic) for name in left if stated]
    return found


def _by_topic(cases: Iterable[Case]) -> dict[str, list[Case]]:
    topics: dict[str, list[Case]] = {}
    for case in cases:
        topics.setdefault(case.id.rpartition("/")[0], []).append(case)
    return topics
