"""JSON as the oracle reads and writes it: stricter than the standard library.

Integers only, none beyond 2^53 - 1; no duplicate keys, no NaN, no byte order mark. A schema
can't see these things, so the reader refuses them.
"""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from oracle.games.shapes import INTEGER_LIMIT


class NotJson(ValueError):
    """Text that is not JSON in the oracle's sense; the message says where and why, in one line."""


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key, count in times.items() if count > 1)
        raise NotJson(f"the key {json.dumps(twice)} comes twice in one object")
    return read


def _whole(digits: str) -> int:
    # Length first: int() takes long over thousands of digits, and refuses past 4300.
    if len(digits) <= 17 and abs(value := int(digits)) <= INTEGER_LIMIT:
        return value
    raise NotJson(f"the number {shorten(digits)} is beyond 2^53 - 1")


def _not_whole(digits: str) -> Any:
    raise NotJson(f"{shorten(digits)} is not an integer")


_READER = json.JSONDecoder(
    object_pairs_hook=_no_duplicates,
    parse_int=_whole,
    parse_float=_not_whole,
    parse_constant=_not_whole,
)
_WRITER = json.JSONEncoder(ensure_ascii=False)


def loads(data: bytes | str) -> Any:
    """The value of a JSON text (bytes are UTF-8); raises NotJson."""
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8 at byte {error.start}") from None
    if text.startswith("\ufeff"):
        raise NotJson("it starts with a byte order mark")
    try:
        return _READER.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        what = error.msg.removesuffix(" at")
        raise NotJson(f"not JSON: {what[0].lower()}{what[1:]} at {where}") from None
    except RecursionError:
        raise NotJson("nested too deeply") from None


def dumps(value: Any) -> str:
    """A value on one line, as the oracle's files and pipes hold it."""
    return _WRITER.encode(value)


def shorten(text: str, most: int = 60) -> str:
    """A text that fits into a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def quote(value: Any) -> str:
    """A value as it can be shown in a message on one line, whatever is in it."""
    try:
        return shorten(json.dumps(value))
    except (RecursionError, TypeError, ValueError):
        # Nested almost too deeply to be read at all, or no value of JSON.
        return "a value that can't be shown"


def pointer(place: Iterable[str | int]) -> str:
    """The JSON pointer (RFC 6901) to a place; "/" alone would be a key, so the root is ""."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in place)
