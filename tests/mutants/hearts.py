"""Hearts misread."""

from dataclasses import replace

from oracle.cards import CARD_OF, CLUBS, CODE_OF, HEARTS, RANKS, SPADES, SUIT_OF, each, union
from oracle.games.actions import Notation, OneCard, Pick, SomeCards
from oracle.games.hearts import (
    DIRECTIONS,
    PASSING,
    PENALTY_CARDS,
    PLAYING,
    QUEEN_OF_SPADES,
    TWO_OF_CLUBS,
    Deal,
    Hearts,
    Tally,
)
from oracle.games.refusals import CARD, PHASE, Refused
from oracle.games.table import Line

from .registry import mutant, options_unknown, taken_for_the_rule

JACK_OF_DIAMONDS = CARD_OF["JD"]

options_unknown(Hearts)
taken_for_the_rule(
    Hearts,
    {
        ("target", 50): "Ends the match at fifty, as many tables do.",
        ("pass_cycle", ("right", "left", "across", "none")): "Lets the first pass go to the right.",
        ("pass_cycle", ("left", "across", "right", "none")): "Passes across before passing right.",
        ("pass_cycle", ("left", "right", "across")): "Forgets the hand in which nobody passes.",
        ("pass_cycle", ("left",)): "Passes to the left in every hand.",
        ("pass_cycle", ("none",)): "Never passes at all.",
        ("opening_lead", "any_club"): "Lets the holder of the two of clubs open with any club.",
        ("points_on_first_trick", True): "Allows penalty cards on the first trick.",
        ("first_trick_only_penalty_cards", "queen"): (
            "Makes a hand of nothing but penalty cards give up the queen on the first trick."
        ),
        ("queen_breaks_hearts", True): "Takes the queen of spades for a card that breaks hearts.",
        ("lead_from_hearts_and_queen", "any"): (
            "Lets a leader with the queen and hearts alone lead a heart before hearts are broken."
        ),
        ("tie_for_lowest", "shared"): "Shares the win when the lowest total is tied.",
    },
)


# The pass.


@mutant
class LeftIsCounterclockwise(Hearts):
    """Counts the seats the other way round, so that left and right are exchanged."""

    def receiver(self, seat):
        return (seat - DIRECTIONS[self.direction]) % 4


@mutant
class AcrossIsToTheLeft(Hearts):
    """Hands the three cards to the next player when they should go across."""

    def receiver(self, seat):
        return (seat + 1) % 4 if self.direction == "across" else super().receiver(seat)


@mutant
class StartHandIgnored(Hearts):
    """Begins every match with the first direction, whatever hand it is taken up at."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, replace(start, hand=0), deals)


@mutant
class StartHandCountedFromOne(Hearts):
    """Takes the number of the first hand for 1 and so is one direction out."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, replace(start, hand=max(start.hand - 1, 0)), deals)


@mutant
class DirectionStays(Hearts):
    """Passes in the same direction in every hand of a match."""

    def deal(self, deal):
        played, self.hands_played = self.hands_played, 0
        super().deal(deal)
        self.hands_played = played


@mutant
class DirectionStopsAtTheEndOfTheCycle(Hearts):
    """Doesn't come back to the first direction after the last."""

    def __init__(self, rules, start, deals=()):
        hand = min(start.hand, len(rules.pass_cycle) - 1)
        super().__init__(rules, replace(start, hand=hand), deals)


@mutant
class ExtraHandRestartsTheCycle(Hearts):
    """Begins the round of passes anew with a hand that is played because of a tie."""

    def deal(self, deal):
        start = self.start
        if self.hands_played and max(self.scores) >= self.rules.target:
            self.start = replace(start, hand=-self.hands_played)
        super().deal(deal)
        self.start = start


@mutant
class ExtraHandWithoutAPass(Hearts):
    """Plays a hand that is due to a tie without passing."""

    def deal(self, deal):
        rules = self.rules
        if self.hands_played and max(self.scores) >= self.rules.target:
            self.rules = replace(rules, pass_cycle=("none",))
        super().deal(deal)
        self.rules = rules


@mutant
class CardsMoveAtOnce(Hearts):
    """Moves a player's three cards before the others have chosen, so that they can be passed on."""

    def pass_cards(self, seat, three):
        super().pass_cards(seat, three)
        if self.verbs is PASSING:
            self.hands[seat] ^= self.passed[seat]
            self.hands[self.receiver(seat)] |= self.passed[seat]

    def hand_over_passes(self):
        last = next(seat for seat in range(4) if not self.passed[seat] & ~self.hands[seat])
        self.hands[last] ^= self.passed[last]
        self.hands[self.receiver(last)] |= self.passed[last]
        self.find_opening_leader()


@mutant
class PassesInTheOrderOfSeats(Hearts):
    """Asks the players for their three cards one after the other, from seat 0."""

    def deal(self, deal):
        super().deal(deal)
        if self.verbs is PASSING:
            self.to_act = (0,)

    def pass_cards(self, seat, three):
        self.to_act = tuple(range(seat, 4))
        try:
            super().pass_cards(seat, three)
        finally:
            if self.verbs is PASSING:
                self.to_act = self.to_act[:1]


@mutant
class PassCanBeChanged(Hearts):
    """Lets a player pass again as long as somebody else has still to pass."""

    def pass_cards(self, seat, three):
        super().pass_cards(seat, three)
        if self.verbs is PASSING:
            self.to_act = (0, 1, 2, 3)
            if all(self.passed):
                self.to_act = ()
                self.hand_over_passes()


