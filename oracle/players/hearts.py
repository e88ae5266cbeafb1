"""Hearts at three levels (HEARTS-21 to 23), and what can be asked of each (R20).

A predicate takes a sight and an action, and says whether the action does what a level is held
to; it is true wherever nothing is asked. Where a level has no preference left, the lowest rank
decides and then pack order (R21), unless its function says otherwise.
"""

from collections.abc import Callable
from itertools import accumulate, repeat
from operator import mul

from oracle.cards import (
    CARD_OF,
    CODE_OF,
    HEARTS,
    PACK_52,
    RANKS,
    SPADES,
    SUIT_CARDS,
    SUIT_OF,
    Card,
    Cards,
    cards,
    each,
    union,
)
from oracle.games.actions import Action
from oracle.games.hearts import PENALTY_CARDS, QUEEN_OF_SPADES
from oracle.games.table import Seat
from oracle.players.sight import Player, Sight
from oracle.shuffle import Draws

SUITS: tuple[Cards, ...] = tuple(SUIT_CARDS.values())
RANK = {card: RANKS.index(CODE_OF[card][0]) for card in each(PACK_52)}
#: The spades on which the queen may fall.
HIGH_SPADES = cards("KS AS")
#: What the normal level passes, the most dangerous first.
DANGEROUS = tuple(
    CARD_OF[code]
    for code in (
        *("QS", "AS", "KS", "AH", "KH", "QH", "JH", "TH"),
        *("AC", "AD", "KC", "KD", "QC", "QD", "JC", "JD"),
    )
)

Predicate = Callable[[Sight, Action], bool]


# What a seat can work out.


def lowest(held: Cards) -> Card:
    """The card of the lowest rank, the first in pack order among equals."""
    return min(each(held), key=lambda card: (RANK[card], card))


def highest(held: Cards) -> Card:
    """The card of the highest rank, the first in pack order among equals."""
    return min(each(held), key=lambda card: (-RANK[card], card))


def points_in(held: Cards) -> int:
    """The penalty points of these cards (HEARTS-13)."""
    return (held & HEARTS).bit_count() + (13 if held & QUEEN_OF_SPADES else 0)


def above(card: Card) -> Cards:
    """The cards of the same suit that beat this one."""
    return SUIT_OF[card] & ~(card | (card - 1))


def below(card: Card) -> Cards:
    """The cards of the same suit that this one beats."""
    return SUIT_OF[card] & (card - 1)


def on_table(sight: Sight) -> Cards:
    """The cards of the trick on the table."""
    return union(sight.trick.cards)


def best_on_table(sight: Sight) -> Card:
    """The card that wins the trick so far; 0 before the lead."""
    lying = sight.trick.cards
    return max([card & SUIT_OF[lying[0]] for card in lying]) if lying else 0


def sure_losers(sight: Sight) -> Cards:
    """The playable cards that can't win the trick on the table, whatever follows."""
    best = best_on_table(sight)
    return sight.playable & ~above(best) if best else 0


def takers(sight: Sight) -> Cards:
    """The playable cards that beat what lies on the table."""
    best = best_on_table(sight)
    return sight.playable & above(best) if best else 0


def later_seats(sight: Sight) -> list[Seat]:
    """Who plays to this trick after the own seat, in order."""
    return [(sight.seat + steps) % 4 for steps in range(1, 4 - len(sight.trick.cards))]


def out_of_sight(sight: Sight) -> Cards:
    """The cards that are in other hands."""
    gone = union([card for trick in (*sight.tricks, sight.trick) for card in trick.cards])
    return PACK_52 & ~gone & ~sight.hand


def voids(sight: Sight) -> list[Cards]:
    """Seat by seat the suits that others are known to be void of: they did not follow, or no
    card of the suit is left to them. Nothing is said of the own seat."""
    out = out_of_sight(sight)
    exhausted = union([suit for suit in SUITS if not suit & out])
    known = [0 if seat == sight.seat else exhausted for seat in range(4)]
    for trick in (*sight.tricks, sight.trick):
        for seat, card in sight.played(trick):
            suit = SUIT_OF[trick.cards[0]]
            if seat != sight.seat and not card & suit:
                known[seat] |= suit
    return known


def points_taken(sight: Sight) -> list[int]:
    """The penalty points that each seat has taken in this hand."""
    taken = [0] * 4
    for trick in sight.tricks:
        if trick.winner is not None:
            taken[trick.winner] += points_in(union(trick.cards))
    return taken


