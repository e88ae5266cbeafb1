"""Deals and starts sampled from a seed, for any game, out of what the game says they consist of."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from oracle.cards import Card, each, union
from oracle.games.shapes import CardRow, CardSet, Several, Shape, Whole, options_of, parts_of
from oracle.games.table import Table
from oracle.shuffle import Draws, shuffle_with

Sampler = Callable[[type[Table], Draws], Any]


def uniform(game: type[Table], draws: Draws) -> Any:
    """A deal in which every card may lie anywhere."""
    return laid_out(game, shuffle_with(game.pack, draws))


def clumped(swaps: int) -> Sampler:
    """Deals of long suits and voids: packets of the ordered pack, stirred by a few swaps."""

    def sample(game: type[Table], draws: Draws) -> Any:
        row = each(game.pack)
        cut = draws.below(len(row))
        row = row[cut:] + row[:cut]
        for _ in range(swaps):
            one, other = draws.below(len(row)), draws.below(len(row))
            row[one], row[other] = row[other], row[one]
        return laid_out(game, row)

    return sample


def gathered(game: type[Table], draws: Draws) -> Any:
    """One place filled out of a set that the game names, but for a few cards; the rest anyhow."""
    row = shuffle_with(game.pack, draws)
    wanted = game.gatherings[draws.below(len(game.gatherings))]
    places = _sizes(game)
    place = draws.below(len(places))
    first, size = sum(places[:place]), places[place]
    chosen = [card for card in row if card & wanted][: size - draws.below(4)]
    others = [card for card in row if card not in chosen]
    return laid_out(game, others[:first] + chosen + others[first:])


def _sizes(game: type[Table]) -> list[int]:
    """How many cards each place of a deal takes, in the order in which it is laid out."""
    sizes: list[int] = []
    for part in parts_of(game.parts.deal):
        match part.shape:
            case Several(int(count), CardSet(size) | CardRow(size)):
                sizes += [size] * count
            case CardSet(size) | CardRow(size):
                sizes.append(size)
    return sizes


def laid_out(game: type[Table], row: list[Card]) -> Any:
    """The deal that takes the cards of a row place by place."""
    cards = iter(row)
    return game.parts.deal(
        **{part.name: _take(part.shape, cards) for part in parts_of(game.parts.deal)}
    )


def _take(shape: Shape, cards: Iterator[Card]) -> Any:
    match shape:
        case CardSet(size):
            return union(next(cards) for _ in range(size))
        case CardRow(size):
            return tuple(next(cards) for _ in range(size))
        case Several(int(count), item):
            return tuple(_take(item, cards) for _ in range(count))
    raise TypeError(f"a deal holds cards, and this is {shape}")


def late_start(game: type[Table], rules: Any, draws: Draws) -> Any:
    """A start in the middle of a match, with totals on both sides of where it may end."""
    reach = _reach(rules)
    level = draws.below(4) == 0
    together = _score(reach, draws)
    start: dict[str, Any] = {}
    for part in parts_of(game.parts.start):
        match part.shape:
            case Several(int(count), Whole(least, most)) if least < 0:
                start[part.name] = tuple(
                    together if level else _score(reach, draws) for _ in range(count)
                )
            case Several(int(count), Whole(least, most)):
                start[part.name] = tuple(
                    least + draws.below(min(most - least, 9) + 1) for _ in range(count)
                )
            case Whole(least, most):
                start[part.name] = least + draws.below(min(most - least, 7) + 1)
    return game.parts.start(**start)


def _reach(rules: Any) -> int:
    """How far totals go: to the target of these rules, or to the canonical one if it is higher."""
    chosen = vars(rules)
    targets = [
        max(chosen[option.name], option.among(chosen)[1])
        for option in options_of(type(rules))
        if option.name == "target"
    ]
    return min(max(targets, default=0), 10_000)


def _score(reach: int, draws: Draws) -> int:
    """Mostly near the end, where it matters; a few below nothing."""
    if draws.below(8) == 0:
        return -draws.below(reach + 1)
    near = reach * 3 // 5
    return near + draws.below(reach - near + 3)


SAMPLERS: Mapping[str, Sampler] = {
    "uniform": uniform,
    "clumped-3": clumped(3),
    "clumped-9": clumped(9),
    "clumped-25": clumped(25),
    "gathered": gathered,
}
