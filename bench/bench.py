"""How fast the reference engine is, beside OpenSpiel and beside the least that Python can do.

    python bench/bench.py [--quick] [SECTION ...]

What is compared is measured in one run: the two sides take turns, round after round, and the best
time of each piece of work counts, so that little depends on what else the machine does. What
comes before the work (deals, recorded hands, tables laid out) is made outside the measured time
on both sides. docs/performance.md says what the figures mean.
"""

import argparse
import gc
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from oracle import strict_json
from oracle.cards import CARD_OF, RANKS, SUITS, each
from oracle.conformance.claims import Claims, read_claims
from oracle.conformance.engine import Limits, ProcessEngine
from oracle.conformance.run import Run
from oracle.conformance.serve import hello
from oracle.conformance.verdicts import PASS
from oracle.data import folder
from oracle.games import GAMES
from oracle.games.actions import Action, actions
from oracle.games.table import Table
from oracle.generate.deals import uniform
from oracle.replay import answer, at_table, replay
from oracle.shuffle import Draws
from oracle.vectors.cases import Case, load_file, load_folder, paths
from oracle.wire import Request, read_request, write_parts

try:
    import pyspiel
except ImportError:
    pyspiel = None

Json = dict[str, Any]
Work = Callable[[], object]
#: Makes pieces of work ready, outside the measured time.
Prepare = Callable[[], list[Work]]

#: OpenSpiel numbers the cards rank by rank, and within a rank suit by suit.
SPIEL_CARDS = [CARD_OF[rank + suit] for rank in RANKS for suit in SUITS]
SPIEL_NUMBER = {card: number for number, card in enumerate(SPIEL_CARDS)}
NO_SPIEL = 'skipped: pyspiel is missing (pip install "open-spiel>=2")'


class Extent(NamedTuple):
    """How much is measured: rounds of timing, hands a round, cases for memory."""

    rounds: int
    hands: int
    cases: int


FULL = Extent(rounds=40, hands=100, cases=1000)
QUICK = Extent(rounds=8, hands=40, cases=200)


# Measuring and showing.


def measure(rounds: int, **sides: Prepare) -> dict[str, float]:
    """The seconds that each side takes: the sides take turns, and of each piece of work the best
    time counts."""
    best: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, prepare in sides.items():
            times = timed(prepare())
            best[name] = list(map(min, times, best.get(name, times)))
    return {name: sum(times) for name, times in best.items()}


def timed(works: list[Work]) -> list[float]:
    """The seconds that each piece of work takes, garbage apart."""
    gc.collect()
    gc.disable()
    times = []
    for work in works:
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    gc.enable()
    return times


def show(what: str, figure: str, note: str = "") -> None:
    """Print one figure."""
    print(f"  {what:<58}{figure:>12}  {note}".rstrip())


def show_speed(what: str, ours: float, theirs: float, aim: float | None = None) -> None:
    """Print how many times as fast we are as the other side, and whether that is the aim."""
    ratio = theirs / ours
    note = ""
    if aim is not None:
        note = "aim reached" if ratio >= aim else f"missed by {1 - ratio / aim:.0%}"
        note = f"(aim {aim:g}: {note})"
    show(what, f"{ratio:.2f} x", note)


def micro(seconds: float, number: int) -> str:
    """Seconds for so many things, as microseconds for each."""
    return f"{seconds / number * 1e6:.2f} us"


# Recorded hands.


class Recorded(NamedTuple):
    """One hand as it was played at random: its request, its actions, and how many come before
    the first card is played."""

    request: Json
    checked: Request
    actions: list[Action]
    before: int

    @property
    def plays(self) -> list[Action]:
        """The actions from the first lead on."""
        return self.actions[self.before :]

    def at_first_lead(self) -> Table:
        """The table when the first lead is due."""
        table = at_table(self.checked)
        for action in self.actions[: self.before]:
            table.act(action)
        return table


def record(name: str, number: int, **start: int) -> list[Recorded]:
    """So many hands of a game under canonical rules, dealt and played at random."""
    return [_record(name, place, start) for place in range(number)]