def moon_suspect(sight: Sight) -> Seat | None:
    """The other seat that has taken all points so far, if one has."""
    taken = points_taken(sight)
    suspects = [
        seat
        for seat in range(4)
        if seat != sight.seat and taken[seat] and taken[seat] == sum(taken)
    ]
    return suspects[0] if suspects else None


# What can be asked of the levels (R20).


def avoids_points_now(sight: Sight, action: Action) -> bool:
    """Easy: while points lie on the table, a card that is sure not to win, if there is one."""
    losers = sure_losers(sight)
    return not losers or not points_in(on_table(sight)) or bool(action.what & losers)


def passes_dangerous(sight: Sight, action: Action) -> bool:
    """Normal: passes from among the dangerous cards, and as many of them as it can."""
    if action.verb != "pass":
        return True
    dangerous = union(DANGEROUS)
    wanted = min(3, (sight.hand & dangerous).bit_count())
    return (union(action.what) & dangerous).bit_count() == wanted


def follows_low(sight: Sight, action: Action) -> bool:
    """Normal: following suit, the highest card that loses, else the lowest. The queen of spades
    goes before any other loser, and is kept when she would win."""
    best = best_on_table(sight)
    following = sight.playable & SUIT_OF[best] if best else 0
    return not following or action.what == low_follower(following, best)


def dumps_queen_when_void(sight: Sight, action: Action) -> bool:
    """Normal: discards the queen of spades the first time that it may."""
    best = best_on_table(sight)
    if not best or best & SPADES or not sight.playable & QUEEN_OF_SPADES:
        return True
    return bool(action.what & QUEEN_OF_SPADES)


def leads_no_high_spade(sight: Sight, action: Action) -> bool:
    """Normal: leads no queen of spades, nor a card on which she may fall, if it has another."""
    if sight.trick.cards or not sight.playable:
        return True
    return not sight.playable & ~risky_leads(sight) or not action.what & risky_leads(sight)


def leads_low_once_broken(sight: Sight, action: Action) -> bool:
    """Normal: hearts being broken, leads nothing of which it has a lower card in the suit."""
    if sight.trick.cards or not sight.playable or not sight.public["hearts_broken"]:
        return True
    return not below(action.what) & sight.playable & ~risky_leads(sight)


def stops_moon(sight: Sight, action: Action) -> bool:
    """Hard: one other player having taken all points so far, does something against it."""
    wanted = stoppers(sight)
    return not wanted or bool(action.what & wanted)


# Easy.


def easy(sight: Sight, draws: Draws) -> Action:
    """Passes its three highest cards. While points lie on the table, the highest card that is
    sure not to take them; else the lowest."""
    if not sight.playable:
        row = sorted(each(sight.hand), key=lambda card: (-RANK[card], card))
        return sight.act("pass", tuple(sorted(row[:3])))
    losers = sure_losers(sight) if points_in(on_table(sight)) else 0
    return sight.play(highest(losers) if losers else lowest(sight.playable))


# Normal.


def normal(sight: Sight, draws: Draws) -> Action:
    """Passes dangerous cards, follows low, gets rid of the queen, and watches for broken hearts."""
    if not sight.playable:
        return sight.act("pass", normal_pass(sight.hand))
    return sight.play(normal_card(sight))


def normal_pass(hand: Cards) -> tuple[Card, ...]:
    """The first three in the list of dangerous cards, then the highest others."""
    others = sorted(each(PACK_52 & ~union(DANGEROUS)), key=lambda card: (-RANK[card], card))
    return tuple(sorted([card for card in (*DANGEROUS, *others) if card & hand][:3]))


def normal_card(sight: Sight) -> Card:
    """What the normal level plays."""
    best = best_on_table(sight)
    if not best:
        return normal_lead(sight)
    if following := sight.playable & SUIT_OF[best]:
        return low_follower(following, best)
    return normal_discard(sight)


def risky_leads(sight: Sight) -> Cards:
    """The queen of spades, and the spades above her while she is in another hand."""
    queen_is_out = out_of_sight(sight) & QUEEN_OF_SPADES
    return QUEEN_OF_SPADES | HIGH_SPADES if queen_is_out else QUEEN_OF_SPADES