class AnyNumberPassed(Hearts):
    """Hearts in which a pass may have one to four cards."""

    notation = Notation(4, {"pass": SomeCards(1, 4), "play": OneCard()})

    def pass_cards(self, seat, three):
        chosen = union(three)
        if chosen & ~self.hands[seat] or not self.may_pass(three):
            raise Refused(CARD)
        self.passed[seat] = chosen
        self.to_act = tuple(other for other in self.to_act if other != seat)
        if not self.to_act:
            self.hand_over_passes()


@mutant
class TwoCardsPassed(AnyNumberPassed):
    """Accepts a pass of fewer than three cards."""

    def may_pass(self, three):
        return len(set(three)) == len(three) <= 3


@mutant
class FourCardsPassed(AnyNumberPassed):
    """Accepts a pass of more than three cards."""

    def may_pass(self, three):
        return len(set(three)) == len(three) >= 3


@mutant
class PassWrongNumberIsACard(AnyNumberPassed):
    """Blames the cards when a pass hasn't three of them, though the action has no form at all."""

    def may_pass(self, three):
        return len(set(three)) == len(three) == 3


@mutant
class SameCardPassedThrice(Hearts):
    """Checks that each card is held and not that the three are different."""

    def pass_cards(self, seat, three):
        spare = [card for card in each(self.hands[seat]) if card not in three]
        if not union(three) & ~self.hands[seat]:
            three = (*set(three), *spare)[:3]
        super().pass_cards(seat, three)


@mutant
class OthersCardsPassed(Hearts):
    """Doesn't check that the cards passed are held."""

    def pass_cards(self, seat, three):
        spare = each(self.hands[seat] & ~union(three))
        held = [card for card in three if card & self.hands[seat]]
        super().pass_cards(seat, (*held, *spare)[:3])


@mutant
class QueenMayNotBePassed(Hearts):
    """Bars the queen of spades from the pass."""

    def pass_cards(self, seat, three):
        if QUEEN_OF_SPADES in three:
            raise Refused(CARD)
        super().pass_cards(seat, three)


@mutant
class TwoOfClubsMayNotBePassed(Hearts):
    """Bars the two of clubs from the pass, so that its holder is known from the deal."""

    def choices(self, seat):
        if self.verbs is PASSING:
            return [Pick("pass", 3, 3, self.hands[seat] & ~TWO_OF_CLUBS)]
        return super().choices(seat)


@mutant
class PassedSeatStillListed(Hearts):
    """Goes on listing a seat that has passed its three cards."""

    def pass_cards(self, seat, three):
        waiting = self.to_act
        super().pass_cards(seat, three)
        if self.verbs is PASSING and len(waiting) == 4:
            self.to_act = waiting


@mutant
class StarterFixedBeforeThePass(Hearts):
    """Looks for the two of clubs in the hands as they were dealt."""

    def deal(self, deal):
        self.dealt = deal.hands
        super().deal(deal)

    def find_opening_leader(self):
        holder = next(seat for seat in range(4) if self.dealt[seat] & TWO_OF_CLUBS)
        self.open_play(holder, PLAYING)


@mutant
class StarterOnlySoughtAfterAPass(Hearts):
    """Lets seat 0 begin when there is no pass, as the starter is looked for while passing."""

    def find_opening_leader(self):
        super().find_opening_leader()
        if self.direction == "none":
            self.open_play(0, PLAYING)


@mutant
class LastWinnerOpensTheNextHand(Hearts):
    """Lets the winner of the last trick lead to the next hand, if the pass leaves it to them."""

    def find_opening_leader(self):
        leader = self.leader
        super().find_opening_leader()
        if self.hands_played:
            self.open_play(leader, PLAYING)


# Leading.


@mutant
class OpeningLeadUnchecked(Hearts):
    """Lets the holder of the two of clubs lead anything to the first trick."""

    def legal_opening_leads(self, hand):
        return hand


@mutant
class OpeningLeadUnderLaterRules(Hearts):
    """Knows for the first lead only that hearts are not to be led."""

    def legal_opening_leads(self, hand):
        return hand & ~HEARTS or hand


@mutant
class AnyClubLetsAnyCard(Hearts):
    """Takes the option of any club for leave to open with any card."""

    def legal_opening_leads(self, hand):
        return hand if self.rules.opening_lead == "any_club" else TWO_OF_CLUBS


@mutant
class ClubsLedThroughout(Hearts):
    """Holds every lead to clubs as long as the leader has one, until hearts are broken."""

    def legal_leads(self, hand):
        if self.hearts_broken():
            return super().legal_leads(hand)
        return super().legal_leads(hand) & CLUBS or super().legal_leads(hand)


@mutant
class HeartsLedUnbroken(Hearts):
    """Lets hearts be led at any time."""

    def legal_leads(self, hand):
        return self.legal_opening_leads(hand) if self.on_first_trick() else hand


@mutant
class OnlyHeartsStuck(Hearts):
    """Leaves a leader who holds nothing but hearts without a card to lead."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        return legal if self.hearts_broken() else legal & ~HEARTS


@mutant
class LeadAnyTooWide(Hearts):
    """Under the option for hearts and the queen, lets anybody who holds her lead hearts."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        free = self.rules.lead_from_hearts_and_queen == "any" and not self.on_first_trick()
        return hand if free and hand & QUEEN_OF_SPADES else legal


@mutant
class QueenLeadBarred(Hearts):
    """Bars the queen of spades from being led before hearts are broken."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        return legal if self.hearts_broken() else legal & ~QUEEN_OF_SPADES or legal


@mutant
class BrokenHeartsMustBeLed(Hearts):
    """Makes the leader lead hearts once they are broken."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        return legal & HEARTS or legal if self.hearts_broken() else legal


