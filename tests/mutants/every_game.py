"""What can be misread in any game: turns and refusals, matches, views, counting, the shuffle, and
what a request may hold."""

import re
from dataclasses import replace
from hashlib import sha256
from math import comb, perm
from random import Random

from oracle.cards import SUIT_CARDS, each
from oracle.games import GAMES, perft
from oracle.games.actions import CHANCE, Each, Pick
from oracle.games.refusals import CARD, FORMAT, OVER, PHASE, TURN, Refused
from oracle.games.shapes import options_of, parts_of
from oracle.games.table import Table
from oracle.replay import act, write_legal, write_view
from oracle.wire import FIELDS, WrongRequest, fits, read_deal, read_parts, read_request

from .registry import in_every_game, in_games, in_place_of, reading, turned_down

FOUR_HANDED = ("hearts", "bid-whist")
WITH_PATTERNS = ("hearts", "spades", "bid-whist")
WITH_HIDDEN_HANDS = ("hearts", "spades", "bid-whist")


# Turns and refusals.


@in_every_game
class TurnBeforeOver(Table):
    """Says after the end that it isn't this seat's turn."""

    def act(self, action):
        if not self.to_act:
            raise Refused(TURN)
        return super().act(action)


@in_every_game
class PhaseBeforeOver(Table):
    """Says after the end that this verb isn't in place."""

    def act(self, action):
        if not self.to_act and action.verb not in self.verbs:
            raise Refused(PHASE)
        return super().act(action)


@in_every_game
class PhaseBeforeTurn(Table):
    """Asks for the phase before it asks whose turn it is."""

    def act(self, action):
        if self.to_act and action.verb not in self.verbs:
            raise Refused(PHASE)
        return super().act(action)


@in_every_game
class CardBeforeTurn(Table):
    """Asks whether a card is held before it asks whose turn it is."""

    def act(self, action):
        if self.to_act and action.verb == "play" and not action.what & self.hands[action.seat]:
            raise Refused(CARD)
        return super().act(action)


@in_every_game
class CardBeforePhase(Table):
    """Asks whether a card is held before it asks for the phase."""

    def act(self, action):
        playing = action.seat in self.to_act and action.verb == "play"
        if playing and not action.what & self.hands[action.seat]:
            raise Refused(CARD)
        return super().act(action)


@in_every_game
class RuleBeforeCard(Table):
    """Judges a card by the rules of play before it asks whether it is held."""

    def play(self, seat, card):
        held = card & self.hands[seat]
        if self.trick and not held and not card & self.legal_cards(seat):
            raise Refused(self.why_not(seat, card))
        return super().play(seat, card)


@in_every_game
class TurnUnchecked(Table):
    """Lets anybody act for the seat whose turn it is."""

    def act(self, action):
        if self.to_act and action.seat not in self.to_act:
            action = replace(action, seat=self.to_act[0])
        return super().act(action)


@in_every_game
class PhaseUnchecked(Table):
    """Accepts a verb of another phase, without effect."""

    def act(self, action):
        if action.seat in self.to_act and action.verb not in self.verbs:
            return None
        return super().act(action)


@in_every_game
class OverUnchecked(Table):
    """Accepts actions after the end, without effect."""

    def act(self, action):
        return super().act(action) if self.to_act else None


@in_every_game
class RulesShownButNotEnforced(Table):
    """Lists the right cards and accepts every one that is held."""

    playing = False

    def play(self, seat, card):
        self.playing = True
        try:
            return super().play(seat, card)
        finally:
            self.playing = False

    def legal_cards(self, seat):
        return self.hands[seat] if self.playing else super().legal_cards(seat)


@in_every_game
class RulesEnforcedButNotShown(Table):
    """Lists every card that is held and refuses the right ones."""

    def choices(self, seat):
        return [
            Each(choice.verb, self.hands[seat]) if isinstance(choice, Each) else choice
            for choice in super().choices(seat)
        ]


@in_every_game
class FirstCardNotListed(Table):
    """Leaves the first of several legal cards out of the list."""

    def choices(self, seat):
        return [
            Each(choice.verb, choice.cards & (choice.cards - 1) or choice.cards)
            if isinstance(choice, Each)
            else choice
            for choice in super().choices(seat)
        ]


@in_every_game
class PlayedCardKept(Table):
    """Leaves a played card in the hand, so that it can be played again."""

    def play(self, seat, card):
        outcome = super().play(seat, card)
        if self.trick:
            self.hands[seat] |= card
        return outcome


@in_every_game
class RefusedCardIsGone(Table):
    """Takes a card out of the hand before it asks whether it may be played."""

    def play(self, seat, card):
        try:
            return super().play(seat, card)
        except Refused:
            if self.hands[seat] != card:
                self.hands[seat] &= ~card
            raise


