"""Open Belote misread."""

from dataclasses import replace

from oracle.cards import (
    CLUBS,
    CODE_OF,
    HEARTS,
    SPADES,
    SUIT_CARDS,
    SUIT_OF,
    each,
    of_rank,
    union,
)
from oracle.games.actions import Notation, OneCard, Say, SomeCards, Words
from oracle.games.belote import (
    BELOTE_VALUE,
    CHOOSING,
    COMBINATIONS,
    FOURS,
    NO_TRUMP,
    NO_TRUMP_FOURS,
    PLAIN_ORDER,
    PLAYING,
    RUN_ORDER,
    RUNS,
    TRUMP_FOURS,
    TRUMP_ORDER,
    TRUMPS,
    Belote,
    Deal,
    contains,
)
from oracle.games.refusals import Refused
from oracle.games.table import Combination, Line

from .registry import mutant, options_unknown, taken_for_the_rule

options_unknown(Belote)
taken_for_the_rule(
    Belote,
    {
        ("match", "rounds"): "Plays for rounds won where points were agreed (BELOTE-R52).",
        ("target", 1001): "Plays to 1001 where 501 was agreed.",
        ("target", 2001): "Plays to 2001 where 501 was agreed.",
        ("rounds", 3): "Asks for three rounds where one was agreed.",
        ("rounds", 5): "Asks for five rounds where one was agreed.",
        ("scale", "tens"): "Scores in tens (BELOTE-R45).",
        ("no_trump", False): "Knows no choice of no trump (BELOTE-R05).",
        ("declare_window", "first_trick"): "Ends declaring with the first trick (BELOTE-R20).",
        ("declare_window", "any_turn"): "Lets anything open be declared at any turn (BELOTE-R20).",
        (
            "compare_combinations",
            "per_hand",
        ): "Compares combinations once, over the hand (BELOTE-R22).",
        ("compare_combinations", "none"): "Pays both sides' combinations (BELOTE-R22).",
        ("growth", "add"): "Pays a grown run in full on top of the shorter one (BELOTE-R21).",
        ("no_trump_combinations", False): "Has no combinations at no trump (BELOTE-R36).",
        ("no_trump_four_jacks", 0): "Takes four jacks at no trump for worthless (BELOTE-R30).",
        ("no_trump_four_jacks", 200): "Pays 200 for four jacks at no trump too (BELOTE-R30).",
        ("taker_tie", "makes"): "Lets the taker make it with as many points (BELOTE-R37).",
        ("kaput", "no_tricks"): "Takes only a player without a trick for kaput (BELOTE-R40).",
        ("kaput_total", 183): "Adds 21 points to the 162 for a kaput (BELOTE-R41).",
        ("kaput_total", 210): "Pays a flat 210 for a kaput (BELOTE-R41).",
        ("kaput_total", 250): "Pays 250 for a kaput, as in France (BELOTE-R41).",
        ("kaput_total", 252): "Pays 252 for a kaput, as in France (BELOTE-R41).",
        ("belote_on_failure", "stays"): "Leaves a failed taker the belote (BELOTE-R39).",
        ("reveal", "after_trick"): "Turns covered cards up after the trick (BELOTE-R11).",
    },
)


# The deal and the choice of trump.


@mutant
class DealerStays(Belote):
    """Lets the same player deal every hand (BELOTE-R12)."""

    def dealer_of_hand(self):
        return self.start.dealer


@mutant
class LoserDeals(Belote):
    """Lets the player with fewer points deal the next hand."""

    def dealer_of_hand(self):
        if not self.hands_played:
            return super().dealer_of_hand()
        return self.scores.index(min(self.scores))


@mutant
class StartDealerIgnored(Belote):
    """Takes seat 0 for the dealer of the first hand whatever the start says."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, replace(start, dealer=0), deals)


@mutant
class StartRoundsIgnored(Belote):
    """Takes no notice of the rounds won at the start."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, replace(start, rounds_won=(0, 0)), deals)


@mutant
class DealerChoosesFirst(Belote):
    """Asks the dealer for trump before the other player."""

    def deal(self, deal):
        super().deal(deal)
        self.to_act = (self.dealer,)


@mutant
class DealerForcedInRoundOne(Belote):
    """Makes the dealer choose after one pass (BELOTE-R04)."""

    def must_choose(self):
        return self.passes == 1


@mutant
class OneRoundOfChoice(Belote):
    """Makes the non-dealer choose when both have passed once."""

    def must_choose(self):
        return self.passes == 2


@mutant
class DealerMayPassThrice(Belote):
    """Lets the dealer pass in the second round, and asks once more."""

    def must_choose(self):
        return self.passes == 5


@mutant
class ForcedDealerMayPass(Belote):
    """Lists no pass for the forced dealer, and accepts it."""

    def pass_by(self, seat, _):
        if self.must_choose():
            return None
        return super().pass_by(seat, _)


@mutant
class ForcedDealerIsAPhase(Belote):
    """Answers the forced dealer's pass as if passing were not in place."""

    def pass_by(self, seat, _):
        if self.must_choose():
            raise Refused("PHASE")
        return super().pass_by(seat, _)


@mutant
class NoTrumpInTheSecondRoundOnly(Belote):
    """Offers no trump only when both have passed."""

    def trump_choices(self):
        choices = super().trump_choices()
        return choices if self.passes >= 2 else [each for each in choices if each != NO_TRUMP]


@mutant
class NoTrumpInTheFirstRoundOnly(Belote):
    """Offers no trump only in the first round (BELOTE-R06)."""

    def trump_choices(self):
        choices = super().trump_choices()
        return choices if self.passes < 2 else [each for each in choices if each != NO_TRUMP]


@mutant
class NoTrumpForTheNonDealerOnly(Belote):
    """Lets only the non-dealer choose no trump."""

    def trump_choices(self):
        choices = super().trump_choices()
        return choices if self.passes % 2 == 0 else [each for each in choices if each != NO_TRUMP]


@mutant
class NoTrumpListedWhenOff(Belote):
    """Refuses no trump where it is switched off, and lists it all the same."""

    def choices(self, seat):
        choices = super().choices(seat)
        if self.verbs is CHOOSING:
            choices[0] = Say("take", tuple(TRUMPS))
        return choices


@mutant
class TrumpMustBeOpen(Belote):
    """Lets only a suit be chosen in which the chooser has an open card."""

    def trump_choices(self):
        if self.verbs is PLAYING or not self.to_act:
            return super().trump_choices()
        hand = self.hands[self.to_act[0]]
        return [each for each in super().trump_choices() if not TRUMPS[each] or hand & TRUMPS[each]]


@mutant
class TrumpMustBeSeen(Belote):
    """Lets only a suit be chosen of which an open card lies on the table."""

    def trump_choices(self):
        shown = union(self.hands)
        return [
            each for each in super().trump_choices() if not TRUMPS[each] or shown & TRUMPS[each]
        ]


@mutant
class OtherPlayerMayOutbid(Belote):
    """Asks the dealer too when the non-dealer has chosen (BELOTE-R07)."""

    chosen = False

    def deal(self, deal):
        self.chosen = False
        super().deal(deal)

    def take(self, seat, trump):
        if seat == self.non_dealer and not self.chosen and self.passes < 2:
            if trump not in self.trump_choices():
                raise Refused("BELOTE-R05")
            self.chosen = True
            self.to_act = (self.dealer,)
            return None
        return super().take(seat, trump)


@mutant
class SecondFourAfterTwoPassesOnly(Belote):
    """Leaves the second four undealt when trump is chosen in the first round (BELOTE-R03)."""

    def take(self, seat, trump):
        deal, self.deal_second_four = self.deal_second_four, lambda: None
        outcome = super().take(seat, trump)
        self.deal_second_four = deal
        return outcome


@mutant
class SecondFourAfterThreePasses(Belote):
    """Deals the second four only to the forced dealer."""

    def pass_by(self, seat, _):
        if self.passes == 1:
            self.passes += 1
            self.to_act = self.turn_after[seat]
            return
        super().pass_by(seat, _)
        if self.passes == 3:
            self.deal_second_four()


@mutant
class AllOpenAtOnce(Belote):
    """Deals all open cards before trump is chosen."""

    def deal(self, deal):
        super().deal(deal)
        self.deal_second_four()


@mutant
class TakerLeads(Belote):
    """Lets the player who chose trump lead (BELOTE-11)."""

    def take(self, seat, trump):
        outcome = super().take(seat, trump)
        self.open_play(seat, PLAYING)
        return outcome


@mutant
class DealerLeads(Belote):
    """Lets the dealer lead to the first trick."""

    def take(self, seat, trump):
        outcome = super().take(seat, trump)
        self.open_play(self.dealer, PLAYING)
        return outcome


@mutant
class TrumpOfTheHandBefore(Belote):
    """Plays every hand of a match with the trump of the first."""

    first_trump = None

    def take(self, seat, trump):
        outcome = super().take(seat, trump)
        self.first_trump = self.first_trump or trump
        self.trump = self.first_trump
        return outcome


# The stacks.


@mutant
class CoveredCardsPlayable(Belote):
    """Lets a player play a card before it is uncovered (BELOTE-R10)."""

    def play(self, seat, card):
        if card & self.covered[seat]:
            self.hands[seat] |= card
        return super().play(seat, card)


@mutant
class CoveredCardsOblige(Belote):
    """Counts covered cards for the duties to follow and to beat (BELOTE-R10)."""

    def legal_cards(self, seat):
        hand = self.hands[seat]
        self.hands[seat] |= self.covered[seat]
        legal = super().legal_cards(seat) & hand
        self.hands[seat] = hand
        return legal


@mutant
class CoveredSuitExcuses(Belote):
    """Lets a player off trumping who has the suit led under a card (BELOTE-R10)."""

    def legal_cards(self, seat):
        if self.trick and self.covered[seat] & SUIT_OF[self.trick[0]]:
            hand = self.hands[seat]
            return hand & SUIT_OF[self.trick[0]] or hand
        return super().legal_cards(seat)


