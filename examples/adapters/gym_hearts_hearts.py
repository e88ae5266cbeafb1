"""The hearts of the package gym-hearts on the engine protocol.

    pip install gym-hearts==0.0.3
    oracle check --rules 'pass_cycle=["none"]' --rules tie_for_lowest=shared \
        -- python examples/adapters/gym_hearts_hearts.py

gym-hearts passes no cards and ends a match on a tie: options of the rulebook, so they are claimed as
such. With every step it returns an observation with the cards that the next player may play, and
says what a trick cost whom. It plays whatever it is given; so a card is accepted when that
observation lists it. Shooting the moon is enabled, as in the package's own example.

After a trick that observation still has the trick on the table, so the leader is told to follow it.
With --clear-table the adapter takes the trick away and looks again, to find what else there is.
"""

import contextlib
import sys
from importlib.metadata import version
from operator import sub

from python_adapter import serve

with contextlib.redirect_stdout(sys.stderr):
    import gymhearts.env
    from gymhearts.env import HeartsEnv
    from gymhearts.strategy import IStrategy
    from treys import Card

RANKS = "23456789TJQKA"

CLAIM = {
    "ops": ["replay"],
    "reports": ["ok", "legal", "trick", "hand", "match"],
    "options": {"pass_cycle": [["none"]], "tie_for_lowest": ["shared"]},
    "start": ["hand", "scores"],
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


class Deals:
    """The deck that gym-hearts draws its hands from: the deals of a request, one after another."""

    hands = iter(())

    def shuffle(self):
        """The deals are given."""

    def draw(self, count):
        """The next hand; once the deals have run out, any that will do."""
        return next(self.hands)


class Table:
    """A match in gym-hearts, for as long as there are deals."""

    def __init__(self, deals, scores):
        self.left = len(deals)
        spare = [" ".join(rank + suit for rank in RANKS) for suit in "CDHS"]
        hands = [hand for deal in deals for hand in deal["hands"]] + spare
        Deals.hands = iter([[read(card) for card in hand.split(" ")] for hand in hands])
        self.env = HeartsEnv()
        self.env.enable_shooting_the_moon()
        for _ in scores:
            self.env.add_player(IStrategy())
        self.env.start()
        for player, score in zip(self.env._players, scores, strict=True):
            player.add_score(score)
            player.commit_new_round_score()
        self.scores = scores
        self.observation = self.env.get_observation()

    def legal(self):
        """What the seat whose turn it is may play."""
        if not self.left:
            return {}
        cards = map(write, self.observation["valid_hand_cards"])
        return {str(self.observation["current_player_id"]): [f"play {card}" for card in cards]}

    def act(self, action):
        """Play a card if the observation lists it, and say what came of it."""
        seat, _, what = action.partition(" ")
        if what not in self.legal().get(seat, ()):
            return {"ok": False, "legal": self.legal()}
        self.observation, _, done, info = self.env.step(read(what.removeprefix("play ")))
        told = {}
        if "punish_player_id" in info:
            told["trick"] = {"winner": info["punish_player_id"], "points": info["punish_score"]}
            if "--clear-table" in sys.argv:
                self.env._playing_cards.clear()
                self.env._playing_ids.clear()
                self.observation = self.env.get_observation()
        if done or info["is_new_round"]:
            told.update(self.end_hand(done))
        return {"ok": True, **told, "legal": self.legal()}

    def end_hand(self, done):
        """What the hand brought, and if the match is over, who has the lowest total."""
        before, self.scores = self.scores, [player.get_score() for player in self.env._players]
        hand = {"delta": [*map(sub, self.scores, before)], "scores": self.scores}
        if not done:
            self.left -= 1
            return {"hand": hand}
        # It says that the match is over; who has won is left to whoever reads the scores.
        self.left = 0
        lowest = min(self.scores)
        winners = [seat for seat, score in enumerate(self.scores) if score == lowest]
        return {"hand": hand, "match": {"winners": winners}}


def replay(request):
    """The states of the table: before the first action, then after each."""
    scores = request.get("start", {}).get("scores", [0, 0, 0, 0])
    table = Table(request["deals"], scores)
    return {"states": [{"legal": table.legal()}, *map(table.act, request["actions"])]}


if __name__ == "__main__":
    gymhearts.env.Deck = Deals
    serve(HELLO, replay)