@in_every_game
class RefusedCardIsPlayed(Table):
    """Lays a refused card on the table all the same."""

    def play(self, seat, card):
        try:
            return super().play(seat, card)
        except Refused:
            if card & self.hands[seat]:
                self.hands[seat] ^= card
                self.trick.append(card)
            raise

    def take_trick(self):
        self.trick = self.trick[-len(self.hands) :]
        return super().take_trick()


@in_every_game
class RefusalPassesTheTurn(Table):
    """Lets the turn go on after a refused action."""

    def act(self, action):
        try:
            return super().act(action)
        except Refused:
            if len(self.to_act) == 1 and self.to_act[0] != CHANCE:
                self.to_act = self.turn_after[self.to_act[0]]
            raise


# Reading actions.


@in_place_of("oracle.replay.act")
def over_before_format(table, written):
    """Says after the end of an unreadable action that it is too late."""
    if not table.to_act:
        raise Refused(OVER)
    return act(table, written)


@in_place_of("oracle.replay.act")
def turn_before_format(table, written):
    """Asks whose turn it is before it reads the rest of an action."""
    actor = written.partition(" ")[0]
    waiting = {table.notation.actor_text(seat) for seat in table.to_act}
    if table.to_act and actor in table.notation.actors and actor not in waiting:
        raise Refused(TURN)
    return act(table, written)


@in_place_of("oracle.replay.act")
def unknown_verb_is_a_phase(table, written):
    """Answers an unknown verb as if it were one of another phase."""
    words = written.split(" ")
    if len(words) > 1 and words[1] not in table.notation.verbs and table.to_act:
        raise Refused(PHASE)
    return act(table, written)


@in_place_of("oracle.replay.act")
def unknown_seat_is_a_turn(table, written):
    """Answers a seat that the table doesn't have as if it weren't its turn."""
    if written.partition(" ")[0] not in table.notation.actors and table.to_act:
        raise Refused(TURN)
    return act(table, written)


@in_place_of("oracle.replay.act")
def unreadable_card_is_a_card(table, written):
    """Answers a card that can't be read as if it weren't held."""
    try:
        return act(table, written)
    except Refused as refused:
        words = written.split(" ")
        if refused.clause == FORMAT and len(words) == 3 and words[1] == "play" and table.to_act:
            raise Refused(CARD) from None
        raise


@in_place_of("oracle.replay.act", "hearts", "spades", "belote")
def foreign_card_is_malformed(table, written):
    """Takes a card of another pack, such as a joker, for one that can't be read."""
    action = table.notation.read(written)
    if action is not None and action.verb == "play" and not action.what & table.pack:
        raise Refused(FORMAT)
    return act(table, written)


@in_place_of("oracle.replay.act")
def lower_case_read(table, written):
    """Reads cards in lower case."""
    words = written.split(" ")
    return act(table, " ".join([*words[:2], *map(str.upper, words[2:])]))


@in_place_of("oracle.replay.act")
def ten_in_figures_read(table, written):
    """Reads 10H for the ten of hearts."""
    return act(table, re.sub(r"\b10(?=[CDHS]\b)", "T", written))


@in_place_of("oracle.replay.act")
def suit_before_rank_read(table, written):
    """Reads a card with its suit first."""
    return act(table, re.sub(r"\b([CDHS])([2-9TJQKA])\b", r"\2\1", written))


@in_place_of("oracle.replay.act")
def spaces_mended(table, written):
    """Reads an action with doubled spaces, or spaces at its ends."""
    return act(table, " ".join(written.split()))


@in_place_of("oracle.replay.act")
def surplus_words_dropped(table, written):
    """Passes over words that are one too many."""
    words = written.split(" ")
    while len(words) > 2 and table.notation.read(" ".join(words)) is None:
        words.pop()
    if table.notation.read(" ".join(words)) is None:
        return act(table, written)
    return act(table, " ".join(words))


@in_place_of("oracle.replay.act", "spades", "bid-whist")
def zeros_before_numbers_read(table, written):
    """Reads a number with a zero before it."""
    return act(table, re.sub(r"\b0+(?=[0-9]\b)", "", written[1:]).join((written[:1], "")))


@in_place_of("oracle.replay.act")
def empty_action_skipped(table, written):
    """Passes over an empty line."""
    return None if not written else act(table, written)


# The trick.


@in_every_game
class SameLeaderLeads(Table):
    """Lets the same player lead every trick."""

    def take_trick(self):
        leader = self.leader
        outcome = super().take_trick()
        if outcome.hand is None:
            self.leader, self.to_act = leader, (leader,)
        return outcome


@in_every_game
class LeadGoesRound(Table):
    """Lets the lead go round by turns."""

    def take_trick(self):
        leader = self.leader
        outcome = super().take_trick()
        if outcome.hand is None:
            self.to_act = self.turn_after[leader]
            self.leader = self.to_act[0]
        return outcome


