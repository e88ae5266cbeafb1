"""A small Hearts engine on the oracle's protocol, with a mistake that many engines share.

    oracle check --game hearts -- python examples/hearts_engine.py            # has the mistake
    oracle check --game hearts -- python examples/hearts_engine.py --mended

It plays one hand: who may play what, and who takes each trick. That is all it claims, so that
is all it is asked.
"""

import json
import sys

PENALTIES = {"QS", *(rank + "H" for rank in "23456789TJQKA")}
# The mistake: the queen of spades counts as a heart when it comes to breaking hearts.
BREAKING = PENALTIES - {"QS"} if "--mended" in sys.argv else PENALTIES
PACK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
STEP = {"left": 1, "right": 3, "across": 2}


def hello():
    claim = {
        "ops": ["replay"],
        "reports": ["ok", "legal", "trick"],
        "start": ["hand"],
        "max_hands": 1,
    }
    engine = {"name": "small hearts", "version": "1", "language": "Python"}
    return {"protocol": 1, "engine": engine, "games": {"hearts": claim}}


def legal_cards(hand, trick, first_trick, broken):
    if trick:
        follow = [card for card in hand if card[1] == trick[0][1]]
        safe = [card for card in hand if card not in PENALTIES]
        return follow or (safe if first_trick and safe else hand)
    if first_trick:
        return ["2C"]
    return hand if broken else [card for card in hand if card[1] != "H"] or hand


def replay(request):
    hands = [set(hand.split()) for hand in request["deals"][0]["hands"]] if request["deals"] else []
    direction = ["left", "right", "across", "none"][request.get("start", {}).get("hand", 0) % 4]
    passed, trick, taken, broken = {}, [], 0, False
    passing = bool(hands) and direction != "none"
    turn = next((seat for seat in range(len(hands)) if "2C" in hands[seat]), None)

    def in_order(cards):
        return sorted(cards, key=PACK.index)

    def legal():
        if passing:
            waiting = [seat for seat in range(4) if seat not in passed]
            return {str(seat): ["pass {3} " + " ".join(in_order(hands[seat]))] for seat in waiting}
        if not hands or taken == 13:
            return {}
        cards = legal_cards(in_order(hands[turn]), trick, taken == 0, broken)
        return {str(turn): [f"play {card}" for card in cards]}

    states = [{"legal": legal()}]
    for action in request["actions"]:
        seat, _, what = action.partition(" ")
        cards, state = what.split(" ")[1:], {"ok": False}
        if passing and seat in legal() and what.startswith("pass "):
            state["ok"] = len(cards) == len(set(cards)) == 3 and set(cards) <= hands[int(seat)]
            if state["ok"]:
                passed[int(seat)] = set(cards)
        elif not passing and what in legal().get(seat, []):
            state["ok"] = True
            hands[turn].remove(cards[0])
            trick.append(cards[0])
            broken = broken or cards[0] in BREAKING
            turn = (turn + 1) % 4
        if len(passed) == 4 and passing:
            passing = False
            for giver, three in passed.items():
                hands[giver] -= three
            for giver, three in passed.items():
                hands[(giver + STEP[direction]) % 4] |= three
            turn = next(seat for seat in range(4) if "2C" in hands[seat])
        if len(trick) == 4:
            best = max((card for card in trick if card[1] == trick[0][1]), key=PACK.index)
            turn, taken = (turn + trick.index(best)) % 4, taken + 1
            points = sum(13 if card == "QS" else card in PENALTIES for card in trick)
            state["trick"], trick = {"winner": turn, "points": points}, []
        states.append({**state, "legal": legal()})
    return {"states": states}


for line in sys.stdin:
    message = json.loads(line)
    if message.get("do") == "bye":
        break
    answer = hello() if "do" in message else {**replay(message), "seq": message["seq"]}
    print(json.dumps(answer), flush=True)
