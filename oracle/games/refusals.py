"""How a game says no: an action refused, and parts of a request that can't be."""

FORMAT = "FORMAT"
OVER = "OVER"
TURN = "TURN"
PHASE = "PHASE"
CARD = "CARD"

#: The general refusals in the order in which they are looked for; after them come the rules.
GENERAL = (FORMAT, OVER, TURN, PHASE, CARD)


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
