"""Sets of generated cases: what a set holds, and the cases that its seed gives.

The published sets of a game follow from what the game says of itself: hands and matches under
canonical rules, hands under each named profile, and hands under every other value of every
option, chosen so that their responses differ from the canonical ones.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from oracle import __version__
from oracle.games import GAMES
from oracle.games.shapes import OneOf, Option, Several, Whole, options_of
from oracle.generate.choosers import CHOOSERS
from oracle.generate.deals import SAMPLERS, late_start
from oracle.generate.features import Covered, features
from oracle.generate.parallel import in_order
from oracle.generate.play import play_out
from oracle.players import LINE_UPS, PLAYERS
from oracle.players.sight import Choose
from oracle.replay import replay
from oracle.rulebook import entries
from oracle.shuffle import Draws
from oracle.vectors.cases import Case, VectorFile
from oracle.wire import read_rules, write_parts, write_rules

Json = dict[str, Any]

#: A match that isn't over after so many hands is cut off there.
MOST_HANDS = 200


@dataclass(frozen=True)
class Recipe:
    """How a set of cases is made. A candidate follows from the recipe and its number alone."""

    game: str
    topic: str
    about: str
    count: int
    rules: Mapping[str, Any] = field(default_factory=dict)
    samplers: tuple[str, ...] = tuple(SAMPLERS)
    #: Each seat is given one of these choosers, or players of the game.
    players: tuple[str, ...] = ("random",)
    #: Instead, one of these line-ups, from any seat on.
    line_ups: tuple[tuple[str, ...], ...] = ()
    #: Hands a case; None for a whole match.
    hands: int | None = 1
    #: Start late in a match rather than at its beginning.
    late: bool = False
    #: One action in so many is tried in vain first (0: none).
    probes: int = 6
    #: Keep a candidate only if its response differs under these rules.
    unlike: Mapping[str, Any] | None = None
    #: "replay", or "view" for what a seat sees somewhere in the hand.
    op: str = "replay"
    #: Keep only candidates that show something new (see ``make_covered``).
    until_covered: bool = False
    #: What the cases are about if their responses cite nothing.
    clauses: tuple[str, ...] = ()
    seed: str = "1"

    @property
    def by(self) -> str:
        """The name under which a case's source gives this recipe."""
        return f"{self.game}/{self.topic}"


def candidate(recipe: Recipe, number: int | str) -> Json:
    """The request of one candidate: it depends on the recipe and the number alone."""
    game = GAMES[recipe.game]
    draws = Draws(f"{recipe.by}:{recipe.seed}:{number}")
    rules = read_rules(game, dict(recipe.rules))
    start = late_start(game, rules, draws) if recipe.late else game.parts.start()
    sample = SAMPLERS[_one_of(recipe.samplers, draws)]
    deals = [sample(game, draws) for _ in range(recipe.hands or MOST_HANDS)]
    table = game(rules, start, deals)
    players = [_chooser(recipe.game, name) for name in _seated(recipe, game.seats, draws)]
    actions = play_out(table, players, draws, len(deals), recipe.probes)
    if recipe.hands is None:
        deals = deals[: table.hands_played]
    request: Json = {"op": recipe.op, "game": recipe.game, "rules": write_rules(rules)}
    if written := write_parts(start):
        request["start"] = written
    request["deals"] = [write_parts(deal) for deal in deals]
    if recipe.op == "view":
        some = actions[: draws.below(len(actions) + 1)]
        return {**request, "actions": some, "seat": draws.below(game.seats)}
    return {**request, "actions": actions}


def _seated(recipe: Recipe, seats: int, draws: Draws) -> list[str]:
    """Who plays, seat by seat."""
    if not recipe.line_ups:
        return [_one_of(recipe.players, draws) for _ in range(seats)]
    together = _one_of(recipe.line_ups, draws)
    first = draws.below(seats)
    return [*together[first:], *together[:first]]


def _chooser(game: str, name: str) -> Choose:
    return CHOOSERS[name] if name in CHOOSERS else PLAYERS[game][name].choose


T = TypeVar("T")


def _one_of(some: Sequence[T], draws: Draws) -> T:
    return some[draws.below(len(some))]


