"""The reference engine: the four games as they stand in their rulebooks.

Nothing here reads JSON, opens a file or prints. ``GAMES`` is the one list of games; everything
else asks a game what it needs to know.
"""

from oracle.games.belote import Belote
from oracle.games.bid_whist import BidWhist
from oracle.games.hearts import Hearts
from oracle.games.spades import Spades
from oracle.games.table import Table

GAMES: dict[str, type[Table]] = {game.name: game for game in (Hearts, Spades, Belote, BidWhist)}
