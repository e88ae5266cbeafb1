"""Between JSON values and the plain values of ``games/``: requests read, results written.

A request is checked whole before anything is played. What is wrong with it is told in one
line that names the place by JSON pointer and says what was expected.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn

from oracle.cards import CARD_OF, CODE_OF, Card, Cards, row_text, text, union
from oracle.games import GAMES
from oracle.games.refusals import Impossible
from oracle.games.shapes import (
    CardRow,
    CardSet,
    Either,
    OneOf,
    Option,
    Several,
    Shape,
    Text,
    Whole,
    options_of,
    parts_of,
)
from oracle.games.table import Table
from oracle.strict_json import pointer, quote, shorten

Path = tuple[str | int, ...]


class WrongRequest(ValueError):
    """A request that can't be: one line with the place and what was expected there."""


def wrong(path: Path, expected: str) -> NoReturn:
    """Raise WrongRequest for a place in the request."""
    raise WrongRequest(f"{place_text(path, 'the request')}: {expected}")


def place_text(path: Iterable[str | int], root: str) -> str:
    """A place as a message names it, on one line whatever the names of the fields are."""
    place = shorten(pointer(path), 120) or root
    return place if place.isprintable() else quote(place)


# Shapes.


def describe(shape: Shape) -> str:
    """A shape in words, as a message names it."""
    match shape:
        case Whole(least, most):
            return f"an integer from {least} to {most}"
        case OneOf(values):
            return f"one of {', '.join(map(quote, values))}"
        case Either(first, second):
            return f"{describe(first)}, or {describe(second)}"
        case Several(None, item):
            return f"a list of at least one entry, each {describe(item)}"
        case Several(count, item):
            return f"a list of {count}, each {describe(item)}"
        case CardSet(size):
            return f"a set of {size} cards"
        case CardRow(size):
            return f"a row of {size} cards"
        case Text(pattern):
            return f"a string that fits {pattern}"


def is_one_of(value: Any, values: tuple[Any, ...]) -> bool:
    """Whether a JSON value is among these; true is not 1."""
    return any(type(value) is type(each) and value == each for each in values)


def fits(shape: Shape, value: Any) -> bool:
    """Whether a JSON value has a shape."""
    try:
        read_shape(shape, value, ())
    except WrongRequest:
        return False
    return True


def read_shape(shape: Shape, value: Any, path: Path) -> Any:
    """A JSON value as the plain value that its shape gives; raises WrongRequest."""
    match shape:
        case Whole(least, most):
            if type(value) is int and least <= value <= most:
                return value
        case OneOf(values):
            if is_one_of(value, values):
                return value
        case Either(first, second):
            if fits(first, value):
                return read_shape(first, value, path)
            if fits(second, value):
                return read_shape(second, value, path)
        case Several(count, item):
            if type(value) is list and (len(value) == count if count else value):
                return tuple(
                    read_shape(item, each, (*path, place)) for place, each in enumerate(value)
                )
        case CardSet(size):
            return union(read_cards(value, size, path))
        case CardRow(size):
            return read_cards(value, size, path)
        case Text(pattern):
            if type(value) is str and re.fullmatch(pattern, value, re.ASCII):
                return value
    wrong(path, f"expected {describe(shape)}, found {quote(value)}")


def read_cards(value: Any, size: int, path: Path) -> tuple[Card, ...]:
    """Card codes with single spaces, as a row of so many different cards."""
    if type(value) is not str:
        wrong(path, f"expected {size} cards as one string, found {quote(value)}")
    row: list[Card] = []
    for code in value.split(" ") if value else []:
        if code not in CARD_OF:
            wrong(path, f"{quote(code)} is no card; a card is rank then suit, as in TH or QS")
        if CARD_OF[code] in row:
            wrong(path, f"{code} comes twice")
        row.append(CARD_OF[code])
    if len(row) != size:
        wrong(path, f"expected {size} cards, found {len(row)}")
    return tuple(row)


def write_shape(shape: Shape, value: Any) -> Any:
    """A plain value as JSON, the inverse of ``read_shape``; sets in pack order."""
    match shape:
        case CardSet():
            return text(value)
        case CardRow():
            return row_text(value)
        case Several(_, item):
            return [write_shape(item, each) for each in value]
    return value


