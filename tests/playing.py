"""Random play for tests: whole matches as requests, every action of them legal."""

from random import Random
from typing import Any

from oracle.cards import each
from oracle.games import GAMES
from oracle.games.actions import Action, Each, Pick, Say
from oracle.games.table import Table
from oracle.replay import at_table, replay
from oracle.wire import read_request

Json = dict[str, Any]


def random_deal(game: str, random: Random) -> Json:
    """A deal of a shuffled pack."""
    request = {"op": "shuffle", "game": game, "seed": str(random.getrandbits(64))}
    deal: Json = replay(request)["deal"]
    return deal


def random_action(table: Table, random: Random) -> Action:
    """One of the actions that are allowed now: who, then which verb, then with what."""
    legal = table.legal()
    seat = random.choice(list(legal))
    choice = random.choice([choice for choice in legal[seat] if size(choice)])
    match choice:
        case Each(verb, cards):
            return Action(seat, verb, random.choice(each(cards)))
        case Pick(verb, least, most, cards):
            row = random.sample(each(cards), random.randint(least, most))
            return Action(seat, verb, tuple(row))
        case Say(verb, whats):
            return Action(seat, verb, random.choice(whats))


def size(choice: Each | Pick | Say) -> int:
    """How many words or cards a choice is among; none leaves nothing to choose."""
    return len(choice.whats) if isinstance(choice, Say) else choice.cards.bit_count()


def random_request(
    game: str,
    random: Random,
    *,
    rules: Json | None = None,
    start: Json | None = None,
    hands: int = 1,
    deals: list[Json] | None = None,
) -> Json:
    """A replay request of so many random deals, or of these, played at random to the end."""
    request: Json = {
        "op": "replay",
        "game": game,
        "rules": rules or {},
        "start": start or {},
        "deals": [random_deal(game, random) for _ in range(hands)] if deals is None else deals,
        "actions": [],
    }
    table = at_table(read_request(request))
    while table.to_act:
        action = random_action(table, random)
        table.act(action)
        request["actions"].append(GAMES[game].notation.write(action))
    return request


def table_of(request: Json) -> Table:
    """The table of a replay request before any action."""
    return at_table(read_request(request))
