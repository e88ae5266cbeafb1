"""The pieces of which every schema is made: objects, maps, lists, and what a shape looks like."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from oracle.cards import Cards, codes
from oracle.games.actions import CHANCE, Arguments, Notation, OneCard, SomeCards, Words
from oracle.games.refusals import GENERAL
from oracle.games.shapes import (
    CardRow,
    CardSet,
    Either,
    OneOf,
    Option,
    Part,
    Several,
    Shape,
    Text,
    Whole,
)
from oracle.strict_json import dumps
from oracle.wire import write_shape

Schema: TypeAlias = dict[str, Any]
#: What ``$defs`` holds: schemas by name.
Defs: TypeAlias = dict[str, Schema]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NUMBER = "(?:0|[1-9][0-9]*)"


def document(name: str, title: str, root: Schema, defs: Defs) -> Schema:
    """A schema file of its own."""
    head = {"$schema": DIALECT, "$id": f"urn:trick-oracle:schema:{name}:1", "title": title}
    return {**head, **root, "$defs": defs} if defs else {**head, **root}


def ref(name: str) -> Schema:
    """A schema that stands in ``$defs``."""
    return {"$ref": f"#/$defs/{name}"}


def said(about: str, schema: Schema) -> Schema:
    """A schema with what is to be said of it in this place."""
    return {"description": about, **{key: schema[key] for key in schema if key != "description"}}


def record(
    about: str, fields: Mapping[str, Schema], optional: Collection[str] = (), *, more: bool = False
) -> Schema:
    """An object with these fields, each with its description; ``more`` lets others pass."""
    schema = {"description": about, "type": "object", "properties": dict(fields)}
    if required := [name for name in fields if name not in optional]:
        schema["required"] = required
    return {**schema, "additionalProperties": more}


def mapping(about: str, names: Schema, values: Schema) -> Schema:
    """An object whose names are not fields but say something themselves."""
    return {
        "description": about,
        "type": "object",
        "propertyNames": names,
        "additionalProperties": values,
    }


def listing(items: Schema, least: int = 0, *, unique: bool = False) -> Schema:
    """A list of things of one kind."""
    schema: Schema = {"type": "array", "items": items}
    if least:
        schema["minItems"] = least
    if unique:
        schema["uniqueItems"] = True
    return schema


def string(title: str, pattern: str = "") -> Schema:
    """A string that a pattern fits whole, or any; the title says what is expected."""
    schema: Schema = {"title": title, "type": "string"}
    if pattern:
        # Python's $ lets a last line feed pass, and not every language can look ahead.
        schema |= {"pattern": f"^(?:{pattern})$", "not": {"pattern": "\\n"}}
    return schema


def constant(value: Any) -> Schema:
    """One value and no other."""
    return {"const": value}


def among(values: Iterable[Any]) -> Schema:
    """One of these values."""
    return {"enum": list(values)}


def whole(least: int = 0, most: int | None = None) -> Schema:
    """An integer of at least least and, if there is an upper bound, at most most."""
    schema: Schema = {"type": "integer", "minimum": least}
    return schema if most is None else {**schema, "maximum": most}


def when(**fields: Any) -> Schema:
    """The condition that these fields are there with these values; dict for a field's own fields."""
    return {
        "properties": {
            name: {"type": "object", **when(**value)}
            if isinstance(value, dict)
            else {"const": value}
            for name, value in fields.items()
        },
        "required": list(fields),
    }


WORDS = "[a-z0-9]+(?:-[a-z0-9]+)*"
NAME = string("a name in small letters with hyphens, as in first-trick", WORDS)
LINE = string("a text on one line", r"[^\r\n]+")
RULE = string("the id of a clause or ruling", "[A-Z]+-R?[0-9]{2}")
REFUSAL = string(
    f"{', '.join(GENERAL)}, or the id of a clause or ruling",
    f"{'|'.join(GENERAL)}|[A-Z]+-R?[0-9]{{2}}",
)
VERSION = string("a version, as in 0.1.0", rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}")
COUNT = string("a count from 1 as a decimal string", "[1-9][0-9]*")


# Cards.


def card_pattern(pack: Cards) -> str:
    """The pattern of one card of a pack: suits that have the same ranks stand together."""
    ranks: dict[str, str] = {}
    for code in codes(pack):
        rank, suit = code[0], code[1]
        ranks[suit] = ranks.get(suit, "") + rank
    suits: dict[str, str] = {}
    for suit, its_ranks in ranks.items():
        suits[its_ranks] = suits.get(its_ranks, "") + suit
    both = [f"[{its_ranks}][{its_suits}]" for its_ranks, its_suits in suits.items()]
    return both[0] if len(both) == 1 else f"(?:{'|'.join(both)})"


