"""Two-player Spades misread."""

from dataclasses import replace

from oracle.cards import CARD_OF, CODE_OF, HEARTS, RANKS, SPADES, SUIT_OF, each, union
from oracle.games.actions import Each, Pick
from oracle.games.refusals import CARD, Refused
from oracle.games.spades import (
    ANSWERING,
    BIDDING,
    BIDS,
    DOUBLE_NIL,
    DRAFTING,
    EXCHANGING,
    NILS,
    PLAYING,
    REPLACING,
    Deal,
    Spades,
)
from oracle.games.table import Line, chosen_from

from .registry import mutant, options_unknown, taken_for_the_rule

TWO_OF_CLUBS = CARD_OF["2C"]

options_unknown(Spades)
taken_for_the_rule(
    Spades,
    {
        ("target", 300): "Plays to 300, as some pages on the game have it.",
        ("failed_nil_tricks", "bags"): "Counts the tricks of a failed nil as bags.",
        ("failed_nil_tricks", "bags_and_points"): "Pays the tricks of a failed nil, and as bags.",
        ("bag_counter", "reset"): "Sets the bags to nothing after a penalty.",
        ("double_nil", False): "Has no double nil.",
        ("double_nil_timing", "before_any_draw"): (
            "Asks both players about double nil before any card is drawn."
        ),
        ("exchange_max", 2): "Lets a double nil bidder exchange two cards at most.",
        ("exchange_max", 0): "Has no exchange after double nil.",
        ("see_rejected_second", True): "Shows a drawer who keeps the first card the second too.",
        ("set_penalty", "shortfall"): "Charges a missed bid with the missing tricks only.",
    },
)


# The draw.


@mutant
class SecondPlayerDrawsFirst(Spades):
    """Takes the second player for the first, in everything."""

    def first_player(self):
        return 1 - super().first_player()


@mutant
class RolesStay(Spades):
    """Lets the same player draw first in every hand."""

    def first_player(self):
        return self.start.first


@mutant
class WinnerDrawsFirst(Spades):
    """Lets the player with the higher total draw first in the next hand."""

    def first_player(self):
        if not self.hands_played:
            return super().first_player()
        return self.scores.index(max(self.scores))


@mutant
class StartFirstIgnored(Spades):
    """Lets seat 0 draw first whatever the start says."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, replace(start, first=0), deals)


@mutant
class KeepTakesTheSecond(Spades):
    """Confuses the two cards: who keeps gets the second, who refuses the first."""

    def keep(self, seat, _):
        return super().refuse(seat, _)

    def refuse(self, seat, _):
        return super().keep(seat, _)


@mutant
class KeepTakesBoth(Spades):
    """Gives a player who keeps the first card the second as well."""

    def keep(self, seat, _):
        self.hands[seat] |= self.stock[1]
        return super().keep(seat, _)


@mutant
class RefusingDrawsNothing(Spades):
    """Doesn't replace a refused card by the next one."""

    def refuse(self, seat, _):
        hand = self.hands[seat]
        outcome = super().refuse(seat, _)
        self.hands[seat] = hand
        return outcome


@mutant
class DrawsOneCardATurn(Spades):
    """Lets a player who keeps the first card leave the second on the stock."""

    def keep(self, seat, _):
        second = self.stock[1]
        self.stock = (self.stock[0], self.stock[-1], *self.stock[1:-1])
        self.hands[seat] |= self.stock[0]
        self.discards |= self.stock[1]
        self.stock = (second, *[card for card in self.stock[2:] if card != second])
        return self.go_on()


@mutant
class DrawsAllAtOnce(Spades):
    """Lets each player make all their thirteen decisions in a row."""

    def due_to_draw(self):
        turns_left = len(self.stock) // 2
        if not turns_left:
            return []
        return [self.first] if turns_left > 13 else [self.second]


@mutant
class DrawsInPairsOfTurns(Spades):
    """Lets each player decide on two pairs in a row."""

    def due_to_draw(self):
        turns_left = len(self.stock) // 2
        if not turns_left:
            return []
        return [self.first] if (turns_left - 1) % 4 >= 2 or turns_left == 26 else [self.second]


@mutant
class LastPairLost(Spades):
    """Stops drawing one turn too early."""

    def due_to_draw(self):
        return super().due_to_draw() if len(self.stock) > 2 else []

    def lacking(self, seat):
        return 0

    def due_to_replace(self):
        return []


@mutant
class StockFromTheBottom(Spades):
    """Draws from the other end of the pack."""

    def deal(self, deal):
        super().deal(Deal(pack=deal.pack[::-1]))


@mutant
class DiscardsPlayable(Spades):
    """Lets a player use a card that they refused in the draw."""

    def play(self, seat, card):
        if card & self.refused[seat] & self.discards:
            self.hands[seat] |= card
            self.discards ^= card
        return super().play(seat, card)


# Double nil.


@mutant
class DoubleNilWhenBehindOnly(Spades):
    """Asks about double nil only a player who is a hundred behind (SPADES-R05)."""

    def due_to_answer(self):
        return [
            seat
            for seat in super().due_to_answer()
            if self.scores[seat] <= self.scores[1 - seat] - 100
        ]


@mutant
class DoubleNilForOneOnly(Spades):
    """Doesn't ask the second player when the first has bid double nil."""

    def due_to_answer(self):
        return [] if DOUBLE_NIL in self.bids else super().due_to_answer()


@mutant
class DoubleNilInTheFirstHandOnly(Spades):
    """Asks about double nil in the first hand of a match only."""

    def due_to_answer(self):
        return [] if self.hands_played else super().due_to_answer()


@mutant
class DoubleNilAnyTimeInTheDraw(Spades):
    """Lets a player bid double nil at any of their draws."""

    def choices(self, seat):
        choices = super().choices(seat)
        if self.verbs is DRAFTING and self.rules.double_nil and self.bids[seat] is None:
            return choices + [choice for choice in self.answers() if choice.verb == "double-nil"]
        return choices

    def answers(self):
        verbs, self.verbs = self.verbs, ANSWERING
        choices = super().choices(0)
        self.verbs = verbs
        return choices