@in_every_game
class WinnerOfTheTrickBefore(Table):
    """Tells the winner of the trick before."""

    last = None

    def take_trick(self):
        outcome = super().take_trick()
        winner = outcome.winner
        outcome.winner = winner if self.last is None else self.last
        self.last = winner
        return outcome


@in_every_game
class LastTrickToldForItsLeader(Table):
    """Tells the leader of the last trick as its winner."""

    def take_trick(self):
        leader = self.leader
        outcome = super().take_trick()
        if outcome.hand is not None:
            outcome.winner = leader
        return outcome


# The match.


@in_every_game
class ScoresNotKept(Table):
    """Gives the points of the hand for the total."""

    def score(self, tally, outcome):
        self.scores = (0,) * self.sides
        super().score(tally, outcome)


@in_every_game
class StartScoresIgnored(Table):
    """Takes no notice of the scores at the start."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, replace(start, scores=(0,) * self.sides), deals)


@in_every_game
class StartScoresStopAtZero(Table):
    """Takes scores below zero at the start for zero."""

    def __init__(self, rules, start, deals=()):
        scores = tuple(max(score, 0) for score in start.scores)
        super().__init__(rules, replace(start, scores=scores), deals)


@in_every_game
class StartScoresAreBytes(Table):
    """Keeps scores in sixteen bits."""

    def __init__(self, rules, start, deals=()):
        scores = tuple((score + 2**15) % 2**16 - 2**15 for score in start.scores)
        super().__init__(rules, replace(start, scores=scores), deals)


@in_every_game
class SecondScoreIgnored(Table):
    """Reads the first of the scores at the start only."""

    def __init__(self, rules, start, deals=()):
        scores = (start.scores[0],) + (0,) * (self.sides - 1)
        super().__init__(rules, replace(start, scores=scores), deals)


@in_every_game
class OneHandOnly(Table):
    """Plays the first deal only."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, start, deals[:1])


@in_every_game
class SameDealAgain(Table):
    """Deals the first deal again for every hand."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, start, deals[:1] * len(deals))


@in_every_game
class LastDealNotPlayed(Table):
    """Takes the last of several deals for one too many."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, start, deals[:-1] if len(deals) > 1 else deals)


@in_every_game
class DealsRunningOutEndTheMatch(Table):
    """Names a winner when no deal is left."""

    def score(self, tally, outcome):
        super().score(tally, outcome)
        if self.deals and self.hands_played == len(self.deals) and not self.winners:
            best = max(self.scores)
            self.winners = tuple(s for s in range(self.sides) if self.scores[s] == best)
            outcome.match_winners = self.winners


@in_every_game
class EndJudgedBeforeAdding(Table):
    """Looks at the totals before the hand is added."""

    def score(self, tally, outcome):
        self.before = self.scores
        super().score(tally, outcome)

    def match_winners(self):
        scores, self.scores = self.scores, self.before
        winners = super().match_winners()
        self.scores = scores
        return winners


@in_every_game
class EndJudgedOnTheHand(Table):
    """Compares the points of one hand with the target."""

    def score(self, tally, outcome):
        self.before = self.scores
        super().score(tally, outcome)

    def match_winners(self):
        scores = self.scores
        self.scores = tuple(now - then for now, then in zip(scores, self.before, strict=True))
        winners = super().match_winners()
        self.scores = scores
        return winners


@in_every_game
class MatchNeverEnds(Table):
    """Goes on for as long as there are deals."""

    def match_winners(self):
        return ()


@in_every_game
class MatchEndsWithEveryHand(Table):
    """Takes the end of a hand for the end of the match."""

    def score(self, tally, outcome):
        super().score(tally, outcome)
        if not self.winners:
            best = max(self.scores)
            self.winners = tuple(s for s in range(self.sides) if self.scores[s] == best)
            outcome.match_winners = self.winners


@in_every_game
class DealsAfterTheEnd(Table):
    """Deals the next hand although the match is over."""

    def _next_hand(self):
        winners, self.winners = self.winners, ()
        super()._next_hand()
        self.winners = winners


@in_every_game
class MatchOverAtTheStart(Table):
    """Ends a match at once whose scores stand beyond the target at the start."""

    def __init__(self, rules, start, deals=()):
        super().__init__(rules, start, deals)
        if start.scores != type(start)().scores and self.match_winners():
            self.to_act = ()


@in_every_game
class NextDealLate(Table):
    """Deals the next hand only with the action after the one that ends a hand."""

    held_back = ()

    def take_trick(self):
        outcome = super().take_trick()
        if outcome.hand is not None:
            self.held_back, self.to_act = self.to_act, ()
        return outcome

    def act(self, action):
        if self.held_back:
            self.to_act, self.held_back = self.held_back, ()
        return super().act(action)


@in_every_game
class TricksKeptForTheNextHand(Table):
    """Doesn't clear the count of tricks between hands."""

    def deal(self, deal):
        if self.hands_played:
            self.tricks = [count + 1 for count in self.tricks]
        super().deal(deal)