@mutant
class LastCardLost(Hearts):
    """Offers a leader with one card left nothing."""

    def legal_leads(self, hand):
        return super().legal_leads(hand) if hand.bit_count() > 1 else 0


# Following and throwing.


@mutant
class QueenFollowsHearts(Hearts):
    """Takes the queen of spades for a heart when hearts are led."""

    def legal_cards(self, seat):
        if self.trick and self.trick[0] & HEARTS:
            hand = self.hands[seat]
            return hand & PENALTY_CARDS or self.legal_discards(hand)
        return super().legal_cards(seat)


@mutant
class FollowUnchecked(Hearts):
    """Lets a player throw what they like although they hold the suit led."""

    def legal_cards(self, seat):
        return self.hands[seat] if self.trick else super().legal_cards(seat)


@mutant
class FollowTheLastCard(Hearts):
    """Takes the suit to follow from the card that was played last."""

    def legal_cards(self, seat):
        if not self.trick:
            return super().legal_cards(seat)
        hand = self.hands[seat]
        return hand & SUIT_OF[self.trick[-1]] or self.legal_discards(hand)


@mutant
class FollowersMustBeat(Hearts):
    """Makes a player who follows play higher than the best card if they can."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if not self.trick:
            return legal
        best = self.winning_card()
        return union(card for card in each(legal & SUIT_OF[best]) if card > best) or legal


@mutant
class FollowersMustDuck(Hearts):
    """Makes a player who follows stay below the best card if they can."""

    def legal_cards(self, seat):
        legal = super().legal_cards(seat)
        if not self.trick:
            return legal
        best = self.winning_card()
        return union(card for card in each(legal & SUIT_OF[best]) if card < best) or legal


@mutant
class QueenMustBeThrown(Hearts):
    """Makes a player get rid of the queen of spades at the first void."""

    def legal_discards(self, hand):
        legal = super().legal_discards(hand)
        return legal & QUEEN_OF_SPADES or legal


@mutant
class VoidJudgedBeforeThePass(Hearts):
    """Judges whether a player is void on the cards that they were dealt."""

    def deal(self, deal):
        self.dealt = deal.hands
        super().deal(deal)

    def legal_cards(self, seat):
        if self.trick and not self.dealt[seat] & SUIT_OF[self.trick[0]]:
            return self.legal_discards(self.hands[seat])
        return super().legal_cards(seat)


@mutant
class HeartsThrownOnlyWhenBroken(Hearts):
    """Applies the breaking of hearts to discards, so that they are hardly ever broken."""

    def legal_discards(self, hand):
        legal = super().legal_discards(hand)
        return legal if self.hearts_broken() else legal & ~HEARTS or legal


# The first trick.


@mutant
class QueenAllowedOnFirstTrick(Hearts):
    """Keeps only the hearts off the first trick."""

    def legal_discards(self, hand):
        legal = super().legal_discards(hand)
        return legal | hand & QUEEN_OF_SPADES if hand & ~PENALTY_CARDS else legal


@mutant
class HeartsAllowedOnFirstTrick(Hearts):
    """Keeps only the queen of spades off the first trick."""

    def legal_discards(self, hand):
        legal = super().legal_discards(hand)
        return legal | hand & HEARTS if hand & ~PENALTY_CARDS else legal


@mutant
class FirstTrickWithoutFallback(Hearts):
    """Leaves a hand of nothing but penalty cards without a card for the first trick."""

    def legal_discards(self, hand):
        barred = self.on_first_trick() and not self.rules.points_on_first_trick
        return super().legal_discards(hand) & ~PENALTY_CARDS if barred else hand


@mutant
class FirstTrickHeartBeforeQueen(Hearts):
    """Makes a hand of nothing but penalty cards keep the queen on the first trick."""

    def legal_discards(self, hand):
        legal = super().legal_discards(hand)
        if hand & ~PENALTY_CARDS or not self.on_first_trick():
            return legal
        return legal & HEARTS or legal


@mutant
class QueenFirstFromEveryHand(Hearts):
    """Under the option for the queen, makes her go first from hands with other cards too."""

    def legal_discards(self, hand):
        legal = super().legal_discards(hand)
        if self.on_first_trick() and self.rules.first_trick_only_penalty_cards == "queen":
            return hand & QUEEN_OF_SPADES or legal
        return legal


@mutant
class QueenFirstWherePointsMayFall(Hearts):
    """Keeps the option for the queen in force where there is no ban on the first trick."""

    def legal_discards(self, hand):
        legal = super().legal_discards(hand)
        free = self.rules.points_on_first_trick
        queen_first = self.rules.first_trick_only_penalty_cards == "queen"
        if self.on_first_trick() and free and queen_first and not hand & ~PENALTY_CARDS:
            return hand & QUEEN_OF_SPADES or legal
        return legal


@mutant
class QueenFirstOnEveryTrick(Hearts):
    """Under the option for the queen, makes her go first on later tricks too."""

    def legal_discards(self, hand):
        legal = super().legal_discards(hand)
        if self.rules.first_trick_only_penalty_cards == "queen" and not hand & ~PENALTY_CARDS:
            return hand & QUEEN_OF_SPADES or legal
        return legal


@mutant
class FirstTrickBarsAllSpades(Hearts):
    """Keeps every spade off the first trick."""

    def legal_discards(self, hand):
        legal = super().legal_discards(hand)
        return legal & ~SPADES or legal if self.on_first_trick() else legal


@mutant
class FirstTrickBarsTheJack(Hearts):
    """Keeps the jack of diamonds off the first trick, as if it were a penalty card."""

    def legal_discards(self, hand):
        legal = super().legal_discards(hand)
        return legal & ~JACK_OF_DIAMONDS or legal if self.on_first_trick() else legal


@mutant
class FirstTrickLastsForClubs(Hearts):
    """Bars penalty cards whenever clubs are led."""

    def on_first_trick(self):
        return super().on_first_trick() or (bool(self.trick) and self.trick[0] in each(CLUBS))


@mutant
class FirstTrickOfTheMatchOnly(Hearts):
    """Knows a first trick in the first hand of a match only."""

    def legal_discards(self, hand):
        return hand if self.hands_played else super().legal_discards(hand)


@mutant
class FirstTrickBarLiftedByAnother(Hearts):
    """Lets everybody throw penalty cards on the first trick once somebody had to."""

    def legal_discards(self, hand):
        return hand if union(self.trick) & PENALTY_CARDS else super().legal_discards(hand)


# Breaking hearts.


@mutant
class BrokenOnlyByALead(Hearts):
    """Breaks hearts only when a heart is led."""

    broken = False

    def deal(self, deal):
        self.broken = False
        super().deal(deal)

    def play(self, seat, card):
        led = not self.trick
        outcome = super().play(seat, card)
        self.broken = self.broken or (led and bool(card & HEARTS))
        return outcome

    def hearts_broken(self):
        return self.broken


@mutant
class BrokenOnlyByADiscard(Hearts):
    """Breaks hearts only when a heart is thrown on another suit, not when one is led (HEARTS-R08)."""

    broken = False

    def deal(self, deal):
        self.broken = False
        super().deal(deal)

    def take_trick(self):
        if not self.trick[0] & HEARTS and union(self.trick) & HEARTS:
            self.broken = True
        return super().take_trick()

    def hearts_broken(self):
        return self.broken


@mutant
class FirstTrickBreaksNothing(Hearts):
    """Takes no notice of a heart on the first trick (HEARTS-R09)."""

    first = 0

    def take_trick(self):
        if self.on_first_trick():
            self.first = union(self.trick)
        return super().take_trick()

    def hearts_broken(self):
        return super().hearts_broken() and bool(sum(self.won) & HEARTS & ~self.first)


@mutant
class BrokenByAnyDiscard(Hearts):
    """Takes any card that doesn't follow for one that breaks hearts."""

    broken = False

    def deal(self, deal):
        self.broken = False
        super().deal(deal)

    def take_trick(self):
        if any(not card & SUIT_OF[self.trick[0]] for card in self.trick):
            self.broken = True
        return super().take_trick()

    def hearts_broken(self):
        return self.broken or super().hearts_broken()


