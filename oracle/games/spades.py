"""Two-player Spades: build a hand from the pack, bid, and win what you bid; spades are trumps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from oracle.cards import CODE_OF, PACK_52, SPADES, SUIT_OF, Card, Cards, highest
from oracle.games.actions import (
    CHANCE,
    Action,
    Choice,
    Each,
    Notation,
    OneCard,
    Pick,
    Say,
    SomeCards,
    Words,
)
from oracle.games.refusals import Impossible, Refused
from oracle.games.shapes import (
    SCORE_LIMIT,
    SCORES,
    CardRow,
    Either,
    OneOf,
    Several,
    Whole,
    option,
    part,
)
from oracle.games.table import Line, Outcome, Parts, Seat, Table, View, chosen_from, face_down

DOUBLE_NIL = "double-nil"
#: A number of tricks, or DOUBLE_NIL.
Bid: TypeAlias = int | str
BIDS = range(14)
BID = Either(Whole(0, 13), OneOf((DOUBLE_NIL,)))


class Nil(NamedTuple):
    """What a bid of no trick wins or loses, and by which clauses."""

    points: int
    made: str
    failed: str


#: The bids that undertake not to win a trick (SPADES-16 to 19, 21, 22, R13).
NILS: Mapping[Bid, Nil] = {
    0: Nil(100, made="SPADES-17", failed="SPADES-18"),
    DOUBLE_NIL: Nil(200, made="SPADES-21", failed="SPADES-22"),
}

ANSWERING = {"double-nil": "bid_double_nil", "no-double-nil": "decline_double_nil"}
DRAFTING = {"keep": "keep", "reject": "refuse"}
EXCHANGING = {"exchange": "exchange"}
REPLACING = {"replace": "replace"}
BIDDING = {"bid": "bid"}
PLAYING = {"play": "play"}


@dataclass(frozen=True)
class Rules:
    """The options of two-player Spades."""

    target: int = option(
        Whole(1, SCORE_LIMIT), 500, "SPADES-38 SPADES-R29",
        "Whoever reaches this after a hand wins.",
    )  # fmt: skip
    failed_nil_tricks: str = option(
        OneOf(("nothing", "bags", "bags_and_points")), "nothing", "SPADES-R20",
        "What the tricks of a failed nil or double nil count as.",
    )  # fmt: skip
    bag_counter: str = option(
        OneOf(("carry", "reset")), "carry", "SPADES-R21",
        "What remains of the bag count after ten bags.",
    )  # fmt: skip
    double_nil: bool = option(
        OneOf((True, False)), True, "SPADES-19",
        "Whether there is double nil.",
    )  # fmt: skip
    double_nil_timing: str = option(
        OneOf(("own_first_draw", "before_any_draw")), "own_first_draw", "SPADES-R04",
        "When a player says whether to bid double nil.",
    )  # fmt: skip
    exchange_max: int = option(
        Whole(0, 3), 3, "SPADES-20 SPADES-R10",
        "How many cards may be exchanged after double nil; 0 for no exchange.",
    )  # fmt: skip
    see_rejected_second: bool = option(
        OneOf((False, True)), False, "SPADES-R02",
        "Whether a drawer who keeps the first card sees the second.",
        only_seen=True,
    )  # fmt: skip
    set_penalty: str = option(
        OneOf(("bid", "shortfall")), "bid", "SPADES-R19",
        "What ten points are lost for when a bid is missed: each trick bid, or each missing.",
    )  # fmt: skip


@dataclass(frozen=True)
class Start:
    """Where the match stands before the first deal."""

    first: Seat = part(Whole(0, 1), "The first player of the first hand, who draws first.", 0)
    scores: tuple[int, ...] = part(Several(2, SCORES), "The total of each seat.", (0, 0))
    bags: tuple[int, ...] = part(
        Several(2, Whole(0, 9)), "The bags of each seat towards its next penalty.", (0, 0)
    )


@dataclass(frozen=True)
class Deal:
    """The cards of one hand."""

    pack: tuple[Card, ...] = part(CardRow(52), "The pack as it lies, the top card first.")


@dataclass(frozen=True)
class Tally:
    """What a hand comes to: what each seat bid, and the tricks that it won."""

    bids: tuple[Bid, ...] = part(Several(2, BID), "What each seat bid.")
    tricks: tuple[int, ...] = part(
        Several(2, Whole(0, 13)), "The tricks that each seat won; 13 in all."
    )


class Spades(Table):
    """A match of two-player Spades."""

    name = "spades"
    title = "Two-player Spades"
    seats = 2
    sides = 2
    pack = PACK_52
    notation = Notation(
        2,
        {
            "double-nil": Words(),
            "no-double-nil": Words(),
            "keep": Words(),
            "reject": Words(),
            "exchange": SomeCards(0, 3),
            "bid": Words((None,)),
            "play": OneCard(),
        },
        chance={"replace": SomeCards(0, 3)},
    )
    parts = Parts(Rules, Start, Deal, Tally)
    contract = {"bids": Several(2, BID)}
    counts = {"bags": Several(2, Whole(0, 9))}
    rules: Rules
    start: Start

    def __init__(self, rules: Rules, start: Start, deals: Sequence[Deal] = ()) -> None:
        """The bags go with the scores from hand to hand (SPADES-R23)."""
        self.bags = tuple(start.bags)
        self.clear_table()
        super().__init__(rules, start, deals)

    def clear_table(self) -> None:
        """The state of a hand before anything is done in it."""
        self.first: Seat = 0
        self.stock: tuple[Card, ...] = ()
        self.discards: Cards = 0
        self.hands: list[Cards] = [0, 0]
        #: The faces that each seat saw go to the discards.
        self.refused: list[Cards] = [0, 0]
        #: The cards that each seat threw out in its exchange.
        self.thrown: list[Cards] = [0, 0]
        self.bids: list[Bid | None] = [None, None]
        self.answered = [False, False]
        self.exchanged = [False, False]

    def deal(self, deal: Deal) -> None:
        """Lay the pack face down as the stock; nobody is dealt a card (SPADES-04)."""
        self.clear_table()
        self.first = self.first_player()
        self.stock = deal.pack
        self.go_on()

    def first_player(self) -> Seat:
        """The roles change from hand to hand (SPADES-37, R01)."""
        return (self.start.first + self.hands_played) % 2

    @property
    def second(self) -> Seat:
        """The second player of this hand."""
        return 1 - self.first

    # What is due next.

    def go_on(self) -> Outcome | None:
        """Ask for the next thing that is still due before the play, else for the first lead."""
        for verbs, who_is_due in (
            (ANSWERING, self.due_to_answer),
            (DRAFTING, self.due_to_draw),
            (REPLACING, self.due_to_replace),
            (EXCHANGING, self.due_to_exchange),
            (BIDDING, self.due_to_bid),
        ):
            if due := who_is_due():
                self.verbs = verbs
                self.to_act = (due[0],)
                return None
        return self.open_first_trick()

    def due_to_answer(self) -> list[Seat]:
        """Who has to say now whether to bid double nil (SPADES-19, R04); anyone may bid it (R05)."""
        if not self.rules.double_nil:
            return []
        return [seat for seat in self.asked_by_now() if not self.answered[seat]]

    def asked_by_now(self) -> list[Seat]:
        """Each is asked right before their own first draw, by option before any draw (R04)."""
        if self.rules.double_nil_timing == "before_any_draw":
            return [self.first, self.second]
        return self.due_to_draw()

    def due_to_draw(self) -> list[Seat]:
        """First and second player take turns, two cards a turn, to the end of the stock
        (SPADES-05, 08, 09)."""
        turns_left = len(self.stock) // 2
        if not turns_left:
            return []
        return [self.first] if turns_left % 2 == 0 else [self.second]

    def due_to_replace(self) -> list[Seat]:
        """Chance, while a drafted hand lacks the cards that were thrown out of it (SPADES-20)."""
        return [CHANCE for hand in self.hands if hand.bit_count() < 13]

    def due_to_exchange(self) -> list[Seat]:
        """Whoever bid double nil, after the last draw and before the bidding (SPADES-20, R06)."""
        if self.rules.exchange_max == 0:
            return []
        return [
            seat
            for seat in self.second_before_first()
            if self.bids[seat] == DOUBLE_NIL and not self.exchanged[seat]
        ]

    def due_to_bid(self) -> list[Seat]:
        """Each bids once, the second player first (SPADES-11, 15); double nil is a bid (R11)."""
        return [seat for seat in self.second_before_first() if self.bids[seat] is None]

    def second_before_first(self) -> tuple[Seat, Seat]:
        """The order of the exchanges and of the bidding (SPADES-11, R09)."""
        return self.second, self.first

    def open_first_trick(self) -> Outcome:
        """The bids stand, and the second player leads first (SPADES-23)."""
        self.open_play(self.second, PLAYING)
        outcome = Outcome()
        outcome.contract = {"bids": list(self.bids)}
        return outcome

    def choices(self, seat: Seat) -> list[Choice]:
        """What may be said, drafted, thrown out, drawn by chance, bid or played."""
        if self.verbs is PLAYING:
            return [Each("play", self.legal_cards(seat))]
        if self.verbs is BIDDING:
            return [Say("bid", BIDS)]
        if self.verbs is EXCHANGING:
            return [Pick("exchange", 0, self.rules.exchange_max, self.hands[seat])]
        if self.verbs is REPLACING:
            lacking = self.lacking(self.exchanger())
            return [Pick("replace", lacking, lacking, self.discards)]
        return [Say(verb) for verb in self.verbs]

    # Double nil and the draft.

    def bid_double_nil(self, seat: Seat, _: Any) -> Outcome | None:
        """Undertake to win no trick, having seen no card (SPADES-19)."""
        self.bids[seat] = DOUBLE_NIL
        self.answered[seat] = True
        return self.go_on()

    def decline_double_nil(self, seat: Seat, _: Any) -> Outcome | None:
        """Leave the bid for later; nobody is asked twice (SPADES-19)."""
        self.answered[seat] = True
        return self.go_on()

    def keep(self, seat: Seat, _: Any) -> Outcome | None:
        """Keep the first card; the next goes face down to the discards (SPADES-06, R02)."""
        kept, discarded = self.stock[:2]
        if self.rules.see_rejected_second:
            self.refused[seat] |= discarded
        return self.draw(seat, kept, discarded)

    def refuse(self, seat: Seat, _: Any) -> Outcome | None:
        """Refuse the first card, remember it, and take the next one unseen (SPADES-07, R03)."""
        discarded, kept = self.stock[:2]
        self.refused[seat] |= discarded
        return self.draw(seat, kept, discarded)

    def draw(self, seat: Seat, kept: Card, discarded: Card) -> Outcome | None:
        """One of the two top cards goes into the hand, the other to the discards (SPADES-09)."""
        self.stock = self.stock[2:]
        self.hands[seat] |= kept
        self.discards |= discarded
        return self.go_on()

    # The exchange.

    def exchange(self, seat: Seat, row: tuple[Card, ...]) -> Outcome | None:
        """Throw out up to three cards, all at once (SPADES-20, R10)."""
        thrown = chosen_from(self.hands[seat], row)
        if len(row) > self.rules.exchange_max:
            raise Refused("SPADES-20")
        self.hands[seat] ^= thrown
        self.thrown[seat] = thrown
        self.exchanged[seat] = True
        return self.go_on()

    def replace(self, _: Seat, row: tuple[Card, ...]) -> Outcome | None:
        """As many cards come in out of the discards, where none that was thrown out lies
        (SPADES-20, R08, R09)."""
        received = chosen_from(self.discards, row)
        seat = self.exchanger()
        if len(row) != self.lacking(seat):
            raise Refused("SPADES-20")
        self.discards ^= received
        self.hands[seat] |= received
        return self.go_on()

    def exchanger(self) -> Seat:
        """The seat that has thrown cards out and has not received the new ones."""
        return next(seat for seat in range(2) if self.lacking(seat))

    def lacking(self, seat: Seat) -> int:
        """How many cards a drafted hand is short of thirteen (SPADES-09)."""
        return 13 - self.hands[seat].bit_count()

    # The bidding.

    def bid(self, seat: Seat, number: int) -> Outcome | None:
        """Any number from 0 to 13, whatever the other has bid (SPADES-13, 14, R12)."""
        if number not in BIDS:
            raise Refused("SPADES-13")
        self.bids[seat] = number
        return self.go_on()

    # The play.

    def legal_cards(self, seat: Seat) -> Cards:
        """Follow suit if you can, else play any card (SPADES-26, R16)."""
        hand = self.hands[seat]
        if not self.trick:
            return self.legal_leads(hand)
        return hand & SUIT_OF[self.trick[0]] or hand

    def legal_leads(self, hand: Cards) -> Cards:
        """No spade before spades are broken, so none to the first trick, except from nothing but
        spades (SPADES-24, 25, R14)."""
        return hand if self.spades_broken() else hand & ~SPADES or hand

    def spades_broken(self) -> bool:
        """Whether a spade lies in a trick: only a discard or a lead from nothing but spades can
        have been the hand's first (SPADES-29, 30, R17)."""
        return bool((sum(self.won) | sum(self.trick)) & SPADES)

    def why_not(self, seat: Seat, card: Card) -> str:
        """The rule that bars a held card."""
        if self.trick:
            return "SPADES-26"
        return "SPADES-25" if any(self.tricks) else "SPADES-24"

    def winning_card(self) -> Card:
        """The highest spade, else the highest card of the suit led (SPADES-27)."""
        trick = sum(self.trick)
        return highest(trick & SPADES or trick & SUIT_OF[self.trick[0]])

    # The score.

    def tally(self) -> Tally:
        """The bids and the tricks that were won."""
        return Tally(
            bids=tuple([bid for bid in self.bids if bid is not None]), tricks=tuple(self.tricks)
        )

    @classmethod
    def check_tally(cls, rules: Rules, tally: Tally) -> None:
        """There are thirteen tricks, and double nil only where the rules have it (SPADES-19)."""
        if sum(tally.tricks) != 13:
            raise Impossible("tricks", f"expected 13 tricks in all, found {sum(tally.tricks)}")
        if DOUBLE_NIL in tally.bids and not rules.double_nil:
            raise Impossible("bids", "expected no double nil, which the rules switch off")

    def breakdown(self, tally: Tally) -> list[Line]:
        """Each seat's bid, and what its bags cost (SPADES-31 to 36)."""
        lines: list[Line] = []
        for seat, (bid, tricks) in enumerate(zip(tally.bids, tally.tricks, strict=True)):
            lines += self.score_bid(seat, bid, tricks)
            lines += self.score_bags(seat, self.bags[seat] + self.bags_won(bid, tricks))
        return lines

    def score_bid(self, seat: Seat, bid: Bid, tricks: int) -> list[Line]:
        """Nil and double nil score by clauses of their own (SPADES-34, R13)."""
        if bid in NILS:
            return self.score_nil(seat, NILS[bid], tricks)
        return self.score_tricks(seat, int(bid), tricks)

    def score_nil(self, seat: Seat, nil: Nil, tricks: int) -> list[Line]:
        """The points are won without a trick, else lost (SPADES-17, 18, 21, 22); by option the
        tricks of a failed one score a point each (R20)."""
        if not tricks:
            return [Line(seat, nil.made, nil.points)]
        failed = Line(seat, nil.failed, -nil.points)
        if self.rules.failed_nil_tricks == "bags_and_points":
            return [failed, Line(seat, "SPADES-R20", tricks)]
        return [failed]

    def score_tricks(self, seat: Seat, bid: int, tricks: int) -> list[Line]:
        """Bid met: ten for each trick bid, one for each trick beyond (SPADES-31, 32, R18)."""
        if tricks < bid:
            return [Line(seat, "SPADES-33", -10 * self.tricks_lost(bid, tricks))]
        met = Line(seat, "SPADES-31", 10 * bid)
        return [met, Line(seat, "SPADES-32", tricks - bid)] if tricks > bid else [met]

    def tricks_lost(self, bid: int, tricks: int) -> int:
        """A missed bid costs all tricks bid, by option only those missing (SPADES-33, R19)."""
        return bid - tricks if self.rules.set_penalty == "shortfall" else bid

    def bags_won(self, bid: Bid, tricks: int) -> int:
        """The tricks beyond a bid that is met (SPADES-32, 35); none with a missed bid (R24), and
        with a failed nil only by option (R20)."""
        if bid in NILS:
            return 0 if self.rules.failed_nil_tricks == "nothing" else tricks
        return max(tricks - int(bid), 0)

    def score_bags(self, seat: Seat, bags: int) -> list[Line]:
        """Every ten bags cost 100, and keep their points (SPADES-36, R22)."""
        penalties = self.bag_penalties(bags)
        return [Line(seat, "SPADES-36", -100 * penalties)] if penalties else []

    def bag_penalties(self, bags: int) -> int:
        """How many penalties a count of bags brings: one for each ten, by option one at most
        (SPADES-36, R21)."""
        return min(bags // 10, 1) if self.rules.bag_counter == "reset" else bags // 10

    def bags_left(self, bags: int) -> int:
        """What remains of a count of bags after its penalties: the rest, by option 0 (R21)."""
        if bags >= 10 and self.rules.bag_counter == "reset":
            return 0
        return bags % 10

    def count_up(self, tally: Tally) -> Mapping[str, tuple[int, ...]]:
        """The bags of the hand are added to the count of each seat (SPADES-R21, R23)."""
        self.bags = tuple(
            [
                self.bags_left(bags + self.bags_won(bid, tricks))
                for bags, bid, tricks in zip(self.bags, tally.bids, tally.tricks, strict=True)
            ]
        )
        return {"bags": self.bags}

    def match_winners(self) -> tuple[Seat, ...]:
        """The higher of those who have reached the target (SPADES-38, 39, R25, R29); equal scores
        want a further hand (SPADES-40, R28)."""
        if max(self.scores) < self.rules.target or self.scores[0] == self.scores[1]:
            return ()
        return (self.scores.index(max(self.scores)),)

    @classmethod
    def deal_from_pack(cls, row: Sequence[Card]) -> Deal:
        """The pack as it lies (SPADES-04)."""
        return Deal(pack=tuple(row))

    # What is seen.

    def view(self, seat: Seat) -> View:
        """The own hand, the card being decided on, the trick and the piles, and what this seat
        remembers of the draft and the exchange (SPADES-28, R03, R10)."""
        other = 1 - seat
        drawn = self.drawn()
        deciding = seat in self.to_act
        known = self.seen_by_all()
        own = {
            "drawn": drawn if deciding else 0,
            "rejected": self.remembered(seat),
            f"thrown {seat}": self.thrown[seat],
        }
        hidden = {
            "stock": len(self.stock) - drawn.bit_count(),
            "drawn": 0 if deciding else drawn.bit_count(),
            "discards": self.discards.bit_count(),
            f"hand {other}": self.hands[other].bit_count(),
            f"thrown {other}": self.thrown[other].bit_count(),
        }
        known.update({place: cards for place, cards in own.items() if cards})
        return View(
            self.hands[seat], known, {place: count for place, count in hidden.items() if count}
        )

    def drawn(self) -> Cards:
        """The card that is being decided on; none is drawn before double nil is settled (R04)."""
        return self.stock[0] if self.verbs is DRAFTING else 0

    def remembered(self, seat: Seat) -> Cards:
        """The refused faces that this seat hasn't seen elsewhere since (R03): they may have come
        back to it in its exchange, or lie in a trick."""
        return self.refused[seat] & ~(self.hands[seat] | sum(self.trick) | sum(self.won))

    def seen(self, seat: Seat, action: Action) -> Action | None:
        """Of an exchange the other seat sees only how many cards go and come (R10)."""
        exchanging = self.verbs is EXCHANGING and action.seat != seat
        receiving = self.verbs is REPLACING and self.exchanger() != seat
        return face_down(action) if exchanging or receiving else action

    def facts(self) -> list[str]:
        """Who drew first, the card being decided on, the bids, and whether spades are broken."""
        facts = [f"seat {self.first} is the first player"]
        if drawn := self.drawn():
            facts.append(f"seat {self.to_act[0]} has drawn {CODE_OF[drawn]}")
        facts += [
            f"seat {seat} bid {str(bid).replace('-', ' ')} and has won {self.tricks[seat]}"
            for seat, bid in enumerate(self.bids)
            if bid is not None
        ]
        if self.verbs is PLAYING:
            facts.append("spades are broken" if self.spades_broken() else "spades are not broken")
        return facts
