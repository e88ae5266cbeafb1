"""Bid Whist misread."""

from dataclasses import replace

from oracle.cards import (
    BLACK_JOKER,
    JOKERS,
    RED_JOKER,
    SPADES,
    SUIT_CARDS,
    SUIT_OF,
    SUITS,
    each,
    union,
)
from oracle.games.actions import Notation, OneCard, Pick, Say, SomeCards, Words
from oracle.games.bid_whist import (
    BIDDING,
    BIDS,
    DOWNTOWN,
    HEIGHTS,
    MANNERS,
    NAMING_RANKING,
    NAMING_TRUMP,
    NO_BID,
    NO_SUIT,
    NO_TRUMP,
    PLAYING,
    RANKINGS,
    UPTOWN,
    Bid,
    BidWhist,
    Deal,
)
from oracle.games.refusals import CARD, Refused
from oracle.games.table import Line

from .registry import mutant, options_unknown, taken_for_the_rule

options_unknown(BidWhist)
taken_for_the_rule(
    BidWhist,
    {
        ("target", 5): "Plays to five where seven was agreed.",
        ("target", 9): "Plays to nine where seven was agreed.",
        ("min_bid", 2): "Takes two for the lowest bid (WHIST-R05).",
        ("min_bid", 3): "Takes three for the lowest bid (WHIST-R05).",
        ("min_bid", 4): "Takes four for the lowest bid (WHIST-R05).",
        ("downtown_outranks_uptown", False): "Ranks downtown and uptown equal (WHIST-R07).",
        ("kitty", "exchange"): "Gives the kitty into the declarer's hand (WHIST-R02).",
        ("first_lead", "declarer"): "Lets the declarer lead to the first trick (WHIST-R13).",
        ("no_trump_joker", "any_time"): "Lets a joker be played any time at no trump (WHIST-R17).",
        ("no_trump_multiplier", 2): "Scores no trump twice (WHIST-R25).",
        ("made_bid_scores", "bid_only"): "Pays only the bid (WHIST-R24).",
    },
)


# The bidding.


@mutant
class DealerStays(BidWhist):
    """Lets the same player deal every hand (WHIST-R30)."""

    def dealer_of_hand(self):
        return self.start.dealer


@mutant
class DealGoesRight(BidWhist):
    """Passes the deal to the right (WHIST-R30)."""

    def dealer_of_hand(self):
        return (self.start.dealer - self.hands_played) % 4


@mutant
class DeclarerDealsNext(BidWhist):
    """Lets the declarer deal the next hand."""

    last = 0

    def ask_second_choice(self):
        super().ask_second_choice()
        self.last = self.declarer

    def dealer_of_hand(self):
        return self.last if self.hands_played else super().dealer_of_hand()


@mutant
class StartDealerIgnored(BidWhist):
    """Lets seat 0 deal first whatever the start says."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, replace(start, dealer=0), deals)


@mutant
class DealerBidsFirst(BidWhist):
    """Reads that the dealer starts the bidding (WHIST-11)."""

    def deal(self, deal):
        super().deal(deal)
        self.to_act = (self.dealer,)

    def next_to_speak(self, seat):
        if (seat + 1) % 4 == self.dealer:
            self.ask_second_choice()
        else:
            self.to_act = self.turn_after[seat]


@mutant
class SeatOneBidsFirst(BidWhist):
    """Lets seat 1 start the bidding whoever deals."""

    def deal(self, deal):
        super().deal(deal)
        self.to_act = (1,)

    def next_to_speak(self, seat):
        if seat == 0:
            self.ask_second_choice()
        else:
            self.to_act = self.turn_after[seat]


@mutant
class BiddingGoesOn(BidWhist):
    """Goes round until three have passed in a row."""

    passes = 0

    def deal(self, deal):
        self.passes = 0
        super().deal(deal)

    def bid(self, seat, what):
        super().bid(seat, what)
        self.passes = 0

    def pass_by(self, seat, _):
        super().pass_by(seat, _)
        self.passes += 1
        if self.verbs is BIDDING and self.passes == 3 and self.highest != NO_BID:
            self.ask_second_choice()

    def next_to_speak(self, seat):
        if self.passes >= 2 and self.highest != NO_BID and seat == self.dealer:
            self.ask_second_choice()
        else:
            self.to_act = self.turn_after[seat]


@mutant
class BiddingEndsWithSeven(BidWhist):
    """Closes the bidding with a bid that can't be raised (WHIST-R06)."""

    def next_to_speak(self, seat):
        if self.highest == Bid(7, NO_TRUMP):
            self.ask_second_choice()
        else:
            super().next_to_speak(seat)


@mutant
class BiddingEndsWithThePartner(BidWhist):
    """Ends the bidding when a team's second player has spoken."""

    def next_to_speak(self, seat):
        if (seat + 1) % 4 == self.dealer and self.highest != NO_BID:
            self.ask_second_choice()
        else:
            super().next_to_speak(seat)


@mutant
class FirstBidStands(BidWhist):
    """Makes the first bidder the declarer."""

    def bid(self, seat, what):
        first, declarer = self.highest == NO_BID, self.declarer
        clause = self.why_no_bid(Bid(*what))
        if clause:
            raise Refused(clause)
        self.highest = Bid(*what)
        self.declarer = seat if first else declarer
        self.next_to_speak(seat)


@mutant
class LastSpeakerDeclares(BidWhist):
    """Makes the dealer, who speaks last, the declarer."""

    def ask_second_choice(self):
        self.declarer = self.dealer
        super().ask_second_choice()


class OtherRaises(BidWhist):
    """Bid Whist in which other bids raise."""

    def key(self, bid):
        raise NotImplementedError

    def raises(self, bid):
        if self.highest == NO_BID:
            return super().raises(bid)
        return self.key(bid) > self.key(self.highest)


