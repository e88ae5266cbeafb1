"""The hearts of the package HeartsGym on the engine protocol.

    pip install heartsgym==0.43
    oracle check --rules 'pass_cycle=["none"]' --rules queen_breaks_hearts=true \
        --rules points_on_first_trick=true -- python examples/adapters/heartsgym_hearts.py

HeartsGym passes no cards, lets the queen of spades break hearts, and bars nothing from the first
trick: options of the rulebook, so they are claimed as such and held against it under these rules.
It says which cards are valid, whose turn it is, and what everybody has taken.
"""

import contextlib
import sys
from importlib.metadata import version
from operator import add, sub

from python_adapter import serve

with contextlib.redirect_stdout(sys.stderr):
    from HeartsGym.Hearts import Card, Hearts

RANKS = "23456789TJQKA"
SUITS = "SCHD"  # as HeartsGym numbers them

CLAIM = {
    "ops": ["replay"],
    "reports": ["ok", "legal", "trick", "hand"],
    "options": {
        "pass_cycle": [["none"]],
        "queen_breaks_hearts": [True],
        "points_on_first_trick": [True],
        # Without effect where nothing is barred from the first trick.
        "first_trick_only_penalty_cards": "any",
    },
    "start": ["hand", "scores"],
    "max_hands": 1,
}
ENGINE = {"name": "HeartsGym", "version": version("heartsgym"), "language": "Python"}
HELLO = {"protocol": 1, "engine": ENGINE, "games": {"hearts": CLAIM}}


def read(text):
    """A card of HeartsGym."""
    return Card(SUITS.index(text[1]), RANKS.index(text[0]) + 2)


def write(card):
    """A card on the protocol."""
    return RANKS[card.number - 2] + SUITS[card.suit]


class Hand:
    """One hand in HeartsGym."""

    def __init__(self, dealt, scores):
        self.env = Hearts()
        self.env.dealHands = lambda: [[read(card) for card in hand.split(" ")] for hand in dealt]
        self.env.reset()
        self.start, self.done = scores, False

    def choices(self):
        """The number of each valid choice, by the action that it is on the protocol."""
        hand, key = self.env.getCurrentPlayersHand(), self.env.state["actionKey"]
        valid = [choice for choice in range(13) if self.env.isActionValid(choice)]
        return {f"play {write(hand[key[choice]])}": choice for choice in valid}

    def legal(self):
        """What the seat whose turn it is may play."""
        return {} if self.done else {str(self.env.getCurrentPlayer()): list(self.choices())}

    def act(self, action):
        """Play a card if HeartsGym calls it valid, and say what came of it."""
        seat, _, what = action.partition(" ")
        if what not in self.legal().get(seat, ()):
            return {"ok": False, "legal": self.legal()}
        before = list(self.env.state["scores"])
        trick = [*map(write, self.env.state["currentTrick"]), what.removeprefix("play ")]
        _, _, self.done = self.env.step(self.choices()[what])
        told = {}
        if len(trick) == 4:
            told["trick"] = self.trick(trick, int(seat), before)
        if self.done:
            delta = list(self.env.state["scores"])
            told["hand"] = {"delta": delta, "scores": [*map(add, self.start, delta)]}
        return {"ok": True, **told, "legal": self.legal()}

    def trick(self, cards, last, before):
        """Who won the trick, and its points: what the winner has more than before."""
        if self.done:
            # Nobody leads after the last trick, and its score is mixed with that of the hand.
            best = max(
                (card for card in cards if card[1] == cards[0][1]),
                key=lambda card: RANKS.index(card[0]),
            )
            points = sum(13 if card == "QS" else card[1] == "H" for card in cards)
            return {"winner": (last + 1 + cards.index(best)) % 4, "points": points}
        winner = self.env.getCurrentPlayer()
        return {"winner": winner, "points": [*map(sub, self.env.state["scores"], before)][winner]}


def replay(request):
    """The states of the table: before the first action, then after each."""
    if not request["deals"]:
        return {
            "states": [{"legal": {}}, *[{"ok": False, "legal": {}} for _ in request["actions"]]]
        }
    scores = request.get("start", {}).get("scores", [0, 0, 0, 0])
    hand = Hand(request["deals"][0]["hands"], scores)
    return {"states": [{"legal": hand.legal()}, *map(hand.act, request["actions"])]}


if __name__ == "__main__":
    serve(HELLO, replay)
