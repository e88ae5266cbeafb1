"""oracle replay: a request through the reference engine."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from oracle.cli import Stop
from oracle.cli.common import named, read_request_file
from oracle.generate.recipes import cited
from oracle.replay import replay
from oracle.story import tell
from oracle.strict_json import dumps
from oracle.vectors.save import NoCase, save_case
from oracle.wire import WrongRequest, read_request


@click.command("replay")
@click.argument("file", metavar="REQUEST")
@click.option("--json", "as_json", is_flag=True, help="Print the response instead of the story.")
@click.option(
    "--save",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep it as a case in this folder of vectors, your own.",
)
@click.option("--id", "name", metavar="GAME/TOPIC/NAME", help="With --save: the id of the case.")
@click.option("--title", help="With --save: what it is about, in a sentence.")
@click.option(
    "--clause",
    "clauses",
    multiple=True,
    metavar="ID",
    help="With --save: a clause that it is about.  [default: those that the response cites]",
)
@click.option(
    "--flag", "flags", multiple=True, help="With --save: the mistake that it is there to catch."
)
def command(
    file: str,
    as_json: bool,
    folder: Path | None,
    name: str | None,
    title: str | None,
    clauses: Sequence[str],
    flags: Sequence[str],
) -> None:
    """Replay a request, trick by trick, with the clause behind every refusal and every point.

    REQUEST is a file (- for stdin) with a request, a transcript or a line of one, or the id of a
    published case.
    """
    if folder is None and (name or title or clauses or flags):
        raise Stop("replay: --id, --title, --clause and --flag go with --save")
    value = read_request_file(file)
    try:
        request = read_request(value)
    except WrongRequest as error:
        raise Stop(f"{named(file)}: {error}") from None
    if folder is not None:
        _save(folder, name, title, clauses, flags, value)
    elif as_json or request.op not in ("replay", "score"):
        click.echo(dumps(replay(value)))
    else:
        for line in tell(request):
            click.echo(line)


def _save(
    folder: Path,
    name: str | None,
    title: str | None,
    clauses: Sequence[str],
    flags: Sequence[str],
    request: dict[str, Any],
) -> None:
    if not name or not title:
        raise Stop("replay --save: --id and --title are needed too")
    about = tuple(clause.upper() for clause in clauses) or cited(request["game"], replay(request))
    if not about:
        raise Stop(
            "replay --save: the response cites no clause; say with --clause what it is about"
        )
    try:
        saved = save_case(folder, name, title, about, flags, request)
    except NoCase as error:
        raise Stop(str(error)) from None
    click.echo(f"{name} is in {saved.path}; oracle check --vectors {folder} -- ENGINE runs it")
    if not clauses:
        click.echo(
            f"about {', '.join(about)}, which the response cites; --clause ID says it better"
        )
    for flag in saved.unexplained:
        click.echo(f'flag {flag}: say under "notes" in that file what mistake it stands for')
