"""A game told for a person: the table, trick by trick, with the clause behind every refusal
and every point."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from oracle import drawing
from oracle.cards import codes
from oracle.games.actions import CHANCE
from oracle.games.refusals import GENERAL, MEANING, Refused
from oracle.games.table import HandResult, Outcome, Table
from oracle.replay import act, at_table
from oracle.rulebook import entries
from oracle.rulesets import said
from oracle.strict_json import quote
from oracle.wire import Request, write_parts, write_rules


def reason(game: str, clause: str) -> str:
    """Why an action is refused, in a few words."""
    if clause in GENERAL:
        return f"{clause}, {MEANING[clause]}"
    return f"{clause} {clause_title(game, clause)}".rstrip()


def clause_title(game: str, clause: str) -> str:
    """The title of a clause in the rulebook."""
    entry = entries(game).get(clause)
    return entry.title if entry else ""


def clause_lines(game: str, clause: str, width: int = 88) -> list[str]:
    """A clause with the beginning of its text, as a report quotes it."""
    entry = entries(game).get(clause)
    if entry is None:
        return [clause]
    return textwrap.wrap(f"{clause} {entry.title}: {entry.first_paragraph}", width)


def spoken(written: str) -> str:
    """An action with its cards as they are drawn; one that can't be printed is quoted."""
    return drawing.cards_in(written) if written.isprintable() else quote(written)


def to_act(table: Table) -> str:
    """Who is to act, in a few words."""
    if not table.to_act:
        return "nobody is to act"
    seats = [seat for seat in table.to_act if seat != CHANCE]
    if not seats:
        return "chance is to act"
    return f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))} to act"


def table_lines(table: Table) -> list[str]:
    """The table as it lies, with who is to act and the scores."""
    scores = " ".join(map(str, table.scores))
    return [*drawing.table(table.picture()), f"({to_act(table)}; scores {scores})"]


def table_after(request: Request, actions: int) -> Table:
    """The table after the first so many actions of a request."""
    table = at_table(request)
    for written in request.actions[:actions]:
        try:
            act(table, written)
        except Refused:
            continue
    return table


def tell(request: Request) -> Iterator[str]:
    """The lines of a game's story, from the table before the first action to the last one; or of
    a hand that is only scored."""
    table = at_table(request)
    yield f"{table.title}, {said(write_rules(request.rules))} rules"
    if request.op == "score":
        yield from _scored(table, request)
        return
    if not table.to_act:
        yield "  no hand to play"
    yield from _new_hand(table)
    cards: list[str] = []
    spoke = False
    for written in request.actions:
        tricks = sum(table.tricks)
        hand = table.hands_played
        # Draws, bids and passes are over: the hands as they are played.
        as_played = drawing.table(table.picture()) if spoke and not tricks and not cards else []
        try:
            outcome = act(table, written)
        except Refused as refused:
            yield f"    ✗ {spoken(written) or '(nothing)'}   refused: {reason(table.name, refused.clause)}"
            continue
        seat, _, what = written.partition(" ")
        if what.startswith("play "):
            if as_played:
                yield "  the table at the first lead:"
                yield from (f"    {line}" for line in as_played)
            cards.append(f"{seat} {drawing.card(what[5:])}")
        else:
            yield f"  {spoken(written)}"
            spoke = True
        if outcome:
            yield from _came_of_it(table, outcome, tricks + 1, cards)
            if table.hands_played > hand:
                yield from _new_hand(table)
                spoke = False
    if cards:
        yield f"  trick under way: {'   '.join(cards)}"
    yield from _how_it_stands(table)


def _scored(table: Table, request: Request) -> Iterator[str]:
    """A tally as it was given, and what comes of it."""
    for when, given in (("before", request.start), ("the hand", request.tally)):
        if written := write_parts(given):
            fields = (
                f"{name.replace('_', ' ')} {_in_a_row(each)}" for name, each in written.items()
            )
            yield f"  {when}: {', '.join(fields)}"
    outcome = Outcome()
    table.score(request.tally, outcome)
    yield from _came_of_it(table, outcome, 0, [])
    if not outcome.match_winners:
        yield "  The match is not over."


def _in_a_row(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _new_hand(table: Table) -> Iterator[str]:
    if table.to_act:
        scores = f", scores {' '.join(map(str, table.scores))}" if any(table.scores) else ""
        yield ""
        yield f"Hand {table.hands_played + 1}{scores}"
        yield from (f"  {line}" for line in drawing.table(table.picture()))


def _how_it_stands(table: Table) -> Iterator[str]:
    if table.to_act:
        yield f"  {to_act(table)}"
    elif table.hands_played and not table.winners:
        yield "  no more deals, and the match is not over"


def _came_of_it(table: Table, outcome: Outcome, trick: int, cards: list[str]) -> Iterator[str]:
    if outcome.contract is not None:
        yield f"  contract: {contract_text(outcome.contract)}"
    if outcome.winner is not None:
        points = "" if outcome.points is None else f", {_points(outcome.points)}"
        yield f"  trick {trick:>2}: {'   '.join(cards)}   → seat {outcome.winner}{points}"
        cards.clear()
    for each in outcome.combinations:
        held = " ".join(drawing.card(code) for code in codes(each.cards))
        title = clause_title(table.name, each.clause)
        yield f"    seat {each.seat}: {held}, {_points(each.points)} by {each.clause} {title}"
    if outcome.hand is not None:
        yield from _hand_lines(table, outcome.hand)
    if outcome.match_winners:
        yield f"  The match is over: {_who_won(table.side_name, outcome.match_winners)}."


def _who_won(side_name: str, winners: Sequence[int]) -> str:
    if len(winners) == 1:
        return f"{side_name} {winners[0]} wins"
    return f"{side_name}s {' and '.join(map(str, winners))} share the win"


def contract_text(contract: Any) -> str:
    """A contract in a line."""
    return ", ".join(f"{name} {_plain(value)}" for name, value in contract.items())


def _plain(value: Any) -> str:
    return (
        " and ".join(map(str, value))
        if isinstance(value, Sequence) and not isinstance(value, str)
        else str(value)
    )


def _hand_lines(table: Table, hand: HandResult) -> Iterator[str]:
    yield "  The hand is scored:"
    for line in hand.breakdown:
        title = clause_title(table.name, line.clause)
        yield f"    {table.side_name} {line.side}: {line.points:+d} by {line.clause} {title}"
    yield f"    together {' '.join(f'{points:+d}' for points in hand.delta)}"
    yield f"    scores   {' '.join(map(str, hand.scores))}"
    for name, counts in hand.counts.items():
        yield f"    {name.replace('_', ' ')} {' '.join(map(str, counts))}"


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"
