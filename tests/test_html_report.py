"""The report for people, as a file and as a browser shows it."""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from oracle.conformance.report.html import PANELS_OF_A_GAME
from oracle.conformance.report.html_table import painted, picture, story
from oracle.conformance.run import Run
from oracle.conformance.verdicts import VERDICTS
from oracle.data import folder
from oracle.games import GAMES
from oracle.replay import at_table
from oracle.rulebook import entries
from oracle.story import table_after
from oracle.vectors.cases import load_folder
from oracle.wire import read_request
from tests.reported import (
    NASTY,
    BrokenSpades,
    FreePlay,
    LeadWins,
    OpenHands,
    QueenBreaks,
    Talking,
    cases,
    finished,
    playing,
    report,
    result,
    run,
)

NODE = Path(__file__).parent / "node"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
#: Topics with failures of every op, some of them only with nasty words.
ASKED = (
    *cases("hearts/breaking-hearts", "hearts/views", "hearts/wrong-requests", most=12),
    *cases("hearts/perft", "hearts/shuffle", "hearts/scores", most=6),
    *cases("belote/beating", "bid-whist/first-lead", "spades/first-lead", most=12),
)
QUEEN = "hearts/breaking-hearts/queen-discarded-canonical-twin"
Json = dict[str, Any]


def wrong_engine() -> Talking:
    """An engine with a mistake in every game, and nasty words for every ninth request."""
    play = playing(QueenBreaks, OpenHands_and_queen, FreePlay, BrokenSpades, LeadWins)
    asked = 0

    def answer(request: Json) -> Json:
        nonlocal asked
        asked += 1
        if asked % 9 == 0:
            return {"failed": NASTY}
        if asked % 9 == 4:
            return {"states": [{"legal": {"0": [NASTY]}}], "nodes": NASTY, "hand": {NASTY: NASTY}}
        return play(request)

    return Talking(answer, NASTY, name=f"engine {NASTY}")


