"""How fast the reference engine is, beside OpenSpiel and beside the least that Python can do.

    python bench/bench.py [--quick] [SECTION ...]

What is compared is measured in one run, the two sides in turns, round after round, and the best
round of each side counts. What comes before the work (deals, recorded hands, tables) is made
beforehand on both sides. docs/performance.md says what the figures mean.
"""

import argparse
import gc
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from oracle import strict_json
from oracle.cards import CARD_OF, RANKS, SUITS, each
from oracle.conformance.claims import Claims, read_claims
from oracle.conformance.run import PASS, Run
from oracle.conformance.serve import hello
from oracle.data import folder
from oracle.games import GAMES
from oracle.games.actions import Action
from oracle.games.table import Table
from oracle.generate.deals import uniform
from oracle.generate.play import at_random
from oracle.generate.recipes import Recipe, make
from oracle.replay import at_table, replay, replay_checked
from oracle.shuffle import Draws
from oracle.vectors.cases import Case, load_file, load_folder, paths
from oracle.wire import read_request, write_parts

try:
    import pyspiel
except ImportError:
    pyspiel = None

Json = dict[str, Any]
#: Makes a piece of work ready, outside the measured time.
Prepare = Callable[[], Callable[[], object]]

#: OpenSpiel numbers the cards rank by rank, and within a rank suit by suit.
NUMBER = {
    CARD_OF[rank + suit]: place
    for place, (rank, suit) in enumerate((rank, suit) for rank in RANKS for suit in SUITS)
}


class Recorded(NamedTuple):
    """A hand of a game as it was played at random: its deal, all actions, and where play begins."""

    table: Callable[[], Table]
    request: Json
    actions: list[Action]
    plays: int


class Missing(Exception):
    """What a section needs and doesn't find."""


# Measuring.


def measure(sides: Mapping[str, Prepare], rounds: int) -> dict[str, float]:
    """The seconds that each side takes in its best round; the sides take turns."""
    best = dict.fromkeys(sides, float("inf"))
    for _ in range(rounds):
        for name, prepare in sides.items():
            work = prepare()
            gc.collect()
            gc.disable()
            started = perf_counter()
            work()
            best[name] = min(best[name], perf_counter() - started)
            gc.enable()
    return best


def show(what: str, figure: str, note: str = "") -> None:
    """Print one figure."""
    print(f"  {what:<58} {figure:>14}  {note}".rstrip())


def show_ratio(what: str, ratio: float, aim: float | None = None) -> None:
    """Print a ratio, and whether it reaches its aim."""
    note = ""
    if aim is not None:
        note = f"aim {aim:g}: {'reached' if ratio >= aim else f'missed by {1 - ratio / aim:.0%}'}"
    show(what, f"{ratio:.2f} x", note)


def micro(seconds: float, count: int) -> str:
    """Seconds for so many things, as microseconds for one."""
    return f"{seconds / count * 1e6:.2f} us"


# Recorded hands.


def recorded(name: str, count: int, rules: Json | None = None, start: Json | None = None) -> list[Recorded]:
    """So many hands of a game, dealt and played at random."""
    return [_record(name, number, rules or {}, start or {}) for number in range(count)]


def _record(name: str, number: int, rules: Json, start: Json) -> Recorded:
    game = GAMES[name]
    draws = Draws(f"bench:{number}")
    request: Json = {
        "op": "replay",
        "game": name,
        "rules": rules,
        "start": start,
        "deals": [write_parts(uniform(game, draws))],
        "actions": [],
    }
    checked = read_request(request)
    table = at_table(checked)
    actions: list[Action] = []
    while table.to_act:
        actions.append(at_random(table, table.to_act[0], draws))
        table.act(actions[-1])
    request["actions"] = [game.notation.write(action) for action in actions]
    before = sum(action.verb != "play" for action in actions)
    return Recorded(lambda: at_table(checked), request, actions, len(actions) - before)


def acting(hands: Sequence[Recorded]) -> Prepare:
    """Every recorded action of the hands, judged and carried out; no response is made."""

    def prepare() -> Callable[[], object]:
        tables = [(hand.table(), hand.actions) for hand in hands]

        def work() -> None:
            for table, actions in tables:
                act = table.act
                for action in actions:
                    act(action)

        return work

    return prepare


def playing(hands: Sequence[Recorded]) -> Prepare:
    """Only the plays of the hands, from the table as it lies before the first."""

    def prepare() -> Callable[[], object]:
        tables = []
        for hand in hands:
            table = hand.table()
            first = len(hand.actions) - hand.plays
            for action in hand.actions[:first]:
                table.act(action)
            tables.append((table, hand.actions[first:]))

        def work() -> None:
            for table, actions in tables:
                act = table.act
                for action in actions:
                    act(action)

        return work

    return prepare