def _record(name: str, number: int, start: Json) -> Recorded:
    game = GAMES[name]
    draws = Draws(f"bench:{number}")
    deals = [write_parts(uniform(game, draws))]
    request = {"op": "replay", "game": name, "rules": {}, "start": start, "deals": deals}
    request["actions"] = []
    table = at_table(read_request(request))
    played: list[Action] = []
    while table.to_act:
        seat = table.to_act[0]
        legal = list(actions(seat, table.choices(seat)))
        played.append(legal[draws.below(len(legal))])
        table.act(played[-1])
    request["actions"] = [game.notation.write(action) for action in played]
    before = next(place for place, action in enumerate(played) if action.verb == "play")
    return Recorded(request, read_request(request), played, before)


def judging(hands: list[Recorded]) -> Prepare:
    """Every card from the first lead on judged and played; no response is made."""

    def judge(table: Table, plays: list[Action]) -> None:
        act = table.act
        for action in plays:
            act(action)

    return lambda: [partial(judge, hand.at_first_lead(), hand.plays) for hand in hands]


def listing(hands: list[Recorded]) -> Prepare:
    """The same, and the legal set of each state."""

    def listed(table: Table, plays: list[Action]) -> None:
        act, legal = table.act, table.legal
        for action in plays:
            legal()
            act(action)

    return lambda: [partial(listed, hand.at_first_lead(), hand.plays) for hand in hands]


def each_of(do: Callable[[Any], object], things: Iterable[Any]) -> Prepare:
    """The same done with each of these."""
    works: list[Work] = [partial(do, thing) for thing in things]
    return lambda: works


# OpenSpiel.


class Spiel(NamedTuple):
    """A hand in OpenSpiel: its state when the first lead is due, and the plays by its numbers."""

    state: Any
    plays: list[int]


def hearts_in_spiel(hand: Recorded) -> Spiel:
    """The same hand of Hearts, which passes no cards."""
    state = pyspiel.load_game("hearts", {"qs_breaks_hearts": False}).new_initial_state()
    state.apply_action(0)
    for cards in zip(*map(each, hand.checked.deals[0].hands), strict=True):
        for card in cards:
            state.apply_action(SPIEL_NUMBER[card])
    return Spiel(state, [SPIEL_NUMBER[action.what] for action in hand.plays])


def spades_in_spiel(number: int) -> Spiel:
    """A hand of OpenSpiel's own Spades, dealt, bid and played at random."""
    draws = Draws(f"bench:{number}")
    state = pyspiel.load_game("spades").new_initial_state()
    bidding = 52
    first = state
    plays: list[int] = []
    while not state.is_terminal():
        legal = state.legal_actions()
        action = legal[draws.below(len(legal))]
        if not state.is_chance_node() and legal[0] < bidding:
            first = first if plays else state.clone()
            plays.append(action)
        state.apply_action(action)
    return Spiel(first, plays)


def spiel_judging(hands: list[Spiel]) -> Prepare:
    """Every card looked up among the legal actions and played."""

    def judge(state: Any, plays: list[int]) -> None:
        for action in plays:
            if action not in state.legal_actions():
                raise ValueError(action)
            state.apply_action(action)

    return lambda: [partial(judge, hand.state.clone(), hand.plays) for hand in hands]


def spiel_writing(hands: list[Spiel]) -> Prepare:
    """The legal actions of each state written out, and the card played."""

    def write(state: Any, plays: list[int]) -> None:
        for action in plays:
            player = state.current_player()
            [state.action_to_string(player, legal) for legal in state.legal_actions()]
            state.apply_action(action)

    return lambda: [partial(write, hand.state.clone(), hand.plays) for hand in hands]


# The sections.


