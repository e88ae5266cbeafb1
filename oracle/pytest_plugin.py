"""A pytest plugin: every case a test with its id.

An engine that is a command: ``pytest --oracle-engine "python my_engine.py"`` adds a test for each
case that the engine claims. An engine in Python: a test that takes the fixture ``oracle_case``
runs once a case::

    def test_my_engine(oracle_case):
        oracle_case.check(my_engine)

``--oracle-select GLOB`` chooses cases by id, ``--oracle-vectors DIR`` a folder of one's own; ``-k``,
``--lf`` and xdist work as with any test.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
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


def _cases(config: pytest.Config) -> Iterator["Case"]:
    from oracle.cli import Stop
    from oracle.cli.common import Selection
    from oracle.files import Unreadable

    folder = config.getoption("--oracle-vectors")
    try:
        selection = Selection(
            Path(folder) if folder else None, names=config.getoption("--oracle-select")
        )
        yield from selection.cases()
    except (Stop, Unreadable) as error:
        raise pytest.UsageError(f"oracle: {error}") from None


# An engine in Python: the fixture.


@dataclass(frozen=True)
class OracleCase:
    """A case for an engine in Python."""

    case: "Case"

    @property
    def request(self) -> Json:
        """What is asked."""
        return self.case.request

    def check(self, engine: Callable[[Json], Json], reports: Sequence[str] | None = None) -> None:
        """Fail the test unless the engine's response is right; ``reports`` are what it tells
        (docs/protocol.md), everything if not given."""
        from oracle.conformance.claims import REPORTS
        from oracle.conformance.compare import Comparer
        from oracle.conformance.verdicts import FAIL, Result

        answer = engine(self.request)
        comparer = Comparer(self.case.game, REPORTS if reports is None else reports)
        found = comparer.compare(self.case.op, self.case.response, answer, self.case.partial)
        if found.differences:
            pytest.fail(
                _told(Result(self.case, FAIL, differences=found.differences)), pytrace=False
            )


def _told(result: "Result") -> str:
    from oracle.conformance.report.text import failure_lines

    return "\n".join(failure_lines(result, f"pytest -k {shlex.quote(result.case.id)}"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes ``oracle_case`` runs once a case."""
    if "oracle_case" in metafunc.fixturenames:
        cases = list(_cases(metafunc.config))
        metafunc.parametrize(
            "oracle_case", [OracleCase(case) for case in cases], ids=[case.id for case in cases]
        )


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
            pytest.fail(_told(result), pytrace=False)

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
    from oracle.conformance.claims import NoHandshake
    from oracle.conformance.engine import Limits, NoSuchEngine, ProcessEngine
    from oracle.conformance.run import Run

    engine = ProcessEngine(shlex.split(command), Limits())
    try:
        run = Run(engine, engine.hello())
    except (NoHandshake, NoSuchEngine) as error:
        raise pytest.UsageError(f"--oracle-engine: {error}") from None
    config.stash[_ENGINE], config.stash[_RUN] = engine, run
    items += [
        OracleItem.from_parent(session, name=case.id, case=case)
        for case in _cases(config)
        if run.why_not_asked(case) is None
    ]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave no engine running."""
    from oracle.conformance.engine import Trouble

    if engine := config.stash.get(_ENGINE, None):
        with suppress(Trouble):
            engine.close()