@mutant
class BrokenByDiamonds(Hearts):
    """Tests the wrong suit number, so that diamonds break hearts."""

    def hearts_broken(self):
        return bool(sum(self.won) & (HEARTS >> 13))


@mutant
class BrokenForOneTrick(Hearts):
    """Forgets with the next trick that hearts are broken."""

    latest = 0

    def take_trick(self):
        self.latest = union(self.trick)
        return super().take_trick()

    def hearts_broken(self):
        return super().hearts_broken() and bool(self.latest & HEARTS)


@mutant
class BrokenForTheNextHand(Hearts):
    """Keeps hearts broken from one hand to the next."""

    broken = False

    def hearts_broken(self):
        self.broken = self.broken or super().hearts_broken()
        return self.broken


@mutant
class BrokenForTheTakerOnly(Hearts):
    """Lets only a player who has taken a heart lead one."""

    def legal_leads(self, hand):
        legal = super().legal_leads(hand)
        if self.on_first_trick() or self.won[self.to_act[0]] & PENALTY_CARDS:
            return legal
        return legal & ~HEARTS or legal


@mutant
class BrokenByThePass(Hearts):
    """Takes a heart that was passed for one that has been played."""

    def hearts_broken(self):
        return super().hearts_broken() or bool(union(self.passed) & HEARTS)


@mutant
class BrokenByARefusedHeart(Hearts):
    """Sets the flag before it asks whether the heart may be played."""

    broken = False

    def deal(self, deal):
        self.broken = False
        super().deal(deal)

    def play(self, seat, card):
        if card & HEARTS & self.hands[seat] and not self.on_first_trick():
            try:
                return super().play(seat, card)
            finally:
                self.broken = True
        return super().play(seat, card)

    def hearts_broken(self):
        return self.broken or super().hearts_broken()


@mutant
class QueenBreaksOnlyWhenLed(Hearts):
    """Under the option, lets the queen of spades break hearts only when she is led."""

    led = 0

    def take_trick(self):
        self.led |= self.trick[0]
        return super().take_trick()

    def hearts_broken(self):
        broken = bool(sum(self.won) & HEARTS)
        return broken or bool(super().hearts_broken() and self.led & QUEEN_OF_SPADES)


@mutant
class QueenBreaksOnlyWhenThrown(Hearts):
    """Under the option, lets the queen of spades break hearts only when she is thrown."""

    followed = 0

    def take_trick(self):
        if self.trick[0] in each(SPADES):
            self.followed |= union(self.trick)
        return super().take_trick()

    def hearts_broken(self):
        broken = bool(sum(self.won) & HEARTS)
        return broken or bool(super().hearts_broken() and not self.followed & QUEEN_OF_SPADES)


# Refusals.


@mutant
class FirstTrickBeforeFollowing(Hearts):
    """Names the rule of the first trick where a player has failed to follow suit."""

    def why_not(self, seat, card):
        if self.trick and self.on_first_trick() and card & PENALTY_CARDS:
            return "HEARTS-10"
        return super().why_not(seat, card)


