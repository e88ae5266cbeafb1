"""The command ``oracle``: one verb a file, each imported only when it is asked for."""

import os
import sys
from importlib import import_module

import click

from oracle import __version__

#: Exit codes, as docs/protocol.md gives them.
FAILED = 1
USAGE = 2
NOTHING = 3
NO_HANDSHAKE = 4
FAULT = 5
INTERRUPTED = 130

VERBS = {
    "check": "Hold an engine against the vectors.",
    "deal": "Deal a hand by the portable shuffle.",
    "generate": "Write new cases by playing, or the published generated sets again.",
    "list": "List the published cases.",
    "play": "Let players play matches against each other.",
    "perft": "Count the sequences of legal actions.",
    "replay": "Replay a request with the reference engine.",
    "rules": "Read the rulebook.",
    "serve": "Be an engine on the protocol: the reference itself.",
    "verify": "Verify a folder of vectors.",
}


class _Verbs(click.Group):
    """Verbs that are imported when they are used, so that the others cost nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"oracle.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.command(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="oracle", message="%(prog)s %(version)s")
def _oracle() -> None:
    """A rules-conformance oracle for Hearts, Spades, Belote and Bid Whist."""


class Stop(Exception):
    """The end of a command with a message of one line and an exit code."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code; a person's mistake costs one line."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; its exit code."""
    try:
        code = _oracle(arguments, prog_name="oracle", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return USAGE
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "oracle"
        return _say(f"{where}: {error.format_message()} (see {where} --help)", USAGE)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        return _say(f"oracle: {error.format_message()}", USAGE)
    except Stop as stop:
        return _say(f"oracle: {stop}", stop.code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has had enough; nothing more can be written there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _unforeseen(error)


def _unforeseen(error: Exception) -> int:
    from oracle.files import Unreadable

    if isinstance(error, Unreadable):
        return _say(f"oracle: {error}", USAGE)
    if os.environ.get("ORACLE_DEBUG"):
        raise error
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return _say(f"oracle: a fault of the oracle itself, {text} (ORACLE_DEBUG=1 shows where)", FAULT)


def _say(message: str, code: int) -> int:
    click.echo(" ".join(message.split()), err=True)
    return code
