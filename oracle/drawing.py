"""The table as a person would draw it, in plain text for a terminal."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from oracle.cards import CARD_OF
from oracle.games.table import Picture, Place

SUIT_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_JOKERS = {"BJ": "black joker", "RJ": "red joker"}


def card(cell: str) -> str:
    """A cell as it is drawn: ``QS`` as Q♠, ``TD+`` as 10♦+; what is no card stays as it is."""
    code, rest = cell[:2], cell[2:]
    if code not in CARD_OF:
        return cell
    if code in _JOKERS:
        return _JOKERS[code] + rest
    return code[0].replace("T", "10") + SUIT_SYMBOLS[code[1]] + rest


def cards_in(text: str) -> str:
    """A text with the cards in it as they are drawn."""
    return " ".join(map(card, text.split(" ")))


def row(cells: Sequence[str]) -> str:
    """A row of cards; those of one suit next to each other share its symbol."""
    return "  ".join(_suit(suit, list(run)) for suit, run in groupby(cells, lambda cell: cell[1]))


def columns(cells: Sequence[str]) -> str:
    """A row of cells that keep their places."""
    return "  ".join(f"{card(cell):<4}" for cell in cells).rstrip()


def _suit(suit: str, cells: list[str]) -> str:
    if suit not in SUIT_SYMBOLS:
        return ", ".join(map(card, cells))
    ranks = " ".join(cell[0].replace("T", "10") for cell in cells)
    return f"{SUIT_SYMBOLS[suit]} {ranks}"


def table(picture: Picture) -> list[str]:
    """The table, line by line: four seats in a cross, fewer one above the other."""
    blocks = [_place(place) for place in picture.places]
    trick = [f"{seat}: {card(cell)}" for seat, cell in picture.trick]
    drawn = _cross(blocks, trick) if len(blocks) == 4 else _stack(blocks, trick)
    return [*drawn, *(f"({cards_in(fact)})" for fact in picture.facts)]


def _place(place: Place) -> list[str]:
    draw = columns if place.in_columns else row
    return [place.name, *(f"  {draw(cells)}" for cells in place.rows if cells)]


def _cross(blocks: list[list[str]], trick: list[str]) -> list[str]:
    """Clockwise from the bottom, as the players sit: 0 below, 1 left, 2 above, 3 right."""
    below, left, above, right = blocks
    middle = trick or ["no card led"]
    left_width = max(map(len, left)) + 3
    middle_width = max(12, *map(len, middle))
    indent = " " * max(0, left_width + middle_width // 2 - max(map(len, above + below)) // 2)
    rows = max(len(left), len(middle) + 1, len(right))
    centre = ["", *middle]
    sides = [
        f"{_at(left, n):<{left_width}}{_at(centre, n):<{middle_width}}   {_at(right, n)}".rstrip()
        for n in range(rows)
    ]
    return [*_indented(above, indent), *sides, *_indented(below, indent)]


def _stack(blocks: list[list[str]], trick: list[str]) -> list[str]:
    middle = f"  on the table: {', '.join(trick)}" if trick else "  on the table: no card"
    upper, lower = reversed(blocks)
    return [*upper, middle, *lower]


def _indented(lines: Iterable[str], indent: str) -> list[str]:
    return [indent + line for line in lines]


def _at(lines: Sequence[str], place: int) -> str:
    return lines[place] if place < len(lines) else ""