class OpenHands_and_queen(QueenBreaks, OpenHands):  # noqa: N801
    """Hearts with both mistakes."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    """A report on a run with all sorts of failures, and the run."""
    path = tmp_path_factory.mktemp("html") / "run.html"
    return path, run(wrong_engine(), ASKED, [report(path, ["./engine", NASTY])])


# The file.


class Page(HTMLParser):
    """The elements of a page with their attributes; a tag that is not closed in turn is noted."""

    VOID = {"meta", "link", "input", "br"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.wrong: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.wrong += self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")


def test_every_element_is_closed_in_turn_whatever_an_engine_says(
    written: tuple[Path, Run],
) -> None:
    page = Page(written[0].read_text(encoding="utf-8"))
    assert page.wrong == []
    kinds = Counter(tag for tag, _ in page.elements)
    assert (kinds["script"], kinds["style"], kinds["img"], kinds["iframe"]) == (1, 1, 0, 0)
    assert all(not name.startswith("on") for _, attributes in page.elements for name in attributes)


def test_the_page_points_at_nothing_outside_itself(written: tuple[Path, Run]) -> None:
    text = written[0].read_text(encoding="utf-8")
    page = Page(text)
    pointing = [
        value
        for _, attributes in page.elements
        for name, value in attributes.items()
        if name in ("src", "href", "action", "data", "poster", "srcset")
    ]
    assert pointing == ["data:,"]
    assert not re.search(r"url\(|@import|https?://", text)


def test_the_page_lets_no_script_run_but_its_own(written: tuple[Path, Run]) -> None:
    text = written[0].read_text(encoding="utf-8")
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in text
    assert "default-src 'none'" in text


def test_every_slot_of_the_page_is_filled(written: tuple[Path, Run]) -> None:
    assert "<!--" not in written[0].read_text(encoding="utf-8")


def test_every_failure_and_every_pass_is_named(
    written: tuple[Path, Run],
) -> None:
    path, done = written
    page = Page(path.read_text(encoding="utf-8"))
    shown = [each for each in page.elements if each[1].get("class") == "case"]
    failed = done.verdicts.total() - done.verdicts["pass"]
    assert Counter(tag for tag, _ in shown)["details"] > failed / 2
    assert len(shown) == failed
    named = [1 for tag, attributes in page.elements if tag == "li" and "data-clauses" in attributes]
    assert len(named) == done.verdicts["pass"] > 0


def test_every_verdict_has_its_place_on_the_page(tmp_path: Path) -> None:
    text = finished(tmp_path / "run.html", map(result, VERDICTS))
    assert Page(text).wrong == []
    for verdict in VERDICTS:
        assert text.count(f'<option value="{verdict}">{verdict} (1)</option>') == 1
        quiet = f'class="topic" data-game="hearts" data-verdict="{verdict}"'
        loud = f'data-verdict="{verdict}" data-game="hearts"'
        assert (quiet in text) != (loud in text)


def panels(text: str) -> dict[str, str]:
    """The cases that can be unfolded, by id."""
    found = r'<details class="case" id="([^"]+)".*?</div></details>\n'
    return {each[1]: each[0] for each in re.finditer(found, text, re.DOTALL)}


def test_a_failure_has_its_clauses_with_their_words(written: tuple[Path, Run]) -> None:
    panel = panels(written[0].read_text(encoding="utf-8"))[QUEEN]
    entry = entries("hearts")["HEARTS-R07"]
    assert f"{entry.id} {entry.title}" in panel
    assert "Playing the queen of spades leaves them as they were." in panel
    assert "<li><code>queen_breaks_hearts: true</code>: the queen" in panel


def test_the_rulebook_is_set_in_paragraphs_lists_and_tables(tmp_path: Path) -> None:
    case = cases("belote/card-values", most=1)[0]
    text = finished(tmp_path / "run.html", [result("fail", case)])
    assert "BELOTE-17" in case.clauses
    assert "<tr><td>trump J</td><td>20</td></tr>" in text


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    """A report on 2000 published cases, all of them failed, and the run."""
    path = tmp_path_factory.mktemp("html") / "run.html"
    published = (case for _, each in load_folder(folder("vectors")) for case in each.cases)
    engine = Talking(lambda request: {"failed": "no"})
    return path, run(engine, islice(published, 2000), [report(path)])


def test_of_many_failures_each_clause_has_one_to_unfold_and_the_page_stays_small(
    crowded: tuple[Path, Run],
) -> None:
    path, done = crowded
    text = path.read_text(encoding="utf-8")
    assert done.verdicts["engine-error"] == 2000
    shown = panels(text)
    by_game = Counter(name.partition("/")[0] for name in shown)
    named = re.findall(r'<div class="case" id="([^"]+)"', text)
    assert len(shown) + len(named) == 2000
    assert f"{len(named)} of the failed cases stand here with their titles only" in text
    # What failed comes before what was not checked, also where all stands in one column.
    template = files("oracle.conformance.report").joinpath("report.html").read_text()
    assert template.index("<!--= clauses =-->") < template.index("<!--= unchecked =-->")
    assert template.index("<!--= unchecked =-->") < template.index("<h2>Cases</h2>")
    clauses = Counter(re.findall(r'<span class="id">[^<]+ · ([A-Z0-9-]+)', "".join(shown.values())))
    everything = re.findall(r'<span class="id">[^<]+ · ([A-Z0-9-]+)', text)
    assert clauses.keys() == set(everything)
    for game, count in by_game.items():
        own = len([clause for clause in clauses if clause in entries(game)])
        # Hand-worked cases and generated ones have room of their own.
        assert PANELS_OF_A_GAME < count <= 2 * PANELS_OF_A_GAME + own + 1
    assert len(text.encode()) < 4_000_000


def test_without_a_handshake_there_is_a_page_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    report(path).finish(None, 4)
    text = path.read_text(encoding="utf-8")
    assert Page(text).wrong == []
    assert "There was no handshake with the engine." in text


# Tables and games.


def test_red_cards_are_red_and_black_ones_are_not() -> None:
    told = painted("play ♣ 3 10  ♥ 6 10  ♠ 2, then Q♥ 10♠ A♦")
    assert re.findall(r'<span class="r">(.*?)</span>', told.replace("\ufe0e", "")) == [
        "♥ 6 10",
        "Q♥",
        "A♦",
    ]


@pytest.mark.parametrize("game", GAMES)
def test_every_table_of_published_cases_can_be_drawn(game: str) -> None:
    topics = sorted((folder("vectors") / game).glob("*.json"))
    drawn = 0
    for topic in topics:
        for case in cases(f"{game}/{topic.stem}", most=4):
            if case.op in ("replay", "view", "perft"):
                request = read_request(case.request)
                last = len(request.actions)
                text = picture(table_after(request, last)) + story(request, last)
                assert Page(text).wrong == []
                assert text.count("<mark>") == (last > 0)
                drawn += 1
    assert drawn > 20


def test_four_seats_lie_in_a_cross_and_two_in_rows() -> None:
    for name, shape, order in (("hearts", "cross", [3, 2, 1, 0]), ("spades", "rows", [1, 0])):
        case = cases(f"{name}/views", most=1)[0]
        text = picture(at_table(read_request(case.request)))
        assert text.startswith(f'<div class="table {shape}">')
        assert [int(seat) for seat in re.findall(r'class="seat s(\d)"', text)] == order


def test_stacks_show_what_lies_open_what_is_covered_and_what_is_gone() -> None:
    case = next(each for each in cases("belote/open-cards") if len(each.request["actions"]) > 4)
    text = picture(table_after(read_request(case.request), len(case.request["actions"])))
    assert text.count('class="stacks"') == 4
    assert text.count('class="card on"') + text.count('class="card r on"') > 0
    assert "on a covered card" in text


def test_a_game_is_told_trick_by_trick_up_to_the_action_that_matters() -> None:
    case = next(each for each in cases("hearts/breaking-hearts") if each.id == QUEEN)
    text = story(read_request(case.request), 8).replace("\ufe0e", "")
    rows = re.findall(r"<tr><th scope=row>(\d*)</th>(.*?)</tr>", text)
    assert [number for number, _ in rows] == ["1", "2"]
    cards = [re.findall(r"([\dJQKA]+[♣♦♥♠])</span>", row) for _, row in rows]
    assert cards == [["5♣", "9♣", "K♣", "2♣"], ["Q♠", "3♦", "A♦", "2♦"]]
    assert re.findall(r"<mark>.*?([\dJQKA]+[♣♦♥♠])", text) == ["3♦"]


def test_of_earlier_hands_only_the_result_is_told() -> None:
    case = next(
        each
        for each in cases("hearts/match-end")
        if each.op == "replay" and hands(each.response) > 1
    )
    request = read_request(case.request)
    ends = [n for n, state in enumerate(case.response["states"]) if "hand" in state]
    text = story(request, ends[0])
    assert text.startswith("<table")
    assert text.count("Hand 1: scores") == 1
    text = story(request, ends[0] + 1)
    assert text.startswith("<p>Hand 1: scores")
    assert len(re.findall("<tr><th scope=row>", text)) <= 1


def hands(response: Json) -> int:
    """How many hands a response to replay has scored, the last perhaps still going on."""
    states = response.get("states", [])
    scored = sum("hand" in state for state in states)
    return scored + ("hand" not in states[-1])


# The browser.


class Browser:
    """A browser that is told what to do, line by line (see browse.mjs)."""

    def __init__(self, program: str) -> None:
        self._node = subprocess.Popen(
            ["node", NODE / "browse.mjs", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def __call__(self, verb: str, **given: Any) -> Any:
        """Do something; what came of it."""
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.write(json.dumps({"do": verb, **given}) + "\n")
        self._node.stdin.flush()
        answer = json.loads(self._node.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def end(self) -> None:
        """Close the browser."""
        self._node.communicate(timeout=60)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of this file; skipped without one, but not in CI."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    missing = ""
    if not shutil.which("node"):
        missing = "Node is not installed"
    elif not (NODE / "node_modules" / "playwright-core").is_dir():
        missing = "playwright-core is not installed: run npm ci in tests/node"
    elif program is None:
        missing = "Chromium is not installed"
    if missing and os.environ.get("CI") == "true":
        pytest.fail(missing)
    if missing or program is None:
        pytest.skip(missing)
    made = Browser(program)
    yield made
    made.end()


Open = Callable[..., Browser]


@pytest.fixture
def opened(browser: Browser, written: tuple[Path, Run]) -> Open:
    """Opens the report; afterwards nothing may have gone wrong in the page."""

    def show(width: int = 1280, scheme: str = "light", at: str = "", **how: Any) -> Browser:
        browser("open", url=written[0].as_uri() + at, width=width, scheme=scheme, **how)
        return browser

    return show


everywhere = pytest.mark.parametrize(
    ("width", "scheme"), [(width, scheme) for width in WIDTHS for scheme in SCHEMES]
)

UNFOLD = "() => document.querySelectorAll('details').forEach((each) => { each.open = true; })"


@everywhere
def test_the_page_opens_with_its_counts(
    opened: Open, written: tuple[Path, Run], width: int, scheme: str
) -> None:
    done = written[1]
    page = opened(width, scheme)
    failed = done.verdicts.total() - done.verdicts["pass"]
    assert page("text", selector=".headline") == (
        f"{failed} of {done.verdicts.total()} cases failed."
    )
    assert page("text", selector="ul.verdicts .pass") == f"{done.verdicts['pass']} pass"
    assert page("text", selector=".shown") == f"{len(ASKED)} of {len(ASKED)} cases"
    assert page("visible", selector=".case") == failed
    assert page("visible", selector=".panel") == 0
    assert page("troubles") == []


@everywhere
def test_the_page_never_scrolls_sideways(opened: Open, width: int, scheme: str) -> None:
    page = opened(width, scheme)
    page("evaluate", script=UNFOLD)
    over = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page("evaluate", script=over) <= 0
    # Nor is anything cut off at the side.
    cut = """() => [...document.querySelectorAll("main *, header *")].filter((each) => {
      const box = each.getBoundingClientRect();
      return box.width > 1 && box.right > document.documentElement.clientWidth + 1;
    }).map((each) => each.outerHTML.slice(0, 200))"""
    assert page("evaluate", script=cut) == []


CONTRAST = """() => {
  const number = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const ground = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = number(getComputedStyle(each).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const faint = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const words = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!words || !element.checkVisibility()) continue;
    const [one, other] = [number(getComputedStyle(element).color), ground(element)].map(light);
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) faint.add(`${element.tagName}.${element.className} ${contrast.toFixed(2)}`);
  }
  return [...faint];
}"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_word_can_be_read_against_its_ground(opened: Open, scheme: str) -> None:
    page = opened(1280, scheme)
    page("evaluate", script=UNFOLD)
    assert page("evaluate", script=CONTRAST) == []