@mutant
class EqualBidsAccepted(BidWhist):
    """Accepts a bid that equals the highest (WHIST-13)."""

    def raises(self, bid):
        return super().raises(bid) or bid == self.highest


@mutant
class DealerMayMatch(BidWhist):
    """Lets the dealer take the contract with an equal bid (WHIST-R09)."""

    def raises(self, bid):
        return super().raises(bid) or (bid == self.highest and self.to_act == (self.dealer,))


@mutant
class LevelAloneRaises(OtherRaises):
    """Compares levels only (WHIST-17)."""

    def key(self, bid):
        return bid.level


@mutant
class UptownOutranksDowntown(OtherRaises):
    """Ranks uptown above downtown (WHIST-17)."""

    def key(self, bid):
        return (bid.level, (DOWNTOWN, UPTOWN, NO_TRUMP).index(bid.manner))


@mutant
class NoTrumpIsLowest(OtherRaises):
    """Ranks no trump below the others (WHIST-17)."""

    def key(self, bid):
        return (bid.level, (NO_TRUMP, UPTOWN, DOWNTOWN).index(bid.manner))


@mutant
class NoTrumpEqualsDowntown(OtherRaises):
    """Ranks no trump and downtown equal (WHIST-17)."""

    def key(self, bid):
        return (bid.level, bid.manner != UPTOWN)


@mutant
class EqualRanksPullNoTrumpDown(BidWhist):
    """Under the option for equal ranks, ranks no trump equal too."""

    def difficulty(self, manner):
        return super().difficulty(manner) if self.rules.downtown_outranks_uptown else 0


@mutant
class MannerBeforeLevel(OtherRaises):
    """Compares the manner before the level (WHIST-13)."""

    def key(self, bid):
        return (MANNERS.index(bid.manner), bid.level)


@mutant
class OneLevelAtATime(BidWhist):
    """Doesn't let a bid jump a level."""

    def raises(self, bid):
        jump = self.highest != NO_BID and bid.level > self.highest.level + 1
        return super().raises(bid) and not jump


@mutant
class PartnerNotOutbid(BidWhist):
    """Doesn't let a player outbid their partner (WHIST-R33)."""

    def bid(self, seat, what):
        if self.highest != NO_BID and (seat - self.declarer) % 4 == 2:
            raise Refused("WHIST-13")
        super().bid(seat, what)


@mutant
class PassNotListed(BidWhist):
    """Lists no pass once somebody has bid (WHIST-R08)."""

    def choices(self, seat):
        choices = super().choices(seat)
        if self.verbs is BIDDING and self.highest != NO_BID:
            return choices[:1]
        return choices


@mutant
class EveryBidListed(BidWhist):
    """Lists bids that are too low."""

    def choices(self, seat):
        choices = super().choices(seat)
        if self.verbs is BIDDING:
            choices[0] = Say("bid", BIDS)
        return choices


@mutant
class SevenIsTooMuch(BidWhist):
    """Takes six for the highest level (WHIST-R06)."""

    def why_no_bid(self, bid):
        return super().why_no_bid(bid) or ("WHIST-R06" if bid.level == 7 else None)


@mutant
class EightMayBeBid(BidWhist):
    """Accepts a level of eight or more (WHIST-R06)."""

    def why_no_bid(self, bid):
        clause = super().why_no_bid(bid)
        return None if clause == "WHIST-R06" and self.raises(bid) else clause


@mutant
class ZeroMayBeBid(BidWhist):
    """Accepts a level of zero (WHIST-R05)."""

    def why_no_bid(self, bid):
        clause = super().why_no_bid(bid)
        return None if clause == "WHIST-R05" and bid.level == 0 else clause


@mutant
class MinimumIsOneHigher(BidWhist):
    """Asks for more than the lowest bid of the table."""

    def why_no_bid(self, bid):
        low = bid.level <= self.rules.min_bid and self.rules.min_bid > 1
        return super().why_no_bid(bid) or ("WHIST-R05" if low else None)


@mutant
class OrderBeforeRange(BidWhist):
    """Names the order of bids for one that is out of range too."""

    def why_no_bid(self, bid):
        return "WHIST-13" if not self.raises(bid) else super().why_no_bid(bid)


@mutant
class BidOutOfRangeIsMalformed(BidWhist):
    """Takes a level beyond seven for no action at all."""

    def why_no_bid(self, bid):
        clause = super().why_no_bid(bid)
        return "FORMAT" if clause == "WHIST-R06" else clause


@mutant
class ForcedDealerMayPass(BidWhist):
    """Lets the dealer pass after three passes and plays on with a bid of one uptown."""

    def pass_by(self, seat, _):
        if self.must_bid(seat):
            self.highest, self.declarer = Bid(1, UPTOWN), seat
        super().pass_by(seat, _)

    def choices(self, seat):
        choices = super().choices(seat)
        return choices if self.verbs is not BIDDING else [choices[0], Say("pass")]


@mutant
class ForcedDealerFixedBid(BidWhist):
    """Gives the forced dealer the lowest bid and no other (WHIST-R10)."""

    def choices(self, seat):
        choices = super().choices(seat)
        if self.verbs is BIDDING and self.must_bid(seat):
            return [Say("bid", choices[0].whats[:3])]
        return choices

    def bid(self, seat, what):
        if self.must_bid(seat) and what[0] > self.rules.min_bid:
            raise Refused("WHIST-18")
        super().bid(seat, what)


@mutant
class DealerAlwaysForced(BidWhist):
    """Doesn't let the dealer pass when nobody has bid more than the lowest level (WHIST-18)."""

    def must_bid(self, seat):
        return seat == self.dealer and self.highest.level <= self.rules.min_bid


@mutant
class DealerNeverPasses(BidWhist):
    """Doesn't let the dealer pass at all (WHIST-18)."""

    def must_bid(self, seat):
        return seat == self.dealer


