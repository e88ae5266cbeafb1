"""oracle export: the requests of a run as a file, for an engine without a pipe."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from oracle.cli.common import Selection, house_rules, rules_option, selection_options
from oracle.conformance.house_rules import chosen_cases
from oracle.conformance.responses import request_lines
from oracle.files import write_pieces
from oracle.vectors.numbered import numbered_cases


@click.command("export")
@selection_options
@rules_option
@click.argument("file", metavar="FILE", default="-")
def command(
    folder: Path | None,
    games: Sequence[str],
    names: Sequence[str],
    clauses: Sequence[str],
    rulesets: Sequence[str],
    file: str,
) -> None:
    """Write the requests to FILE (- for stdout), one JSON object a line, each with its seq.

    Answer each with its response and the same seq, a line each in any order, and let
    oracle check --responses judge them.
    """
    selection = Selection(folder, games, names, clauses)
    rules = house_rules(rulesets, games)
    if rules is None:
        selection.count()
    published = numbered_cases(selection.folder, selection.wants)
    cases = chosen_cases(
        published, rules or {}, selection.wants, others=rules is None, fresh=folder is None
    )
    lines = request_lines(cases)
    if file == "-":
        for line in lines:
            click.echo(line, nl=False)
        return
    written = 0

    def counted() -> Iterator[str]:
        nonlocal written
        for line in lines:
            written += 1
            yield line

    write_pieces(Path(file), counted())
    click.echo(f"{written} request{'' if written == 1 else 's'} in {file}")