def hearts(extent: Extent) -> None:
    """A recorded hand of Hearts: judged, listed, and answered in full, beside OpenSpiel."""
    hands = record("hearts", extent.hands, hand=3)
    number = len(hands)
    ours = measure(
        extent.rounds,
        judged=judging(hands),
        listed=listing(hands),
        checked=each_of(answer, [hand.checked for hand in hands]),
        whole=each_of(replay, [hand.request for hand in hands]),
        **spiel_sides([hearts_in_spiel(hand) for hand in hands] if pyspiel else []),
    )
    show("a hand of 52 plays, each judged (Table.act)", micro(ours["judged"], number))
    show("the same with the legal set of each state (Table.legal)", micro(ours["listed"], number))
    show("the full response from a checked request", micro(ours["checked"], number))
    show("the full response from JSON values (oracle.replay)", micro(ours["whole"], number))
    if pyspiel is None:
        show("beside OpenSpiel", "", NO_SPIEL)
        return
    spiel, texts = ours["spiel"], ours["texts"]
    show("OpenSpiel: in legal_actions(), then apply_action", micro(spiel, number))
    show("OpenSpiel: the same, each legal action written", micro(texts, number))
    show_speed("judged, times as fast as OpenSpiel", ours["judged"], spiel, 1.25)
    show_speed("listed, times as fast as OpenSpiel", ours["listed"], spiel)
    show_speed("answered (checked), times as fast as OpenSpiel", ours["checked"], spiel, 0.8)
    show_speed("answered (JSON), times as fast as OpenSpiel", ours["whole"], spiel)
    show_speed("answered (JSON), times as fast as OpenSpiel writing", ours["whole"], texts)


def spiel_sides(hands: list[Spiel]) -> dict[str, Prepare]:
    """OpenSpiel's sides of a comparison; none without hands."""
    if not hands:
        return {}
    return {"spiel": spiel_judging(hands), "texts": spiel_writing(hands)}


def spades(extent: Extent) -> None:
    """A recorded hand of Spades by the play. OpenSpiel's is another game: four play it, and spades
    may be led at any time. So the speed alone can be compared."""
    hands = record("spades", extent.hands)
    spiels = [spades_in_spiel(number) for number in range(extent.hands)] if pyspiel else []
    found = measure(
        extent.rounds,
        judged=judging(hands),
        listed=listing(hands),
        whole=each_of(replay, [hand.request for hand in hands]),
        **spiel_sides(spiels),
    )
    plays = sum(len(hand.plays) for hand in hands)
    answered = sum(len(hand.actions) for hand in hands)
    show("a play, judged", micro(found["judged"], plays))
    show("a play, with the legal set", micro(found["listed"], plays))
    show("an action in the full response from JSON values", micro(found["whole"], answered))
    if pyspiel is None:
        show("beside OpenSpiel", "", NO_SPIEL)
        return
    spiel_plays = sum(len(hand.plays) for hand in spiels)
    spiel = found["spiel"] / spiel_plays
    show("OpenSpiel: a play in legal_actions(), then apply_action", micro(spiel, 1))
    show_speed("judged, times as fast as OpenSpiel", found["judged"] / plays, spiel)
    show_speed("listed, times as fast as OpenSpiel", found["listed"] / plays, spiel)
    show_speed("answered, times as fast as OpenSpiel", found["whole"] / answered, spiel)


def others(extent: Extent) -> None:
    """Bid Whist and Belote by the play, beside our own Hearts in the same run."""
    hands = {
        "hearts": record("hearts", extent.hands, hand=3),
        "bid-whist": record("bid-whist", extent.hands),
        "belote": record("belote", extent.hands),
    }
    found = measure(
        extent.rounds,
        **{f"{name} judged": judging(each) for name, each in hands.items()},
        **{
            f"{name} whole": each_of(replay, [hand.request for hand in each])
            for name, each in hands.items()
        },
    )
    cost = {
        name: (
            found[f"{name} judged"] / sum(len(hand.plays) for hand in each),
            found[f"{name} whole"] / sum(len(hand.actions) for hand in each),
        )
        for name, each in hands.items()
    }
    for name, (judged, whole) in cost.items():
        show(f"{name}: an action from the first lead on, judged", micro(judged, 1))
        show(f"{name}: an action in the full response", micro(whole, 1))
    for name in ("bid-whist", "belote"):
        show_speed(f"{name} judged, times as fast as Hearts", cost[name][0], cost["hearts"][0])
        show_speed(f"{name} answered, times as fast as Hearts", cost[name][1], cost["hearts"][1])


