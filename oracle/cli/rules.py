"""oracle rules: read the rulebook."""

import re

import click

from oracle.cli import Stop
from oracle.games import GAMES
from oracle.games.refusals import DETAILS, GENERAL
from oracle.games.shapes import options_of
from oracle.nearest import did_you_mean
from oracle.rulebook import Entry, entries, find, game_text
from oracle.strict_json import dumps
from oracle.wire import describe, write_shape


@click.command("rules")
@click.argument("which", required=False, metavar="[GAME|CLAUSE|OPTION]")
def command(which: str | None) -> None:
    """Print the rulebook of GAME, one CLAUSE, ruling, or general refusal (FORMAT, OVER, TURN,
    PHASE, CARD), or what settles an OPTION; without any, list the games."""
    if which is None:
        _list()
    elif which in GAMES:
        click.echo(game_text(which).rstrip())
        click.echo("\n".join(_profile_lines(which)), nl=False)
    elif which.upper() in GENERAL:
        click.echo("\n".join(_refusal_lines(which.upper())))
    elif entry := find(which.upper(), tuple(GAMES)):
        click.echo("\n".join(entry_lines(entry)))
    elif settling := _settling(which):
        click.echo("\n\n".join("\n".join(entry_lines(entry)) for entry in settling))
    else:
        raise Stop(_neither(which))


def _settling(option: str) -> list[Entry]:
    """The rulings and clauses that settle an option, of every game that has one of this name."""
    return [
        entries(name)[ruling]
        for name, game in GAMES.items()
        for each in options_of(game.parts.rules)
        if each.name == option
        for ruling in each.rulings
    ]


def _neither(which: str) -> str:
    """What is wrong with a word that names nothing, and what may have been meant."""
    options = {each.name for game in GAMES.values() for each in options_of(game.parts.rules)}
    known = [*GAMES, *GENERAL, *sorted(options)]
    known += [name for game in GAMES for name in entries(game)]
    # A number without its zero comes nearer to others of two digits.
    padded = re.sub(r"(?<=[-R])(\d)$", r"0\1", which.upper())
    games = ", ".join(GAMES)
    return (
        f"rules {which}: no game ({games}), no clause or ruling such as HEARTS-10, and no option"
        f"{did_you_mean(padded, known)}"
    )


def _profile_lines(name: str) -> list[str]:
    """The named profiles of a game as they follow its rulebook, the last line ended."""
    profiles = GAMES[name].profiles
    if not profiles:
        return []
    lines = [f"- `{name}:{profile}`: `{dumps(dict(rules))}`" for profile, rules in profiles.items()]
    return [
        "",
        "## Profiles",
        "",
        "Options together under one name, for `--rules`:",
        "",
        *lines,
        "",
    ]


def _refusal_lines(clause: str) -> list[str]:
    """A general refusal as it is printed."""
    return [
        f"{clause} a general refusal, of every game and in no rulebook",
        "",
        DETAILS[clause],
        "",
        f"Refusals are looked for in this order: {', '.join(GENERAL)}, then the rules of the game.",
        "Cases about them: oracle list --case '*/refusals/*'",
    ]


def _list() -> None:
    for name, game in GAMES.items():
        click.echo(f"{name:<12} {len(entries(name)):>3} clauses and rulings   oracle rules {name}")
        for profile, rules in game.profiles.items():
            click.echo(f"             profile {name}:{profile} {dumps(dict(rules))}")


def entry_lines(entry: Entry) -> list[str]:
    """An entry as it is printed, with its options and their values."""
    lines = [f"{entry.id} {entry.title}", "", *entry.text.splitlines()]
    if entry.bears_on:
        lines += ["", f"Bears on {', '.join(entry.bears_on)}"]
    if entry.same_as:
        lines += ["", f"Says the same as {', '.join(entry.same_as)}"]
    if entry.unbreakable:
        lines += ["", f"No engine can break this: {entry.unbreakable}"]
    for option in options_of(GAMES[entry.game].parts.rules):
        if option.name in entry.options:
            canonical = dumps(write_shape(option.shape, option.canonical))
            lines += ["", f"Option {option.name}: {describe(option.shape)}; canonical {canonical}"]
    return lines
