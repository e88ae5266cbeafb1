"""Playing a deal out: legal actions chosen by players, refused ones tried in between."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from oracle.cards import CODES, each
from oracle.games.actions import CHANCE, Action, OneCard, Pick, SomeCards, Words
from oracle.games.refusals import Refused
from oracle.games.table import Table
from oracle.players.at_random import random_action, some_cards
from oracle.players.sight import Choose, Record
from oracle.replay import act
from oracle.shuffle import Draws


def play_out(
    table: Table, players: Sequence[Choose], draws: Draws, hands: int, probes: int = 0
) -> list[str]:
    """Play until so many hands are over, or the match; the actions as they are written.

    Where several may act, any of them does. Before one action in ``probes`` an action that is
    refused is tried (0: never).
    """
    record = Record(table)
    played: list[str] = []
    last = table.hands_played + hands
    while table.to_act and table.hands_played < last:
        if probes and draws.below(probes) == 0:
            played += refused(table, draws)
        seat = table.to_act[draws.below(len(table.to_act))]
        if seat == CHANCE:
            action = random_action(seat, table.choices(seat), draws)
        else:
            action = players[seat](record.sight(seat), draws)
        record.act(action)
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
    seats = [seat for seat in table.to_act if seat != CHANCE]
    if seats and draws.below(4):
        return seats[draws.below(len(seats))]
    return draws.below(table.seats)


def _held_card(table: Table, draws: Draws) -> str:
    """A card out of the hand of the seat to act: against a rule, if it is refused."""
    seat = _seat(table, draws)
    hand = each(table.hands[seat])
    if not hand:
        return _any_verb(table, draws)
    return table.notation.write(Action(seat, "play", hand[draws.below(len(hand))]))


def _any_verb(table: Table, draws: Draws) -> str:
    """Any verb of the game with something well-formed behind it."""
    verbs = sorted(table.notation.verbs)
    verb = verbs[draws.below(len(verbs))]
    return table.notation.write(Action(_seat(table, draws), verb, _any_what(table, verb, draws)))


def _verb_of_the_phase(table: Table, draws: Draws) -> str:
    """A verb that may be used now, with something well-formed behind it that mostly may not."""
    verbs = sorted(verb for verb in table.verbs if verb in table.notation.verbs)
    if not verbs:
        return _any_verb(table, draws)
    verb = verbs[draws.below(len(verbs))]
    return table.notation.write(Action(_seat(table, draws), verb, _any_what(table, verb, draws)))


def _any_what(table: Table, verb: str, draws: Draws) -> Any:
    match table.notation.verbs[verb]:
        case OneCard():
            return 1 << draws.below(len(CODES))
        case SomeCards(least, most):
            size = least + draws.below(most - least + 1)
            return _cards(table, size, draws)
        case Words(parts):
            words = tuple(
                draws.below(16) if part is None else part[draws.below(len(part))] for part in parts
            )
            return words[0] if len(words) == 1 else words


def _cards(table: Table, size: int, draws: Draws) -> tuple[int, ...]:
    """So many cards, mostly out of the hand of a seat that may act."""
    hand = each(table.hands[_seat(table, draws)])
    if size <= len(hand) and draws.below(3):
        return some_cards(hand, size, draws)
    return tuple(1 << draws.below(len(CODES)) for _ in range(size))


def _wrong_set(table: Table, draws: Draws) -> str:
    """A set out of a pattern with one card replaced: another's, or one that is there already."""
    for seat in table.to_act:
        for choice in table.choices(seat):
            if isinstance(choice, Pick) and choice.most and choice.cards:
                row = list(some_cards(each(choice.cards), choice.most, draws))
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
    _verb_of_the_phase,
    _wrong_set,
    _ill_formed,
)
