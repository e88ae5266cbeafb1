"""Random play for tests: whole matches as requests, and what their parts are drawn from."""

from contextlib import suppress
from random import Random
from typing import Any

from hypothesis import strategies as st

from oracle.cards import CARD_OF, CODE_OF, each
from oracle.games import GAMES
from oracle.games.actions import CHANCE, Action, Each, OneCard, Pick, Say, SomeCards, Words
from oracle.games.refusals import Refused
from oracle.games.shapes import (
    Either,
    OneOf,
    Several,
    Shape,
    Whole,
    options_of,
    parts_of,
)
from oracle.games.table import Table
from oracle.generate.deals import SAMPLERS
from oracle.replay import act, at_table, replay
from oracle.shuffle import Draws
from oracle.wire import read_request, write_parts

Json = dict[str, Any]

#: Every card there is, jokers too, for actions with cards of any game.
ALL_CARDS = tuple(CARD_OF.values())


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
    tries: int = 0,
) -> Json:
    """A replay request of so many random deals, or of these, played at random to the end.

    Before one action in ``tries`` (0: never) comes another one, which is mostly refused.
    """
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
        if tries and random.randrange(tries) == 0:
            tried = any_text(table, random)
            request["actions"].append(tried)
            with suppress(Refused):
                act(table, tried)
            continue
        action = random_action(table, random)
        table.act(action)
        request["actions"].append(GAMES[game].notation.write(action))
    return request


def table_of(request: Json) -> Table:
    """The table of a replay request before any action."""
    return at_table(read_request(request))


# Actions of which some are allowed, most are not.


def any_what(game: type[Table], verb: str, random: Random, pool: tuple[int, ...]) -> Any:
    """Something well-formed after a verb, cards out of a pool."""
    match game.notation.verbs.get(verb) or game.notation.chance[verb]:
        case OneCard():
            return random.choice(pool)
        case SomeCards(least, most):
            return tuple(random.choices(pool, k=random.randint(least, most)))
        case Words(parts):
            words = tuple(
                random.randrange(16) if part is None else random.choice(part) for part in parts
            )
            return words[0] if len(words) == 1 else words


def any_action(table: Table, random: Random) -> Action:
    """A well-formed action of any seat or chance, mostly of a seat to act and with its cards."""
    notation = table.notation
    chance = [CHANCE] if notation.chance else []
    seats = [*range(table.seats), *chance]
    seat = random.choice(seats if random.randrange(4) == 0 else list(table.to_act) or seats)
    verb = random.choice(list(notation.chance if seat == CHANCE else notation.verbs))
    held = () if seat == CHANCE else tuple(each(table.hands[seat]))
    pool = held if held and random.randrange(4) else ALL_CARDS
    return Action(seat, verb, any_what(type(table), verb, random, pool))


def as_written(table: Table, action: Action) -> str:
    """An action as somebody might write it: several cards in the order in which they come."""
    seat, verb, what = action.seat, action.verb, action.what
    notation = table.notation
    if isinstance(notation.verbs.get(verb) or notation.chance[verb], SomeCards):
        return " ".join([notation.actor_text(seat), verb, *(CODE_OF[card] for card in what)])
    return notation.write(action)


def any_text(table: Table, random: Random) -> str:
    """Mostly a well-formed action; now and then one with a slip, or a pattern of ``legal``."""
    written = as_written(table, any_action(table, random))
    match random.randrange(12):
        case 0:
            return written.replace(" ", "  ", 1)
        case 1:
            return written.lower() if written.lower() != written else f"{written} x"
        case 2 if table.to_act:
            texts = table.notation.texts(table.choices(table.to_act[0]))
            return f"{table.to_act[0]} {random.choice(texts)}"
    return written


# Strategies, for any game, from what it says that it consists of.


def values_of(shape: Shape, reach: int | None = None) -> st.SearchStrategy[Any]:
    """JSON values of a shape without cards, integers within reach of nought unless that is None."""
    match shape:
        case Whole(least, most):
            if reach is None:
                return st.integers(least, most)
            near = st.integers(max(least, -9), min(most, 9))
            return near | st.integers(max(least, -reach), min(most, reach))
        case OneOf(values):
            return st.sampled_from(values)
        case Either(first, second):
            return values_of(first, reach) | values_of(second, reach)
        case Several(count, item):
            return st.lists(values_of(item, reach), min_size=count or 1, max_size=count or 6)
    raise TypeError(f"no values of {shape}")


@st.composite
def rules_of(draw: st.DrawFn, game: type[Table], reach: int | None = 600) -> Json:
    """Options as a request gives them: any of them, at any value, canonical ones too."""
    chosen: Json = {}
    # What depends on another option comes after it.
    for option in sorted(options_of(game.parts.rules), key=lambda option: bool(option.under)):
        shape, _ = option.among(chosen)
        if draw(st.booleans()):
            chosen[option.name] = draw(values_of(shape, reach))
    return chosen


def starts_of(game: type[Table], reach: int | None = 600) -> st.SearchStrategy[Json]:
    """Starts as a request gives them: any of their fields."""
    parts = parts_of(game.parts.start)
    return st.fixed_dictionaries(
        {}, optional={part.name: values_of(part.shape, reach) for part in parts}
    )


@st.composite
def deals_of(draw: st.DrawFn, game: type[Table]) -> Json:
    """Deals as a request gives them, many of them rare."""
    sampler = draw(st.sampled_from(sorted(SAMPLERS)))
    draws = Draws(str(draw(st.integers(0, 2**32))))
    return write_parts(SAMPLERS[sampler](game, draws))


@st.composite
def matches_of(draw: st.DrawFn, game: type[Table], hands: int = 2, tries: int = 0) -> Json:
    """A replay request of one to so many hands, played at random; ``tries`` as above."""
    return random_request(
        game.name,
        draw(st.randoms(use_true_random=True)),
        rules=draw(rules_of(game)),
        start=draw(starts_of(game)),
        deals=draw(st.lists(deals_of(game), min_size=1, max_size=hands)),
        tries=tries,
    )