def normal_lead(sight: Sight) -> Card:
    """The lowest card; but while hearts are unbroken the highest minor card of a suit not yet
    led, when everybody is likely to follow."""
    options = sight.playable & ~risky_leads(sight) or sight.playable
    led = union([SUIT_OF[trick.cards[0]] for trick in sight.tricks])
    fresh = options & ~(led | HEARTS | SPADES)
    if fresh and not sight.public["hearts_broken"]:
        return highest(fresh)
    return lowest(options)


def low_follower(following: Cards, best: Card) -> Card:
    """The queen of spades if she loses, else the highest card that loses, else the lowest."""
    losing = following & below(best)
    if losing:
        return losing & QUEEN_OF_SPADES or highest(losing)
    return lowest(following & ~QUEEN_OF_SPADES or following)


def normal_discard(sight: Sight) -> Card:
    """The queen of spades, else a spade on which she may fall, else the highest heart, else the
    highest card."""
    options = sight.playable
    if options & QUEEN_OF_SPADES:
        return QUEEN_OF_SPADES
    return highest(options & risky_leads(sight) or options & HEARTS or options)


# Hard: the moon.

#: A trick is taken from a suspect who has at least so many times the points that it holds.
MOON_PRICE = 6
#: A moon is near when a suspect has so many points, or so many and three of every four tricks,
#: of at least so many tricks.
NEAR_POINTS = 15
BOLD_POINTS = 8
BOLD_TRICKS = 4
#: Hard shoots while its hand has no more than this against it (see ``moon_risk``).
MOON_RISK = 4


def stoppers(sight: Sight) -> Cards:
    """The playable cards that work against a moon; none without a suspect, or where none helps.

    From the suspect's first point on, hearts are kept out of its tricks, and penalty cards given
    to a third player who wins for certain; what costs more waits until the suspect has more.
    """
    suspect = moon_suspect(sight)
    if suspect is None:
        return 0
    near = moon_is_near(sight, suspect)
    if not sight.trick.cards:
        return sure_hearts(sight) if near else 0
    winner = next(seat for seat, card in sight.played(sight.trick) if card == best_on_table(sight))
    later = later_seats(sight)
    if suspect != winner and suspect not in later:
        return 0 if later else sure_losers(sight) & PENALTY_CARDS
    price = MOON_PRICE * points_in(on_table(sight))
    if takers(sight) and 0 < price <= points_taken(sight)[suspect]:
        return takers(sight)
    return kept_out(sure_losers(sight), near)


def moon_is_near(sight: Sight, suspect: Seat) -> bool:
    """Whether a suspect has so much already that a moon is to be expected."""
    points, tricks = points_taken(sight)[suspect], len(sight.tricks)
    won = sum(trick.winner == suspect for trick in sight.tricks)
    bold = points >= BOLD_POINTS and tricks >= BOLD_TRICKS and 4 * won >= 3 * tricks
    return bold or points >= NEAR_POINTS


def kept_out(losing: Cards, near: bool) -> Cards:
    """What to lose a trick to the suspect with, if there are penalty cards to keep out of it. The
    queen of spades is rather got rid of while the moon isn't near."""
    if losing & QUEEN_OF_SPADES and not near:
        return 0
    return losing & ~PENALTY_CARDS if losing & PENALTY_CARDS else 0


def sure_hearts(sight: Sight) -> Cards:
    """The hearts whose lead takes a heart from somebody for certain."""
    out = out_of_sight(sight) & HEARTS
    return union([card for card in each(sight.playable & HEARTS) if out and not out & above(card)])


def may_shoot(sight: Sight) -> bool:
    """Whether nobody else has a point, and the hand is made for a moon."""
    taken = points_taken(sight)
    alone = taken[sight.seat] == sum(taken)
    return alone and moon_risk(sight.hand, out_of_sight(sight)) <= MOON_RISK


def moon_risk(hand: Cards, out: Cards) -> int:
    """What stands against winning every trick: two for each likely loser, three in hearts."""
    return sum(
        likely_losers(hand & suit, out & suit) * (3 if suit == HEARTS else 2) for suit in SUITS
    )


def likely_losers(held: Cards, out: Cards) -> int:
    """How many cards of one suit may lose when it is led from the top: those from the first one
    that can be beaten on, unless the winners before it have drawn the suit, two cards a lead."""
    row = each(held)[::-1]
    for place, card in enumerate(row):
        if 2 * place >= out.bit_count():
            return 0
        if out & above(card):
            return len(row) - place
    return 0


