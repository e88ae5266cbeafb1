"""Rulesets as people give them: a named profile, a file, or options as KEY=VALUE."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oracle import strict_json
from oracle.files import Unreadable, read_bytes
from oracle.games import GAMES
from oracle.games.shapes import options_of
from oracle.strict_json import quote
from oracle.wire import WrongRequest, read_rules, write_rules

Json = dict[str, Any]
CANONICAL = "canonical"


class NoRuleset(ValueError):
    """Words that are no ruleset; one line that says what was expected."""


def read_ruleset(words: Sequence[str], game: str | None = None) -> dict[str, Json]:
    """By game, the options that differ from canonical, out of words such as
    ``hearts:openspiel``, ``house.json`` and ``target=50``, later ones over earlier ones.

    Options hold for ``game``, or for the one game that has them all. Raises NoRuleset.
    """
    chosen: dict[str, Json] = {}
    loose: Json = {}
    for word in words:
        if "=" in word and not Path(word).exists():
            name, _, value = word.partition("=")
            loose[name.strip()] = _value(value.strip())
        elif ":" in word or word == CANONICAL:
            name, rules = _profile(word, game)
            chosen[name] = {**chosen.get(name, {}), **rules}
        else:
            loose.update(_file(Path(word)))
    if loose or not chosen:
        home = game or _only(chosen) or _home(loose)
        chosen[home] = {**chosen.get(home, {}), **loose}
    return {name: _checked(name, rules) for name, rules in chosen.items()}


def _only(chosen: dict[str, Json]) -> str | None:
    return next(iter(chosen)) if len(chosen) == 1 else None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text.split(",") if "," in text else text


def _profile(word: str, game: str | None) -> tuple[str, Json]:
    name, _, profile = word.rpartition(":")
    name = name or game or ""
    if name not in GAMES:
        raise NoRuleset(f"the profile {word} names no game; the games are {', '.join(GAMES)}")
    profiles = {CANONICAL: {}, **GAMES[name].profiles}
    if profile not in profiles:
        known = ", ".join(f"{name}:{each}" for each in profiles)
        raise NoRuleset(f"{name} has no profile {profile}; there are {known}")
    return name, dict(profiles[profile])


def _file(path: Path) -> Json:
    try:
        rules = strict_json.loads(read_bytes(path))
    except strict_json.NotJson as error:
        raise NoRuleset(f"{path}: {error}") from None
    except Unreadable as error:
        raise NoRuleset(f"{error} (a ruleset is a profile, a file, or KEY=VALUE)") from None
    if not isinstance(rules, dict):
        raise NoRuleset(f"{path}: expected an object of options, found {quote(rules)}")
    return rules


def _home(options: Json) -> str:
    homes = [
        name
        for name, game in GAMES.items()
        if options.keys() <= {option.name for option in options_of(game.parts.rules)}
    ]
    if len(homes) == 1:
        return homes[0]
    if homes:
        raise NoRuleset(f"{', '.join(options)}: say which game with --game ({', '.join(homes)})")
    raise NoRuleset(f"no game has the options {', '.join(options)}; see oracle rules GAME")


def _checked(game: str, rules: Json) -> Json:
    try:
        return write_rules(read_rules(GAMES[game], rules))
    except WrongRequest as error:
        raise NoRuleset(str(error)) from None


def said(rules: Json) -> str:
    """A ruleset in words: its options as KEY=VALUE, or "canonical"."""
    if not rules:
        return CANONICAL
    return " ".join(f"{name}={_said(value)}" for name, value in rules.items())


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