@mutant
class OpeningLeadBlamedOnHearts(Hearts):
    """Names the rule about leading hearts for a wrong opening lead."""

    def why_not(self, seat, card):
        return "HEARTS-09" if not self.trick else super().why_not(seat, card)


@mutant
class BreakingBlamedForDiscards(Hearts):
    """Names the rule about breaking hearts for a heart on the first trick."""

    def why_not(self, seat, card):
        clause = super().why_not(seat, card)
        return "HEARTS-09" if clause == "HEARTS-10" and card & HEARTS else clause


@mutant
class QueenFirstBlamedOnTheFirstTrick(Hearts):
    """Names the bar of the first trick where only the option for the queen bars a heart."""

    def why_not(self, seat, card):
        clause = super().why_not(seat, card)
        return "HEARTS-10" if clause == "HEARTS-R05" else clause


@mutant
class PlayDuringThePassIsACard(Hearts):
    """Answers a card played while passing is due with the card and not with the phase."""

    def act(self, action):
        try:
            return super().act(action)
        except Refused as refused:
            if refused.clause == PHASE and action.verb == "play":
                raise Refused(CARD) from None
            raise


# The trick.


@mutant
class AnySuitWins(Hearts):
    """Gives the trick to the highest rank of any suit."""

    def winning_card(self):
        return max(self.trick, key=lambda card: (RANKS.index(CODE_OF[card][0]), card))


@mutant
class HeartsAreTrumps(Hearts):
    """Takes hearts for trumps."""

    def winning_card(self):
        hearts = [card for card in self.trick if card & HEARTS]
        return max(hearts) if hearts else super().winning_card()


@mutant
class SpadesAreTrumps(Hearts):
    """Takes spades for trumps."""

    def winning_card(self):
        spades = [card for card in self.trick if card & SPADES]
        return max(spades) if spades else super().winning_card()


class OtherOrder(Hearts):
    """Hearts with the ranks in another order."""

    order = RANKS

    def winning_card(self):
        suit = SUIT_OF[self.trick[0]]
        following = [card for card in self.trick if card & suit]
        return max(following, key=lambda card: self.order.index(CODE_OF[card][0]))


@mutant
class AceIsLow(OtherOrder):
    """Takes the ace for the lowest card of its suit."""

    order = "A23456789TJQK"


@mutant
class TenIsHigh(OtherOrder):
    """Ranks the ten between ace and king, as in Belote."""

    order = "23456789JQKTA"


@mutant
class RanksByLetter(OtherOrder):
    """Compares the ranks as letters, so that the ace is below the jack and the ten is highest."""

    order = "23456789AJKQT"


@mutant
class FirstCardWins(Hearts):
    """Lets the leader win every trick."""

    def winning_card(self):
        return self.trick[0]


@mutant
class LastFollowerWins(Hearts):
    """Compares each card with the one led only, so that the last higher one wins."""

    def winning_card(self):
        suit = SUIT_OF[self.trick[0]]
        higher = [card for card in self.trick if card & suit and card > self.trick[0]]
        return higher[-1] if higher else self.trick[0]


@mutant
class FirstHigherWins(Hearts):
    """Stops at the first card that beats the one led."""

    def winning_card(self):
        suit = SUIT_OF[self.trick[0]]
        higher = [card for card in self.trick if card & suit and card > self.trick[0]]
        return higher[0] if higher else self.trick[0]


@mutant
class ComparesNeighbours(Hearts):
    """Compares each card with the one before it and not with the best so far."""

    def winning_card(self):
        best = self.trick[0]
        for before, card in zip(self.trick, self.trick[1:], strict=False):
            if SUIT_OF[card] == SUIT_OF[self.trick[0]] and card > before:
                best = card
        return best


@mutant
class LowestWins(Hearts):
    """Gives the trick to the lowest card of the suit led."""

    def winning_card(self):
        suit = SUIT_OF[self.trick[0]]
        return min(card for card in self.trick if card & suit)


@mutant
class TurnGoesCounterclockwise(Hearts):
    """Lets the turn go to the right."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, start, deals)
        self.turn_after = ((3,), (0,), (1,), (2,))


@mutant
class TurnStopsAtSeatThree(Hearts):
    """Doesn't come round from seat 3 to seat 0 but goes back to seat 1."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, start, deals)
        self.turn_after = ((1,), (2,), (3,), (1,))


# Points.


@mutant
class QueenIsWorthOne(Hearts):
    """Counts the queen of spades as one point."""

    def tell_trick(self, outcome, taken):
        outcome.points = (taken & PENALTY_CARDS).bit_count()

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        return [replace(line, points=1) if line.points == 13 else line for line in lines]


@mutant
class QueenIsWorthTwelve(Hearts):
    """Counts the queen of spades as twelve points in a trick."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        outcome.points -= bool(taken & QUEEN_OF_SPADES)


@mutant
class HeartsCountByRank(Hearts):
    """Counts an ace of hearts as five points and the court cards as more than one too."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        outcome.points += sum((taken & CARD_OF[code]) > 0 for code in ("JH", "QH", "KH", "AH"))


@mutant
class JackOfDiamondsCounts(Hearts):
    """Takes ten points off for the jack of diamonds, a variant that the rules lock off."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        outcome.points -= 10 if taken & JACK_OF_DIAMONDS else 0


@mutant
class OtherHighSpadesCount(Hearts):
    """Counts the king and ace of spades as penalty cards, as in Black Maria."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        outcome.points += 10 * bool(taken & CARD_OF["KS"]) + 7 * bool(taken & CARD_OF["AS"])