def moon_card(sight: Sight) -> Card:
    """Leads winners, takes every trick that it can, and throws no penalty card away."""
    options = sight.playable
    if not sight.trick.cards:
        return moon_lead(sight)
    if taking := takers(sight):
        return highest(taking) if later_seats(sight) else lowest(taking)
    return lowest(options & ~PENALTY_CARDS or options)


def moon_lead(sight: Sight) -> Card:
    """A sure winner: one that draws a suit rather than one of which no card is out, and out of the
    longest suit; without one the highest card that is no penalty card."""
    out = out_of_sight(sight)
    winners = [card for card in each(sight.playable) if not out & above(card)]
    if winners:
        return max(
            winners,
            key=lambda card: (
                out & SUIT_OF[card] != 0,
                (sight.hand & SUIT_OF[card]).bit_count(),
                card,
            ),
        )
    return highest(sight.playable & ~PENALTY_CARDS or sight.playable)


# Hard: counting.

#: What part of a card's burden counts as saved when it is played.
RELIEF = 0.4
#: What leading below the queen of spades is worth while she is in another hand.
DRIVING = 1.0
#: The chance that a given one of so many players holds none of so many cards. Made by
#: multiplying, as a power may differ in its last bit from machine to machine.
MISSES = {
    players: tuple(accumulate(repeat((players - 1) / players, 13), mul, initial=1.0))
    for players in (1, 2, 3)
}