@mutant
class SeatZeroForced(BidWhist):
    """Ties the duty to bid to seat 0."""

    def must_bid(self, seat):
        return seat == 0 and self.highest == NO_BID


@mutant
class ThirdPassForbidden(BidWhist):
    """Makes the third player bid after two passes (WHIST-18)."""

    def must_bid(self, seat):
        forced = seat in (self.dealer, (self.dealer - 1) % 4)
        return forced and self.highest == NO_BID


@mutant
class HandThrownInWhenAllPass(BidWhist):
    """Lets everybody pass and takes the next deal."""

    def pass_by(self, seat, _):
        if self.must_bid(seat):
            self.hands_played += 1
            self._next_hand()
            return
        super().pass_by(seat, _)


# The second choice.


@mutant
class SuitInTheBid(BidWhist):
    """Takes the trump suit for a part of the bid: spades, as none is said (WHIST-R11)."""

    def ask_second_choice(self):
        super().ask_second_choice()
        if self.verbs is NAMING_TRUMP:
            self.settle("S", self.highest.manner)


@mutant
class NoSecondChoiceAtNoTrump(BidWhist):
    """Plays no trump uptown without asking (WHIST-20)."""

    def ask_second_choice(self):
        super().ask_second_choice()
        if self.verbs is NAMING_RANKING:
            self.settle(NO_SUIT, UPTOWN)


@mutant
class DirectionAfterEveryBid(BidWhist):
    """Asks for a direction after a suit bid too."""

    def ask_second_choice(self):
        super().ask_second_choice()
        self.verbs = {**self.verbs, **NAMING_RANKING}

    def choices(self, seat):
        if len(self.verbs) == 2 and "trump" in self.verbs:
            return [Say("trump", tuple(SUITS)), Say("direction", tuple(RANKINGS))]
        return super().choices(seat)


@mutant
class PartnerNamesTrump(BidWhist):
    """Lets the declarer's partner make the second choice."""

    def ask_second_choice(self):
        super().ask_second_choice()
        self.to_act = ((self.declarer + 2) % 4,)


@mutant
class LeaderNamesTrump(BidWhist):
    """Lets the player who leads make the second choice."""

    def ask_second_choice(self):
        super().ask_second_choice()
        self.to_act = (self.first_leader(),)


@mutant
class TrumpMustBeHeld(BidWhist):
    """Lets the declarer name only a suit that they hold."""

    def choices(self, seat):
        if self.verbs is NAMING_TRUMP:
            hand = self.hands[seat]
            return [Say("trump", tuple(suit for suit in SUITS if hand & SUIT_CARDS[suit]))]
        return super().choices(seat)


@mutant
class NoTrumpNamedAfterASuitBid(BidWhist):
    """Lets no trump be named as a fifth suit after a suit bid."""

    def choices(self, seat):
        if self.verbs is NAMING_TRUMP:
            return [Say("trump", (*SUITS, NO_SUIT))]
        return super().choices(seat)


@mutant
class ContractSaysTheBidder(BidWhist):
    """Gives the dealer for the declarer in the contract."""

    def settle(self, trump, ranking):
        outcome = super().settle(trump, ranking)
        outcome.contract = {**outcome.contract, "declarer": self.dealer}
        return outcome


@mutant
class ContractSaysTricks(BidWhist):
    """Gives the tricks needed for the level in the contract."""

    def settle(self, trump, ranking):
        outcome = super().settle(trump, ranking)
        outcome.contract = {**outcome.contract, "level": outcome.contract["level"] + 6}
        return outcome


@mutant
class ContractWithoutDirectionAtTrumps(BidWhist):
    """Gives uptown as the direction of every suit contract."""

    def settle(self, trump, ranking):
        outcome = super().settle(trump, ranking)
        if trump != NO_SUIT:
            outcome.contract = {**outcome.contract, "direction": UPTOWN}
        return outcome


@mutant
class ContractAtNoTrumpHasADirectionAsMode(BidWhist):
    """Gives the direction as the manner of a bid of no trump."""

    def settle(self, trump, ranking):
        outcome = super().settle(trump, ranking)
        outcome.contract = {**outcome.contract, "mode": ranking}
        return outcome


# The kitty.


@mutant
class KittySeenBeforeTheChoice(BidWhist):
    """Gives the kitty into the declarer's hand before the second choice (WHIST-R12)."""

    def ask_second_choice(self):
        if self.rules.kitty == "exchange":
            self.hands[self.declarer] |= self.kitty
        super().ask_second_choice()


@mutant
class KittyTakenByThePartner(BidWhist):
    """Gives the kitty to the declarer's partner."""

    def take_up_kitty(self):
        partner = (self.declarer + 2) % 4
        self.hands[partner] |= self.kitty
        self.kitty = 0
        self.verbs = {"discard": "put_away"}
        self.to_act = (partner,)


@mutant
class KittyCardsMayNotGoBack(BidWhist):
    """Doesn't let the declarer put a card of the kitty away."""

    taken = 0

    def take_up_kitty(self):
        self.taken = self.kitty
        super().take_up_kitty()

    def choices(self, seat):
        if "discard" in self.verbs:
            return [Pick("discard", 6, 6, self.hands[seat] & ~self.taken)]
        return super().choices(seat)

    def put_away(self, seat, row):
        if union(row) & self.taken:
            raise Refused(CARD)
        super().put_away(seat, row)


@mutant
class JokersMayNotBePutAway(BidWhist):
    """Doesn't let the declarer put a joker away."""

    def put_away(self, seat, row):
        if union(row) & JOKERS:
            raise Refused(CARD)
        super().put_away(seat, row)


@mutant
class TrumpsMayNotBePutAway(BidWhist):
    """Doesn't let the declarer put a trump away."""

    def put_away(self, seat, row):
        if union(row) & self.trumps():
            raise Refused(CARD)
        super().put_away(seat, row)


