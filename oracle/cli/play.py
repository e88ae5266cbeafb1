"""oracle play: matches between players, and what they say of them."""

from collections.abc import Iterator, Sequence

import click

from oracle.cli import Stop
from oracle.cli.common import GAME, Progress
from oracle.games import GAMES
from oracle.games.table import Table
from oracle.players import PLAYERS
from oracle.players.match import play_matches
from oracle.players.standings import Estimate, Row, Standings
from oracle.rulesets import NoRuleset, read_ruleset, said
from oracle.wire import read_rules

_MATCHES = 100


@click.command("play")
@click.argument("game", type=GAME, required=False)
@click.argument("players", nargs=-1, metavar="[PLAYER]…")
@click.option("--matches", type=click.IntRange(min=1), help=f"How many.  [default: {_MATCHES}]")
@click.option(
    "--hands",
    type=click.IntRange(min=1),
    help="Play matches until so many hands are over, instead.",
)
@click.option(
    "--seed",
    default="1",
    show_default=True,
    help="Any text; the same text gives the same result everywhere.",
)
@click.option(
    "--rules",
    "rulesets",
    multiple=True,
    metavar="RULES",
    help="A profile, a JSON file, or KEY=VALUE.",
)
def command(
    game: str | None,
    players: tuple[str, ...],
    matches: int | None,
    hands: int | None,
    seed: str,
    rulesets: tuple[str, ...],
) -> None:
    """Let PLAYERs play matches of GAME: one a seat, or one a side; without PLAYER list them.

    Who sits where changes from match to match; partners stay partners.
    """
    if game is None or not players:
        for each in [game] if game else list(GAMES):
            click.echo("\n".join(_listed(each)))
        return
    if matches and hands:
        raise Stop("play: --matches and --hands don't go together")
    _check_players(GAMES[game], players)
    try:
        seed.encode()
        rules = read_ruleset(rulesets, game)[game] if rulesets else {}
    except UnicodeEncodeError:
        raise Stop("--seed: expected text that UTF-8 can hold") from None
    except NoRuleset as error:
        raise Stop(f"--rules: {error}") from None
    standings = Standings(players)
    progress = Progress(*(("hands", hands) if hands else ("matches", matches or _MATCHES)))
    for match in play_matches(
        GAMES[game],
        read_rules(GAMES[game], rules),
        [PLAYERS[game][name].choose for name in players],
        seed,
        matches=None if hands else matches or _MATCHES,
        hands=hands,
    ):
        standings.add(match)
        progress.show(standings.hands if hands else standings.matches)
    progress.clear()
    cut = f", {standings.unfinished} of them cut off" if standings.unfinished else ""
    click.echo(
        f"{GAMES[game].title}, {said(rules)} rules, seed {seed}: "
        f"{standings.matches} matches{cut}, {standings.hands} hands"
    )
    click.echo("\n".join(_table(standings.rows())))


def _listed(game: str) -> Iterator[str]:
    """A game's players, each with what it goes for."""
    width = max(map(len, PLAYERS[game]))
    yield game
    for name, player in PLAYERS[game].items():
        yield f"  {name:<{width}}  {player.about}"


def _check_players(game: type[Table], names: Sequence[str]) -> None:
    for name in names:
        if name not in PLAYERS[game.name]:
            known = ", ".join(PLAYERS[game.name])
            raise Stop(f"{game.name} has no player {name}; there are {known}")
    if len(names) not in (game.seats, game.sides):
        counts = " or ".join(map(str, sorted({game.seats, game.sides})))
        raise Stop(f"{game.name} is played by {counts} players, found {len(names)}")


def _table(rows: Sequence[Row]) -> Iterator[str]:
    width = max(len("player"), *(len(row.player) for row in rows))
    yield f"{'player':<{width}}  {'points a hand':<24}  matches won"
    for row in rows:
        points = _said(row.points, 1, 2, "")
        yield f"{row.player:<{width}}  {points:<24}  {_said(row.wins, 100, 1, ' %')}"


def _said(estimate: Estimate | None, scale: int, places: int, unit: str) -> str:
    """A value with its interval, such as ``55.0 % (47.8 to 62.0)``."""
    if estimate is None:
        return "too few to say"
    value, low, high = (f"{number * scale:.{places}f}" for number in estimate)
    return f"{value}{unit} ({low} to {high})"
