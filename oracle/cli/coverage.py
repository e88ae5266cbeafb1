"""oracle coverage: which clauses the vectors cover, and from which side."""

from collections.abc import Sequence
from pathlib import Path

import click

from oracle.cli import FAILED
from oracle.cli.common import GAME, Selection, vectors_option
from oracle.games import GAMES
from oracle.vectors.coverage import Refusals, coverage, table_lines


@click.command("coverage")
@vectors_option
@click.argument("games", nargs=-1, type=GAME, metavar="[GAME]...")
def command(folder: Path | None, games: Sequence[str]) -> int:
    """Print, clause by clause, how many cases are about it, permit and refuse, score and
    withhold, and under which options; then what actions are refused for in each phase. Fails
    if a side of a clause is empty, or a reason is missing in a phase."""
    clauses = reasons = 0
    for game in games or GAMES:
        cases = list(Selection(folder, [game]).cases())
        rows = coverage(game, cases)
        refusals = Refusals(game)
        for case in cases:
            refusals.add(case)
        for line in (*table_lines(game, rows), "", *refusals.lines(), ""):
            click.echo(line)
        clauses += sum(1 for row in rows if row.empty)
        reasons += sum(1 for _ in refusals.empty())
    if clauses:
        click.echo(f"{clauses} clause{'' if clauses == 1 else 's'} with an empty side")
    if reasons:
        click.echo(f"{reasons} reason{'' if reasons == 1 else 's'} missing in a phase")
    return FAILED if clauses or reasons else 0