@mutant
class DoubleNilCardSeen(Spades):
    """Shows a player the first card before they decide on double nil."""

    def drawn(self):
        return self.stock[0] if self.verbs is ANSWERING else super().drawn()


@mutant
class DoubleNilDrawsBlind(Spades):
    """Hides from a double nil bidder the cards that they decide on (SPADES-R07)."""

    def view(self, seat):
        view = super().view(seat)
        if self.bids[seat] == DOUBLE_NIL and "drawn" in view.known:
            del view.known["drawn"]
            view.unknown["drawn"] = 1
        return view


@mutant
class DoubleNilKeepsFirstCards(Spades):
    """Gives a double nil bidder the first card of every pair (SPADES-R07)."""

    def refuse(self, seat, _):
        return self.keep(seat, _) if self.bids[seat] == DOUBLE_NIL else super().refuse(seat, _)


@mutant
class DoubleNilBidsAgain(Spades):
    """Asks a double nil bidder for a number as well (SPADES-R11)."""

    def due_to_bid(self):
        asked = [seat for seat in self.second_before_first() if self.bids[seat] == DOUBLE_NIL]
        return [seat for seat in asked if not self.again(seat)] or super().due_to_bid()

    def again(self, seat):
        return bool(self.said & 1 << seat)

    said = 0

    def deal(self, deal):
        self.said = 0
        super().deal(deal)

    def bid(self, seat, number):
        if self.bids[seat] != DOUBLE_NIL:
            return super().bid(seat, number)
        if number not in BIDS:
            raise Refused("SPADES-13")
        self.said |= 1 << seat
        return self.go_on()


