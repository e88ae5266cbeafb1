"""Ways to choose that know no game: they reach what even chances hardly reach.

They are for writing cases. Players that mean to win, or to lose, are in ``oracle.players``.
"""

from collections.abc import Mapping

from oracle.games.actions import Action, Choice, Say
from oracle.games.perft import count
from oracle.players.at_random import at_random, random_action
from oracle.players.sight import Choose, Sight
from oracle.shuffle import Draws


def eager(sight: Sight, draws: Draws) -> Action:
    """First any of the verbs that are open, then any action by it."""
    choices = _open(sight)
    verbs = sorted({choice.verb for choice in choices})
    verb = verbs[draws.below(len(verbs))]
    return random_action(sight.seat, [each for each in choices if each.verb == verb], draws)


def last_word(sight: Sight, draws: Draws) -> Action:
    """Whenever something can be said, the last that is listed; otherwise at random."""
    for choice in _open(sight):
        if isinstance(choice, Say):
            return Action(sight.seat, choice.verb, choice.whats[-1])
    return at_random(sight, draws)


def modest(sight: Sight, draws: Draws) -> Action:
    """Of many things that can be said one from the second fifth of the list, of two the second,
    so that bids are mostly made and matches come to an end. Otherwise at random."""
    said = [choice for choice in _open(sight) if isinstance(choice, Say)]
    for choice in said:
        if len(choice.whats) > 3:
            fifth = len(choice.whats) // 5
            return Action(sight.seat, choice.verb, choice.whats[fifth + 1 + draws.below(fifth + 1)])
    if len(said) == 2 and len(said) == len(sight.choices):
        return Action(sight.seat, said[1].verb, said[1].whats[0])
    return at_random(sight, draws)


def _open(sight: Sight) -> list[Choice]:
    return [choice for choice in sight.choices if count(choice)]


CHOOSERS: Mapping[str, Choose] = {
    "random": at_random,
    "eager": eager,
    "last-word": last_word,
    "modest": modest,
}