@in_every_game
class PilesKeptForTheNextHand(Table):
    """Doesn't clear the piles between hands."""

    def _next_hand(self):
        won = self.won
        super()._next_hand()
        if self.to_act:
            self.won = won


@in_every_game
class HandNotTold(Table):
    """Doesn't tell a hand that ends the match."""

    def score(self, tally, outcome):
        super().score(tally, outcome)
        if outcome.match_winners:
            outcome.hand = None


@in_every_game
class DeltaIsTheTotal(Table):
    """Gives the total for the points of the hand."""

    def score(self, tally, outcome):
        super().score(tally, outcome)
        outcome.hand = outcome.hand._replace(delta=outcome.hand.scores)


@in_every_game
class LastLineMissing(Table):
    """Adds up all lines of the breakdown and gives all but the last."""

    def score(self, tally, outcome):
        super().score(tally, outcome)
        outcome.hand = outcome.hand._replace(breakdown=outcome.hand.breakdown[:-1])


# The states.


@in_place_of("oracle.replay.write_legal")
def nobody_listed_before_the_first_action(table):
    """Lists nothing in the first state."""
    begun = table.hands_played or table.trick or any(table.won)
    return write_legal(table) if begun else {}


@in_place_of("oracle.replay.write_legal")
def everybody_listed(table):
    """Gives seats that may not act an empty list."""
    return {str(seat): [] for seat in range(table.seats)} | write_legal(table)


@in_place_of("oracle.replay.write_legal", "spades")
def chance_not_listed(table):
    """Lists nobody when something is due from chance."""
    return {seat: choices for seat, choices in write_legal(table).items() if seat != "chance"}


@in_place_of("oracle.replay.write_legal", *WITH_PATTERNS)
def pattern_bounds_off(table):
    """Writes a pattern with one card fewer than it wants."""
    return {
        seat: [re.sub(r"\{(\d)\}", lambda m: f"{{{int(m[1]) - 1}}}", each) for each in choices]
        for seat, choices in write_legal(table).items()
    }


@in_place_of("oracle.replay.write_legal", *WITH_PATTERNS)
def pattern_card_missing(table):
    """Leaves the last card out of a pattern."""
    return {
        seat: [each.rpartition(" ")[0] if "{" in each else each for each in choices]
        for seat, choices in write_legal(table).items()
    }


# Views.


@in_place_of("oracle.replay.write_view")
def legal_of_others_shown(table, seat):
    """Shows every seat what the seat to act may do."""
    written = write_view(table, seat)
    if table.to_act and table.to_act[0] != CHANCE:
        written["legal"] = table.notation.texts(table.choices(table.to_act[0]))
    return written


@in_place_of("oracle.replay.write_view")
def own_legal_missing(table, seat):
    """Shows a seat nothing of what it may do."""
    return {**write_view(table, seat), "legal": []}


@in_every_game
class PilesHidden(Table):
    """Doesn't show the tricks that have been won."""

    def seen_by_all(self):
        return {place: held for place, held in super().seen_by_all().items() if place == "trick"}


@in_every_game
class PilesExchanged(Table):
    """Shows a pile with the next side."""

    def seen_by_all(self):
        won = self.won
        self.won = [*won[1:], won[0]]
        known = super().seen_by_all()
        self.won = won
        return known


@in_every_game
class PilesGoneAfterTheLastDeal(Table):
    """Clears the piles when no hand follows."""

    def seen_by_all(self):
        return super().seen_by_all() if self.to_act else {}


@in_every_game
class OwnPileOnly(Table):
    """Shows a seat the tricks of its own side only."""

    def view(self, seat):
        view = super().view(seat)
        for side in range(self.sides):
            if side != self.side_of(seat):
                view.known.pop(f"won {side}", None)
        return view


@in_every_game
class TrickHidden(Table):
    """Doesn't show the trick on the table."""

    def seen_by_all(self):
        return {place: held for place, held in super().seen_by_all().items() if place != "trick"}


@in_games(*FOUR_HANDED)
class TrickSorted(Table):
    """Puts the cards of the trick into pack order."""

    def seen_by_all(self):
        known = super().seen_by_all()
        if "trick" in known:
            known["trick"] = tuple(sorted(known["trick"]))
        return known


@in_every_game
class TrickAlsoInThePile(Table):
    """Shows the trick on the table in the leader's pile too."""

    def seen_by_all(self):
        known = super().seen_by_all()
        if self.trick:
            place = f"won {self.side_of(self.leader)}"
            known[place] = known.get(place, 0) | sum(self.trick)
        return known


@in_games(*WITH_HIDDEN_HANDS)
class AllHandsShown(Table):
    """Shows every seat all hands."""

    def view(self, seat):
        view = super().view(seat)
        for other in range(self.seats):
            if other != seat and self.hands[other]:
                view.known[f"hand {other}"] = self.hands[other]
                view.unknown.pop(f"hand {other}", None)
        return view