@mutant
class DoubleNilScoredAsNil(Spades):
    """Pays and charges double nil like nil."""

    def score_bid(self, seat, bid, tricks):
        lines = super().score_bid(seat, bid, tricks)
        if bid != DOUBLE_NIL:
            return lines
        return [
            replace(line, points=line.points // 2) if abs(line.points) == 200 else line
            for line in lines
        ]


@mutant
class DoubleNilByTheClausesOfNil(Spades):
    """Puts double nil down to the clauses of nil."""

    def score_bid(self, seat, bid, tricks):
        clauses = {"SPADES-21": "SPADES-17", "SPADES-22": "SPADES-18"}
        return [
            replace(line, clause=clauses.get(line.clause, line.clause))
            for line in super().score_bid(seat, bid, tricks)
        ]


@mutant
class DoubleNilAnsweredAgain(Spades):
    """Lets a player who has declined double nil say it after all, before their next draw."""

    def due_to_answer(self):
        due = super().due_to_answer()
        late = self.due_to_draw() if self.rules.double_nil and len(self.stock) == 48 else []
        return due or [seat for seat in late if self.bids[seat] is None and self.asked < 3]

    asked = 0

    def decline_double_nil(self, seat, _):
        self.asked += 1
        return super().decline_double_nil(seat, _)

    def deal(self, deal):
        self.asked = 0
        super().deal(deal)


# The exchange.


class OtherOrder(Spades):
    """Spades with what comes before the play in another order."""

    def phases(self):
        raise NotImplementedError

    def go_on(self):
        for verbs, who_is_due in self.phases():
            if due := who_is_due():
                self.verbs = verbs
                self.to_act = (due[0],)
                return None
        return self.open_first_trick()


@mutant
class ExchangeAfterTheBids(OtherOrder):
    """Lets the bids be made before a double nil bidder exchanges (SPADES-R06)."""

    def phases(self):
        return (
            (ANSWERING, self.due_to_answer),
            (DRAFTING, self.due_to_draw),
            (BIDDING, self.due_to_bid),
            (REPLACING, self.due_to_replace),
            (EXCHANGING, self.due_to_exchange),
        )


@mutant
class ReplacementsAfterBothExchanges(OtherOrder):
    """Lets both players throw before either gets new cards."""

    def phases(self):
        return (
            (ANSWERING, self.due_to_answer),
            (DRAFTING, self.due_to_draw),
            (EXCHANGING, self.due_to_exchange),
            (REPLACING, self.due_to_replace),
            (BIDDING, self.due_to_bid),
        )


@mutant
class ExchangeOrderSwapped(Spades):
    """Lets the first player exchange before the second (SPADES-R09)."""

    def due_to_exchange(self):
        return super().due_to_exchange()[::-1]


@mutant
class ExchangeForEverybody(Spades):
    """Lets every player exchange, double nil or not."""

    def due_to_exchange(self):
        if self.rules.exchange_max == 0:
            return []
        return [seat for seat in self.second_before_first() if not self.exchanged[seat]]


@mutant
class ExchangeForOnePlayerOnly(Spades):
    """Forgets the second exchange when both have bid double nil."""

    def due_to_exchange(self):
        return [] if any(self.exchanged) else super().due_to_exchange()


@mutant
class ExchangeTwice(Spades):
    """Lets a player who has exchanged do it once more."""

    again = 0

    def exchange(self, seat, row):
        outcome = super().exchange(seat, row)
        if self.again < 1 and row:
            self.again += 1
            self.exchanged[seat] = False
        return outcome

    def deal(self, deal):
        self.again = 0
        super().deal(deal)


@mutant
class ExchangeOfNoneRefused(Spades):
    """Makes a double nil bidder throw at least one card (SPADES-R10)."""

    def exchange(self, seat, row):
        if not row:
            raise Refused("SPADES-20")
        return super().exchange(seat, row)

    def choices(self, seat):
        if self.verbs is EXCHANGING:
            return [Pick("exchange", 1, self.rules.exchange_max, self.hands[seat])]
        return super().choices(seat)


@mutant
class ExchangeExactlyTheLimit(Spades):
    """Takes the limit of the exchange for the number that must be thrown."""

    def exchange(self, seat, row):
        if len(set(row)) == len(row) < self.rules.exchange_max:
            raise Refused("SPADES-20")
        return super().exchange(seat, row)


@mutant
class ExchangeLimitUnchecked(Spades):
    """Lets three cards be thrown whatever the limit is."""

    def exchange(self, seat, row):
        rules, self.rules = self.rules, replace(self.rules, exchange_max=3)
        try:
            return super().exchange(seat, row)
        finally:
            self.rules = rules


@mutant
class SameCardExchangedTwice(Spades):
    """Counts a card that is named twice as two thrown cards."""

    def exchange(self, seat, row):
        return super().exchange(seat, tuple(dict.fromkeys(row)))


@mutant
class OthersCardsExchanged(Spades):
    """Doesn't check that the cards thrown are held."""

    def exchange(self, seat, row):
        return super().exchange(seat, tuple(card for card in row if card & self.hands[seat]))


@mutant
class ThrownCardsJoinTheDiscards(Spades):
    """Puts thrown cards on the pile that the new ones come from (SPADES-R08, SPADES-R09)."""

    def exchange(self, seat, row):
        self.discards |= chosen_from(self.hands[seat], row)
        return super().exchange(seat, row)


@mutant
class ThrownCardsJoinAfterwards(Spades):
    """Lets the second exchange draw what was thrown in the first (SPADES-R09)."""

    def replace(self, seat, row):
        outcome = super().replace(seat, row)
        for thrown in self.thrown:
            self.discards |= thrown if not self.lacking(0) and not self.lacking(1) else 0
        return outcome


@mutant
class RefusedFacesNotReplaced(Spades):
    """Keeps the faces that a player refused in the draw out of the replacements."""

    def choices(self, seat):
        if self.verbs is REPLACING:
            lacking = self.lacking(self.exchanger())
            unseen = self.discards & ~self.refused[self.exchanger()]
            return [Pick("replace", lacking, lacking, unseen)]
        return super().choices(seat)


@mutant
class ReplacementsFromTheHands(Spades):
    """Lets a card that the other player holds come in as a replacement."""

    def choices(self, seat):
        choices = super().choices(seat)
        if self.verbs is REPLACING:
            held = self.hands[1 - self.exchanger()]
            return [replace(choice, cards=choice.cards | held) for choice in choices]
        return choices


@mutant
class ReplacementsLeftOnThePile(Spades):
    """Leaves a card that came in as a replacement on the pile, where it can be drawn again."""

    def replace(self, seat, row):
        discards = self.discards
        outcome = super().replace(seat, row)
        self.discards = discards
        return outcome


@mutant
class AnyNumberReplaced(Spades):
    """Doesn't compare the number of new cards with that of the thrown ones."""

    def replace(self, seat, row):
        pile = [card for card in each(self.discards) if card not in row]
        if len(set(row)) == len(row) and not union(row) & ~self.discards:
            row = (*row, *pile)[: self.lacking(self.exchanger())]
        return super().replace(seat, row)


@mutant
class WrongReplacementIsACard(Spades):
    """Blames the cards when too many or too few come in."""

    def replace(self, seat, row):
        try:
            return super().replace(seat, row)
        except Refused:
            raise Refused(CARD) from None


@mutant
class TooManyExchangedIsACard(Spades):
    """Blames the cards when more are thrown than the limit allows."""

    def exchange(self, seat, row):
        try:
            return super().exchange(seat, row)
        except Refused:
            raise Refused(CARD) from None


@mutant
class ThrownCardsStayInHand(Spades):
    """Lets a thrown card be played."""

    def play(self, seat, card):
        if card & self.thrown[seat]:
            self.hands[seat] |= card
        return super().play(seat, card)


# The bidding.


@mutant
class FirstPlayerBidsFirst(Spades):
    """Lets the first player bid first."""

    def due_to_bid(self):
        return super().due_to_bid()[::-1]


@mutant
class SecondBidMustNotBeHigher(Spades):
    """Reads that bids must not rise (SPADES-R12)."""

    def bid(self, seat, number):
        other = self.bids[1 - seat]
        if isinstance(other, int) and number > other:
            raise Refused("SPADES-13")
        return super().bid(seat, number)


@mutant
class SecondBidMustBeHigher(Spades):
    """Takes the bidding for an auction (SPADES-R12)."""

    def bid(self, seat, number):
        other = self.bids[1 - seat]
        if isinstance(other, int) and number <= other:
            raise Refused("SPADES-13")
        return super().bid(seat, number)


@mutant
class BidsMustDiffer(Spades):
    """Doesn't let the second bid be the same as the first."""

    def bid(self, seat, number):
        if number == self.bids[1 - seat]:
            raise Refused("SPADES-13")
        return super().bid(seat, number)


@mutant
class BidsMustNotMakeThirteen(Spades):
    """Doesn't let the bids add up to thirteen."""

    def bid(self, seat, number):
        other = self.bids[1 - seat]
        if isinstance(other, int) and number + other == 13:
            raise Refused("SPADES-13")
        return super().bid(seat, number)


class OtherBids(Spades):
    """Spades with another range of bids."""

    range = BIDS

    def bid(self, seat, number):
        if number not in self.range:
            raise Refused("SPADES-13")
        self.bids[seat] = number
        return self.go_on()

    def choices(self, seat):
        choices = super().choices(seat)
        if self.verbs is BIDDING:
            return [replace(choice, whats=self.range) for choice in choices]
        return choices


@mutant
class NilIsNoBid(OtherBids):
    """Lets nobody bid less than one trick."""

    range = range(1, 14)


@mutant
class TwelveAtMost(OtherBids):
    """Takes thirteen tricks for more than can be bid."""

    range = range(13)


@mutant
class FourteenMayBeBid(OtherBids):
    """Lets a player bid more tricks than there are."""

    range = range(15)


@mutant
class BidRangeNotEnforced(Spades):
    """Lists the right bids and accepts any number."""

    def bid(self, seat, number):
        return super().bid(seat, min(number, 13))


@mutant
class BidOutOfRangeIsMalformed(Spades):
    """Takes a bid beyond thirteen for no action at all."""

    def bid(self, seat, number):
        if number not in BIDS:
            raise Refused("FORMAT")
        return super().bid(seat, number)


@mutant
class ZeroIsNoBidYet(Spades):
    """Takes a bid of zero for none, and asks again once."""

    zeros = 0

    def bid(self, seat, number):
        if number == 0 and not self.zeros:
            self.zeros += 1
            return None
        return super().bid(seat, number)


@mutant
class BidCanBeChanged(Spades):
    """Lets the second player bid once more after the first has bid."""

    changed = False

    def bid(self, seat, number):
        if seat == self.first and not self.changed and self.bids[self.second] != DOUBLE_NIL:
            self.changed = True
            self.bids[self.second] = None
        return super().bid(seat, number)

    def deal(self, deal):
        self.changed = False
        super().deal(deal)


@mutant
class ContractInTheOrderOfBidding(Spades):
    """Gives the bids in the order in which they were made."""

    def open_first_trick(self):
        outcome = super().open_first_trick()
        outcome.contract = {"bids": [self.bids[self.second], self.bids[self.first]]}
        return outcome


@mutant
class ContractWritesDoubleNilAsZero(Spades):
    """Gives double nil as a bid of zero."""

    def open_first_trick(self):
        outcome = super().open_first_trick()
        outcome.contract = {"bids": [0 if bid == DOUBLE_NIL else bid for bid in self.bids]}
        return outcome


# Leading and breaking.


@mutant
class FirstPlayerLeads(Spades):
    """Lets the first player lead to the first trick."""

    def open_first_trick(self):
        outcome = super().open_first_trick()
        self.open_play(self.first, PLAYING)
        return outcome


@mutant
class HighestBidderLeads(Spades):
    """Lets the higher bidder lead to the first trick."""

    def open_first_trick(self):
        outcome = super().open_first_trick()
        numbers = [0 if bid == DOUBLE_NIL else bid for bid in self.bids]
        if numbers[self.first] > numbers[self.second]:
            self.open_play(self.first, PLAYING)
        return outcome


@mutant
class TwoOfClubsLeads(Spades):
    """Makes the holder of the two of clubs lead it to the first trick (SPADES-R14)."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        return legal & TWO_OF_CLUBS or legal if not any(self.tricks) else legal


@mutant
class HeartsBarredAsInHearts(Spades):
    """Bars hearts from the first lead."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        return legal & ~HEARTS or legal if not any(self.tricks) else legal


@mutant
class SpadeLeadAllowedFirst(Spades):
    """Bars spades only after the first lead."""

    def legal_leads(self, hand):
        return super().legal_leads(hand) if any(self.tricks) else hand


@mutant
class SpadeLeadUnbroken(Spades):
    """Bars spades from the first lead only."""

    def legal_leads(self, hand):
        return hand if any(self.tricks) else super().legal_leads(hand)


@mutant
class OnlySpadesStuck(Spades):
    """Leaves a leader who holds nothing but spades without a card to lead."""

    def legal_leads(self, hand):
        return hand if self.spades_broken() else hand & ~SPADES


class BrokenByHand(Spades):
    """Spades with a flag for broken spades that each mutant sets in its own way."""

    broken = False

    def deal(self, deal):
        self.broken = False
        super().deal(deal)

    def spades_broken(self):
        return self.broken


@mutant
class NeverBroken(BrokenByHand):
    """Reads the flag for broken spades and never sets it."""


@mutant
class BrokenOnlyByALead(BrokenByHand):
    """Breaks spades only when a spade is led."""

    def take_trick(self):
        self.broken |= bool(self.trick[0] & SPADES)
        return super().take_trick()


@mutant
class ForcedLeadDoesNotBreak(BrokenByHand):
    """Breaks spades only when a spade is thrown on another suit."""

    def take_trick(self):
        self.broken |= bool(self.trick[1] & SPADES and not self.trick[0] & SPADES)
        return super().take_trick()


@mutant
class FirstTrickNeverBreaks(BrokenByHand):
    """Doesn't break spades on the first trick."""

    def take_trick(self):
        if any(self.tricks):
            self.broken |= bool(union(self.trick) & SPADES)
        return super().take_trick()


@mutant
class AnyDiscardBreaks(BrokenByHand):
    """Breaks spades with any card that doesn't follow."""

    def take_trick(self):
        led = SUIT_OF[self.trick[0]]
        self.broken |= bool(union(self.trick) & (SPADES | ~led))
        return super().take_trick()


@mutant
class BrokenForOnePlayer(Spades):
    """Opens spades only to the player who has broken them."""

    breakers = ()

    def deal(self, deal):
        self.breakers = ()
        super().deal(deal)

    def play(self, seat, card):
        outcome = super().play(seat, card)
        if card & SPADES and seat not in self.breakers:
            self.breakers += (seat,)
        return outcome

    def spades_broken(self):
        return self.to_act[0] in self.breakers if self.to_act else False


@mutant
class BrokenForTheNextHand(Spades):
    """Keeps spades broken from one hand to the next."""

    broken = False

    def spades_broken(self):
        self.broken = self.broken or super().spades_broken()
        return self.broken


@mutant
class BrokenByARefusedSpade(Spades):
    """Breaks spades with a spade that was refused."""

    broken = False

    def deal(self, deal):
        self.broken = False
        super().deal(deal)

    def play(self, seat, card):
        try:
            return super().play(seat, card)
        except Refused:
            self.broken |= bool(card & SPADES & self.hands[seat])
            raise

    def spades_broken(self):
        return self.broken or super().spades_broken()


# Following.


@mutant
class FollowUnchecked(Spades):
    """Lets a player throw what they like although they hold the suit led."""

    def legal_cards(self, seat):
        return self.hands[seat] if self.trick else super().legal_cards(seat)


@mutant
class SpadesInsteadOfFollowing(Spades):
    """Lets a player trump although they hold the suit led."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        return legal | self.hands[seat] & SPADES if self.trick else legal


@mutant
class VoidMustTrump(Spades):
    """Makes a player who can't follow play a spade (SPADES-R16)."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if self.trick and not legal & SUIT_OF[self.trick[0]]:
            return legal & SPADES or legal
        return legal


@mutant
class SpadeDiscardNeedsBreaking(Spades):
    """Doesn't let a player who can't follow play a spade before spades are broken."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if self.trick and not self.trick[0] & SPADES and not self.spades_broken():
            return legal & ~SPADES or legal
        return legal


@mutant
class FollowersMustBeat(Spades):
    """Makes a player who follows win the trick if they can."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if not self.trick or not legal & SUIT_OF[self.trick[0]]:
            return legal
        return union(card for card in each(legal) if card > self.trick[0]) or legal


@mutant
class NilMustDuck(Spades):
    """Makes a nil bidder stay below the card led if they can."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if not self.trick or self.bids[seat] not in NILS:
            return legal
        return union(card for card in each(legal) if card < self.trick[0]) or legal


@mutant
class FollowAnEarlierSuit(Spades):
    """Asks for the suit of the trick before."""

    suit = 0

    def take_trick(self):
        self.suit = SUIT_OF[self.trick[0]]
        return super().take_trick()

    def legal_cards(self, seat):
        if self.trick and any(self.tricks):
            return self.hands[seat] & self.suit or self.hands[seat]
        return super().legal_cards(seat)


# The trick.


@mutant
class SpadesAreNoTrumps(Spades):
    """Lets a spade win only a spade trick."""

    def winning_card(self):
        suit = SUIT_OF[self.trick[0]]
        return max(card & suit for card in self.trick)


@mutant
class OffSuitWins(Spades):
    """Compares ranks across the plain suits."""

    def winning_card(self):
        spades = [card for card in self.trick if card & SPADES]
        return max(spades or self.trick, key=lambda card: (RANKS.index(CODE_OF[card][0]), card))


@mutant
class AceIsLow(Spades):
    """Takes the ace for the lowest card."""

    def winning_card(self):
        suit = SUIT_OF[self.trick[0]]
        spades = [card for card in self.trick if card & SPADES]
        following = [card for card in self.trick if card & suit]
        return max(spades or following, key=lambda card: "A23456789TJQK".index(CODE_OF[card][0]))


@mutant
class RanksByLetter(Spades):
    """Compares the ranks as letters, so that the ten is the highest."""

    def winning_card(self):
        suit = SUIT_OF[self.trick[0]]
        spades = [card for card in self.trick if card & SPADES]
        following = [card for card in self.trick if card & suit]
        return max(spades or following, key=lambda card: CODE_OF[card][0])


@mutant
class FirstSpadeWins(Spades):
    """Gives a spade trick to the card led."""

    def winning_card(self):
        return self.trick[0] if self.trick[0] & SPADES else super().winning_card()


@mutant
class LastCardWins(Spades):
    """Gives every trick to the second card."""

    def winning_card(self):
        return self.trick[-1]


@mutant
class LowerCardWins(Spades):
    """Gives the trick to the lower card of the suit led."""

    def winning_card(self):
        best = super().winning_card()
        both = all(card & SUIT_OF[self.trick[0]] for card in self.trick)
        return min(self.trick) if both else best


# The score of a bid.


@mutant
class MadeBidPaysEveryTrickTen(Spades):
    """Pays ten for each trick won, and one more for each beyond the bid (SPADES-R18)."""

    def score_tricks(self, seat, bid, tricks):
        return [
            replace(line, points=10 * tricks) if line.clause == "SPADES-31" else line
            for line in super().score_tricks(seat, bid, tricks)
        ]


@mutant
class OvertricksWorthNothing(Spades):
    """Counts overtricks as bags only."""

    def score_tricks(self, seat, bid, tricks):
        lines = super().score_tricks(seat, bid, tricks)
        return [line for line in lines if line.clause != "SPADES-32"]


@mutant
class OvertricksInOneLine(Spades):
    """Puts the bid and the overtricks into one line."""

    def score_tricks(self, seat, bid, tricks):
        lines = super().score_tricks(seat, bid, tricks)
        return [replace(lines[0], points=sum(line.points for line in lines))]


@mutant
class ExactBidMissed(Spades):
    """Takes a bid that is met exactly for one that is missed."""

    def score_tricks(self, seat, bid, tricks):
        if tricks == bid:
            return [Line(seat, "SPADES-33", -10 * bid)]
        return super().score_tricks(seat, bid, tricks)


@mutant
class OneShortIsMet(Spades):
    """Lets a bid stand that is a trick short."""

    def score_tricks(self, seat, bid, tricks):
        return super().score_tricks(seat, bid, bid if tricks == bid - 1 else tricks)


@mutant
class MissedBidCostsNothing(Spades):
    """Only refuses points to a missed bid."""

    def score_tricks(self, seat, bid, tricks):
        return [] if tricks < bid else super().score_tricks(seat, bid, tricks)


@mutant
class MissedBidKeepsItsTricks(Spades):
    """Pays a missed bid a point for each trick that was won all the same."""

    def score_tricks(self, seat, bid, tricks):
        lines = super().score_tricks(seat, bid, tricks)
        if 0 < tricks < bid:
            lines.append(Line(seat, "SPADES-32", tricks))
        return lines


@mutant
class ThirteenPaysExtra(Spades):
    """Pays 200 for all thirteen tricks bid and won."""

    def score_tricks(self, seat, bid, tricks):
        if bid == tricks == 13:
            return [Line(seat, "SPADES-31", 200)]
        return super().score_tricks(seat, bid, tricks)


@mutant
class LossesStopAtZero(Spades):
    """Doesn't let a total fall below zero (SPADES-R27)."""

    def score(self, tally, outcome):
        super().score(tally, outcome)
        self.scores = tuple(max(score, 0) for score in self.scores)
        outcome.hand = outcome.hand._replace(scores=self.scores)


@mutant
class SeatsSwapped(Spades):
    """Books the bids of the second player for seat 0 whoever that is."""

    def tally(self):
        tally = super().tally()
        if self.first == 0:
            return tally
        return replace(tally, tricks=tally.tricks[::-1])


# Nil.


@mutant
class ZeroIsNotNil(Spades):
    """Takes a bid of zero for a contract of no trick (SPADES-R13)."""

    def score_bid(self, seat, bid, tricks):
        if bid == 0:
            return [Line(seat, "SPADES-32", tricks)] if tricks else []
        return super().score_bid(seat, bid, tricks)


@mutant
class NilPaysFifty(Spades):
    """Pays fifty for nil."""

    def score_nil(self, seat, nil, tricks):
        return super().score_nil(seat, nil._replace(points=nil.points // 2), tricks)


@mutant
class FailedNilCostsNothing(Spades):
    """Only withholds the bonus from a failed nil."""

    def score_nil(self, seat, nil, tricks):
        lines = super().score_nil(seat, nil, tricks)
        return [line for line in lines if line.clause != nil.failed]


@mutant
class NilAllowsOneTrick(Spades):
    """Lets a nil stand with one trick."""

    def score_nil(self, seat, nil, tricks):
        return super().score_nil(seat, nil, 0 if tricks == 1 else tricks)


@mutant
class NilCostsItsTricks(Spades):
    """Charges a failed nil ten more for each trick."""

    def score_nil(self, seat, nil, tricks):
        lines = super().score_nil(seat, nil, tricks)
        if tricks:
            lines[0] = replace(lines[0], points=lines[0].points - 10 * tricks)
        return lines


@mutant
class NoTricksIsNil(Spades):
    """Takes a player without tricks for a nil bidder, whatever was bid."""

    def score_bid(self, seat, bid, tricks):
        return super().score_bid(seat, 0 if not tricks and bid not in NILS else bid, tricks)


@mutant
class NilFailsForBoth(Spades):
    """Lets both nils fail when one of them does."""

    def breakdown(self, tally):
        if all(bid in NILS for bid in tally.bids):
            lines = []
            for seat, bid in enumerate(tally.bids):
                tricks = tally.tricks[seat] or 1
                lines += self.score_bid(seat, bid, tricks)
                lines += self.score_bags(seat, self.bags[seat] + self.bags_won(bid, tricks))
            return lines
        return super().breakdown(tally)


@mutant
class FailedNilTricksForNilOnly(Spades):
    """Applies the option on the tricks of a failed nil to nil and not to double nil."""

    def score_bid(self, seat, bid, tricks):
        lines = super().score_bid(seat, bid, tricks)
        if bid != DOUBLE_NIL:
            return lines
        return [line for line in lines if line.clause != "SPADES-R20"]

    def bags_won(self, bid, tricks):
        return 0 if bid == DOUBLE_NIL else super().bags_won(bid, tricks)


@mutant
class FailedNilTricksPayTen(Spades):
    """Pays ten for each trick of a failed nil where the option pays one."""

    def score_nil(self, seat, nil, tricks):
        return [
            replace(line, points=10 * tricks) if line.clause == "SPADES-R20" else line
            for line in super().score_nil(seat, nil, tricks)
        ]


@mutant
class FailedNilEndsTheHand(Spades):
    """Breaks the hand off as soon as a nil has failed."""

    def take_trick(self):
        outcome = super().take_trick()
        if outcome.hand is None and self.bids[outcome.winner] in NILS:
            self.score(self.tally(), outcome)
            self._next_hand()
        return outcome


# Bags.


class OtherPenalties(Spades):
    """Spades with another number of bags to a penalty."""

    size = 10

    def bag_penalties(self, bags):
        penalties = bags // self.size
        return min(penalties, 1) if self.rules.bag_counter == "reset" else penalties

    def bags_left(self, bags):
        if bags >= self.size and self.rules.bag_counter == "reset":
            return 0
        return bags % self.size


@mutant
class PenaltyAtNine(OtherPenalties):
    """Charges the penalty with the ninth bag."""

    size = 9


@mutant
class PenaltyAtEleven(OtherPenalties):
    """Charges the penalty only beyond ten bags."""

    size = 11


@mutant
class PenaltyAtFive(OtherPenalties):
    """Charges the penalty with five bags, as in another variant (SPADES-R21)."""

    size = 5


@mutant
class PenaltyAtExactlyTen(Spades):
    """Charges the penalty only when the count is exactly ten."""

    def bag_penalties(self, bags):
        return 1 if bags == 10 else 0


@mutant
class OnePenaltyAHand(Spades):
    """Charges one penalty for two tens passed in one hand."""

    def bag_penalties(self, bags):
        return min(bags // 10, 1)


@mutant
class PenaltyTwice(Spades):
    """Charges a penalty again that has been charged, as long as ten bags remain on the count."""

    def bags_left(self, bags):
        return bags if bags == 10 else super().bags_left(bags)


@mutant
class NoPenalty(Spades):
    """Counts bags and never charges for them."""

    def bag_penalties(self, bags):
        return 0


@mutant
class PenaltyOfFifty(Spades):
    """Charges fifty for ten bags."""

    def score_bags(self, seat, bags):
        return [replace(line, points=line.points // 2) for line in super().score_bags(seat, bags)]


@mutant
class PenaltiesLineByLine(Spades):
    """Writes a line for each penalty."""

    def score_bags(self, seat, bags):
        return [Line(seat, "SPADES-36", -100) for _ in range(self.bag_penalties(bags))]


@mutant
class PenalisedBagsLoseTheirPoints(Spades):
    """Takes the points of ten bags away with the penalty (SPADES-R22)."""

    def score_bags(self, seat, bags):
        return [
            replace(line, points=line.points // 10 * 11) for line in super().score_bags(seat, bags)
        ]


@mutant
class BagsFromTheScore(Spades):
    """Reads the count of bags from the last digit of the score (SPADES-R23)."""

    def score(self, tally, outcome):
        self.bags = tuple(score % 10 for score in self.scores)
        super().score(tally, outcome)


@mutant
class BagsOfBothTogether(Spades):
    """Counts the bags of both players together."""

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        bags = sum(self.bags) + sum(map(self.bags_won, tally.bids, tally.tricks))
        if bags >= 10 and not any(line.clause == "SPADES-36" for line in lines):
            lines += [Line(seat, "SPADES-36", -100) for seat in range(2)]
        return lines


@mutant
class BagsNotKept(Spades):
    """Begins every hand without bags."""

    def deal(self, deal):
        if self.hands_played:
            self.bags = (0, 0)
        super().deal(deal)


@mutant
class StartBagsIgnored(Spades):
    """Takes no notice of the bags at the start."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, replace(start, bags=(0, 0)), deals)


@mutant
class BagsOfAMissedBid(Spades):
    """Counts the tricks of a missed bid as bags (SPADES-R24)."""

    def bags_won(self, bid, tricks):
        if bid not in NILS and tricks < bid:
            return tricks
        return super().bags_won(bid, tricks)


@mutant
class MissedBidTakesBagsBack(Spades):
    """Takes bags off for the tricks that a bid has missed by."""

    def count_up(self, tally):
        bags = super().count_up(tally)["bags"]
        self.bags = tuple(
            max(count - max(bid - tricks, 0), 0) if bid not in NILS else count
            for count, bid, tricks in zip(bags, tally.bids, tally.tricks, strict=True)
        )
        return {"bags": self.bags}


@mutant
class NilClearsTheBags(Spades):
    """Sets the bags to nothing after a nil that was made."""

    def count_up(self, tally):
        bags = super().count_up(tally)["bags"]
        self.bags = tuple(
            0 if bid in NILS and not tricks else count
            for count, bid, tricks in zip(bags, tally.bids, tally.tricks, strict=True)
        )
        return {"bags": self.bags}


@mutant
class BagsShownBeforeThePenalty(Spades):
    """Shows the count of bags with those that have been charged for."""

    def count_up(self, tally):
        before = self.bags
        super().count_up(tally)
        won = map(self.bags_won, tally.bids, tally.tricks)
        return {"bags": tuple(old + new for old, new in zip(before, won, strict=True))}


# The end.


@mutant
class TargetMustBePassed(Spades):
    """Ends the match only beyond the target (SPADES-R29)."""

    def match_winners(self):
        return () if max(self.scores) == self.rules.target else super().match_winners()


@mutant
class TargetMustBeHit(Spades):
    """Ends the match only when somebody stands at the target exactly."""

    def match_winners(self):
        return super().match_winners() if self.rules.target in self.scores else ()


@mutant
class TargetOneEarly(Spades):
    """Ends the match a point before the target."""

    def match_winners(self):
        scores = self.scores
        self.scores = tuple(score + 1 for score in scores)
        winners = super().match_winners()
        self.scores = scores
        return winners


@mutant
class TargetBeforeThePenalty(Spades):
    """Looks at the target before the penalty for bags is taken off (SPADES-R25)."""

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        self.penalties = [
            -sum(line.points for line in lines if (line.side, line.clause) == (seat, "SPADES-36"))
            for seat in range(2)
        ]
        return lines

    def match_winners(self):
        scores = self.scores
        self.scores = tuple(map(sum, zip(scores, self.penalties, strict=True)))
        winners = super().match_winners()
        self.scores = scores
        return winners


@mutant
class TargetWithoutOvertricks(Spades):
    """Looks at the target before the overtricks are added."""

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        self.overtricks = [
            sum(line.points for line in lines if (line.side, line.clause) == (seat, "SPADES-32"))
            for seat in range(2)
        ]
        return lines

    def match_winners(self):
        scores = self.scores
        self.scores = tuple(
            score - more for score, more in zip(scores, self.overtricks, strict=True)
        )
        winners = super().match_winners()
        self.scores = scores
        return winners


@mutant
class TieToTheFirstSeat(Spades):
    """Gives a tie at the target to seat 0."""

    def match_winners(self):
        over = max(self.scores) >= self.rules.target
        return (self.scores.index(max(self.scores)),) if over else ()


@mutant
class TieIsShared(Spades):
    """Lets both win when they are level at the target."""

    def match_winners(self):
        level = self.scores[0] == self.scores[1] >= self.rules.target
        return (0, 1) if level else super().match_winners()


@mutant
class FirstSeatWins(Spades):
    """Gives the match to the first seat that has reached the target, not to the higher total."""

    def match_winners(self):
        if not super().match_winners():
            return ()
        return (0,) if self.scores[0] >= self.rules.target else (1,)


@mutant
class LowerTotalWins(Spades):
    """Gives the match to the lower total."""

    def match_winners(self):
        return tuple(1 - seat for seat in super().match_winners())


@mutant
class BothMustReachTheTarget(Spades):
    """Ends the match when both have reached the target."""

    def match_winners(self):
        return super().match_winners() if min(self.scores) >= self.rules.target else ()


@mutant
class EndTestsSeatZero(Spades):
    """Looks only at seat 0 to see whether the match is over."""

    def match_winners(self):
        return super().match_winners() if self.scores[0] >= self.rules.target else ()


@mutant
class WhoWasThereBeforeWins(Spades):
    """Lets a player win who stood at the target before the hand and has fallen below."""

    def score(self, tally, outcome):
        self.before = self.scores
        super().score(tally, outcome)

    def match_winners(self):
        winners = super().match_winners()
        for seat in range(2):
            if self.before[seat] >= self.rules.target > self.scores[seat]:
                return (seat,)
        return winners


@mutant
class LeaderBeforeTheHandWins(Spades):
    """With both at the target, lets the one win who led before the hand."""

    def score(self, tally, outcome):
        self.before = self.scores
        super().score(tally, outcome)

    def match_winners(self):
        winners = super().match_winners()
        if winners and min(self.scores) >= self.rules.target and len(set(self.before)) == 2:
            return (self.before.index(max(self.before)),)
        return winners


@mutant
class TieBreakIsSuddenDeath(Spades):
    """Lets the hand after a tie decide although nobody stands at the target after it (SPADES-R28)."""

    def score(self, tally, outcome):
        self.before = self.scores
        super().score(tally, outcome)

    def match_winners(self):
        level = self.before[0] == self.before[1] >= self.rules.target
        if level and self.scores[0] != self.scores[1]:
            return (self.scores.index(max(self.scores)),)
        return super().match_winners()


@mutant
class TieOnlyOnce(Spades):
    """Shares the win when the hand after a tie ends in a tie again."""

    def score(self, tally, outcome):
        self.before = self.scores
        super().score(tally, outcome)

    def match_winners(self):
        target = self.rules.target
        if (
            self.before[0] == self.before[1] >= target
            and self.scores[0] == self.scores[1] >= target
        ):
            return (0, 1)
        return super().match_winners()


@mutant
class LosesAtAFloor(Spades):
    """Ends the match when a player has fallen to -250 (SPADES-R27)."""

    def match_winners(self):
        if min(self.scores) <= -250 and self.scores[0] != self.scores[1]:
            return (self.scores.index(max(self.scores)),)
        return super().match_winners()


@mutant
class LosesAtTheNegativeTarget(Spades):
    """Ends the match when a player is as far below zero as the target is above (SPADES-R27)."""

    def match_winners(self):
        if min(self.scores) <= -self.rules.target and self.scores[0] != self.scores[1]:
            return (self.scores.index(max(self.scores)),)
        return super().match_winners()


@mutant
class EndsInMidHand(Spades):
    """Ends the match as soon as a bid that brings the target is met (SPADES-R26)."""

    def take_trick(self):
        outcome = super().take_trick()
        seat = outcome.winner
        bid = self.bids[seat]
        met = outcome.hand is None and bid not in NILS and self.tricks[seat] == bid
        if met and self.scores[seat] + 10 * bid >= self.rules.target:
            self.to_act = ()
            self.winners = outcome.match_winners = (seat,)
        return outcome


# The deal.


@mutant
class PackFromTheBottom(Spades):
    """Takes the last card of the shuffled row for the top card."""

    @classmethod
    def deal_from_pack(cls, row):
        return Deal(pack=tuple(row[::-1]))


# What a request may hold.


@mutant
class TallyUnchecked(Spades):
    """Scores a tally that no hand can give."""

    @classmethod
    def check_tally(cls, rules, tally):
        pass


@mutant
class DoubleNilScoredWhenOff(Spades):
    """Scores a tally with double nil where the options exclude it."""

    @classmethod
    def check_tally(cls, rules, tally):
        super().check_tally(replace(rules, double_nil=True), tally)


# What is seen.


@mutant
class OpponentSeesTheDraw(Spades):
    """Shows both players the card that is being decided on (SPADES-R03)."""

    def view(self, seat):
        view = super().view(seat)
        if "drawn" in view.unknown:
            del view.unknown["drawn"]
            view.known["drawn"] = self.drawn()
        return view


@mutant
class DrawnCardHidden(Spades):
    """Doesn't show the drawer the card that they decide on."""

    def view(self, seat):
        view = super().view(seat)
        if "drawn" in view.known:
            del view.known["drawn"]
            view.unknown["drawn"] = 1
        return view


@mutant
class DrawnCardStillInTheStock(Spades):
    """Counts the card being decided on with the stock."""

    def view(self, seat):
        view = super().view(seat)
        if self.drawn():
            view.unknown["stock"] += 1
        return view


@mutant
class RefusedFacesForgotten(Spades):
    """Doesn't show a player the faces that they have refused (SPADES-R03)."""

    def remembered(self, seat):
        return 0


@mutant
class RefusedFacesSeenByBoth(Spades):
    """Shows both players all refused faces (SPADES-R03)."""

    def remembered(self, seat):
        return super().remembered(seat) | super().remembered(1 - seat)


@mutant
class RefusedFacesRememberedTooLong(Spades):
    """Goes on showing a refused face as remembered when it has come back or been played."""

    def remembered(self, seat):
        return self.refused[seat]


@mutant
class RefusedFacesAfterThePlayOnly(Spades):
    """Takes a refused face off the memory when it came back, but not when the other played it."""

    def remembered(self, seat):
        return self.refused[seat] & ~self.hands[seat]


@mutant
class AllDiscardsShown(Spades):
    """Shows every card on the discard pile."""

    def remembered(self, seat):
        return self.discards


@mutant
class SecondCardSeenByRefuser(Spades):
    """Shows a player the second card while they decide on the first."""

    def view(self, seat):
        view = super().view(seat)
        if "drawn" in view.known:
            view.known["drawn"] |= self.stock[1]
            view.unknown["stock"] -= 1
        return view


@mutant
class ThrownCardsSeenByBoth(Spades):
    """Shows the opponent what was thrown in an exchange (SPADES-R10)."""

    def view(self, seat):
        view = super().view(seat)
        other = 1 - seat
        if self.thrown[other]:
            del view.unknown[f"thrown {other}"]
            view.known[f"thrown {other}"] = self.thrown[other]
        return view


@mutant
class ThrownCardsForgotten(Spades):
    """Doesn't show a player what they threw themselves."""

    def view(self, seat):
        view = super().view(seat)
        if self.thrown[seat]:
            del view.known[f"thrown {seat}"]
            view.unknown[f"thrown {seat}"] = self.thrown[seat].bit_count()
        return view


@mutant
class ThrownCardsAmongTheDiscards(Spades):
    """Counts thrown cards with the discards."""

    def view(self, seat):
        view = super().view(seat)
        thrown = sum(cards.bit_count() for cards in self.thrown)
        if thrown:
            view.unknown["discards"] = view.unknown.get("discards", 0) + thrown
        return view


@mutant
class ReplacementsShown(Spades):
    """Shows a player the replacements that came to the other."""

    def replace(self, seat, row):
        self.received = (*self.received, *row)
        return super().replace(seat, row)

    received = ()

    def view(self, seat):
        view = super().view(seat)
        other = 1 - seat
        seen = self.hands[other] & union(self.received)
        if seen:
            view.known[f"hand {other}"] = seen
            view.unknown[f"hand {other}"] -= seen.bit_count()
        return view


@mutant
class ExchangedCardsOnTheTable(Spades):
    """Lists the cards that may be played before both bids are made."""

    def choices(self, seat):
        choices = super().choices(seat)
        if self.verbs is BIDDING and self.bids.count(None) == 1:
            return [*choices, Each("play", self.legal_leads(self.hands[seat]))]
        return choices
