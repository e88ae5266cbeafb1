"""What an engine claims to play and to report, read from its answer to ``hello``."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any

from oracle import schemas, strict_json
from oracle.games import GAMES
from oracle.games.shapes import OneOf, options_of, parts_of
from oracle.games.table import Table
from oracle.nearest import did_you_mean
from oracle.wire import FIELDS, WrongRequest, place_text, read_rules, write_rules, write_shape

PROTOCOL = 1

#: What an engine may report. The first ten are parts of a response, ``error`` the refusal of
#: a wrong request.
REPORTS = (
    "ok",
    "clause",
    "legal",
    "contract",
    "trick",
    "combinations",
    "hand",
    "breakdown",
    "match",
    "error",
)

Json = dict[str, Any]


#: How the reasons end why a case is not asked for an option.
AT_A_VALUE = " at a value that the engine doesn't claim"


class NoHandshake(ValueError):
    """An answer to ``hello`` that is none; one line that says what was expected."""


@dataclass(frozen=True)
class GameClaim:
    """What an engine plays of one game: ops, reports, options, start fields, hands a request."""

    ops: frozenset[str]
    reports: frozenset[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    start: frozenset[str] = frozenset()
    max_hands: int | None = None

    def plays_option(self, name: str, value: Any, canonical: Any) -> bool:
        """Whether the engine plays an option at this value; one not listed is canonical."""
        allowed = self.options.get(name)
        if allowed is None:
            return bool(value == canonical)
        return allowed == "any" or any(
            type(each) is type(value) and each == value for each in allowed
        )

    def fixed_rules(self, game: type[Table]) -> Json:
        """The options that the engine never plays canonically, in canonical form: of each the
        first value that it states. Raises NoHandshake if they can't be chosen together."""
        fixed: Json = {}
        # What is canonical for some options depends on others.
        for option in sorted(options_of(game.parts.rules), key=lambda each: bool(each.under)):
            shape, canonical = option.among(fixed)
            canonical = write_shape(shape, canonical)
            if not self.plays_option(option.name, canonical, canonical):
                fixed[option.name] = self.options[option.name][0]
        try:
            return write_rules(read_rules(game, fixed))
        except WrongRequest as error:
            raise NoHandshake(f"options of {game.name} that don't go together: {error}") from None

    def why_not_asked(self, game: type[Table], op: str, request: Json) -> str | None:
        """Why a request lies outside what the engine claims; None when it lies within."""
        if op == "error":
            # A wrong request needs no more than that the engine checks requests at all.
            return (
                None
                if "error" in self.reports
                else "wrong requests, which the engine doesn't claim to report"
            )
        if op not in self.ops:
            return f"the engine doesn't answer {op}"
        if op == "shuffle":
            return None
        for name, value, canonical in option_values(game, request.get("rules", {})):
            if not self.plays_option(name, value, canonical):
                return f"{name}{AT_A_VALUE}"
        for name in request.get("start", {}):
            if name not in self.start:
                return f"the engine takes no {name} at the start"
        if self.max_hands is not None and len(request.get("deals", ())) > self.max_hands:
            return "more hands in one request than the engine plays"
        return None


def option_values(game: type[Table], rules: Json) -> list[tuple[str, Any, Any]]:
    """Every option of a game with its value under these rules and the value that is canonical
    beside the others, as JSON."""
    return _option_values(game.name, strict_json.dumps(rules))


@lru_cache(maxsize=256)
def _option_values(name: str, rules: str) -> list[tuple[str, Any, Any]]:
    # A run asks this of every case, and many are played under the same rules.
    game = GAMES[name]
    chosen = vars(read_rules(game, strict_json.loads(rules)))
    values = []
    for option in options_of(game.parts.rules):
        shape, canonical = option.among(chosen)
        value = write_shape(shape, chosen[option.name])
        values.append((option.name, value, write_shape(shape, canonical)))
    return values


@dataclass(frozen=True)
class Claims:
    """An engine's answer to ``hello``; ``stated`` is false where it has only been supposed.

    ``remarks`` name what nobody knows in it and is ignored, a line each.
    """

    engine: Mapping[str, str]
    games: Mapping[str, GameClaim]
    stated: bool = True
    remarks: tuple[str, ...] = ()

    def house_rules(self, wanted: Collection[str] = ()) -> dict[str, Json]:
        """By game, among those that are wanted (all if none is named), the rules of an engine that
        never plays it canonically. Raises NoHandshake if they can't be chosen together."""
        fixed = {
            game: claim.fixed_rules(GAMES[game])
            for game, claim in self.games.items()
            if not wanted or game in wanted
        }
        return {game: rules for game, rules in fixed.items() if rules}


def read_claims(answer: Any) -> Claims:
    """The claims in an answer to ``hello``; raises NoHandshake."""
    if problems := schemas.problems("hello", answer):
        raise NoHandshake(problems[0])
    if answer["protocol"] != PROTOCOL:
        raise NoHandshake(f"protocol {answer['protocol']}, and this oracle speaks {PROTOCOL}")
    return Claims(
        {name: str(text) for name, text in answer["engine"].items()},
        {name: _read_game(claim) for name, claim in answer["games"].items() if name in GAMES},
        remarks=tuple(_remarks(answer)),
    )


#: The fields of a claim, and those of an answer to ``hello``.
_CLAIM = tuple(each.name for each in fields(GameClaim))
_ANSWER = ("protocol", "engine", "games")


def _remarks(answer: Json) -> Iterator[str]:
    yield from _unknown(answer, _ANSWER, "field")
    games = answer["games"]
    yield from _unknown(games, GAMES, "game", "games")
    for name in filter(GAMES.__contains__, games):
        options = [option.name for option in options_of(GAMES[name].parts.rules)]
        claimed = games[name].get("options", {})
        yield from _unknown(games[name], _CLAIM, "field", "games", name)
        yield from _unknown(claimed, options, f"option of {name}", "games", name, "options")


def _unknown(given: Iterable[str], known: Iterable[str], what: str, *path: str) -> Iterator[str]:
    known = list(known)
    for name in given:
        if name not in known:
            place = place_text([*path, name], "")
            yield f"{place}: ignored, there is no such {what}{did_you_mean(name, known)}"


def _read_game(claim: Json) -> GameClaim:
    return GameClaim(
        frozenset(claim["ops"]),
        frozenset(claim["reports"]),
        claim.get("options", {}),
        frozenset(claim.get("start", ())),
        claim.get("max_hands"),
    )


def full_claims(games: Mapping[str, type[Table]]) -> Json:
    """What the reference itself answers to ``hello``, its engine left out: everything."""
    return {
        name: {
            "ops": list(FIELDS),
            "reports": list(REPORTS),
            "options": {
                option.name: list(option.shape.values)
                if isinstance(option.shape, OneOf) and not option.under
                else "any"
                for option in options_of(game.parts.rules)
            },
            "start": [part.name for part in parts_of(game.parts.start)],
        }
        for name, game in games.items()
    }
