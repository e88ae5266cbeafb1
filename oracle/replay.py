"""From a request to everything that must hold: the reference engine's one door.

``replay`` answers every op. It never raises for a wrong request: that has an answer of its
own, ``{"error": …}``.
"""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import ModuleType
from typing import Any

from oracle.cards import text
from oracle.games import GAMES, perft
from oracle.games.refusals import FORMAT, Refused
from oracle.games.table import HandResult, Outcome, Table
from oracle.shuffle import shuffle
from oracle.wire import Request, WrongRequest, read_request, write_cards, write_parts

Json = dict[str, Any]


def replay(request: Any, games: Mapping[str, type[Table]] = GAMES) -> Json:
    """The response to a request of any op (docs/protocol.md gives both shapes).

    A wrong request gets ``{"error": "<one line>"}``. ``games`` lets a test put another engine
    in the place of the reference.
    """
    try:
        checked = read_request(request, games)
    except WrongRequest as error:
        return {"error": str(error)}
    return answer(checked)


def answer(request: Request) -> Json:
    """The response to a request of any op that has been checked."""
    return _ANSWERS[request.op](request)


def at_table(request: Request) -> Table:
    """The table of a checked request before any action."""
    return request.game(request.rules, request.start, request.deals)


def after_actions(request: Request) -> Table:
    """The table of a checked request after its actions; refused ones change nothing."""
    table = at_table(request)
    for written in request.actions:
        with suppress(Refused):
            act(table, written)
    return table


def act(table: Table, written: str) -> Outcome | None:
    """Carry out an action as it is written; raises Refused."""
    action = table.notation.read(written)
    if action is None:
        raise Refused(FORMAT)
    return table.act(action)


def _replay(request: Request) -> Json:
    table = at_table(request)
    states: list[Json] = [{"legal": write_legal(table)}]
    for written in request.actions:
        try:
            outcome = act(table, written)
        except Refused as refused:
            state = {"ok": False, "clause": refused.clause, "legal": states[-1]["legal"]}
        else:
            state = {"ok": True, "legal": write_legal(table)}
            if outcome:
                state.update(write_outcome(table, outcome))
        states.append(state)
    return {"states": states}


def write_legal(table: Table) -> dict[str, list[str]]:
    """Who may act, and what each may do, as ``legal`` gives it."""
    notation = table.notation
    return {notation.actor_text(seat): notation.texts(table.choices(seat)) for seat in table.to_act}


def write_outcome(table: Table, outcome: Outcome) -> Json:
    """What an accepted action brought about, as a state gives it."""
    written: Json = {}
    if outcome.contract is not None:
        written["contract"] = outcome.contract
    if outcome.winner is not None:
        written["trick"] = _write_trick(outcome)
    if outcome.hand is not None:
        written["hand"] = _write_hand(table, outcome.hand)
    if outcome.match_winners:
        written["match"] = {"winners": list(outcome.match_winners)}
    return written


def _write_trick(outcome: Outcome) -> Json:
    written: Json = {"winner": outcome.winner}
    if outcome.points is not None:
        written["points"] = outcome.points
    if outcome.combinations:
        written["combinations"] = [
            {**each._asdict(), "cards": text(each.cards)} for each in outcome.combinations
        ]
    return written


def _write_hand(table: Table, hand: HandResult) -> Json:
    return {
        "delta": list(hand.delta),
        "scores": list(hand.scores),
        **{name: list(counts) for name, counts in hand.counts.items()},
        "breakdown": [
            {table.side_name: line.side, "clause": line.clause, "points": line.points}
            for line in hand.breakdown
        ],
    }


def _view(request: Request) -> Json:
    return write_view(after_actions(request), request.seat)


def write_view(table: Table, seat: int) -> Json:
    """What a seat sees of a table."""
    view = table.view(seat)
    return {
        "hand": text(view.hand),
        "known": {place: write_cards(cards) for place, cards in view.known.items()},
        "unknown": dict(view.unknown),
        **view.extra,
        "legal": table.notation.texts(table.choices(seat)) if seat in table.to_act else [],
    }


def _perft(request: Request) -> Json:
    table = after_actions(request)
    divide = perft.divide(table, request.depth)
    nodes = sum(divide.values()) if divide else 1
    return {
        "nodes": str(nodes),
        "divide": {table.notation.write(action): str(count) for action, count in divide.items()},
    }


def _score(request: Request) -> Json:
    table = at_table(request)
    outcome = Outcome()
    table.score(request.tally, outcome)
    return write_outcome(table, outcome)


def _shuffle(request: Request) -> Json:
    row = shuffle(request.game.pack, request.seed)
    return {"deal": write_parts(request.game.deal_from_pack(row))}


_ANSWERS: Mapping[str, Callable[[Request], Json]] = {
    "replay": _replay,
    "view": _view,
    "perft": _perft,
    "score": _score,
    "shuffle": _shuffle,
}


class _CallableModule(ModuleType):
    """``oracle.replay`` names this module as soon as anything has imported it; to whoever calls
    it, it is the function."""

    def __call__(self, request: Any, games: Mapping[str, type[Table]] = GAMES) -> Json:
        return replay(request, games)


sys.modules[__name__].__class__ = _CallableModule