@in_games(*FOUR_HANDED)
class OppositeHandShown(Table):
    """Shows a seat the hand of the seat opposite."""

    def view(self, seat):
        view = super().view(seat)
        other = (seat + 2) % 4
        if self.hands[other]:
            view.known[f"hand {other}"] = self.hands[other]
            view.unknown.pop(f"hand {other}", None)
        return view


@in_games(*WITH_HIDDEN_HANDS)
class HandsNotCounted(Table):
    """Doesn't tell how many cards the others hold."""

    def view(self, seat):
        view = super().view(seat)
        for other in range(self.seats):
            view.unknown.pop(f"hand {other}", None)
        return view


@in_every_game
class OwnHandWithTheTrick(Table):
    """Shows a seat its own card on the table in its hand as well."""

    def view(self, seat):
        view = super().view(seat)
        place = (seat - self.leader) % self.seats
        own = self.trick[place] if place < len(self.trick) else 0
        return view._replace(hand=view.hand | own)


@in_every_game
class EmptyPlacesListed(Table):
    """Lists places in which nothing lies."""

    def view(self, seat):
        view = super().view(seat)
        for side in range(self.sides):
            view.known.setdefault(f"won {side}", 0)
        return view


# Counting.

perft_count, perft_divide, perft_nodes = perft.count, perft.divide, perft.nodes


@in_place_of("oracle.games.perft.count", *WITH_PATTERNS)
def pattern_counts_once(choice):
    """Counts a choice among many as one action."""
    return 1 if isinstance(choice, Pick) else perft_count(choice)


@in_place_of("oracle.games.perft.count", *WITH_PATTERNS)
def pattern_counts_orders(choice):
    """Counts the orders in which a set of cards can be named."""
    if not isinstance(choice, Pick):
        return perft_count(choice)
    sizes = range(choice.least, choice.most + 1)
    return sum(perm(choice.cards.bit_count(), size) for size in sizes)


@in_place_of("oracle.games.perft.count", "spades")
def pattern_counts_its_largest(choice):
    """Counts only the largest sets of a choice of none to three cards."""
    if not isinstance(choice, Pick):
        return perft_count(choice)
    return comb(choice.cards.bit_count(), choice.most)


@in_place_of("oracle.games.perft.divide")
def counts_into_the_next_hand(table, depth):
    """Goes on counting in the next deal."""
    found = {}
    for seat, choices in table.legal().items() if depth else ():
        for action in perft.actions(seat, choices):
            after = table.copy()
            after.act(action)
            found[action] = perft.nodes(after, depth - 1)
    return found


@in_place_of("oracle.games.perft.divide")
def short_sequences_lost(table, depth):
    """Counts nothing for an action that ends the hand with depth left."""
    found = perft_divide(table, depth)
    for action in found if depth > 1 else ():
        after = table.copy()
        after.act(action)
        if after.hands_played != table.hands_played:
            found[action] = 0
    return found


@in_place_of("oracle.games.perft.divide")
def depth_one_short(table, depth):
    """Counts to a depth that is one less."""
    return perft_divide(table, max(depth - 1, 0))


@in_place_of("oracle.games.perft.divide")
def nothing_at_depth_zero(table, depth):
    """Counts nothing at depth zero."""
    return perft_divide(table, depth) or dict.fromkeys(perft_divide(table, 1), 0)


@in_place_of("oracle.games.perft.nodes")
def nodes_on_the_way_counted(table, depth):
    """Counts the positions on the way as well as the last ones."""
    below = sum(perft.divide(table, depth).values()) if depth > 1 else perft_nodes(table, depth)
    return below + 1 if depth else 1


# The shuffle.


def _words(text, first=0, order="big", size=4, encoding="utf-8"):
    block = first
    while True:
        digest = sha256(text.format(block).encode(encoding)).digest()
        for place in range(0, len(digest), size):
            yield int.from_bytes(digest[place : place + size], order)
        block += 1


def _standard(seed):
    return "oracle-shuffle-1:" + seed.replace("{", "{{").replace("}", "}}") + ":{}"


def _below(words, bound):
    usable = (1 << 32) // bound * bound
    while (word := next(words)) >= usable:
        pass
    return word % bound


def _downwards(pack, draw):
    row = each(pack)
    for last in range(len(row) - 1, 0, -1):
        chosen = draw(last + 1)
        row[last], row[chosen] = row[chosen], row[last]
    return row


def _with_words(pack, words):
    return _downwards(pack, lambda bound: _below(words, bound))


@in_place_of("oracle.replay.shuffle")
def shuffle_upwards(pack, seed):
    """Goes through the pack from its first card to its last."""
    words, row = _words(_standard(seed)), each(pack)
    for first in range(len(row) - 1):
        chosen = first + _below(words, len(row) - first)
        row[first], row[chosen] = row[chosen], row[first]
    return row


