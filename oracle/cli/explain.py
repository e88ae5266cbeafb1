"""oracle explain: a case told for a person."""

import json
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from oracle.cli.common import Selection, vectors_option
from oracle.story import clause_lines, tell
from oracle.vectors.cases import Case
from oracle.wire import WrongRequest, read_request


@click.command("explain")
@vectors_option
@click.argument("name", metavar="CASE")
def command(folder: Path | None, name: str) -> None:
    """Tell a case for a person: what it is about, the table trick by trick, and the clause
    behind every refusal and every point. CASE is an id (oracle list shows them)."""
    selection = Selection(folder, names=[name], asked=name)
    selection.count()
    found = False
    for case, notes in selection.with_notes():
        click.echo("\n".join([*explain(case, notes), ""]))
        found = True
    if not found:
        raise selection.nothing()


def explain(case: Case, notes: Mapping[str, str]) -> Iterator[str]:
    """The lines that explain a case; ``notes`` explains its flags."""
    yield case.id
    yield f"  {case.title}"
    for clause in case.clauses:
        yield from (f"  {line}" for line in clause_lines(case.game, clause))
    for flag in case.flags:
        note = f"It is there to catch {flag}: {notes.get(flag, '')}"
        yield from (f"  {line}" for line in textwrap.wrap(note, 88))
    yield ""
    try:
        request = read_request(case.request)
    except WrongRequest as error:
        yield f"The request is wrong on purpose: {error}"
        return
    if request.op != "shuffle":
        yield from tell(request)
    if request.op not in ("replay", "score"):
        asked = {
            key: value for key, value in case.request.items() if key not in ("deals", "actions")
        }
        yield f"asked:    {json.dumps(asked, ensure_ascii=False)}"
        yield f"expected: {json.dumps(case.response, ensure_ascii=False)}"