def test_the_dark_page_is_dark_and_prints_on_white(opened: Open) -> None:
    ground = "() => getComputedStyle(document.documentElement).getPropertyValue('--page')"
    light, dark = (opened(1280, scheme)("evaluate", script=ground) for scheme in SCHEMES)
    assert light != dark
    page = opened(1280, "dark")
    page("click", selector=f'[id="{QUEEN}"] > summary')
    page("print")
    assert page("evaluate", script=ground) == light
    paper = """() => [getComputedStyle(document.documentElement).colorScheme,
      getComputedStyle(document.body).backgroundColor]"""
    assert page("evaluate", script=paper) == ["light", "rgb(255, 255, 255)"]
    assert page("visible", selector="form.filter") == 0
    assert page("visible", selector=".copy button") == 0
    assert page("visible", selector=".panel") == 1


@everywhere
def test_a_failure_unfolds_to_its_table(opened: Open, width: int, scheme: str) -> None:
    page = opened(width, scheme)
    page("click", selector=f'[id="{QUEEN}"] > summary')
    shown = page("text", selector=f'[id="{QUEEN}"] .panel').replace("\ufe0e", "")
    assert "too many" in shown
    assert "play ♥ 6 10" in shown
    assert 'The table after action 8 of 11, "1 play 3D"' in shown
    assert "HEARTS-R07 The queen of spades does not break hearts" in shown
    assert "oracle check --vectors mine --case hearts/breaking-hearts/" in shown
    boxes = page(
        "evaluate",
        script="""(id) => Object.fromEntries([0, 1, 2, 3].map((seat) => {
          const box = document.getElementById(id).querySelector(`.s${seat}`).getBoundingClientRect();
          return [seat, [box.x + box.width / 2, box.y + box.height / 2]];
        }))""",
        given=QUEEN,
    )
    (x0, y0), (x1, _), (x2, y2), (x3, _) = (boxes[seat] for seat in "0123")
    assert x1 < x0 < x3
    assert x1 < x2 < x3
    assert y2 < y0
    assert page("troubles") == []


