"""Players by game and name."""

from collections.abc import Mapping

from oracle.games import GAMES
from oracle.players.at_random import RANDOM
from oracle.players.sight import Player

PLAYERS: Mapping[str, Mapping[str, Player]] = {game: {"random": RANDOM} for game in GAMES}
