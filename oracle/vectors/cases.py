"""Vector files: cases with their requests and responses, as they lie on disk."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oracle import schemas, strict_json
from oracle.files import Unreadable, make_folder, read_bytes, write_whole

#: Moves when the meaning of a file does; docs/vector-format.md says how to read it.
FORMAT = 1

INDEX = "index.json"
_SCHEMA = "schemas/vector-file.schema.json"
#: Files beside the index that hold no cases.
NO_CASES = {INDEX, "kills.json"}

Json = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One case: a request, the response that must come, and why it is there."""

    id: str
    title: str
    clauses: tuple[str, ...]
    flags: tuple[str, ...]
    since: str
    source: Mapping[str, Any]
    request: Json
    response: Json
    partial: bool = False
    #: What the flags of its file mean; no part of the case.
    notes: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def game(self) -> str:
        """The game that the id names."""
        return self.id.partition("/")[0]

    @property
    def op(self) -> str:
        """The op asked for; "error" when the request is wrong on purpose."""
        return "error" if "error" in self.response else str(self.request["op"])

    @property
    def hand_worked(self) -> bool:
        """Whether a person worked the response out from the rulebook."""
        return bool(self.source["kind"] == "hand-worked")

    @property
    def is_about_its_clauses(self) -> bool:
        """Whether it was chosen for its clauses; a hand played by a recipe only cites them."""
        return "/" not in self.source.get("by", "")

    def as_json(self) -> Json:
        """The case as its file holds it."""
        written: Json = {
            "id": self.id,
            "title": self.title,
            "clauses": list(self.clauses),
            "flags": list(self.flags),
            "since": self.since,
            "source": dict(self.source),
        }
        if self.partial:
            written["partial"] = True
        return {**written, "request": self.request, "response": self.response}


@dataclass(frozen=True)
class VectorFile:
    """A file of cases on one topic of one game."""

    game: str
    topic: str
    about: str
    cases: tuple[Case, ...]
    suite: str
    notes: Mapping[str, str] = field(default_factory=dict)

    def text(self, depth: int | None = 1) -> str:
        """The file as it is written, one case a line; depth is how many folders below that with
        the schemas beside it, None if there are no schemas."""
        schema = {} if depth is None else {"$schema": f"{'../' * (depth + 1)}{_SCHEMA}"}
        head = {
            **schema,
            "format": FORMAT,
            "suite": self.suite,
            "game": self.game,
            "topic": self.topic,
            "about": self.about,
            "notes": dict(self.notes),
        }
        lines = [
            f"{strict_json.dumps(key)}: {strict_json.dumps(each)}," for key, each in head.items()
        ]
        cases = ",\n".join(strict_json.dumps(case.as_json()) for case in self.cases)
        return "\n".join(["{", *lines, '"cases": [', cases, "]", "}", ""])


def load_json(path: Path, schema: str | None = None) -> Any:
    """A JSON file, checked against one of our schemas if named; raises Unreadable."""
    content = read_bytes(path)
    try:
        value = strict_json.loads(content)
        if b"\\u" in content:
            # A lone surrogate has no canonical form, of which the index gives the hash.
            strict_json.dumps(value).encode()
    except strict_json.NotJson as error:
        raise Unreadable(f"{path}: {error}") from None
    except UnicodeEncodeError:
        raise Unreadable(f"{path}: a string in it is none that UTF-8 can hold") from None
    if schema and (problems := schemas.problems(schema, value)):
        raise Unreadable(f"{path}: {problems[0]}")
    return value


def load_file(path: Path) -> VectorFile:
    """A vector file; raises Unreadable with what is wrong and where."""
    value = load_json(path, "vector-file")
    if value["format"] != FORMAT:
        raise Unreadable(f"{path}: format {value['format']}, and this oracle reads {FORMAT}")
    return VectorFile(
        value["game"],
        value["topic"],
        value["about"],
        tuple(_case(each, value["notes"]) for each in value["cases"]),
        value["suite"],
        value["notes"],
    )


def _case(value: Json, notes: Mapping[str, str]) -> Case:
    return Case(
        value["id"],
        value["title"],
        tuple(value["clauses"]),
        tuple(value["flags"]),
        value["since"],
        value["source"],
        value["request"],
        value["response"],
        value.get("partial", False),
        notes,
    )


def paths(folder: Path) -> list[Path]:
    """The vector files below a folder, in a fixed order; raises Unreadable if it is no folder, or
    one that holds a folder of vectors."""
    if folder.is_file():
        raise Unreadable(
            f"{folder}: a file, and a folder of vectors was expected; "
            "a vector file lies in one as GAME/TOPIC.json or GAME/generated/TOPIC.json"
        )
    if not folder.is_dir():
        raise Unreadable(f"{folder}: not a folder of vectors")
    within = folder / "vectors"
    if (within / INDEX).is_file() and not (folder / INDEX).exists():
        raise Unreadable(f"{folder}: not a folder of vectors; did you mean {within}?")
    return sorted(path for path in folder.rglob("*.json") if path.name not in NO_CASES)


def load_folder(folder: Path) -> Iterator[tuple[Path, VectorFile]]:
    """The vector files below a folder one by one, so that none is held longer than needed."""
    for path in paths(folder):
        yield path, load_file(path)


def has_schemas(folder: Path) -> bool:
    """Whether the schemas lie beside a folder of vectors, as they do beside the published one."""
    return (folder.resolve().parent / _SCHEMA).is_file()


def file_text(path: Path, folder: Path, vectors: VectorFile) -> str:
    """A vector file as it is written at this place below a folder of vectors; it names its schema
    only if that is there."""
    depth = len(path.relative_to(folder).parts) - 1
    return vectors.text(depth if has_schemas(folder) else None)


def save_file(path: Path, folder: Path, vectors: VectorFile) -> None:
    """Write a vector file that lies below a folder of vectors."""
    make_folder(path.parent)
    write_whole(path, file_text(path, folder, vectors))
