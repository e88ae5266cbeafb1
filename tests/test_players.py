"""Players see what their seat may see, keep to what is asked of them, and reach what they go for."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import isclose
from random import Random
from typing import Any

import pytest
from commands import oracle
from hypothesis import given
from hypothesis import strategies as st
from playing import rules_of

from oracle.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    JOKERS,
    SPADES,
    SUIT_OF,
    Card,
    Cards,
    cards,
    each,
    union,
)
from oracle.games import GAMES
from oracle.games.actions import Action, Each, OneCard, SomeCards, actions
from oracle.games.belote import contains
from oracle.games.hearts import PENALTY_CARDS, QUEEN_OF_SPADES, Hearts
from oracle.games.refusals import Refused
from oracle.games.shapes import CardRow, CardSet, Several, Shape, parts_of
from oracle.games.table import FACE_DOWN, Outcome, Table, View
from oracle.players import PLAYERS, hearts_specialists
from oracle.players import hearts as levels
from oracle.players.match import (
    Dice,
    Match,
    deals,
    next_action,
    play_matches,
    play_on,
    seatings,
)
from oracle.players.sight import Choose, Player, Record, Sight, Trick
from oracle.players.standings import Standings, mean_estimate, share_estimate
from oracle.shuffle import Draws
from oracle.wire import read_rules

# What a seat sees.


def mixed(game: str, random: Random) -> list[Choose]:
    """Any players of a game, one a seat."""
    named = list(PLAYERS[game].values())
    return [random.choice(named).choose for _ in range(GAMES[game].seats)]


def turned(kind: type[Table], turns: int) -> Any:
    """The start of a match in which so many hands have moved on the dealer and the pass."""
    numbers = {"hand": 4, "first": 2, "dealer": kind.seats}
    names = [part.name for part in parts_of(kind.parts.start) if part.name in numbers]
    return kind.parts.start(**{name: turns % numbers[name] for name in names})


def in_play(game: str, seed: int) -> tuple[Record, list[Action]]:
    """A hand at some moment of it, with the actions so far."""
    random = Random(seed)
    kind = GAMES[game]
    table = kind(kind.parts.rules(), turned(kind, seed), deals(kind, str(seed), 1))
    record, players, dice = Record(table), mixed(game, random), Dice(str(seed), kind.seats)
    done: list[Action] = []
    for _ in range(random.randrange(60)):
        action = next_action(record, players, dice)
        ahead = table.copy()
        ahead.act(action)
        if not ahead.to_act:
            break
        record.act(action)
        done.append(action)
    return record, done


def seen_cards(table: Table, done: list[Action], seat: int) -> Cards:
    """Every card whose place, now or once, a seat may know: what it sees, what it did itself
    with cards, and what anybody played or declared."""
    view = table.view(seat)
    seen = view.hand
    for lying in view.known.values():
        seen |= lying if isinstance(lying, int) else union(lying)
    for action in done:
        if action.verb in ("play", "declare") or action.seat == seat:
            match table.notation.verbs[action.verb]:
                case OneCard():
                    seen |= action.what
                case SomeCards():
                    seen |= union(action.what)
    return seen


class Swap:
    """Two cards changing places, in whatever holds cards."""

    def __init__(self, one: Card, other: Card) -> None:
        self.both = one | other

    def card(self, card: Card) -> Card:
        return card ^ self.both if card & self.both else card

    def cards(self, held: Cards) -> Cards:
        return held ^ self.both if 0 != held & self.both != self.both else held

    def shaped(self, shape: Shape, value: Any) -> Any:
        match shape:
            case CardSet():
                return self.cards(value)
            case CardRow():
                return tuple(map(self.card, value))
            case Several(_, item):
                return tuple(self.shaped(item, each) for each in value)
        return value

    def deal(self, deal: Any) -> Any:
        return type(deal)(
            **{
                part.name: self.shaped(part.shape, getattr(deal, part.name))
                for part in parts_of(type(deal))
            }
        )

    def action(self, game: type[Table], action: Action) -> Action:
        match game.notation.verbs.get(action.verb) or game.notation.chance[action.verb]:
            case OneCard():
                return Action(action.seat, action.verb, self.card(action.what))
            case SomeCards():
                return Action(action.seat, action.verb, tuple(map(self.card, action.what)))
        return action


def dealt_again(record: Record, done: list[Action], seat: int, random: Random) -> Record | None:
    """The same moment with two cards that the seat can't see in each other's place, and other
    deals to come; None when the others could not have acted as they did."""
    table = record.table
    unseen = each(table.pack & ~seen_cards(table, done, seat))
    if len(unseen) < 2:
        return None
    swap = Swap(*random.sample(unseen, 2))
    kind = type(table)
    later = deals(kind, f"later {random.random()}", random.randrange(3))
    again = Record(kind(table.rules, table.start, [swap.deal(table.deals[0]), *later]))
    try:
        for action in done:
            again.act(swap.action(kind, action))
    except (Refused, StopIteration):
        return None
    return again if again.table.to_act == table.to_act else None


@pytest.mark.parametrize("game", GAMES)
def test_a_player_chooses_the_same_when_the_cards_it_cannot_see_are_dealt_again(game: str) -> None:
    again, moved = 0, 0
    for seed in range(120):
        record, done = in_play(game, seed)
        random = Random(seed)
        seats = [seat for seat in record.table.to_act if seat >= 0]
        if not seats:
            continue
        seat = random.choice(seats)
        for _ in range(6):
            other = dealt_again(record, done, seat, random)
            if other is None:
                continue
            again += 1
            moved += other.table.hands != record.table.hands
            assert other.sight(seat) == record.sight(seat)
            for player in PLAYERS[game].values():
                chosen = [
                    player.choose(each.sight(seat), Draws("same")) for each in (record, other)
                ]
                assert chosen[0] == chosen[1]
    assert again >= 150, "too few deals fit"
    if game != "belote":
        assert moved >= 60, "too few deals were other deals"


def seen_of(record: Record, verb: str) -> list[Action]:
    """What the seat to act has seen of actions with this verb."""
    sight = record.sight(record.table.to_act[0])
    return [action for action in sight.record if action.verb == verb]


def test_nobody_sees_another_pass_in_hearts() -> None:
    record, players = hand_of("hearts"), [PLAYERS["hearts"]["normal"].choose] * 4
    dice = Dice("passes", 4)
    own = [next_action(record, players, dice)]
    record.act(own[0])
    assert seen_of(record, "pass") == []
    while "pass" in record.table.verbs:
        record.act(next_action(record, players, dice))
    assert [each for each in record.sight(0).record if each.verb == "pass"] == own


def test_of_an_exchange_in_spades_the_other_seat_sees_only_how_many_cards_move() -> None:
    record, dice = hand_of("spades"), Dice("exchange", 2)
    players = [PLAYERS["spades"]["careful"].choose, PLAYERS["spades"]["double-nil"].choose]
    while "play" not in record.table.verbs:
        record.act(next_action(record, players, dice))
    thrown, came = ("exchange", "replace")
    looks = {
        seat: {action.verb: action.what for action in record.sight(seat).record} for seat in (0, 1)
    }
    assert len(looks[1][thrown]) == len(looks[1][came]) > 0
    assert looks[0][thrown] == looks[0][came] == (FACE_DOWN,) * len(looks[1][thrown])
    assert union(looks[1][came]) & ~record.table.hands[1] == 0


def test_only_the_declarer_sees_what_it_puts_away_in_bid_whist() -> None:
    record = hand_of("bid-whist", kitty="exchange")
    players = [PLAYERS["bid-whist"]["low-bidder"].choose] * 4
    dice = Dice("kitty", 4)
    while "play" not in record.table.verbs:
        record.act(next_action(record, players, dice))
    put_away = [record.sight(seat).record[-1] for seat in range(4)]
    declarer = record.table.declarer  # type: ignore[attr-defined]
    assert union(put_away[declarer].what) == record.table.kitty  # type: ignore[attr-defined]
    assert all(put_away[seat].what == (FACE_DOWN,) * 6 for seat in range(4) if seat != declarer)


def test_a_sight_tells_contract_tricks_scores_pass_direction_and_broken_hearts() -> None:
    record, dice = hand_of("hearts"), Dice("facts", 4)
    players = [PLAYERS["hearts"]["normal"].choose] * 4
    assert record.sight(0).public == {"direction": "left", "hearts_broken": False}
    assert record.sight(0).dealt == record.sight(0).hand != 0
    outcomes = [outcome for _, outcome in islice(play_on(record, players, dice), 4 + 4 * 9)]
    sight = record.sight(record.table.to_act[0])
    assert [trick.winner for trick in sight.tricks] == [
        outcome.winner for outcome in outcomes if outcome
    ]
    assert sight.public["hearts_broken"]
    assert [action.what for action in sight.record if action.verb == "play"] == [
        card for trick in sight.tricks for card in trick.cards
    ]
    whist = hand_of("bid-whist")
    players = [PLAYERS["bid-whist"]["no-trump"].choose] * 4
    assert whist.sight(1).contract is None
    while "play" not in whist.table.verbs:
        whist.act(next_action(whist, players, dice))
    contract = whist.sight(1).contract
    assert contract is not None
    assert contract["mode"] == "nt"


def test_a_record_starts_afresh_with_every_hand_and_keeps_the_scores() -> None:
    record = hand_of("hearts", hands=2)
    players, dice = [PLAYERS["hearts"]["easy"].choose] * 4, Dice("two", 4)
    for _, outcome in play_on(record, players, dice):
        if outcome and outcome.hand:
            break
    sight = record.sight(0)
    assert (sight.record, sight.tricks, sight.hands_played) == ((), (), 1)
    assert sight.scores == record.table.scores != (0, 0, 0, 0)
    assert sight.dealt == record.table.hands[0]


def test_a_refused_action_leaves_no_trace_in_the_record() -> None:
    record = hand_of("spades")
    before = record.sight(0)
    for action in (Action(0, "exchange", (1,)), Action(1, "double-nil"), Action(-1, "replace", ())):
        with pytest.raises(Refused):
            record.act(action)
    assert record.sight(0) == before


def hand_of(game: str, hands: int = 1, start: Any = None, **rules: Any) -> Record:
    """The beginning of a match."""
    kind = GAMES[game]
    table = kind(read_rules(kind, rules), start or kind.parts.start(), deals(kind, "a hand", hands))
    return Record(table)


# Every player.


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_every_player_keeps_to_the_rules_under_every_option(game: str, data: st.DataObject) -> None:
    kind = GAMES[game]
    seed = str(data.draw(st.integers(0, 10**6)))
    names = data.draw(
        st.lists(st.sampled_from(sorted(PLAYERS[game])), min_size=kind.seats, max_size=kind.seats)
    )
    rules = read_rules(kind, data.draw(rules_of(kind)))
    record = Record(kind(rules, kind.parts.start(), deals(kind, seed, 2)))
    players = [PLAYERS[game][name].choose for name in names]
    ended = [outcome for _, outcome in play_on(record, players, Dice(seed, kind.seats)) if outcome]
    assert any(outcome.hand for outcome in ended)


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_follows_from_its_seed(game: str) -> None:
    players = mixed(game, Random(3))
    one, again, other = (
        [action for action, _ in play_on(hand_of(game), players, Dice(seed, GAMES[game].seats))]
        for seed in ("one", "one", "other")
    )
    assert one == again
    players = [PLAYERS[game]["random"].choose] * GAMES[game].seats
    one, other = (
        [action for action, _ in play_on(hand_of(game), players, Dice(seed, GAMES[game].seats))]
        for seed in ("one", "other")
    )
    assert one != other


def test_what_one_seat_draws_changes_nothing_for_the_others() -> None:
    quiet, busy = Dice("seats", 2), Dice("seats", 2)
    for _ in range(100):
        busy.of(0).below(52)
    assert [quiet.of(1).below(52) for _ in range(20)] == [busy.of(1).below(52) for _ in range(20)]


# The levels of Hearts, position by position.


def at(
    hand: str,
    trick: str = "",
    tricks: Sequence[tuple[int, str, int]] = (),
    *,
    broken: bool = False,
    passed: str = "",
) -> Sight:
    """What seat 0 sees with this hand: the trick lies before it, ``tricks`` were taken (leader,
    cards, winner), and it passed these cards to seat 1, which still holds them."""
    table = hand_of("hearts").table
    own, lying = cards(hand), row(trick)
    playable = own & SUIT_OF[lying[0]] or own if lying else own
    if not trick and not broken:
        playable = own & ~HEARTS or own
    known = {"hand 1": cards(passed)} if passed else {}
    return (
        Record(table)
        .sight(0)
        ._replace(
            view=View(own, known, {}),
            choices=(Each("play", playable),),
            tricks=tuple(Trick(leader, row(lay), winner) for leader, lay, winner in tricks),
            trick=Trick(-len(lying) % 4, lying),
            public={"direction": "left", "hearts_broken": broken},
        )
    )


def row(codes: str) -> tuple[Card, ...]:
    """Cards in the order in which they are written."""
    return tuple(map(cards, codes.split()))


def allowed(predicate: levels.Predicate, sight: Sight) -> str:
    """The playable cards with which a predicate is content."""
    return " ".join(
        code
        for code in ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
        for code in (f"{code}C", f"{code}D", f"{code}H", f"{code}S")
        if cards(code) & sight.playable and predicate(sight, sight.play(cards(code)))
    )


#: Tricks by which seat 3 takes four hearts, four more, no points, and the queen of spades.
FOUR = (1, "5H 6H 9H 2H", 3)
EIGHT = (3, "TH 3H 4H 7H", 3)
SAFE = (3, "AS 2S 3S 4S", 3)
QUEEN = (3, "KS 2S 3S QS", 3)


@pytest.mark.parametrize(
    ("predicate", "sight", "expected"),
    [
        # Easy: points lie on the table, and a lower card or one of another suit is sure not to win.
        (levels.avoids_points_now, at("4D 9D KD AS", "5D QS"), "4D"),
        (levels.avoids_points_now, at("4D 9D AS", "5D 3D"), "4D 9D"),
        (levels.avoids_points_now, at("9D KD", "5D QS"), "9D KD"),
        (levels.avoids_points_now, at("2C AH", "5D QS"), "2C AH"),
        (levels.avoids_points_now, at("4H 6H", "5H"), "4H"),
        (levels.avoids_points_now, at("4D 9D"), "4D 9D"),
        # Normal: the highest loser, else the lowest; the queen first, but not to win with her.
        (levels.follows_low, at("3C 8C KC", "9C"), "8C"),
        (levels.follows_low, at("3C 8C KC", "2C"), "3C"),
        (levels.follows_low, at("3C 8C KC", "2C QC"), "8C"),
        (levels.follows_low, at("QS 2S KS", "AS"), "QS"),
        (levels.follows_low, at("QS AS", "JS"), "AS"),
        (levels.follows_low, at("QS", "JS"), "QS"),
        (levels.follows_low, at("3D AH", "2C"), "3D AH"),
        # Normal: the queen goes at the first void.
        (levels.dumps_queen_when_void, at("QS AS AH 3D", "2C"), "QS"),
        (levels.dumps_queen_when_void, at("AS AH 3D", "2C"), "3D AH AS"),
        (levels.dumps_queen_when_void, at("QS AS", "KS"), "QS AS"),
        (levels.dumps_queen_when_void, at("QS AS 3D"), "3D QS AS"),
        # Normal: no queen led, nor king and ace while she is in another hand.
        (levels.leads_no_high_spade, at("QS 2S 3D"), "2S 3D"),
        (levels.leads_no_high_spade, at("KS AS 3D"), "3D"),
        (levels.leads_no_high_spade, at("KS AS"), "KS AS"),
        (levels.leads_no_high_spade, at("KS 3D", "", ((1, "2S QS 3S 4S", 2),)), "3D KS"),
        # Normal: with hearts broken the lowest of a suit.
        (levels.leads_low_once_broken, at("3D KD 5H JH", broken=True), "3D 5H"),
        (levels.leads_low_once_broken, at("3D KD 5H JH"), "3D KD"),
        # Hard, seat 3 having all points: a heart is kept out of its trick,
        (levels.stops_moon, at("3D 5D QH", "2C 6C 9C", (FOUR,)), "3D 5D"),
        (levels.stops_moon, at("3D 5D QH", "9C 6C", (FOUR,)), "3D 5D QH"),
        # the queen only once the moon is near,
        (levels.stops_moon, at("3D QS QH", "2C 6C 9C", (FOUR, EIGHT)), "3D QH QS"),
        (levels.stops_moon, at("3D QS QH", "2C 6C 9C", (FOUR, EIGHT, SAFE)), "3D QH QS"),
        (levels.stops_moon, at("3D QS QH", "2C 6C 9C", (FOUR, EIGHT, SAFE, SAFE)), "3D"),
        # a third player who is sure to win gets it,
        (levels.stops_moon, at("3D 5D QH", "9C 6C 7C", (FOUR,)), "QH"),
        # a trick with few points is taken, as soon as seat 3 has many,
        (levels.stops_moon, at("3C TC AC", "2C 8H 9C", (FOUR, EIGHT)), "TC AC"),
        (levels.stops_moon, at("3C TC AC", "2C 8H 9C", (FOUR,)), "3C TC AC"),
        (levels.stops_moon, at("3C TC AC", "2C QS 9C", (FOUR, EIGHT)), "3C TC AC"),
        # a heart is led that is sure to win one,
        (levels.stops_moon, at("3D AH", "", (FOUR, EIGHT, QUEEN), broken=True), "AH"),
        (levels.stops_moon, at("3D AH", "", (FOUR, EIGHT), broken=True), "3D AH"),
        # and nothing is asked when two have points.
        (levels.stops_moon, at("3D QH", "2C 6C 9C", (FOUR, (3, "TH 3H 7H 4H", 0))), "3D QH"),
    ],
)  # fmt: skip
def test_a_predicate_says_what_a_level_may_play(
    predicate: levels.Predicate, sight: Sight, expected: str
) -> None:
    assert allowed(predicate, sight) == expected


@pytest.mark.parametrize(
    ("hand", "good", "bad"),
    [
        ("2C 3C 4C 5C 6C 7C 8C 9C TC 2D KH AH QS", "KH AH QS", "2C AH QS"),
        ("2C 3C 4C 5C 6C 7C 8C 9C TC 2D 3D 4D QS", "2C 9C QS", "2C 3C 4C"),
        ("TH JH QH KH AH QS KS AS AC KC QC JC AD", "AH QS KS", ""),
        ("2C 3C 4C 5C 6C 7C 8C 9C TC 2D 3D 4D 9H", "2C 3C 9H", ""),
    ],
)
def test_dangerous_cards_are_passed_as_far_as_there_are_any(hand: str, good: str, bad: str) -> None:
    sight = hand_of("hearts").sight(0)._replace(view=View(cards(hand), {}, {}))
    assert levels.passes_dangerous(sight, Action(0, "pass", row(good)))
    if bad:
        assert not levels.passes_dangerous(sight, Action(0, "pass", row(bad)))


def test_voids_are_known_from_what_was_not_followed_and_from_what_is_left() -> None:
    tricks = ((1, "2C 3C 4D 5C", 3), (3, "6H 7H 8S 9H", 2))
    assert levels.voids(at("2S 3S", "TS JD", tricks)) == [0, HEARTS, 0, CLUBS | SPADES]
    diamonds = "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD"
    assert levels.voids(at(diamonds)) == [0, DIAMONDS, DIAMONDS, DIAMONDS]


def test_a_moon_is_suspected_of_the_one_other_seat_that_has_all_points() -> None:
    two = (3, "TH 3H 7H 4H", 0)
    assert levels.moon_suspect(at("2S")) is None
    assert levels.moon_suspect(at("2S", "", (FOUR,))) == 3
    assert levels.moon_suspect(at("2S", "", (FOUR, two))) is None
    assert levels.moon_suspect(at("2S", "", (two,))) is None


def test_hard_passes_for_a_moon_only_with_a_hand_made_for_it() -> None:
    made = "AC KC QC JC TC 9C 8C AD KD AH KH 2S 3D"
    assert levels.moon_pass(cards(made)) == row("8C 3D 2S")
    ordinary = "AC 3C 5C 9C KD 4D 6D 2H 7H JH 3S 8S QS"
    assert levels.moon_pass(cards(ordinary)) == ()


def test_hard_keeps_its_winners_once_a_moon_is_near() -> None:
    nothing = Draws("")
    assert levels.hard(at("3D AD 5S", "2C 6C 9C", (FOUR, EIGHT)), nothing).what == cards("AD")
    near = at("3D AD 5S", "2C 6C 9C", (FOUR, EIGHT, SAFE, SAFE))
    assert levels.hard(near, nothing).what == cards("3D")


def test_hard_passes_high_spades_unless_small_ones_guard_them() -> None:
    rest = "2C 3C 4C 5C 6C 7C 2D 3D 4D"
    assert levels.hard_pass(cards(f"{rest} KS QS 3S 4S")) == row("4D QS KS")
    assert levels.hard_pass(cards("2C 3C 4C 5C 6C AD KD QS KS 2S 3S 4S 5S")) == row("6C KD AD")


def test_a_moon_stopper_takes_points_from_the_suspect_and_gives_none() -> None:
    assert hearts_specialists.stopper_card(at("3C KC", "2C 6H 9C", (FOUR,))) == cards("KC")
    assert hearts_specialists.stopper_card(at("3C KC", "2C 6H 9C")) == cards("3C")
    assert hearts_specialists.stopper_card(at("4D AH QS", "2C 6H 9C", (FOUR,))) == cards("4D")


def decisions(name: str, hands: int) -> Iterator[tuple[Table, Sight, Action]]:
    """What a level of Hearts chose, in hands against any players."""
    random, level = Random(name), PLAYERS["hearts"][name].choose
    for hand in range(hands):
        start = Hearts.parts.start(hand=3 if hand % 2 else hand // 2)
        table = Hearts(Hearts.parts.rules(), start, deals(Hearts, f"{name} {hand}", 1))
        players = [level, *mixed("hearts", random)[1:]]
        record, dice = Record(table), Dice(f"{name} {hand}", 4)
        while table.to_act:
            action = next_action(record, players, dice)
            if action.seat == 0:
                yield table, record.sight(0), action
            record.act(action)


@pytest.mark.parametrize(
    ("name", "predicates"),
    [
        ("easy", [levels.avoids_points_now]),
        (
            "normal",
            [
                levels.avoids_points_now,
                levels.passes_dangerous,
                levels.follows_low,
                levels.dumps_queen_when_void,
                levels.leads_no_high_spade,
                levels.leads_low_once_broken,
            ],
        ),
        ("hard", [levels.stops_moon]),
    ],
)
def test_a_level_keeps_to_its_predicates_in_every_position(
    name: str, predicates: list[levels.Predicate]
) -> None:
    told = dict.fromkeys(predicates, 0)
    for _, sight, chosen in decisions(name, 160):
        for predicate in predicates:
            assert predicate(sight, chosen), (predicate.__name__, sight, chosen)
            told[predicate] += any(
                not predicate(sight, other)
                for other in islice(actions(sight.seat, sight.choices), 60)
            )
    assert min(told.values()) >= 10, "a predicate that asked for hardly anything"


def test_a_known_void_is_a_void() -> None:
    found = 0
    for table, sight, _ in decisions("hard", 40):
        for seat, suits in enumerate(levels.voids(sight)):
            assert not suits & table.hands[seat]
            found += suits.bit_count() > 0
    assert found > 500


def test_of_equal_cards_the_lowest_rank_and_then_pack_order_decides() -> None:
    assert levels.easy(at("9C 4S 4D 9H", broken=True), Draws("")).what == cards("4D")
    assert levels.normal(at("9C 4S 4D", broken=True), Draws("")).what == cards("4D")
    assert levels.easy(at("2C 3S 3C", "2H"), Draws("")).what == cards("3C")


# Strength.


def points_a_hand(names: Sequence[str], matches: int) -> dict[str, float]:
    """The mean points a hand of players of Hearts, in matches that follow from a seed."""
    standings = Standings(names)
    players = [PLAYERS["hearts"][name].choose for name in names]
    for match in play_matches(Hearts, Hearts.parts.rules(), players, "margin", matches=matches):
        standings.add(match)
    return {row.player: row.points.value for row in standings.rows() if row.points}


def test_hard_beats_normal_beats_easy_beats_random() -> None:
    points = points_a_hand(["hard", "normal", "easy", "random"], 72)
    assert points["hard"] + 0.3 < points["normal"]
    assert points["normal"] + 3 < points["easy"]
    assert points["easy"] + 3 < points["random"]


@pytest.mark.parametrize(
    ("better", "worse", "margin"),
    [("hard", "normal", 1.5), ("normal", "easy", 2), ("easy", "random", 1.5)],
)
def test_a_level_beats_three_of_the_next_one_down(better: str, worse: str, margin: float) -> None:
    points = points_a_hand([better, worse, worse, worse], 24)
    assert points[better] + margin < points[worse]


# What the specialists are for.

#: Whether what they go for has come about with this action.
Corner = Callable[[Any, Action, Outcome | None], bool]


def times(game: str, names: Sequence[str], hands: int, corner: Corner) -> int:
    """How often a corner is reached in so many hands."""
    kind, players = GAMES[game], [PLAYERS[game][name].choose for name in names]
    reached = 0
    for hand in range(hands):
        seed = f"corner {hand}"
        table = kind(kind.parts.rules(), turned(kind, hand), deals(kind, seed, 1))
        for action, outcome in play_on(Record(table), players, Dice(seed, kind.seats)):
            reached += corner(table, action, outcome)
    return reached


def moon(table: Any, action: Action, outcome: Outcome | None) -> bool:
    return bool(outcome and outcome.hand and sum(outcome.hand.delta) == 78)


def leads_from(held: Cards, without: Cards = 0) -> Corner:
    """A lead from nothing but these cards, hearts unbroken until then."""

    def corner(table: Any, action: Action, outcome: Outcome | None) -> bool:
        if action.verb != "play" or len(table.trick) != 1 or sum(table.won) & HEARTS:
            return False
        hand = table.hands[action.seat] | action.what
        return not hand & ~held and hand.bit_count() > 1 and not (without and not hand & without)

    return corner


def scores(clause: str, side: int | None = None) -> Corner:
    """A line of a score breakdown by a clause, to a side."""
    return lambda table, action, outcome: bool(
        outcome
        and outcome.hand
        and any(
            line.clause == clause and side in (None, line.side) for line in outcome.hand.breakdown
        )
    )


def exact(table: Any, action: Action, outcome: Outcome | None) -> bool:
    """Seat 0 wins exactly what it bid, which is no nil."""
    return bool(outcome and outcome.hand) and table.bids[0] == table.tricks[0] > 0


def bags(table: Any, action: Action, outcome: Outcome | None) -> bool:
    """Seat 0 has five bags or more in one hand."""
    return bool(outcome and outcome.hand) and table.tricks[0] - table.bids[0] >= 5


def growth(table: Any, action: Action, outcome: Outcome | None) -> bool:
    """A run that grew is credited with less than it is worth."""
    return bool(outcome) and any(
        0 < told.points < table.value_of(told.cards)
        for told in outcome.combinations  # type: ignore[union-attr]
        if told.clause != "BELOTE-41"
    )


def grown_twice(table: Any, action: Action, outcome: Outcome | None) -> bool:
    """A run is declared that holds one which itself had grown."""
    if action.verb != "declare":
        return False
    runs = [old.cards for old in table.declared if old.seat == action.seat]
    return any(
        contains(runs[-1], middle) and contains(middle, first) for middle in runs for first in runs
    )


def declares(seat: int) -> Corner:
    return lambda table, action, outcome: action.verb == "declare" and action.seat == seat


def contract(**wanted: Any) -> Corner:
    """A contract like this."""
    return lambda table, action, outcome: bool(
        outcome
        and outcome.contract
        and all(outcome.contract[name] == value for name, value in wanted.items())
    )


def forced_dealer(table: Any, action: Action, outcome: Outcome | None) -> bool:
    return action.verb == "bid" and action.seat == table.dealer and action.what == (1, "uptown")


def joker_led_at_no_trump(table: Any, action: Action, outcome: Outcome | None) -> bool:
    return (
        action.verb == "play"
        and len(table.trick) == 1
        and table.trump == "none"
        and bool(action.what & JOKERS)
    )


def joker_on_joker(table: Any, action: Action, outcome: Outcome | None) -> bool:
    """At no trump the second card is a joker too, so that the third sets the suit."""
    return len(table.trick) == 2 and table.trump == "none" and not union(table.trick) & ~JOKERS


def set_back(table: Any, action: Action, outcome: Outcome | None) -> bool:
    return bool(outcome and outcome.hand and min(outcome.hand.delta) < 0)


@pytest.mark.parametrize(
    ("game", "names", "corner", "hands", "least"),
    [
        ("hearts", "moon-shooter normal normal normal", moon, 50, 15),
        ("hearts", "moon-shooter random random random", moon, 200, 4),
        ("hearts", "hard normal normal normal", moon, 100, 3),
        ("hearts", "heart-hoarder heart-hoarder heart-hoarder heart-hoarder",
         leads_from(HEARTS), 50, 10),
        ("hearts", "heart-hoarder heart-hoarder heart-hoarder heart-hoarder",
         leads_from(PENALTY_CARDS, without=QUEEN_OF_SPADES), 100, 5),
        ("spades", "nil bag-collector", scores("SPADES-17", 0), 50, 10),
        ("spades", "nil random", scores("SPADES-18", 0), 50, 25),
        ("spades", "double-nil bag-collector", scores("SPADES-21", 0), 50, 10),
        ("spades", "double-nil bag-collector", scores("SPADES-22", 0), 50, 10),
        ("spades", "bag-collector random", bags, 50, 35),
        ("spades", "overbidder careful", scores("SPADES-33", 0), 50, 40),
        ("spades", "careful careful", exact, 50, 8),
        ("belote", "failing-taker sweeper", scores("BELOTE-31", 1), 50, 10),
        ("belote", "sweeper loser", scores("BELOTE-32", 0), 100, 8),
        ("belote", "failing-taker sweeper", scores("BELOTE-32", 1), 100, 5),
        ("belote", "declarer declarer", growth, 200, 40),
        ("belote", "declarer declarer", grown_twice, 300, 3),
        ("belote", "no-trump random", contract(trump="none"), 50, 25),
        ("bid-whist", "passer passer passer passer", forced_dealer, 10, 10),
        ("bid-whist", "joker-leader joker-leader joker-leader joker-leader",
         joker_led_at_no_trump, 50, 25),
        ("bid-whist", "joker-leader joker-leader joker-leader joker-leader",
         joker_on_joker, 50, 4),
        ("bid-whist", "high-bidder passer high-bidder passer", set_back, 50, 40),
        ("bid-whist", "low-bidder loser low-bidder loser", contract(level=1), 10, 10),
        ("bid-whist", "downtown passer downtown passer", contract(mode="downtown"), 10, 10),
        ("bid-whist", "no-trump passer no-trump passer", contract(mode="nt"), 10, 10),
    ],
)  # fmt: skip
def test_a_specialist_reaches_what_it_goes_for(
    game: str, names: str, corner: Corner, hands: int, least: int
) -> None:
    assert times(game, names.split(), hands, corner) >= least


@pytest.mark.parametrize("other", ["moon-stopper", "hard"])
def test_moons_are_stopped_by_those_who_watch_for_them(other: str) -> None:
    shot, let_be = (
        times("hearts", ["moon-shooter", each, each, each], 60, moon) for each in (other, "normal")
    )
    assert shot * 2 < let_be


def test_the_silent_player_of_belote_declares_nothing_while_others_do() -> None:
    assert times("belote", ["silent", "sweeper"], 40, declares(0)) == 0
    assert times("belote", ["silent", "sweeper"], 40, declares(1)) > 20


def test_the_hoarders_corners_are_rare_at_random() -> None:
    names = ["random"] * 4
    assert times("hearts", names, 100, leads_from(HEARTS)) < 10


# Matches and their results.


@pytest.mark.parametrize(("game", "players"), [("hearts", 4), ("bid-whist", 4), ("bid-whist", 2)])
def test_every_player_sits_everywhere_once_in_as_many_seatings(game: str, players: int) -> None:
    kind = GAMES[game]
    order = seatings(kind, players)
    for first in range(0, len(order), players):
        for seat in range(kind.seats):
            assert {sat[seat] for sat in order[first : first + players]} == set(range(players))
    assert len(set(order)) == len(order)


def test_seatings_bring_all_neighbours_in_hearts_and_keep_partners_in_bid_whist() -> None:
    assert len(seatings(GAMES["hearts"], 4)) == 24
    for sat in seatings(GAMES["bid-whist"], 4):
        assert {frozenset(sat[0::2]), frozenset(sat[1::2])} == {
            frozenset({0, 2}),
            frozenset({1, 3}),
        }
    assert seatings(GAMES["bid-whist"], 2) == [(0, 1, 0, 1), (1, 0, 1, 0)]


def test_a_series_of_hands_ends_with_exactly_so_many() -> None:
    kind = GAMES["belote"]
    players = [PLAYERS["belote"]["sweeper"].choose] * 2
    played = list(play_matches(kind, kind.parts.rules(), players, "s", hands=17))
    assert sum(len(match.deltas) for match in played) == 17
    assert len(played) > 1
    assert all(match.winners for match in played[:-1])


def test_standings_add_points_and_share_wins() -> None:
    standings = Standings(["a", "b", "b", "c"])
    sides = (0, 1, 2, 3)
    standings.add(Match((0, 1, 2, 3), sides, ((0, 4, 8, 14), (2, 0, 10, 14)), (0,)))
    standings.add(Match((3, 0, 1, 2), sides, ((20, 6, 0, 0),), (2, 3)))
    standings.add(Match((0, 1, 2, 3), sides, ((26, 0, 0, 0),), ()))
    assert (standings.matches, standings.hands, standings.unfinished) == (3, 4, 1)
    rows = {row.player: row for row in standings.rows()}
    assert list(rows) == ["a", "b", "c"]
    values = {name: (row.points, row.wins) for name, row in rows.items()}
    assert [points.value for points, _ in values.values() if points] == [
        (0 + 2 + 6 + 26) / 4,
        (6 + 5 + 0 + 0) / 4,
        (14 + 14 + 20 + 0) / 4,
    ]
    assert [wins.value for _, wins in values.values() if wins] == [0.5, 0.25, 0.0]


def test_partners_of_one_name_are_one_player_for_one_side() -> None:
    standings = Standings(["a", "b"])
    standings.add(Match((0, 1, 0, 1), (0, 1, 0, 1), ((3, 0), (-2, 0)), (0,)))
    first, second = standings.rows()
    assert first.points
    assert first.points.value == 0.5
    assert first.wins
    assert first.wins.value == 1
    assert second.wins
    assert second.wins.value == 0


def test_intervals_are_those_of_the_textbook() -> None:
    mean = mean_estimate([1.0, 2.0, 3.0, 4.0, 5.0])
    assert mean
    assert isclose(mean.value, 3)
    assert isclose(mean.high - 3, 1.96 * (2.5 / 5) ** 0.5)
    assert isclose(3 - mean.low, mean.high - 3)
    share = share_estimate([1.0] * 8 + [0.0] * 2)
    assert share
    assert (round(share.low, 4), share.value, round(share.high, 4)) == (0.4902, 0.8, 0.9433)
    assert share_estimate([0.0] * 10) == (0, 0, pytest.approx(0.2775, abs=1e-4))
    assert mean_estimate([1.0]) is None
    assert share_estimate([]) is None


# The command.


def test_oracle_play_shows_each_player_with_intervals_and_the_same_again() -> None:
    command = ("play", "hearts", "normal", "easy", "random", "random", "--matches", "8")
    done = oracle(*command, "--seed", "x")
    assert (done.code, done.err) == (0, "")
    head, titles, *rows = done.out.splitlines()
    assert head.startswith("Hearts, canonical rules, seed x: 8 matches, ")
    assert titles.split() == ["player", "points", "a", "hand", "matches", "won"]
    assert [row.split()[0] for row in rows] == ["normal", "easy", "random"]
    assert all(row.count(" to ") == 2 for row in rows)
    assert oracle(*command, "--seed", "x") == done
    assert oracle(*command, "--seed", "y").out != done.out


def test_oracle_play_takes_hands_rules_and_one_player_a_side() -> None:
    done = oracle("play", "bid-whist", "low-bidder", "passer", "--hands", "9", "--rules", "popular")
    assert done.code == 2
    done = oracle(
        "play", "bid-whist", "low-bidder", "passer", "--hands", "9", "--rules", "bid-whist:popular"
    )
    assert (done.code, done.err) == (0, "")
    assert "min_bid=3" in done.out.splitlines()[0]
    assert done.out.splitlines()[0].endswith(", 9 hands")


def test_oracle_play_without_players_lists_them() -> None:
    every = oracle("play").out
    for game, named in PLAYERS.items():
        assert game in every.splitlines()
        for name, player in named.items():
            assert name in every
            assert player.about in every
    assert "joker-leader" not in oracle("play", "hearts").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hearts", "hrad", "easy", "easy", "easy"], "hearts has no player hrad; there are random"),
        (["hearts", "hard"], "hearts is played by 4 players, found 1"),
        (["bid-whist", "passer"], "bid-whist is played by 2 or 4 players, found 1"),
        (["belote", "loser", "silent", "--matches", "2", "--hands", "2"], "don't go together"),
        (["belote", "loser", "silent", "--rules", "target=7"], "--rules"),
        (["belote", "loser", "silent", "--seed", "\ud800"], "--seed"),
    ],
)
def test_a_slip_in_oracle_play_costs_one_line(arguments: list[str], message: str) -> None:
    done = oracle("play", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_every_player_says_what_it_goes_for() -> None:
    for named in PLAYERS.values():
        for player in named.values():
            assert isinstance(player, Player)
            assert player.about[0].islower()
            assert not player.about.endswith(".")
