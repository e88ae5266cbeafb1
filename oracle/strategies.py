"""Hypothesis strategies for people's own properties: rules, starts, deals and legal games.

    >>> from hypothesis import given
    >>> from oracle import strategies
    >>> @given(strategies.games("hearts"))
    ... def test_my_engine_agrees(request):
    ...     assert request["op"] == "replay"
    >>> test_my_engine_agrees()

Everything is in the form of the wire: what a request holds.
"""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from oracle.cards import Card, each, row_text, text, union
from oracle.games import GAMES
from oracle.games.actions import Action, Each, Pick, Say
from oracle.games.perft import count
from oracle.games.shapes import (
    CardRow,
    CardSet,
    Either,
    OneOf,
    Several,
    Shape,
    Text,
    Whole,
    options_of,
    parts_of,
)
from oracle.games.table import Table
from oracle.wire import read_deal, read_parts, read_rules, write_rules

Json = dict[str, Any]


def _values(shape: Shape) -> st.SearchStrategy[Any]:
    match shape:
        case Whole(least, most):
            return st.integers(least, most)
        case OneOf(values):
            return st.sampled_from(values)
        case Either(first, second):
            return _values(first) | _values(second)
        case Several(count, item):
            least, most = (count, count) if count else (1, 6)
            return st.lists(_values(item), min_size=least, max_size=most)
        case CardSet() | CardRow() | Text():
            raise TypeError(f"{shape} has no values of its own")


@st.composite
def rules(draw: st.DrawFn, /, game: str, **fixed: Any) -> Json:
    """Options of a game that differ from canonical; ``fixed`` ones have the value given."""
    chosen: Json = dict(fixed)
    for option in options_of(GAMES[game].parts.rules):
        shape, _ = option.among(chosen)
        if option.name not in chosen and draw(st.booleans()):
            chosen[option.name] = draw(_values(shape))
    # An option drawn early may have values of its own under one that was drawn later.
    for option in options_of(GAMES[game].parts.rules):
        shape, _ = option.among(chosen)
        if option.under and option.name not in fixed:
            chosen[option.name] = draw(_values(shape))
    return write_rules(read_rules(GAMES[game], chosen))


#: The same where an argument has the name.
_rules = rules


@st.composite
def starts(draw: st.DrawFn, game: str) -> Json:
    """Where a match stands before its first deal; totals within a few hundred of nothing."""
    start: Json = {}
    for part in parts_of(GAMES[game].parts.start):
        shape = part.shape
        if isinstance(shape, Several) and isinstance(shape.shape, Whole):
            shape = Several(shape.count, _near(shape.shape))
        elif isinstance(shape, Whole):
            shape = _near(shape)
        if draw(st.booleans()):
            start[part.name] = draw(_values(shape))
    return start


def _near(shape: Whole) -> Whole:
    return Whole(max(shape.least, -300), min(shape.most, 600))


@st.composite
def deals(draw: st.DrawFn, game: str) -> Json:
    """A deal of a game: every card of its pack once."""
    row = iter(draw(st.permutations(each(GAMES[game].pack))))
    return {part.name: _laid(part.shape, row) for part in parts_of(GAMES[game].parts.deal)}


def _laid(shape: Shape, row: Any) -> Any:
    match shape:
        case CardSet(size):
            return text(union(next(row) for _ in range(size)))
        case CardRow(size):
            return row_text([next(row) for _ in range(size)])
        case Several(int(count), item):
            return [_laid(item, row) for _ in range(count)]
    raise TypeError(f"a deal holds cards, and this is {shape}")


@st.composite
def games(
    draw: st.DrawFn,
    game: str,
    *,
    max_hands: int = 1,
    with_rules: bool = False,
    whole: bool = False,
    rules: Mapping[str, Any] | None = None,
) -> Json:
    """A request to replay: legal play of up to so many hands, broken off anywhere unless
    ``whole``. It is played under these ``rules`` (options; canonical if not given). With
    ``with_rules`` the options that they leave open may have any value.

    Raises WrongRequest for options or values that the game doesn't have.
    """
    given = dict(rules or {})
    request: Json = {
        "op": "replay",
        "game": game,
        "rules": draw(_rules(game, **given))
        if with_rules
        else write_rules(read_rules(GAMES[game], given)),
        "start": draw(starts(game)),
        "deals": draw(st.lists(deals(game), min_size=1, max_size=max_hands)),
        "actions": [],
    }
    kind = GAMES[game]
    table = kind(
        read_rules(kind, request["rules"]),
        read_parts(kind.parts.start, request["start"], ()),
        [read_deal(kind, deal) for deal in request["deals"]],
    )
    left = 10**6 if whole else draw(st.integers(0, 80 * max_hands))
    while table.to_act and len(request["actions"]) < left:
        request["actions"].append(_act(draw, table))
    return request


def _act(draw: st.DrawFn, table: Table) -> str:
    seat = draw(st.sampled_from(table.to_act))
    choice = draw(st.sampled_from([each for each in table.choices(seat) if count(each)]))
    what: Any
    match choice:
        case Each(verb, cards):
            what = draw(st.sampled_from(each(cards)))
        case Pick(verb, least, most, cards):
            what = tuple(draw(_some(each(cards), least, most)))
        case Say(verb, whats):
            what = draw(st.sampled_from(list(whats)))
    action = Action(seat, verb, what)
    table.act(action)
    return table.notation.write(action)


def _some(row: list[Card], least: int, most: int) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from(row), min_size=least, max_size=most, unique=True)


__all__ = ["deals", "games", "rules", "starts"]
