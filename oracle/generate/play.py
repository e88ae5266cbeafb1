"""Playing a deal out: legal actions chosen by a player, refused ones tried in between."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import comb
from typing import Any

from oracle.cards import CODES, each
from oracle.games.actions import CHANCE, Action, Choice, Each, OneCard, Pick, Say, SomeCards, Words
from oracle.games.perft import count
from oracle.games.refusals import Refused
from oracle.games.table import Table
from oracle.replay import act
from oracle.shuffle import Draws

#: Chooses an action for a seat that may act.
Chooser = Callable[[Table, int, Draws], Action]


def at_random(table: Table, seat: int, draws: Draws) -> Action:
    """Any legal action of the seat, each as likely as the next."""
    return random_action(seat, table.choices(seat), draws)


def play_out(table: Table, choose: Chooser, draws: Draws, hands: int, probes: int = 0) -> list[str]:
    """Play until so many hands are over, or the match; the actions as they are written.

    Before one action in ``probes`` an action that is refused is tried (0: never).
    """
    played: list[str] = []
    last = table.hands_played + hands
    while table.to_act and table.hands_played < last:
        if probes and draws.below(probes) == 0:
            played += refused(table, draws)
        seat = table.to_act[draws.below(len(table.to_act))]
        action = choose(table, seat, draws)
        table.act(action)
        played.append(table.notation.write(action))
    if probes and draws.below(2):
        played += refused(table, draws)
    return played


def refused(table: Table, draws: Draws) -> list[str]:
    """An action that the table refuses in its present state; now and then none is found."""
    for _ in range(8):
        written = _PROBES[draws.below(len(_PROBES))](table, draws)
        try:
            act(table.copy(), written)
        except Refused:
            return [written]
    return []


def _seat(table: Table, draws: Draws) -> int:
    """Mostly a seat that may act."""
    if table.to_act and draws.below(4):
        return table.to_act[draws.below(len(table.to_act))]
    return draws.below(table.seats)


def _held_card(table: Table, draws: Draws) -> str:
    """A card out of the hand of the seat to act: against a rule, if it is refused."""
    seat = table.to_act[0] if table.to_act else 0
    hand = each(table.hands[seat]) if seat != CHANCE else []
    if not hand:
        return _any_verb(table, draws)
    return table.notation.write(Action(seat, "play", hand[draws.below(len(hand))]))


def _any_verb(table: Table, draws: Draws) -> str:
    """Any verb of the game with something well-formed behind it."""
    verbs = sorted(table.notation.verbs)
    verb = verbs[draws.below(len(verbs))]
    what = _any_what(table, verb, draws)
    return table.notation.write(Action(_seat(table, draws), verb, what))


def _any_what(table: Table, verb: str, draws: Draws) -> Any:
    match table.notation.verbs[verb]:
        case OneCard():
            return 1 << draws.below(len(CODES))
        case SomeCards(least, most):
            size = least + draws.below(most - least + 1)
            return tuple(1 << draws.below(len(CODES)) for _ in range(size))
        case Words(parts):
            words = tuple(
                draws.below(16) if part is None else part[draws.below(len(part))] for part in parts
            )
            return words[0] if len(words) == 1 else words


def _wrong_set(table: Table, draws: Draws) -> str:
    """A set out of a pattern with one card replaced: another's, or one that is there already."""
    for seat in table.to_act:
        for choice in table.choices(seat):
            if isinstance(choice, Pick) and choice.most and choice.cards:
                row = list(_some(each(choice.cards), choice.most, draws))
                row[0] = row[-1] if draws.below(2) else 1 << draws.below(len(CODES))
                return table.notation.write(Action(seat, choice.verb, tuple(row)))
    return _held_card(table, draws)


_SLIPS: tuple[Callable[[str], str], ...] = (
    lambda text: text.replace(" ", "  ", 1),
    lambda text: text.lower() if text.lower() != text else text.upper(),
    lambda text: text + " ",
    lambda text: text.replace("T", "10") if "T" in text else "9" + text,
    lambda text: text.partition(" ")[2],
    lambda text: text.rpartition(" ")[0],
    lambda text: f"{text} 2C",
    lambda text: "",
)


def _ill_formed(table: Table, draws: Draws) -> str:
    """An action with a slip of the pen."""
    with suppress(IndexError):
        seat = table.to_act[0]
        written = table.notation.write(random_action(seat, table.choices(seat), draws))
        return _SLIPS[draws.below(len(_SLIPS))](written)
    return "0 play"


_PROBES: tuple[Callable[[Table, Draws], str], ...] = (
    _held_card,
    _held_card,
    _held_card,
    _any_verb,
    _wrong_set,
    _ill_formed,
)
