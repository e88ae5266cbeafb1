"""Open Belote, for two: play from stacks on the table, and declare what you uncover."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from oracle.cards import (
    CLUBS,
    CODE_OF,
    DIAMONDS,
    HEARTS,
    PACK_32,
    SPADES,
    SUIT_CARDS,
    SUIT_NAMES,
    SUIT_OF,
    SUITS,
    Card,
    Cards,
    cards,
    each,
    of_rank,
    text,
    union,
)
from oracle.games.actions import Choice, Each, Notation, OneCard, Say, SomeCards, Words
from oracle.games.refusals import CARD, Impossible, Refused
from oracle.games.shapes import (
    SCORE_LIMIT,
    SCORES,
    CardRow,
    OneOf,
    Several,
    Text,
    Whole,
    option,
    part,
)
from oracle.games.table import Combination, Line, Outcome, Parts, Seat, Table, View

NO_TRUMP = "none"
#: The trumps that each of the five choices makes (BELOTE-R05).
TRUMPS: Mapping[str, Cards] = {**SUIT_CARDS, NO_TRUMP: 0}

#: The ranks from low to high: in trumps and in any other suit (BELOTE-R13), and in runs (R24).
TRUMP_ORDER = "78QKTA9J"
PLAIN_ORDER = "789JQKTA"
RUN_ORDER = "789TJQKA"

#: What a card is worth by its rank (BELOTE-17, 18).
TRUMP_VALUES = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_VALUES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
NO_TRUMP_VALUES = {"A": 19, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
LAST_TEN = 10

#: What the fours are worth by their rank, the strongest first (BELOTE-36, 37, R30).
TRUMP_FOURS = {"J": 200, "9": 140, "A": 110, "T": 100, "K": 100, "Q": 100}
NO_TRUMP_FOURS = {
    100: {"A": 190, "T": 100, "K": 100, "Q": 100, "J": 100, "9": 0},
    0: {"A": 190, "T": 100, "K": 100, "Q": 100, "J": 0, "9": 0},
    200: {"J": 200, "A": 190, "T": 100, "K": 100, "Q": 100, "9": 0},
}


class Kind(NamedTuple):
    """A kind of run: its clause and its value."""

    clause: str
    value: int


#: The kinds of run by their number of cards: tierce, fifty, hundred (BELOTE-38 to 40).
RUN_KINDS = {3: Kind("BELOTE-40", 20), 4: Kind("BELOTE-39", 50), 5: Kind("BELOTE-38", 100)}
BELOTE_VALUE = 20

#: The fours that are combinations, by their rank (BELOTE-35), and those that are none (R31).
FOURS: Mapping[Cards, str] = {of_rank(rank): rank for rank in TRUMP_FOURS}
WORTHLESS_FOURS = (of_rank("8"), of_rank("7"))


def neighbours() -> Iterator[Cards]:
    """Every three, four and five neighbours of one suit (BELOTE-R24, R25)."""
    for suit in SUITS:
        for length in RUN_KINDS:
            for lowest in range(len(RUN_ORDER) - length + 1):
                ranks = RUN_ORDER[lowest : lowest + length]
                yield cards(" ".join(rank + suit for rank in ranks))


RUNS = frozenset(neighbours())
#: All combinations, in the order in which ``legal`` lists them.
COMBINATIONS: tuple[Cards, ...] = tuple(sorted((*RUNS, *FOURS), key=each))
#: No hand gives one player more: four jacks, aces, tens and kings at no trump, the jacks at 200.
MOST_COMBINATIONS = 590

CHOOSING = {"take": "take", "pass": "pass_by"}
PLAYING = {"declare": "declare", "play": "play"}

#: A place in a seat's row of stacks: open on covered, open, covered only, empty.
_PLACE = r"([789TJQKA][CDHS]\+?|\+|-)"


@dataclass(frozen=True)
class Rules:
    """The options of Open Belote."""

    match: str = option(
        OneOf(("score", "rounds")), "score", "BELOTE-R52 BELOTE-03",
        "Whether a match is played to a limit in points or to a number of rounds won.",
    )  # fmt: skip
    target: int = option(
        OneOf((501, 1001, 2001)), 501, "BELOTE-03",
        "The limit in points; with tens 51, 101 or 201.",
        under=("scale", {"tens": (OneOf((51, 101, 201)), 51)}),
    )  # fmt: skip
    rounds: int = option(
        OneOf((1, 3, 5)), 1, "BELOTE-R52",
        "How many rounds win a match by rounds.",
        beside={"match": "rounds"},
    )  # fmt: skip
    scale: str = option(
        OneOf(("full", "tens")), "full", "BELOTE-R45 BELOTE-R46",
        "Whether points are scored as they are or in tens.",
    )  # fmt: skip
    no_trump: bool = option(
        OneOf((True, False)), True, "BELOTE-R05",
        "Whether no trump may be chosen.",
    )  # fmt: skip
    declare_window: str = option(
        OneOf(("first_opportunity", "first_trick", "any_turn")), "first_opportunity", "BELOTE-R20",
        "At which of their turns a player may declare a combination.",
    )  # fmt: skip
    compare_combinations: str = option(
        OneOf(("per_trick", "per_hand", "none")), "per_trick", "BELOTE-R22",
        "When the combinations of the two players are held against each other.",
    )  # fmt: skip
    growth: str = option(
        OneOf(("replace", "add")), "replace", "BELOTE-R21",
        "Whether a grown run pays the rest of its value or all of it.",
    )  # fmt: skip
    no_trump_combinations: bool = option(
        OneOf((True, False)), True, "BELOTE-R36",
        "Whether combinations may be declared at no trump.",
    )  # fmt: skip
    no_trump_four_jacks: int = option(
        OneOf((100, 0, 200)), 100, "BELOTE-R30",
        "What four jacks are worth at no trump.",
    )  # fmt: skip
    taker_tie: str = option(
        OneOf(("fails", "makes")), "fails", "BELOTE-R37",
        "What becomes of the taker when both have the same number of points.",
    )  # fmt: skip
    kaput: str = option(
        OneOf(("no_points", "no_tricks")), "no_points", "BELOTE-R40",
        "Whether worthless tricks leave a player kaput.",
    )  # fmt: skip
    kaput_total: int = option(
        OneOf((212, 183, 210, 250, 252)), 212, "BELOTE-R41",
        "What the cards are worth to the other player when one is kaput; in tens always 21.",
    )  # fmt: skip
    belote_on_failure: str = option(
        OneOf(("moves", "stays")), "moves", "BELOTE-R39",
        "Whether the belote of a failed taker passes over to the opponent.",
    )  # fmt: skip
    reveal: str = option(
        OneOf(("at_once", "after_trick")), "at_once", "BELOTE-R11",
        "When the covered card under a played card is turned up.",
        only_seen=True,
    )  # fmt: skip


@dataclass(frozen=True)
class Start:
    """Where the match stands before the first deal."""

    dealer: Seat = part(Whole(0, 1), "The dealer of the first hand.", 0)
    scores: tuple[int, ...] = part(Several(2, SCORES), "The total of each seat.", (0, 0))
    rounds_won: tuple[int, ...] = part(
        Several(2, Whole(0, SCORE_LIMIT)), "The rounds that each seat has won.", (0, 0)
    )


@dataclass(frozen=True)
class Deal:
    """The cards of one hand."""

    down: tuple[tuple[Card, ...], ...] = part(
        Several(2, CardRow(8)), "The covered card of each stack, seat by seat."
    )
    up: tuple[tuple[Card, ...], ...] = part(
        Several(2, CardRow(8)),
        "The open card of each stack, seat by seat; the first four lie before the choice of trump.",
    )


NOTHING_DEALT = Deal(down=((0,) * 8,) * 2, up=((0,) * 8,) * 2)


@dataclass(frozen=True)
class Tally:
    """What a hand comes to: the contract, and what each seat has, all in full points."""

    taker: Seat = part(Whole(0, 1), "The seat that chose.")
    trump: str = part(OneOf(tuple(TRUMPS)), "The trump suit, or none.")
    cards: tuple[int, ...] = part(
        Several(2, Whole(0, 162)), "The card points of each seat with the last ten; 162 in all."
    )
    tricks: tuple[int, ...] = part(
        Several(2, Whole(0, 16)), "The tricks that each seat won; 16 in all."
    )
    combinations: tuple[int, ...] = part(
        Several(2, Whole(0, MOST_COMBINATIONS)),
        "What each seat was credited with for combinations, belote apart.",
    )
    belote: tuple[int, ...] = part(
        Several(2, OneOf((0, BELOTE_VALUE))), "The belote of each seat; one has it at most."
    )


class Declared(NamedTuple):
    """A combination as it was declared, in which trick of the hand (the first is 1)."""

    seat: Seat
    cards: Cards
    trick: int


def contains(longer: Cards, shorter: Cards) -> bool:
    """Whether a combination holds another one whole, and more."""
    return shorter & longer == shorter != longer


class Belote(Table):
    """A match of Open Belote."""

    name = "belote"
    title = "Open Belote"
    seats = 2
    sides = 2
    pack = PACK_32
    in_columns = True
    notation = Notation(
        2,
        {
            "take": Words((tuple(TRUMPS),)),
            "pass": Words(),
            "declare": SomeCards(1, 8),
            "play": OneCard(),
        },
    )
    parts = Parts(Rules, Start, Deal, Tally)
    contract = {"taker": Whole(0, 1), "trump": OneOf(tuple(TRUMPS))}
    counts = {"rounds_won": Several(2, Whole(0))}
    view_extra = {"stacks": Several(2, Text(f"{_PLACE}( {_PLACE}){{7}}"))}
    rules: Rules
    start: Start
    profiles: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "platform": {"scale": "tens", "target": 101}
    }
    match_kinds = (
        {},
        {"scale": "tens", "target": 101},
        {"match": "rounds"},
        {"match": "rounds", "rounds": 3},
        {"match": "rounds", "rounds": 5},
    )
    gatherings = (CLUBS, DIAMONDS, HEARTS, SPADES, *map(of_rank, ("J9", "AT", "KQ", "789")))

    def __init__(self, rules: Rules, start: Start, deals: Sequence[Deal] = ()) -> None:
        """The rounds won go with the scores from hand to hand (BELOTE-R53)."""
        self.rounds_won = tuple(start.rounds_won)
        self.clear_table()
        super().__init__(rules, start, deals)

    def clear_table(self) -> None:
        """The state of a hand before anything is dealt. A hand is the open cards of a seat."""
        self.dealer: Seat = 0
        self.dealt = NOTHING_DEALT
        #: The open cards that have not been dealt yet.
        self.stock: Cards = 0
        #: The covered cards of each seat.
        self.covered: list[Cards] = [0, 0]
        #: The card that each seat's latest play uncovered, if it uncovered one.
        self.uncovered: list[Cards] = [0, 0]
        self.passes = 0
        self.taker: Seat = 0
        self.trump = NO_TRUMP
        #: Everything declared in the hand, in the order of declaring.
        self.declared: list[Declared] = []
        #: What was credited for declarations, with what it paid.
        self.credited: list[Combination] = []

    # The deal.

    def deal(self, deal: Deal) -> None:
        """Eight covered cards each, and four open ones on the first four (BELOTE-06, 07, R02)."""
        self.clear_table()
        self.dealer = self.dealer_of_hand()
        self.dealt = deal
        self.covered = [union(row) for row in deal.down]
        self.hands = [union(row[:4]) for row in deal.up]
        self.stock = union([union(row[4:]) for row in deal.up])
        self.verbs = CHOOSING
        self.to_act = (self.non_dealer,)

    def dealer_of_hand(self) -> Seat:
        """The players deal alternately (BELOTE-05, R12)."""
        return (self.start.dealer + self.hands_played) % 2

    @property
    def non_dealer(self) -> Seat:
        """Who chooses first and leads first (BELOTE-08, 11)."""
        return 1 - self.dealer

    def deal_second_four(self) -> None:
        """Four more open cards each, on the other four covered ones (BELOTE-08, R02)."""
        for seat, row in enumerate(self.dealt.up):
            self.hands[seat] |= union(row) & self.stock
        self.stock = 0

    # The choice of trump.

    def choices(self, seat: Seat) -> list[Choice]:
        """What may be chosen, or what may be declared and played."""
        if self.verbs is PLAYING:
            return [
                Say("declare", [tuple(each(held)) for held in self.declarable(seat)]),
                Each("play", self.legal_cards(seat)),
            ]
        take = Say("take", self.trump_choices())
        return [take] if self.must_choose() else [take, Say("pass")]

    def trump_choices(self) -> list[str]:
        """The four suits and, unless switched off, no trump, in either round (BELOTE-R05, R06)."""
        return [trump for trump in TRUMPS if trump != NO_TRUMP or self.rules.no_trump]

    def must_choose(self) -> bool:
        """The dealer must choose after three passes (BELOTE-09, R04)."""
        return self.passes == 3

    def take(self, seat: Seat, trump: str) -> Outcome:
        """The first choice ends the choosing (BELOTE-08, R07); the second four are dealt in any
        case (R03), and the non-dealer leads (BELOTE-10, 11)."""
        if trump not in self.trump_choices():
            raise Refused("BELOTE-R05")
        self.taker = seat
        self.trump = trump
        self.deal_second_four()
        self.open_play(self.non_dealer, PLAYING)
        outcome = Outcome()
        outcome.contract = {"taker": seat, "trump": trump}
        return outcome

    def pass_by(self, seat: Seat, _: Any) -> None:
        """Leave the choice to the other player; two passes bring the second four (BELOTE-08, 09)."""
        if self.must_choose():
            raise Refused("BELOTE-09")
        self.passes += 1
        if self.passes == 2:
            self.deal_second_four()
        self.to_act = self.turn_after[seat]

    # The play.

    @property
    def trumps(self) -> Cards:
        """The cards of the trump suit; none at no trump."""
        return TRUMPS[self.trump]

    def legal_cards(self, seat: Seat) -> Cards:
        """Any open card to lead; second, a card of the suit led, else a trump, else any (BELOTE-12,
        13, R16 to R18). Only open cards count (R10)."""
        hand = self.hands[seat]
        if not self.trick:
            return hand
        led = self.trick[0]
        if led & self.trumps:
            return self.legal_on_trump_lead(hand, led)
        return hand & SUIT_OF[led] or hand & self.trumps or hand

    def legal_on_trump_lead(self, hand: Cards, led: Card) -> Cards:
        """A higher trump, else any trump, else any card (BELOTE-14, R14, R15)."""
        trumps = hand & self.trumps
        higher = [trump for trump in each(trumps) if self.rank(trump) > self.rank(led)]
        return union(higher) or trumps or hand

    def why_not(self, seat: Seat, card: Card) -> str:
        """The rule that bars a held card: a trump on a led trump was not high enough."""
        return "BELOTE-14" if card & self.trumps & SUIT_OF[self.trick[0]] else "BELOTE-12"

    def rank(self, card: Card) -> int:
        """The place of a card in its suit (BELOTE-R13)."""
        order = TRUMP_ORDER if card & self.trumps else PLAIN_ORDER
        return order.index(CODE_OF[card][0])

    def winning_card(self) -> Card:
        """The highest trump, else the highest card of the suit led (BELOTE-R13)."""
        suit = SUIT_OF[self.trick[0]]
        trumps = [card for card in self.trick if card & self.trumps]
        return max(trumps or [card for card in self.trick if card & suit], key=self.rank)

    def play(self, seat: Seat, card: Card) -> Outcome | None:
        """Play an open card; the card under it is turned up at once, by option only when the trick
        is complete (BELOTE-10, R11)."""
        outcome = super().play(seat, card)
        if self.trick and self.rules.reveal == "at_once":
            self.uncover(seat, card)
        return outcome

    def take_trick(self) -> Outcome:
        """Whatever lay under the two cards is open before the next trick (BELOTE-R11); the winner
        leads to it (R19)."""
        for seat, card in zip((self.leader, 1 - self.leader), self.trick, strict=True):
            self.uncover(seat, card)
        return super().take_trick()

    def uncover(self, seat: Seat, played: Card) -> None:
        """Turn the covered card face up that lay under a played one, if there was one (BELOTE-10)."""
        self.uncovered[seat] = self.under(seat, played)
        self.covered[seat] &= ~self.uncovered[seat]
        self.hands[seat] |= self.uncovered[seat]

    def under(self, seat: Seat, card: Card) -> Cards:
        """The covered card of the stack on which a card was dealt; nothing under a covered one."""
        row = self.dealt.up[seat]
        return self.dealt.down[seat][row.index(card)] if card in row else 0

    def on_first_trick(self) -> bool:
        """Whether the trick on the table is the hand's first."""
        return not any(self.tricks)

    def tell_trick(self, outcome: Outcome, taken: Cards) -> None:
        """The card points of the trick, and what becomes of the combinations that it settles."""
        outcome.points = self.card_points(taken) + (LAST_TEN if self.last_trick_taken() else 0)
        outcome.combinations = (*self.settle(), *self.belote_completed(taken))

    def last_trick_taken(self) -> bool:
        """A hand has sixteen tricks (BELOTE-R19), and the last is worth 10 points (BELOTE-29)."""
        return sum(self.tricks) == 16

    def card_points(self, held: Cards) -> int:
        """The points of these cards in this hand's contract."""
        return sum(self.value_of_card(card) for card in each(held))

    def value_of_card(self, card: Card) -> int:
        """What a card is worth with this trump or at no trump (BELOTE-17, 18)."""
        rank = CODE_OF[card][0]
        if self.trump == NO_TRUMP:
            return NO_TRUMP_VALUES[rank]
        return (TRUMP_VALUES if card & self.trumps else PLAIN_VALUES)[rank]

    # Declaring.

    def declare(self, seat: Seat, row: tuple[Card, ...]) -> None:
        """Declare a combination of open cards before playing a card (BELOTE-16, 22, R20, R27)."""
        chosen = union(row)
        if chosen & ~self.hands[seat] or chosen.bit_count() != len(row):
            raise Refused(CARD)
        if clause := self.why_not_declare(seat, chosen):
            raise Refused(clause)
        self.declared.append(Declared(seat, chosen, self.trick_now()))

    def declarable(self, seat: Seat) -> list[Cards]:
        """Every combination that the seat to act may declare now (BELOTE-R20)."""
        hand = self.hands[seat]
        return [
            held
            for held in COMBINATIONS
            if not held & ~hand and not self.why_not_declare(seat, held)
        ]

    def why_not_declare(self, seat: Seat, held: Cards) -> str:
        """The rule that bars the declaring of these open cards; empty when none does."""
        if not self.is_combination(held):
            return "BELOTE-R31" if held in WORTHLESS_FOURS else "BELOTE-R28"
        if not self.contract_has_combinations():
            return "BELOTE-R36"
        if not self.is_in_window(seat, held):
            return "BELOTE-22"
        if not self.is_free(seat, held):
            return "BELOTE-R26"
        return ""

    def is_combination(self, held: Cards) -> bool:
        """A run of three to five, or four of a rank above the eights (BELOTE-35, R25, R28, R31)."""
        return held in RUNS or held in FOURS

    def contract_has_combinations(self) -> bool:
        """By option nothing may be declared at no trump (BELOTE-R36)."""
        return self.trump != NO_TRUMP or self.rules.no_trump_combinations

    def is_in_window(self, seat: Seat, held: Cards) -> bool:
        """At the first play of the hand anything, later what holds the card just uncovered
        (BELOTE-15, 22, R20)."""
        if self.on_first_trick() or self.rules.declare_window == "any_turn":
            return True
        if self.rules.declare_window == "first_trick":
            return False
        return bool(held & self.uncovered[seat])

    def is_free(self, seat: Seat, held: Cards) -> bool:
        """No card stands in another combination of this seat, except in a run that grows
        (BELOTE-R26)."""
        return all(
            self.grows(old, held)
            for old in self.standing()
            if old.seat == seat and old.cards & held
        )

    def grows(self, old: Declared, held: Cards) -> bool:
        """Whether a run declared in an earlier trick grows into this longer one (BELOTE-24, R26)."""
        return old.trick < self.trick_now() and contains(held, old.cards)

    def trick_now(self) -> int:
        """The trick on the table, counted from 1."""
        return sum(self.tricks) + 1

    def standing(self) -> list[Declared]:
        """What was declared in this hand and not replaced by a longer run (BELOTE-R26)."""
        return [
            old
            for old in self.declared
            if not any(
                new.seat == old.seat and contains(new.cards, old.cards) for new in self.declared
            )
        ]

    # What combinations are worth.

    def settle(self) -> list[Combination]:
        """Credit what the trick just taken settles; a loser is told with no points (BELOTE-R22)."""
        due = self.due()
        credited = self.credited_seats(due)
        settled = [
            Combination(
                seat,
                self.clause_of(held),
                held,
                self.payment(seat, held) if seat in credited else 0,
            )
            for seat, held, _ in due
        ]
        self.credited += [told for told in settled if told.seat in credited]
        return settled

    def due(self) -> list[Declared]:
        """What was declared in the trick just taken; by option everything that stands, with the
        hand's last (BELOTE-R22)."""
        if self.rules.compare_combinations == "per_hand":
            return self.standing() if self.last_trick_taken() else []
        taken = sum(self.tricks)
        return [declared for declared in self.declared if declared.trick == taken]

    def credited_seats(self, due: list[Declared]) -> tuple[Seat, ...]:
        """The owner of the strongest combination, by option both seats (BELOTE-R22). Of equal ones
        ``max`` takes the first, so the one declared earlier (BELOTE-21, R23)."""
        if self.rules.compare_combinations == "none":
            return (0, 1)
        strongest = max(due, key=lambda declared: self.strength(declared.cards), default=None)
        return (strongest.seat,) if strongest else ()

    def strength(self, held: Cards) -> tuple[int, ...]:
        """What is compared, test by test; the greater is the stronger (BELOTE-R23)."""
        return self.strength_of_four(held) if held in FOURS else self.strength_of_run(held)

    def strength_of_four(self, held: Cards) -> tuple[int, ...]:
        """A four beats every run, also when it is worth nothing (BELOTE-35, R32); of two fours the
        first in the list of the contract (BELOTE-36, 37, R29, R30)."""
        return (1, -list(self.values_of_fours()).index(FOURS[held]))

    def strength_of_run(self, held: Cards) -> tuple[int, ...]:
        """More cards, then the higher top card, then a run in trumps (BELOTE-19 to 21)."""
        top = max([RUN_ORDER.index(CODE_OF[card][0]) for card in each(held)])
        return (0, held.bit_count(), top, 1 if held & self.trumps else 0)

    def clause_of(self, held: Cards) -> str:
        """The clause that says what the combination is."""
        return "BELOTE-35" if held in FOURS else RUN_KINDS[held.bit_count()].clause

    def value_of(self, held: Cards) -> int:
        """What a combination is worth for itself (BELOTE-36 to 40)."""
        if held in FOURS:
            return self.values_of_fours()[FOURS[held]]
        return RUN_KINDS[held.bit_count()].value

    def values_of_fours(self) -> Mapping[str, int]:
        """The fours by rank, the strongest first (BELOTE-36, 37, R30)."""
        if self.trump == NO_TRUMP:
            return NO_TRUMP_FOURS[self.rules.no_trump_four_jacks]
        return TRUMP_FOURS

    def payment(self, seat: Seat, held: Cards) -> int:
        """A grown run pays what it is worth more than the best run in it that was credited to the
        same seat before; by option its whole value (BELOTE-24, R21)."""
        if self.rules.growth == "add":
            return self.value_of(held)
        credited = [
            self.value_of(old.cards)
            for old in self.credited
            if old.seat == seat and contains(held, old.cards)
        ]
        return self.value_of(held) - max(credited, default=0)

    def credited_points(self) -> tuple[int, ...]:
        """What each seat has been credited with for what it declared."""
        return tuple(
            [sum(paid.points for paid in self.credited if paid.seat == seat) for seat in (0, 1)]
        )

    def belote_completed(self, taken: Cards) -> list[Combination]:
        """Belote is credited undeclared, with the trick in which the second of its cards is played
        (BELOTE-23, R33), and is never compared (R34)."""
        pair = self.belote_pair()
        owner = self.belote_owner()
        if owner is None or not taken & pair or pair & ~sum(self.won):
            return []
        return [Combination(owner, "BELOTE-41", pair, BELOTE_VALUE)]

    def belote_pair(self) -> Cards:
        """The king and queen of trumps (BELOTE-41); there is no belote at no trump (R35)."""
        return of_rank("KQ") & self.trumps

    def belote_owner(self) -> Seat | None:
        """Who has both among their sixteen cards, and so will play both (BELOTE-R33)."""
        pair = self.belote_pair()
        for seat in range(2):
            if pair and not pair & ~union(self.dealt.up[seat] + self.dealt.down[seat]):
                return seat
        return None

    # The score.

    def tally(self) -> Tally:
        """Add up what each seat won, the last ten with the cards (BELOTE-28, R49)."""
        last_winner = self.leader
        owner = self.belote_owner()
        return Tally(
            taker=self.taker,
            trump=self.trump,
            cards=tuple(
                [
                    self.card_points(pile) + (LAST_TEN if seat == last_winner else 0)
                    for seat, pile in enumerate(self.won)
                ]
            ),
            tricks=tuple(self.tricks),
            combinations=self.credited_points(),
            belote=tuple([BELOTE_VALUE if seat == owner else 0 for seat in (0, 1)]),
        )

    @classmethod
    def check_tally(cls, rules: Rules, tally: Tally) -> None:
        """162 points and sixteen tricks, and at no trump only what the rules have there."""
        if tally.trump == NO_TRUMP and not rules.no_trump:
            raise Impossible("trump", "expected a suit, as the rules switch no trump off")
        if sum(tally.cards) != 162:
            raise Impossible("cards", f"expected 162 points in all, found {sum(tally.cards)}")
        if sum(tally.tricks) != 16:
            raise Impossible("tricks", f"expected 16 tricks in all, found {sum(tally.tricks)}")
        if any(
            points for points, tricks in zip(tally.cards, tally.tricks, strict=True) if not tricks
        ):
            raise Impossible("cards", "expected no points for a seat without a trick")
        cls.check_tally_of_combinations(rules, tally)

    @classmethod
    def check_tally_of_combinations(cls, rules: Rules, tally: Tally) -> None:
        """Combinations come in tens, and belote to one player at most, with a trump suit."""
        if any(points % 10 for points in tally.combinations):
            raise Impossible("combinations", "expected multiples of 10")
        if all(tally.belote):
            raise Impossible("belote", "expected belote for one seat at most")
        if tally.trump != NO_TRUMP:
            return
        if any(tally.combinations) and not rules.no_trump_combinations:
            raise Impossible("combinations", "expected none, as the rules have none at no trump")
        if any(tally.belote):
            raise Impossible("belote", "expected none, as there is no belote at no trump")

    def breakdown(self, tally: Tally) -> list[Line]:
        """Cards and combinations to each, or all to the opponent of a taker who failed."""
        lines = self.lines_if_made(tally) if self.has_made(tally) else self.lines_if_failed(tally)
        return [line for line in lines if line.points]

    def has_made(self, tally: Tally) -> bool:
        """Whether the taker has made it: kaput decides first (BELOTE-R44), then the comparison."""
        taker, opponent = tally.taker, 1 - tally.taker
        if self.is_kaput(taker, tally) or self.is_kaput(opponent, tally):
            return self.is_kaput(opponent, tally)
        return self.has_more(self.compared(taker, tally), self.compared(opponent, tally))

    def is_kaput(self, seat: Seat, tally: Tally) -> bool:
        """Whoever has no card points, by option only without a trick; judged unrounded, and for
        either player (BELOTE-32, 34, R40, R42)."""
        if self.rules.kaput == "no_tricks":
            return tally.tricks[seat] == 0
        return tally.cards[seat] == 0

    def compared(self, seat: Seat, tally: Tally) -> int:
        """Cards, combinations and belote, unrounded (BELOTE-31, R38, R48)."""
        return tally.cards[seat] + tally.combinations[seat] + tally.belote[seat]

    def has_more(self, taker: int, opponent: int) -> bool:
        """The taker must have more; by option as much is enough (BELOTE-31, R37)."""
        return taker >= opponent if self.rules.taker_tie == "makes" else taker > opponent

    def lines_if_made(self, tally: Tally) -> list[Line]:
        """Each scores their own combinations, a kaput opponent too (BELOTE-33, R43, R47)."""
        return [
            *self.lines_of_cards(tally),
            *self.own_combinations(0, tally),
            *self.own_combinations(1, tally),
        ]

    def lines_of_cards(self, tally: Tally) -> list[Line]:
        """Both sides' cards when the taker has made it, or all for a kaput (BELOTE-32, 33)."""
        taker, opponent = tally.taker, 1 - tally.taker
        if self.is_kaput(opponent, tally):
            return [Line(taker, "BELOTE-32", self.kaput_total())]
        points = self.opponents_cards(tally.cards[opponent])
        return [
            Line(taker, "BELOTE-33", self.cards_total() - points),
            Line(opponent, "BELOTE-33", points),
        ]

    def opponents_cards(self, points: int) -> int:
        """The opponent's card points, in tens rounded, a last 5 going down (BELOTE-R46)."""
        return (points + 4) // 10 if self.rules.scale == "tens" else points

    def lines_if_failed(self, tally: Tally) -> list[Line]:
        """The opponent scores all cards, their own combinations and what passes over (BELOTE-31,
        R39); for a kaput taker the cards are worth more (BELOTE-32, R43)."""
        taker, opponent = tally.taker, 1 - tally.taker
        if self.is_kaput(taker, tally):
            all_cards = Line(opponent, "BELOTE-32", self.kaput_total())
        else:
            all_cards = Line(opponent, "BELOTE-31", self.cards_total())
        kept = self.belote_kept(tally)
        passed_over = tally.combinations[taker] + tally.belote[taker] - kept
        return [
            all_cards,
            *self.own_combinations(opponent, tally),
            Line(opponent, "BELOTE-31", self.in_scale(passed_over)),
            Line(taker, "BELOTE-41", self.in_scale(kept)),
        ]

    def belote_kept(self, tally: Tally) -> int:
        """What a taker who failed keeps: nothing, by option their belote (BELOTE-R39)."""
        return tally.belote[tally.taker] if self.rules.belote_on_failure == "stays" else 0

    def own_combinations(self, seat: Seat, tally: Tally) -> list[Line]:
        """A seat's combinations and belote (BELOTE-28, 41)."""
        return [
            Line(seat, "BELOTE-28", self.in_scale(tally.combinations[seat])),
            Line(seat, "BELOTE-41", self.in_scale(tally.belote[seat])),
        ]

    def cards_total(self) -> int:
        """All cards with the last ten: 162, in tens 16 (BELOTE-26)."""
        return 16 if self.rules.scale == "tens" else 162

    def kaput_total(self) -> int:
        """What stands in their place for a kaput: 212 or as the option says, in tens always 21
        (BELOTE-32, R41)."""
        return 21 if self.rules.scale == "tens" else self.rules.kaput_total

    def in_scale(self, points: int) -> int:
        """Points for combinations, which leave no remainder in tens (BELOTE-R45, R46)."""
        return points // 10 if self.rules.scale == "tens" else points

    def count_up(self, tally: Tally) -> Mapping[str, tuple[int, ...]]:
        """The taker wins the round if they made it, else the opponent (BELOTE-R53)."""
        winner = tally.taker if self.has_made(tally) else 1 - tally.taker
        self.rounds_won = tuple(
            [rounds + (seat == winner) for seat, rounds in enumerate(self.rounds_won)]
        )
        return {"rounds_won": self.rounds_won}

    def match_winners(self) -> tuple[Seat, ...]:
        """At the limit the higher wins; equals play another hand (BELOTE-03, R50 to R52)."""
        if self.rules.match == "rounds":
            return self.first_beyond(self.rules.rounds, self.rounds_won)
        return self.first_beyond(self.rules.target, self.scores)

    def first_beyond(self, limit: int, counts: tuple[int, ...]) -> tuple[Seat, ...]:
        """Who has the most, if that reaches the limit and the other has less (BELOTE-R51)."""
        if max(counts) < limit or counts[0] == counts[1]:
            return ()
        return (counts.index(max(counts)),)

    @classmethod
    def deal_from_pack(cls, row: Sequence[Card]) -> Deal:
        """Deal a pack out in fours, seat 0 then 1: the covered cards, then the open ones
        (BELOTE-R08)."""
        fours = [tuple(row[place : place + 4]) for place in range(0, 32, 4)]
        first, second, third, fourth = (fours[place : place + 2] for place in range(0, 8, 2))
        return Deal(
            down=tuple([upper + lower for upper, lower in zip(first, second, strict=True)]),
            up=tuple([upper + lower for upper, lower in zip(third, fourth, strict=True)]),
        )

    # What is seen.

    def view(self, seat: Seat) -> View:
        """Both players see the open cards and the tricks, and neither sees a covered card, not
        even their own (BELOTE-R09)."""
        other = 1 - seat
        known = self.seen_by_all()
        if self.hands[other]:
            known[f"hand {other}"] = self.hands[other]
        hidden = {
            "down 0": self.covered[0],
            "down 1": self.covered[1],
            "stock": self.stock,
        }
        return View(
            self.hands[seat],
            known,
            {place: unseen.bit_count() for place, unseen in hidden.items() if unseen},
            {"stacks": [" ".join(self.stacks(owner)) for owner in (0, 1)]},
        )

    def stacks(self, seat: Seat) -> list[str]:
        """A seat's eight stacks as they are written: ``KD+``, ``KD``, ``+`` or ``-``."""
        return [
            self.stack(seat, up, down)
            for up, down in zip(self.dealt.up[seat], self.dealt.down[seat], strict=True)
        ]

    def stack(self, seat: Seat, up: Card, down: Card) -> str:
        """A stack: open on covered, open, covered only, or empty (BELOTE-R02)."""
        if up & self.hands[seat]:
            return f"{CODE_OF[up]}+"
        if down & self.hands[seat]:
            return CODE_OF[down]
        return "+" if down & self.covered[seat] else "-"

    def rows(self, seat: Seat) -> tuple[tuple[str, ...], ...]:
        """The two rows of four stacks as they lie."""
        stacks = tuple(self.stacks(seat))
        return stacks[:4], stacks[4:]

    def facts(self) -> list[str]:
        """Who deals, the contract, what was declared to this trick, and what has been credited."""
        facts = [f"seat {self.dealer} deals"] if self.to_act else []
        if self.verbs is PLAYING:
            facts.append(f"seat {self.taker} has chosen {SUIT_NAMES.get(self.trump, 'no trump')}")
        facts += [
            f"seat {seat} has declared {text(held)}"
            for seat, held, trick in self.declared
            if trick == self.trick_now()
        ]
        facts += [
            f"seat {seat} has {points} points for combinations"
            for seat, points in enumerate(self.credited_points())
            if points
        ]
        return facts
