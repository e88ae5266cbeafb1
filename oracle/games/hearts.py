"""Hearts, for four: no trump; take as few hearts as you can, and not the queen of spades."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from oracle.cards import CARD_OF, CLUBS, HEARTS, PACK_52, SUIT_OF, Card, Cards, highest, union
from oracle.games.actions import Action, Choice, Each, Notation, OneCard, Pick, SomeCards
from oracle.games.refusals import CARD, Impossible, Refused
from oracle.games.shapes import (
    SCORE_LIMIT,
    SCORES,
    CardSet,
    OneOf,
    Several,
    Whole,
    option,
    part,
)
from oracle.games.table import Line, Outcome, Parts, Seat, Table, View

TWO_OF_CLUBS = CARD_OF["2C"]
QUEEN_OF_SPADES = CARD_OF["QS"]
PENALTY_CARDS = HEARTS | QUEEN_OF_SPADES

#: How far clockwise the three cards go (HEARTS-04).
DIRECTIONS = {"left": 1, "right": 3, "across": 2, "none": 0}

PASSING = {"pass": "pass_cards"}
PLAYING = {"play": "play"}


@dataclass(frozen=True)
class Rules:
    """The options of Hearts."""

    target: int = option(
        Whole(1, SCORE_LIMIT), 100, "HEARTS-R14 HEARTS-17",
        "The match ends after a hand in which somebody's total has reached this.",
    )  # fmt: skip
    pass_cycle: tuple[str, ...] = option(
        Several(None, OneOf(tuple(DIRECTIONS))), ("left", "right", "across", "none"),
        "HEARTS-R03 HEARTS-04",
        "Where the three cards go, hand by hand, over and over.",
    )  # fmt: skip
    opening_lead: str = option(
        OneOf(("two_of_clubs", "any_club")), "two_of_clubs", "HEARTS-R01",
        "What the holder of the two of clubs leads to the first trick.",
    )  # fmt: skip
    points_on_first_trick: bool = option(
        OneOf((False, True)), False, "HEARTS-R06 HEARTS-10",
        "Whether penalty cards may be thrown on the first trick.",
    )  # fmt: skip
    first_trick_only_penalty_cards: str = option(
        OneOf(("any", "queen")), "any", "HEARTS-R05",
        "What a hand of nothing but penalty cards may throw on the first trick.",
    )  # fmt: skip
    queen_breaks_hearts: bool = option(
        OneOf((False, True)), False, "HEARTS-R07",
        "Whether playing the queen of spades breaks hearts too.",
    )  # fmt: skip
    lead_from_hearts_and_queen: str = option(
        OneOf(("queen", "any")), "queen", "HEARTS-R10",
        "What may be led, hearts unbroken, from hearts and the queen of spades alone.",
    )  # fmt: skip
    tie_for_lowest: str = option(
        OneOf(("extra_hand", "shared")), "extra_hand", "HEARTS-R15 HEARTS-18",
        "What happens when the lowest total is shared at the end.",
    )  # fmt: skip


@dataclass(frozen=True)
class Start:
    """Where the match stands before the first deal."""

    hand: int = part(Whole(0), "How many hands came before; gives the pass direction.", 0)
    scores: tuple[int, ...] = part(Several(4, SCORES), "The total of each seat.", (0, 0, 0, 0))


@dataclass(frozen=True)
class Deal:
    """The cards of one hand."""

    hands: tuple[Cards, ...] = part(Several(4, CardSet(13)), "What each seat is dealt.")


@dataclass(frozen=True)
class Tally:
    """What a hand comes to: the hearts that each seat took, and who took the queen."""

    hearts: tuple[int, ...] = part(
        Several(4, Whole(0, 13)), "The hearts that each seat took; 13 in all."
    )
    queen: Seat = part(Whole(0, 3), "The seat that took the queen of spades.")


class Hearts(Table):
    """A match of Hearts."""

    name = "hearts"
    title = "Hearts"
    seats = 4
    sides = 4
    pack = PACK_52
    notation = Notation(4, {"pass": SomeCards(3, 3), "play": OneCard()})
    parts = Parts(Rules, Start, Deal, Tally)
    rules: Rules
    start: Start
    locked: ClassVar[Mapping[str, str]] = {
        "jack_of_diamonds": "HEARTS-19",
        "moon_subtracts": "HEARTS-19",
    }
    profiles: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "openspiel": {"queen_breaks_hearts": True}
    }
    gatherings = (PENALTY_CARDS, HEARTS)

    direction = "none"

    def deal(self, deal: Deal) -> None:
        """Deal thirteen cards each, and pass if this hand's direction says so (HEARTS-03, 04)."""
        self.hands = list(deal.hands)
        cycle = self.rules.pass_cycle
        self.direction = cycle[(self.start.hand + self.hands_played) % len(cycle)]
        self.passed = [0] * 4
        if self.direction == "none":
            self.find_opening_leader()
        else:
            self.verbs = PASSING
            self.to_act = (0, 1, 2, 3)

    # The pass.

    def pass_cards(self, seat: Seat, three: tuple[Card, ...]) -> None:
        """Choose three cards to pass, without having seen what will come (HEARTS-04, R02)."""
        chosen = union(three)
        if chosen & ~self.hands[seat] or chosen.bit_count() != 3:
            raise Refused(CARD)
        self.passed[seat] = chosen
        self.to_act = tuple(other for other in self.to_act if other != seat)
        if not self.to_act:
            self.hand_over_passes()

    def hand_over_passes(self) -> None:
        """Move everybody's three cards at once, so that nobody passes on what they were passed."""
        for seat in range(4):
            self.hands[seat] ^= self.passed[seat]
        for seat in range(4):
            self.hands[self.receiver(seat)] |= self.passed[seat]
        self.find_opening_leader()

    def receiver(self, seat: Seat) -> Seat:
        """The seat to which a seat passes in this hand; left is the next one clockwise (R03)."""
        return (seat + DIRECTIONS[self.direction]) % 4

    # The play.

    def find_opening_leader(self) -> None:
        """Whoever holds the two of clubs after the pass leads first (HEARTS-05, R01)."""
        holder = next(seat for seat in range(4) if self.hands[seat] & TWO_OF_CLUBS)
        self.open_play(holder, PLAYING)

    def choices(self, seat: Seat) -> list[Choice]:
        """Three cards to pass out of the hand, or the cards that may be played."""
        if self.verbs is PASSING:
            return [Pick("pass", 3, 3, self.hands[seat])]
        return [Each("play", self.legal_cards(seat))]

    def on_first_trick(self) -> bool:
        """Whether the trick on the table is the hand's first."""
        return not any(self.tricks)

    def legal_cards(self, seat: Seat) -> Cards:
        """Follow suit if you can (HEARTS-06, 12); leads and discards have rules of their own."""
        hand = self.hands[seat]
        if not self.trick:
            return self.legal_leads(hand)
        return hand & SUIT_OF[self.trick[0]] or self.legal_discards(hand)

    def legal_discards(self, hand: Cards) -> Cards:
        """Void in the suit led: any card (HEARTS-07), but on the first trick no penalty card while
        there is another (HEARTS-10, R05, R06)."""
        if not self.on_first_trick() or self.rules.points_on_first_trick:
            return hand
        if self.rules.first_trick_only_penalty_cards == "queen":
            return hand & ~PENALTY_CARDS or hand & QUEEN_OF_SPADES or hand
        return hand & ~PENALTY_CARDS or hand

    def legal_leads(self, hand: Cards) -> Cards:
        """No heart before hearts are broken, except from nothing but hearts (HEARTS-09, R10)."""
        if self.on_first_trick():
            return self.legal_opening_leads(hand)
        if self.hearts_broken():
            return hand
        if self.rules.lead_from_hearts_and_queen == "any" and not hand & ~PENALTY_CARDS:
            return hand
        return hand & ~HEARTS or hand

    def legal_opening_leads(self, hand: Cards) -> Cards:
        """The two of clubs, or by option any club (HEARTS-05, R01)."""
        return hand & CLUBS if self.rules.opening_lead == "any_club" else TWO_OF_CLUBS

    def why_not(self, seat: Seat, card: Card) -> str:
        """The rule that bars a held card: following before the first trick's and breaking."""
        if not self.trick:
            return "HEARTS-05" if self.on_first_trick() else "HEARTS-09"
        if self.hands[seat] & SUIT_OF[self.trick[0]]:
            return "HEARTS-12"
        return "HEARTS-10" if self.hands[seat] & ~PENALTY_CARDS else "HEARTS-R05"

    def hearts_broken(self) -> bool:
        """Whether a heart lies in a trick, led or thrown (HEARTS-09, R08); by option the queen (R07)."""
        breaking = PENALTY_CARDS if self.rules.queen_breaks_hearts else HEARTS
        return bool((sum(self.won) | sum(self.trick)) & breaking)

    def winning_card(self) -> Card:
        """The highest card of the suit led; there is no trump (HEARTS-08, 11)."""
        return highest(sum(self.trick) & SUIT_OF[self.trick[0]])

    def tell_trick(self, outcome: Outcome, taken: Cards) -> None:
        """The penalty points in the trick: a point a heart, thirteen for the queen (HEARTS-13)."""
        outcome.points = (taken & HEARTS).bit_count()
        if taken & QUEEN_OF_SPADES:
            outcome.points += 13

    # The score.

    def tally(self) -> Tally:
        """Count the hearts that each seat took, and find the queen."""
        taken_queen = [pile & QUEEN_OF_SPADES for pile in self.won]
        return Tally(
            hearts=tuple([(pile & HEARTS).bit_count() for pile in self.won]),
            queen=taken_queen.index(QUEEN_OF_SPADES),
        )

    @classmethod
    def check_tally(cls, rules: Rules, tally: Tally) -> None:
        """There are thirteen hearts (HEARTS-13)."""
        if sum(tally.hearts) != 13:
            raise Impossible("hearts", f"expected 13 hearts in all, found {sum(tally.hearts)}")

    def breakdown(self, tally: Tally) -> list[Line]:
        """One a heart and 13 for the queen (HEARTS-13); all 26 go to the others (HEARTS-14, R12)."""
        shooter = tally.queen
        if tally.hearts[shooter] == 13:
            return [Line(seat, "HEARTS-14", 26) for seat in range(4) if seat != shooter]
        hearts = [
            Line(seat, "HEARTS-13", count) for seat, count in enumerate(tally.hearts) if count
        ]
        return [*hearts, Line(tally.queen, "HEARTS-13", 13)]

    def match_winners(self) -> tuple[Seat, ...]:
        """At the target the lowest total wins; a tie for it wants a further hand (HEARTS-17, 18)."""
        if max(self.scores) < self.rules.target:
            return ()
        lowest = [seat for seat in range(4) if self.scores[seat] == min(self.scores)]
        if len(lowest) > 1 and self.rules.tie_for_lowest == "extra_hand":
            return ()
        return tuple(lowest)

    @classmethod
    def deal_from_pack(cls, row: Sequence[Card]) -> Deal:
        """Deal a pack out one card at a time, seats 0 1 2 3 (HEARTS-R04)."""
        return Deal(hands=tuple(union(row[seat::4]) for seat in range(4)))

    # What is seen.

    def view(self, seat: Seat) -> View:
        """The own hand, the trick, the piles, and what this seat passed and is still held."""
        known = self.seen_by_all()
        unknown: dict[str, int] = {}
        for other in range(4):
            if other != seat:
                seen = self.seen_in_hand(seat, other)
                if seen:
                    known[f"hand {other}"] = seen
                if unseen := (self.hands[other] & ~seen).bit_count():
                    unknown[f"hand {other}"] = unseen
        return View(self.hands[seat], known, unknown)

    def seen_in_hand(self, seat: Seat, other: Seat) -> Cards:
        """The cards that a seat passed to another and that are still in that hand (R18)."""
        if self.verbs is PASSING or other != self.receiver(seat):
            return 0
        return self.passed[seat] & self.hands[other]

    def seen(self, seat: Seat, action: Action) -> Action | None:
        """Nobody sees what another passes, nor who has passed already (R02, R18)."""
        return None if action.verb == "pass" and action.seat != seat else action

    def public(self) -> Mapping[str, Any]:
        """The direction of this hand's pass, and whether hearts are broken (R18)."""
        return {"direction": self.direction, "hearts_broken": self.hearts_broken()}

    def facts(self) -> list[str]:
        """The direction of the pass, or whether hearts are broken."""
        if self.verbs is PASSING:
            return [f"each seat passes three cards {self.direction}"]
        return ["hearts are broken" if self.hearts_broken() else "hearts are not broken"]