@mutant
class UncoveredCardsDoNotOblige(Belote):
    """Leaves cards that were uncovered in the hand out of the duties."""

    def legal_cards(self, seat):
        hand = self.hands[seat]
        self.hands[seat] &= union(self.dealt.up[seat])
        duty = super().legal_cards(seat)
        self.hands[seat] = hand
        return duty | hand & ~union(self.dealt.up[seat])


@mutant
class NothingIsUncovered(Belote):
    """Never turns the covered cards up, so that a hand ends after eight tricks."""

    def uncover(self, seat, played):
        self.uncovered[seat] = 0


@mutant
class WrongStackUncovered(Belote):
    """Turns up the card under the next stack."""

    def under(self, seat, card):
        row = self.dealt.up[seat]
        return self.dealt.down[seat][(row.index(card) + 1) % 8] if card in row else 0


@mutant
class RowsExchanged(Belote):
    """Lays the open cards of the second packet on the first four stacks."""

    def under(self, seat, card):
        row = self.dealt.up[seat]
        return self.dealt.down[seat][(row.index(card) + 4) % 8] if card in row else 0


@mutant
class UncoveredOnlyByTheLeader(Belote):
    """Turns a card up for the leader only."""

    def take_trick(self):
        second = 1 - self.leader
        before = self.hands[second], self.covered[second]
        outcome = super().take_trick()
        if outcome.hand is None and any(before[1] & ~cover for cover in (self.covered[second],)):
            self.hands[second], self.covered[second] = before
            self.uncovered[second] = 0
        return outcome


@mutant
class LeaderGoesOn(Belote):
    """Lets the leader play the card just uncovered before the other has answered."""

    def choices(self, seat):
        choices = super().choices(seat)
        if self.trick and self.uncovered[1 - seat]:
            return [*choices, Say("pass")]
        return choices


# Following, trumping and beating.


@mutant
class FollowUnchecked(Belote):
    """Lets the second player play any card on a plain suit."""

    def legal_cards(self, seat):
        if self.trick and not self.trick[0] & self.trumps:
            return self.hands[seat]
        return super().legal_cards(seat)


@mutant
class FollowUncheckedAtNoTrump(Belote):
    """Lets the second player play any card at no trump (BELOTE-R18)."""

    def legal_cards(self, seat):
        return self.hands[seat] if self.trump == NO_TRUMP else super().legal_cards(seat)


@mutant
class TrumpNeedNotBeFollowed(Belote):
    """Lets the second player throw a plain card on a led trump."""

    def legal_cards(self, seat):
        if self.trick and self.trick[0] & self.trumps:
            return self.hands[seat]
        return super().legal_cards(seat)


@mutant
class TrumpInsteadOfFollowing(Belote):
    """Lets a player trump who has the suit led."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        return legal | self.hands[seat] & self.trumps if self.trick else legal


@mutant
class NeedNotTrump(Belote):
    """Lets a player who is void throw what they like (BELOTE-R16)."""

    def legal_cards(self, seat):
        hand = self.hands[seat]
        if self.trick and not self.trick[0] & self.trumps:
            return hand & SUIT_OF[self.trick[0]] or hand
        return super().legal_cards(seat)


@mutant
class TrumpHighestWhenVoid(Belote):
    """Makes a player who must trump use the highest trump (BELOTE-R16)."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if self.trick and not self.trick[0] & self.trumps and legal & self.trumps:
            return max(each(legal), key=self.rank)
        return legal


@mutant
class TrumpLowestWhenVoid(Belote):
    """Makes a player who must trump use the lowest trump (BELOTE-R16)."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if self.trick and not self.trick[0] & self.trumps and legal & self.trumps:
            return min(each(legal), key=self.rank)
        return legal


@mutant
class VoidInBothStuck(Belote):
    """Leaves a player with neither the suit led nor a trump without a card (BELOTE-13)."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if self.trick and not legal & (SUIT_OF[self.trick[0]] | self.trumps):
            return 0
        return legal


@mutant
class SpadesTrumpAtNoTrump(Belote):
    """Makes a void player play a spade at no trump."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if self.trump == NO_TRUMP and self.trick and not legal & SUIT_OF[self.trick[0]]:
            return legal & SPADES or legal
        return legal


@mutant
class NeedNotBeat(Belote):
    """Lets any trump be played on a led trump (BELOTE-14)."""

    def legal_on_trump_lead(self, hand, led):
        return hand & self.trumps or hand


@mutant
class MustBeatInPlainSuits(Belote):
    """Makes the second player beat a plain card too (BELOTE-R17)."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if not self.trick or not legal & SUIT_OF[self.trick[0]]:
            return legal
        led = self.rank(self.trick[0])
        return union(card for card in each(legal) if self.rank(card) > led) or legal


@mutant
class MustBeatWithTheHighest(Belote):
    """Makes the second player beat a led trump with the highest one."""

    def legal_on_trump_lead(self, hand, led):
        legal = super().legal_on_trump_lead(hand, led)
        if legal & self.trumps and self.rank(max(each(legal), key=self.rank)) > self.rank(led):
            return max(each(legal), key=self.rank)
        return legal


@mutant
class MustBeatWithTheLowest(Belote):
    """Makes the second player beat a led trump with the lowest one that does."""

    def legal_on_trump_lead(self, hand, led):
        legal = super().legal_on_trump_lead(hand, led)
        if legal & self.trumps and self.rank(min(each(legal), key=self.rank)) > self.rank(led):
            return min(each(legal), key=self.rank)
        return legal


@mutant
class LowestTrumpWhenBeaten(Belote):
    """Makes a player who can't beat a led trump play the lowest (BELOTE-R15)."""

    def legal_on_trump_lead(self, hand, led):
        legal = super().legal_on_trump_lead(hand, led)
        if legal & self.trumps and self.rank(max(each(legal), key=self.rank)) < self.rank(led):
            return min(each(legal), key=self.rank)
        return legal


@mutant
class HighestTrumpWhenBeaten(Belote):
    """Makes a player who can't beat a led trump play the highest (BELOTE-R15)."""

    def legal_on_trump_lead(self, hand, led):
        legal = super().legal_on_trump_lead(hand, led)
        if legal & self.trumps and self.rank(max(each(legal), key=self.rank)) < self.rank(led):
            return max(each(legal), key=self.rank)
        return legal


class BeatingInOrder(Belote):
    """Open Belote with another order of trumps for the duty to beat."""

    order = TRUMP_ORDER

    def legal_on_trump_lead(self, hand, led):
        def rank(card):
            return self.order.index(CODE_OF[card][0])

        trumps = hand & self.trumps
        higher = union(card for card in each(trumps) if rank(card) > rank(led))
        return higher or trumps or hand


@mutant
class BeatingInNaturalOrder(BeatingInOrder):
    """Judges by the order ace to seven what beats a led trump."""

    order = RUN_ORDER


@mutant
class BeatingInPlainOrder(BeatingInOrder):
    """Judges by the order of plain suits what beats a led trump."""

    order = PLAIN_ORDER


@mutant
class BeatingIsTheOpponentsDuty(Belote):
    """Asks only the taker's opponent to beat a led trump."""

    def legal_on_trump_lead(self, hand, led):
        if self.to_act == (self.taker,):
            return hand & self.trumps or hand
        return super().legal_on_trump_lead(hand, led)