def read_parts(kind: type[Any], value: Any, path: Path) -> Any:
    """A JSON object as a value of a start, deal or tally class; raises WrongRequest."""
    parts = parts_of(kind)
    check_fields(value, path, [part.name for part in parts], [p.name for p in parts if p.required])
    return kind(
        **{
            part.name: read_shape(part.shape, value[part.name], (*path, part.name))
            for part in parts
            if part.name in value
        }
    )


def write_parts(value: Any) -> dict[str, Any]:
    """A start, deal or tally as a JSON object; what has its default value is left out."""
    kind = type(value)
    written = {}
    for each in parts_of(kind):
        if each.required or getattr(value, each.name) != getattr(kind, each.name):
            written[each.name] = write_shape(each.shape, getattr(value, each.name))
    return written


def check_fields(value: Any, path: Path, allowed: list[str], required: list[str]) -> None:
    """Raise WrongRequest unless a value is an object with the required and no unknown fields."""
    if type(value) is not dict:
        wrong(path, f"expected an object, found {quote(value)}")
    for name in value:
        if name not in allowed:
            wrong((*path, name), f"unknown field; there may be {', '.join(allowed)}")
    for name in required:
        if name not in value:
            wrong(path, f"the field {quote(name)} is missing")


# Rules.


def read_rules(game: type[Table], value: Any, path: Path = ()) -> Any:
    """Options that differ from canonical as a game's ``parts.rules``; raises WrongRequest."""
    if type(value) is not dict:
        wrong(path, f"expected an object of options, found {quote(value)}")
    options = {option.name: option for option in options_of(game.parts.rules)}
    for name in value:
        if name not in options:
            wrong((*path, name), _why_no_option(game, name))
    chosen = {}
    for option in options.values():
        shape, chosen[option.name] = option.among(value)
        if option.name in value:
            given = value[option.name]
            if not fits(shape, given):
                wrong(
                    (*path, option.name),
                    f"expected {describe(shape)} ({_ids(option)}), found {quote(given)}",
                )
            chosen[option.name] = read_shape(shape, given, path)
    return game.parts.rules(**chosen)


def _ids(option: Option) -> str:
    return ", ".join(option.rulings)


def _why_no_option(game: type[Table], name: str) -> str:
    if name in game.locked:
        return f"this variant is switched off in {game.title} by {game.locked[name]}"
    for other in GAMES.values():
        for option in options_of(other.parts.rules):
            if option.name == name:
                return (
                    f"an option of {other.name} ({describe(option.shape)}; {_ids(option)}), "
                    f"not of {game.name}"
                )
    names = [option.name for option in options_of(game.parts.rules)]
    close = get_close_matches(name, names, 1)
    hint = f"did you mean {close[0]}?" if close else f"the options are {', '.join(names)}"
    return f"{game.name} has no such option; {hint}"


def write_rules(rules: Any) -> dict[str, Any]:
    """Rules as a JSON object: the options that differ from canonical."""
    chosen = {option.name: getattr(rules, option.name) for option in options_of(type(rules))}
    written = {}
    for option in options_of(type(rules)):
        shape, canonical = option.among(chosen)
        if chosen[option.name] != canonical:
            written[option.name] = write_shape(shape, chosen[option.name])
    return written


# Requests.


@dataclass(frozen=True)
class Request:
    """A request that has been checked; the fields that its op doesn't have keep their defaults."""

    op: str
    game: type[Table]
    rules: Any = None
    start: Any = None
    deals: tuple[Any, ...] = ()
    actions: tuple[str, ...] = ()
    seat: int = 0
    depth: int = 0
    tally: Any = None
    seed: str = ""


_AT_TABLE = ("rules", "start", "deals", "actions")
#: The fields of each op beside op and game.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "replay": _AT_TABLE,
    "view": (*_AT_TABLE, "seat"),
    "perft": (*_AT_TABLE, "depth"),
    "score": ("rules", "start", "tally"),
    "shuffle": ("seed", "rules"),
}


def optional_fields(op: str) -> set[str]:
    """The fields of an op that may be left out."""
    return {"start"} | ({"rules"} if op == "shuffle" else set())


