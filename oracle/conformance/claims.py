"""What an engine claims to play and to report, read from its answer to ``hello``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oracle import schemas, strict_json
from oracle.games.shapes import OneOf, options_of, parts_of
from oracle.games.table import Table
from oracle.wire import FIELDS, read_rules

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
        allowed = self.options.get(name, [canonical])
        return allowed == "any" or any(
            type(each) is type(value) and each == value for each in allowed
        )

    def why_not_asked(self, game: type[Table], op: str, request: Json) -> str | None:
        """Why a request lies outside what the engine claims; None when it lies within."""
        if op == "error":
            # A wrong request needs no more than that the engine checks requests at all.
            return None if "error" in self.reports else "the engine reports no error"
        if op not in self.ops:
            return f"the engine doesn't answer {op}"
        if op == "shuffle":
            return None
        for name, value, canonical in option_values(game, request.get("rules", {})):
            if not self.plays_option(name, value, canonical):
                return f"the engine doesn't play {name}={strict_json.dumps(value)}"
        for name in request.get("start", {}):
            if name not in self.start:
                return f"the engine takes no {name} at the start"
        if self.max_hands is not None and len(request.get("deals", ())) > self.max_hands:
            return "the engine plays fewer hands in one request"
        return None


def option_values(game: type[Table], rules: Json) -> list[tuple[str, Any, Any]]:
    """Every option of a game with its value under these rules and its canonical value, as JSON."""
    canonical = _all_options(game, {})
    return [(name, value, canonical[name]) for name, value in _all_options(game, rules).items()]


def _all_options(game: type[Table], rules: Json) -> Json:
    chosen = read_rules(game, rules)
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in vars(chosen).items()
    }


@dataclass(frozen=True)
class Claims:
    """An engine's answer to ``hello``."""

    engine: Mapping[str, str]
    games: Mapping[str, GameClaim]


def read_claims(answer: Any) -> Claims:
    """The claims in an answer to ``hello``; raises NoHandshake."""
    if problems := schemas.problems("hello", answer):
        raise NoHandshake(problems[0])
    if answer["protocol"] != PROTOCOL:
        raise NoHandshake(f"protocol {answer['protocol']}, and this oracle speaks {PROTOCOL}")
    return Claims(
        {name: str(text) for name, text in answer["engine"].items()},
        {name: _read_game(claim) for name, claim in answer["games"].items()},
    )


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
