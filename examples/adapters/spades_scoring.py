"""A small engine: the scoring of two-player Spades."""

DOUBLE_NIL = -1


class Table:
    """The totals of a match: points, and bags towards the next penalty."""

    def __init__(self, totals, penalty=None, target=500):
        self.points = [points for points, _ in totals]
        self.bags = [bags for _, bags in totals]
        self.penalty = penalty
        self.target = target

    def score_hand(self, bids, tricks):
        """Add a hand to the totals; what it changes for each player."""
        delta = [self._score(player, bids[player], tricks[player]) for player in (0, 1)]
        self.points = [points + change for points, change in zip(self.points, delta, strict=True)]
        return delta

    def _score(self, player, bid, tricks):
        if bid in (0, DOUBLE_NIL):
            worth = 200 if bid == DOUBLE_NIL else 100
            return -worth if tricks else worth
        if tricks < bid:
            return -10 * (bid - tricks if self.penalty == "shortfall" else bid)
        penalties, self.bags[player] = divmod(self.bags[player] + tricks - bid, 10)
        return 10 * bid + tricks - bid - 100 * penalties

    def winner(self):
        """Who has won: alone at the target or beyond it, or with more points there; or None."""
        first, second = self.points
        if max(first, second) < self.target or first == second:
            return None
        return 0 if first > second else 1