@in_place_of("oracle.replay.shuffle")
def shuffle_never_in_place(pack, seed):
    """Draws below i instead of i + 1, so that no card can stay where it is."""
    words = _words(_standard(seed))
    return _downwards(pack, lambda bound: _below(words, bound - 1))


@in_place_of("oracle.replay.shuffle")
def shuffle_naive(pack, seed):
    """Swaps every card with any card of the pack."""
    words, row = _words(_standard(seed)), each(pack)
    for place in range(len(row) - 1, 0, -1):
        chosen = _below(words, len(row))
        row[place], row[chosen] = row[chosen], row[place]
    return row


@in_place_of("oracle.replay.shuffle")
def shuffle_keeps_every_draw(pack, seed):
    """Uses draws from the incomplete last stretch."""
    words = _words(_standard(seed))
    return _downwards(pack, lambda bound: next(words) % bound)


@in_place_of("oracle.replay.shuffle")
def shuffle_by_multiplying(pack, seed):
    """Scales a word to the range instead of taking the remainder."""
    words = _words(_standard(seed))
    return _downwards(pack, lambda bound: next(words) * bound >> 32)


@in_place_of("oracle.replay.shuffle")
def shuffle_from_the_other_end_of_the_word(pack, seed):
    """Reads the four bytes of a draw from the other end."""
    return _with_words(pack, _words(_standard(seed), order="little"))


@in_place_of("oracle.replay.shuffle")
def shuffle_two_bytes_a_draw(pack, seed):
    """Takes two bytes for a draw."""
    return _with_words(pack, _words(_standard(seed), size=2))


@in_place_of("oracle.replay.shuffle")
def shuffle_counts_from_one(pack, seed):
    """Begins with digest 1."""
    return _with_words(pack, _words(_standard(seed), first=1))


@in_place_of("oracle.replay.shuffle")
def shuffle_without_its_version(pack, seed):
    """Hashes seed and counter without the text before them."""
    return _with_words(pack, _words(_standard(seed).partition(":")[2]))


@in_place_of("oracle.replay.shuffle")
def shuffle_one_digest_only(pack, seed):
    """Begins the first digest again after eight draws."""
    first = [word for _, word in zip(range(8), _words(_standard(seed)), strict=False)]
    return _with_words(pack, (word for _ in range(99) for word in first))


@in_place_of("oracle.replay.shuffle")
def shuffle_seed_trimmed(pack, seed):
    """Takes spaces off the ends of the seed."""
    return _with_words(pack, _words(_standard(seed.strip())))


@in_place_of("oracle.replay.shuffle")
def shuffle_seed_in_lower_case(pack, seed):
    """Takes no notice of capitals in the seed."""
    return _with_words(pack, _words(_standard(seed.lower())))


@in_place_of("oracle.replay.shuffle")
def shuffle_seed_as_a_number(pack, seed):
    """Reads a seed of digits as a number."""
    plain = seed.isascii() and seed.isdigit()
    return _with_words(pack, _words(_standard(str(int(seed)) if plain else seed)))


@in_place_of("oracle.replay.shuffle")
def shuffle_seed_in_latin(pack, seed):
    """Writes the seed in one byte a letter."""
    latin = seed.encode("latin-1", "replace").decode("latin-1")
    return _with_words(pack, _words(_standard(latin), encoding="latin-1"))


@in_place_of("oracle.replay.shuffle")
def shuffle_of_the_library(pack, seed):
    """Uses the shuffle of its language."""
    row = each(pack)
    Random(seed).shuffle(row)
    return row


@in_place_of("oracle.replay.shuffle")
def shuffle_without_a_seed(pack, seed):
    """Shuffles the same way whatever the seed is."""
    return _with_words(pack, _words(_standard("")))


@in_place_of("oracle.replay.shuffle")
def shuffle_from_another_order(pack, seed):
    """Begins with the pack rank by rank and not suit by suit."""
    by_rank = sorted(each(pack), key=lambda card: ((card.bit_length() - 1) % 13, card))
    words, row = _words(_standard(seed)), by_rank
    for last in range(len(row) - 1, 0, -1):
        chosen = _below(words, last + 1)
        row[last], row[chosen] = row[chosen], row[last]
    return row


# What a request may hold: too lenient.

#: What an author might fill in for a part of a request.
EMPTY = {"rules": {}, "start": {}, "deals": [], "actions": [], "seat": 0, "depth": 0, "seed": ""}

#: The tally of some hand of each game.
ORDINARY = {
    "hearts": {"hearts": [4, 4, 4, 1], "queen": 3},
    "spades": {"bids": [6, 5], "tricks": [7, 6]},
    "belote": {
        "taker": 0,
        "trump": "H",
        "cards": [100, 62],
        "tricks": [10, 6],
        "combinations": [0, 0],
        "belote": [0, 0],
    },
    "bid-whist": {"declarer": 0, "level": 1, "mode": "uptown", "tricks": [6, 6]},
}


