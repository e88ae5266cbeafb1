"""Which cases a run asks, under house rules too.

House rules come from the command line (``--rules``), and then nothing is asked but these games
under these rules. Or they come from the engine itself: a game of which it never plays some
option canonically is held to what it does play. Either way a game with house rules is asked

- the published cases that are played under exactly these rules,
- the published canonical cases, worked out anew under them, unless the rules exclude the case
  or its actions lose their way under them (see ``_goes_astray``),
- hands and matches freshly played under them, at random and by the players of the game.

Where the engine itself sets the rules, published cases under other rules are asked too if it
claims to play them. They alone would not be enough even where there are some: a set about one
option tries little beside that option.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from oracle.conformance.claims import Claims
from oracle.games import GAMES
from oracle.games.refusals import CARD, PHASE, TURN
from oracle.generate.recipes import Recipe, make
from oracle.players import LINE_UPS, PLAYERS
from oracle.replay import replay
from oracle.rulebook import entries
from oracle.vectors.cases import Case
from oracle.vectors.numbered import Wants
from oracle.wire import WrongRequest, read_request, write_rules

Json = dict[str, Any]

#: How much is freshly played for a run under house rules.
FRESH_HANDS = 150
FRESH_LINE_UPS = 50
FRESH_MATCHES = 5

PUBLISHED = "published"
DERIVED = "worked out anew"
FRESH = "freshly played"

#: Why a case that goes astray is not asked.
ASTRAY = "play doesn't get as far under the house rules"

#: The source of a case that was worked out anew, and the sets that are freshly played.
_DERIVED_BY = "house-rules"
#: Published cases are numbered below, and a game's fresh ones from a multiple of it.
_FRESH_NUMBERS = 1_000_000
_FRESH_SETS = (
    "house-hands",
    "house-late-hands",
    "house-matches",
    "house-players",
    "house-line-ups",
)

#: Refusals that say nothing of a rule: the hand is not where the action belongs.
_OUT_OF_PLACE = (TURN, PHASE, CARD)
#: So many actions of a case may be out of place by the rules and still show what they change.
_MOST_OUT_OF_PLACE = 3


def chosen_cases(
    published: Iterable[tuple[int, Case]],
    house: Mapping[str, Json],
    wants: Wants,
    others: bool,
    left_out: Callable[[str], None] = lambda case_id: None,
    claims: Claims | None = None,
    told: Callable[[int], None] = lambda played: None,
    astray: Callable[[str], None] = lambda case_id: None,
    fresh: bool = True,
) -> Iterator[tuple[int, Case]]:
    """The cases of a run in a fixed order, each with its number.

    ``house`` holds rules in canonical form by game, ``wants`` chooses by id and clauses, and
    ``others`` says whether games and cases beside the house rules are asked as well;
    ``left_out`` hears of every published case that is not. A case has its number from the suite
    and the house rules, and keeps it whatever is wanted beside it.

    What ``claims`` rule out costs no work: a published case is then given with the response
    that it had, and nothing is played for an engine that only scores. ``told`` hears how many
    hands or matches have been played, and ``astray`` of the cases left out because they don't
    get as far under the house rules; without ``fresh`` nothing is played.
    """
    for number, case in published:
        found = None
        if wants(case.id, case.clauses):
            found = as_asked(case, house, claims, others, astray)
        if found:
            yield number, found
        else:
            left_out(case.id)
    for game, rules in house.items() if fresh else ():
        number = _FRESH_NUMBERS * (1 + list(GAMES).index(game))
        for recipe in _fresh_sets(game, rules):
            if _may_hold(recipe, wants) and _is_asked(game, claims):
                for place, case in enumerate(make(recipe, told).cases, 1):
                    if wants(case.id, case.clauses):
                        yield number + place, replace(case, title=_short(case.title))
            number += recipe.count


def _is_asked(game: str, claims: Claims | None) -> bool:
    """Whether an engine may be asked to replay hands of a game."""
    claim = claims and claims.games.get(game)
    return claims is None or bool(claim and "replay" in claim.ops)


def _short(title: str) -> str:
    """The title of a fresh case: the rules, which all of them share, stand elsewhere."""
    return f"{title.partition(' with ')[0]} under house rules"


def as_asked(
    case: Case,
    house: Mapping[str, Json],
    claims: Claims | None = None,
    others: bool = True,
    astray: Callable[[str], None] = lambda case_id: None,
) -> Case | None:
    """A published case as it is asked under house rules: as it is, worked out anew, or not at
    all (None). The arguments are those of ``chosen_cases``."""
    if case.game in house and case.op != "error":
        rules = house[case.game]
        own = case_rules(case)
        if own == rules:
            return case
        if own == {}:
            return _worked_out_anew(case, rules, claims, astray)
    return case if others else None


def case_rules(case: Case) -> Json:
    """The rules of a case in canonical form."""
    return write_rules(read_request(case.request).rules)


def kind_of(case: Case) -> str:
    """Whether a case was PUBLISHED, DERIVED or FRESH."""
    by = case.source.get("by", "")
    if by.partition("/")[0] == _DERIVED_BY:
        return DERIVED
    return FRESH if by.partition("/")[2] in _FRESH_SETS else PUBLISHED


def _worked_out_anew(
    case: Case, rules: Json, claims: Claims | None, astray: Callable[[str], None]
) -> Case | None:
    request = {**case.request, "rules": rules}
    try:
        read_request(request)
    except WrongRequest:
        # A start or tally that these rules exclude: it can't be asked under them.
        return None
    # A hand that a recipe played is still about no clause.
    by = "/".join([_DERIVED_BY, *filter(None, [case.source.get("by")])])
    derived = replace(
        case,
        source={"kind": "generated", "by": by, "seed": case.id},
        request=request,
        partial=False,
    )
    claim = claims and claims.games.get(case.game)
    if claims and (not claim or claim.why_not_asked(GAMES[case.game], case.op, request)):
        return derived
    # Under other rules a count by brute force may take for ever.
    if case.op == "perft" or (response := _in_place(case, request)) is None:
        astray(case.id)
        return None
    return replace(derived, response=response)


def _in_place(case: Case, request: Json) -> Json | None:
    """The response to the request of a case under house rules; None if the case goes astray."""
    response = replay(request)
    if "actions" not in request:
        return response
    if case.op == "replay":
        states = response["states"]
        canonical = case.response if not case.partial else replay(case.request)
    else:
        states = _played(request)["states"]
        canonical = _played(case.request)
    return None if _goes_astray(canonical["states"], states) else response


def _played(request: Json) -> Json:
    """The response to a request that asks about a hand, had it asked to replay it."""
    fields = ("game", "rules", "start", "deals", "actions")
    return replay({"op": "replay", **{name: request[name] for name in fields if name in request}})


def _goes_astray(canonical: Sequence[Json], house: Sequence[Json]) -> bool:
    """Whether a case misses its point under house rules, given the states under either.

    An action has lost its place if it is refused for turn, phase or hand, and under canonical
    rules it was accepted or refused by a rule: a bid that is too low now, and all that was built
    upon it. A few such actions may be just what the rules change; with more of them the case
    asks little beside the same refusal over and over. What is ``OVER`` has been played before.
    """
    out_of_place = sum(
        after.get("clause") in _OUT_OF_PLACE and before.get("clause") not in _OUT_OF_PLACE
        for before, after in zip(canonical, house, strict=True)
    )
    return out_of_place > _MOST_OUT_OF_PLACE


def _fresh_sets(game: str, rules: Json) -> list[Recipe]:
    if not rules:
        # The published sets are played under canonical rules already.
        return []
    hands, late, matches, players, line_ups = _FRESH_SETS
    return [
        Recipe(game, hands, "Hands under house rules.", FRESH_HANDS, rules),
        Recipe(game, late, "Late hands under house rules.", FRESH_HANDS, rules, late=True),
        # Bids must mostly be made for a match to go on and come to an end.
        Recipe(
            game,
            matches,
            "Matches under house rules.",
            FRESH_MATCHES,
            rules,
            players=("modest",),
            hands=None,
        ),
        # At random most contracts are as high as can be, and fail.
        Recipe(
            game,
            players,
            "Hands of players under house rules.",
            FRESH_HANDS,
            rules,
            players=tuple(PLAYERS[game]),
        ),
        Recipe(
            game,
            line_ups,
            "Hands of line-ups under house rules.",
            FRESH_LINE_UPS,
            rules,
            line_ups=LINE_UPS[game],
        ),
    ]


def may_be_fresh(pattern: str) -> bool:
    """Whether an id, or a pattern of ids, is of a set that is freshly played: in no file."""
    _, _, rest = pattern.partition("/")
    return rest.partition("/")[0] in _FRESH_SETS


def _may_hold(recipe: Recipe, wants: Wants) -> bool:
    """Whether any case of a set may be wanted, before it has been made."""
    clauses = tuple(entries(recipe.game))
    return any(wants(f"{recipe.by}/{place:04}", clauses) for place in range(1, recipe.count + 1))
