"""oracle list: the published cases."""

from collections import Counter
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
@click.option("--topics", is_flag=True, help="List the topics of the cases, with their sizes.")
def command(
    folder: Path | None,
    games: Sequence[str],
    names: Sequence[str],
    clauses: Sequence[str],
    flags: Sequence[str],
    topics: bool,
) -> None:
    """List the cases, a line each: id and title."""
    selection = Selection(folder, games, names, clauses)
    selection.count()
    sizes: Counter[str] = Counter()
    for case in selection.cases():
        if not flags or any(flag in case.flags for flag in flags):
            sizes[case.id.rpartition("/")[0]] += 1
            if not topics:
                click.echo(f"{case.id}  {case.title}")
    if topics:
        for topic, size in sorted(sizes.items()):
            click.echo(f"{topic}/*  {size} case{'' if size == 1 else 's'}")
    if not sizes:
        flagged = "".join(f" --flag {flag}" for flag in flags)
        raise Stop(f"there is no case for {selection}{flagged}")
