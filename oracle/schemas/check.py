"""Values held against the schemas, and what is wrong with them in words for a person."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import jsonschema_rs

from oracle.schemas.pieces import Schema
from oracle.schemas.published import build, file_name
from oracle.strict_json import quote
from oracle.wire import place_text

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

#: A ValidationError; its type allows for errors that are not filled in yet.
Error: TypeAlias = Any

_built = cache(build)


@cache
def _fast(name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(_built()[file_name(name)])


@cache
def _telling(name: str) -> "Draft202012Validator":
    # Imported only to tell what is wrong: it takes a while, and mostly nothing is.
    from jsonschema import Draft202012Validator

    return Draft202012Validator(_built()[file_name(name)])


def problems(schema_name: str, value: Any) -> list[str]:
    """What is wrong with a value by a schema (``request``, ``vector-file``, …), a line each.

    Each line begins with the JSON pointer to the place. No lines: the value fits.
    """
    try:
        if _fast(schema_name).is_valid(value):
            return []
    except ValueError:
        # A lone surrogate, or nested too deeply for it; the other validator can tell.
        pass
    teller = _Teller(schema_name)
    found: dict[tuple[str, str], str] = {}
    for error in teller.errors(value):
        for place, what in teller.told(error):
            # Of two lists of the fields that may be there the first is the closer one.
            kind, _, _ = what.partition(";")
            found.setdefault((place, kind), f"{place}: {what}")
    return list(found.values())


class _Teller:
    """Turns the errors of a validator into lines."""

    def __init__(self, schema_name: str) -> None:
        self.name = schema_name.replace("-", " ")
        self.validator = _telling(schema_name)
        self.defs: dict[str, Schema] = _built()[file_name(schema_name)].get("$defs", {})

    def errors(self, value: Any) -> list[Error]:
        """The errors, those nearest to the root first: they may be what brought the others about."""
        found = self.validator.iter_errors(value)
        return sorted(found, key=lambda error: len(error.absolute_path))

    def told(self, error: Error) -> Iterator[tuple[str, str]]:
        """Place and fault; of several alternatives, what keeps the likeliest from fitting."""
        likeliest = _likeliest(error.context)
        if any(map(_is_closer, likeliest)):
            for inner in likeliest:
                yield from self.told(inner)
            return
        place = list(error.absolute_path)
        match error.validator:
            case "required":
                for name in error.validator_value:
                    if name not in error.instance:
                        yield self.place(place), f"the field {quote(name)} is missing"
            case "additionalProperties":
                known = error.schema["properties"]
                for name in error.instance:
                    if name not in known:
                        unknown = f"unknown field; there may be {', '.join(known)}"
                        yield self.place([*place, name]), unknown
            case "uniqueItems":
                yield self.place(place), f"an entry comes twice in {quote(error.instance)}"
            case _:
                expected = f"expected {self.words(error.schema)}, found {quote(error.instance)}"
                yield self.place(place), expected

    def place(self, path: Sequence[str | int]) -> str:
        """A place as a line names it."""
        return place_text(path, f"the {self.name}")

    def words(self, schema: Schema) -> str:
        """What a schema expects."""
        match schema:
            case {"$ref": str(target)}:
                return self.words(self.defs[target.rpartition("/")[2]])
            case {"title": str(title), "type": "string" | "integer"}:
                return title
            case {"const": value}:
                return quote(value)
            case {"enum": values}:
                return f"one of {', '.join(map(quote, values))}"
            case {"anyOf": kinds} | {"oneOf": kinds}:
                return ", or ".join(dict.fromkeys(map(self.words, kinds)))
            case {"type": "integer", "minimum": least, "maximum": most}:
                return f"an integer from {least} to {most}"
            case {"type": "integer", "minimum": least}:
                return f"an integer of at least {least}"
            case {"type": "array", "items": items}:
                return f"a list{_size(schema)}, each {self.words(items)}"
        return _NAMES[schema["type"]]


_NAMES = {"object": "an object", "string": "a string", "null": "null"}


def _size(schema: Schema) -> str:
    least, most = schema.get("minItems"), schema.get("maxItems")
    if most is not None:
        return f" of {most}"
    return f" of at least {least}" if least else ""


def _is_closer(error: Error) -> bool:
    """Whether the error of an alternative says more than that none of them fits."""
    names_a_field = error.validator in ("required", "additionalProperties")
    return bool(names_a_field or error.relative_path or error.context)


def _likeliest(errors: Iterable[Error]) -> list[Error]:
    """The errors of the alternative that the value comes nearest to; none if there are none."""
    kinds: dict[Any, list[Error]] = defaultdict(list)
    for error in errors:
        kinds[error.relative_schema_path[0]].append(error)
    return min(kinds.values(), key=_distance, default=[])


def _distance(errors: list[Error]) -> int:
    return sum(map(_weight, errors))


def _weight(error: Error) -> int:
    """How much an error speaks against the alternative in which it is found."""
    match error.validator:
        case "const":
            return 100
        case "type" if not error.relative_path:
            return 100
        case "additionalProperties":
            return 3 * sum(name not in error.schema["properties"] for name in error.instance)
        case "required":
            return 2
    return _distance(_likeliest(error.context)) or 1
