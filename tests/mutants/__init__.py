"""Mutants: the reference with one thing misread, to see whether the published vectors notice.

A mutant is a small change to one game: a subclass with one method changed, or a function of the
reference replaced. Its docstring is one line that says what a real author would have misread; its
name is that of its class or function. ``MUTANTS`` holds all of them by ``<game>/<name>``.

To add one, write it into the module of its game (``hearts``, ``spades``, ``belote``,
``bid_whist``) or, when it is nothing of one game's own, into ``every_game``:

    @mutant
    class OnlyHeartsStuck(Hearts):
        \"""Leaves a leader who holds nothing but hearts without a card to lead.\"""

        def legal_leads(self, hand):
            return hand & ~HEARTS if not self.hearts_broken() else hand

Then run ``python -m tests.mutants``: a mutant that survives asks for a vector.
"""

from .registry import MUTANTS, Mutant

# Each of these modules registers its mutants.
from . import belote, bid_whist, every_game, hearts, spades  # isort: skip

__all__ = ["MUTANTS", "Mutant", "belote", "bid_whist", "every_game", "hearts", "spades"]
