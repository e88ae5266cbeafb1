"""What may have been meant by a name that there is not."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that comes nearest to a word, capitals or not; None if none comes near."""
    names = {name.upper(): name for name in known}
    close = get_close_matches(word.upper(), names, 1)
    return names[close[0]] if close else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about a name that there is not: what may have been meant, if anything."""
    name = nearest(word, known)
    return f"; did you mean {name}?" if name else ""
