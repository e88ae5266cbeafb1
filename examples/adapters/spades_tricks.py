"""Who wins a trick, and who has to follow, in two packages that play other games with trumps.

    pip install whist-core==0.9.2 pyohhell==0.1.0
    oracle check --rules double_nil=false -- python examples/adapters/spades_tricks.py whist-core
    oracle check --rules double_nil=false -- python examples/adapters/spades_tricks.py pyohhell

whist-core plays Whist and pyohhell Oh Hell, but a trick with spades as trumps is won in the same way
in Spades, and so their tricks can be held against it. Of pyohhell only the winner is asked, of
whist-core also whether a card follows as it should. The rest is the adapter's: the draft, the bids,
and that spades have to be broken. So nothing is claimed but the tricks.
"""

import sys
from importlib.metadata import version

from python_adapter import serve

RANKS = "23456789TJQKA"
SUITS = "CDHS"


def whist_core():
    """May a card be played, and who wins, according to whist-core."""
    from whist_core.cards.card import Card, Rank, Suit
    from whist_core.cards.card_container import OrderedCardContainer, UnorderedCardContainer
    from whist_core.game.legal_checker import LegalChecker

    cards = {
        rank + suit: Card(suit=list(Suit)[SUITS.index(suit)], rank=list(Rank)[RANKS.index(rank)])
        for rank in RANKS
        for suit in SUITS
    }

    def may_play(hand, card, led):
        held = UnorderedCardContainer(cards=[cards[each] for each in hand])
        return LegalChecker.check_legal(held, cards[card], cards[led] if led else None)

    def winner(trick):
        row = OrderedCardContainer(cards=[cards[each] for each in trick])
        turn, _ = row.get_turn_and_winner_card(Suit.SPADES)
        return turn

    return may_play, winner


def pyohhell():
    """Who wins according to pyohhell; whether a card may be played it leaves to its players."""
    from pydecklib.card import Card, Suit, Value
    from pyohhell.game_state import Trick

    suits = dict(zip(SUITS, (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES), strict=True))
    values = dict(zip("A23456789TJQK", Value, strict=True))

    def may_play(hand, card, led):
        return not led or card[1] == led[1] or all(each[1] != led[1] for each in hand)

    def winner(trick):
        played = tuple(
            (turn, Card(suits[card[1]], values[card[0]])) for turn, card in enumerate(trick)
        )
        turn, _ = Trick(1, played).get_winner(Suit.SPADES)
        return turn

    return may_play, winner


PACKAGES = {"whist-core": whist_core, "pyohhell": pyohhell}
PACKAGE = sys.argv[1] if len(sys.argv) > 1 else "whist-core"

CLAIM = {
    "ops": ["replay"],
    "reports": ["trick"],
    # No other option has an influence on who wins a trick.
    "options": {"double_nil": [False], "target": "any", "set_penalty": "any", "bag_counter": "any"},
    "start": ["first", "scores", "bags"],
    "max_hands": 1,
}
ENGINE = {"name": PACKAGE, "version": version(PACKAGE), "language": "Python"}
HELLO = {"protocol": 1, "engine": ENGINE, "games": {"spades": CLAIM}}


class Hand:
    """One hand; the package judges its tricks."""

    def __init__(self, pack, first):
        self.stock, self.hands, self.bids = pack.split(" "), [set(), set()], 0
        self.turn, self.trick, self.tricks, self.broken = first, [], 0, False

    def act(self, action):
        """Carry out an action; the trick that it completes, if any."""
        match action.split(" "):
            case [seat, *_] if seat != str(self.turn):
                return {}
            case [_, "keep" | "reject" as verb] if self.stock:
                first, second, *self.stock = self.stock
                self.hands[self.turn].add(first if verb == "keep" else second)
                self.turn = 1 - self.turn
                if not self.stock:
                    # The second player has drawn last, and is also the first to bid.
                    self.turn = 1 - self.turn
            case [_, "bid", bid] if not self.stock and self.bids < 2 and bid in map(str, range(14)):
                self.bids += 1
                self.turn = 1 - self.turn
            case [_, "play", card] if self.bids == 2 and card in self.hands[self.turn]:
                return self.play(card)
        return {}

    def play(self, card):
        """Play a card that the package lets pass."""
        hand, led = self.hands[self.turn], self.trick[0] if self.trick else None
        closed = not led and card[1] == "S" and not self.broken
        if (closed and any(each[1] != "S" for each in hand)) or not MAY_PLAY(hand, card, led):
            return {}
        hand.remove(card)
        self.trick.append(card)
        self.broken = self.broken or (card[1] == "S" and (not led or led[1] != "S"))
        self.turn = 1 - self.turn
        if len(self.trick) < 2:
            return {}
        # The turn is back with the leader.
        self.turn = (self.turn + WINNER(self.trick)) % 2
        self.trick = []
        return {"trick": {"winner": self.turn}}


def replay(request):
    """The states of the table, with nothing in them but the tricks."""
    if not request["deals"]:
        return {"states": [{} for _ in range(len(request["actions"]) + 1)]}
    hand = Hand(request["deals"][0]["pack"], request.get("start", {}).get("first", 0))
    return {"states": [{}, *map(hand.act, request["actions"])]}


if __name__ == "__main__":
    MAY_PLAY, WINNER = PACKAGES[PACKAGE]()
    serve(HELLO, replay)
