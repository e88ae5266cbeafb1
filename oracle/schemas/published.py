"""The published schemas, file by file."""

import json
from pathlib import Path

from oracle.files import write_whole
from oracle.games import GAMES
from oracle.schemas.files import index, vector_file, vector_file_defs
from oracle.schemas.pieces import Schema, document
from oracle.schemas.protocol import hello
from oracle.schemas.report import report_schema
from oracle.schemas.request import Games, request, request_defs, rules
from oracle.schemas.response import Responses, error, response


def file_name(name: str) -> str:
    """The file in which a schema is published: ``vector-file`` is in vector-file.schema.json."""
    return f"{name}.schema.json"


def build(games: Games = GAMES) -> dict[str, Schema]:
    """Every schema by file name; each stands on its own."""
    asked = request_defs(games)
    answered = Responses(list(games.values())).defs() | {"error-response": error()}
    deals = {f"{name}-deal": asked[f"{name}-deal"] for name in games}
    options = {f"{name}-rules": rules(game) for name, game in games.items()}
    documents = {
        "request": document("request", "A request", request(games), asked),
        "response": document("response", "A response", response(games), deals | answered),
        "vector-file": document(
            "vector-file", "A vector file", vector_file(games), vector_file_defs(games)
        ),
        "index": document("index", "The index of the vectors", index(games), {}),
        "hello": document("hello", "An engine's answer to hello", hello(games), {}),
        "report": document("report", "The report of a run", report_schema(games), options),
    }
    return {file_name(name): schema for name, schema in documents.items()}


def write(folder: Path, games: Games = GAMES) -> None:
    """Write every schema into a folder; raises Unreadable."""
    for name, schema in build(games).items():
        write_whole(folder / name, json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
