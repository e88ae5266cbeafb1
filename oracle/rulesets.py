"""Rulesets as people give them: a named profile, a file, or options as KEY=VALUE."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from oracle import strict_json
from oracle.files import Unreadable, read_bytes
from oracle.games import GAMES
from oracle.games.shapes import options_of
from oracle.strict_json import quote, shorten
from oracle.wire import WrongRequest, read_rules, write_rules

Json = dict[str, Any]
CANONICAL = "canonical"


class NoRuleset(ValueError):
    """Words that are no ruleset; one line that says what was expected."""


def read_ruleset(words: Sequence[str], game: str | None = None) -> dict[str, Json]:
    """By game, the options that differ from canonical, out of words such as
    ``hearts:openspiel``, ``house.json`` and ``target=50``, later ones over earlier ones.

    Options hold for ``game``, or for the one game that has them all. A word that ends in
    ``.json`` is always a file. Raises NoRuleset.
    """
    chosen: dict[str, Json] = {}
    loose: Json = {}
    for word in words:
        is_file = word.endswith(".json")
        if "=" in word and not is_file:
            name, _, value = word.partition("=")
            loose[name.strip()] = _value(value.strip())
        elif word == CANONICAL or (":" in word and not is_file):
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
        return strict_json.loads(text)
    except strict_json.NotJson:
        return text.split(",") if "," in text else text


def _profile(word: str, game: str | None) -> tuple[str, Json]:
    name, _, profile = word.rpartition(":")
    name = name or game or ""
    if name not in GAMES:
        raise NoRuleset(f"the profile {word} names no game; the games are {', '.join(GAMES)}")
    if game and name != game:
        raise NoRuleset(f"the profile {word} is not one of {game}")
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
        kinds = f"a ruleset is a profile such as {_some_profile()}, a JSON file, or KEY=VALUE"
        raise NoRuleset(f"{error} ({kinds})") from None
    if not isinstance(rules, dict):
        raise NoRuleset(f"{path}: expected an object of options, found {quote(rules)}")
    return rules


def _some_profile() -> str:
    return next(f"{name}:{each}" for name, game in GAMES.items() for each in game.profiles)


def _home(options: Json) -> str:
    """The one game that has these options; one that it has switched off is its own too."""
    homes = [
        name
        for name, game in GAMES.items()
        if options.keys()
        <= {option.name for option in options_of(game.parts.rules)} | game.locked.keys()
    ]
    if len(homes) == 1:
        return homes[0]
    which = _listed(options)
    if homes:
        raise NoRuleset(f"{which}: say which game with --game ({', '.join(homes)})")
    if len(options) == 1:
        raise NoRuleset(f"no game has the option {which}; oracle rules GAME lists its options")
    raise NoRuleset(f"no game has all of the options {which}; oracle rules GAME lists its options")


def _listed(options: Iterable[str]) -> str:
    names = ", ".join(options) or "a ruleset without options"
    return shorten(names if names.isprintable() else quote(names), 120)


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
