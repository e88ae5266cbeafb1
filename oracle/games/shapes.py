"""What the parts of a request consist of, said as plain values.

Each game states its options, start, deal and tally as a frozen dataclass whose fields carry
a shape. The reader of requests, the writer and the JSON Schemas are all made from these
statements, so a game says once what it is played with.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

#: Scores and targets lie within these bounds.
SCORE_LIMIT = 10**9
#: The largest integer that every JSON reader keeps exactly.
INTEGER_LIMIT = 2**53 - 1


@dataclass(frozen=True)
class Whole:
    """An integer from least to most."""

    least: int = 0
    most: int = INTEGER_LIMIT


@dataclass(frozen=True)
class OneOf:
    """One of a few values: strings, integers or booleans (1 is not true)."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Either:
    """What fits the first shape or the second."""

    first: "Shape"
    second: "Shape"


@dataclass(frozen=True)
class Several:
    """A list of count things of one shape; with count None any number from one up."""

    count: int | None
    shape: "Shape"


@dataclass(frozen=True)
class CardSet:
    """A set of so many different cards, in any order; as a value, ``Cards``."""

    size: int


@dataclass(frozen=True)
class CardRow:
    """So many different cards whose order means something; as a value, a tuple of ``Card``."""

    size: int


@dataclass(frozen=True)
class Text:
    """A string that a regular expression fits whole.

    The expression goes into the JSON Schemas, so it keeps to what every language reads
    alike: classes, groups, alternatives and repetition.
    """

    pattern: str


Shape = Whole | OneOf | Either | Several | CardSet | CardRow | Text

SCORES = Whole(-SCORE_LIMIT, SCORE_LIMIT)


@dataclass(frozen=True)
class Part:
    """One named part of a start, a deal, a tally or a contract."""

    name: str
    shape: Shape
    about: str
    required: bool


@dataclass(frozen=True)
class Option:
    """One option of a game: its shape, its canonical value, and the ids that settle it.

    ``under`` names another option and, for some of its values, the shape and canonical
    value that hold instead of the usual ones. ``beside`` are options without which this one
    has no effect, and ``only_seen`` says that it changes nothing but what a seat sees.
    """

    name: str
    shape: Shape
    canonical: Any
    rulings: tuple[str, ...]
    about: str
    under: tuple[str, Mapping[Any, tuple[Shape, Any]]] | None = None
    beside: Mapping[str, Any] = field(default_factory=dict)
    only_seen: bool = False

    def among(self, given: Mapping[str, Any]) -> tuple[Shape, Any]:
        """The shape and the canonical value beside these other options."""
        if self.under:
            other, cases = self.under
            value = given.get(other)
            # A list or an object is no case, and can't be looked up.
            if isinstance(value, str | int) and value in cases:
                return cases[value]
        return self.shape, self.canonical


def part(shape: Shape, about: str, default: Any = MISSING) -> Any:
    """A dataclass field that holds a part; without a default it must be given."""
    metadata = {"shape": shape, "about": about}
    result: Any = field(default=default, metadata=metadata)
    return result


def option(
    shape: Shape,
    canonical: Any,
    rulings: str,
    about: str,
    **more: Any,
) -> Any:
    """A dataclass field that holds an option; rulings are ids with spaces between.

    ``more`` may give ``under``, ``beside`` and ``only_seen`` (see ``Option``).
    """
    metadata = {"shape": shape, "rulings": tuple(rulings.split()), "about": about, **more}
    return field(default=canonical, metadata=metadata)


# Both are asked with every request, so what was found is kept.
_parts: dict[type[Any], tuple[Part, ...]] = {}
_options: dict[type[Any], tuple[Option, ...]] = {}


def parts_of(kind: type[Any]) -> tuple[Part, ...]:
    """The parts that a start, deal, tally or contract consists of, in order."""
    if kind not in _parts:
        _parts[kind] = tuple(
            Part(each.name, each.metadata["shape"], each.metadata["about"], each.default is MISSING)
            for each in fields(kind)
        )
    return _parts[kind]


def options_of(kind: type[Any]) -> tuple[Option, ...]:
    """The options of a game's rules, in order."""
    if kind not in _options:
        _options[kind] = tuple(
            Option(each.name, canonical=each.default, **each.metadata) for each in fields(kind)
        )
    return _options[kind]
