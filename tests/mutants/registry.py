"""How a mutant is written down, and the one list of them all."""

import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

from oracle.games import GAMES
from oracle.games.shapes import Option, options_of
from oracle.games.table import Table
from oracle.replay import replay
from oracle.wire import Request, WrongRequest, read_request

Json = dict[str, Any]


@dataclass(frozen=True)
class Mutant:
    """One misreading of one game."""

    game: str
    name: str
    #: What its author would have misread, in one line.
    line: str
    table: type[Table]
    #: What stands in the place of a function of the reference, by its dotted name.
    replaced: Mapping[str, Any] = field(default_factory=dict)
    #: The request that it reads in the place of the one that it is given.
    rereads: Callable[[Json], Json] | None = None

    @property
    def id(self) -> str:
        """The name that no other mutant has."""
        return f"{self.game}/{self.name}"

    @property
    def touches(self) -> frozenset[str] | None:
        """The functions of the reference that it changes, by name; None for something else."""
        reference = GAMES[self.game]
        above = self.table.__mro__[: self.table.__mro__.index(reference)]
        changed = {
            name: value
            for table in above
            for name, value in vars(table).items()
            if hasattr(reference, name) and name not in ("__module__", "__doc__")
        }
        if any(
            not callable(value) and not isinstance(value, classmethod | property)
            for value in changed.values()
        ):
            return None
        return frozenset(changed) | {place.rpartition(".")[2] for place in self.replaced}

    def answer(self, request: Json) -> Json:
        """Its response to a request; raises whatever it breaks down with."""
        with ExitStack() as stack:
            for place, other in self.replaced.items():
                stack.enter_context(patch(place, other))
            return replay(request, {**GAMES, self.game: self.table})


MUTANTS: dict[str, Mutant] = {}


def _register(
    game: str,
    name: str,
    line: str | None,
    table: type[Table],
    replaced: Mapping[str, Any] | None = None,
    rereads: Callable[[Json], Json] | None = None,
) -> None:
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", name).replace("_", "-").lower()
    new = Mutant(game, name, " ".join((line or "").split()), table, replaced or {}, rereads)
    if new.id in MUTANTS:
        raise ValueError(f"two mutants are called {new.id}")
    MUTANTS[new.id] = new


def mutant(table: type[Table]) -> type[Table]:
    """A subclass of a game, as a mutant of it."""
    _register(table.name, table.__name__, table.__doc__, table)
    return table


def in_games(*games: str) -> Callable[[type[Table]], type[Table]]:
    """A subclass of Table, as a mutant of each of these games."""

    def register(change: type[Table]) -> type[Table]:
        for game in games:
            table = type(change.__name__, (change, GAMES[game]), {})
            _register(game, change.__name__, change.__doc__, table)
        return change

    return register


#: A subclass of Table, as a mutant of every game.
in_every_game = in_games(*GAMES)


def in_place_of(place: str, *games: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function, as a mutant of these games (of all, if none is named): it stands in the place of
    the function of the reference with this dotted name."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for game in games or GAMES:
            _register(game, function.__name__, function.__doc__, GAMES[game], {place: function})
        return function

    return register


def reading(*games: str) -> Callable[[Callable[[Json], Json]], Callable[[Json], Json]]:
    """A function from request to request, as a mutant of these games (of all, if none is named)
    that reads the other request. It is given objects only and may raise WrongRequest."""

    def register(change: Callable[[Json], Json]) -> Callable[[Json], Json]:
        def read(value: Any, known: Mapping[str, type[Table]]) -> Request:
            changed = change(dict(value)) if isinstance(value, dict) else value
            return read_request(changed, known)

        for game in games or GAMES:
            replaced = {"oracle.replay.read_request": read}
            _register(game, change.__name__, change.__doc__, GAMES[game], replaced, change)
        return change

    return register


def turned_down(why: str) -> Json:
    """What a mutant that is too strict says in the place of a request."""
    raise WrongRequest(why)


# Options.


def taken_for_the_rule(game: type[Table], lines: Mapping[tuple[str, Any], str]) -> None:
    """A mutant for each value of an option that its author took for the rule itself: where the
    rules are canonical it plays this value."""
    options = {option.name: option for option in options_of(game.parts.rules)}
    for (name, value), line in lines.items():
        _option_mutant(game, f"{name}_is_{_said(value)}", line, options[name], value)


def options_unknown(game: type[Table]) -> None:
    """A mutant for each option of a game that plays it canonically whatever is asked for."""
    for option in options_of(game.parts.rules):
        line = f"Doesn't know the option {option.name}, and plays the canonical value."
        _option_mutant(game, f"{option.name}_unknown", line, option)


def _said(value: Any) -> str:
    return "_".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()


def _option_mutant(
    game: type[Table], name: str, line: str, option: Option, value: Any = None
) -> None:
    """Plays the value where the rules are canonical; without one, always canonically."""

    def __init__(self: Table, rules: Any, start: Any, deals: Any = ()) -> None:  # noqa: N807
        _, canonical = option.among(vars(rules))
        if value is None:
            rules = replace(rules, **{option.name: canonical})
        elif getattr(rules, option.name) == canonical:
            rules = replace(rules, **{option.name: value})
        game.__init__(self, rules, start, deals)

    _register(game.name, name, line, type(name, (game,), {"__init__": __init__}))
