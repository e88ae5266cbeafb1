"""A table and a game in HTML: cards in their colours, seats as they sit, trick by trick."""

import re
from collections.abc import Sequence
from html import escape

from oracle import drawing
from oracle.cards import codes
from oracle.conformance.report.words import visible
from oracle.games.refusals import Refused
from oracle.games.table import Outcome, Picture, Place, Table
from oracle.replay import act, at_table
from oracle.story import clause_title, contract_text, reason, spoken
from oracle.wire import Request

#: Makes a suit's symbol text where it would be drawn as a coloured picture.
_AS_TEXT = "\N{VARIATION SELECTOR-15}"
_RANK = "(?:10|[2-9AKQJ])"
#: A red card, or the red cards of a suit behind its symbol.
_RED = re.compile(rf"(?:\b{_RANK})?[♦♥](?: {_RANK}(?![\w♣♦♥♠]))*")
_SUIT = re.compile("[♣♦♥♠]")


def esc(text: str) -> str:
    """Words of whomever as HTML text or an attribute's value, on one line."""
    return escape(visible(text))


def painted(text: str) -> str:
    """Words as HTML with the red cards among them in red."""
    red = _RED.sub(lambda found: f'<span class="r">{found[0]}</span>', esc(text))
    return _SUIT.sub(lambda found: found[0] + _AS_TEXT, red)


def card(code: str, marks: str = "") -> str:
    """A card as a small card; ``marks`` are classes that say more of it."""
    red = code[1] in "DH" or code == "RJ"
    # A joker's name has no room on a card.
    face = drawing.card(code) + _AS_TEXT if code[1] in drawing.SUIT_SYMBOLS else code
    return f'<span class="card{" r" if red else ""}{marks}">{face}</span>'


def _hidden(text: str) -> str:
    """Words for those who hear the page."""
    return f'<span class="vh">{text}</span>'


# The table.


def picture(table: Table) -> str:
    """The table as it lies: four seats in a cross, fewer in rows."""
    drawn: Picture = table.picture()
    seats = len(drawn.places)
    places = [_place(seat, place, seat in table.to_act) for seat, place in enumerate(drawn.places)]
    trick = _trick(drawn.trick, seats)
    facts = [drawing.cards_in(fact) for fact in drawn.facts]
    scores = " · ".join(map(str, table.scores))
    told = "".join(f"<li>{painted(fact)}</li>" for fact in [*facts, f"scores {scores}"])
    shape = "cross" if seats == 4 else "rows"
    # In rows the last seat sits above, as it does across from seat 0.
    order = [*reversed(places[1:]), trick, places[0]]
    return f'<div class="table {shape}">{"".join(order)}</div><ul class="facts">{told}</ul>'


def _place(seat: int, place: Place, to_act: bool) -> str:
    turn = ' <span class="turn">to act</span>' if to_act else ""
    draw = _columns if place.in_columns else _suits
    rows = "".join(draw(row) for row in place.rows if row) or '<div class="muted">no cards</div>'
    return f'<div class="seat s{seat}"><h5>{esc(place.name)}{turn}</h5>{rows}</div>'


def _suits(row: Sequence[str]) -> str:
    return f"<div>{painted(drawing.row(row))}</div>"


def _columns(row: Sequence[str]) -> str:
    return f'<div class="stacks">{"".join(map(_cell, row))}</div>'


def _cell(cell: str) -> str:
    if cell == "-":
        return f'<span class="card none">{_hidden("empty")}</span>'
    if cell == "+":
        return f'<span class="card back">{_hidden("a covered card")}</span>'
    if cell.endswith("+"):
        return card(cell[:2], " on") + _hidden("on a covered card")
    return card(cell)


def _trick(trick: Sequence[tuple[int, str]], seats: int) -> str:
    if not trick:
        return '<div class="trick"><span class="muted">no card led</span></div>'
    cards = "".join(
        f'<span class="c{seat}">{_hidden(f"seat {seat}:")}{card(code, " led" if not place else "")}</span>'
        for place, (seat, code) in enumerate(trick)
    )
    shape = "cross" if seats == 4 else "rows"
    return f'<div class="trick {shape}">{cards}</div>'


# The game.


def story(request: Request, last: int) -> str:
    """The game up to and with action number ``last`` (from 1), which is marked; of earlier
    hands only the result. Empty when there is no action."""
    table = at_table(request)
    book = _Book(table)
    for number, written in enumerate(request.actions[:last], 1):
        trick = sum(table.tricks) + 1
        book.mark = number == last
        try:
            outcome = act(table, written)
        except Refused as refused:
            book.refuse(written, refused.clause)
        else:
            book.accept(written, outcome, trick)
    return book.html() if last else ""


