"""oracle verify: verify a folder of vectors."""

from pathlib import Path

import click

from oracle import __version__, data
from oracle.cli import FAILED
from oracle.cli.common import Progress, vectors_option
from oracle.conformance.verify import verify
from oracle.vectors.cases import load_folder, save_file
from oracle.vectors.index import build_index, load_index, save_index


@click.command("verify")
@vectors_option
@click.option(
    "--write", is_flag=True, help="First write files in their proper form, and the index."
)
def command(folder: Path | None, write: bool) -> int:
    """Verify schemas and index, work every generated response out again byte for byte, and
    replay every hand-worked case."""
    folder = folder or data.folder("vectors")
    if write:
        _write(folder)
    progress = Progress("verified", None)
    problems = 0
    done = 0

    def told(number: int) -> None:
        nonlocal done
        done = number
        progress.show(number)

    for problem in verify(folder, told):
        progress.clear()
        click.echo(problem)
        problems += 1
    progress.clear()
    click.echo(
        f"{done} case{'' if done == 1 else 's'} verified, "
        f"{problems} problem{'' if problems == 1 else 's'}"
    )
    return FAILED if problems else 0


def _write(folder: Path) -> None:
    index = load_index(folder)
    files = list(load_folder(folder))
    for path, vectors in files:
        save_file(path, folder, vectors)
    save_index(folder, build_index(folder, files, __version__, index["retired"] if index else []))
