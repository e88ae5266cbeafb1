"""A wrong answer held against other rules: what it plays may be an option of the rulebook."""

from collections.abc import Iterator
from typing import Any

from oracle.conformance.compare import Comparer
from oracle.conformance.verdicts import Result
from oracle.games import GAMES
from oracle.games.shapes import Option, Whole, options_of
from oracle.games.table import Table
from oracle.generate.recipes import other_values
from oracle.replay import replay
from oracle.wire import WrongRequest, read_request, read_rules, write_rules, write_shape

Json = dict[str, Any]

#: A range of numbers with more values is not tried out: no value of it is likelier than others.
_WIDEST = 16


def right_under(result: Result) -> list[Json]:
    """The options, each by itself with its value, under which a wrong answer is right: the whole
    response is compared as far as the engine reports it, also where the case is partial.

    Costs a replay for each value of each option of the game.
    """
    if result.answer is None or result.case.op in ("error", "shuffle"):
        return []
    request = result.case.request
    game = GAMES[result.case.game]
    comparer = Comparer(game.name, result.reports)
    found = []
    for changed in _changes(game, request.get("rules", {})):
        other = {**request, "rules": {**request.get("rules", {}), **changed}}
        try:
            read_request(other)
        except WrongRequest:
            # A start or tally, or another option, that doesn't go with it.
            continue
        if not comparer.compare(result.case.op, replay(other), result.answer).differences:
            found.append(changed)
    return found


def _changes(game: type[Table], rules: Json) -> Iterator[Json]:
    """Every option at every value that it doesn't have under these rules."""
    chosen = vars(read_rules(game, rules))
    now = write_rules(read_rules(game, rules))
    for option in options_of(game.parts.rules):
        for value in _values(option, chosen):
            change = {option.name: write_shape(option.shape, value)}
            if value != chosen[option.name] and {**now, **change} != now:
                yield change


def _values(option: Option, chosen: Json) -> list[Any]:
    shape, canonical = option.among(chosen)
    if isinstance(shape, Whole) and shape.most - shape.least >= _WIDEST:
        return []
    return [canonical, *other_values(option, chosen)]