def case_of(recipe: Recipe, name: str, number: int | str, request: Json, response: Json) -> Case:
    """A candidate as a case with this name."""
    clauses = cited(recipe.game, response) or recipe.clauses or tuple(entries(recipe.game))[:1]
    return Case(
        id=f"{recipe.game}/{recipe.topic}/{name}",
        title=_title(recipe, request),
        clauses=clauses,
        flags=(),
        since=__version__,
        source={"kind": "generated", "by": recipe.by, "seed": f"{recipe.seed}:{number}"},
        request=request,
        response=response,
    )


Attempt = tuple[Json, Json] | None


def attempt(task: tuple[Recipe, int | str]) -> Attempt:
    """A candidate's request and response; None if it doesn't serve the recipe."""
    recipe, number = task
    request = candidate(recipe, number)
    response = replay(request)
    if recipe.unlike is not None:
        other = replay({**request, "rules": dict(recipe.unlike)})
        if other == response:
            return None
    return request, response


def make(
    recipe: Recipe, told: Callable[[int], None] = lambda made: None, jobs: int = 1
) -> VectorFile:
    """The cases of a set, made in so many processes; ``told`` hears how many there are so far."""
    cases: list[Case] = []
    # Far more candidates than any recipe needs: a recipe that finds nothing is a mistake.
    tasks = ((recipe, number) for number in range(recipe.count * 4000))
    for number, found in enumerate(in_order(attempt, tasks, jobs)):
        if found:
            cases.append(case_of(recipe, f"{len(cases) + 1:04}", number, *found))
            told(len(cases))
            if len(cases) == recipe.count:
                break
    else:
        raise ValueError(f"{recipe.by}: too few candidates differ")
    return as_file(recipe, cases)


def make_shard(
    recipe: Recipe, shard: int, shards: int, told: Callable[[int], None], jobs: int = 1
) -> VectorFile:
    """Every so-manieth candidate of a set that keeps them all: shard 1 to shards together make
    what ``make`` makes, case by case."""
    numbers = list(range(shard - 1, recipe.count, shards))
    tasks = ((recipe, number) for number in numbers)
    cases = []
    for number, found in zip(numbers, in_order(attempt, tasks, jobs), strict=True):
        if found:
            cases.append(case_of(recipe, f"{number + 1:04}", number, *found))
            told(len(cases))
    return as_file(recipe, cases)


def as_file(recipe: Recipe, cases: Sequence[Case]) -> VectorFile:
    """Cases as a vector file of the recipe."""
    return VectorFile(recipe.game, recipe.topic, recipe.about, tuple(cases), __version__)


#: Candidates of a round, and how many rounds without anything new end the search.
ROUND = 64
_IDLE_ROUNDS = 3


def make_covered(
    recipe: Recipe, told: Callable[[int], None] = lambda made: None, jobs: int = 1
) -> VectorFile:
    """Candidates round by round, of which those are kept that show something still wanted (see
    ``features``), until rounds bring nothing new or ``count`` cases are there. A candidate
    follows from seed, round and index alone, so the set is the same with any number of jobs."""
    covered = Covered()
    cases: list[Case] = []
    idle = 0
    for turn in range(recipe.count):
        before = len(cases)
        numbers = [f"{turn}.{index}" for index in range(ROUND)]
        found = in_order(attempt, [(recipe, number) for number in numbers], jobs)
        for number, each in zip(numbers, found, strict=True):
            if each and covered.adds(shown := features(*each)):
                covered.take(shown)
                cases.append(case_of(recipe, f"{len(cases) + 1:04}", number, *each))
                told(len(cases))
        idle = 0 if len(cases) > before else idle + 1
        if idle == _IDLE_ROUNDS or len(cases) >= recipe.count:
            break
    return as_file(recipe, cases[: recipe.count])


def _title(recipe: Recipe, request: Json) -> str:
    hands = len(request["deals"])
    if recipe.op == "view":
        return f"What seat {request['seat']} sees after {len(request['actions'])} actions of a hand"
    what = "A match" if recipe.hands is None else "A hand" if hands == 1 else f"{hands} hands"
    at_random = not recipe.line_ups and CHOOSERS.keys() >= set(recipe.players)
    how = "at random" if at_random else "by players"
    if not request["rules"]:
        return f"{what} played {how}"
    return f"{what} played {how} with {_options_said(request['rules'])}"


