"""oracle coverage: which clauses the vectors cover, and from which side."""

from collections.abc import Sequence
from pathlib import Path

import click

from oracle.cli import FAILED
from oracle.cli.common import GAME, Selection, vectors_option
from oracle.games import GAMES
from oracle.vectors.coverage import coverage, table_lines


@click.command("coverage")
@vectors_option
@click.argument("games", nargs=-1, type=GAME, metavar="[GAME]...")
def command(folder: Path | None, games: Sequence[str]) -> int:
    """Print, clause by clause, how many cases are about it, permit and refuse, score and
    withhold, and under which options. Fails if a side of a clause is empty."""
    empty = 0
    for game in games or GAMES:
        rows = coverage(game, Selection(folder, [game]).cases())
        for line in table_lines(game, rows):
            click.echo(line)
        empty += sum(1 for row in rows if row.empty)
    if empty:
        click.echo(f"{empty} clause{'' if empty == 1 else 's'} with an empty side")
    return FAILED if empty else 0
