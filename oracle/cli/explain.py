"""oracle explain: a case told for a person."""

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from oracle.cli import Stop
from oracle.cli.common import Selection, house_rules, rules_option, vectors_option
from oracle.conformance.house_rules import chosen_cases, may_be_fresh
from oracle.games import GAMES
from oracle.rulesets import said
from oracle.story import clause_lines, tell
from oracle.vectors.cases import Case
from oracle.vectors.numbered import numbered_cases
from oracle.wire import WrongRequest, read_request


@click.command("explain")
@vectors_option
@rules_option
@click.argument("name", metavar="CASE")
def command(folder: Path | None, rulesets: Sequence[str], name: str) -> None:
    """Tell a case for a person: what it is about, the table trick by trick, and the clause
    behind every refusal and every point. CASE is an id (oracle list shows them).

    With --rules it is told as oracle check asks it under these house rules; that finds the hands
    too that are played for them.
    """
    selection = Selection(folder, names=[name], asked=name)
    game = name.partition("/")[0]
    rules = house_rules(rulesets, [game] if game in GAMES else [])
    if rules is None and may_be_fresh(name):
        raise Stop(f"{name} is played for house rules: name them with --rules")
    if rules is None or not may_be_fresh(name):
        selection.count()
    found = False
    for case in selection.cases() if rules is None else _under(rules, selection, folder):
        click.echo("\n".join([*explain(case), ""]))
        found = True
    if not found:
        raise selection.nothing() if rules is None else _not_under(rules, selection)


def _under(rules: Mapping[str, Any], selection: Selection, folder: Path | None) -> Iterator[Case]:
    """The cases as they are asked under house rules."""
    published = numbered_cases(selection.folder, selection.wants)
    cases = chosen_cases(published, rules, selection.wants, others=False, fresh=folder is None)
    return (case for _, case in cases)


def _not_under(rules: Mapping[str, Any], selection: Selection) -> Stop:
    told = ", ".join(f"{game} under {said(each)}" for game, each in rules.items())
    return Stop(f"{selection} is not asked of {told}")


def explain(case: Case) -> Iterator[str]:
    """The lines that explain a case."""
    yield case.id
    yield f"  {case.title}"
    for clause in case.clauses:
        yield from (f"  {line}" for line in clause_lines(case.game, clause))
    for flag in case.flags:
        note = f"It is there to catch {flag}: {case.notes.get(flag, '')}"
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
