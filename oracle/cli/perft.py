"""oracle perft: count the sequences of legal actions."""

import click

from oracle.cli import Stop
from oracle.cli.common import named, read_request_file
from oracle.replay import replay


@click.command("perft")
@click.argument("file", metavar="FILE")
@click.option(
    "--depth", type=click.IntRange(min=0), help="How deep; instead of the request's own depth."
)
@click.option("--divide", is_flag=True, help="Print the count behind each first action too.")
def command(file: str, depth: int | None, divide: bool) -> None:
    """Count the sequences of legal actions after the request in FILE (- for stdin)."""
    value = read_request_file(file)
    if isinstance(value, dict):
        value = {"depth": 1, **value, "op": "perft"}
        value.pop("seat", None)
        if depth is not None:
            value["depth"] = depth
    answer = replay(value)
    if "error" in answer:
        raise Stop(f"{named(file)}: {answer['error']}")
    if divide:
        for action, count in answer["divide"].items():
            click.echo(f"{action}: {count}")
    click.echo(answer["nodes"])
