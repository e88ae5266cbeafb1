"""A pytest plugin: every case a test with its id.

An engine that is a command: ``pytest --oracle-engine "python my_engine.py"`` adds a test for each
case that ``oracle check`` would ask it. An engine in Python: a test that takes the fixture ``oracle_case``
runs once a case::

    def test_my_engine(oracle_case):
        oracle_case.check(my_engine, claims=my_claims)

``--oracle-select GLOB`` chooses cases by id, ``--oracle-vectors DIR`` a folder of one's own; ``-k``,
``--lf`` and xdist work as with any test. docs/python.md shows both.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from oracle.cli.common import Selection
    from oracle.conformance.engine import ProcessEngine
    from oracle.conformance.run import Run
    from oracle.conformance.verdicts import Result
    from oracle.vectors.cases import Case

Json = dict[str, Any]


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("oracle", "trick-oracle: card game conformance")
    group.addoption("--oracle-engine", metavar="COMMAND", help="hold this engine against the cases")
    group.addoption(
        "--oracle-select",
        action="append",
        default=[],
        metavar="GLOB",
        help="only cases with such an id, as in 'hearts/moon/*'",
    )
    group.addoption("--oracle-vectors", metavar="DIR", help="a folder of vectors of one's own")


def _selection(config: pytest.Config) -> "Selection":
    """The cases that are asked for."""
    from oracle.cli.common import Selection

    folder, names = config.getoption("--oracle-vectors"), config.getoption("--oracle-select")
    asked = " ".join(f"--oracle-select {name}" for name in names)
    return Selection(Path(folder) if folder else None, names=names, asked=asked)


@contextmanager
def _told_in_a_line(stderr: Callable[[], str] = lambda: "") -> Iterator[None]:
    """Turn what a person got wrong into a message of pytest's own; ``stderr`` gives the last
    words of an engine."""
    from oracle.cli import Stop
    from oracle.conformance.claims import NoHandshake
    from oracle.conformance.engine import NoSuchEngine
    from oracle.files import Unreadable

    try:
        yield
    except (Stop, Unreadable) as error:
        raise pytest.UsageError(f"oracle: {error}") from None
    except (NoHandshake, NoSuchEngine) as error:
        from oracle.conformance.report.text import stderr_lines

        lines = [f"--oracle-engine: {error}"]
        if said := stderr():
            lines += stderr_lines(said)
        raise pytest.UsageError("\n".join(lines)) from None


def _again(config: pytest.Config, case: "Case") -> str:
    """The command that runs one case again."""
    words = ["pytest"]
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        words += config.args
    words += [word for path in config.getoption("--ignore") or () for word in ("--ignore", path)]
    for option in ("--oracle-engine", "--oracle-vectors"):
        words += [option, value] if (value := config.getoption(option)) else []
    # Chosen twice: only this case is made a test, and none but those of the oracle is run.
    return shlex.join([*words, "--oracle-select", case.id, "-k", case.id])


# An engine in Python: the fixture.


@dataclass(frozen=True)
class OracleCase:
    """A case for an engine in Python."""

    case: "Case"
    again: str = field(repr=False)

    @property
    def request(self) -> Json:
        """What is asked."""
        return self.case.request

    def check(
        self,
        engine: Callable[[Json], Json],
        reports: Sequence[str] | None = None,
        claims: Json | None = None,
    ) -> None:
        """Fail the test unless the engine's response is right, and skip it where the case lies
        outside its ``claims``: by game what it plays and reports, as ``games`` in an answer to
        ``hello`` (docs/protocol.md). Claims that never play a game canonically hold the engine
        to the house rules that they do play: the case is then worked out anew. Without them
        everything is asked, and ``reports`` are what the engine tells, everything if not given.

        Raises NoHandshake if the claims are none.
        """
        from oracle.conformance.claims import REPORTS
        from oracle.conformance.compare import Comparer
        from oracle.conformance.verdicts import FAIL, Result

        case = self.case
        if claims is not None:
            case, claimed = _claimed_case(case, engine, claims)
            reports = claimed if reports is None else reports
        answer = engine(case.request)
        comparer = Comparer(case.game, REPORTS if reports is None else reports)
        found = comparer.compare(case.op, case.response, answer, case.partial)
        if found.differences:
            result = Result(case, FAIL, differences=found.differences)
            pytest.fail(_told(result, self.again), pytrace=False)


def _claimed_case(
    case: "Case", engine: Callable[[Json], Json], claims: Json
) -> tuple["Case", Sequence[str]]:
    """The case as an engine with these claims is asked it, and what the engine reports; skips
    the test if it is not asked."""
    from oracle.conformance.house_rules import ASTRAY, as_asked
    from oracle.conformance.in_process import InProcess
    from oracle.conformance.run import Run, unplayed

    held = InProcess(engine, claims)
    run = Run(held, held.hello())
    claim = run.claims.games.get(case.game)
    if claim is None:
        pytest.skip(unplayed(case.game))
    asked = as_asked(case, run.claims.house_rules([case.game]), run.claims)
    if asked is None:
        pytest.skip(ASTRAY)
    if why := run.why_not_asked(asked):
        pytest.skip(why)
    return asked, sorted(claim.reports)


def _told(result: "Result", again: str) -> str:
    from oracle.conformance.report.text import failure_lines

    return "\n".join(failure_lines(result, again))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes ``oracle_case`` runs once a case."""
    if "oracle_case" in metafunc.fixturenames:
        config = metafunc.config
        selection = _selection(config)
        with _told_in_a_line():
            selection.count()
            cases = [OracleCase(case, _again(config, case)) for case in selection.cases()]
        metafunc.parametrize("oracle_case", cases, ids=[each.case.id for each in cases])


