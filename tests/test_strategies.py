"""The strategies that people use for their own properties give requests that are right."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle import replay, schemas, strategies
from oracle.games import GAMES
from oracle.wire import WrongRequest, read_deal, read_rules

GAME = st.sampled_from(sorted(GAMES))
some = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@some
@given(GAME.flatmap(lambda game: strategies.games(game, with_rules=True, max_hands=2)))
def test_a_game_is_legal_from_first_to_last(request):
    response = replay(request)
    assert all(state["ok"] for state in response["states"][1:])
    assert schemas.problems("request", request) == []


@some
@given(st.data(), GAME)
def test_rules_are_in_canonical_form_and_can_be_fixed(data, game):
    chosen = data.draw(strategies.rules(game))
    read_rules(GAMES[game], chosen)
    fixed = data.draw(strategies.rules("hearts", queen_breaks_hearts=True))
    assert fixed["queen_breaks_hearts"] is True


@some
@given(st.data(), GAME)
def test_a_deal_is_a_whole_pack(data, game):
    read_deal(GAMES[game], data.draw(strategies.deals(game)))


@some
@given(strategies.games("bid-whist", rules={"min_bid": 3}), st.data())
def test_a_game_can_be_played_under_rules_that_are_given(request, data):
    assert request["rules"] == {"min_bid": 3}
    assert all(state["ok"] for state in replay(request)["states"][1:])
    more = data.draw(strategies.games("bid-whist", rules={"min_bid": 3}, with_rules=True))
    assert more["rules"]["min_bid"] == 3
    spelt_out = data.draw(strategies.games("hearts", rules={"target": 100}))
    assert spelt_out["rules"] == {}


@some
@given(st.data(), st.booleans())
def test_rules_that_a_game_does_not_have_are_refused(data, more):
    wrong = strategies.games("bid-whist", rules={"min_bidd": 3}, with_rules=more)
    with pytest.raises(WrongRequest, match="min_bidd"):
        data.draw(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_ends_its_hands(game):
    ended = []

    @settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategies.games(game, whole=True))
    def play(request):
        ended.append("hand" in replay(request)["states"][-1])

    play()
    assert all(ended)
