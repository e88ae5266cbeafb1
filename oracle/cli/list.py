"""oracle list: the published cases."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from oracle.cli import Stop
from oracle.cli.common import Selection, selection_options
from oracle.nearest import did_you_mean


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
    known: set[str] = set()
    for case in selection.cases():
        known.update(case.flags)
        if not flags or any(flag in case.flags for flag in flags):
            sizes[case.id.rpartition("/")[0]] += 1
            if not topics:
                click.echo(f"{case.id}  {case.title}")
    if topics:
        for topic, size in sorted(sizes.items()):
            click.echo(f"{topic}/*  {size} case{'' if size == 1 else 's'}")
    if not sizes:
        chosen = [str(selection)] if folder or games or names or clauses or not flags else []
        asked = " ".join([*chosen, *(f"--flag {flag}" for flag in flags)])
        meant = did_you_mean(flags[0], known) if len(flags) == 1 else ""
        raise Stop(f"there is no case for {asked}{meant}")