def _said(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else str(value).lower()


def cited(game: str, response: Json) -> tuple[str, ...]:
    """The clauses that a response to replay or score cites, in the order of the rulebook."""
    found: set[str] = set()
    for state in response.get("states", [response]):
        found.add(state.get("clause", ""))
        hand = state.get("hand", {})
        if isinstance(hand, dict):
            found.update(line["clause"] for line in hand.get("breakdown", ()))
        found.update(line["clause"] for line in state.get("trick", {}).get("combinations", ()))
    return tuple(name for name in entries(game) if name in found)


# The published sets.


def other_values(option: Option, rules: Mapping[str, Any]) -> list[Any]:
    """The values of an option beside the canonical one; two samples where the range is open."""
    shape, canonical = option.among(rules)
    match shape:
        case OneOf(values):
            return [value for value in values if value != canonical]
        case Whole(least, most) if most - least < 16:
            return [value for value in range(least, most + 1) if value != canonical]
        case Whole():
            return [canonical // 2, canonical * 3 // 2]
        case Several(None, OneOf(values)):
            return [[values[1]], list(reversed(values))]
    raise TypeError(f"no samples for {option.name}")


def published(game: str) -> list[Recipe]:
    """The recipes of a game's published sets."""
    title = GAMES[game].title
    recipes = [
        Recipe(game, "hands", f"Hands of {title} under canonical rules, from uniform deals "
               "and from deals with long suits and voids.", 320),
        Recipe(game, "late-hands", f"Hands of {title} begun late in a match, with totals on "
               "both sides of its end.", 100, late=True),
        Recipe(game, "players", f"Hands of {title} played by those who reach rare corners: each "
               "seat has a player that goes for something.", 700, players=tuple(PLAYERS[game])),
        Recipe(game, "line-ups", f"Hands of {title} played by those who reach rare corners "
               "together.", 200, line_ups=LINE_UPS[game]),
        Recipe(game, "views", f"What a seat of {title} sees somewhere in a hand.", 100, op="view"),
    ]  # fmt: skip
    recipes += [_matches(game, rules) for rules in GAMES[game].match_kinds]
    for name, rules in GAMES[game].profiles.items():
        about = f"the profile {game}:{name}"
        recipes.append(
            Recipe(
                game, f"profile-{name}", _differing(game, about), 50, rules, late=True, unlike={}
            )
        )
    return recipes + option_sets(game)


def _matches(game: str, rules: Mapping[str, Any]) -> Recipe:
    kind = "-".join(["matches", *(str(value) for value in rules.values())])
    under = f" with {_options_said(rules)}" if rules else " under canonical rules"
    about = f"Whole matches of {GAMES[game].title}{under}."
    return Recipe(
        game,
        kind,
        about,
        20,
        rules,
        samplers=("uniform",),
        players=("modest",),
        hands=None,
        probes=40,
    )


def option_sets(game: str) -> list[Recipe]:
    """A recipe for each other value of each option, also of those that another option brings."""
    recipes = []
    for option in options_of(GAMES[game].parts.rules):
        contexts: list[Mapping[str, Any]] = [option.beside]
        if option.under:
            other, cases = option.under
            contexts += [{other: value} for value in cases]
        for beside in contexts:
            recipes += [
                _option_set(game, option, value, beside) for value in other_values(option, beside)
            ]
    return recipes


def _option_set(game: str, option: Option, value: Any, beside: Mapping[str, Any]) -> Recipe:
    words = ["option", *beside.values(), option.name, _said(value)]
    topic = "-".join(map(str, words)).replace("_", "-").replace(" ", "-")
    rules = {**beside, option.name: value}
    return Recipe(
        game,
        topic,
        _differing(game, _options_said(rules)),
        50,
        rules,
        samplers=("uniform", "gathered", "gathered", "clumped-9"),
        players=("random", "eager", "last-word"),
        late=True,
        unlike=beside,
        op="view" if option.only_seen else "replay",
        clauses=option.rulings[:1],
    )


def _differing(game: str, what: str) -> str:
    return f"Hands of {GAMES[game].title} whose responses differ with {what}."


def _options_said(rules: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}: {_said(value)}" for name, value in rules.items())