@mutant
class SameCardPutAwayTwice(BidWhist):
    """Counts a card that is named twice as two of the six."""

    def put_away(self, seat, row):
        spare = [card for card in each(self.hands[seat]) if card not in row]
        if not union(row) & ~self.hands[seat]:
            row = (*dict.fromkeys(row), *spare)[:6]
        super().put_away(seat, row)


@mutant
class OthersCardsPutAway(BidWhist):
    """Doesn't check that the cards put away are held."""

    def put_away(self, seat, row):
        held = [card for card in row if card & self.hands[seat]]
        spare = [card for card in each(self.hands[seat]) if card not in row]
        super().put_away(seat, tuple((*held, *spare)[:6]))


@mutant
class FivePutAway(BidWhist):
    """Accepts fewer or more than six cards put away."""

    notation = Notation(
        4,
        {
            "bid": Words((None, MANNERS)),
            "pass": Words(),
            "trump": Words((tuple(SUITS),)),
            "direction": Words((tuple(RANKINGS),)),
            "discard": SomeCards(1, 12),
            "play": OneCard(),
        },
    )


@mutant
class PutAwayCardsPlayable(BidWhist):
    """Lets a card be played that was put away."""

    def play(self, seat, card):
        if seat == self.declarer and card & self.kitty and self.rules.kitty == "exchange":
            self.hands[seat] |= card
        return super().play(seat, card)


@mutant
class KittyNotCounted(BidWhist):
    """Doesn't count the kitty as a trick (WHIST-R03)."""

    def tricks_counted(self, tally):
        return super().tricks_counted(tally) - 1


@mutant
class KittyCountedTwice(BidWhist):
    """Counts the kitty as a trick when it is taken up and when it is put away."""

    def tricks_counted(self, tally):
        return super().tricks_counted(tally) + (self.rules.kitty == "exchange")


@mutant
class KittyCountedOnlyUntouched(BidWhist):
    """Doesn't count the kitty as a trick when it was exchanged."""

    def tricks_counted(self, tally):
        return super().tricks_counted(tally) - (self.rules.kitty == "exchange")


# The play.


@mutant
class DealerLeads(BidWhist):
    """Lets the dealer lead to the first trick."""

    def first_leader(self):
        return self.dealer if self.rules.first_lead != "declarer" else self.declarer


@mutant
class LeftOfDeclarerLeads(BidWhist):
    """Lets the player at the declarer's left lead to the first trick (WHIST-R13)."""

    def first_leader(self):
        return (self.declarer + 1) % 4


@mutant
class FirstLeadWithoutTrumps(BidWhist):
    """Doesn't let a trump be led to the first trick."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        return legal if any(self.tricks) else legal & ~self.trumps() or legal


@mutant
class JokerLeadBarred(BidWhist):
    """Doesn't let a joker be led at no trump while other cards are held (WHIST-R20)."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        return legal & ~JOKERS or legal if self.trump == NO_SUIT else legal


@mutant
class JokerLeadBarredAtTrumps(BidWhist):
    """Doesn't let a joker be led in a suit contract while other cards are held."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        return legal & ~JOKERS or legal if self.trump != NO_SUIT else legal


@mutant
class TrumpLeadsMustBeBroken(BidWhist):
    """Doesn't let trumps be led before one has been played."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        return legal if sum(self.won) & self.trumps() else legal & ~self.trumps() or legal


@mutant
class FollowUnchecked(BidWhist):
    """Lets a player throw what they like although they hold the suit led."""

    def legal_cards(self, seat):
        return self.hands[seat]


@mutant
class VoidMustTrump(BidWhist):
    """Makes a player who is void play a trump."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if self.trick and not legal & self.suit_led():
            return legal & self.trumps() or legal
        return legal


@mutant
class FollowersMustBeat(BidWhist):
    """Makes a player who follows beat the best card if they can."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if not self.trick or not self.suit_led():
            return legal
        best = self.winning_card()
        following = [card for card in each(legal) if card & self.suit_of(best)]
        return union(c for c in following if self.height(c) > self.height(best)) or legal


@mutant
class FollowTheTrump(BidWhist):
    """Holds the next players to trumps once a trump has been played."""

    def suit_led(self):
        if any(card & self.trumps() for card in self.trick):
            return self.trumps()
        return super().suit_led()


@mutant
class FollowTheLastCard(BidWhist):
    """Takes the suit to follow from the card that was played last."""

    def legal_cards(self, seat):
        hand = self.hands[seat]
        if len(self.trick) < 2:
            return super().legal_cards(seat)
        return hand & self.suit_of(self.trick[-1]) or hand


@mutant
class PartnersNeedNotFollow(BidWhist):
    """Frees a player from following when their partner has led a joker at trumps."""

    def legal_cards(self, seat):
        if len(self.trick) == 2 and self.trick[0] & JOKERS and self.trump != NO_SUIT:
            return self.hands[seat]
        return super().legal_cards(seat)


# Jokers at trumps.


@mutant
class JokersAreSpades(BidWhist):
    """Takes jokers for spades whatever is trumps."""

    def suit_of(self, card):
        if self.trump == NO_SUIT:
            return super().suit_of(card)
        return SPADES | JOKERS if card & (SPADES | JOKERS) else SUIT_OF[card]

    def trumps(self):
        trumps = super().trumps()
        return trumps if not trumps or self.trump == "S" else trumps & ~JOKERS


@mutant
class JokersHaveNoSuitAtTrumps(BidWhist):
    """Lets a joker stand outside the trump suit for following, above it for winning (WHIST-R14)."""

    def legal_cards(self, seat):
        hand = self.hands[seat]
        if not self.trick or self.trump == NO_SUIT:
            return super().legal_cards(seat)
        plain = self.suit_led() & ~JOKERS
        return hand & plain | hand & JOKERS if hand & plain else hand


