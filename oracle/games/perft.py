"""Counting the sequences of legal actions, by brute force."""

from math import comb

from oracle.games.actions import Action, Choice, Each, Pick, Say, actions
from oracle.games.table import Table


def count(choice: Choice) -> int:
    """How many actions a choice stands for; a pattern counts its sets."""
    match choice:
        case Each(_, cards):
            return cards.bit_count()
        case Pick(_, least, most, cards):
            return sum(comb(cards.bit_count(), size) for size in range(least, most + 1))
        case Say(_, whats):
            return len(whats)


def nodes(table: Table, depth: int) -> int:
    """How many sequences of depth actions there are; one that ends the hand sooner counts once."""
    if depth == 0 or not table.to_act:
        return 1
    if depth == 1:
        return sum(count(choice) for choices in table.legal().values() for choice in choices)
    return sum(divide(table, depth).values())


def divide(table: Table, depth: int) -> dict[Action, int]:
    """The count of ``nodes`` by first action; empty at depth 0 or when nobody may act."""
    found: dict[Action, int] = {}
    if depth == 0:
        return found
    for seat, choices in table.legal().items():
        for action in actions(seat, choices):
            after = table.copy()
            after.act(action)
            hand_goes_on = after.hands_played == table.hands_played
            found[action] = nodes(after, depth - 1) if hand_goes_on else 1
    return found