@mutant
class TrumpLeadBarred(Belote):
    """Doesn't let trumps be led before one has been played."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if not self.trick and not sum(self.won) & self.trumps:
            return legal & ~self.trumps or legal
        return legal

    def why_not(self, seat, card):
        return super().why_not(seat, card) if self.trick else "BELOTE-12"


@mutant
class BeatingBeforeFollowing(Belote):
    """Names the duty to beat for a plain card on a led trump."""

    def why_not(self, seat, card):
        return "BELOTE-14" if self.trick[0] & self.trumps else "BELOTE-12"


@mutant
class BeatingIsFollowing(Belote):
    """Names the duty to follow for a trump that was not high enough."""

    def why_not(self, seat, card):
        return "BELOTE-12"


# The trick.


class OtherRanks(Belote):
    """Open Belote with other orders of the ranks."""

    trump_order = TRUMP_ORDER
    plain_order = PLAIN_ORDER

    def rank(self, card):
        order = self.trump_order if card & self.trumps else self.plain_order
        return order.index(CODE_OF[card][0])


@mutant
class TrumpsInNaturalOrder(OtherRanks):
    """Ranks trumps from ace to seven."""

    trump_order = RUN_ORDER


@mutant
class TrumpsInPlainOrder(OtherRanks):
    """Ranks trumps like a plain suit."""

    trump_order = PLAIN_ORDER


@mutant
class TrumpNineBelowTheTen(OtherRanks):
    """Ranks the nine of trumps below ace and ten."""

    trump_order = "78QK9TAJ"


@mutant
class PlainSuitsInNaturalOrder(OtherRanks):
    """Ranks the ten of a plain suit below the jack."""

    plain_order = RUN_ORDER


@mutant
class PlainSuitsInTrumpOrder(OtherRanks):
    """Ranks every suit like trumps."""

    plain_order = TRUMP_ORDER


@mutant
class TenBelowTheKing(OtherRanks):
    """Ranks the ten of a plain suit below the king."""

    plain_order = "789JQTKA"


@mutant
class AllTrumpsAtNoTrump(Belote):
    """Ranks the suits like trumps at no trump."""

    def rank(self, card):
        if self.trump == NO_TRUMP:
            return TRUMP_ORDER.index(CODE_OF[card][0])
        return super().rank(card)


@mutant
class SpadesWinAtNoTrump(Belote):
    """Lets a spade win at no trump like a trump."""

    def winning_card(self):
        spades = [card for card in self.trick if card & SPADES]
        if self.trump == NO_TRUMP and spades:
            return max(spades, key=self.rank)
        return super().winning_card()


@mutant
class OffSuitWins(Belote):
    """Compares the ranks of different plain suits."""

    def winning_card(self):
        trumps = [card for card in self.trick if card & self.trumps]
        return max(trumps or self.trick, key=self.rank)


@mutant
class LowTrumpLoses(Belote):
    """Lets a trump win only if it stands higher in its order than the plain card in its own."""

    def winning_card(self):
        led, second = self.trick
        return (
            second
            if self.rank(second) > self.rank(led) and second & (SUIT_OF[led] | self.trumps)
            else led
        )


@mutant
class TrickByPoints(Belote):
    """Gives the trick to the card that is worth more."""

    def winning_card(self):
        suit = SUIT_OF[self.trick[0]]
        trumps = [card for card in self.trick if card & self.trumps]
        following = [card for card in self.trick if card & suit]
        return max(trumps or following, key=self.value_of_card)


# Card points.


class OtherValues(Belote):
    """Open Belote with other values of the cards in some contracts."""

    def value_of_card(self, card):
        other = self.other_value(CODE_OF[card][0], bool(card & self.trumps))
        return super().value_of_card(card) if other is None else other


@mutant
class PlainCardsAtTrumpValue(OtherValues):
    """Counts jack and nine of plain suits like those of trumps."""

    def other_value(self, rank, is_trump):
        return None if self.trump == NO_TRUMP or is_trump else {"J": 20, "9": 14}.get(rank)


@mutant
class TrumpsAtPlainValue(OtherValues):
    """Counts jack and nine of trumps like those of plain suits."""

    def other_value(self, rank, is_trump):
        return {"J": 2, "9": 0}.get(rank) if is_trump else None


@mutant
class NoTrumpAceEleven(OtherValues):
    """Counts an ace as eleven at no trump too (BELOTE-18)."""

    def other_value(self, rank, is_trump):
        return 11 if self.trump == NO_TRUMP and rank == "A" else None


@mutant
class AceAlwaysNineteen(OtherValues):
    """Counts an ace as nineteen with trumps too (BELOTE-17)."""

    def other_value(self, rank, is_trump):
        return 19 if rank == "A" else None


@mutant
class NoTrumpTrumpValues(OtherValues):
    """Counts jacks and nines at no trump like those of trumps."""

    def other_value(self, rank, is_trump):
        return {"J": 20, "9": 14}.get(rank) if self.trump == NO_TRUMP else None


@mutant
class SevensCountOne(OtherValues):
    """Fills the empty cell of the table of values with a point for the seven (BELOTE-17)."""

    def other_value(self, rank, is_trump):
        return 1 if rank == "7" and self.trump != NO_TRUMP else None


@mutant
class TenIsWorthNothing(OtherValues):
    """Counts the ten as nothing, like the other spot cards."""

    def other_value(self, rank, is_trump):
        return 0 if rank == "T" else None


@mutant
class KingAndQueenSwapped(OtherValues):
    """Counts three for the king and four for the queen."""

    def other_value(self, rank, is_trump):
        return {"K": 3, "Q": 4}.get(rank)


class OtherLastTen(Belote):
    """Open Belote with the ten for the last trick elsewhere."""

    def tally(self):
        tally = super().tally()
        points = list(tally.cards)
        points[self.leader] -= 10
        self.give_ten(points)
        return replace(tally, cards=tuple(points))

    def give_ten(self, points):
        raise NotImplementedError


@mutant
class LastTenForgotten(OtherLastTen):
    """Doesn't count ten for the last trick (BELOTE-29)."""

    def give_ten(self, points):
        pass

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        outcome.points -= 10 if self.last_trick_taken() else 0


@mutant
class LastTenToTheLoser(OtherLastTen):
    """Gives the ten for the last trick to its loser."""

    def give_ten(self, points):
        points[1 - self.leader] += 10


@mutant
class LastTenToTheTaker(OtherLastTen):
    """Gives the ten for the last trick to the taker."""

    def give_ten(self, points):
        points[self.taker] += 10


@mutant
class LastTenNotTold(Belote):
    """Counts the ten for the last trick at the end and doesn't tell it with the trick."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        outcome.points -= 10 if self.last_trick_taken() else 0


@mutant
class LastTenWithPointsOnly(OtherLastTen):
    """Counts the ten for the last trick only if its cards are worth something."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        self.worthless = self.card_points(taken) == 0
        outcome.points -= 10 if self.last_trick_taken() and self.worthless else 0

    def give_ten(self, points):
        points[self.leader] += 0 if self.worthless else 10


@mutant
class LastTenOneTrickEarly(Belote):
    """Gives the ten to the fifteenth trick."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        outcome.points += {15: 10, 16: -10}.get(sum(self.tricks), 0)


@mutant
class TrickPointsInTens(Belote):
    """Tells the points of a trick in tens where the score is kept in tens."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        if self.rules.scale == "tens":
            outcome.points //= 10


@mutant
class LoserIsTold(Belote):
    """Tells the loser of the trick for its winner."""

    def take_trick(self):
        outcome = super().take_trick()
        outcome.winner = 1 - outcome.winner
        return outcome


# What may be declared.


class OtherCombinations(Belote):
    """Open Belote with other sets of cards taken for combinations."""

    notation = Notation(
        2,
        {
            "take": Words((tuple(TRUMPS),)),
            "pass": Words(),
            "declare": SomeCards(1, 8),
            "play": OneCard(),
        },
    )

    def other(self, held):
        raise NotImplementedError

    def is_combination(self, held):
        other = self.other(held)
        return super().is_combination(held) if other is None else other

    def value_of(self, held):
        if super().is_combination(held):
            return super().value_of(held)
        return {3: 20, 4: 50}.get(held.bit_count(), 100)

    def clause_of(self, held):
        if super().is_combination(held):
            return super().clause_of(held)
        return {3: "BELOTE-40", 4: "BELOTE-39"}.get(held.bit_count(), "BELOTE-38")


def _ranks(held):
    return "".join(sorted((CODE_OF[card][0] for card in each(held)), key=RUN_ORDER.index))


def _one_suit(held):
    return any(not held & ~suit for suit in SUIT_CARDS.values())


@mutant
class RunsWithAGap(OtherCombinations):
    """Takes three cards of a suit for a tierce although a rank is missing."""

    def other(self, held):
        return True if _one_suit(held) and 3 <= held.bit_count() <= 5 else None


@mutant
class RunsOfMixedSuits(OtherCombinations):
    """Looks at the ranks of a run only."""

    def other(self, held):
        return True if len(_ranks(held)) > 2 and _ranks(held) in RUN_ORDER else None


@mutant
class RunsRoundTheCorner(OtherCombinations):
    """Lets a run go on from the ace to the seven (BELOTE-R24)."""

    def other(self, held):
        return True if _one_suit(held) and _ranks(held) in ("78A", "7KA", "789A") else None


@mutant
class RunsOfTwo(OtherCombinations):
    """Takes two neighbours for a combination."""

    def other(self, held):
        pair = held.bit_count() == 2 and _one_suit(held) and _ranks(held) in RUN_ORDER
        return True if pair else None


@mutant
class RunsOfSix(OtherCombinations):
    """Takes six, seven or eight neighbours for one combination (BELOTE-R25)."""

    def other(self, held):
        long = held.bit_count() > 5 and _one_suit(held) and _ranks(held) in RUN_ORDER
        return True if long else None


@mutant
class RunsInTrickOrder(OtherCombinations):
    """Looks for neighbours in the order in which plain cards take tricks (BELOTE-R24)."""

    def other(self, held):
        ranks = "".join(sorted(_ranks(held), key=PLAIN_ORDER.index))
        return (_one_suit(held) and 3 <= len(ranks) <= 5 and ranks in PLAIN_ORDER) or held in FOURS


@mutant
class FoursOfThree(OtherCombinations):
    """Takes three of a kind for a combination."""

    def other(self, held):
        ranks = set(_ranks(held))
        return (
            True if held.bit_count() == 3 and len(ranks) == 1 and ranks <= set("J9ATKQ") else None
        )


@mutant
class FourEights(OtherCombinations):
    """Takes four eights and four sevens for combinations (BELOTE-R31)."""

    def other(self, held):
        return True if held in (of_rank("8"), of_rank("7")) else None

    def strength_of_run(self, held):
        return (1, -9) if _one_suit(held) is False else super().strength_of_run(held)


@mutant
class BeloteDeclared(OtherCombinations):
    """Lets king and queen of trumps be declared like a combination (BELOTE-33)."""

    def other(self, held):
        return True if held == self.belote_pair() else None


@mutant
class NoFourNines(OtherCombinations):
    """Takes four nines at no trump, which are worth nothing, for no combination (BELOTE-R32)."""

    def other(self, held):
        return False if self.trump == NO_TRUMP and held == of_rank("9") else None


@mutant
class EightsAreAnyWrongSet(Belote):
    """Names for four eights the clause of an untrue declaration."""

    def why_not_declare(self, seat, held):
        clause = super().why_not_declare(seat, held)
        return "BELOTE-R28" if clause == "BELOTE-R31" else clause


@mutant
class OnlyTheLongestRun(Belote):
    """Offers only the longest run of a suit (BELOTE-R28)."""

    def declarable(self, seat):
        offered = super().declarable(seat)
        return [held for held in offered if not any(contains(other, held) for other in offered)]


@mutant
class OneRunASuit(Belote):
    """Allows one combination from a long run and forgets the neighbours left over (BELOTE-R25)."""

    def is_free(self, seat, held):
        return super().is_free(seat, held) and not any(
            old.seat == seat and _one_suit(old.cards | held) and not old.cards & held
            for old in self.declared
        )


@mutant
class DeclareInPackOrderOnly(Belote):
    """Knows a combination only if its cards are named in pack order."""

    def declare(self, seat, row):
        if tuple(sorted(row)) != row and union(row) in COMBINATIONS:
            raise Refused("BELOTE-R28")
        super().declare(seat, row)


@mutant
class DeclareCardTwice(Belote):
    """Takes a card that is named twice for one."""

    def declare(self, seat, row):
        super().declare(seat, tuple(dict.fromkeys(row)))


@mutant
class DeclareCoveredCards(Belote):
    """Lets a combination be declared with cards that still lie covered (BELOTE-R27)."""

    def declare(self, seat, row):
        hand = self.hands[seat]
        self.hands[seat] |= self.covered[seat]
        try:
            super().declare(seat, row)
        finally:
            self.hands[seat] = hand


