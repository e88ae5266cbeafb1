"""The reference engine as an engine: the other end of the protocol."""

from typing import IO, Any

from oracle import __version__, strict_json
from oracle.conformance.claims import PROTOCOL, full_claims
from oracle.games import GAMES
from oracle.replay import replay

Json = dict[str, Any]


def hello() -> Json:
    """What the reference answers to ``hello``."""
    return {
        "protocol": PROTOCOL,
        "engine": {"name": "trick-oracle", "version": __version__, "language": "Python"},
        "games": full_claims(GAMES),
    }


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Answer messages, a JSON object a line, until ``bye`` or the end of input."""
    for line in source:
        answer = _answer(line)
        if answer is None:
            return
        sink.write(strict_json.dumps(answer).encode("utf-8", "backslashreplace") + b"\n")
        sink.flush()


def _answer(line: bytes) -> Json | None:
    try:
        message = strict_json.loads(line)
    except strict_json.NotJson as error:
        return {"error": str(error)}
    if not isinstance(message, dict):
        return {"error": "expected a JSON object"}
    match message.get("do"):
        case "hello":
            return hello()
        case "bye":
            return None
    seq = {"seq": message.pop("seq")} if "seq" in message else {}
    return {**replay(message), **seq}
