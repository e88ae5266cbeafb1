"""The index of a folder of vectors: where each case is, what it is about, and its hash."""

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import rfc8785

from oracle import strict_json
from oracle.files import write_whole
from oracle.vectors.cases import FORMAT, INDEX, Case, VectorFile, has_schemas, load_json

Json = dict[str, Any]


def case_hash(case: Case) -> str:
    """SHA-256 of a case in canonical form (RFC 8785), in hexadecimal."""
    return sha256(rfc8785.dumps(case.as_json())).hexdigest()


def build_index(
    folder: Path, files: Iterable[tuple[Path, VectorFile]], suite: str, retired: list[Json]
) -> Json:
    """The index of these files; retired ids are carried on from the index before."""
    cases: dict[str, Json] = {}
    totals: dict[str, Counter[str]] = {}
    ops: dict[str, Counter[str]] = {}
    for path, vectors in files:
        for case in vectors.cases:
            cases[case.id] = {
                "file": path.relative_to(folder).as_posix(),
                "op": case.op,
                "clauses": list(case.clauses),
                "sha256": case_hash(case),
            }
            kind = "hand-worked" if case.hand_worked else "generated"
            totals.setdefault(case.game, Counter()).update(["cases", kind])
            ops.setdefault(case.game, Counter())[case.op] += 1
    schema = {"$schema": "../schemas/index.schema.json"} if has_schemas(folder) else {}
    return {
        **schema,
        "format": FORMAT,
        "suite": suite,
        "cases": dict(sorted(cases.items())),
        "retired": retired,
        "totals": {
            game: {
                "cases": totals[game]["cases"],
                "ops": dict(sorted(ops[game].items())),
                "hand-worked": totals[game]["hand-worked"],
                "generated": totals[game]["generated"],
            }
            for game in sorted(totals)
        },
    }


def index_text(index: Json) -> str:
    """An index as it is written, one case a line."""
    lines = ["{"]
    for key, value in index.items():
        comma = "" if key == "totals" else ","
        if key == "cases":
            rows = [
                f"{strict_json.dumps(name)}: {strict_json.dumps(row)}"
                for name, row in value.items()
            ]
            lines += ['"cases": {', ",\n".join(rows), "},"]
        else:
            lines.append(f"{strict_json.dumps(key)}: {strict_json.dumps(value)}{comma}")
    return "\n".join([*lines, "}", ""])


def load_index(folder: Path) -> Json | None:
    """The index of a folder of vectors, or None when it has none; raises Unreadable."""
    path = folder / INDEX
    if not path.exists():
        return None
    index: Json = load_json(path, "index")
    return index


def save_index(folder: Path, index: Json) -> None:
    """Write the index of a folder of vectors."""
    write_whole(folder / INDEX, index_text(index))