_KEY = (
    '<p class="key">The bar marks the lead, the ring the card that took the trick, '
    "and the coloured ground the action after which the answers differ.</p>"
)


#: Left out where a screen is narrow.
_WORD = '<span class="wide-only"> points</span>'


class _Book:
    """A game being written down: a row for each trick, and rows for what is said between."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.mark = False
        self._earlier: list[str] = []
        self._rows: list[str] = []
        self._result = ""
        #: What has been said since the last row, and what was said while a trick lies.
        self._said: list[str] = []
        self._asides: list[str] = []
        self._cards: dict[int, str] = {}

    def refuse(self, written: str, clause: str) -> None:
        """Write down an action that was refused."""
        self._next_hand()
        tried = painted(spoken(written) or "(nothing)")
        told = f"<s>{tried}</s> refused by {painted(reason(self.table.name, clause))}"
        (self._asides if self._cards else self._said).append(self._marked(told))

    def accept(self, written: str, outcome: Outcome | None, trick: int) -> None:
        """Write down an action that was carried out; ``trick`` is the number of its trick."""
        self._next_hand()
        who, _, what = written.partition(" ")
        if what.startswith("play "):
            self._flush()
            self._cards[int(who)] = self._marked(card(what[5:], "" if self._cards else " led"))
        else:
            told = self._marked(painted(spoken(written)))
            (self._asides if self._cards else self._said).append(told)
        if outcome:
            self._come_of_it(outcome, trick)

    def _marked(self, told: str) -> str:
        return f"<mark>{told}{_hidden(' (here)')}</mark>" if self.mark else told

    def _next_hand(self) -> None:
        """Put a hand away that is over, now that there is another one."""
        if self._result:
            self._earlier.append(self._result)
            self._rows, self._result = [], ""

    def _come_of_it(self, outcome: Outcome, trick: int) -> None:
        if outcome.contract is not None:
            self._flush()
            self._row(f"contract: {painted(contract_text(outcome.contract))}")
        if outcome.winner is not None:
            points = f", {outcome.points}{_WORD}" if outcome.points is not None else ""
            self._trick(str(trick), f"seat {outcome.winner}{points}", outcome.winner)
        for each in outcome.combinations:
            held = " ".join(drawing.card(code) for code in codes(each.cards))
            title = clause_title(self.table.name, each.clause)
            told = f"seat {each.seat}: {held}, {each.points} points by {each.clause} {title}"
            self._row(painted(told))
        if outcome.hand is not None:
            self._score(outcome)

    def _score(self, outcome: Outcome) -> None:
        hand = outcome.hand
        assert hand is not None
        side = self.table.side_name
        for line in hand.breakdown:
            title = clause_title(self.table.name, line.clause)
            self._row(painted(f"{side} {line.side}: {line.points:+d} by {line.clause} {title}"))
        scores = " · ".join(map(str, hand.scores))
        self._result = f"Hand {len(self._earlier) + 1}: scores {scores}"
        self._row(f"<strong>{self._result}</strong>")
        if outcome.match_winners:
            winners = " and ".join(map(str, outcome.match_winners))
            self._row(f"<strong>The match is over: won by {side} {winners}</strong>")

    def _flush(self) -> None:
        if self._said:
            self._row(" · ".join(self._said))
            self._said = []

    def _trick(self, number: str, taken: str, winner: int | None = None) -> None:
        cells = "".join(
            f"<td{' class=won' if seat == winner else ''}>{self._cards.get(seat, '')}</td>"
            for seat in range(self.table.seats)
        )
        self._rows.append(f"<tr><th scope=row>{number}</th>{cells}<td>{taken}</td></tr>")
        self._cards = {}
        for aside in self._asides:
            self._row(aside)
        self._asides = []

    def _row(self, told: str) -> None:
        self._rows.append(f"<tr class=said><td colspan={self.table.seats + 2}>{told}</td></tr>")

    def html(self) -> str:
        """What has been written down."""
        self._flush()
        if self._cards:
            self._trick("", "under way")
        earlier = "".join(f"<p>{each}</p>" for each in self._earlier)
        seats = "".join(f"<th scope=col>seat {seat}</th>" for seat in range(self.table.seats))
        head = f"<thead><tr><th scope=col>trick</th>{seats}<th scope=col>taken by</th></tr></thead>"
        rows = "".join(self._rows)
        return f"{earlier}<table class=tricks>{head}<tbody>{rows}</tbody></table>{_KEY}"
