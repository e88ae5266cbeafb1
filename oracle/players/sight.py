"""What a seat may know when it chooses, and who keeps it.

A player never meets the table. Whoever drives a table keeps a ``Record`` of it, and gives the
player of a seat its ``Sight``: everything which that seat was allowed to see, and nothing else
(HEARTS-20, R18, and alike for the other games).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from oracle.cards import Card, Cards, union
from oracle.games.actions import Action, Choice, Each
from oracle.games.table import Outcome, Seat, Table, View
from oracle.shuffle import Draws


class Trick(NamedTuple):
    """Cards played to one trick, from the leader clockwise; no winner while it is on the table."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None = None


class Sight(NamedTuple):
    """What a seat knows of the match at the moment at which it has to act.

    Actions, tricks and contract are those of the hand in play; of earlier hands the scores
    remain. Equal sights are equal values, so a player that is given the same twice and draws
    the same chooses the same.
    """

    seat: Seat
    seats: int
    rules: Any
    #: Where the match began.
    start: Any
    scores: tuple[int, ...]
    #: How many hands of this match have been scored.
    hands_played: int
    #: The own cards when the hand began.
    dealt: Cards
    view: View
    #: What the seat may do now.
    choices: tuple[Choice, ...]
    #: The actions of this hand as this seat saw them, in order (see ``Table.seen``).
    record: tuple[Action, ...]
    #: The tricks that have been taken in this hand, in order.
    tricks: tuple[Trick, ...]
    #: The trick on the table; without a card before a lead.
    trick: Trick
    contract: Mapping[str, Any] | None
    #: What else everybody knows (see ``Table.public``).
    public: Mapping[str, Any]

    @property
    def hand(self) -> Cards:
        """The own cards."""
        return self.view.hand

    def known(self, place: str) -> Cards:
        """The cards that the seat knows to lie in a place, as a set (see ``View``)."""
        lying = self.view.known.get(place, 0)
        return lying if isinstance(lying, int) else union(lying)

    def choice(self, verb: str) -> Choice | None:
        """What the seat may do by this verb; None when it may not use it now."""
        return next((choice for choice in self.choices if choice.verb == verb), None)

    @property
    def playable(self) -> Cards:
        """The cards that the seat may play to the trick; none when no card is to be played."""
        choice = self.choice("play")
        return choice.cards if isinstance(choice, Each) else 0

    def played(self, trick: Trick) -> list[tuple[Seat, Card]]:
        """Who played which card of a trick, in the order of play."""
        return [
            ((trick.leader + place) % self.seats, card) for place, card in enumerate(trick.cards)
        ]

    def play(self, card: Card) -> Action:
        """The action of playing a card."""
        return Action(self.seat, "play", card)

    def act(self, verb: str, what: Any = ()) -> Action:
        """An action of the own seat."""
        return Action(self.seat, verb, what)


#: Chooses one of the actions which the sight's choices leave; all chance out of the draws.
Choose: TypeAlias = Callable[[Sight, Draws], Action]


class Player(NamedTuple):
    """A way to choose, and a sentence on what it goes for."""

    about: str
    choose: Choose


class Record:
    """What has been seen of the hand in play, seat by seat; every action goes through ``act``."""

    def __init__(self, table: Table) -> None:
        """``table`` stands at the beginning of a hand."""
        self.table = table
        self._begin_hand()

    def _begin_hand(self) -> None:
        self._seen: list[list[Action]] = [[] for _ in range(self.table.seats)]
        self._dealt = tuple(self.table.hands)
        self._tricks: list[Trick] = []
        self._contract: Mapping[str, Any] | None = None

    def act(self, action: Action) -> Outcome | None:
        """Carry out an action and write it down as each seat sees it.

        Raises Refused, with table and record unchanged, when the action is not allowed.
        """
        table = self.table
        looks: list[Action | None] = []
        if action.verb in table.verbs:
            looks = [table.seen(seat, action) for seat in range(table.seats)]
        leader, lying, hands_played = table.leader, tuple(table.trick), table.hands_played
        outcome = table.act(action)
        if table.hands_played > hands_played:
            self._begin_hand()
            return outcome
        for seen, look in zip(self._seen, looks, strict=True):
            if look is not None:
                seen.append(look)
        if outcome and outcome.contract is not None:
            self._contract = MappingProxyType(dict(outcome.contract))
        if outcome and outcome.winner is not None:
            self._tricks.append(Trick(leader, (*lying, action.what), outcome.winner))
        return outcome

    def sight(self, seat: Seat) -> Sight:
        """What a seat that may act knows."""
        table = self.table
        return Sight(
            seat=seat,
            seats=table.seats,
            rules=table.rules,
            start=table.start,
            scores=table.scores,
            hands_played=table.hands_played,
            dealt=self._dealt[seat],
            view=table.view(seat),
            choices=tuple(table.choices(seat)),
            record=tuple(self._seen[seat]),
            tricks=tuple(self._tricks),
            trick=Trick(table.leader, tuple(table.trick)),
            contract=self._contract,
            public=table.public(),
        )