@mutant
class JokersNeedNotFollowTrumps(BidWhist):
    """Lets a player keep a joker back when trumps are led and it is their only one (WHIST-R15)."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        trumps_led = self.trick and self.trump != NO_SUIT and self.suit_led() == self.trumps()
        return self.hands[seat] if trumps_led and not legal & ~JOKERS else legal


@mutant
class JokersFollowAnything(BidWhist):
    """Lets a joker be played on any suit in a suit contract (WHIST-R15)."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if self.trick and self.trump != NO_SUIT:
            return legal | self.hands[seat] & JOKERS
        return legal


@mutant
class LedJokerLeavesTheSuitOpen(BidWhist):
    """Lets the next card set the suit after a joker is led in a suit contract too (WHIST-R16)."""

    def suit_led(self):
        if self.trump == NO_SUIT or not self.trick or not self.trick[0] & JOKERS:
            return super().suit_led()
        return next((self.suit_of(card) for card in self.trick if not card & JOKERS), 0)


@mutant
class JokersLoseAtTrumps(BidWhist):
    """Lets a joker win nothing in a suit contract."""

    def height(self, card):
        return -1 if card & JOKERS else super().height(card)


# Jokers at no trump.


@mutant
class JokersWinAtNoTrump(BidWhist):
    """Lets a joker win at no trump (WHIST-R18)."""

    def winning_card(self):
        jokers = [card for card in self.trick if card & JOKERS]
        return max(jokers) if jokers and self.trump == NO_SUIT else super().winning_card()


@mutant
class LedJokerWinsAtNoTrump(BidWhist):
    """Lets a joker that was led win at no trump (WHIST-R18)."""

    def winning_card(self):
        led = self.trick[0]
        return led if led & JOKERS and self.trump == NO_SUIT else super().winning_card()


@mutant
class JokersDodgeAtNoTrump(BidWhist):
    """Accepts a joker at no trump from a player who could follow, and doesn't list it."""

    def play(self, seat, card):
        if self.trick and self.trump == NO_SUIT and card & JOKERS & self.hands[seat]:
            rules, self.rules = self.rules, replace(self.rules, no_trump_joker="any_time")
            try:
                return super().play(seat, card)
            finally:
                self.rules = rules
        return super().play(seat, card)


