"""oracle serve: the reference engine on the protocol."""

import signal
import sys
import threading

import click

from oracle.conformance.serve import serve


@click.command("serve")
def command() -> None:
    """Answer the engine protocol on stdin and stdout with the reference engine."""
    if threading.current_thread() is threading.main_thread():
        # An engine that is ended has nothing to say about it.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    serve(sys.stdin.buffer, sys.stdout.buffer)