# An engine as a command: a test for each case.

_ENGINE: pytest.StashKey["ProcessEngine"] = pytest.StashKey()
_RUN: pytest.StashKey["Run"] = pytest.StashKey()


class OracleItem(pytest.Item):
    """One case held against the engine of ``--oracle-engine``."""

    def __init__(self, *, case: "Case", **rest: Any) -> None:
        super().__init__(**rest)
        self.case = case

    def runtest(self) -> None:
        """Ask the engine."""
        result = self._ask()
        if result.failed:
            pytest.fail(_told(result, _again(self.config, self.case)), pytrace=False)

    def _ask(self) -> "Result":
        from oracle.conformance.engine import Trouble
        from oracle.conformance.verdicts import Result

        engine, run = self.config.stash[_ENGINE], self.config.stash[_RUN]
        try:
            answer = engine.ask(self.case.request)
        except Trouble as trouble:
            told, stderr = str(trouble), engine.stderr()
            return Result(self.case, trouble.verdict, message=told, stderr=stderr)
        return run.judge_answer(self.case, answer, 0.0, engine.stderr)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> str:
        """The failure as it was told."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The case, as pytest lists it."""
        return self.path, None, self.case.id


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each case that the engine claims; first, so that -k and --lf see them."""
    command = config.getoption("--oracle-engine")
    if not command:
        return
    from oracle.conformance.engine import Limits, ProcessEngine
    from oracle.conformance.run import Run

    selection = _selection(config)
    engine = ProcessEngine(shlex.split(command), Limits())
    config.stash[_ENGINE] = engine
    with _told_in_a_line(engine.stderr):
        run = Run(engine, engine.hello())
        cases = list(_claimed(run, selection, bool(config.getoption("--oracle-vectors"))))
        if not cases and not run.not_asked:
            selection.count()
    config.stash[_RUN] = run
    items += [OracleItem.from_parent(session, name=case.id, case=case) for case in cases]


def _claimed(run: "Run", selection: "Selection", own: bool) -> Iterator["Case"]:
    """The cases that ``oracle check`` asks; the run counts the others of the games claimed.
    ``own`` says that they are from a folder of one's own."""
    from oracle.conformance.house_rules import ASTRAY, chosen_cases
    from oracle.vectors.numbered import numbered_cases

    claims = run.claims

    def wants(name: str, clauses: Sequence[str]) -> bool:
        return name.partition("/")[0] in claims.games and selection.wants(name, clauses)

    published = numbered_cases(selection.folder, wants)
    chosen = chosen_cases(
        published,
        claims.house_rules(),
        wants,
        others=True,
        claims=claims,
        astray=lambda _: run.not_asked.update([ASTRAY]),
        # A folder of one's own holds all that is to be asked.
        fresh=not own,
    )
    for _, case in chosen:
        if why := run.why_not_asked(case):
            run.not_asked[why] += 1
        else:
            yield case


def pytest_report_collectionfinish(
    config: pytest.Config, items: Sequence[pytest.Item]
) -> list[str]:
    """What is asked of the engine and what is not, with the reasons if nothing is."""
    run = config.stash.get(_RUN, None)
    if run is None:
        return []
    asked = sum(isinstance(item, OracleItem) for item in items)
    lines = [f"the engine's claim: {remark}" for remark in run.claims.remarks]
    lines.append(f"{_cases(asked)} asked of the engine, {run.not_asked.total()} not checked")
    if not asked:
        left = run.not_asked.items()
        lines += [f"not checked: {_cases(count)}, {why}" for why, count in left]
        lines += [] if left else ["the engine plays none of the games of these cases"]
    return [f"oracle: {line}" for line in lines]


def _cases(count: int) -> str:
    return f"{count} case{'' if count == 1 else 's'}"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave no engine running."""
    from oracle.conformance.engine import Trouble

    if engine := config.stash.get(_ENGINE, None):
        with suppress(Trouble):
            engine.close()
