"""The tables of docs/completeness.md that are measured: kills by game and topic, null engines."""

from collections.abc import Iterable
from pathlib import Path
from statistics import median

from oracle.games import GAMES
from oracle.vectors.cases import Case

from .killing import Kill, hand_worked
from .null_engines import LEVELS, NULL_ENGINES, NullEngine, Share, shares

PAGE = Path(__file__).parents[2] / "docs" / "completeness.md"
BEGIN = "<!-- measured: python -m tests.mutants -->"
END = "<!-- end of what is measured -->"


def with_figures(page: str, kills: list[Kill]) -> str:
    """The page with its tables written anew between the markers."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{figures(kills)}\n{END}{after}"


def figures(kills: list[Kill]) -> str:
    """All tables, in Markdown."""
    cases = [case for game in GAMES for case in hand_worked(game)]
    return "\n".join(
        [
            "### Misreadings by game\n",
            _by_game(kills),
            "### Misreadings by topic\n",
            "How many mutants the hand-worked cases of a topic kill, and how many of them no other "
            "topic kills.\n",
            _by_topic(kills),
            "### Engines that know nothing\n",
            "Hand-worked cases passed of those that state something of the report.\n",
            _null_engines(cases),
        ]
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    names = list(head)
    lines = [names, ["---", *["---:"] * (len(names) - 1)], *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def _by_game(kills: list[Kill]) -> str:
    head = (
        "game",
        "mutants",
        "killed",
        "by hand-worked cases",
        "by one of them only",
        "killers a mutant (median)",
        "hand-worked cases",
        "of these kill nothing",
    )
    return _table(head, [_row_of_game(game, kills) for game in GAMES])


def _row_of_game(game: str, kills: list[Kill]) -> list[object]:
    own = [one for one in kills if one.mutant.game == game]
    killers = {name for one in own for name in one.hand_worked}
    cases = hand_worked(game)
    return [
        game,
        len(own),
        sum(bool(one.hand_worked or one.generated) for one in own),
        sum(bool(one.hand_worked) for one in own),
        sum(len(one.hand_worked) == 1 for one in own),
        int(median(len(one.hand_worked) for one in own)),
        len(cases),
        sum(case.id not in killers for case in cases),
    ]


def topic_of(case_id: str) -> str:
    """``<game>/<topic>`` of a case."""
    return case_id.rpartition("/")[0]


def _by_topic(kills: list[Kill]) -> str:
    topics: dict[str, int] = {}
    for game in GAMES:
        for case in hand_worked(game):
            topics[topic_of(case.id)] = topics.get(topic_of(case.id), 0) + 1
    killed = dict.fromkeys(topics, 0)
    alone = dict.fromkeys(topics, 0)
    for one in kills:
        by = {topic_of(name) for name in one.hand_worked}
        for topic in by:
            killed[topic] += 1
            alone[topic] += len(by) == 1
    rows = [[topic, topics[topic], killed[topic], alone[topic]] for topic in topics]
    return _table(("topic", "cases", "mutants", "no other topic"), rows)


def _null_engines(cases: list[Case]) -> str:
    totals: dict[tuple[str, str], Share] = {}
    for (name, level, _), share in shares(cases).items():
        total = totals.setdefault((name, level), Share())
        total.passed += share.passed
        total.stated += share.stated
    rows: list[list[object]] = [
        [level, totals[next(iter(NULL_ENGINES)), level].stated]
        + [_share(totals[name, level]) for name in NULL_ENGINES]
        for level in LEVELS
    ]
    engines = _table(
        ("engine", "what it does"),
        [[name, _says(engine)] for name, engine in NULL_ENGINES.items()],
    ).replace("---:", "---")
    return engines + "\n" + _table(("report", "cases", *NULL_ENGINES), rows)


def _says(engine: NullEngine) -> str:
    return (engine.__doc__ or "").strip()


def _share(share: Share) -> str:
    if not share.passed:
        return "0"
    return f"{share.passed} ({100 * share.passed / share.stated:.1f} %)"