def cards(pack: Cards, least: int, most: int | None = None) -> Schema:
    """So many cards of a pack; that none comes twice is for the reader to see."""
    card = card_pattern(pack)
    if most == least:
        title, times = f"{least} cards", f"{{{least - 1}}}"
    else:
        title = "at least one card" if least else "cards"
        times = "*" if most is None else f"{{0,{most - 1}}}"
    row = f"{card}(?: {card}){times}"
    return string(f"{title} with single spaces", row if least else f"(?:{row})?")


# Actions.


def _argument_pattern(arguments: Arguments, card: str, *, offered: bool) -> str:
    match arguments:
        case OneCard():
            return f" {card}"
        case SomeCards(least, most):
            times = f"{{{least}}}" if least == most else f"{{{least},{most}}}"
            spelt_out = f"(?: {card}){times}"
            bounds = r"\{[0-9]+(?:-[0-9]+)?\}"
            return f"(?:{spelt_out}| {bounds}(?: {card})+)" if offered else spelt_out
        case Words(parts):
            words = [_NUMBER if words is None else f"(?:{'|'.join(words)})" for words in parts]
            return "".join(f" {word}" for word in words)


def _verb_patterns(notation: Notation, seat: int, pack: Cards, *, offered: bool) -> list[str]:
    card = card_pattern(pack)
    verbs = notation.chance if seat == CHANCE else notation.verbs
    return [
        verb + _argument_pattern(arguments, card, offered=offered)
        for verb, arguments in verbs.items()
    ]


def actors(notation: Notation) -> dict[str, int]:
    """Whoever may act, as written: the seats, and chance in a game that has any."""
    return {
        written: seat
        for written, seat in notation.actors.items()
        if seat != CHANCE or notation.chance
    }


def offer(games: Sequence[Any], seat: int) -> Schema:
    """What ``legal`` may list for a seat, or for chance: an action without the seat, or a pattern."""
    patterns = [
        pattern
        for game in games
        if seat in game.notation.actors.values()
        for pattern in _verb_patterns(game.notation, seat, game.pack, offered=True)
    ]
    return string("an action without its seat, or a pattern", "|".join(dict.fromkeys(patterns)))


def action(games: Sequence[Any]) -> Schema:
    """A single action with its seat."""
    patterns: dict[str, None] = {}
    for game in games:
        seats: dict[str, str] = {}
        for written, seat in actors(game.notation).items():
            verbs = "|".join(_verb_patterns(game.notation, seat, game.pack, offered=False))
            seats[verbs] = f"{seats[verbs]}|{written}" if verbs in seats else written
        for verbs, who in seats.items():
            patterns[f"(?:{who}) (?:{verbs})"] = None
    return string("an action with its seat", "|".join(patterns))


# Shapes.


def from_shape(shape: Shape, pack: Cards) -> Schema:
    """What a value of this shape looks like in JSON."""
    match shape:
        case Whole(least, most):
            return whole(least, most)
        case OneOf(values):
            return among(values)
        case Either(first, second):
            return {"anyOf": [from_shape(first, pack), from_shape(second, pack)]}
        case Several(count, item):
            size = {"minItems": count or 1} | ({"maxItems": count} if count else {})
            return {"type": "array", "items": from_shape(item, pack), **size}
        case CardSet(size) | CardRow(size):
            return cards(pack, size, size)
        case Text(pattern):
            return string(f"a string that fits {pattern}", pattern)


def from_part(each: Part, kind: type[Any], pack: Cards) -> Schema:
    """A part of a start, deal or tally."""
    schema = said(each.about, from_shape(each.shape, pack))
    if not each.required:
        schema["default"] = write_shape(each.shape, getattr(kind, each.name))
    return schema


def from_option(option: Option, pack: Cards) -> tuple[Schema, list[Schema]]:
    """An option, and what holds of it only beside certain values of another."""
    usual = from_shape(option.shape, pack)
    canonical = write_shape(option.shape, option.canonical)
    about = f"{option.about} Canonical: {dumps(canonical)}."
    if not option.under:
        return said(f"{about} ({', '.join(option.rulings)})", usual) | {"default": canonical}, []
    other, cases = option.under
    rules: list[Schema] = []
    for value, (shape, beside) in cases.items():
        setting = f"{other} {dumps(value)}"
        about += f" Beside {setting}: {dumps(write_shape(shape, beside))}."
        special = said(f"{option.name} beside {setting}", from_shape(shape, pack))
        then = {"properties": {option.name: special}}
        rules.append({"if": when(**{other: value}), "then": then})
    any_case = {"properties": {other: among(cases)}, "required": [other]}
    otherwise = {"properties": {option.name: said(f"{option.name} otherwise", usual)}}
    rules.append({"if": any_case, "else": otherwise})
    return {"description": f"{about} ({', '.join(option.rulings)})"}, rules