@mutant
class JokersForcedWhenVoid(BidWhist):
    """Makes a player who is void at no trump get rid of a joker (WHIST-R17)."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if self.trick and self.trump == NO_SUIT and not legal & self.suit_led():
            return legal & JOKERS or legal
        return legal


@mutant
class LedJokerFreesEverybody(BidWhist):
    """Holds nobody to a suit after a joker is led at no trump (WHIST-25)."""

    def suit_led(self):
        if self.trump == NO_SUIT and self.trick and self.trick[0] & JOKERS:
            return 0
        return super().suit_led()

    def winning_card(self):
        suit = BidWhist.suit_led(self)
        trumps = [card for card in self.trick if card & self.trumps()]
        return max(trumps or [card for card in self.trick if card & suit], key=self.height)


@mutant
class LedJokerAsksForSpades(BidWhist):
    """Holds the next player to spades after a joker is led at no trump (WHIST-25)."""

    def suit_led(self):
        suit = super().suit_led()
        waiting = self.trump == NO_SUIT and self.trick and not suit
        return SPADES if waiting else suit


@mutant
class SecondJokerEndsTheWait(BidWhist):
    """Leaves a trick without a suit when the second card at no trump is a joker too (WHIST-R19)."""

    def legal_cards(self, seat):
        if self.trump == NO_SUIT and len(self.trick) > 2 and not union(self.trick[:2]) & ~JOKERS:
            return self.hands[seat]
        return super().legal_cards(seat)


@mutant
class AnyTimeReachesTrumps(BidWhist):
    """Lets the option for jokers at no trump reach suit contracts."""

    def free_jokers(self):
        return JOKERS if self.rules.no_trump_joker == "any_time" else 0


@mutant
class AnyTimeFreesEverything(BidWhist):
    """Takes the option for jokers at no trump for leave not to follow at all."""

    def legal_cards(self, seat):
        free = self.trump == NO_SUIT and self.rules.no_trump_joker == "any_time"
        return self.hands[seat] if free and self.trick else super().legal_cards(seat)


@mutant
class AnyTimeNeedsAFollower(BidWhist):
    """Under the option for jokers at no trump, frees only the black one."""

    def free_jokers(self):
        return super().free_jokers() & BLACK_JOKER


@mutant
class JokersKeptFromTheHandBefore(BidWhist):
    """Keeps jokers worthless in a suit contract that follows a hand at no trump."""

    was_no_trump = False

    def deal(self, deal):
        self.was_no_trump = self.hands_played > 0 and self.trump == NO_SUIT
        super().deal(deal)

    def height(self, card):
        if self.was_no_trump and card & JOKERS:
            return -1
        return super().height(card)


# The ranking.


class OtherHeights(BidWhist):
    """Bid Whist with other rankings."""

    def order(self, card):
        raise NotImplementedError

    def height(self, card):
        if card & JOKERS:
            return super().height(card)
        return 12 - self.order(card).index("23456789TJQKA"[(card.bit_length() - 1) % 13])


@mutant
class DowntownNotInverted(OtherHeights):
    """Plays downtown with the uptown ranking (WHIST-16)."""

    def order(self, card):
        return RANKINGS[UPTOWN]


@mutant
class DowntownAceLow(OtherHeights):
    """Puts the ace last downtown (WHIST-R22)."""

    def order(self, card):
        return RANKINGS[UPTOWN] if self.ranking == UPTOWN else RANKINGS[UPTOWN][::-1]


@mutant
class DowntownForPlainSuitsOnly(OtherHeights):
    """Leaves trumps in uptown order in a downtown contract."""

    def order(self, card):
        return RANKINGS[UPTOWN] if card & self.trumps() else RANKINGS[self.ranking]


@mutant
class DowntownForTrumpsOnly(OtherHeights):
    """Leaves plain suits in uptown order in a downtown contract."""

    def order(self, card):
        trumps = self.trump == NO_SUIT or card & self.trumps()
        return RANKINGS[self.ranking] if trumps else RANKINGS[UPTOWN]


@mutant
class UptownAceLow(OtherHeights):
    """Puts the ace last uptown."""

    def order(self, card):
        return "KQJT98765432A" if self.ranking == UPTOWN else RANKINGS[DOWNTOWN]


@mutant
class TenMisplaced(OtherHeights):
    """Ranks the ten between ace and king."""

    def order(self, card):
        return "ATKQJ98765432" if self.ranking == UPTOWN else RANKINGS[DOWNTOWN]


@mutant
class DirectionOfNoTrumpSwapped(BidWhist):
    """Takes the direction of no trump the wrong way round."""

    def height(self, card):
        other = UPTOWN if self.ranking == DOWNTOWN else DOWNTOWN
        ranking = other if self.trump == NO_SUIT else self.ranking
        return HEIGHTS[ranking][card]


@mutant
class DowntownInvertsJokers(BidWhist):
    """Puts the black joker above the red one downtown (WHIST-16)."""

    def height(self, card):
        if self.ranking == DOWNTOWN and card & JOKERS:
            return 27 - super().height(card)
        return super().height(card)


@mutant
class DowntownJokersLowest(BidWhist):
    """Puts the jokers below all trumps downtown (WHIST-16)."""

    def height(self, card):
        low = self.ranking == DOWNTOWN and card & JOKERS
        return super().height(card) - 20 if low else super().height(card)


@mutant
class BlackJokerHighest(BidWhist):
    """Puts the black joker above the red one (WHIST-15)."""

    def height(self, card):
        return 27 - super().height(card) if card & JOKERS else super().height(card)


@mutant
class BlackJokerBelowTheAce(BidWhist):
    """Puts the black joker below the ace of trumps (WHIST-15)."""

    def height(self, card):
        return 11.5 if card == BLACK_JOKER else super().height(card)


@mutant
class RedJokerBelowTheAce(BidWhist):
    """Puts the red joker below the ace of trumps (WHIST-15)."""

    def height(self, card):
        return 11.5 if card == RED_JOKER else super().height(card)


# The trick.


@mutant
class LowTrumpLoses(BidWhist):
    """Lets a trump win only if it is higher than the best plain card (WHIST-23)."""

    def winning_card(self):
        suit = self.suit_led()
        return max(
            [card for card in self.trick if card & (suit | self.trumps())],
            key=lambda card: (self.height(card), bool(card & self.trumps())),
        )


@mutant
class OffSuitWins(BidWhist):
    """Compares the ranks of different plain suits (WHIST-23)."""

    def winning_card(self):
        trumps = [card for card in self.trick if card & self.trumps()]
        return max(
            trumps or [card for card in self.trick if card not in each(JOKERS)], key=self.height
        )


@mutant
class ComparedWithTheLead(BidWhist):
    """Compares each card with the one led only, so that the last higher one wins."""

    def winning_card(self):
        if self.trick[0] & JOKERS:
            return super().winning_card()
        best = self.trick[0]
        for card in self.trick[1:]:
            if self.beats(card, self.trick[0]):
                best = card
        return best

    def beats(self, card, other):
        if self.suit_of(card) == self.suit_of(other):
            return self.height(card) > self.height(other)
        return bool(card & self.trumps())


@mutant
class ComparedWithTheNeighbour(ComparedWithTheLead):
    """Compares each card with the one before it and not with the best so far."""

    def winning_card(self):
        if self.trick[0] & JOKERS:
            return super().winning_card()
        best = self.trick[0]
        for before, card in zip(self.trick, self.trick[1:], strict=False):
            if self.suit_of(card) in (self.suit_led(), self.trumps()) and self.beats(card, before):
                best = card
        return best


@mutant
class TrickByThePackOrder(BidWhist):
    """Compares cards of one suit by their place in the pack, whatever the ranking."""

    def height(self, card):
        return card.bit_length()


@mutant
class TurnGoesRight(BidWhist):
    """Lets the turn go to the right in play."""

    def open_first_trick(self):
        super().open_first_trick()
        self.turn_after = ((3,), (0,), (1,), (2,))

    def deal(self, deal):
        self.turn_after = ((1,), (2,), (3,), (0,))
        super().deal(deal)


@mutant
class PartnersAreNeighbours(BidWhist):
    """Takes seats 0 and 1 for partners (WHIST-R32)."""

    def side_of(self, seat):
        return seat // 2


@mutant
class TeamsSwapped(BidWhist):
    """Numbers the teams the other way round."""

    def side_of(self, seat):
        return 1 - seat % 2


@mutant
class DeclarersOwnTricksOnly(BidWhist):
    """Counts the tricks of the declarer and not those of the partner."""

    own = 0

    def deal(self, deal):
        self.own = 0
        super().deal(deal)

    def take_trick(self):
        winner = (self.leader + self.trick.index(self.winning_card())) % 4
        self.own += winner == self.declarer
        return super().take_trick()

    def tally(self):
        tally = super().tally()
        tricks = [12 - self.own] * 2
        tricks[self.side_of(self.declarer)] = self.own
        return replace(tally, tricks=tuple(tricks))


# The score.


@mutant
class OneTrickShortIsMade(BidWhist):
    """Lets a contract stand that is a trick short."""

    def points(self, tally):
        short = self.tricks_counted(tally) == 6 + tally.level - 1
        return tally.level - 1 if short else super().points(tally)


@mutant
class ExactlyMadeIsSet(BidWhist):
    """Takes a contract that is made exactly for one that is lost."""

    def points(self, tally):
        exact = self.tricks_counted(tally) == 6 + tally.level
        return -tally.level if exact else super().points(tally)


@mutant
class SetByShortfall(BidWhist):
    """Charges a lost contract with the missing tricks (WHIST-R26)."""

    def points(self, tally):
        return max(super().points(tally), 0) or self.tricks_counted(tally) - 6 - tally.level


@mutant
class SetTwice(BidWhist):
    """Charges a lost contract with twice the bid (WHIST-R26)."""

    def points(self, tally):
        points = super().points(tally)
        return points * 2 if points < 0 else points


@mutant
class SetCostsNothing(BidWhist):
    """Only refuses points to a lost contract."""

    def breakdown(self, tally):
        return [line for line in super().breakdown(tally) if line.points > 0]


@mutant
class SetKeepsItsTricks(BidWhist):
    """Pays a lost contract the tricks beyond six that were taken."""

    def points(self, tally):
        points = super().points(tally)
        return points + max(self.tricks_counted(tally) - 6, 0) if points < 0 else points


@mutant
class DefendersScoreTheSet(BidWhist):
    """Pays the bid to the defenders when they set it (WHIST-R27)."""

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        other = 1 - self.side_of(tally.declarer)
        lost = -lines[0].points
        return [*lines, Line(other, "WHIST-27", lost)] if lost > 0 else lines


@mutant
class DefendersScoreTheirTricks(BidWhist):
    """Pays the defenders their tricks beyond six (WHIST-R27)."""

    def breakdown(self, tally):
        other = 1 - self.side_of(tally.declarer)
        more = tally.tricks[other] - 6
        lines = super().breakdown(tally)
        return [*lines, Line(other, "WHIST-27", more)] if more > 0 else lines


@mutant
class TeamZeroIsTheDeclarer(BidWhist):
    """Books every hand for team 0."""

    def breakdown(self, tally):
        return [replace(line, side=0) for line in super().breakdown(tally)]


@mutant
class DeclarerIsATeam(BidWhist):
    """Reads the declarer's seat as a team, seats 2 and 3 as the second."""

    def breakdown(self, tally):
        side = min(tally.declarer, 1)
        return [replace(line, side=side) for line in super().breakdown(tally)]


