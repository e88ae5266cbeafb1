"""The schema of a request: for each game and op what the reader of requests accepts."""

from collections.abc import Mapping
from typing import Any

from oracle.games.shapes import Whole, options_of, parts_of
from oracle.games.table import Table
from oracle.schemas.pieces import (
    Defs,
    Schema,
    among,
    constant,
    from_option,
    from_part,
    from_shape,
    listing,
    record,
    ref,
    said,
    when,
)
from oracle.wire import FIELDS, optional_fields

Games = Mapping[str, type[Table]]

ABOUT_OP = "What is asked."
ABOUT_GAME = "The game that is played."
#: What the other fields say.
ABOUT: Mapping[str, str] = {
    "rules": "The options that differ from canonical.",
    "start": "Where the match stands before the first deal; what is absent is at its beginning.",
    "deals": "The cards of one hand after another. They may run out before the match is over.",
    "actions": "What is done at the table, in order: a seat (or chance), a verb and its arguments. "
    "Any string may stand here; what is no action is refused.",
    "seat": "The seat whose view is asked for.",
    "depth": "How many actions deep to count.",
    "tally": "What a hand came to, to be scored.",
    "seed": "Any string; the shuffle follows from it.",
}
_PARTS: Mapping[str, str] = {
    "start": "Where the match stands before the first deal.",
    "deal": "The cards of one hand: every card of the pack once.",
    "tally": "What a hand came to.",
}


def request(games: Games) -> Schema:
    """Any request; needs ``request_defs``."""
    return {
        "description": "What happened at a table, and what is asked about it.",
        "type": "object",
        "properties": {
            "op": said(ABOUT_OP, among(FIELDS)),
            "game": said(ABOUT_GAME, among(games)),
            **{name: {"description": about} for name, about in ABOUT.items()},
        },
        "required": ["op", "game"],
        "allOf": [
            {"if": when(op=op, game=name), "then": ref(f"{name}-{op}-request")}
            for name in games
            for op in FIELDS
        ],
        "additionalProperties": False,
    }


def request_defs(games: Games) -> Defs:
    """The requests of every op of every game, and what they consist of."""
    defs: Defs = {}
    for game in games.values():
        defs |= _game_defs(game)
    return defs


def _game_defs(game: type[Table]) -> Defs:
    defs = {f"{game.name}-rules": rules(game)}
    for part, about in _PARTS.items():
        defs[f"{game.name}-{part}"] = _part(game, getattr(game.parts, part), about)
    for op, names in FIELDS.items():
        fields = {
            "op": said(ABOUT_OP, constant(op)),
            "game": said(ABOUT_GAME, constant(game.name)),
            **{name: said(ABOUT[name], _field(game, name)) for name in names},
        }
        about = f"The op {op} in {game.title}."
        defs[f"{game.name}-{op}-request"] = record(about, fields, optional_fields(op))
    return defs


def rules(game: type[Table]) -> Schema:
    """The options of a game, none of which need be given."""
    fields: dict[str, Schema] = {}
    conditions: list[Schema] = []
    for option in options_of(game.parts.rules):
        fields[option.name], beside = from_option(option, game.pack)
        conditions += beside
    about = f"The options of {game.title} that differ from canonical."
    schema = record(about, fields, optional=fields)
    return schema | ({"allOf": conditions} if conditions else {})


def _part(game: type[Table], kind: type[Any], about: str) -> Schema:
    parts = parts_of(kind)
    fields = {each.name: from_part(each, kind, game.pack) for each in parts}
    optional = [each.name for each in parts if not each.required]
    return record(f"{about} ({game.title})", fields, optional)


def _field(game: type[Table], name: str) -> Schema:
    if name == "deals":
        return listing(ref(f"{game.name}-deal"))
    if name == "actions":
        return listing({"type": "string"})
    if name == "seat":
        return from_shape(Whole(0, game.seats - 1), game.pack)
    if name == "depth":
        return from_shape(Whole(0), game.pack)
    if name == "seed":
        return {"type": "string"}
    return ref(f"{game.name}-{name}")