@everywhere
def test_cases_are_filtered_by_game_verdict_clause_and_words(
    opened: Open, width: int, scheme: str
) -> None:
    page = opened(width, scheme)

    def shown() -> set[str]:
        script = """() => [...document.querySelectorAll(".case, .topic li")]
          .filter((each) => !each.hidden && !each.closest(".topic")?.hidden)
          .map((each) => each.id || each.closest(".topic").firstChild.textContent + "/"
            + each.querySelector("b").textContent)"""
        return set(page("evaluate", script=script))

    everything = {case.id for case in ASKED}
    assert shown() == everything
    page("select", selector="#game", value="belote")
    assert shown() == {name for name in everything if name.startswith("belote/")}
    page("select", selector="#game", value="")
    page("select", selector="#clause", value="HEARTS-R07")
    assert shown() == {case.id for case in ASKED if "HEARTS-R07" in case.clauses}
    page("fill", selector="#words", value="QUEEN  discarded")
    assert QUEEN in shown()
    assert all("queen" in name for name in shown())
    assert page("text", selector=".shown") == f"{len(shown())} of {len(everything)} cases"
    page("click", selector="form.filter button")
    assert shown() == everything
    page("select", selector="#verdict", value="pass")
    assert page("visible", selector=".case") == 0
    assert page("visible", selector=".quiet[data-verdict=pass] li") == len(shown())
    assert page("text", selector="#none") == "No failed case fits."
    assert page("troubles") == []