@mutant
class OvertricksInALine(BidWhist):
    """Writes the overtricks in a line of their own."""

    def breakdown(self, tally):
        (line,) = super().breakdown(tally)
        if self.rules.no_trump_multiplier == 1 and line.points > tally.level:
            more = line.points - tally.level
            return [replace(line, points=tally.level), replace(line, points=more)]
        return [line]


@mutant
class MultiplierAtTrumps(BidWhist):
    """Multiplies suit contracts too."""

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        if tally.mode != NO_TRUMP:
            factor = self.rules.no_trump_multiplier
            return [replace(line, points=line.points * factor) for line in lines]
        return lines


@mutant
class MultiplierWhenMadeOnly(BidWhist):
    """Doesn't multiply a lost contract at no trump."""

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        if lines[0].points < 0:
            return [replace(lines[0], points=-tally.level)]
        return lines


@mutant
class MultiplierWhenSetOnly(BidWhist):
    """Doesn't multiply a contract at no trump that is made."""

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        if lines[0].points > 0:
            return [replace(lines[0], points=self.points(tally))]
        return lines


@mutant
class MultiplierOnTheBidOnly(BidWhist):
    """Multiplies the bid and adds the overtricks once."""

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        if lines[0].points > 0 and tally.mode == NO_TRUMP:
            more = tally.level * (self.rules.no_trump_multiplier - 1)
            return [replace(lines[0], points=self.points(tally) + more)]
        return lines


@mutant
class MultiplierBeforeTheBid(BidWhist):
    """Multiplies the tricks before they are compared with the bid."""

    def tricks_counted(self, tally):
        tricks = super().tricks_counted(tally)
        if tally.mode == NO_TRUMP and self.rules.no_trump_multiplier == 2 and tricks > 6:
            return 6 + (tricks - 6) * 2
        return tricks

    def breakdown(self, tally):
        return [Line(self.side_of(tally.declarer), "WHIST-27", self.points(tally))]


@mutant
class BidOnlyWhenSet(BidWhist):
    """Under the option to pay the bid only, charges a lost contract with the missing tricks."""

    def points(self, tally):
        points = super().points(tally)
        if points < 0 and self.rules.made_bid_scores == "bid_only":
            return self.tricks_counted(tally) - 6 - tally.level
        return points


# The end.


@mutant
class TargetMustBePassed(BidWhist):
    """Ends the match only beyond the target (WHIST-R28)."""

    def match_winners(self):
        at_limit = max(map(abs, self.scores)) == self.rules.target
        return () if at_limit else super().match_winners()


@mutant
class TargetOneEarly(BidWhist):
    """Ends the match a point before the target."""

    def match_winners(self):
        early = any(abs(score) == self.rules.target - 1 for score in self.scores)
        if early and not super().match_winners():
            return tuple(team for team in (0, 1) if self.scores[team] == max(self.scores))
        return super().match_winners()


@mutant
class NegativeLimitUnknown(BidWhist):
    """Ends the match at the target only and not as far below zero (WHIST-28)."""

    def match_winners(self):
        return super().match_winners() if max(self.scores) >= self.rules.target else ()


@mutant
class NegativeLimitOneOff(BidWhist):
    """Ends the match only beyond the negative of the target."""

    def match_winners(self):
        up = max(self.scores) >= self.rules.target
        down = min(self.scores) < -self.rules.target
        return super().match_winners() if up or down else ()


@mutant
class NegativeLimitFixed(BidWhist):
    """Takes seven below zero for the limit whatever the target is."""

    def match_winners(self):
        if max(self.scores) < self.rules.target and min(self.scores) > -7:
            return ()
        return tuple(team for team in (0, 1) if self.scores[team] == max(self.scores))


