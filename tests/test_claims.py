"""What an engine claims: what of it counts, and what is remarked on."""

from typing import Any

import pytest

from oracle.conformance.claims import full_claims, read_claims
from oracle.games import GAMES

Json = dict[str, Any]

SPADES: Json = {"ops": ["score"], "reports": ["hand"]}


def hello(games: Json, **more: Any) -> Json:
    engine = {"name": "an engine", "version": "1", "language": "C", "url": "somewhere"}
    return {"protocol": 1, "engine": engine, "games": games, **more}


@pytest.mark.parametrize(
    ("answer", "remark"),
    [
        (hello({"spade": SPADES}), "/games/spade: ignored, there is no such game; did you mean spades?"),
        (hello({"cribbage": SPADES}), "/games/cribbage: ignored, there is no such game"),
        (
            hello({"spades": {**SPADES, "option": {"target": "any"}}}),
            "/games/spades/option: ignored, there is no such field; did you mean options?",
        ),
        (
            hello({"spades": {**SPADES, "starts": ["bags"]}}),
            "/games/spades/starts: ignored, there is no such field; did you mean start?",
        ),
        (
            hello({"spades": {**SPADES, "options": {"failed_nil_trick": ["no_points"]}}}),
            "/games/spades/options/failed_nil_trick: ignored, there is no such option of spades; "
            "did you mean failed_nil_tricks?",
        ),
        (hello({}, game={}), "/game: ignored, there is no such field; did you mean games?"),
        (hello({"a\nb": {}}), '"/games/a\\nb": ignored, there is no such game'),
    ],
)  # fmt: skip
def test_a_name_that_nobody_knows_is_ignored_and_remarked_on(answer: Json, remark: str) -> None:
    assert read_claims(answer).remarks == (remark,)


def test_a_claim_of_everything_gets_no_remark() -> None:
    assert read_claims(hello(full_claims(GAMES))).remarks == ()


def test_house_rules_are_those_options_that_are_never_played_canonically() -> None:
    options = {"failed_nil_tricks": ["bags_and_points"], "target": [300, 500]}
    claims = read_claims(hello({"spades": {**SPADES, "options": options}, "hearts": SPADES}))
    assert claims.house_rules() == {"spades": {"failed_nil_tricks": "bags_and_points"}}
    assert claims.house_rules(["spades", "belote"]) == claims.house_rules()
    assert claims.house_rules(["hearts"]) == {}