@reading()
def unknown_fields_passed_over(request):
    """Passes over fields of a request that there aren't."""
    known = {"op", "game", *FIELDS.get(str(request.get("op")), ())}
    return {name: value for name, value in request.items() if name in known}


@reading()
def missing_fields_filled_in(request):
    """Takes a field that is missing for empty, or for zero."""
    missing = {
        name: EMPTY[name] for name in FIELDS.get(str(request.get("op")), ()) if name in EMPTY
    }
    return {**missing, **request}


@reading()
def wrong_kinds_are_empty(request):
    """Takes a part of a request that is of the wrong kind for an empty one."""
    return {
        name: EMPTY[name] if name in EMPTY and type(value) is not type(EMPTY[name]) else value
        for name, value in request.items()
    }


@reading()
def unknown_ops_are_replays(request):
    """Takes an op that it doesn't know, or that is missing, for a replay."""
    return request if request.get("op") in FIELDS else {**request, "op": "replay"}


def _takes_every_game_for_its_own(game):
    @reading(game)
    def unknown_games_are_its_own(request):
        """Takes a game that it doesn't know, or that is missing, for the one that it plays."""
        return request if request.get("game") in GAMES else {**request, "game": game}


for _game in GAMES:
    _takes_every_game_for_its_own(_game)


@reading()
def wrong_tallies_are_ordinary(request):
    """Scores an ordinary hand in the place of a tally that can't be."""
    try:
        read_request(request)
    except WrongRequest:
        if request.get("op") == "score":
            return {**request, "tally": ORDINARY.get(str(request.get("game")))}
    return request


@reading()
def unknown_options_passed_over(request):
    """Passes over options that there aren't."""
    game = GAMES.get(str(request.get("game")))
    if game is None or not isinstance(request.get("rules"), dict):
        return request
    known = {option.name for option in options_of(game.parts.rules)} | game.locked.keys()
    rules = {name: value for name, value in request["rules"].items() if name in known}
    return {**request, "rules": rules}


@reading("hearts")
def locked_variants_accepted(request):
    """Lets variants be asked for that the rules lock off."""
    rules = request.get("rules")
    if not isinstance(rules, dict):
        return request
    locked = GAMES["hearts"].locked
    kept = {name: value for name, value in rules.items() if name not in locked}
    return {**request, "rules": kept}


@reading()
def unknown_values_are_canonical(request):
    """Takes a value that an option doesn't have for the canonical one."""
    game = GAMES.get(str(request.get("game")))
    rules = request.get("rules")
    if game is None or not isinstance(rules, dict):
        return request
    options = {option.name: option for option in options_of(game.parts.rules)}
    kept = {
        name: value
        for name, value in rules.items()
        if name not in options or fits(options[name].among(rules)[0], value)
    }
    return {**request, "rules": kept}


def _numbers(value, change):
    """A value with whatever stands in the place of a number changed, wherever it lies."""
    if isinstance(value, dict):
        return {name: _numbers(each, change) for name, each in value.items()}
    if isinstance(value, list):
        return [_numbers(each, change) for each in value]
    return change(value)


def _with_numbers(request, change, *fields):
    return {
        name: _numbers(value, change) if name in fields else value
        for name, value in request.items()
    }


@reading()
def numbers_read_from_text(request):
    """Reads a number that is given as text."""

    def change(value):
        return int(value) if isinstance(value, str) and value.lstrip("-").isdigit() else value

    return _with_numbers(request, change, "start", "tally", "seat", "depth", "rules")


@reading()
def booleans_read_as_numbers(request):
    """Takes true for one and false for nothing."""

    def change(value):
        return int(value) if isinstance(value, bool) else value

    return _with_numbers(request, change, "start", "tally", "seat", "depth")


@reading()
def null_is_nothing(request):
    """Takes null for a field that is missing."""
    return {name: value for name, value in request.items() if value is not None}


@reading()
def seats_go_round(request):
    """Takes a seat that the table doesn't have for one further round."""
    seat, game = request.get("seat"), GAMES.get(str(request.get("game")))
    if game is not None and type(seat) is int:
        return {**request, "seat": seat % game.seats}
    return request


@reading()
def wrong_depth_is_none(request):
    """Takes a depth that can't be for zero."""
    depth = request.get("depth", 0)
    return request if type(depth) is int and depth >= 0 else {**request, "depth": 0}


@reading()
def bad_parts_of_the_start_dropped(request):
    """Passes over whatever of a start can't be."""
    start, game = request.get("start"), GAMES.get(str(request.get("game")))
    if game is None or not isinstance(start, dict):
        return request
    shapes = {part.name: part.shape for part in parts_of(game.parts.start)}
    kept = {name: each for name, each in start.items() if fits(shapes.get(name), each)}
    return {**request, "start": kept}


