"""oracle serve: the reference engine on the protocol."""

import sys

import click

from oracle.conformance.serve import serve


@click.command("serve")
def command() -> None:
    """Answer the engine protocol on stdin and stdout with the reference engine."""
    serve(sys.stdin.buffer, sys.stdout.buffer)
