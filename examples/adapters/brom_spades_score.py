"""The scoring of the package brom-spades on the engine protocol.

    pip install brom-spades==4.0.2
    oracle check -- python examples/adapters/brom_spades_score.py

brom-spades keeps the score of four players in two partnerships. A partnership stands for each
player of the two-player game. Beside a player who bids tricks the partner bids the same and wins
none, which the package counts as one bid. Beside a nil the partner bids 1 and wins one trick; these
10 points are the adapter's, and it takes them off. The package splits a total into points and
overtricks, which are the bags: a total of 215 with 5 bags is (210, 5).
"""

from importlib.metadata import version
from operator import sub

from brom_spades import DOUBLE, NIL, SimpleBackEnd
from python_adapter import serve

CLAIM = {
    "ops": ["score"],
    "reports": ["hand", "match"],
    "options": {"target": "any"},
    "start": ["scores", "bags"],
}
ENGINE = {"name": "brom-spades", "version": version("brom-spades"), "language": "Python"}
HELLO = {"protocol": 1, "engine": ENGINE, "games": {"spades": CLAIM}}


def score(request):
    """What a hand scores, and who has won."""
    start = {"scores": [0, 0], "bags": [0, 0], **request.get("start", {})}
    bids = [DOUBLE if bid == "double-nil" else bid for bid in request["tally"]["bids"]]
    tricks = request["tally"]["tricks"]
    nil = [bid in (NIL, DOUBLE) for bid in bids]
    table = SimpleBackEnd()
    # Its totals before this hand, the partners' 10 points already taken off.
    table.scores[0] = [
        (total - bags - 10 * beside, bags)
        for total, bags, beside in zip(start["scores"], start["bags"], nil, strict=True)
    ]
    table.WIN_SCORE = request["rules"].get("target", 500)
    table.add_bids(bids + [1 if beside else bid for bid, beside in zip(bids, nil, strict=True)])
    table.add_tricks(tricks + [int(beside) for beside in nil])
    scores = table.get_scores()
    delta = [*map(sub, scores, start["scores"])]
    bags = [bags for _, bags in table.scores[table.get_deal()]]
    told = {"hand": {"delta": delta, "scores": scores, "bags": bags}}
    if table.winner:
        told["match"] = {"winners": [table.winner[0]]}
    return told


if __name__ == "__main__":
    serve(HELLO, score)
