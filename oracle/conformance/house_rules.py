"""The cases of a run under house rules: published ones that have them, canonical ones worked out
anew under them, and hands and matches freshly played under them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from oracle.generate.recipes import Recipe, make
from oracle.replay import replay
from oracle.vectors.cases import Case
from oracle.wire import WrongRequest, read_request, write_rules

Json = dict[str, Any]

#: How much is freshly played for a run under house rules.
FRESH_HANDS = 150
FRESH_MATCHES = 5

PUBLISHED = "published"
DERIVED = "worked out anew"
FRESH = "freshly played"


def house_cases(
    cases: Iterable[Case],
    game: str,
    rules: Json,
    wants: Callable[[str, Sequence[str]], bool] = lambda name, clauses: True,
) -> Iterator[Case]:
    """The cases of a game under these rules (canonical form), in a fixed order."""
    for case in cases:
        if case.game == game and case.op != "error":
            own = case_rules(case)
            if own == rules:
                yield case
            elif own == {}:
                yield from _worked_out_anew(case, rules)
    if rules:
        yield from (case for case in _fresh(game, rules) if wants(case.id, case.clauses))


def case_rules(case: Case) -> Json:
    """The rules of a case in canonical form."""
    return write_rules(read_request(case.request).rules)


def _worked_out_anew(case: Case, rules: Json) -> Iterator[Case]:
    request = {**case.request, "rules": rules}
    try:
        read_request(request)
    except WrongRequest:
        # A start or tally that these rules exclude: it can't be asked under them.
        return
    yield replace(
        case,
        source={"kind": "generated", "by": "house-rules", "seed": case.id},
        request=request,
        response=replay(request),
        partial=False,
    )


def _fresh(game: str, rules: Json) -> Iterator[Case]:
    hands = Recipe(game, "house-hands", "Hands under house rules.", FRESH_HANDS, rules)
    late = Recipe(
        game, "house-late-hands", "Late hands under house rules.", FRESH_HANDS, rules, late=True
    )
    matches = Recipe(
        game, "house-matches", "Matches under house rules.", FRESH_MATCHES, rules, hands=None
    )
    for recipe in (hands, late, matches):
        yield from make(recipe).cases
