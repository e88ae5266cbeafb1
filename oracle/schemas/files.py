"""The schemas of the published files: vector files, and the index over them."""

from oracle.games.table import Table
from oracle.schemas.pieces import (
    LINE,
    NAME,
    RULE,
    VERSION,
    WORDS,
    Defs,
    Schema,
    among,
    constant,
    listing,
    mapping,
    record,
    ref,
    said,
    string,
    when,
    whole,
)
from oracle.schemas.request import ABOUT_GAME, Games, request, request_defs
from oracle.schemas.response import Responses, error
from oracle.wire import FIELDS

#: What stands for the op of a request that is wrong on purpose.
ERROR = "error"
#: Absent in a folder of one's own, which has no schemas beside it.
SCHEMA = "$schema"


def op() -> Schema:
    """The op of a case."""
    return said(
        f'The op of its request; "{ERROR}" where the request is wrong on purpose.',
        among([*FIELDS, ERROR]),
    )


def case_id(games: Games) -> Schema:
    """The id of a case."""
    pattern = f"(?:{'|'.join(games)})/{WORDS}/{WORDS}"
    return string("game/topic/name in small letters with hyphens", pattern)


def clauses() -> Schema:
    """The clauses that a case is about."""
    return said(
        "The clauses and rulings that it is about, at least one, the most specific first.",
        listing(RULE, 1, unique=True),
    )


def head(name: str) -> dict[str, Schema]:
    """The fields with which every published file begins."""
    path = string(f"the relative path of {name}", rf"(?:\.\./)+schemas/{name.replace('.', '[.]')}")
    return {
        SCHEMA: said("Where the schema of this file lies, seen from it, if it is there.", path),
        "format": said("How this file is to be read.", constant(1)),
        "suite": said("The version of the suite to which this file belongs.", VERSION),
    }


# Vector files.


def vector_file(games: Games) -> Schema:
    """A vector file; needs ``vector_file_defs``."""
    notes = mapping(
        "What mistake each flag is there to catch.",
        NAME,
        said("The mistake, and what it does to a player.", LINE),
    )
    fields = {
        **head("vector-file.schema.json"),
        "game": said(ABOUT_GAME, among(games)),
        "topic": said("The topic: the second part of every id in this file.", NAME),
        "about": said("What the topic is about.", LINE),
        "notes": notes,
        "cases": said("The cases, each on a line of the file.", listing(ref("case"), 1)),
    }
    return record("Conformance cases of one topic of one game.", fields, optional=[SCHEMA])


def vector_file_defs(games: Games) -> Defs:
    """Cases, and the requests and responses of which they consist."""
    defs: Defs = {"case": _case(games), "error-response": error(), "request": request(games)}
    defs |= _sources() | request_defs(games)
    for game in games.values():
        defs |= Responses([game]).defs() | Responses([game], partial=True).defs()
    return defs


def _sources() -> Defs:
    generated = {
        "kind": said("Derived by the reference engine.", constant("generated")),
        "by": said("What wrote the request.", LINE),
        "seed": said("The seed from which it was written.", string("a seed")),
    }
    kind = said(
        "A person can verify it from the rulebook alone; its expected values were written "
        "before an engine ran on it.",
        constant("hand-worked"),
    )
    return {
        "hand-worked": record("A case worked by hand.", {"kind": kind}),
        "generated": record("A case derived by the reference engine.", generated),
    }


def _case(games: Games) -> Schema:
    partial = (
        "The response states only what the case is about; what is absent is not compared. "
        "Only in a hand-worked case."
    )
    fields = {
        "id": said("What the case is called; never reused or renumbered.", case_id(games)),
        "title": said("What the case shows, in one sentence.", LINE),
        "clauses": clauses(),
        "flags": said(
            "The mistakes that the case is there to catch; each is explained in notes.",
            listing(NAME, unique=True),
        ),
        "since": said("The version of the suite in which it first stood.", VERSION),
        "source": said(
            "Where its expected values come from.",
            {"oneOf": [ref("hand-worked"), ref("generated")]},
        ),
        "partial": said(partial, constant(True)),
        "request": {"description": "What happened, and what is asked.", "type": "object"},
        "response": {"description": "What must hold.", "type": "object"},
    }
    schema = record("One conformance case.", fields, optional=("partial",))
    by_hand = {"type": "object", **when(kind="hand-worked")}
    schema["dependentSchemas"] = {"partial": {"properties": {"source": by_hand}}}
    schema["if"] = {
        "properties": {"response": {"type": "object", "required": ["error"]}},
        "required": ["response"],
    }
    # The request of such a case is wrong on purpose.
    schema["then"] = _only(response="error-response")
    schema["else"] = {
        **_only(request="request"),
        "allOf": [
            {"if": when(request={"op": op, "game": game.name}), "then": _whole_or_partial(game, op)}
            for game in games.values()
            for op in FIELDS
        ],
    }
    return schema


def _whole_or_partial(game: type[Table], op: str) -> Schema:
    return {
        "if": {"required": ["partial"]},
        "then": _only(response=Responses([game], partial=True).name(op)),
        "else": _only(response=Responses([game]).name(op)),
    }


def _only(**fields: str) -> Schema:
    return {"properties": {name: ref(definition) for name, definition in fields.items()}}


# The index.


def index(games: Games) -> Schema:
    """The index over the vector files."""
    hash_of = "SHA-256 of the case in canonical form (RFC 8785), in small hexadecimal digits."
    file = rf"(?:{'|'.join(games)})/(?:generated/)?{WORDS}[.]json"
    entry = {
        "file": said("Where it stands, seen from the index.", string("a vector file", file)),
        "op": op(),
        "clauses": clauses(),
        "sha256": said(hash_of, string("64 small hexadecimal digits", "[0-9a-f]{64}")),
    }
    retired = {
        "id": said("The id, which is not used again.", case_id(games)),
        "since": said("The version of the suite from which it is gone.", VERSION),
        "why": said("Why it is gone.", LINE),
    }
    fields = {
        **head("index.schema.json"),
        "cases": mapping("Every case by id.", case_id(games), record("One case.", entry)),
        "retired": said("The cases that are gone.", listing(record("A gone case.", retired))),
        "totals": record(
            "How many cases there are.",
            {name: _totals(game.title) for name, game in games.items()},
            optional=games,
        ),
    }
    about = "Every case of the suite by id, with the hash of its content."
    return record(about, fields, optional=[SCHEMA])


def _totals(title: str) -> Schema:
    count = whole()
    ops = {name: said(f"Those whose op is {name}.", count) for name in (*FIELDS, ERROR)}
    return record(
        f"The cases of {title}.",
        {
            "cases": said("All of them.", count),
            "ops": record("The same by op.", ops, optional=ops),
            "hand-worked": said("Those worked by hand.", count),
            "generated": said("Those derived by the reference engine.", count),
        },
    )
