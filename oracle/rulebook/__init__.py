"""The rules in words: a Markdown file a game, read here into entries with their ids.

An entry is a clause (``HEARTS-10``) or a ruling (``HEARTS-R05``) that settles what the clauses
leave open. Under its heading an entry may say which clauses it bears on, which option varies
it, which other ids say the same, and why no engine can break it.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_HEADING = re.compile(r"### (?P<id>[A-Z]+-R?\d\d) (?P<title>.+)")
_NOTE = re.compile(r"- (?P<name>[A-Z][a-z ]+): (?P<text>.+)")


@dataclass(frozen=True)
class Entry:
    """A clause or ruling: its id, title, words (Markdown), and what stands under its heading."""

    id: str
    game: str
    title: str
    text: str
    bears_on: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()
    unbreakable: str = ""

    @property
    def first_paragraph(self) -> str:
        """What the entry says first, on one line, with the list or table that it leads up to."""
        first, *rest = self.text.split("\n\n")
        whole = not rest or first.startswith("|") or first.endswith(".")
        return " ".join(map(_on_one_line, [first] if whole else [first, rest[0]]))


def _on_one_line(block: str) -> str:
    """A paragraph, list or table of the rulebook on one line."""
    if block.startswith("|"):
        rows = [row.strip("|").split("|") for row in block.split("\n") if "---" not in row]
        return "; ".join(" ".join(cell.strip() for cell in row) for row in rows)
    if block.startswith("- "):
        return "; ".join(item.strip("- ;") for item in block.split("\n"))
    return " ".join(block.split())


def game_text(game: str) -> str:
    """The rulebook of a game as it stands, in Markdown."""
    return files(__name__).joinpath(f"{game}.md").read_text(encoding="utf-8")


@cache
def entries(game: str) -> dict[str, Entry]:
    """The clauses and rulings of a game by id, in the order of its rulebook."""
    found: dict[str, Entry] = {}
    # What follows the rulings (tables of options and the like) belongs to no entry.
    for block in re.split(r"^(?=###? )", game_text(game), flags=re.MULTILINE):
        heading, _, body = block.partition("\n")
        if match := _HEADING.fullmatch(heading.strip()):
            found[match["id"]] = _entry(match["id"], game, match["title"], body)
    return found


def _entry(name: str, game: str, title: str, body: str) -> Entry:
    notes: dict[str, str] = {}
    lines = body.strip().split("\n")
    while lines and (note := _NOTE.fullmatch(lines[0])):
        notes[note["name"]] = note["text"]
        lines.pop(0)
    return Entry(
        name,
        game,
        title,
        "\n".join(lines).strip(),
        bears_on=_ids(notes.pop("Bears on", "")),
        options=tuple(re.findall(r"`([a-z_]+)`", notes.pop("Option", ""))),
        same_as=_ids(notes.pop("Says the same as", "")),
        unbreakable=notes.pop("No engine can break this", ""),
    )


def _ids(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[A-Z]+-R?\d\d", text))


def find(name: str, games: tuple[str, ...]) -> Entry | None:
    """The entry with this id among the rulebooks of these games."""
    return next((entries(game)[name] for game in games if name in entries(game)), None)


def says_the_same(one: str, other: str, game: str) -> bool:
    """Whether two ids are one to a runner: the same, or of one group in the rulebook."""
    entry = entries(game).get(one)
    return one == other or bool(entry and other in entry.same_as)
