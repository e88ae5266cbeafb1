"""The tricks of the package belote-cli on the engine protocol.

    pip install belote-cli==4.9.6
    oracle check --rules no_trump=false -- python examples/adapters/belote_cli_tricks.py

belote-cli plays Belote for four. A trick of two opponents goes by the same rules, so it can be asked
which of the open cards may be played, who wins a trick and what its cards are worth. The two-player
game around that is the adapter's: who chooses trump, the stacks and their covered cards, the last
ten. So nothing is claimed but the tricks. Combinations have no influence on them and are passed
over; no trump is left out, where the package counts 120 points instead of 152.
"""

from importlib.metadata import version

from belote.deck import Card, Rank, Suit
from belote.game import GameState, Phase, Seat, TrickCard, legal_cards, trick_winner_seat
from belote.scoring import trick_card_points
from python_adapter import serve

SUITS = {"C": Suit.CLUBS, "D": Suit.DIAMONDS, "H": Suit.HEARTS, "S": Suit.SPADES}
RANKS = dict(zip("789TJQKA", Rank, strict=True))
SEATS = [Seat.SOUTH, Seat.EAST]  # not partners
LAST_TEN = 10

CLAIM = {
    "ops": ["replay"],
    "reports": ["trick"],
    # No other option has an influence on who wins a trick of what worth.
    "options": {"no_trump": [False], "scale": "any", "declare_window": "any", "growth": "any"},
    "start": ["dealer", "scores", "rounds_won"],
    "max_hands": 1,
}
ENGINE = {"name": "belote-cli", "version": version("belote-cli"), "language": "Python"}
HELLO = {"protocol": 1, "engine": ENGINE, "games": {"belote": CLAIM}}


def read(text):
    """A card of belote-cli."""
    return Card(SUITS[text[1]], RANKS[text[0]])


class Hand:
    """One hand; belote-cli judges and counts its tricks."""

    def __init__(self, deal, dealer):
        # A stack is what lies on top of what; only its last card is open. The second four open
        # cards are laid on when trump has been chosen or both have passed.
        self.stacks = [
            [
                [down, up] if place < 4 else [down]
                for place, (down, up) in enumerate(zip(*rows, strict=True))
            ]
            for rows in zip(map(str.split, deal["down"]), map(str.split, deal["up"]), strict=True)
        ]
        self.later = [row.split(" ")[4:] for row in deal["up"]]
        self.chooses = [1 - dealer, dealer, 1 - dealer, dealer]
        self.leads, self.trump, self.trick, self.played = 1 - dealer, None, [], 0

    def open_cards(self, seat):
        """The cards that a seat may use."""
        return [stack[-1] for stack in self.stacks[seat] if stack]

    def act(self, action):
        """Carry out an action; the trick that it completes, if any."""
        match action.split(" "):
            case [seat, "take" | "pass" as verb, *suit] if seat in map(str, self.chooses[:1]):
                self.choose(verb, suit)
            case [seat, "play", card] if self.trump:
                return self.play(seat, card)
        return {}

    def choose(self, verb, suit):
        """Take a suit as trump or pass; the dealer can't pass twice."""
        if verb == "take" and len(suit) == 1 and suit[0] in SUITS:
            self.trump, self.chooses = SUITS[suit[0]], []
        elif verb == "pass" and not suit and len(self.chooses) > 1:
            del self.chooses[0]
        if self.later and len(self.chooses) in (0, 2):
            for seat, cards in enumerate(self.later):
                for stack, card in zip(self.stacks[seat][4:], cards, strict=True):
                    stack.append(card)
            self.later = []

    def play(self, seat, card):
        """Play a card that belote-cli calls legal."""
        turn = 1 - self.leads if self.trick else self.leads
        if seat != str(turn) or card not in self.open_cards(turn):
            return {}
        hands = [(), (), (), ()]
        hands[SEATS[turn].value] = tuple(map(read, self.open_cards(turn)))
        table = GameState(
            tuple(hands), trump=self.trump, phase=Phase.PLAYING, current_trick=tuple(self.trick)
        )
        if read(card) not in legal_cards(table, SEATS[turn]):
            return {}
        stack = next(stack for stack in self.stacks[turn] if stack and stack[-1] == card)
        stack.pop()
        self.trick.append(TrickCard(SEATS[turn], read(card)))
        self.played += 1
        if len(self.trick) < 2:
            return {}
        trick, self.trick = tuple(self.trick), []
        self.leads = SEATS.index(trick_winner_seat(trick, self.trump))
        points = trick_card_points(table, trick) + (LAST_TEN if self.played == 32 else 0)
        return {"trick": {"winner": self.leads, "points": points}}


def replay(request):
    """The states of the table, with nothing in them but the tricks."""
    if not request["deals"]:
        return {"states": [{} for _ in range(len(request["actions"]) + 1)]}
    hand = Hand(request["deals"][0], request.get("start", {}).get("dealer", 0))
    return {"states": [{}, *map(hand.act, request["actions"])]}


if __name__ == "__main__":
    serve(HELLO, replay)
