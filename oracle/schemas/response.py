"""The schemas of responses: what must hold after a request, whole or in part.

For one game the schema holds to that game's seats, cards, verbs, contract and counts; for
several it is the union over them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from oracle.games.actions import CHANCE
from oracle.games.shapes import INTEGER_LIMIT, Shape
from oracle.games.table import Table
from oracle.schemas.pieces import (
    COUNT,
    LINE,
    REFUSAL,
    RULE,
    Defs,
    Schema,
    action,
    actors,
    cards,
    constant,
    from_shape,
    listing,
    mapping,
    offer,
    record,
    ref,
    said,
    string,
    whole,
)

_SIGNED = whole(-INTEGER_LIMIT, INTEGER_LIMIT)
_COUNTED = whole(0, INTEGER_LIMIT)
_PLACE = string("a place on the table, as in trick or hand 2", "[a-z]+(?: [0-9])?")

ABOUT_LEGAL = "Who may act now, and what each may do."


def error() -> Schema:
    """The response to a wrong request; the text is never compared."""
    about = "The request is wrong: one line with the place and what was expected there."
    return record("The response to a wrong request.", {"error": said(about, LINE)})


def response(games: Mapping[str, type[Table]]) -> Schema:
    """Any response to a request of any of these games; needs the ``defs`` of ``Responses``."""
    answers = Responses(list(games.values()))
    kinds = [ref(answers.name(op)) for op in answers.ops()]
    about = "What must hold after a request."
    return {"description": about, "type": "object", "oneOf": [*kinds, ref("error-response")]}


class Responses:
    """The definitions of all responses of some games.

    With ``partial`` they are those of a case that states only what it is about: fields may be
    missing from every object, but what stands in a list is still whole.
    """

    def __init__(self, games: Sequence[type[Table]], *, partial: bool = False) -> None:
        """One game, or several for the union over them."""
        self.games = games
        self.partial = partial
        self.shared = f"{games[0].name}-" if len(games) == 1 else ""
        self.seats = max(game.seats for game in games)
        self.sides = max(game.sides for game in games)

    def ops(self) -> Mapping[str, Callable[[], Schema]]:
        """How the response of each op is made."""
        return {
            "replay": self._replay,
            "view": lambda: self._union("view"),
            "perft": self._perft,
            "score": self._score,
            "shuffle": self._shuffle,
        }

    def name(self, op: str) -> str:
        """The name of the definition of an op's response."""
        return self._own(f"{op}-response")

    def defs(self) -> Defs:
        """All definitions; the deals come from ``request_defs``."""
        defs: Defs = {}
        for game in self.games:
            if game.contract:
                defs[self._of(game, "contract")] = self._contract(game)
            defs[f"{game.name}-score-line"] = _score_line(game)
            defs[self._of(game, "hand")] = self._hand(game)
            defs[self._of(game, "view")] = self._view(game)
        defs |= {
            f"{self.shared}legal": self._legal(),
            f"{self.shared}combination": self._combination(),
            self._own("trick"): self._trick(),
            self._own("match"): self._match(),
            self._own("first-state"): self._first_state(),
            self._own("accepted"): self._accepted(),
            self._own("refused"): self._refused(),
        }
        return defs | {self.name(op): make() for op, make in self.ops().items()}

    # Names and joints.

    def _own(self, kind: str) -> str:
        return f"{'partial-' if self.partial else ''}{self.shared}{kind}"

    def _of(self, game: type[Table], kind: str) -> str:
        return f"{'partial-' if self.partial else ''}{game.name}-{kind}"

    def _union(self, kind: str, games: Sequence[type[Table]] | None = None) -> Schema:
        refs = [ref(self._of(game, kind)) for game in games or self.games]
        return refs[0] if len(refs) == 1 else {"anyOf": refs}

    def _record(
        self, about: str, fields: Mapping[str, Schema], optional: Collection[str] = ()
    ) -> Schema:
        return record(about, fields, fields if self.partial else optional)

    # What differs from game to game.

    def _contract(self, game: type[Table]) -> Schema:
        return self._record(f"A contract of {game.title}.", _shapes(game, game.contract))

    def _hand(self, game: type[Table]) -> Schema:
        sides = _SIGNED | {"description": f"Of one {game.side_name}."}
        each = listing(sides, game.sides) | {"maxItems": game.sides}
        fields = {
            "delta": said(f"What the hand brought each {game.side_name}.", each),
            "scores": said(f"The total of each {game.side_name} after it.", each),
            **_shapes(game, game.counts),
            "breakdown": said(
                "Where the points of delta come from, line by line, with the clause.",
                listing(ref(f"{game.name}-score-line")),
            ),
        }
        return self._record(f"A scored hand of {game.title}.", fields)

    def _view(self, game: type[Table]) -> Schema:
        size = game.pack.bit_count()
        held = said("Cards in this place.", cards(game.pack, 1))
        hidden = said("How many cards.", whole(1, size))
        fields = {
            "hand": said("The cards that this seat holds.", cards(game.pack, 0)),
            "known": mapping("The cards that this seat knows to lie in a place.", _PLACE, held),
            "unknown": mapping("How many more cards lie in a place.", _PLACE, hidden),
            **_shapes(game, game.view_extra),
            "legal": said("What this seat may do now.", listing(offer([game], 0), unique=True)),
        }
        return self._record(f"What a seat sees in {game.title}.", fields)

    # What the games have in common.

    def _legal(self) -> Schema:
        who = {name: seat for game in self.games for name, seat in actors(game.notation).items()}
        fields = {
            name: said(
                "What chance may do." if seat == CHANCE else f"What seat {name} may do.",
                listing(offer(self.games, seat), 1, unique=True),
            )
            for name, seat in who.items()
        }
        return record(ABOUT_LEGAL, fields, optional=fields)

    def _said_legal(self) -> Schema:
        return said(ABOUT_LEGAL, ref(f"{self.shared}legal"))

    def _combination(self) -> Schema:
        pack = 0
        for game in self.games:
            pack |= game.pack
        return record(
            "A combination that a trick settled.",
            {
                "seat": said("Who declared it.", whole(0, self.seats - 1)),
                "clause": said("The clause that gives its value.", RULE),
                "cards": said("Its cards.", cards(pack, 1)),
                "points": said("What it pays now; 0 for a loser.", _COUNTED),
            },
        )

    def _trick(self) -> Schema:
        combinations = listing(ref(f"{self.shared}combination"), 1)
        fields = {
            "winner": said("The seat that won it.", whole(0, self.seats - 1)),
            "points": said("The points that lie in it.", _COUNTED),
            "combinations": said("What it settled, in the order of declaring.", combinations),
        }
        return self._record("A completed trick.", fields, ("points", "combinations"))

    def _match(self) -> Schema:
        winners = listing(whole(0, self.sides - 1), 1, unique=True)
        fields = {"winners": said("Who won the match: seats, or teams.", winners)}
        return self._record("The end of the match.", fields)

    def _first_state(self) -> Schema:
        about = "The table before any action."
        return self._record(about, {"legal": self._said_legal()})

    def _accepted(self) -> Schema:
        with_contract = [game for game in self.games if game.contract]
        told: dict[str, Schema] = {}
        if with_contract:
            contract = self._union("contract", with_contract)
            told["contract"] = said("The contract that it settled.", contract)
        told["trick"] = said("The trick that it completed.", ref(self._own("trick")))
        told["hand"] = said("The hand that it ended, scored.", self._union("hand"))
        told["match"] = said("The match that it ended.", ref(self._own("match")))
        fields = {
            "ok": said("The action is allowed.", constant(True)),
            "legal": self._said_legal(),
            **told,
        }
        return self._record("What an accepted action brought about.", fields, tuple(told))

    def _refused(self) -> Schema:
        fields = {
            "ok": said("The action is not allowed and changed nothing.", constant(False)),
            "clause": said("Why it is refused.", REFUSAL),
            "legal": self._said_legal(),
        }
        return self._record("A refused action.", fields)

    # The ops.

    def _replay(self) -> Schema:
        # A partial state that doesn't say "ok" fits both.
        kinds = [ref(self._own("accepted")), ref(self._own("refused"))]
        state = {"anyOf" if self.partial else "oneOf": kinds}
        states = {
            "type": "array",
            "prefixItems": [ref(self._own("first-state"))],
            "items": state,
            "minItems": 1,
        }
        about = "The table before any action, then what each action brought about."
        return self._record("The response to replay.", {"states": said(about, states)})

    def _perft(self) -> Schema:
        divide = mapping(
            "The count by first action.",
            action(self.games),
            said("The count after this action.", COUNT),
        )
        fields = {
            "nodes": said("How many sequences of actions there are.", COUNT),
            "divide": divide,
        }
        return self._record("The response to perft.", fields)

    def _score(self) -> Schema:
        fields = {
            "hand": said("The scored hand.", self._union("hand")),
            "match": said("The match that it ended.", ref(self._own("match"))),
        }
        return self._record("The response to score.", fields, ("match",))

    def _shuffle(self) -> Schema:
        refs = [ref(f"{game.name}-deal") for game in self.games]
        deal = refs[0] if len(refs) == 1 else {"anyOf": refs}
        about = "The pack of that seed, dealt out."
        return self._record("The response to shuffle.", {"deal": said(about, deal)})


def _shapes(game: type[Table], shapes: Mapping[str, Shape]) -> dict[str, Schema]:
    return {
        name: said(f"The {name.replace('_', ' ')}.", from_shape(shape, game.pack))
        for name, shape in shapes.items()
    }


def _score_line(game: type[Table]) -> Schema:
    points = {"title": "points other than 0", **_SIGNED, "not": constant(0)}
    return record(
        f"One line of a score breakdown of {game.title}.",
        {
            game.side_name: said(
                f"The {game.side_name} that it concerns.", whole(0, game.sides - 1)
            ),
            "clause": said("The clause by which.", RULE),
            "points": said("How many points.", points),
        },
    )
