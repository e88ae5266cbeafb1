"""oracle replay: a request through the reference engine."""

import click

from oracle.cli import Stop
from oracle.cli.common import read_request_file
from oracle.replay import replay
from oracle.story import tell
from oracle.strict_json import dumps
from oracle.wire import WrongRequest, read_request


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print the response instead of the story.")
def command(file: str, as_json: bool) -> None:
    """Replay the request in FILE (- for stdin), trick by trick, with the clause behind every
    refusal and every point."""
    value = read_request_file(file)
    try:
        request = read_request(value)
    except WrongRequest as error:
        raise Stop(f"{file}: {error}") from None
    if as_json or request.op != "replay":
        click.echo(dumps(replay(value)))
    else:
        for line in tell(request):
            click.echo(line)
