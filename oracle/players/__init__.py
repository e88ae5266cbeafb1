"""Who chooses an action from what a seat may know: players by game and name."""

from collections.abc import Mapping

from oracle.players import belote, bid_whist, hearts_specialists, spades
from oracle.players.at_random import RANDOM
from oracle.players.sight import Player

PLAYERS: Mapping[str, Mapping[str, Player]] = {
    game: {"random": RANDOM, **players}
    for game, players in {
        "hearts": hearts_specialists.PLAYERS,
        "spades": spades.PLAYERS,
        "belote": belote.PLAYERS,
        "bid-whist": bid_whist.PLAYERS,
    }.items()
}

#: By game, players that sit together, one name a seat.
LINE_UPS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "hearts": hearts_specialists.LINE_UPS,
    "spades": spades.LINE_UPS,
    "belote": belote.LINE_UPS,
    "bid-whist": bid_whist.LINE_UPS,
}