@mutant
class DeclarePlayedCards(Belote):
    """Lets a combination be declared with cards that have been played (BELOTE-R27)."""

    def declare(self, seat, row):
        hand = self.hands[seat]
        own = union(self.dealt.up[seat] + self.dealt.down[seat])
        self.hands[seat] |= own & (union(self.won) | union(self.trick))
        try:
            super().declare(seat, row)
        finally:
            self.hands[seat] = hand


@mutant
class DeclareOthersCards(Belote):
    """Doesn't ask whose open cards a combination consists of."""

    def declare(self, seat, row):
        hand = self.hands[seat]
        self.hands[seat] |= self.hands[1 - seat]
        try:
            super().declare(seat, row)
        finally:
            self.hands[seat] = hand


@mutant
class ShapeBeforeCard(Belote):
    """Judges the shape of a declaration before it asks whether the cards are in use."""

    def declare(self, seat, row):
        if not self.is_combination(union(row)) and union(row) & ~self.hands[seat]:
            raise Refused("BELOTE-R28")
        super().declare(seat, row)


@mutant
class WindowBeforeShape(Belote):
    """Names the window for a late declaration that is no combination at all."""

    def why_not_declare(self, seat, held):
        clause = super().why_not_declare(seat, held)
        return "BELOTE-22" if clause and not self.is_in_window(seat, held) else clause


@mutant
class ReuseBeforeWindow(Belote):
    """Names the reuse of a card before the window."""

    def why_not_declare(self, seat, held):
        clause = super().why_not_declare(seat, held)
        return "BELOTE-R26" if clause == "BELOTE-22" and not self.is_free(seat, held) else clause


@mutant
class NoTrumpOptionBeforeShape(Belote):
    """Names the option against combinations at no trump before the shape."""

    def why_not_declare(self, seat, held):
        clause = super().why_not_declare(seat, held)
        return clause if self.contract_has_combinations() else "BELOTE-R36"


@mutant
class NoTrumpOptionSparesFours(Belote):
    """Takes the option against combinations at no trump for one against runs."""

    def why_not_declare(self, seat, held):
        clause = super().why_not_declare(seat, held)
        return "" if clause == "BELOTE-R36" and held in FOURS else clause


@mutant
class NoTrumpOptionReachesTrumps(Belote):
    """Lets the option against combinations at no trump forbid them with trumps too."""

    def contract_has_combinations(self):
        return self.rules.no_trump_combinations


@mutant
class LapsedCombinationsDeclared(Belote):
    """Lets a player declare late what could have been declared before (BELOTE-22)."""

    def is_in_window(self, seat, held):
        if self.rules.declare_window != "first_opportunity":
            return super().is_in_window(seat, held)
        return True


@mutant
class WindowClosesWithTheTrick(Belote):
    """Closes the first window for the second player as soon as the leader has played."""

    def is_in_window(self, seat, held):
        return super().is_in_window(seat, held) and not (self.on_first_trick() and self.trick)


@mutant
class WindowStaysForTwoTurns(Belote):
    """Keeps the window of an uncovered card open for one turn too long."""

    before = (0, 0)

    def uncover(self, seat, played):
        last = self.uncovered[seat]
        super().uncover(seat, played)
        if self.uncovered[seat] != last:
            self.before = (last, self.before[1]) if seat == 0 else (self.before[0], last)

    def is_in_window(self, seat, held):
        return super().is_in_window(seat, held) or (
            self.rules.declare_window == "first_opportunity" and bool(held & self.before[seat])
        )


@mutant
class WindowByEitherCard(Belote):
    """Lets the card that the other player uncovered open this player's window."""

    def is_in_window(self, seat, held):
        return super().is_in_window(seat, held) or (
            self.rules.declare_window == "first_opportunity" and bool(self.uncovered[1 - seat])
        )


@mutant
class WindowByAnyNewCard(Belote):
    """Lets everything be declared when a card has just been uncovered, whatever it belongs to."""

    def is_in_window(self, seat, held):
        if self.rules.declare_window != "first_opportunity":
            return super().is_in_window(seat, held)
        return self.on_first_trick() or bool(self.uncovered[seat])


@mutant
class WindowForRunsOnly(Belote):
    """Lets a four be declared in the first trick only."""

    def is_in_window(self, seat, held):
        return super().is_in_window(seat, held) and (self.on_first_trick() or held not in FOURS)


@mutant
class OldUncoveredCardKept(Belote):
    """Keeps the last uncovered card as new when nothing lay under the next one."""

    def uncover(self, seat, played):
        before = self.uncovered[seat]
        super().uncover(seat, played)
        self.uncovered[seat] = self.uncovered[seat] or before


@mutant
class FirstWindowClosesWithADeclaration(Belote):
    """Allows one declaration a turn."""

    def is_in_window(self, seat, held):
        return super().is_in_window(seat, held) and not any(
            old.seat == seat and old.trick == self.trick_now() for old in self.declared
        )


@mutant
class FirstTrickWindowForTheLeader(Belote):
    """Under the option for the first trick, opens a window at the first turn of the leader only."""

    def is_in_window(self, seat, held):
        late = self.rules.declare_window == "first_trick" and bool(self.trick)
        return super().is_in_window(seat, held) and not late


# Using cards again.


@mutant
class CardsUsedAgain(Belote):
    """Lets one card stand in several combinations (BELOTE-R26)."""

    def is_free(self, seat, held):
        return all(held != old.cards or old.seat != seat for old in self.declared)


@mutant
class CardInFourAndRun(Belote):
    """Lets one card stand in a four and in a run (BELOTE-R26)."""

    def is_free(self, seat, held):
        return all(
            self.grows(old, held)
            for old in self.standing()
            if old.seat == seat and old.cards & held and (old.cards in FOURS) == (held in FOURS)
        )


@mutant
class CardsOfTwoTurnsUsedAgain(Belote):
    """Asks for different cards within one turn only."""

    def is_free(self, seat, held):
        return all(
            old.trick < self.trick_now() and old.cards != held
            for old in self.standing()
            if old.seat == seat and old.cards & held
        )


@mutant
class OverlapIsGrowth(Belote):
    """Takes a run that shares cards with a declared one for one that has grown."""

    def grows(self, old, held):
        return (
            old.trick < self.trick_now()
            and held.bit_count() > old.cards.bit_count()
            and held in RUNS
        )


@mutant
class RunsNeverGrow(Belote):
    """Takes the cards of a declared run for used up (BELOTE-24)."""

    def grows(self, old, held):
        return False


@mutant
class GrowthInTheSameTurn(Belote):
    """Lets a run be declared longer in the turn in which it was declared."""

    def grows(self, old, held):
        return contains(held, old.cards)


@mutant
class GrowthByTwoRuns(Belote):
    """Joins two declared runs by the card between them (BELOTE-R26)."""

    def is_free(self, seat, held):
        return all(
            self.grows(old, held)
            for old in self.standing()
            if old.seat == seat and old.cards & held
        )

    def standing(self):
        return self.declared


@mutant
class GrowthAtTheTopOnly(Belote):
    """Lets a run grow upwards only."""

    def grows(self, old, held):
        return super().grows(old, held) and min(each(held)) == min(each(old.cards))


@mutant
class GrowthByOneCardOnly(Belote):
    """Lets a run grow by one card at a time."""

    def grows(self, old, held):
        return super().grows(old, held) and held.bit_count() == old.cards.bit_count() + 1


@mutant
class LostRunFreesItsCards(Belote):
    """Sets the cards of a combination free that has lost its comparison."""

    def standing(self):
        paid = [told.cards for told in self.credited]
        return [
            old for old in super().standing() if old.trick == self.trick_now() or old.cards in paid
        ]


@mutant
class OthersCardsUsedUp(Belote):
    """Lets a declaration of one player close the ranks of it to the other."""

    def is_free(self, seat, held):
        return super().is_free(seat, held) and not any(
            old.seat != seat and _ranks(old.cards) == _ranks(held) and old.trick < self.trick_now()
            for old in self.declared
        )


@mutant
class DeclarationsKeptForTheNextHand(Belote):
    """Keeps what was declared from one hand to the next."""

    kept = ()

    def clear_table(self):
        kept = tuple(getattr(self, "declared", ()))
        super().clear_table()
        self.kept = kept

    def is_free(self, seat, held):
        return super().is_free(seat, held) and not any(
            old.seat == seat and old.cards & held for old in self.kept
        )


# Who is credited.


@mutant
class WeakerSideCredited(Belote):
    """Credits the weaker side."""

    def credited_seats(self, due):
        return tuple(1 - seat for seat in super().credited_seats(due))


@mutant
class NobodyCreditedForEquals(Belote):
    """Credits nobody when the best combinations are equal."""

    def credited_seats(self, due):
        seats = super().credited_seats(due)
        best = [
            max((self.strength(old.cards) for old in due if old.seat == seat), default=None)
            for seat in (0, 1)
        ]
        return () if best[0] == best[1] and len(seats) == 1 else seats


@mutant
class BothCreditedForEquals(Belote):
    """Credits both when the best combinations are equal."""

    def credited_seats(self, due):
        seats = super().credited_seats(due)
        best = [
            max((self.strength(old.cards) for old in due if old.seat == seat), default=None)
            for seat in (0, 1)
        ]
        return (0, 1) if best[0] == best[1] and seats else seats


@mutant
class LaterOfEqualsCredited(Belote):
    """Credits the player who declared later when the best combinations are equal."""

    def credited_seats(self, due):
        return super().credited_seats(due[::-1])


@mutant
class TakerOfEqualsCredited(Belote):
    """Credits the taker when the best combinations are equal."""

    def credited_seats(self, due):
        return super().credited_seats(sorted(due, key=lambda old: old.seat != self.taker))


@mutant
class SeatZeroOfEqualsCredited(Belote):
    """Credits seat 0 when the best combinations are equal."""

    def credited_seats(self, due):
        return super().credited_seats(sorted(due, key=lambda old: old.seat))