def vectors(extent: Extent) -> None:
    """Loading about a thousand vectors of all games and replaying them, beside json.loads of the
    same bytes."""
    files: list[Path] = []
    cases: list[Case] = []
    for path in sorted(paths(folder("vectors")), key=lambda path: path.name):
        if len(cases) >= 1000:
            break
        files.append(path)
        cases += load_file(path).cases
    contents = [path.read_bytes() for path in files]
    found = measure(
        max(extent.rounds // 4, 3),
        json=each_of(json.loads, contents),
        strict=each_of(strict_json.loads, contents),
        load=each_of(load_file, files),
        replay=each_of(replay, [case.request for case in cases]),
    )
    size = sum(map(len, contents))
    show("the cases, and the size of their files", f"{len(cases)}", f"{size / 1e6:.2f} MB")
    for what, side in (
        ("json.loads of their bytes", "json"),
        ("strict_json.loads of their bytes", "strict"),
        ("loading the files, checked against their schema", "load"),
        ("replaying the requests", "replay"),
    ):
        show(f"{what}", f"{found[side] * 1e3:.1f} ms", f"{found[side] / found['json']:.1f} x json")
    both = found["load"] + found["replay"]
    show("loading and replaying", f"{both * 1e3:.1f} ms", f"{both / found['json']:.1f} x json")


def startup(extent: Extent) -> None:
    """``oracle --version`` beside a Python that imports click."""
    script = Path(sys.executable).with_name("oracle")
    if not script.exists():
        show("oracle --version", "", f"skipped: there is no {script}")
        return
    found = measure(
        extent.rounds,
        version=each_of(run_command, [[script, "--version"]]),
        click=each_of(run_command, [[sys.executable, "-c", "import click"]]),
        bare=each_of(run_command, [[sys.executable, "-c", "pass"]]),
    )
    show("python -c pass", f"{found['bare'] * 1e3:.1f} ms")
    show("python -c 'import click'", f"{found['click'] * 1e3:.1f} ms")
    show("oracle --version", f"{found['version'] * 1e3:.1f} ms")
    ratio = found["version"] / found["click"]
    note = "within twice" if ratio <= 2 else "more than twice"
    show("oracle --version, times as long as importing click", f"{ratio:.2f} x", f"({note})")


def run_command(command: list[str | Path]) -> None:
    """Run a command to its end."""
    subprocess.run(command, check=True, capture_output=True)


def memory(extent: Extent) -> None:
    """How much memory a run of ``oracle check`` gains with each case, the engine in this process."""
    number = extent.cases
    first, again = growth(lambda: islice(published(), number), rounds=2)
    show(f"{number} published cases", f"{first:.0f} bytes", "a case; the caches fill")
    show("the same once more", f"{again:.0f} bytes", "a case")
    numbers = count()
    early, late = growth(lambda: islice(fresh(numbers), number), rounds=2)
    show(f"{number} random hands, none twice", f"{early:.0f} bytes", "a case; the caches fill")
    show(f"{number} more", f"{late:.0f} bytes", "a case")


def growth(cases: Callable[[], Iterator[Case]], rounds: int) -> list[float]:
    """Bytes gained for each case, round by round of one run."""
    engine = InProcess()
    run = Run(engine, engine.hello())
    found = []
    tracemalloc.start()
    for _ in range(rounds):
        before, done = in_use(), run.executed
        for result in run.results(cases()):
            if result.verdict != PASS:
                raise ValueError(f"{result.case.id}: {result.verdict}")
        del result
        found.append((in_use() - before) / (run.executed - done))
    tracemalloc.stop()
    return found


def in_use() -> int:
    """The bytes in use, garbage apart."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


class InProcess:
    """The reference engine as a run asks it, without a process of its own."""

    def hello(self) -> Claims:
        """Everything is claimed."""
        return read_claims(hello())

    def ask(self, request: Json) -> Json:
        """The reference's response."""
        return replay(request)

    def stderr(self) -> str:
        """Nothing is said beside the answers."""
        return ""

    def close(self) -> None:
        """Nothing has to be ended."""


def published() -> Iterator[Case]:
    """The published cases, file by file."""
    for _, file in load_folder(folder("vectors")):
        yield from file.cases


def fresh(numbers: Iterator[int]) -> Iterator[Case]:
    """Random hands of the four games in turn."""
    for number in numbers:
        for name in GAMES:
            request = _record(name, number, {}).request
            title, source = "A hand for the benchmark", {"kind": "generated"}
            yield Case(name, title, (), (), "", source, request, replay(request))


# The runner.


def runner(extent: Extent) -> None:
    """What a case costs through a pipe, beside a bare echo: the same lines written, read and
    parsed, and nothing else. The engine repeats recorded answers."""
    cases = [case for case in islice(published(), 2 * extent.cases) if case.op != "error"]
    with TemporaryDirectory() as place:
        said, answers = Path(place, "hello"), Path(place, "answers")
        said.write_text(strict_json.dumps(hello()) + "\n", encoding="utf-8")
        lines = [strict_json.dumps(case.response)[:-1] for case in cases]
        answers.write_text("\n".join(lines), encoding="utf-8")
        command = [sys.executable, "-S", str(Path(__file__).with_name("parrot.py"))]
        command += [str(said), str(answers)]
        found = measure(
            extent.rounds // 4,
            echo=lambda: [partial(echo, command, cases)],
            runner=lambda: [partial(run_through_a_pipe, command, cases)],
        )
        size = answers.stat().st_size / len(cases)
    show("a case, bare echo", milli(found["echo"], len(cases)), f"answers of {size:.0f} bytes")
    show("a case, runner", milli(found["runner"], len(cases)))
    show("what the runner adds", milli(found["runner"] - found["echo"], len(cases)), "(aim 0.3 ms)")
    show("runner beside echo", f"{found['runner'] / found['echo']:.2f} x", "(aim at most 3)")


def echo(command: list[str], cases: list[Case]) -> None:
    """Each request written and its answer read, by the plainest means."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for seq, case in enumerate(cases, 1):
            process.stdin.write(json.dumps({**case.request, "seq": seq}).encode() + b"\n")
            process.stdin.flush()
            json.loads(process.stdout.readline())
        process.stdin.close()


def run_through_a_pipe(command: list[str], cases: Iterable[Case], jobs: int = 1) -> int:
    """A run of ``oracle check`` with so many processes of the engine; how many cases passed."""
    engine, *others = (ProcessEngine(command, Limits()) for _ in range(jobs))
    return passed(Run(engine, engine.hello(), others=others), cases)


def passed(run: Run, cases: Iterable[Case]) -> int:
    """How many cases passed; anything else would make the time worthless."""
    number = 0
    for result in run.results(cases):
        if result.verdict != PASS:
            raise ValueError(f"{result.case.id}: {result.verdict}, {result.message}")
        number += 1
    return number


def suite(extent: Extent) -> None:
    """Ten thousand published cases against the reference: in this process, and as oracle serve."""
    cases = list(islice(published(), 10 * extent.cases))
    serve = [sys.executable, "-m", "oracle", "serve"]
    found = measure(
        max(2, extent.rounds // 20),
        here=lambda: [partial(run_here, cases)],
        one=lambda: [partial(run_through_a_pipe, serve, cases)],
        two=lambda: [partial(run_through_a_pipe, serve, cases, jobs=2)],
    )
    show(f"{len(cases)} cases in process", f"{found['here']:.1f} s")
    for name, jobs in (("one", 1), ("two", 2)):
        beside = f"{found[name] / found['here']:.2f} x in process (aim at most 1.5)"
        show(f"oracle serve, --jobs {jobs}", f"{found[name]:.1f} s", beside)


def run_here(cases: list[Case]) -> int:
    """The same run with the reference in this process."""
    engine = InProcess()
    return passed(Run(engine, engine.hello()), cases)


def milli(seconds: float, number: int) -> str:
    """Seconds for so many things, as milliseconds for each."""
    return f"{seconds / number * 1e3:.3f} ms"


SECTIONS: Mapping[str, Callable[[Extent], None]] = {
    "hearts": hearts,
    "spades": spades,
    "others": others,
    "vectors": vectors,
    "startup": startup,
    "memory": memory,
    "runner": runner,
    "suite": suite,
}


def main() -> None:
    """Measure the sections that were asked for, or all."""
    parser = argparse.ArgumentParser(description="Measure the reference engine.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, in a few seconds")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    arguments = parser.parse_args()
    for name in arguments.sections or SECTIONS:
        if name not in SECTIONS:
            parser.error(f"no section {name}; there are {', '.join(SECTIONS)}")
    print(f"Python {sys.version.split()[0]}, best of several rounds, sides in turns")
    for name in arguments.sections or SECTIONS:
        print(f"{name}: {(SECTIONS[name].__doc__ or '').strip()}")
        SECTIONS[name](QUICK if arguments.quick else FULL)


if __name__ == "__main__":
    main()
