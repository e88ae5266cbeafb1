"""oracle list: the published cases."""

from collections.abc import Sequence
from pathlib import Path

import click

from oracle.cli import Stop
from oracle.cli.common import Selection, selection_options


@click.command("list")
@selection_options
@click.option(
    "--flag", "flags", multiple=True, help="Only cases that are there to catch this mistake."
)
def command(
    folder: Path | None,
    games: Sequence[str],
    names: Sequence[str],
    clauses: Sequence[str],
    flags: Sequence[str],
) -> None:
    """List the cases, a line each: id and title."""
    selection = Selection(folder, games, names, clauses)
    selection.count()
    found = False
    for case in selection.cases():
        if not flags or any(flag in case.flags for flag in flags):
            click.echo(f"{case.id}  {case.title}")
            found = True
    if not found:
        flagged = "".join(f" --flag {flag}" for flag in flags)
        raise Stop(f"there is no case for {selection}{flagged}")
