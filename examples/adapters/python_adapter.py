"""An adapter in Python: the whole protocol loop, to copy and to put before an engine of your own.

    oracle check --game spades -- python examples/adapters/python_adapter.py

The engine beside it, spades_scoring.py, scores hands and knows nothing of the protocol; copy both,
or import your own. What is said in HELLO is tested, and anything else is never asked;
docs/protocol.md has the whole protocol.
"""

import json
import sys

import spades_scoring

CLAIM = {
    "ops": ["score"],
    "reports": ["hand", "match"],
    "options": {"target": "any", "set_penalty": ["bid", "shortfall"]},
    "start": ["scores", "bags"],
}
ENGINE = {"name": "small spades scoring", "version": "1", "language": "Python"}
HELLO = {"protocol": 1, "engine": ENGINE, "games": {"spades": CLAIM}}


def serve(hello, answer):
    """Answer line by line until there is a bye or no more to read.

    ``answer`` makes a response out of a request. If it raises, the engine has failed: that is told
    as such and is not mistaken for a refusal.
    """
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("do") == "bye":
            return
        if message.get("do") == "hello":
            response = hello
        else:
            try:
                response = answer(message)
            except Exception as error:
                response = {"failed": f"{type(error).__name__}: {error}"}
            response = {**response, "seq": message["seq"]}
        print(json.dumps(response), flush=True)


def score(request):
    """What a hand of Spades scores, translated to the engine's terms and back."""
    tally, rules, start = request["tally"], request["rules"], request.get("start", {})
    bids = [spades_scoring.DOUBLE_NIL if bid == "double-nil" else bid for bid in tally["bids"]]
    totals = list(zip(start.get("scores", [0, 0]), start.get("bags", [0, 0]), strict=True))
    table = spades_scoring.Table(totals, rules.get("set_penalty"), rules.get("target", 500))
    delta = table.score_hand(bids, tally["tricks"])
    hand = {"delta": delta, "scores": table.points, "bags": table.bags}
    winner = table.winner()
    return {"hand": hand} if winner is None else {"hand": hand, "match": {"winners": [winner]}}


if __name__ == "__main__":
    serve(HELLO, score)
