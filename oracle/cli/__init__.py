"""The command ``oracle``: one verb a file, each imported only when it is asked for."""

import contextlib
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from types import FrameType
from typing import Any

import click

from oracle import __version__

#: Exit codes, as docs/protocol.md gives them.
FAILED = 1
USAGE = 2
NOTHING = 3
NO_HANDSHAKE = 4
FAULT = 5
INTERRUPTED = 130
#: Whoever read our output has gone, as in ``oracle list | head``; what a shell calls SIGPIPE.
NOT_READ = 141

VERBS = {
    "check": "Hold an engine against the vectors.",
    "copy": "Copy the published suite into a folder.",
    "coverage": "Count, clause by clause, the cases that permit and refuse.",
    "deal": "Deal a hand by the portable shuffle.",
    "explain": "Tell a case for a person, trick by trick.",
    "export": "Write the requests to a file, for an engine without a pipe.",
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

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # click would end with 1 here, which says that an engine has failed.
            raise _NotRead from None
        except KeyboardInterrupt:
            # click would print a blank line.
            raise _Interrupted from None
        except click.UsageError as error:
            if error.ctx is None and (verb := ctx.invoked_subcommand) in VERBS:
                # Of an option without its value click doesn't say whose it is.
                error.ctx = click.Context(click.Command(verb), parent=ctx, info_name=verb)
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:
        # Once the verb of that name is imported, ``list`` is its module here.
        return [*VERBS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"oracle.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in VERBS and not args[0].startswith("-"):
            from oracle.nearest import did_you_mean

            hint = did_you_mean(args[0], VERBS)
            raise click.UsageError(f"there is no command {args[0]}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*VERBS.items()])


class _NotRead(Exception):
    """Nobody reads our output any more."""


class _Interrupted(Exception):
    """A person, or whoever started us, wants no more of it."""


@click.command(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="oracle", message="%(prog)s %(version)s")
def _oracle() -> None:
    """A rules-conformance oracle for Hearts, Spades, Belote and Bid Whist.

    oracle COMMAND --help says more about a command.
    """


class Stop(Exception):
    """The end of a command with a message of one line and an exit code."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code; a person's mistake costs one line."""
    _make_streams_safe()
    with _ended_in_order():
        code = run(arguments)
    sys.exit(code)


@contextlib.contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl-C does, so that no half of a file is left behind."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    # Who started us may have had it ignored.
    if not main or before == signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _make_streams_safe() -> None:
    """Let nothing that is to be printed, and no stream that is closed, bring the command down."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        # In this order a closed stream gets its own number back, and no other file takes it.
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


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
    except (_Interrupted, click.Abort, KeyboardInterrupt):
        return _say("interrupted", INTERRUPTED)
    except click.ClickException as error:
        return _say(f"oracle: {error.format_message()}", USAGE)
    except Stop as stop:
        return _say(f"oracle: {stop}", stop.code)
    except (_NotRead, BrokenPipeError):
        _give_up_output()
        return NOT_READ
    except Exception as error:
        return _unforeseen(error)


def _give_up_output() -> None:
    """Send what can't be written nowhere, or the interpreter would fail over it at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unforeseen(error: Exception) -> int:
    from oracle.files import Unreadable
    from oracle.strict_json import quote

    if isinstance(error, Unreadable):
        return _say(f"oracle: {error}", USAGE)
    if isinstance(error, UnicodeEncodeError):
        # A word of the command line that was no UTF-8, come to where it must be.
        return _say(
            f"oracle: UTF-8 can't hold {quote(error.object[error.start : error.end])}", USAGE
        )
    if os.environ.get("ORACLE_DEBUG"):
        raise error
    if isinstance(error, OSError):
        _give_up_output()
        place = f"{error.filename}: " if error.filename else ""
        return _say(f"oracle: {place}{(error.strerror or str(error)).lower()}", USAGE)
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return _say(f"oracle: a fault of the oracle itself, {text} (ORACLE_DEBUG=1 shows where)", FAULT)


def _say(message: str, code: int) -> int:
    line = " ".join(message.split())
    if not line.isprintable():
        from oracle.conformance.report.words import visible

        line = visible(line)
    click.echo(line, err=True)
    return code