@mutant
class TrickPointsPileUp(Hearts):
    """Tells with each trick all that its winner has taken so far."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, self.won[outcome.winner])


@mutant
class OnlyTheQueenIsTold(Hearts):
    """Forgets the hearts in a trick in which the queen falls."""

    def tell_trick(self, outcome, taken):
        super().tell_trick(outcome, taken)
        outcome.points = min(outcome.points, 13)


@mutant
class PointsToTheirPlayer(Hearts):
    """Charges penalty cards to the players who threw them, not to those who took them."""

    thrown = (0, 0, 0, 0)

    def deal(self, deal):
        self.thrown = (0, 0, 0, 0)
        super().deal(deal)

    def take_trick(self):
        piles = list(self.thrown)
        for place, card in enumerate(self.trick):
            piles[(self.leader + place) % 4] |= card
        self.thrown = tuple(piles)
        return super().take_trick()

    def tally(self):
        won, self.won = self.won, list(self.thrown)
        tally = super().tally()
        self.won = won
        return tally


@mutant
class QueenToTheLastWinner(Hearts):
    """Charges the queen to whoever won the last trick."""

    def tally(self):
        return replace(super().tally(), queen=self.leader)


@mutant
class QueenToMostHearts(Hearts):
    """Charges the queen to the seat with the most hearts."""

    def breakdown(self, tally):
        return super().breakdown(replace(tally, queen=tally.hearts.index(max(tally.hearts))))


@mutant
class FirstTrickNotCounted(Hearts):
    """Loses the hearts that fall on the first trick."""

    first = 0

    def take_trick(self):
        if self.on_first_trick():
            self.first = union(self.trick) & HEARTS
        return super().take_trick()

    def tally(self):
        won, self.won = self.won, [pile & ~self.first for pile in self.won]
        tally = super().tally()
        self.won = won
        return tally


@mutant
class LastTrickNotCounted(Hearts):
    """Scores the hand without the hearts of its last trick."""

    last = 0

    def take_trick(self):
        self.last = union(self.trick) & HEARTS
        return super().take_trick()

    def tally(self):
        won, self.won = self.won, [pile & ~self.last for pile in self.won]
        tally = super().tally()
        self.won = won
        return tally


@mutant
class LastTrickToItsLeader(Hearts):
    """Charges the last trick to the seat that led to it."""

    def take_trick(self):
        self.last_leader, self.last = self.leader, union(self.trick)
        return super().take_trick()

    def tally(self):
        won = self.won
        self.won = [pile & ~self.last for pile in won]
        self.won[self.last_leader] |= self.last
        tally = super().tally()
        self.won = won
        return tally


@mutant
class OneLineASeat(Hearts):
    """Puts a seat's hearts and the queen into one line."""

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        merged = {line.side: 0 for line in lines}
        for line in lines:
            merged[line.side] += line.points
        return [Line(seat, lines[0].clause, points) for seat, points in merged.items()]


@mutant
class LinesOfNothing(Hearts):
    """Writes a line of nothing for a seat without hearts."""

    def breakdown(self, tally):
        none = [Line(seat, "HEARTS-13", 0) for seat in range(4) if not tally.hearts[seat]]
        return none + super().breakdown(tally)


@mutant
class PointsToTheOpener(Hearts):
    """Gives the points of seat 0 to the seat that was dealt the two of clubs, and the other way."""

    def deal(self, deal):
        super().deal(deal)
        self.opener = next(seat for seat in range(4) if deal.hands[seat] & TWO_OF_CLUBS)

    def tally(self):
        tally = super().tally()
        hearts = [*tally.hearts]
        hearts[0], hearts[self.opener] = hearts[self.opener], hearts[0]
        return Tally(hearts=tuple(hearts), queen=tally.queen)


# The moon.


@mutant
class MoonNotKnown(Hearts):
    """Charges a player who took everything with 26 points."""

    def breakdown(self, tally):
        if max(tally.hearts) < 13:
            return super().breakdown(tally)
        hearts = Line(tally.hearts.index(13), "HEARTS-13", 13)
        return [hearts, Line(tally.queen, "HEARTS-13", 13)]


@mutant
class MoonByTheHeartsAlone(Hearts):
    """Sees a moon in all thirteen hearts, whoever took the queen."""

    def breakdown(self, tally):
        if max(tally.hearts) == 13:
            tally = replace(tally, queen=tally.hearts.index(13))
        return super().breakdown(tally)


@mutant
class MoonWithOneHeartMissing(Hearts):
    """Keeps the moon although one heart went elsewhere."""

    def breakdown(self, tally):
        if tally.hearts[tally.queen] == 12:
            return [Line(seat, "HEARTS-14", 26) for seat in range(4) if seat != tally.queen]
        return super().breakdown(tally)


@mutant
class MoonAtSixteenPoints(Hearts):
    """Subtracts a jack of diamonds that isn't in play from 26, and sees a moon in 16."""

    def breakdown(self, tally):
        if tally.hearts[tally.queen] == 3:
            return [Line(seat, "HEARTS-14", 26) for seat in range(4) if seat != tally.queen]
        return super().breakdown(tally)


@mutant
class MoonNeedsAllTricks(Hearts):
    """Sees a moon only when the same player won all thirteen tricks (HEARTS-R12)."""

    def breakdown(self, tally):
        if any(self.tricks) and self.tricks[tally.queen] < 13 and 13 in tally.hearts:
            return [
                Line(tally.hearts.index(13), "HEARTS-13", 13),
                Line(tally.queen, "HEARTS-13", 13),
            ]
        return super().breakdown(tally)


@mutant
class MoonSubtracts(Hearts):
    """Takes 26 points off the shooter instead of giving them to the others."""

    def breakdown(self, tally):
        if tally.hearts[tally.queen] == 13:
            return [Line(tally.queen, "HEARTS-14", -26)]
        return super().breakdown(tally)


