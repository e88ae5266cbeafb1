"""oracle copy: the published suite into a folder."""

import os
import shutil
import tempfile
from pathlib import Path

import click

from oracle import data
from oracle.cli import Stop

#: What the suite consists of; vector files name their schema by its place beside them.
_FOLDERS = ("schemas", "vectors")


@click.command("copy")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Copy the published suite, vectors and schemas, into DIR, which must be new or empty."""
    try:
        if folder.exists() and any(folder.iterdir()):
            raise Stop(f"copy {folder}: the folder is not empty")
        copied = _copy(folder)
    except OSError as error:
        raise Stop(f"copy {folder}: {(error.strerror or 'it failed').lower()}") from None
    vectors = folder / "vectors"
    click.echo(f"{copied} files in {folder}; oracle check --vectors {vectors} -- ENGINE runs them")


def _copy(folder: Path) -> int:
    """Copy so that the folder holds nothing or all of it; how many files there are."""
    there = folder.exists()
    if not there:
        folder.absolute().parent.mkdir(parents=True, exist_ok=True)
    # Beside the place where it goes, so that it only has to be renamed.
    beside = Path(
        tempfile.mkdtemp(dir=folder if there else folder.absolute().parent, prefix=".oracle-copy-")
    )
    try:
        copied = sum(_copy_files(data.folder(name), beside / name) for name in _FOLDERS)
        if there:
            for name in _FOLDERS:
                (beside / name).rename(folder / name)
            beside.rmdir()
        else:
            # mkdtemp makes folders that only their owner may read.
            mask = os.umask(0)
            os.umask(mask)
            beside.chmod(0o777 & ~mask)
            beside.rename(folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return copied


def _copy_files(source: Path, target: Path) -> int:
    copied = 0
    for path in sorted(source.rglob("*.json")):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
        copied += 1
    return copied
