"""The table at which a match is played: what the four games have in common.

A game is a class under ``Table``. It states what it is played with (options, deal, tally,
notation) as plain values, and says how a hand is dealt, which actions are allowed, who wins a
trick, how a hand is scored and when the match ends. Everything outside ``games/`` asks the
table and never which game it is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

from oracle.cards import CLUBS, CODE_OF, DIAMONDS, HEARTS, JOKERS, SPADES, Card, Cards, codes, union
from oracle.games.actions import Action, Choice, Notation
from oracle.games.refusals import CARD, OVER, PHASE, TURN, Refused
from oracle.games.shapes import Shape

Seat: TypeAlias = int
#: Whoever has a score of their own: a seat, or in Bid Whist a team.
Side: TypeAlias = int

#: What stands for a card in an action whose card a seat does not see.
FACE_DOWN: Card = 0


@dataclass(slots=True)
class Line:
    """One line of a score breakdown: points to a side, by a clause."""

    side: Side
    clause: str
    points: int


class Combination(NamedTuple):
    """A combination that a trick settled, and what it pays now (0 for a loser)."""

    seat: Seat
    clause: str
    cards: Cards
    points: int


class HandResult(NamedTuple):
    """A scored hand; ``counts`` holds what a game keeps beside the scores, by name."""

    delta: tuple[int, ...]
    scores: tuple[int, ...]
    breakdown: tuple[Line, ...]
    counts: Mapping[str, tuple[int, ...]] = {}


class Outcome:
    """What an accepted action brought about; a trick was completed if it has a winner."""

    #: The contract that the action settled, in the words of the wire.
    contract: Mapping[str, Any] | None = None
    #: The trick that it completed: winner, points where the game has them, combinations.
    winner: Seat | None = None
    points: int | None = None
    combinations: tuple[Combination, ...] = ()
    #: The hand that it ended.
    hand: HandResult | None = None
    #: The winners of the match that it ended.
    match_winners: tuple[Side, ...] = ()


class View(NamedTuple):
    """What a seat sees. A set is ``Cards``, a row a tuple of ``Card``; empty places are left out."""

    hand: Cards
    known: Mapping[str, Cards | tuple[Card, ...]]
    unknown: Mapping[str, int]
    extra: Mapping[str, Any] = {}


class Place(NamedTuple):
    """A seat as it is drawn: rows of cells, each a card code.

    Where the cards lie in columns every cell keeps its place: ``KD+`` is a card on a covered
    one, ``+`` a covered card, ``-`` an empty place. Otherwise cards of a suit stand together.
    """

    name: str
    rows: tuple[tuple[str, ...], ...]
    in_columns: bool = False


class Picture(NamedTuple):
    """The table as it lies, for a person: seats, the trick in the order of play, and facts."""

    places: tuple[Place, ...]
    trick: tuple[tuple[Seat, str], ...]
    facts: tuple[str, ...]


class Parts(NamedTuple):
    """What a game is played with: its classes of plain values (see ``shapes``)."""

    rules: type[Any]
    start: type[Any]
    deal: type[Any]
    tally: type[Any]


def chosen_from(held: Cards, row: tuple[Card, ...]) -> Cards:
    """The cards in a row as a set; refused unless all are held and none is named twice."""
    chosen = union(row)
    if chosen & ~held or chosen.bit_count() != len(row):
        raise Refused(CARD)
    return chosen


def face_down(action: Action) -> Action:
    """An action of several cards as it looks to a seat that only sees how many there are."""
    return Action(action.seat, action.verb, (FACE_DOWN,) * len(action.what))


class Table:
    """A match at a table. Made with rules, a start and the deals of its hands; then ``act``."""

    name: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[int]
    side_name: ClassVar[str] = "seat"
    sides: ClassVar[int]
    pack: ClassVar[Cards]
    notation: ClassVar[Notation]
    parts: ClassVar[Parts]
    #: What a contract consists of, in the words of the wire; empty where there is none.
    contract: ClassVar[Mapping[str, Shape]] = {}
    #: What a hand result gives beside the scores, by name.
    counts: ClassVar[Mapping[str, Shape]] = {}
    #: What a view gives beside hand, known and unknown, by name.
    view_extra: ClassVar[Mapping[str, Shape]] = {}
    #: Variants that the rules lock off, by the option name that people ask for.
    locked: ClassVar[Mapping[str, str]] = {}
    #: Named sets of options for people, beside "canonical".
    profiles: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    #: The kinds of match that there are, each by its options; canonical first.
    match_kinds: ClassVar[tuple[Mapping[str, Any], ...]] = ({},)
    #: Whether each card has a place of its own on the table, so that rows are drawn in columns.
    in_columns: ClassVar[bool] = False

    #: Sets of cards that make for rare hands when they lie together; deals under stress gather them.
    gatherings: ClassVar[tuple[Cards, ...]] = (CLUBS, DIAMONDS, HEARTS, SPADES)

    def __init__(self, rules: Any, start: Any, deals: Sequence[Any] = ()) -> None:
        """``rules``, ``start`` and ``deals`` are values of the game's own classes."""
        self.rules = rules
        self.start = start
        self.deals = tuple(deals)
        self.scores: tuple[int, ...] = tuple(start.scores)
        self.hands_played = 0
        self.winners: tuple[Side, ...] = ()
        self.turn_after = tuple((seat,) for seat in (*range(1, self.seats), 0))
        #: Who may act now; nobody when the match is over or no deal is left.
        self.to_act: tuple[Seat, ...] = ()
        #: The verbs of this phase, each with the name of the method that carries it out.
        self.verbs: Mapping[str, str] = {}
        self.hands: list[Cards] = [0] * self.seats
        self.won: list[Cards] = [0] * self.sides
        self.tricks: list[int] = [0] * self.sides
        self.trick: list[Card] = []
        self.leader: Seat = 0
        self._next_hand()

    # What a game says.

    def deal(self, deal: Any) -> None:
        """Lay out a new hand and open its first phase."""
        raise NotImplementedError

    def choices(self, seat: Seat) -> list[Choice]:
        """What a seat in ``to_act`` (or chance) may do, in the order of the wire format."""
        raise NotImplementedError

    def legal_cards(self, seat: Seat) -> Cards:
        """The cards that the seat to act may play to the trick."""
        raise NotImplementedError

    def why_not(self, seat: Seat, card: Card) -> str:
        """The clause that forbids the seat to act to play this card of its hand."""
        raise NotImplementedError

    def winning_card(self) -> Card:
        """The card that wins the trick on the table."""
        raise NotImplementedError

    @classmethod
    def deal_from_pack(cls, row: Sequence[Card]) -> Any:
        """The deal, a value of ``parts.deal``, when the pack lies like this and is dealt out."""
        raise NotImplementedError

    def side_of(self, seat: Seat) -> Side:
        """The side that a seat plays for."""
        return seat

    def tell_trick(self, outcome: Outcome, taken: Cards) -> None:
        """Add to the outcome what the game tells of a trick beside its winner."""

    def tally(self) -> Any:
        """What the hand just played comes to, as a value of ``parts.tally``."""
        raise NotImplementedError

    @classmethod
    def check_tally(cls, rules: Any, tally: Any) -> None:
        """Raise Impossible for a tally that no hand can give, or that the options exclude."""
        raise NotImplementedError

    def breakdown(self, tally: Any) -> list[Line]:
        """The score of a hand, line by line, each with its clause."""
        raise NotImplementedError

    def count_up(self, tally: Any) -> Mapping[str, tuple[int, ...]]:
        """Carry on what is kept beside the scores, and give it by name."""
        return {}

    def match_winners(self) -> tuple[Side, ...]:
        """The winners after a scored hand; none while the match goes on."""
        raise NotImplementedError

    def view(self, seat: Seat) -> View:
        """What a seat sees."""
        raise NotImplementedError

    def seen(self, seat: Seat, action: Action) -> Action | None:
        """What a seat sees of an action that is about to be carried out: all of it, or only that
        it is done (see ``face_down``), or nothing."""
        return action

    def public(self) -> Mapping[str, Any]:
        """What everybody knows of this moment beside actions, cards, contract and scores, by name."""
        return {}

    def facts(self) -> list[str]:
        """What a person should know of this moment beside the cards, in short sentences."""
        return []

    # What holds for all of them.

    def act(self, action: Action) -> Outcome | None:
        """Carry out an action; None when nothing is to be told of it.

        Raises Refused, with the table unchanged, when the action is not allowed.
        """
        verb = action.verb
        if action.seat not in self.to_act:
            raise Refused(TURN if self.to_act else OVER)
        if verb not in self.verbs:
            raise Refused(PHASE)
        if verb == "play":
            # In every game, and nearly every action: a direct call is the quickest.
            return self.play(action.seat, action.what)
        perform: Callable[[Seat, Any], Outcome | None] = getattr(self, self.verbs[verb])
        return perform(action.seat, action.what)

    def legal(self) -> dict[Seat, list[Choice]]:
        """What everybody who may act may do."""
        return {seat: self.choices(seat) for seat in self.to_act}

    def open_play(self, leader: Seat, verbs: Mapping[str, str]) -> None:
        """Begin a hand's trick play."""
        self.leader = leader
        self.to_act = (leader,)
        self.verbs = verbs

    def play(self, seat: Seat, card: Card) -> Outcome | None:
        """Play a card to the trick; when everybody has, the trick is taken."""
        if not card & self.legal_cards(seat):
            raise Refused(self.why_not(seat, card) if card & self.hands[seat] else CARD)
        self.hands[seat] ^= card
        self.trick.append(card)
        if len(self.trick) < len(self.hands):
            self.to_act = self.turn_after[seat]
            return None
        return self.take_trick()

    def take_trick(self) -> Outcome:
        """Give the trick on the table to its winner, who leads the next; score after the last."""
        winner = (self.leader + self.trick.index(self.winning_card())) % len(self.hands)
        side = self.side_of(winner)
        taken = sum(self.trick)
        self.won[side] |= taken
        self.tricks[side] += 1
        outcome = Outcome()
        outcome.winner = winner
        self.tell_trick(outcome, taken)
        self.trick = []
        self.leader = winner
        self.to_act = (winner,)
        if not self.hands[winner]:
            self.score(self.tally(), outcome)
            self._next_hand()
        return outcome

    def score(self, tally: Any, outcome: Outcome) -> None:
        """Score a hand, and see whether it ends the match."""
        lines = self.breakdown(tally)
        delta = [0] * len(self.scores)
        for line in lines:
            delta[line.side] += line.points
        self.scores = tuple(map(add, self.scores, delta))
        counts = self.count_up(tally)
        self.hands_played += 1
        self.winners = self.match_winners()
        outcome.hand = HandResult(tuple(delta), self.scores, tuple(lines), counts)
        outcome.match_winners = self.winners

    def _next_hand(self) -> None:
        self.to_act = ()
        if not self.winners and self.hands_played < len(self.deals):
            self.trick = []
            self.won = [0] * self.sides
            self.tricks = [0] * self.sides
            self.deal(self.deals[self.hands_played])

    def copy(self) -> Self:
        """A table of its own in the same state."""
        twin = object.__new__(type(self))
        twin.__dict__ = {
            name: value[:] if type(value) is list else value
            for name, value in self.__dict__.items()
        }
        return twin

    def rows(self, seat: Seat) -> tuple[tuple[str, ...], ...]:
        """A seat's cards as they are drawn: a row for each suit, spades first."""
        hand = self.hands[seat]
        suits = (JOKERS, SPADES, HEARTS, DIAMONDS, CLUBS)
        return tuple(tuple(reversed(codes(hand & suit))) for suit in suits if hand & suit)

    def picture(self) -> Picture:
        """The table as it lies."""
        return Picture(
            tuple(
                Place(f"seat {seat}", self.rows(seat), self.in_columns)
                for seat in range(self.seats)
            ),
            tuple(
                ((self.leader + place) % self.seats, CODE_OF[card])
                for place, card in enumerate(self.trick)
            ),
            tuple(self.facts()),
        )

    def seen_by_all(self) -> dict[str, Cards | tuple[Card, ...]]:
        """The trick on the table and the piles that have been won, which lie open to all."""
        known: dict[str, Cards | tuple[Card, ...]] = {}
        if self.trick:
            known["trick"] = tuple(self.trick)
        for side, pile in enumerate(self.won):
            if pile:
                known[f"won {side}"] = pile
        return known