def test_a_clause_in_the_summary_shows_its_cases(opened: Open) -> None:
    page = opened()
    page("select", selector="#game", value="spades")
    page("click", selector='button[data-value="BELOTE-14"]')
    own = [case.id for case in ASKED if "BELOTE-14" in case.clauses]
    assert page("text", selector=".shown") == f"{len(own)} of {len(ASKED)} cases"
    assert page("evaluate", script="() => document.getElementById('clause').value") == "BELOTE-14"


def test_the_address_of_a_case_opens_it(opened: Open) -> None:
    page = opened(at=f"#{QUEEN}")
    assert page("visible", selector=".panel") == 1
    assert page("visible", selector=f'[id="{QUEEN}"] .panel') == 1


def test_the_command_is_copied_without_a_network(opened: Open) -> None:
    page = opened(at=f"#{QUEEN}")
    command = page("text", selector=f'[id="{QUEEN}"] .copy code')
    page("click", selector=f'[id="{QUEEN}"] .copy button')
    page("wait", selector=f'[id="{QUEEN}"] .copy button', text="Copied")
    page("evaluate", script="() => document.getElementById('words').focus()")
    page("press", key="Control+V")
    pasted = page("evaluate", script="() => document.getElementById('words').value")
    assert pasted == command
    assert pasted.startswith("oracle check --vectors mine --case")


def test_a_failure_unfolds_from_the_keyboard(opened: Open) -> None:
    page = opened()
    page("evaluate", script="() => document.querySelector('form.filter button').focus()")
    page("press", key="Tab")
    focused = "() => document.activeElement.tagName + document.activeElement.parentElement.id"
    first = page("evaluate", script="() => document.querySelector('.case').id")
    assert page("evaluate", script=focused) == f"SUMMARY{first}"
    page("press", key="Enter")
    assert page("visible", selector=".panel") == 1
    ring = "() => getComputedStyle(document.activeElement).outlineStyle"
    assert page("evaluate", script=ring) == "solid"


def test_an_engines_words_do_nothing_in_the_page(opened: Open) -> None:
    page = opened()
    title = page("evaluate", script="() => document.title")
    page("evaluate", script=UNFOLD)
    assert page("evaluate", script="() => document.title") == title != "owned"
    for selector, count in (("script", 1), ("img", 0), ("main h1", 0), (".panel .panel", 0)):
        found = "(selector) => document.querySelectorAll(selector).length"
        assert page("evaluate", script=found, given=selector) == count
    assert page("text", selector=".message").startswith(
        "the engine itself failed: </script><script>document.title = 'owned'</script><img src=x"
    )
    assert "\\u202eright to left\\u2069" in page("text", selector=".message")
    assert page("troubles") == []


def test_without_scripts_the_page_can_still_be_read(opened: Open) -> None:
    page = opened(script=False)
    assert page("visible", selector="form.filter") == 0
    assert page("visible", selector=".copy button") == 0
    page("click", selector=f'[id="{QUEEN}"] > summary')
    assert "too many" in page("text", selector=f'[id="{QUEEN}"] .panel')


@pytest.mark.parametrize("width", WIDTHS)
def test_thousands_of_failures_shift_nothing_about(
    browser: Browser, crowded: tuple[Path, Run], width: int
) -> None:
    browser("open", url=crowded[0].as_uri(), width=width)
    assert browser("visible", selector=".case") == 2000
    # Two frames on, all that moves has moved.
    settled = (
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    browser("evaluate", script=settled)
    assert browser("evaluate", script="() => window.shifts") == 0
    assert browser("troubles") == []