@mutant
class OwnEqualsCancel(Belote):
    """Lets two equal combinations of one player cancel each other."""

    def credited_seats(self, due):
        strengths = sorted(self.strength(old.cards)[:3] for old in due)
        return (
            () if len(due) > 1 and strengths[-1] == strengths[-2] else super().credited_seats(due)
        )


@mutant
class OnlyTheBestIsPaid(Belote):
    """Credits the winner of the comparison with the strongest combination alone."""

    def settle(self):
        due = self.due()
        settled = super().settle()
        best = max((self.strength(old.cards) for old in due), default=None)
        told = [
            one if self.strength(one.cards) == best else one._replace(points=0) for one in settled
        ]
        if self.rules.compare_combinations == "none":
            return settled
        self.credited = [one for one in self.credited if one not in settled]
        self.credited += [one for one in told if one.points]
        return told


@mutant
class EachCombinationByItself(Belote):
    """Compares category by category: fours with fours, runs with runs (BELOTE-R22)."""

    def credited_seats(self, due):
        fours = [old for old in due if old.cards in FOURS]
        runs = [old for old in due if old.cards not in FOURS]
        seats = {*super().credited_seats(fours), *super().credited_seats(runs)}
        return tuple(seats)


@mutant
class LosersNotTold(Belote):
    """Doesn't tell combinations that have lost."""

    def settle(self):
        return [told for told in super().settle() if told.points]


@mutant
class WinnersToldFirst(Belote):
    """Tells the combinations of the winner first instead of in the order of declaring."""

    def settle(self):
        return sorted(super().settle(), key=lambda told: not told.points)


@mutant
class CombinationsToldAtFullValue(Belote):
    """Tells a grown run with its whole value and credits the rest."""

    def settle(self):
        return [
            told._replace(points=self.value_of(told.cards)) if told.points else told
            for told in super().settle()
        ]


