"""The hearts of OpenSpiel on the engine protocol: an adapter to learn from.

    pip install "open-spiel>=2"
    oracle check --rules hearts:openspiel -- python examples/adapters/open_spiel_hearts.py

It reads one JSON object a line and answers each with one, as docs/protocol.md says. OpenSpiel
lists the legal cards, knows whose turn it is and counts the points. Three things it can't be
asked, and they are the adapter's own:

- The pass. OpenSpiel takes it card by card, seat 0 first; on the protocol any seat may begin,
  with all three cards. So the adapter judges and keeps four passes, and hands them on together.
- Who won the last trick: OpenSpiel lets nobody lead after it.
- The totals of a match: OpenSpiel plays a single hand. How the match ends is not reported.
"""

import json
import sys
from importlib.metadata import version
from operator import add

import pyspiel

# OpenSpiel numbers the cards rank by rank, and within a rank suit by suit.
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]
NUMBER = {card: number for number, card in enumerate(CARDS)}

# The options that OpenSpiel has too: its parameter, and what each value, canonical first, is there.
OPTIONS = {
    "queen_breaks_hearts": ("qs_breaks_hearts", {False: False, True: True}),
    "opening_lead": ("can_lead_any_club", {"two_of_clubs": False, "any_club": True}),
    "lead_from_hearts_and_queen": ("can_lead_hearts_instead_of_qs", {"queen": False, "any": True}),
    "points_on_first_trick": ("no_pts_on_first_trick", {False: True, True: False}),
}
# The others it plays in one way only, which a request may spell out.
FIXED = {
    "target": 100,
    "pass_cycle": ["left", "right", "across", "none"],
    "first_trick_only_penalty_cards": "any",
    "tie_for_lowest": "extra_hand",
}
# OpenSpiel's number for a direction is how many seats on the cards go.
DIRECTIONS = {"none": 0, "left": 1, "across": 2, "right": 3}

# What is claimed is tested, and must then be right; anything else is never asked.
CLAIM = {
    "ops": ["replay"],
    "reports": ["ok", "legal", "trick", "hand"],
    "options": {name: list(values) for name, (_, values) in OPTIONS.items()},
    "start": ["hand", "scores"],
    "max_hands": 1,
}
ENGINE = {"name": "OpenSpiel hearts", "version": version("open-spiel"), "language": "C++"}
HELLO = {"protocol": 1, "engine": ENGINE, "games": {"hearts": CLAIM}}


class Hand:
    """A hand in OpenSpiel, and the passes that it hasn't been told of yet."""

    def __init__(self, game, direction, dealt, scores):
        self.state = game.new_initial_state()
        self.state.apply_action(direction)
        # It deals one card at a time, beginning with seat 0.
        self.apply(card for cards in zip(*dealt, strict=True) for card in cards)
        self.to_pass = dict(zip("0123", dealt, strict=True)) if direction else {}
        self.passes = {}
        self.trick, self.points, self.scores = [], [0, 0, 0, 0], scores

    def apply(self, cards):
        """Put cards to OpenSpiel one by one; it only looks whether they are legal if told to."""
        for card in cards:
            self.state.apply_action_with_legality_check(NUMBER[card])

    def legal(self):
        """What each seat that may act may do."""
        if self.to_pass:
            return {seat: [" ".join(["pass {3}", *hand])] for seat, hand in self.to_pass.items()}
        if self.state.is_terminal():
            return {}
        plays = [f"play {CARDS[number]}" for number in self.state.legal_actions()]
        return {str(self.state.current_player()): plays}

    def act(self, action):
        """Carry out an action and say what came of it; one that is refused changes nothing."""
        seat, _, what = action.partition(" ")
        told = self.choose(seat, what) if self.to_pass else self.play(seat, what)
        return {"ok": told is not None, "legal": self.legal(), **(told or {})}

    def choose(self, seat, what):
        """Keep the three cards that a seat passes; after the fourth pass all twelve move."""
        verb, *three = what.split(" ")
        held = set(three).intersection(self.to_pass.get(seat, ()))
        if verb != "pass" or len(three) != 3 or len(held) != 3:
            return None
        self.passes[seat] = three
        del self.to_pass[seat]
        if not self.to_pass:
            self.apply(card for passer in "0123" for card in self.passes[passer])
        return {}

    def play(self, seat, what):
        """Play a card, if it is one of those that OpenSpiel lists."""
        if what not in self.legal().get(seat, ()):
            return None
        card = what.removeprefix("play ")
        self.apply([card])
        self.trick.append((NUMBER[card], int(seat)))
        return self.end_trick() if len(self.trick) == 4 else {}

    def end_trick(self):
        """Tell of the trick that is complete, and after the last one of the hand."""
        over = self.state.is_terminal()
        suit_led = self.trick[0][0] % 4
        _, seat = max(played for played in self.trick if played[0] % 4 == suit_led)
        winner = seat if over else self.state.current_player()
        before, self.points = self.points, [int(self.state.points(seat)) for seat in range(4)]
        self.trick = []
        # With the last trick a moon has moved everybody's points by 26, up or down.
        told = {"trick": {"winner": winner, "points": (self.points[winner] - before[winner]) % 26}}
        if over:
            delta = [26 - int(value) for value in self.state.returns()]
            told["hand"] = {"delta": delta, "scores": [*map(add, self.scores, delta)]}
        return told


def why_not(request):
    """Why a request can't be answered, or None."""
    if (request["op"], request["game"]) != ("replay", "hearts") or len(request["deals"]) > 1:
        return "it replays single hands of hearts"
    for name, value in request["rules"].items():
        if value not in CLAIM["options"].get(name, [FIXED.get(name)]):
            return f"OpenSpiel doesn't play {name} {value}"
    return None


def replay(request):
    """The states of the table: before the first action, then after each."""
    if not request["deals"]:
        refused = {"ok": False, "legal": {}}
        return {"states": [{"legal": {}}, *[refused] * len(request["actions"])]}
    parameters = {
        parameter: values[request["rules"].get(name, next(iter(values)))]
        for name, (parameter, values) in OPTIONS.items()
    }
    start = {"hand": 0, "scores": [0, 0, 0, 0], **request.get("start", {})}
    hand = Hand(
        pyspiel.load_game("hearts", parameters),
        DIRECTIONS[FIXED["pass_cycle"][start["hand"] % 4]],
        [cards.split(" ") for cards in request["deals"][0]["hands"]],
        start["scores"],
    )
    return {"states": [{"legal": hand.legal()}, *map(hand.act, request["actions"])]}


def main():
    """Answer line by line until there is a bye or no more to read."""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("do") == "bye":
            return
        if message.get("do") == "hello":
            answer = HELLO
        elif reason := why_not(message):
            answer = {"seq": message["seq"], "unsupported": reason}
        else:
            answer = {"seq": message["seq"], **replay(message)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