@mutant
class MoonHitsTheShooterToo(Hearts):
    """Gives the 26 points of a moon to all four."""

    def breakdown(self, tally):
        if tally.hearts[tally.queen] == 13:
            return [Line(seat, "HEARTS-14", 26) for seat in range(4)]
        return super().breakdown(tally)


@mutant
class MoonClearsTheShooter(Hearts):
    """Only lets the shooter off and gives nobody the 26 points."""

    def breakdown(self, tally):
        return [] if tally.hearts[tally.queen] == 13 else super().breakdown(tally)


@mutant
class MoonMercy(Hearts):
    """Subtracts a moon where adding it would make somebody else win or the shooter lose (HEARTS-R13)."""

    def breakdown(self, tally):
        lines = super().breakdown(tally)
        if lines[0].clause != "HEARTS-14":
            return lines
        after = [score + 26 for score in self.scores]
        after[tally.queen] -= 26
        if max(after) >= self.rules.target and after[tally.queen] > min(after):
            return [Line(tally.queen, "HEARTS-14", -26)]
        return lines


@mutant
class MoonByMatchTotal(Hearts):
    """Looks for the 26 points in the total of the match and not in the hand."""

    def breakdown(self, tally):
        points = [*tally.hearts]
        points[tally.queen] += 13
        for shooter in range(4):
            if self.scores[shooter] + points[shooter] == 26:
                return [Line(seat, "HEARTS-14", 26) for seat in range(4) if seat != shooter]
        if 26 in points:
            return [Line(seat, "HEARTS-13", 26) for seat in range(4) if points[seat] == 26]
        return super().breakdown(tally)


@mutant
class MoonEndsTheHand(Hearts):
    """Breaks the hand off as soon as one player has taken all penalty cards."""

    def take_trick(self):
        outcome = super().take_trick()
        if outcome.hand is None and any(not PENALTY_CARDS & ~pile for pile in self.won):
            self.score(self.tally(), outcome)
            self._next_hand()
        return outcome


@mutant
class MoonAfterTheEndIsJudged(Hearts):
    """Looks whether the match is over with 26 points for the shooter, before turning them round."""

    def score(self, tally, outcome):
        self.shooter = tally.queen if tally.hearts[tally.queen] == 13 else None
        super().score(tally, outcome)

    def match_winners(self):
        scores = self.scores
        if self.shooter is not None:
            swapped = [score - 26 for score in scores]
            swapped[self.shooter] += 52
            self.scores = tuple(swapped)
        winners = super().match_winners()
        self.scores = scores
        return winners


# The end.


@mutant
class TargetMustBePassed(Hearts):
    """Ends the match only when somebody has more than the target (HEARTS-R14)."""

    def match_winners(self):
        return () if max(self.scores) == self.rules.target else super().match_winners()


@mutant
class TargetMustBeHit(Hearts):
    """Ends the match only when somebody stands at the target exactly."""

    def match_winners(self):
        return super().match_winners() if self.rules.target in self.scores else ()


@mutant
class TargetOneEarly(Hearts):
    """Ends the match a point before the target."""

    def match_winners(self):
        scores = self.scores
        self.scores = tuple(score + 1 for score in scores)
        winners = super().match_winners()
        self.scores = scores
        return winners


@mutant
class HighestWins(Hearts):
    """Gives the match to the highest total."""

    def match_winners(self):
        winners = super().match_winners()
        return (self.scores.index(max(self.scores)),) if winners else ()


@mutant
class TieToTheFirstSeat(Hearts):
    """Gives a tie for the lowest total to the first of the seats."""

    def match_winners(self):
        over = max(self.scores) >= self.rules.target
        return (self.scores.index(min(self.scores)),) if over else ()


@mutant
class TieToTheLastSeat(Hearts):
    """Gives a tie for the lowest total to the last of the seats."""

    def match_winners(self):
        over = max(self.scores) >= self.rules.target
        return (3 - self.scores[::-1].index(min(self.scores)),) if over else ()


@mutant
class AnyTiePlaysOn(Hearts):
    """Asks for another hand after any tie, not only one for the lowest total."""

    def match_winners(self):
        return super().match_winners() if len(set(self.scores)) == 4 else ()


@mutant
class TieOfNeighboursOnly(Hearts):
    """Looks for a tie between neighbouring seats only."""

    def match_winners(self):
        lowest = min(self.scores)
        tied = [seat for seat in range(4) if self.scores[seat] == lowest]
        if max(self.scores) < self.rules.target or len(tied) == 1:
            return super().match_winners()
        near = any((seat + 1) % 4 in tied for seat in tied)
        return super().match_winners() if near else tuple(tied[:1])


@mutant
class OneExtraHandOnly(Hearts):
    """Shares the win when the hand after a tie ends in a tie again."""

    def match_winners(self):
        tied = sorted(self.before)[0] == sorted(self.before)[1]
        if tied and max(self.before) >= self.rules.target:
            return tuple(seat for seat in range(4) if self.scores[seat] == min(self.scores))
        return super().match_winners()

    def score(self, tally, outcome):
        self.before = self.scores
        super().score(tally, outcome)


@mutant
class ExtraHandOfTheTied(Hearts):
    """Lets only those win after an extra hand who were level before it."""

    def match_winners(self):
        winners = super().match_winners()
        tied = [seat for seat in range(4) if self.before[seat] == min(self.before)]
        if max(self.before) < self.rules.target or len(tied) == 1 or not winners:
            return winners
        return (min(tied, key=lambda seat: self.scores[seat]),)

    def score(self, tally, outcome):
        self.before = self.scores
        super().score(tally, outcome)


