"""Bid Whist, for two teams of two: bid for tricks, name the trump or the ranking, and win them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from oracle.cards import (
    BLACK_JOKER,
    JOKERS,
    PACK_54,
    RED_JOKER,
    SUIT_CARDS,
    SUIT_NAMES,
    SUIT_OF,
    SUITS,
    Card,
    Cards,
    each,
    of_rank,
    text,
    union,
)
from oracle.games.actions import (
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
from oracle.games.shapes import SCORES, CardSet, OneOf, Several, Whole, option, part
from oracle.games.table import (
    Line,
    Outcome,
    Parts,
    Seat,
    Side,
    Table,
    View,
    chosen_from,
    face_down,
)

UPTOWN = "uptown"
DOWNTOWN = "downtown"
NO_TRUMP = "nt"
#: The three manners, from the easiest to the hardest (WHIST-14, 17).
MANNERS = (UPTOWN, DOWNTOWN, NO_TRUMP)
#: The rankings of the suits, from the ace down (WHIST-15, 16, R22).
RANKINGS = {UPTOWN: "AKQJT98765432", DOWNTOWN: "A23456789TJQK"}
#: What stands for the trump suit at no trump.
NO_SUIT = "none"
#: The trumps by trump suit: both jokers belong to them (WHIST-R14), and none at no trump (24).
TRUMPS = {suit: cards | JOKERS for suit, cards in SUIT_CARDS.items()} | {NO_SUIT: 0}

#: How high a card stands in either ranking (WHIST-15, 16).
HEIGHTS: Mapping[str, Mapping[Card, int]] = {
    ranking: {
        card: height for height, rank in enumerate(reversed(ranks)) for card in each(of_rank(rank))
    }
    | {BLACK_JOKER: 13, RED_JOKER: 14}
    for ranking, ranks in RANKINGS.items()
}

#: The tricks beyond which a level counts (WHIST-08, 12).
BOOK = 6


class Bid(NamedTuple):
    """A level, tricks beyond six, and a manner; no suit (WHIST-12, R11)."""

    level: int
    manner: str


#: The 21 bids from low to high (WHIST-R06, R07).
BIDS = tuple(Bid(level, manner) for level in range(1, 8) for manner in MANNERS)
#: Stands for the highest bid while there is none: any bid raises it.
NO_BID = Bid(0, NO_TRUMP)

BIDDING = {"bid": "bid", "pass": "pass_by"}
NAMING_TRUMP = {"trump": "name_trump"}
NAMING_RANKING = {"direction": "name_ranking"}
DISCARDING = {"discard": "put_away"}
PLAYING = {"play": "play"}


@dataclass(frozen=True)
class Rules:
    """The options of Bid Whist."""

    target: int = option(
        OneOf((7, 5, 9)), 7, "WHIST-R29",
        "The match ends when a team stands at this or more, or as far below zero.",
    )  # fmt: skip
    min_bid: int = option(
        Whole(1, 7), 1, "WHIST-R05",
        "The lowest level that may be bid.",
    )  # fmt: skip
    downtown_outranks_uptown: bool = option(
        OneOf((True, False)), True, "WHIST-R07",
        "Whether downtown raises uptown at the same level; else neither raises the other.",
    )  # fmt: skip
    kitty: str = option(
        OneOf(("set_aside", "exchange")), "set_aside", "WHIST-R02",
        "Whether the declarer takes the kitty into hand and puts six cards away instead.",
    )  # fmt: skip
    first_lead: str = option(
        OneOf(("left_of_dealer", "declarer")), "left_of_dealer", "WHIST-R13",
        "Who leads to the first trick.",
    )  # fmt: skip
    no_trump_joker: str = option(
        OneOf(("when_void", "any_time")), "when_void", "WHIST-R17",
        "When a follower may play a joker at no trump.",
    )  # fmt: skip
    no_trump_multiplier: int = option(
        OneOf((1, 2)), 1, "WHIST-R25",
        "What the score of a hand at no trump is multiplied by, met or missed.",
    )  # fmt: skip
    made_bid_scores: str = option(
        OneOf(("all_over_six", "bid_only")), "all_over_six", "WHIST-R24",
        "Whether a met bid scores all tricks beyond six, or only those bid.",
    )  # fmt: skip


@dataclass(frozen=True)
class Start:
    """Where the match stands before the first deal."""

    dealer: Seat = part(Whole(0, 3), "The dealer of the first hand.", 0)
    scores: tuple[int, ...] = part(Several(2, SCORES), "The total of each team.", (0, 0))


@dataclass(frozen=True)
class Deal:
    """The cards of one hand."""

    hands: tuple[Cards, ...] = part(Several(4, CardSet(12)), "What each seat is dealt.")
    kitty: Cards = part(CardSet(6), "The six cards that are left.")


@dataclass(frozen=True)
class Tally:
    """What a hand comes to: who declared what, and the tricks that each team won in play."""

    declarer: Seat = part(Whole(0, 3), "The seat that won the bidding.")
    level: int = part(Whole(1, 7), "The level of its bid.")
    mode: str = part(OneOf(MANNERS), "The manner of its bid.")
    tricks: tuple[int, ...] = part(
        Several(2, Whole(0, 12)), "The tricks that each team won in play; 12 in all."
    )


class BidWhist(Table):
    """A match of Bid Whist."""

    name = "bid-whist"
    title = "Bid Whist"
    seats = 4
    side_name = "team"
    sides = 2
    pack = PACK_54
    notation = Notation(
        4,
        {
            "bid": Words((None, MANNERS)),
            "pass": Words(),
            "trump": Words((tuple(SUITS),)),
            "direction": Words((tuple(RANKINGS),)),
            "discard": SomeCards(6, 6),
            "play": OneCard(),
        },
    )
    parts = Parts(Rules, Start, Deal, Tally)
    contract = {
        "declarer": Whole(0, 3),
        "level": Whole(1, 7),
        "mode": OneOf(MANNERS),
        "trump": OneOf(tuple(TRUMPS)),
        "direction": OneOf(tuple(RANKINGS)),
    }
    rules: Rules
    start: Start
    profiles: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "popular": {
            "min_bid": 3,
            "kitty": "exchange",
            "first_lead": "declarer",
            "no_trump_multiplier": 2,
        }
    }

    def __init__(self, rules: Rules, start: Start, deals: Sequence[Deal] = ()) -> None:
        """The table before the first deal holds no card."""
        self.clear_table()
        super().__init__(rules, start, deals)

    def clear_table(self) -> None:
        """The state of a hand before a card is dealt and anything is said."""
        self.dealer: Seat = 0
        self.kitty: Cards = 0
        self.highest = NO_BID
        self.declarer: Seat = 0
        self.trump = NO_SUIT
        self.ranking = UPTOWN

    def deal(self, deal: Deal) -> None:
        """Deal twelve cards each, the last six being the kitty; the dealer's left speaks first
        (WHIST-10, 11)."""
        self.clear_table()
        self.hands = list(deal.hands)
        self.kitty = deal.kitty
        self.dealer = self.dealer_of_hand()
        self.verbs = BIDDING
        self.to_act = self.turn_after[self.dealer]

    def dealer_of_hand(self) -> Seat:
        """After every hand the deal passes to the left (WHIST-R30)."""
        return (self.start.dealer + self.hands_played) % 4

    def side_of(self, seat: Seat) -> Side:
        """Partners sit opposite: 0 and 2 are team 0, 1 and 3 team 1 (WHIST-06, R32)."""
        return seat % 2

    def choices(self, seat: Seat) -> list[Choice]:
        """What may be bid, named, put away or played."""
        if self.verbs is PLAYING:
            return [Each("play", self.legal_cards(seat))]
        if self.verbs is BIDDING:
            bids = Say("bid", [bid for bid in BIDS if not self.why_no_bid(bid)])
            return [bids] if self.must_bid(seat) else [bids, Say("pass")]
        if self.verbs is NAMING_TRUMP:
            return [Say("trump", tuple(SUITS))]
        if self.verbs is NAMING_RANKING:
            return [Say("direction", tuple(RANKINGS))]
        return [Pick("discard", 6, 6, self.hands[seat])]

    # The bidding.

    def bid(self, seat: Seat, what: tuple[int, str]) -> None:
        """Undertake so many tricks beyond six in this manner (WHIST-12); whoever holds the highest
        bid so far, partner or not, is raised (WHIST-13, R33)."""
        bid = Bid(*what)
        if clause := self.why_no_bid(bid):
            raise Refused(clause)
        self.highest = bid
        self.declarer = seat
        self.next_to_speak(seat)

    def why_no_bid(self, bid: Bid) -> str | None:
        """The rule that bars a bid: the range (WHIST-R05, R06), then the order (WHIST-13)."""
        if bid.level < self.rules.min_bid:
            return "WHIST-R05"
        if bid.level > 7:
            return "WHIST-R06"
        return None if self.raises(bid) else "WHIST-13"

    def raises(self, bid: Bid) -> bool:
        """A higher level, or the same level in a harder manner (WHIST-13); to equal the highest
        bid is not enough (R09)."""
        return (bid.level, self.difficulty(bid.manner)) > (
            self.highest.level,
            self.difficulty(self.highest.manner),
        )

    def difficulty(self, manner: str) -> int:
        """No trump is hardest, then downtown, then uptown (WHIST-17); by option downtown and
        uptown are equal (R07)."""
        if manner == DOWNTOWN and not self.rules.downtown_outranks_uptown:
            manner = UPTOWN
        return MANNERS.index(manner)

    def pass_by(self, seat: Seat, _: Any) -> None:
        """Anyone may pass but the dealer after three passes (WHIST-18, R08)."""
        if self.must_bid(seat):
            raise Refused("WHIST-18")
        self.next_to_speak(seat)

    def must_bid(self, seat: Seat) -> bool:
        """The dealer must bid if nobody has, and may choose any bid (WHIST-18, R10)."""
        return seat == self.dealer and self.highest == NO_BID

    def next_to_speak(self, seat: Seat) -> None:
        """Each speaks once, clockwise, the dealer last (WHIST-11, R08)."""
        if seat == self.dealer:
            self.ask_second_choice()
        else:
            self.to_act = self.turn_after[seat]

    # The second choice, and the kitty.

    def ask_second_choice(self) -> None:
        """The declarer names the ranking after a bid of no trump, else the trump suit, before the
        kitty is seen (WHIST-20, R12)."""
        self.verbs = NAMING_RANKING if self.highest.manner == NO_TRUMP else NAMING_TRUMP
        self.to_act = (self.declarer,)

    def name_trump(self, _: Seat, suit: str) -> Outcome:
        """Any of the four suits; the bid has said how the cards rank (WHIST-20)."""
        return self.settle(suit, self.highest.manner)

    def name_ranking(self, _: Seat, ranking: str) -> Outcome:
        """Uptown or downtown, without a trump suit (WHIST-20, R23)."""
        return self.settle(NO_SUIT, ranking)

    def settle(self, trump: str, ranking: str) -> Outcome:
        """The contract stands, and everyone hears it (WHIST-R12); the first lead follows, or by
        option the exchange (R02)."""
        self.trump = trump
        self.ranking = ranking
        if self.rules.kitty == "exchange":
            self.take_up_kitty()
        else:
            self.open_first_trick()
        outcome = Outcome()
        outcome.contract = {
            "declarer": self.declarer,
            "level": self.highest.level,
            "mode": self.highest.manner,
            "trump": trump,
            "direction": ranking,
        }
        return outcome

    def take_up_kitty(self) -> None:
        """The declarer takes the six cards into hand, and has to put six away (WHIST-R02)."""
        self.hands[self.declarer] |= self.kitty
        self.kitty = 0
        self.verbs = DISCARDING

    def put_away(self, seat: Seat, row: tuple[Card, ...]) -> None:
        """Any six different cards are the kitty from now on (WHIST-R02)."""
        six = chosen_from(self.hands[seat], row)
        self.hands[seat] ^= six
        self.kitty = six
        self.open_first_trick()

    # The play.

    def open_first_trick(self) -> None:
        """The first lead is due."""
        self.open_play(self.first_leader(), PLAYING)

    def first_leader(self) -> Seat:
        """The player at the dealer's left, by option the declarer (WHIST-21, R13)."""
        if self.rules.first_lead == "declarer":
            return self.declarer
        return (self.dealer + 1) % 4

    def trumps(self) -> Cards:
        """The trump suit with both jokers; none at no trump (WHIST-R14, 24)."""
        return TRUMPS[self.trump]

    def suit_of(self, card: Card) -> Cards:
        """The suit to which a card belongs; a joker belongs to the trumps (WHIST-R14), and at no
        trump to no suit (WHIST-24)."""
        if card & self.trumps():
            return self.trumps()
        return SUIT_OF.get(card, 0)

    def suit_led(self) -> Cards:
        """The suit to be followed: that of the first card which belongs to one. Only at no trump
        is that another card than the one led, after a joker (WHIST-25, R16, R19)."""
        for card in self.trick:
            if suit := self.suit_of(card):
                return suit
        return 0

    def legal_cards(self, seat: Seat) -> Cards:
        """Follow suit if you can, else play any card (WHIST-22, R15, R21)."""
        hand = self.hands[seat]
        if not self.trick:
            return self.legal_leads(hand)
        following = hand & self.suit_led()
        return following | hand & self.free_jokers() if following else hand

    def legal_leads(self, hand: Cards) -> Cards:
        """Any card may be led, a joker too (WHIST-R20)."""
        return hand

    def free_jokers(self) -> Cards:
        """The jokers that may be played instead of following: none, by option both at no trump
        (WHIST-R17, R21)."""
        if self.trump == NO_SUIT and self.rules.no_trump_joker == "any_time":
            return JOKERS
        return 0

    def why_not(self, seat: Seat, card: Card) -> str:
        """Only the duty to follow bars a held card (WHIST-22)."""
        return "WHIST-22"

    def winning_card(self) -> Card:
        """The highest trump, else the highest card of the suit led (WHIST-23); so a joker never
        wins at no trump (R18)."""
        trumps = [card for card in self.trick if card & self.trumps()]
        suit = self.suit_led()
        return max(trumps or [card for card in self.trick if card & suit], key=self.height)

    def height(self, card: Card) -> int:
        """How high a card stands in the ranking of the contract (WHIST-15, 16, R23)."""
        return HEIGHTS[self.ranking][card]

    # The score.

    def tally(self) -> Tally:
        """The bid, and the tricks that were won in play."""
        return Tally(
            declarer=self.declarer,
            level=self.highest.level,
            mode=self.highest.manner,
            tricks=tuple(self.tricks),
        )

    @classmethod
    def check_tally(cls, rules: Rules, tally: Tally) -> None:
        """There are twelve tricks in play (WHIST-26), and no bid below the lowest (R05)."""
        if sum(tally.tricks) != 12:
            raise Impossible("tricks", f"expected 12 tricks in all, found {sum(tally.tricks)}")
        if tally.level < rules.min_bid:
            raise Impossible(
                "level", f"expected at least {rules.min_bid}, the lowest bid, found {tally.level}"
            )

    def breakdown(self, tally: Tally) -> list[Line]:
        """Only the declaring team scores (WHIST-27, R27), at no trump by option twice, last of
        all (R25)."""
        points = self.points(tally)
        if tally.mode == NO_TRUMP:
            points *= self.rules.no_trump_multiplier
        return [Line(self.side_of(tally.declarer), "WHIST-27", points)]

    def points(self, tally: Tally) -> int:
        """A bid that is met scores; one that is missed costs its level, however many tricks are
        missing (WHIST-08, 27, R26)."""
        tricks = self.tricks_counted(tally)
        if tricks < BOOK + tally.level:
            return -tally.level
        return self.points_for_met_bid(tally.level, tricks)

    def tricks_counted(self, tally: Tally) -> int:
        """What the declaring team won in play, and the kitty as one trick (WHIST-19, R03)."""
        return tally.tricks[self.side_of(tally.declarer)] + 1

    def points_for_met_bid(self, level: int, tricks: int) -> int:
        """One for each trick beyond six, by option for each trick bid (WHIST-08, R24)."""
        return level if self.rules.made_bid_scores == "bid_only" else tricks - BOOK

    def match_winners(self) -> tuple[Side, ...]:
        """When a team stands at the target or as far below zero, the higher total wins
        (WHIST-09, 28, R28)."""
        if all(abs(score) < self.rules.target for score in self.scores):
            return ()
        return tuple([team for team in range(2) if self.scores[team] == max(self.scores)])

    @classmethod
    def deal_from_pack(cls, row: Sequence[Card]) -> Deal:
        """Deal one card at a time from seat 0, twelve rounds; the last six are the kitty
        (WHIST-R31)."""
        return Deal(
            hands=tuple([union(row[seat:48:4]) for seat in range(4)]), kitty=union(row[48:])
        )

    # What is seen.

    def view(self, seat: Seat) -> View:
        """The own hand, the trick and the piles; the kitty only if this seat put it away
        (WHIST-R04)."""
        known = self.seen_by_all()
        unknown = {
            f"hand {other}": self.hands[other].bit_count()
            for other in range(4)
            if other != seat and self.hands[other]
        }
        if self.kitty and self.knows_kitty(seat):
            known["kitty"] = self.kitty
        elif self.kitty:
            unknown["kitty"] = self.kitty.bit_count()
        return View(self.hands[seat], known, unknown)

    def knows_kitty(self, seat: Seat) -> bool:
        """Only the declarer does, after the exchange (WHIST-R04)."""
        return self.rules.kitty == "exchange" and self.verbs is PLAYING and seat == self.declarer

    def seen(self, seat: Seat, action: Action) -> Action | None:
        """Nobody sees what another puts away (WHIST-R02, R04)."""
        hidden = self.verbs is DISCARDING and action.seat != seat
        return face_down(action) if hidden else action

    def facts(self) -> list[str]:
        """Who deals, what has been bid or is being played, how far it has got, and the kitty."""
        level, manner = self.highest
        facts = [f"seat {self.dealer} deals"]
        if self.highest != NO_BID:
            manner = "no trump" if manner == NO_TRUMP else manner
            facts.append(f"seat {self.declarer} has bid {level} {manner}")
        if self.verbs in (DISCARDING, PLAYING):
            facts.append(
                f"the cards rank {self.ranking}"
                if self.trump == NO_SUIT
                else f"{SUIT_NAMES[self.trump]} and jokers are trumps"
            )
            won = self.tricks[self.side_of(self.declarer)] + 1
            facts.append(f"the declaring team has {won}, needs {BOOK + level}, with the kitty")
        if self.kitty:
            facts.append(f"the kitty is {text(self.kitty)}")
        return facts
