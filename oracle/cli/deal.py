"""oracle deal: a hand by the portable shuffle."""

import click

from oracle.cli import Stop
from oracle.cli.common import GAME
from oracle.replay import replay
from oracle.strict_json import dumps


@click.command("deal")
@click.argument("game", type=GAME)
@click.option(
    "--seed", required=True, help="Any text; the same text gives the same deal everywhere."
)
def command(game: str, seed: str) -> None:
    """Print the deal of GAME that a seed gives, as a request takes it."""
    answer = replay({"op": "shuffle", "game": game, "seed": seed})
    if "error" in answer:
        raise Stop(f"--{answer['error'].removeprefix('/')}")
    click.echo(dumps(answer["deal"]))