@mutant
class CombinationsToldInTens(Belote):
    """Tells combinations in tens where the score is kept in tens."""

    def settle(self):
        settled = super().settle()
        if self.rules.scale == "tens":
            return [told._replace(points=told.points // 10) for told in settled]
        return settled


@mutant
class SettledWithTheDeclaration(Belote):
    """Settles a leader's combinations before the other has answered."""

    def credited_seats(self, due):
        if self.rules.compare_combinations != "per_trick" or not due:
            return super().credited_seats(due)
        return (due[0].seat,)


@mutant
class PerHandWithReplacedRuns(Belote):
    """Under comparison per hand, counts runs that have grown too."""

    def due(self):
        if self.rules.compare_combinations == "per_hand":
            return list(self.declared) if self.last_trick_taken() else []
        return super().due()


@mutant
class PerHandWithTheFirstTrick(Belote):
    """Under comparison per hand, settles what was declared with the first trick."""

    def due(self):
        if self.rules.compare_combinations == "per_hand":
            return self.standing() if sum(self.tricks) == 1 else []
        return super().due()


# How combinations compare.


@mutant
class RunsBeatFours(Belote):
    """Ranks runs above fours (BELOTE-35)."""

    def strength_of_four(self, held):
        return (-1, *super().strength_of_four(held)[1:])


@mutant
class WorthlessFourBeatsNothing(Belote):
    """Ranks a four that is worth nothing below every run (BELOTE-R32)."""

    def strength_of_four(self, held):
        strength = super().strength_of_four(held)
        return strength if self.value_of(held) else (-1, *strength[1:])


@mutant
class FoursByPoints(Belote):
    """Compares fours by their points, and equal ones by who came first (BELOTE-R29)."""

    def strength_of_four(self, held):
        return (1, self.value_of(held))


@mutant
class FoursInNaturalOrder(Belote):
    """Compares fours by rank, ace to nine."""

    def strength_of_four(self, held):
        return (1, RUN_ORDER.index(FOURS[held]))


@mutant
class AllByPoints(Belote):
    """Compares all combinations by their points."""

    def strength(self, held):
        return (self.value_of(held), *super().strength(held))


@mutant
class ComparedByWhatIsPaid(Belote):
    """Compares a grown run by what it still pays."""

    def credited_seats(self, due):
        if len({old.seat for old in due}) < 2 or self.rules.compare_combinations != "per_trick":
            return super().credited_seats(due)
        best = max(due, key=lambda old: (old.cards in FOURS, self.payment(old.seat, old.cards)))
        return (best.seat,)


@mutant
class LengthIgnored(Belote):
    """Compares runs by their top cards only (BELOTE-19)."""

    def strength_of_run(self, held):
        four, _, *rest = super().strength_of_run(held)
        return (four, *rest)


@mutant
class TopCardIgnored(Belote):
    """Compares runs by their length only (BELOTE-20)."""

    def strength_of_run(self, held):
        four, length, _, trump = super().strength_of_run(held)
        return (four, length, trump)


@mutant
class TopCardInTrickOrder(Belote):
    """Compares top cards in the order in which they take tricks (BELOTE-R24)."""

    def strength_of_run(self, held):
        four, length, _, trump = super().strength_of_run(held)
        return (four, length, max(map(self.rank, each(held))), trump)


@mutant
class LowestCardCompared(Belote):
    """Compares runs of the same length by their points as cards."""

    def strength_of_run(self, held):
        four, length, _, trump = super().strength_of_run(held)
        return (four, length, self.card_points(held), trump)


@mutant
class TrumpRunsFirst(Belote):
    """Ranks a run in trumps above a longer or higher one (BELOTE-R23)."""

    def strength_of_run(self, held):
        four, length, top, trump = super().strength_of_run(held)
        return (four, trump, length, top)


@mutant
class TrumpBeforeTopCard(Belote):
    """Ranks a run in trumps above a higher one of the same length (BELOTE-R23)."""

    def strength_of_run(self, held):
        four, length, top, trump = super().strength_of_run(held)
        return (four, length, trump, top)


@mutant
class TrumpRunsNotPreferred(Belote):
    """Doesn't prefer a run in trumps among equals (BELOTE-21)."""

    def strength_of_run(self, held):
        return super().strength_of_run(held)[:3]


@mutant
class SuitsRankedAtNoTrump(Belote):
    """Prefers some suit among equal runs at no trump (BELOTE-R23)."""

    def strength_of_run(self, held):
        strength = super().strength_of_run(held)
        return (*strength[:3], held) if self.trump == NO_TRUMP else strength


@mutant
class SuitsRankedAmongPlainRuns(Belote):
    """Prefers a higher suit in pack order among equal plain runs."""

    def strength_of_run(self, held):
        strength = super().strength_of_run(held)
        return (*strength, held) if self.trump != NO_TRUMP else strength


# What combinations pay.


class OtherFours(Belote):
    """Open Belote with another list of fours."""

    def values_of_fours(self):
        return self.other_list(self.trump == NO_TRUMP) or super().values_of_fours()

    def other_list(self, no_trump):
        raise NotImplementedError


@mutant
class NoTrumpListAtTrumps(OtherFours):
    """Uses the list of fours for no trump with trumps too."""

    def other_list(self, no_trump):
        return NO_TRUMP_FOURS[100]


@mutant
class TrumpListAtNoTrump(OtherFours):
    """Uses the list of fours for trumps at no trump too (BELOTE-37)."""

    def other_list(self, no_trump):
        return TRUMP_FOURS


@mutant
class AllFoursPayAHundred(OtherFours):
    """Pays a hundred for every four but jacks, nines and, at no trump, aces."""

    def other_list(self, no_trump):
        return None if no_trump else {**TRUMP_FOURS, "A": 100}


@mutant
class FourNinesPayOneFifty(OtherFours):
    """Pays 150 for four nines, as in France (BELOTE-36)."""

    def other_list(self, no_trump):
        return None if no_trump else {**TRUMP_FOURS, "9": 150}


@mutant
class FourNinesPayAtNoTrump(OtherFours):
    """Pays 140 for four nines at no trump (BELOTE-37)."""

    def other_list(self, no_trump):
        return {**NO_TRUMP_FOURS[100], "9": 140} if no_trump else None


@mutant
class FourJacksFirstAtNoTrump(OtherFours):
    """Ranks four jacks at no trump above the other hundreds (BELOTE-R30)."""

    def other_list(self, no_trump):
        if not no_trump or self.rules.no_trump_four_jacks != 100:
            return None
        return {"A": 190, "J": 100, "T": 100, "K": 100, "Q": 100, "9": 0}


@mutant
class FourJacksLastEvenAtTwoHundred(OtherFours):
    """Pays 200 for four jacks at no trump by option, and ranks them after the queens."""

    def other_list(self, no_trump):
        if not no_trump or self.rules.no_trump_four_jacks != 200:
            return None
        return {"A": 190, "T": 100, "K": 100, "Q": 100, "J": 200, "9": 0}


@mutant
class EveryFourPaysAsJacksAtNoTrump(OtherFours):
    """Lets the option for four jacks at no trump set the value of every four (BELOTE-R30)."""

    def other_list(self, no_trump):
        pays = self.rules.no_trump_four_jacks
        if not no_trump or pays == 100:
            return None
        return dict.fromkeys(NO_TRUMP_FOURS[pays], pays)


class OtherRuns(Belote):
    """Open Belote with other values of runs."""

    values = {3: 20, 4: 50, 5: 100}

    def value_of(self, held):
        return super().value_of(held) if held in FOURS else self.values[held.bit_count()]


@mutant
class FiftyPaysForty(OtherRuns):
    """Pays forty for a run of four."""

    values = {3: 20, 4: 40, 5: 100}


@mutant
class HundredPaysFifty(OtherRuns):
    """Pays a run of five like one of four."""

    values = {3: 20, 4: 50, 5: 50}


@mutant
class RunsByTheClauseOfFours(Belote):
    """Puts a hundred down to the clause of the fours."""

    def clause_of(self, held):
        clause = super().clause_of(held)
        return "BELOTE-35" if clause == "BELOTE-38" else clause


@mutant
class FiftyCalledATierce(Belote):
    """Puts a fifty down to the clause of the tierce."""

    def clause_of(self, held):
        clause = super().clause_of(held)
        return "BELOTE-40" if clause == "BELOTE-39" else clause


@mutant
class GrowthNotPaid(Belote):
    """Pays nothing for a grown run, as its shorter part has been paid (BELOTE-24)."""

    def payment(self, seat, held):
        grown = any(old.seat == seat and contains(held, old.cards) for old in self.credited)
        return 0 if grown and self.rules.growth == "replace" else super().payment(seat, held)


@mutant
class GrowthOffTheLastStep(Belote):
    """Takes off what the last step paid instead of the whole credit."""

    def payment(self, seat, held):
        if self.rules.growth == "add":
            return super().payment(seat, held)
        steps = [
            old.points for old in self.credited if old.seat == seat and contains(held, old.cards)
        ]
        return self.value_of(held) - (steps[-1] if steps else 0)


@mutant
class GrowthOffTheLostRun(Belote):
    """Takes a run off the longer one although it lost and was never credited (BELOTE-R21)."""

    def payment(self, seat, held):
        if self.rules.growth == "add":
            return super().payment(seat, held)
        parts = [
            self.value_of(old.cards)
            for old in self.declared
            if old.seat == seat and contains(held, old.cards)
        ]
        return self.value_of(held) - max(parts, default=0)


@mutant
class GrowthOffTheOthersRun(Belote):
    """Takes off the best credited run of either player (BELOTE-R21)."""

    def payment(self, seat, held):
        if self.rules.growth == "add":
            return super().payment(seat, held)
        credited = [self.value_of(old.cards) for old in self.credited if old.cards in RUNS]
        less = max((value for value in credited if value < self.value_of(held)), default=0)
        return self.value_of(held) - less if credited else super().payment(seat, held)


# Belote.


@mutant
class BeloteNotCredited(Belote):
    """Doesn't credit belote, as nobody has announced it (BELOTE-23)."""

    def belote_owner(self):
        return None


@mutant
class BeloteAtNoTrump(Belote):
    """Credits king and queen of hearts at no trump (BELOTE-R35)."""

    def belote_pair(self):
        return super().belote_pair() or of_rank("KQ") & HEARTS


@mutant
class BeloteOfClubs(Belote):
    """Credits king and queen of clubs whatever is trumps."""

    def belote_pair(self):
        return super().belote_pair() and of_rank("KQ") & CLUBS


@mutant
class BeloteOpenAtTheStartOnly(Belote):
    """Credits belote only if both cards were dealt face up (BELOTE-R33)."""

    def belote_owner(self):
        owner = super().belote_owner()
        if owner is None or self.belote_pair() & ~union(self.dealt.up[owner]):
            return None
        return owner


@mutant
class BeloteToTheWinnerOfTheCards(Belote):
    """Credits belote to the player who has won both cards (BELOTE-R33)."""

    def belote_owner(self):
        pair = self.belote_pair()
        for seat, pile in enumerate(self.won):
            if pair and not pair & ~pile:
                return seat
        return None


@mutant
class BeloteWithTheFirstCard(Belote):
    """Credits belote with the trick in which the first of its cards falls (BELOTE-R33)."""

    def belote_completed(self, taken):
        pair, owner = self.belote_pair(), self.belote_owner()
        if owner is None or not taken & pair or pair & sum(self.won) & ~taken:
            return []
        return [Combination(owner, "BELOTE-41", pair, BELOTE_VALUE)]


@mutant
class BeloteWithEachCard(Belote):
    """Credits belote with the king and with the queen."""

    def belote_completed(self, taken):
        pair, owner = self.belote_pair(), self.belote_owner()
        if owner is None:
            return []
        fallen = (taken & pair).bit_count()
        return [Combination(owner, "BELOTE-41", pair, BELOTE_VALUE)] * fallen

    def tally(self):
        tally = super().tally()
        return replace(tally, belote=tuple(2 * points for points in tally.belote))


@mutant
class BeloteKingFirst(Belote):
    """Credits belote only if the king is played before the queen."""

    def belote_completed(self, taken):
        told = super().belote_completed(taken)
        king = of_rank("K") & self.trumps
        return [] if told and taken & king and not taken & of_rank("Q") & self.trumps else told


@mutant
class BeloteForTheTakerOnly(Belote):
    """Credits belote to the taker only."""

    def belote_owner(self):
        owner = super().belote_owner()
        return owner if owner == self.taker else None


@mutant
class BeloteOfDifferentOwners(Belote):
    """Credits belote although its two cards belong to different players."""

    def belote_owner(self):
        if owner := super().belote_owner():
            return owner
        queen = of_rank("Q") & self.trumps
        for seat in (0, 1):
            if queen and queen & union(self.dealt.up[seat] + self.dealt.down[seat]):
                return seat
        return None


@mutant
class BeloteHeldBackPerHand(Belote):
    """Under comparison per hand, tells belote with the last trick."""

    def belote_completed(self, taken):
        if self.rules.compare_combinations != "per_hand":
            return super().belote_completed(taken)
        owner = self.belote_owner()
        if owner is None or not self.last_trick_taken():
            return []
        return [Combination(owner, "BELOTE-41", self.belote_pair(), BELOTE_VALUE)]


@mutant
class BeloteTakesPartInComparing(Belote):
    """Loses a player's belote when the other's combinations win that trick (BELOTE-R34)."""

    lost = False

    def deal(self, deal):
        self.lost = False
        super().deal(deal)

    def belote_completed(self, taken):
        told = super().belote_completed(taken)
        due = self.due()
        if told and due and told[0].seat not in self.credited_seats(due):
            self.lost = True
            return []
        return told

    def tally(self):
        tally = super().tally()
        return replace(tally, belote=(0, 0)) if self.lost else tally


@mutant
class BeloteUsesItsCardsUp(Belote):
    """Doesn't let king and queen of trumps stand in a declared run as well (BELOTE-R34)."""

    def is_free(self, seat, held):
        pair = self.belote_pair()
        return super().is_free(seat, held) and not (
            pair and not pair & ~held and self.belote_owner() == seat
        )


@mutant
class BeloteToldFirst(Belote):
    """Tells belote before the declared combinations of the trick."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        outcome.combinations = outcome.combinations[::-1]


# Made or failed.


@mutant
class CardsOnlyCompared(Belote):
    """Compares card points alone (BELOTE-R38)."""

    def compared(self, seat, tally):
        return tally.cards[seat]


@mutant
class BeloteNotCompared(Belote):
    """Leaves belote out when the sides are compared (BELOTE-R38)."""

    def compared(self, seat, tally):
        return tally.cards[seat] + tally.combinations[seat]


@mutant
class OpponentsCombinationsNotCompared(Belote):
    """Leaves the opponent's combinations out when the sides are compared."""

    def compared(self, seat, tally):
        return super().compared(seat, tally) if seat == tally.taker else tally.cards[seat]


@mutant
class ComparedInTens(Belote):
    """Decides on rounded points (BELOTE-R48)."""

    def has_more(self, taker, opponent):
        return super().has_more((taker + 4) // 10, (opponent + 4) // 10)


@mutant
class ComparedInTensWhereScoredInTens(Belote):
    """Decides on rounded points where the score is kept in tens (BELOTE-R48)."""

    def has_more(self, taker, opponent):
        if self.rules.scale == "tens":
            opponent = (opponent + 4) // 10
            return super().has_more((taker + 4) // 10, opponent)
        return super().has_more(taker, opponent)


@mutant
class HalfOfTheCardsNeeded(Belote):
    """Asks the taker for more than half of 162 (BELOTE-31)."""

    def has_made(self, tally):
        return super().has_made(tally) and tally.cards[tally.taker] > 81


@mutant
class TieNeedsOneMore(Belote):
    """Asks the taker for two points more than the opponent has."""

    def has_more(self, taker, opponent):
        return super().has_more(taker - 1, opponent)


@mutant
class TieMakesWithOneLess(Belote):
    """Under the option for ties, lets the taker make it with a point less."""

    def has_more(self, taker, opponent):
        less = 2 if self.rules.taker_tie == "makes" else 0
        return super().has_more(taker + less, opponent)


@mutant
class CardsFromOneFiftyTwo(Belote):
    """Takes the opponent's points off 152, the cards without the last ten (BELOTE-26)."""

    def cards_total(self):
        return super().cards_total() - (10 if self.rules.scale == "full" else 1)


@mutant
class OpponentScoresNothingWhenMade(Belote):
    """Writes nothing for the opponent's cards when the taker has made it (BELOTE-R47)."""

    def lines_of_cards(self, tally):
        return super().lines_of_cards(tally)[:1]


@mutant
class OpponentsCombinationsLostWhenMade(Belote):
    """Writes only the taker's combinations when the contract is made (BELOTE-R47)."""

    def lines_if_made(self, tally):
        return [*self.lines_of_cards(tally), *self.own_combinations(tally.taker, tally)]


@mutant
class FailedTakerKeepsCards(Belote):
    """Lets a taker who failed keep the points of the cards."""

    def lines_if_failed(self, tally):
        lines = super().lines_if_failed(tally)
        own = self.opponents_cards(tally.cards[tally.taker])
        return [*lines, Line(tally.taker, "BELOTE-33", own)]


@mutant
class FailedTakerKeepsCombinations(Belote):
    """Lets a taker who failed keep combinations and belote (BELOTE-R39)."""

    def lines_if_failed(self, tally):
        opponent = 1 - tally.taker
        lines = [line for line in super().lines_if_failed(tally) if line.side == opponent]
        return [
            lines[0],
            *self.own_combinations(opponent, tally),
            *self.own_combinations(tally.taker, tally),
        ]


@mutant
class FailedCombinationsLost(Belote):
    """Takes a failed taker's combinations away and gives them to nobody (BELOTE-R39)."""

    def lines_if_failed(self, tally):
        lines = super().lines_if_failed(tally)
        return [*lines[:3], *lines[4:]]


@mutant
class BeloteOptionKeepsAll(Belote):
    """Takes the option for the belote of a failed taker for one on all combinations."""

    def lines_if_failed(self, tally):
        lines = super().lines_if_failed(tally)
        if self.rules.belote_on_failure != "stays":
            return lines
        kept = self.in_scale(tally.combinations[tally.taker])
        return [*lines[:3], lines[4], Line(tally.taker, "BELOTE-28", kept)]


@mutant
class OpponentsOwnLostWhenFailed(Belote):
    """Forgets the opponent's own combinations when the taker fails."""

    def lines_if_failed(self, tally):
        lines = super().lines_if_failed(tally)
        return [lines[0], *lines[3:]]


@mutant
class PassedOverAsOwn(Belote):
    """Writes what passes over as combinations of the opponent's own."""

    def lines_if_failed(self, tally):
        lines = super().lines_if_failed(tally)
        lines[3] = replace(lines[3], clause="BELOTE-28")
        return lines


@mutant
class BeloteWithTheCombinations(Belote):
    """Writes belote and combinations in one line."""

    def own_combinations(self, seat, tally):
        both = tally.combinations[seat] + tally.belote[seat]
        return [Line(seat, "BELOTE-28", self.in_scale(both))]


@mutant
class LinesOfNothing(Belote):
    """Writes lines of nothing into the breakdown."""

    def breakdown(self, tally):
        return [*super().breakdown(tally), Line(tally.taker, "BELOTE-28", 0)]


@mutant
class CombinationsTwice(Belote):
    """Counts combinations in the cards and again by themselves."""

    def own_combinations(self, seat, tally):
        lines = super().own_combinations(seat, tally)
        return [*lines, lines[0]]


@mutant
class SeatZeroIsTheTaker(Belote):
    """Scores as if seat 0 had chosen."""

    def breakdown(self, tally):
        return super().breakdown(replace(tally, taker=0))


# Kaput.


@mutant
class KaputNotKnown(Belote):
    """Writes 162 for a hand in which one player has nothing."""

    def kaput_total(self):
        return self.cards_total()


@mutant
class KaputForTheTakerOnly(Belote):
    """Pays a kaput to the taker only (BELOTE-R42)."""

    def is_kaput(self, seat, tally):
        return seat != tally.taker and super().is_kaput(seat, tally)


@mutant
class KaputOfTheTakerOnly(Belote):
    """Knows only a kaput of the taker (BELOTE-R42)."""

    def is_kaput(self, seat, tally):
        return seat == tally.taker and super().is_kaput(seat, tally)


@mutant
class KaputByRoundedPoints(Belote):
    """Takes a player for kaput whose points round to nothing (BELOTE-R40)."""

    def is_kaput(self, seat, tally):
        if self.rules.scale == "tens" and self.rules.kaput == "no_points":
            return (tally.cards[seat] + 4) // 10 == 0
        return super().is_kaput(seat, tally)


@mutant
class KaputBelowTen(Belote):
    """Takes a player with fewer than ten points for kaput."""

    def is_kaput(self, seat, tally):
        if self.rules.kaput == "no_points":
            return tally.cards[seat] < 10
        return super().is_kaput(seat, tally)


@mutant
class KaputSavedByCombinations(Belote):
    """Doesn't take a player for kaput who has combinations (BELOTE-R40)."""

    def is_kaput(self, seat, tally):
        return super().is_kaput(seat, tally) and not tally.combinations[seat] + tally.belote[seat]


@mutant
class KaputOutweighed(Belote):
    """Lets combinations decide a round in which one player is kaput (BELOTE-R44)."""

    def has_made(self, tally):
        taker, opponent = tally.taker, 1 - tally.taker
        return self.has_more(self.compared(taker, tally), self.compared(opponent, tally))


@mutant
class KaputBeforeTheCards(Belote):
    """Adds the kaput bonus to the comparison and to the total (BELOTE-R38)."""

    def lines_of_cards(self, tally):
        lines = super().lines_of_cards(tally)
        if lines[0].clause == "BELOTE-32":
            extra = self.kaput_total() - self.cards_total()
            return [replace(lines[0], points=lines[0].points + extra)]
        return lines


@mutant
class KaputInTwoLines(Belote):
    """Writes a kaput as the cards and a bonus."""

    def breakdown(self, tally):
        lines = []
        for line in super().breakdown(tally):
            if line.clause == "BELOTE-32":
                bonus = line.points - self.cards_total()
                lines += [replace(line, points=self.cards_total()), replace(line, points=bonus)]
            else:
                lines.append(line)
        return lines


@mutant
class KaputLosesCombinations(Belote):
    """Takes a kaput opponent's combinations away (BELOTE-R43)."""

    def lines_if_made(self, tally):
        opponent = 1 - tally.taker
        if self.is_kaput(opponent, tally):
            return [*self.lines_of_cards(tally), *self.own_combinations(tally.taker, tally)]
        return super().lines_if_made(tally)


@mutant
class KaputTakerKeepsCombinations(Belote):
    """Lets a kaput taker keep combinations (BELOTE-R43)."""

    def lines_if_failed(self, tally):
        lines = super().lines_if_failed(tally)
        if not self.is_kaput(tally.taker, tally):
            return lines
        return [*lines[:3], *self.own_combinations(tally.taker, tally)]


@mutant
class KaputTakerLosesTheStayingBelote(Belote):
    """Takes the belote from a kaput taker although the option lets it stay."""

    def belote_kept(self, tally):
        return 0 if self.is_kaput(tally.taker, tally) else super().belote_kept(tally)


@mutant
class KaputTotalInTens(Belote):
    """Divides the agreed total for a kaput by ten instead of writing 21."""

    def kaput_total(self):
        total = self.rules.kaput_total
        return (total + 4) // 10 if self.rules.scale == "tens" else total


@mutant
class KaputThirtySevenInTens(Belote):
    """Adds 21 to the 16 for a kaput in tens (BELOTE-R41)."""

    def kaput_total(self):
        return 37 if self.rules.scale == "tens" else super().kaput_total()


@mutant
class NoTricksByNoPoints(Belote):
    """Takes a player without points for kaput under the option for tricks too, if they lead."""

    def is_kaput(self, seat, tally):
        if self.rules.kaput == "no_tricks":
            return tally.tricks[seat] <= 1 and tally.cards[seat] == 0
        return super().is_kaput(seat, tally)


# Tens.


class OtherTens(Belote):
    """Open Belote with the opponent's points rounded in another way."""

    def opponents_cards(self, points):
        return self.rounded(points) if self.rules.scale == "tens" else points

    def rounded(self, points):
        raise NotImplementedError


@mutant
class HalfUp(OtherTens):
    """Rounds a last 5 up (BELOTE-R46)."""

    def rounded(self, points):
        return (points + 5) // 10


@mutant
class HalfToEven(OtherTens):
    """Rounds a last 5 to the even ten (BELOTE-R46)."""

    def rounded(self, points):
        return round(points / 10)


@mutant
class CutOff(OtherTens):
    """Cuts the last digit off (BELOTE-R46)."""

    def rounded(self, points):
        return points // 10


@mutant
class SixDown(OtherTens):
    """Rounds a last 6 down too."""

    def rounded(self, points):
        return (points + 3) // 10


@mutant
class AlwaysUp(OtherTens):
    """Rounds every broken ten up."""

    def rounded(self, points):
        return -(-points // 10)


@mutant
class TakerRoundedToo(Belote):
    """Rounds the taker's points by themselves instead of writing the rest of 16 (BELOTE-R46)."""

    def lines_of_cards(self, tally):
        lines = super().lines_of_cards(tally)
        if self.rules.scale == "tens" and lines[0].clause == "BELOTE-33":
            points = (tally.cards[tally.taker] + 4) // 10
            return [replace(lines[0], points=points), lines[1]]
        return lines


@mutant
class TakerRoundedAndOpponentTheRest(Belote):
    """Rounds the taker's points and writes the rest for the opponent (BELOTE-33)."""

    def lines_of_cards(self, tally):
        lines = super().lines_of_cards(tally)
        if self.rules.scale == "tens" and lines[0].clause == "BELOTE-33":
            points = (tally.cards[tally.taker] + 4) // 10
            return [replace(lines[0], points=points), replace(lines[1], points=16 - points)]
        return lines


@mutant
class CombinationsInFullPoints(Belote):
    """Writes combinations in full points where the score is kept in tens."""

    def in_scale(self, points):
        return points


@mutant
class RoundedWithCombinations(Belote):
    """Rounds the opponent's cards and combinations together, half up."""

    def own_combinations(self, seat, tally):
        lines = super().own_combinations(seat, tally)
        if self.rules.scale == "tens" and seat != tally.taker and tally.cards[seat] % 10 == 5:
            return [
                replace(line, points=line.points + 1) if line.points else line for line in lines
            ]
        return lines


@mutant
class FailedPaysSeventeen(Belote):
    """Writes 17 for a failed contract in tens, 162 rounded up."""

    def lines_if_failed(self, tally):
        lines = super().lines_if_failed(tally)
        if self.rules.scale == "tens" and lines[0].clause == "BELOTE-31":
            lines[0] = replace(lines[0], points=17)
        return lines


# The end.


@mutant
class TargetMustBePassed(Belote):
    """Ends the match only beyond the limit (BELOTE-R50)."""

    def first_beyond(self, limit, counts):
        return super().first_beyond(limit + 1, counts)


@mutant
class TargetOneEarly(Belote):
    """Ends the match a point before the limit."""

    def first_beyond(self, limit, counts):
        return super().first_beyond(limit - 1, counts)


@mutant
class RoundsMustBePassed(Belote):
    """Asks for one round more than was agreed."""

    def match_winners(self):
        if self.rules.match == "rounds":
            return self.first_beyond(self.rules.rounds + 1, self.rounds_won)
        return super().match_winners()


@mutant
class BestOfRounds(Belote):
    """Plays the best of three or five rounds (BELOTE-R52)."""

    def match_winners(self):
        if self.rules.match == "rounds":
            return self.first_beyond(self.rules.rounds // 2 + 1, self.rounds_won)
        return super().match_winners()


@mutant
class RoundsByTotal(Belote):
    """Gives a match for rounds to the higher score."""

    def match_winners(self):
        winners = super().match_winners()
        if winners and self.rules.match == "rounds" and self.scores[0] != self.scores[1]:
            return (self.scores.index(max(self.scores)),)
        return winners


@mutant
class EitherLimitEnds(Belote):
    """Ends a match for points when the rounds of the other option are won, and the other way."""

    def match_winners(self):
        target = self.first_beyond(self.rules.target, self.scores)
        return super().match_winners() or (target if self.rules.match == "rounds" else ())


@mutant
class TieToTheFirstSeat(Belote):
    """Gives equal totals at the limit to seat 0 (BELOTE-R51)."""

    def first_beyond(self, limit, counts):
        return (counts.index(max(counts)),) if max(counts) >= limit else ()


@mutant
class TieIsShared(Belote):
    """Lets both win with equal totals at the limit (BELOTE-R51)."""

    def first_beyond(self, limit, counts):
        both = counts[0] == counts[1] >= limit
        return (0, 1) if both else super().first_beyond(limit, counts)


@mutant
class BothOverToTheTaker(Belote):
    """With both at the limit, lets the taker of the last hand win."""

    def first_beyond(self, limit, counts):
        if min(counts) >= limit and counts[0] != counts[1]:
            return (self.took,)
        return super().first_beyond(limit, counts)

    def score(self, tally, outcome):
        self.took = tally.taker
        super().score(tally, outcome)


@mutant
class BothOverToTheFirstSeat(Belote):
    """With both at the limit, lets seat 0 win."""

    def first_beyond(self, limit, counts):
        if min(counts) >= limit and counts[0] != counts[1]:
            return (0,)
        return super().first_beyond(limit, counts)


@mutant
class BothOverToTheLower(Belote):
    """Gives the match to the lower total."""

    def first_beyond(self, limit, counts):
        return tuple(1 - seat for seat in super().first_beyond(limit, counts))


@mutant
class EndTestsSeatZero(Belote):
    """Looks only at seat 0 to see whether the limit is reached."""

    def first_beyond(self, limit, counts):
        return super().first_beyond(limit, counts) if counts[0] >= limit else ()


@mutant
class EndTestsTheTaker(Belote):
    """Ends the match only when the taker stands at the limit."""

    def score(self, tally, outcome):
        self.took = tally.taker
        super().score(tally, outcome)

    def first_beyond(self, limit, counts):
        return super().first_beyond(limit, counts) if counts[self.took] >= limit else ()


@mutant
class RoundToTheTaker(Belote):
    """Books every round for the taker (BELOTE-R53)."""

    def count_up(self, tally):
        winner = tally.taker
        self.rounds_won = tuple(
            count + (seat == winner) for seat, count in enumerate(self.rounds_won)
        )
        return {"rounds_won": self.rounds_won}


@mutant
class RoundByPoints(Belote):
    """Books a round for the player who wrote more points (BELOTE-R53)."""

    def count_up(self, tally):
        points = [0, 0]
        for line in self.breakdown(tally):
            points[line.side] += line.points
        winner = points.index(max(points))
        self.rounds_won = tuple(
            count + (seat == winner) for seat, count in enumerate(self.rounds_won)
        )
        return {"rounds_won": self.rounds_won}


@mutant
class RoundsKeptByOptionOnly(Belote):
    """Keeps rounds won only in a match for rounds."""

    def count_up(self, tally):
        before = self.rounds_won
        counts = super().count_up(tally)
        if self.rules.match == "rounds":
            return counts
        self.rounds_won = before
        return {"rounds_won": before}


@mutant
class ScoresKeptByOptionOnly(Belote):
    """Keeps scores only in a match for points."""

    def breakdown(self, tally):
        return [] if self.rules.match == "rounds" else super().breakdown(tally)


@mutant
class EndsInMidHand(Belote):
    """Ends the match as soon as the card points so far bring a player to the limit."""

    def take_trick(self):
        outcome = super().take_trick()
        if outcome.hand is None and self.rules.match == "score":
            seat = outcome.winner
            points = self.card_points(self.won[seat])
            if self.scores[seat] + self.opponents_cards(points) >= self.rules.target:
                self.to_act = ()
                self.winners = outcome.match_winners = (seat,)
        return outcome


@mutant
class HangingPointsOnATie(Belote):
    """Lets the taker's points hang when both have as many."""

    def lines_if_failed(self, tally):
        lines = super().lines_if_failed(tally)
        taker, opponent = tally.taker, 1 - tally.taker
        if self.compared(taker, tally) == self.compared(opponent, tally):
            points = self.opponents_cards(tally.cards[opponent])
            return [Line(opponent, "BELOTE-31", points), *self.own_combinations(opponent, tally)]
        return lines


# The deal of a pack.


@mutant
class DealtOneByOne(Belote):
    """Deals the shuffled pack one card at a time (BELOTE-R08)."""

    @classmethod
    def deal_from_pack(cls, row):
        rows = [tuple(row[place::2]) for place in range(2)]
        return Deal(down=tuple(r[:8] for r in rows), up=tuple(r[8:] for r in rows))


@mutant
class SeatOneDealtFirst(Belote):
    """Deals the shuffled pack to seat 1 first (BELOTE-R08)."""

    @classmethod
    def deal_from_pack(cls, row):
        deal = super().deal_from_pack(row)
        return Deal(down=deal.down[::-1], up=deal.up[::-1])


@mutant
class OpenCardsDealtFirst(Belote):
    """Deals the open cards of the shuffled pack before the covered ones."""

    @classmethod
    def deal_from_pack(cls, row):
        deal = super().deal_from_pack(row)
        return Deal(down=deal.up, up=deal.down)


@mutant
class DealtInEights(Belote):
    """Deals the shuffled pack in packets of eight."""

    @classmethod
    def deal_from_pack(cls, row):
        eights = [tuple(row[place : place + 8]) for place in range(0, 32, 8)]
        return Deal(down=tuple(eights[:2]), up=tuple(eights[2:]))


# What a request may hold.


@mutant
class TallyUnchecked(Belote):
    """Scores a tally that no hand can give."""

    @classmethod
    def check_tally(cls, rules, tally):
        pass


@mutant
class TallyOfCombinationsUnchecked(Belote):
    """Scores combinations and belote that no hand can give."""

    @classmethod
    def check_tally_of_combinations(cls, rules, tally):
        pass


@mutant
class BeloteOnBothSidesScored(Belote):
    """Scores a tally in which both players have belote."""

    @classmethod
    def check_tally_of_combinations(cls, rules, tally):
        if all(tally.belote):
            tally = replace(tally, belote=(0, 0))
        super().check_tally_of_combinations(rules, tally)


@mutant
class PointsWithoutTricksScored(Belote):
    """Scores a tally with points for a player without a trick."""

    @classmethod
    def check_tally(cls, rules, tally):
        if sum(tally.tricks) == 16:
            tally = replace(tally, tricks=(8, 8))
        super().check_tally(rules, tally)


@mutant
class TricksUncounted(Belote):
    """Doesn't count the tricks of a tally."""

    @classmethod
    def check_tally(cls, rules, tally):
        if all(tally.tricks) or sum(tally.tricks) != 16:
            tally = replace(tally, tricks=(8, 8))
        super().check_tally(rules, tally)


@mutant
class NoTrumpScoredWhenOff(Belote):
    """Scores a tally at no trump where the options exclude it."""

    @classmethod
    def check_tally(cls, rules, tally):
        super().check_tally(replace(rules, no_trump=True), tally)


# What is seen.


@mutant
class CoveredCardsShown(Belote):
    """Shows a player their own covered cards (BELOTE-R09)."""

    def view(self, seat):
        view = super().view(seat)
        if self.covered[seat]:
            del view.unknown[f"down {seat}"]
            view.known[f"down {seat}"] = self.covered[seat]
        return view


@mutant
class StockShown(Belote):
    """Shows the second four before they are dealt."""

    def view(self, seat):
        view = super().view(seat)
        if self.stock:
            del view.unknown["stock"]
            view.known["stock"] = self.stock
        return view


@mutant
class StockNotCounted(Belote):
    """Leaves the second four out of what is hidden."""

    def view(self, seat):
        view = super().view(seat)
        view.unknown.pop("stock", None)
        return view


@mutant
class OthersOpenCardsHidden(Belote):
    """Counts the other player's open cards as a hidden hand."""

    def view(self, seat):
        view = super().view(seat)
        other = f"hand {1 - seat}"
        if held := view.known.pop(other, 0):
            view.unknown[other] = held.bit_count()
        return view


@mutant
class StacksOfTheOtherFirst(Belote):
    """Shows a player's own stacks first instead of those of seat 0."""

    def view(self, seat):
        view = super().view(seat)
        stacks = [" ".join(self.stacks(owner)) for owner in (seat, 1 - seat)]
        return view._replace(extra={"stacks": stacks})


@mutant
class NoStacksBeforeADeal(Belote):
    """Shows no stacks where nothing has been dealt."""

    def view(self, seat):
        view = super().view(seat)
        return view if self.dealt.up[0][0] else view._replace(extra={"stacks": ["", ""]})


@mutant
class StacksClosedUp(Belote):
    """Moves the stacks together when one is used up."""

    def stacks(self, seat):
        stacks = super().stacks(seat)
        left = [stack for stack in stacks if stack != "-"]
        return left + ["-"] * (8 - len(left))


@mutant
class StacksWithoutCovers(Belote):
    """Doesn't show which open cards lie on a covered one."""

    def stack(self, seat, up, down):
        stack = super().stack(seat, up, down)
        return stack[:2] if len(stack) == 3 else stack


@mutant
class StacksEmptyBeforeTheSecondFour(Belote):
    """Shows a stack that is covered only as empty."""

    def stack(self, seat, up, down):
        stack = super().stack(seat, up, down)
        return "-" if stack == "+" else stack


@mutant
class RevealAfterTrickShowsEarly(Belote):
    """Under the option to reveal after the trick, shows the card under the leader's at once."""

    def view(self, seat):
        if self.trick and self.rules.reveal == "after_trick":
            twin = self.copy()
            twin.uncovered = self.uncovered[:]
            twin.uncover(self.leader, self.trick[0])
            return Belote.view(twin, seat)
        return super().view(seat)