@reading()
def nought_is_no_start(request):
    """Turns down a start that names seat or hand 0, as if nothing were given."""
    start = request.get("start")
    if isinstance(start, dict) and any(type(each) is int and not each for each in start.values()):
        return turned_down("start: 0")
    return request


@reading("hearts")
def hand_numbers_in_thirty_two_bits(request):
    """Turns down a hand number that 32 bits don't hold."""
    start = request.get("start")
    hand = start.get("hand") if isinstance(start, dict) else None
    return turned_down("start: hand") if type(hand) is int and hand >= 1 << 31 else request


@reading("belote")
def combinations_up_to_five_hundred(request):
    """Turns down a tally in which a seat has more than 500 for combinations."""
    tally = request.get("tally")
    paid = tally.get("combinations") if isinstance(tally, dict) else None
    numbers = [each for each in paid if type(each) is int] if isinstance(paid, list) else []
    return turned_down("tally: combinations") if max(numbers, default=0) > 500 else request


def _good_deal(game, deal):
    try:
        read_deal(game, deal)
    except WrongRequest:
        return False
    return True


@reading()
def later_deals_unchecked(request):
    """Checks the first deal only."""
    game, deals = GAMES.get(str(request.get("game"))), request.get("deals")
    if game is None or not isinstance(deals, list):
        return request
    return {**request, "deals": deals[:1] + [d for d in deals[1:] if _good_deal(game, d)]}


@reading()
def bad_deals_dropped(request):
    """Passes over a deal that can't be."""
    game, deals = GAMES.get(str(request.get("game"))), request.get("deals")
    if game is None or not isinstance(deals, list):
        return request
    return {**request, "deals": [deal for deal in deals if _good_deal(game, deal)]}


@in_place_of("oracle.wire.read_deal")
def cards_of_a_deal_unchecked(game, value, path=()):
    """Reads the cards of a deal without asking whether each is there once."""
    return read_parts(game.parts.deal, value, path)


@reading()
def actions_written_out(request):
    """Takes an action that is no text for the text that it would print."""
    actions = request.get("actions")
    if isinstance(actions, list):
        return {
            **request,
            "actions": [each if type(each) is str else str(each) for each in actions],
        }
    return request


@reading()
def seed_written_out(request):
    """Takes a seed that is no text for the text that it would print."""
    seed = request.get("seed", "")
    return request if type(seed) is str else {**request, "seed": str(seed)}


# What a request may hold: too strict.


@reading()
def canonical_values_refused(request):
    """Refuses an option that is given its canonical value."""
    game, rules = GAMES.get(str(request.get("game"))), request.get("rules")
    if game is None or not isinstance(rules, dict):
        return request
    for option in options_of(game.parts.rules):
        given = rules.get(option.name)
        canonical = option.among(rules)[1]
        if type(given) is type(canonical) and given == canonical:
            turned_down(option.name)
    return request


@reading()
def losses_refused_at_the_start(request):
    """Refuses scores below zero at the start."""
    start = request.get("start")
    scores = start.get("scores") if isinstance(start, dict) else None
    if isinstance(scores, list) and any(type(each) is int and each < 0 for each in scores):
        turned_down("scores")
    return request


@reading()
def large_scores_refused(request):
    """Refuses scores beyond a million at the start."""
    start = request.get("start")
    scores = start.get("scores") if isinstance(start, dict) else None
    if isinstance(scores, list) and any(type(each) is int and abs(each) > 10**6 for each in scores):
        turned_down("scores")
    return request


@reading()
def no_deals_refused(request):
    """Refuses a request without a deal."""
    return turned_down("deals") if request.get("deals") == [] else request


@reading(*FOUR_HANDED)
def hands_in_pack_order_only(request):
    """Refuses a deal whose cards are not in the order of the pack, where the order means nothing."""
    deals = request.get("deals")
    for deal in deals if isinstance(deals, list) else ():
        for hand in deal.get("hands", ()) if isinstance(deal, dict) else ():
            codes = hand.split(" ") if isinstance(hand, str) else []
            order = [f"{rank}{suit}" for suit in SUIT_CARDS for rank in "23456789TJQKA"]
            order += ["BJ", "RJ"]
            if all(code in order for code in codes) and codes != sorted(codes, key=order.index):
                turned_down("hands")
    return request


@reading()
def empty_seed_refused(request):
    """Refuses an empty seed."""
    return turned_down("seed") if request.get("seed") == "" else request


@reading()
def rules_of_a_shuffle_refused(request):
    """Refuses rules that are given with a shuffle."""
    if request.get("op") == "shuffle" and request.get("rules"):
        turned_down("rules")
    return request


@reading()
def rules_of_a_shuffle_unchecked(request):
    """Doesn't look at the rules that are given with a shuffle."""
    return {**request, "rules": {}} if request.get("op") == "shuffle" else request
