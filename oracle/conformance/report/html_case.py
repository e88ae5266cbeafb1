"""One case in HTML: what was asked, what went wrong and where, and how to ask it again."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from oracle.conformance.compare import Difference
from oracle.conformance.report.html_table import esc, painted, picture, story
from oracle.conformance.report.words import (
    about,
    both_answers,
    first_differences,
    moment,
    visible,
    visible_lines,
)
from oracle.conformance.verdicts import Result, refusal
from oracle.rulebook import Entry, entries
from oracle.rulesets import said
from oracle.story import table_after
from oracle.strict_json import dumps, shorten
from oracle.vectors.cases import Case
from oracle.wire import Request, WrongRequest, read_request

#: So many differences of one state are shown.
_DIFFERENCES = 6
#: As much of a message, and of a request, as is shown.
_MESSAGE = 1000
_REQUEST = 6000


def open_tag(tag: str, result: Result) -> str:
    """The beginning of a case's element, with what the page filters by."""
    case = result.case
    return (
        f'<{tag} class="case" id="{esc(case.id)}" data-verdict="{result.verdict}" '
        f'data-game="{esc(case.game)}" data-clauses="{esc(" ".join(case.clauses))}">'
    )


def heading(result: Result) -> str:
    """The line by which a case is known."""
    case = result.case
    return (
        f'<span class="verdict {result.verdict}">{result.verdict}</span> '
        f'<span class="title">{esc(case.title)}</span> '
        f'<span class="id">{esc(case.id)} · {esc(", ".join(case.clauses))}</span>'
    )


def panel(result: Result, again: str, variants: Sequence[dict[str, Any]] = ()) -> str:
    """A case that can be unfolded to all there is to say of it; ``variants`` are the options
    under which the answer would be right."""
    body = "".join(_sections(result, again, variants))
    head = f"{open_tag('details', result)}<summary>{heading(result)}</summary>"
    return f'{head}<div class="panel">{body}</div></details>\n'


def _sections(result: Result, again: str, variants: Sequence[dict[str, Any]]) -> Iterator[str]:
    case = result.case
    wrong = "".join(_wrong(result))
    if variants:
        told = " or under ".join(f"<code>{esc(said(each))}</code>" for each in variants)
        wrong += f"<p>This answer is right under {told}.</p>"
    yield _section("What went wrong", wrong, "wrong")
    try:
        request = read_request(case.request)
    except WrongRequest:
        request = None
    if request and request.op not in ("score", "shuffle"):
        yield from _at_the_table(result, request)
    yield _section("The rule", "".join(_clause(case.game, clause) for clause in case.clauses))
    if result.stderr:
        stderr = escape("\n".join(visible_lines(result.stderr)))
        yield _section("The end of the engine's stderr", f"<pre>{stderr}</pre>")
    yield _section("Run it again", _copied(again, "command") + _request(case), "again")


def _section(title: str, body: str, kind: str = "") -> str:
    return f'<section class="{kind}"><h4>{esc(title)}</h4>{body}</section>'


def _wrong(result: Result) -> Iterator[str]:
    case = result.case
    for flag in case.flags:
        if note := case.notes.get(flag):
            yield f"<p>There to catch {esc(flag)}: {esc(note)}</p>"
    if result.message:
        yield f'<p class="message">{esc(shorten(result.message, _MESSAGE))}</p>'
    if case.op == "error":
        yield f"<p>The request is wrong on purpose: {esc(case.response['error'])}</p>"
    else:
        yield from _asked(case)
    here = first_differences(result)[:_DIFFERENCES]
    for difference in here:
        yield _difference(case, difference)
    if more := len(result.differences) - len(here):
        yield f'<p class="muted">… and {more} more difference{"" if more == 1 else "s"} after that</p>'


def _asked(case: Case) -> Iterator[str]:
    """What of the request can't be seen on the table."""
    if rules := case.request.get("rules"):
        yield f"<p>Rules: <code>{esc(said(rules))}</code></p>"
    for name, value in case.request.items():
        if name not in ("op", "game", "rules", "deals", "actions") and value != {}:
            yield f"<p>Asked with {esc(name)} <code>{esc(shorten(dumps(value), _MESSAGE))}</code></p>"


def _difference(case: Case, difference: Difference) -> str:
    answers = both_answers(case.game, difference, refusal(case, difference))
    rows = "".join(
        f'<div class="{label.replace(" ", "-")}"><dt>{label}</dt><dd>{painted(text)}</dd></div>'
        for label, text in answers
    )
    what = about(difference)
    place = f"<code>{esc(difference.pointer) or 'the response'}</code>"
    return f'<h5>{esc(what)} <span class="at">at {place}</span></h5><dl>{rows}</dl>'


def _at_the_table(result: Result, request: Request) -> Iterator[str]:
    actions, words = moment(result, request)
    table = picture(table_after(request, actions))
    yield _section(words[:1].upper() + words[1:], table, "half")
    if actions:
        yield _section("The game so far", story(request, actions), "half")


# The rulebook.


def _clause(game: str, clause: str) -> str:
    entry = entries(game).get(clause)
    if entry is None:
        return f"<p>{esc(clause)}</p>"
    options = f"<p>Options: {esc(', '.join(entry.options))}</p>" if entry.options else ""
    return f"<h5>{entry.id} {esc(entry.title)}</h5>{options}{_prose(entry)}"


def _prose(entry: Entry) -> str:
    """The words of an entry: paragraphs, lists and tables of the rulebook's Markdown."""
    return "".join(map(_block, entry.text.split("\n\n")))


def _block(block: str) -> str:
    lines = block.split("\n")
    if block.startswith("|"):
        rows = [line.strip("|").split("|") for line in lines if "---" not in line]
        cells = ("".join(f"<td>{_inline(cell.strip())}</td>" for cell in row) for row in rows)
        return f"<table class=rule>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
    if block.startswith("- "):
        return f"<ul>{''.join(f'<li>{_inline(line[2:])}</li>' for line in lines)}</ul>"
    if block.startswith("1. "):
        items = (_inline(line.partition(". ")[2]) for line in lines)
        return f"<ol>{''.join(f'<li>{item}</li>' for item in items)}</ol>"
    return f"<p>{_inline(' '.join(lines))}</p>"


def _inline(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", esc(text))


# Asking again.


def _copied(text: str, what: str) -> str:
    """A text with a button that copies it."""
    return (
        f'<div class="copy"><code>{esc(text)}</code>'
        f'<button type="button" class="js">Copy {what}</button></div>'
    )


def _request(case: Case) -> str:
    text = dumps(case.request)
    if len(text) > _REQUEST or visible(text) != text:
        return ""
    return f"<details><summary>The request</summary>{_copied(text, 'request')}</details>"