class Count:
    """The cards that are left and who may hold them, for what a card is likely to cost."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.out = out_of_sight(sight)
        self.voids = voids(sight)
        self.others = [seat for seat in range(4) if seat != sight.seat]
        self.queen = self.chances_of_queen()

    def chances_of_queen(self) -> dict[Seat, float]:
        """By seat the chance that it holds the queen of spades."""
        if not self.out & QUEEN_OF_SPADES:
            return {}
        known = [seat for seat in self.others if self.sight.known(f"hand {seat}") & QUEEN_OF_SPADES]
        may = known or self.may_hold(SPADES)
        return {seat: 1 / len(may) for seat in may}

    def may_hold(self, suit: Cards) -> list[Seat]:
        """The other seats that aren't known to be void of a suit."""
        return [seat for seat in self.others if not self.voids[seat] & suit]

    def price(self, card: Card) -> float:
        """The points that playing a card is likely to cost, less some of its burden."""
        return self.cost(card) - RELIEF * burden(card, self.sight.hand, self.out)

    def cost(self, card: Card) -> float:
        """The points that a card is likely to take in the trick on the table."""
        best = best_on_table(self.sight)
        if best and not card & above(best):
            return 0.0
        suit = SUIT_OF[card]
        winning, taken = 1.0, float(points_in(on_table(self.sight) | card))
        for seat in later_seats(self.sight):
            void = self.void_chance(seat, suit)
            winning *= 1 - (1 - void) * self.beaten_chance(card)
            taken += void * self.thrown(seat) + self.followed(seat, card, void)
        return winning * taken - (DRIVING if not best and self.drives(card) else 0)

    def void_chance(self, seat: Seat, suit: Cards) -> float:
        """The chance that a seat holds no card of a suit."""
        if self.voids[seat] & suit:
            return 1.0
        return MISSES[len(self.may_hold(suit))][(self.out & suit).bit_count()]

    def beaten_chance(self, card: Card) -> float:
        """The chance that somebody with an average share of the suit has only cards above this."""
        out, holders = self.out & SUIT_OF[card], len(self.may_hold(SUIT_OF[card]))
        left, higher = out.bit_count(), (out & above(card)).bit_count()
        if not higher or not holders:
            return 0.0
        chance = 1.0
        for drawn in range(max(1, (left + holders // 2) // holders)):
            chance *= max(0, higher - drawn) / (left - drawn)
        return chance

    def thrown(self, seat: Seat) -> float:
        """The points that a seat without the suit led is likely to throw; none on trick one."""
        if not self.sight.tricks:
            return 0.0
        return (1 if self.out & HEARTS else 0) + 12 * self.queen.get(seat, 0.0)

    def followed(self, seat: Seat, card: Card, void: float) -> float:
        """The points that a seat with the suit led is likely to add."""
        if card & HEARTS:
            return 1 - void
        return 13 * self.queen.get(seat, 0.0) if card & HIGH_SPADES else 0.0

    def drives(self, card: Card) -> bool:
        """Whether leading it helps to drive out the queen of spades, at no danger to the hand."""
        safe = not self.sight.hand & HIGH_SPADES
        return bool(self.queen) and safe and bool(card & below(QUEEN_OF_SPADES))


def burden(card: Card, hand: Cards, out: Cards) -> float:
    """The points that holding a card on is likely to cost: more, the more cards are out below it
    and the fewer lower ones of the suit stand beside it."""
    suit = SUIT_OF[card]
    if card == QUEEN_OF_SPADES:
        return 13 * max(0.15, 1 - 0.2 * (hand & suit & ~card).bit_count())
    if not (out | hand) & PENALTY_CARDS:
        return 0.0
    if not out & suit:
        return 0.75
    share = (out & below(card)).bit_count() / (out & suit).bit_count()
    guards = (hand & below(card)).bit_count()
    weight = 4 if suit == HEARTS else 2.5
    catching = 0.0
    if card & HIGH_SPADES and out & QUEEN_OF_SPADES:
        small = (hand & below(QUEEN_OF_SPADES)).bit_count()
        catching = 13 * max(0.05, 0.65 - 0.2 * small)
    return weight * share / (1 + guards / 2) + catching


# Hard: the choice.


def hard(sight: Sight, draws: Draws) -> Action:
    """Shoots the moon with a hand made for it, stops that of another, and else plays what is
    likely to cost least, by counting cards and remembering voids."""
    if not sight.playable:
        return sight.act("pass", moon_pass(sight.hand) or hard_pass(sight.hand))
    return sight.play(hard_card(sight))


def hard_card(sight: Sight) -> Card:
    """What the hard level plays."""
    if may_shoot(sight):
        return moon_card(sight)
    wanted = stoppers(sight)
    if not sight.trick.cards:
        return lowest(wanted) if wanted else cheapest(sight, sight.playable)
    if takers(sight) & wanted:
        return highest(wanted) if later_seats(sight) else lowest(wanted)
    suspect = moon_suspect(sight)
    if suspect is not None and moon_is_near(sight, suspect):
        return keeping_winners(sight, wanted or sight.playable)
    return cheapest(sight, wanted or sight.playable)


def keeping_winners(sight: Sight, options: Cards) -> Card:
    """The lowest card that isn't the best one left of its suit: those are wanted against a moon."""
    out = out_of_sight(sight)
    winners = union([card for card in each(options) if not out & above(card)])
    return lowest(options & ~winners or options)


def cheapest(sight: Sight, options: Cards) -> Card:
    """The card of the lowest price; of equal prices the highest rank, then pack order."""
    count = Count(sight)
    return min(each(options), key=lambda card: (count.price(card), -RANK[card], card))


def moon_pass(hand: Cards) -> tuple[Card, ...]:
    """The three cards without which a hand is made for a moon; none if it isn't."""
    out, kept = PACK_52 & ~hand, hand
    for _ in range(3):
        kept ^= min(each(kept), key=lambda card: (moon_risk(kept ^ card, out), RANK[card], card))
    return tuple(each(hand ^ kept)) if moon_risk(kept, out) <= MOON_RISK else ()


def hard_pass(hand: Cards) -> tuple[Card, ...]:
    """High spades without enough small ones, then high cards without low ones and out of short
    suits, one after the other."""
    kept = hand
    for _ in range(3):
        kept ^= max(each(kept), key=lambda card: (pass_wish(card, kept), -card))
    return tuple(each(hand ^ kept))


def pass_wish(card: Card, hand: Cards) -> float:
    """How much hard wants to be rid of a card before the play."""
    suit = hand & SUIT_OF[card]
    if card & SPADES:
        guarded = (hand & below(QUEEN_OF_SPADES)).bit_count() >= 4
        return -13 if guarded or card < QUEEN_OF_SPADES else 100 + (card == QUEEN_OF_SPADES)
    return RANK[card] - (hand & below(card)).bit_count() / 2 - 1.5 * (suit.bit_count() - 1)


LEVELS = {
    "easy": Player("avoids taking points at once (HEARTS-21)", easy),
    "normal": Player(
        "passes dangerous cards, follows low, gets rid of the queen of spades, and watches "
        "whether hearts are broken (HEARTS-22)",
        normal,
    ),
    "hard": Player(
        "counts cards, remembers voids, stops moons, and shoots one with a hand made for it "
        "(HEARTS-23)",
        hard,
    ),
}
