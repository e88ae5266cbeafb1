"""The schema of the answer with which an engine introduces itself."""

from oracle.games.shapes import Option, options_of, parts_of
from oracle.games.table import Table
from oracle.schemas.pieces import (
    Schema,
    among,
    constant,
    from_shape,
    listing,
    record,
    said,
    string,
    whole,
)
from oracle.schemas.request import Games
from oracle.wire import FIELDS

#: What an engine may promise to report.
REPORTS = (
    "ok", "clause", "legal", "contract", "trick", "combinations", "hand", "breakdown", "match",
    "error",
)  # fmt: skip


def hello(games: Games) -> Schema:
    """An engine's answer to hello."""
    return record(
        "What an engine says of itself in answer to hello. Unknown fields are let pass here and "
        "counted, as in all answers of an engine; so is a game that the oracle doesn't know.",
        {
            "protocol": said("The version of the protocol.", constant(1)),
            "engine": engine(more=True),
            "games": record(
                "The games that the engine plays.",
                {name: _claims(game) for name, game in games.items()},
                optional=games,
                more=True,
            ),
        },
        more=True,
    )


def engine(*, more: bool = False) -> Schema:
    """Who an engine is."""
    fields = {
        "name": said("What the engine is called.", string("a name")),
        "version": said("Its version.", string("a version")),
        "language": said("The language in which it is written.", string("a language")),
    }
    return record("Who the engine is.", fields, more=more)


def _claims(game: type[Table]) -> Schema:
    start = [part.name for part in parts_of(game.parts.start)]
    options = {option.name: _played(option, game) for option in options_of(game.parts.rules)}
    return record(
        f"What the engine claims to do in {game.title}. What is not listed is not asked.",
        {
            "ops": said("The ops that it answers.", listing(among(FIELDS), unique=True)),
            "reports": said(
                "What its responses hold; with error it is sent wrong requests too.",
                listing(among(REPORTS), unique=True),
            ),
            "options": record(
                "The values of the options that it can play; one that is not listed is played "
                "canonically.",
                options,
                optional=options,
                more=True,
            ),
            "start": said(
                "The fields of start that it takes; without any it begins at the beginning.",
                listing(among(start), unique=True),
            ),
            "max_hands": said(
                "How many hands it can play in one request; any number if absent.", whole(1)
            ),
        },
        optional=("options", "start", "max_hands"),
        more=True,
    )


def _played(option: Option, game: type[Table]) -> Schema:
    shapes = [option.shape]
    if option.under:
        shapes += [shape for shape, _ in option.under[1].values()]
    values = [from_shape(shape, game.pack) for shape in shapes]
    value = values[0] if len(values) == 1 else {"anyOf": values}
    listed = listing(value, 1, unique=True)
    about = f'A list of values of {option.name}, or "any".'
    return said(about, {"anyOf": [constant("any"), listed]})
