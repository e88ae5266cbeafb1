"""The hearts of the package gym-hearts on the engine protocol.

    pip install gym-hearts==0.0.3
    oracle check --rules 'pass_cycle=["none"]' -- python examples/adapters/gym_hearts_hearts.py

gym-hearts passes no cards, which is an option of the rulebook. With every step it returns an
observation with the cards that the next player may play, and says what a trick cost whom. It plays
whatever it is given; so a card is accepted when that observation lists it. Shooting the moon is
enabled, as in the package's own example.
"""

import contextlib
import sys
from importlib.metadata import version
from operator import sub

from python_adapter import serve

with contextlib.redirect_stdout(sys.stderr):
    from gymhearts.env import HeartsEnv
    from treys import Card

CLAIM = {
    "ops": ["replay"],
    "reports": ["ok", "legal", "trick", "hand", "match"],
    "options": {"pass_cycle": [["none"]]},
    "start": ["hand", "scores"],
    "max_hands": 1,
}
ENGINE = {"name": "gym-hearts", "version": version("gym-hearts"), "language": "Python"}
HELLO = {"protocol": 1, "engine": ENGINE, "games": {"hearts": CLAIM}}


def read(card):
    """A card of gym-hearts."""
    return Card.new(card[0] + card[1].lower())


def write(card):
    """A card on the protocol."""
    text = Card.int_to_str(card)
    return text[0] + text[1].upper()


class Hand:
    """One hand in gym-hearts."""

    def __init__(self, dealt, scores):
        self.env = HeartsEnv()
        self.env.enable_shooting_the_moon()
        for _ in dealt:
            self.env.add_player(None)
        self.env.start()
        # In place of the cards that it has drawn itself, and of totals that begin at 0.
        hands = [[read(card) for card in hand.split(" ")] for hand in dealt]
        for player, hand, score in zip(self.env._players, hands, scores, strict=True):
            player.reset_hand_cards(hand)
            player.add_score(score)
            player.commit_new_round_score()
        self.env._current_player_id = next(seat for seat, hand in enumerate(hands) if read("2C") in hand)
        self.start, self.over = scores, False
        self.observation = self.env.get_observation()

    def legal(self):
        """What the seat whose turn it is may play."""
        if self.over:
            return {}
        cards = map(write, self.observation["valid_hand_cards"])
        return {str(self.observation["current_player_id"]): [f"play {card}" for card in cards]}

    def act(self, action):
        """Play a card if the observation lists it, and say what came of it."""
        seat, _, what = action.partition(" ")
        if what not in self.legal().get(seat, ()):
            return {"ok": False, "legal": self.legal()}
        card = read(what.removeprefix("play "))
        self.observation, _, done, info = self.env.step(card)
        told = {}
        if "punish_player_id" in info:
            told["trick"] = {"winner": info["punish_player_id"], "points": info["punish_score"]}
        if done or info["is_new_round"]:
            self.over = True
            scores = [player.get_score() for player in self.env._players]
            told["hand"] = {"delta": [*map(sub, scores, self.start)], "scores": scores}
            if done:
                # It says that the match is over; who has won is left to whoever reads the scores.
                winners = [seat for seat in range(4) if scores[seat] == min(scores)]
                told["match"] = {"winners": winners}
        return {"ok": True, **told, "legal": self.legal()}


def replay(request):
    """The states of the table: before the first action, then after each."""
    if not request["deals"]:
        return {"states": [{"legal": {}}, *[{"ok": False, "legal": {}} for _ in request["actions"]]]}
    scores = request.get("start", {}).get("scores", [0, 0, 0, 0])
    hand = Hand(request["deals"][0]["hands"], scores)
    return {"states": [{"legal": hand.legal()}, *map(hand.act, request["actions"])]}


if __name__ == "__main__":
    serve(HELLO, replay)
