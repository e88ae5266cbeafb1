"""Fake engines for tests: small cases, the command that starts a fake, and what it leaves."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from oracle import __version__
from oracle.conformance.claims import full_claims
from oracle.games import GAMES
from oracle.replay import replay
from oracle.vectors.cases import Case, VectorFile, save_file

Json = dict[str, Any]

FAKE = Path(__file__).with_name("fake.py")


def shuffles(count: int) -> list[Case]:
    """So many small cases."""
    return [
        case(f"hearts/shuffles/{n}", {"op": "shuffle", "game": "hearts", "seed": str(n)})
        for n in range(count)
    ]


def case(name: str, request: Json, clauses: Sequence[str] = ("HEARTS-02",), **more: Any) -> Case:
    """A case with the response of the reference."""
    source = {"kind": "generated", "by": "a test", "seed": "1"}
    return Case(
        name, "A case", tuple(clauses), (), __version__, source, request, replay(request), **more
    )


def write_folder(folder: Path, cases: Iterable[Case]) -> Path:
    """A folder of vectors that holds these cases, a file for each topic."""
    topics: dict[tuple[str, str], list[Case]] = {}
    for each in cases:
        game, topic, _ = each.id.split("/")
        topics.setdefault((game, topic), []).append(each)
    for (game, topic), some in topics.items():
        vectors = VectorFile(game, topic, "For a test.", tuple(some), __version__)
        save_file(folder / game / f"{topic}.json", folder, vectors)
    return folder


def key(request: Json) -> str:
    """A request as the table of a fake engine names it."""
    return json.dumps({name: request[name] for name in sorted(request)})


class Fake:
    """A fake engine that goes wrong at some of the cases."""

    def __init__(
        self,
        folder: Path,
        way: str,
        cases: Sequence[Case],
        at: Sequence[int] = (2,),
        claims: Json | None = None,
    ) -> None:
        self.pids = folder / "pids"
        self.pids.touch()
        table = folder / "table.json"
        engine = {"name": "fake", "version": "1", "language": "Python"}
        hello = {"protocol": 1, "engine": engine, "games": claims or full_claims(GAMES)}
        #: How long its answer to hello is, in bytes.
        self.hello_size = len(json.dumps(hello))
        table.write_text(
            json.dumps(
                {
                    "hello": hello,
                    "answers": {key(case.request): case.response for case in cases},
                    "at": [key(cases[n].request) for n in at],
                    "pids": str(self.pids),
                }
            )
        )
        self.command = [sys.executable, "-I", "-S", str(FAKE), str(table), way]

    @property
    def started(self) -> list[int]:
        """The ids of the processes that were started so far."""
        return [int(line) for line in self.pids.read_text().split()]

    @property
    def left(self) -> list[str]:
        """What still runs in the groups of these processes, and zombies that are ours."""
        return [
            each
            for pid, parent, group, state, each in processes()
            if group in self.started and (state != "Z" or parent == os.getpid())
        ]


def processes() -> list[tuple[int, int, int, str, str]]:
    """Every process: its id, parent, group and state, and all of it in a line."""
    if Path("/proc/self/stat").exists():
        return list(_from_proc())
    columns = ["ps", "-A", "-o", "pid=,ppid=,pgid=,stat="]
    lines = subprocess.run(columns, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split() for line in lines]
    return [(int(a), int(b), int(c), d[0], " ".join([a, b, c, d])) for a, b, c, d in rows]


def _from_proc() -> Iterable[tuple[int, int, int, str, str]]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            line = path.read_text()
        except OSError:
            # It has ended meanwhile.
            continue
        state, parent, group = line.rpartition(") ")[2].split()[:3]
        yield int(path.parent.name), int(parent), int(group), state, line
