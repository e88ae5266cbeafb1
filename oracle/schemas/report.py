"""The schema of the report that a run of the conformance suite writes."""

from oracle.schemas.files import case_id, clauses, op
from oracle.schemas.pieces import (
    REFUSAL,
    RULE,
    VERSION,
    Schema,
    among,
    constant,
    listing,
    mapping,
    record,
    ref,
    said,
    string,
    whole,
)
from oracle.schemas.protocol import engine
from oracle.schemas.request import ABOUT_GAME, Games

#: What a case may come to, with what that means.
VERDICTS = {
    "pass": "The engine's answer is as expected.",
    "fail": "The engine's answer is wrong.",
    "crash": "The engine ended before it answered.",
    "timeout": "The engine took too long.",
    "protocol-error": "The answer is not of the form that the protocol asks for.",
    "engine-error": "The engine says that it failed itself.",
    "unsupported": "The engine doesn't claim what the case needs.",
    "expected-failure": "A failure that the user had announced.",
    "unexpected-pass": "A pass where the user had announced a failure.",
    "not-run": "The run ended before this case.",
}
EXITS = (0, 1, 2, 3, 4, 5, 130)


def report_schema(games: Games) -> Schema:
    """What a run says of an engine, for a machine to read; needs the rules of the games."""
    verdicts = {name: said(about, whole()) for name, about in VERDICTS.items()}
    tally = {
        "pass": said("The cases about it that passed.", whole()),
        "fail": said("The cases about it that did not.", whole()),
    }
    played = {
        name: said(f"The options of {game.title} that were asked for.", ref(f"{name}-rules"))
        for name, game in games.items()
    }
    fields = {
        "$schema": said("The id of the schema of this report.", string("an id")),
        "format": said("How this report is to be read.", constant(1)),
        "oracle": said("The version of the oracle that ran.", string("a version")),
        "suite": said("The version of the suite that it ran.", VERSION),
        "date": said("When the run began.", string("a date")),
        "engine": said(
            "What the engine said of itself; null if it never did.",
            {"anyOf": [engine(), {"type": "null"}]},
        ),
        "command": said("The command that started the engine.", listing({"type": "string"})),
        "rules": record("The options of each game that were asked for.", played, optional=games),
        "totals": record("How many cases came to each verdict.", verdicts),
        "clauses": mapping(
            "How the cases about each clause went.",
            RULE,
            record("How the cases about this clause went.", tally),
        ),
        "not_checked": said(
            "What was not checked because the engine doesn't claim it.",
            listing(
                record(
                    "One reason, and how many cases it left out.",
                    {
                        "why": said("The reason.", {"type": "string"}),
                        "cases": said("How many cases.", whole()),
                    },
                )
            ),
        ),
        "faults": said(
            "What went wrong beside the verdicts on cases, a line each.",
            listing({"type": "string"}),
        ),
        "unknown_fields": said("How many unknown fields its answers held.", whole()),
        "seconds": said("How long the run took, in whole seconds.", whole()),
        "exit": said("The exit status of the run.", among(EXITS)),
        "cases": said("The cases, in the order in which they ran.", listing(_case(games))),
    }
    return record("What a run of the suite found about an engine.", fields)


def _case(games: Games) -> Schema:
    difference = {
        "pointer": said("Where, as a JSON pointer into the response.", string("a JSON pointer")),
        "expected": {"description": "What had to be there; absent where nothing had to."},
        "actual": {"description": "What was there; absent where there was nothing."},
        "clause": said("The clause by which the engine should have refused here.", REFUSAL),
    }
    fields = {
        "id": said("The id of the case.", case_id(games)),
        "game": said(ABOUT_GAME, among(games)),
        "op": op(),
        "clauses": clauses(),
        "verdict": said("What it came to.", among(VERDICTS)),
        "milliseconds": said("How long the engine took.", whole()),
        "differences": said(
            "Where the answer differs from what was expected.",
            listing(record("A difference.", difference, optional=("expected", "actual", "clause"))),
        ),
        "message": said("What is to be said of it.", string("a text")),
        "stderr": said("The last of what the engine wrote to stderr.", string("a text")),
    }
    return record("One case.", fields, optional=("differences", "message", "stderr"))
