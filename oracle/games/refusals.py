"""How a game says no: an action refused, and parts of a request that can't be."""

FORMAT = "FORMAT"
OVER = "OVER"
TURN = "TURN"
PHASE = "PHASE"
CARD = "CARD"

#: The general refusals in the order in which they are looked for; after them come the rules.
GENERAL = (FORMAT, OVER, TURN, PHASE, CARD)

#: Why an action is refused so, in a few words.
MEANING = {
    FORMAT: "it is no action of this game",
    OVER: "there is no hand to play",
    TURN: "it is not this seat's turn",
    PHASE: "it is not the time for this",
    CARD: "the card is not this seat's to use, or is named twice",
}
#: The same for whoever looks it up.
DETAILS = {
    FORMAT: "Not written as any action of the game is: an unknown verb or seat, a wrong number of "
    "words or cards, a misspelt card, doubled spaces.",
    OVER: "The match is over, or all the hands that were dealt have been played.",
    TURN: "Another seat is to act, or chance is; or this seat has done its part already.",
    PHASE: "The game has this action, but not at this point of the hand, or not with these options.",
    CARD: "A card that this seat doesn't hold or may not use: another's, one that has been played, "
    "one that is covered, one that isn't in the pack. Or one card named twice.",
}


class Refused(Exception):
    """An action that is not allowed; ``clause`` is a general refusal or the id of a rule."""

    def __init__(self, clause: str) -> None:
        super().__init__(clause)
        self.clause = clause


class Impossible(ValueError):
    """Plain values that no hand can give, or that the options exclude.

    ``part`` names the part that is wrong, ``expected`` says what was expected of it.
    """

    def __init__(self, part: str, expected: str) -> None:
        super().__init__(f"{part}: {expected}")
        self.part = part
        self.expected = expected