def read_request(value: Any, games: Mapping[str, type[Table]] = GAMES) -> Request:
    """A JSON value as a request, checked whole; raises WrongRequest."""
    if type(value) is not dict:
        wrong((), f"expected an object, found {quote(value)}")
    op = _named(value, "op", FIELDS)
    game = games[_named(value, "game", games)]
    allowed = FIELDS[op]
    required = [name for name in allowed if name not in optional_fields(op)]
    check_fields(value, (), ["op", "game", *allowed], required)
    rules = read_rules(game, value.get("rules", {}), ("rules",))
    read: dict[str, Any] = {"rules": rules, "start": game.parts.start()}
    for name in allowed:
        if name in value and name != "rules":
            read[name] = _READERS[name](game, rules, value[name])
    return Request(op, game, **read)


def _named(value: dict[str, Any], field: str, known: Mapping[str, Any]) -> str:
    if field not in value:
        wrong((), f"the field {quote(field)} is missing")
    name = value[field]
    if type(name) is not str or name not in known:
        wrong((field,), f"expected one of {', '.join(known)}, found {quote(name)}")
    return name


def _read_start(game: type[Table], rules: Any, value: Any) -> Any:
    return read_parts(game.parts.start, value, ("start",))


def _read_deals(game: type[Table], rules: Any, value: Any) -> tuple[Any, ...]:
    if type(value) is not list:
        wrong(("deals",), f"expected a list of deals, found {quote(value)}")
    return tuple(read_deal(game, deal, ("deals", place)) for place, deal in enumerate(value))


def read_deal(game: type[Table], value: Any, path: Path = ()) -> Any:
    """A JSON object as a game's ``parts.deal``: every card of the pack once; raises WrongRequest."""
    deal = read_parts(game.parts.deal, value, path)
    found: dict[Card, Path] = {}
    for place, row in _card_places(game, value, path):
        for card in row:
            if not card & game.pack:
                wrong(place, f"{CODE_OF[card]} is not in the pack of {game.name}")
            if card in found:
                wrong(place, f"{CODE_OF[card]} lies already at {pointer(found[card])}")
            found[card] = place
    return deal


def _card_places(game: type[Table], value: Any, path: Path) -> list[tuple[Path, tuple[Card, ...]]]:
    """Every place of a deal that holds cards, with them."""
    places: list[tuple[Path, str]] = []
    for part in parts_of(game.parts.deal):
        here = (*path, part.name)
        if isinstance(part.shape, Several):
            places += [((*here, n), cards) for n, cards in enumerate(value[part.name])]
        else:
            places.append((here, value[part.name]))
    return [(place, tuple(CARD_OF[code] for code in cards.split(" "))) for place, cards in places]


def _read_actions(game: type[Table], rules: Any, value: Any) -> tuple[str, ...]:
    if type(value) is not list:
        wrong(("actions",), f"expected a list of actions, found {quote(value)}")
    for place, action in enumerate(value):
        if type(action) is not str:
            wrong(("actions", place), f"expected an action as a string, found {quote(action)}")
    return tuple(value)


def _read_seat(game: type[Table], rules: Any, value: Any) -> Any:
    return read_shape(Whole(0, game.seats - 1), value, ("seat",))


def _read_depth(game: type[Table], rules: Any, value: Any) -> Any:
    return read_shape(Whole(0), value, ("depth",))


def _read_tally(game: type[Table], rules: Any, value: Any) -> Any:
    tally = read_parts(game.parts.tally, value, ("tally",))
    try:
        game.check_tally(rules, tally)
    except Impossible as error:
        wrong(("tally", error.part), error.expected)
    return tally


def _read_seed(game: type[Table], rules: Any, value: Any) -> str:
    if type(value) is not str:
        wrong(("seed",), f"expected a string, found {quote(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        wrong(("seed",), f"UTF-8 can't hold {quote(value)}")
    return value


_READERS: Mapping[str, Callable[[type[Table], Any, Any], Any]] = {
    "start": _read_start,
    "deals": _read_deals,
    "actions": _read_actions,
    "seat": _read_seat,
    "depth": _read_depth,
    "tally": _read_tally,
    "seed": _read_seed,
}


# Sets and rows of cards in results.


def write_cards(held: Cards | tuple[Card, ...]) -> str:
    """A set in pack order, or a row as it lies."""
    return text(held) if isinstance(held, int) else row_text(held)