@mutant
class PositiveLimitUnknown(BidWhist):
    """Ends the match only at the negative of the target."""

    def match_winners(self):
        return super().match_winners() if min(self.scores) <= -self.rules.target else ()


@mutant
class DeclarersWin(BidWhist):
    """Names the team that played the last contract."""

    def score(self, tally, outcome):
        self.last_team = self.side_of(tally.declarer)
        super().score(tally, outcome)

    def match_winners(self):
        return (self.last_team,) if super().match_winners() else ()


@mutant
class WhoReachedALimitWins(BidWhist):
    """Names the team that stands at a limit, also the negative one."""

    def match_winners(self):
        if not super().match_winners():
            return ()
        distance = [abs(score) for score in self.scores]
        return (distance.index(max(distance)),)


@mutant
class EndTestsTeamZeroTwice(BidWhist):
    """Tests the same team twice."""

    def match_winners(self):
        reached = abs(self.scores[0]) >= self.rules.target
        return super().match_winners() if reached else ()


@mutant
class EndTestsTeamOne(BidWhist):
    """Looks only at team 1."""

    def match_winners(self):
        reached = abs(self.scores[1]) >= self.rules.target
        return super().match_winners() if reached else ()


@mutant
class TieToTheFirstTeam(BidWhist):
    """Names only team 0 when a match that began beyond a limit ends level."""

    def match_winners(self):
        return super().match_winners()[:1]


@mutant
class TieGoesOn(BidWhist):
    """Plays another hand when a match that began beyond a limit ends level."""

    def match_winners(self):
        winners = super().match_winners()
        return winners if len(winners) == 1 else ()


@mutant
class LimitAtTheStartCounts(BidWhist):
    """Ends a match that began beyond a limit although no team stands there after the hand."""

    def match_winners(self):
        if any(abs(score) >= self.rules.target for score in self.start.scores):
            return tuple(team for team in (0, 1) if self.scores[team] == max(self.scores))
        return super().match_winners()


@mutant
class EndsWhenDecided(BidWhist):
    """Ends the hand when the contract is sure to be made or lost (WHIST-R34)."""

    def take_trick(self):
        outcome = super().take_trick()
        declaring = self.tricks[self.side_of(self.declarer)]
        if outcome.hand is None and declaring + 1 >= 6 + self.highest.level:
            tally = self.tally()
            tricks = [12 - declaring] * 2
            tricks[self.side_of(self.declarer)] = declaring
            self.score(replace(tally, tricks=tuple(tricks)), outcome)
            self._next_hand()
        return outcome


# The deal.


@mutant
class DealtInPackets(BidWhist):
    """Deals the shuffled pack in packets of twelve (WHIST-R31)."""

    @classmethod
    def deal_from_pack(cls, row):
        hands = tuple(union(row[12 * seat : 12 * seat + 12]) for seat in range(4))
        return Deal(hands=hands, kitty=union(row[48:]))


@mutant
class KittyDealtFirst(BidWhist):
    """Lays the first six cards of the shuffled pack aside (WHIST-R31)."""

    @classmethod
    def deal_from_pack(cls, row):
        return super().deal_from_pack([*row[6:], *row[:6]])


@mutant
class SeatOneDealtFirst(BidWhist):
    """Deals the shuffled pack from the player at the left of seat 0 (WHIST-R31)."""

    @classmethod
    def deal_from_pack(cls, row):
        deal = super().deal_from_pack(row)
        return Deal(hands=(deal.hands[3], *deal.hands[:3]), kitty=deal.kitty)


# What a request may hold.


@mutant
class TallyUnchecked(BidWhist):
    """Scores a tally that no hand can give."""

    @classmethod
    def check_tally(cls, rules, tally):
        pass


@mutant
class LevelBelowTheLowestScored(BidWhist):
    """Scores a tally with a level below the lowest bid."""

    @classmethod
    def check_tally(cls, rules, tally):
        super().check_tally(replace(rules, min_bid=1), tally)


@mutant
class ThirteenTricksInATally(BidWhist):
    """Counts the kitty among the tricks of a tally."""

    @classmethod
    def check_tally(cls, rules, tally):
        if sum(tally.tricks) == 13:
            tally = replace(tally, tricks=(6, 6))
        super().check_tally(rules, tally)


# What is seen.


@mutant
class KittyShown(BidWhist):
    """Shows everybody the kitty (WHIST-R04)."""

    def knows_kitty(self, seat):
        return bool(self.kitty)


@mutant
class KittyShownToTheDeclarer(BidWhist):
    """Shows the declarer a kitty that lies aside (WHIST-R04)."""

    def knows_kitty(self, seat):
        return self.verbs is PLAYING and seat == self.declarer


@mutant
class KittyForgotten(BidWhist):
    """Doesn't show the declarer the six cards put away."""

    def knows_kitty(self, seat):
        return False


@mutant
class KittyKnownToThePartner(BidWhist):
    """Shows the six cards put away to the declarer's partner too."""

    def knows_kitty(self, seat):
        partner = (seat + 2) % 4
        return super().knows_kitty(seat) or super().knows_kitty(partner)


@mutant
class KittyNotListed(BidWhist):
    """Leaves the kitty out of what a seat doesn't know."""

    def view(self, seat):
        view = super().view(seat)
        view.unknown.pop("kitty", None)
        return view


@mutant
class PilesBySeat(BidWhist):
    """Shows the piles of the teams exchanged to the second team."""

    def view(self, seat):
        view = super().view(seat)
        if seat % 2:
            piles = {f"won {team}": view.known.get(f"won {1 - team}", 0) for team in (0, 1)}
            view.known.update(piles)
            for place in ("won 0", "won 1"):
                if not view.known[place]:
                    del view.known[place]
        return view