@mutant
class ExtraHandAloneCounts(Hearts):
    """Decides a tie by the points of the extra hand alone."""

    def score(self, tally, outcome):
        self.before = self.scores
        super().score(tally, outcome)

    def match_winners(self):
        winners = super().match_winners()
        if max(self.before) < self.rules.target or not winners:
            return winners
        gained = [now - then for now, then in zip(self.scores, self.before, strict=True)]
        return (gained.index(min(gained)),)


@mutant
class SharedByEverybodyBelowTheTarget(Hearts):
    """Under the option for shared wins, names everybody who stayed below the target."""

    def match_winners(self):
        winners = super().match_winners()
        if len(winners) > 1:
            return tuple(seat for seat in range(4) if self.scores[seat] < self.rules.target)
        return winners


@mutant
class EndsByTheSum(Hearts):
    """Compares the totals of all four together with the target."""

    def match_winners(self):
        if sum(self.scores) < self.rules.target:
            return ()
        scores = self.scores
        self.scores = tuple(score + self.rules.target * 2 for score in scores)
        winners = super().match_winners()
        self.scores = scores
        return winners


@mutant
class EndTestsTheLowest(Hearts):
    """Ends the match when the lowest total has reached the target."""

    def match_winners(self):
        return super().match_winners() if min(self.scores) >= self.rules.target else ()


@mutant
class EndTestsSeatZero(Hearts):
    """Looks only at the first seat to see whether the match is over."""

    def match_winners(self):
        return super().match_winners() if self.scores[0] >= self.rules.target else ()


@mutant
class WinnerMustStayBelow(Hearts):
    """Lets nobody win who has reached the target."""

    def match_winners(self):
        winners = super().match_winners()
        return tuple(seat for seat in winners if self.scores[seat] < self.rules.target)


@mutant
class ShooterWinsTheMatch(Hearts):
    """Names the shooter when a moon ends the match, whatever the totals are."""

    def score(self, tally, outcome):
        self.shooter = tally.queen if tally.hearts[tally.queen] == 13 else None
        super().score(tally, outcome)

    def match_winners(self):
        winners = super().match_winners()
        return (self.shooter,) if winners and self.shooter is not None else winners


@mutant
class EndsInMidHand(Hearts):
    """Ends the match as soon as the points taken so far bring somebody to the target."""

    def take_trick(self):
        outcome = super().take_trick()
        points = [
            (pile & HEARTS).bit_count() + 13 * bool(pile & QUEEN_OF_SPADES) for pile in self.won
        ]
        totals = [score + more for score, more in zip(self.scores, points, strict=True)]
        if outcome.hand is None and max(totals) >= self.rules.target > max(self.scores):
            self.to_act = ()
            self.winners = outcome.match_winners = (totals.index(min(totals)),)
        return outcome


# The deal.


@mutant
class ThirteenAtOnce(Hearts):
    """Deals the shuffled pack out in blocks of thirteen."""

    @classmethod
    def deal_from_pack(cls, row):
        return Deal(hands=tuple(union(row[13 * seat : 13 * seat + 13]) for seat in range(4)))


@mutant
class DealsFromTheBottom(Hearts):
    """Deals the shuffled pack out from its last card."""

    @classmethod
    def deal_from_pack(cls, row):
        return super().deal_from_pack(row[::-1])


@mutant
class DealsToSeatOneFirst(Hearts):
    """Deals the first card to the seat at the dealer's left, which it takes for seat 1."""

    @classmethod
    def deal_from_pack(cls, row):
        hands = super().deal_from_pack(row).hands
        return Deal(hands=(hands[3], *hands[:3]))


# What a request may hold.


@mutant
class TallyUnchecked(Hearts):
    """Scores a tally with more or fewer than thirteen hearts."""

    @classmethod
    def check_tally(cls, rules, tally):
        pass


# What is seen.


@mutant
class PassedCardsForgotten(Hearts):
    """Doesn't tell a seat where the cards are that it passed."""

    def seen_in_hand(self, seat, other):
        return 0


@mutant
class PassedCardsSeenAfterPlay(Hearts):
    """Goes on showing a passed card in the hand that has played it."""

    def seen_in_hand(self, seat, other):
        if self.verbs is PASSING or other != self.receiver(seat):
            return 0
        return self.passed[seat]


@mutant
class PassedCardsAtTheGiver(Hearts):
    """Shows a seat the cards that it received, in the hand of the giver."""

    def seen_in_hand(self, seat, other):
        if self.verbs is PASSING or seat != self.receiver(other):
            return 0
        return self.passed[other] & ~(sum(self.won) | union(self.trick))


@mutant
class ChosenCardsLeaveTheHand(Hearts):
    """Takes a seat's three cards out of its view as soon as it has chosen them."""

    def view(self, seat):
        view = super().view(seat)
        if self.verbs is PASSING:
            return view._replace(hand=view.hand & ~self.passed[seat])
        return view


@mutant
class ChosenCardsAreSeen(Hearts):
    """Shows everybody which seats have chosen, while the pass goes on."""

    def view(self, seat):
        view = super().view(seat)
        if self.verbs is PASSING:
            for other in range(4):
                if other != seat and self.passed[other]:
                    view.unknown[f"hand {other}"] -= 3
        return view


@mutant
class LastCardInferred(Hearts):
    """Shows the last card of a hand when it can be worked out."""

    def seen_in_hand(self, seat, other):
        hidden = union(self.hands[place] for place in range(4) if place != seat)
        return (
            hidden & self.hands[other]
            if hidden.bit_count() == 1
            else super().seen_in_hand(seat, other)
        )
