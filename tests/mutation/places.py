"""Where the tool may change the reference: what it can change, without what no vector can show."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import MutationVisitor
from cosmic_ray.plugins import get_operator, operator_names

import oracle.games

from .changes import Change, Place

GAMES_FOLDER = Path(oracle.games.__file__).parent

#: Operators stand in for one another within a family. Across families (a set of cards raised to
#: a power) nearly everything breaks down at once, which says nothing of the vectors.
FAMILIES = (
    {"Add", "Sub", "Mul", "FloorDiv", "Mod"},
    # ``|`` unites sets that share no card, of which ``^`` would say the same.
    *({"BitOr", "BitAnd"}, {"BitAnd", "BitXor"}),
    {"Is", "IsNot"},
    {"Eq", "NotEq"},
    # With the bound on the other side, or turned round.
    *({"Lt", "LtE"}, {"Gt", "GtE"}, {"Lt", "GtE"}, {"Gt", "LtE"}),
    {"USub", "Invert", "Delete"},
    {"Not", "Delete"},
)
#: The tool's other operators; those of it that draw a variable at random know no seed.
OTHERS = {
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "ExceptionReplacer",
    "NumberReplacer",
    "RemoveDecorator",
    "ZeroIterationForLoop",
}

#: What is no part of any response: drawn tables, what players are told, what schemas and
#: generated vectors are made from.
NOT_IN_A_RESPONSE = {
    *("facts", "picture", "rows", "Place", "Picture", "in_columns"),
    *("seen", "public", "face_down"),
    *("title", "contract", "counts", "view_extra", "profiles", "match_kinds", "gatherings"),
    *("beside", "only_seen"),
    # Numbers that stand for something else, and are told nowhere; and one beyond which JSON as a
    # vector holds it has no number.
    *("CHANCE", "FACE_DOWN", "_HUGE", "INTEGER_LIMIT"),
}
#: Arguments that only guard against a slip in the reference itself, or only save time.
GUARDS = {"strict", "frozen", "slots", "maxsize", "beside", "only_seen"}
#: The decorators that change what a function is; the others save time or make a class of values.
DECORATORS = {"property", "classmethod"}


def files() -> list[Path]:
    """The files of the reference."""
    return sorted(GAMES_FOLDER.glob("*.py"))


def changes(path: Path) -> Iterator[Change]:
    """Every change that the tool can make to a file and that a vector could show."""
    source = path.read_text(encoding="utf-8")
    tree = tree_of(source)
    module = import_module(f"oracle.games.{path.stem}")
    earlier = _earlier(source)
    for name in operators():
        ways: Counter[Any] = Counter()
        positions = (
            (node, start)
            for node in ast_nodes(tree)
            for start, _ in get_operator(name)().mutation_positions(node)
        )
        for occurrence, (node, start) in enumerate(positions):
            way = ways[start]
            ways[start] += 1
            leaf = tree.get_leaf_for_position(start)
            if is_left_out(name, node, leaf, module):
                continue
            line, column = start
            text = source.splitlines()[line - 1]
            indent = len(text) - len(text.lstrip())
            place = Place(path.name, where(leaf), text.strip(), column - indent, earlier[line - 1])
            yield Change(place, line, name, way, occurrence)


def _earlier(source: str) -> list[int]:
    """For each line how often it stands above already."""
    seen: dict[str, int] = defaultdict(int)
    counts = []
    for line in source.splitlines():
        counts.append(seen[line.strip()])
        seen[line.strip()] += 1
    return counts


def operators() -> list[str]:
    """The operators of the tool that are used, by its names for them."""
    return [name for name in operator_names() if _is_used(name.partition("/")[2])]


def _is_used(name: str) -> bool:
    what, *between = name.split("_")
    if what == "ReplaceUnaryOperator" and "UAdd" in between:
        return False  # the same as to delete the sign
    return name in OTHERS or any(len(between) == 2 and family >= {*between} for family in FAMILIES)


@cache
def tree_of(source: str) -> Any:
    """A file as the tool reads it."""
    return get_ast(source)


def mutated(source: str, change: Change) -> str:
    """The text of the file with the change made.

    The tool changes the tree itself, so a process can make one change of a file and no second.
    """
    visitor = MutationVisitor(change.occurrence, get_operator(change.operator)())
    text = visitor.walk(tree_of(source)).get_code()
    if not visitor.mutation_applied:
        raise ValueError(f"{change.operator} has no occurrence {change.occurrence}")
    return str(text)


def was_and_now(source: str, text: str, line: int) -> tuple[str, str]:
    """A line as it was, and as it is in the text with the change; empty where it is gone."""
    before, after = source.splitlines(), text.splitlines()
    if before[line - 1].lstrip().startswith("@"):
        now = ""
    elif after[line - 2] != before[line - 2]:
        # The tool joins a line that begins with a number to the one above.
        now = after[line - 2].removeprefix(before[line - 2])
    else:
        now = after[line - 1]
    return _tidy(before[line - 1]), _tidy(now)


def _tidy(line: str) -> str:
    """A line without the spaces that the tool leaves behind."""
    return re.sub(r"(?<=[\[({]) | (?= )|(?<=\[:) | (?=\])", "", line.strip())


# What is left out.


def is_left_out(operator: str, node: Any, leaf: Any, module: ModuleType) -> bool:
    """Whether no vector can show a change: it is to a type, a guard, a drawing or a stub, or
    says the same as another."""
    return (
        _is_type(leaf, module)
        or _is_guard(leaf)
        or _is_about_no_response(leaf)
        or _is_stub(leaf)
        or _repeats_another(operator, node)
    )


def _above(leaf: Any) -> Iterator[Any]:
    node = leaf
    while node is not None:
        yield node
        node = node.parent


def _is_type(leaf: Any, module: ModuleType) -> bool:
    """Whether it unites types, in an annotation or by itself."""
    if leaf.value != "|":
        return False
    united = leaf.parent.get_code(include_prefix=False)
    return isinstance(_at_the_top(united, module), type | UnionType)


@cache
def _at_the_top(code: str, module: ModuleType) -> Any:
    """What an expression is at the top of its module; None for one that is of a function."""
    try:
        return eval(code, dict(vars(module)))
    except Exception:
        return None


def _is_guard(leaf: Any) -> bool:
    for node in _above(leaf):
        if node.type == "argument" and getattr(node.children[0], "value", "") in GUARDS:
            return True
        if node.type == "decorator":
            return node.children[1].get_code() not in DECORATORS
    return False


def _is_about_no_response(leaf: Any) -> bool:
    return not NOT_IN_A_RESPONSE.isdisjoint(where(leaf).split("."))


def _is_stub(leaf: Any) -> bool:
    """Whether it belongs to a method that each game has for itself."""
    return any(
        node.type in ("funcdef", "decorated") and "raise NotImplementedError" in node.get_code()
        for node in _above(leaf)
    )


def where(leaf: Any) -> str:
    """The function in which something stands, or the name that it is bound to."""
    names: list[str] = []
    for node in _above(leaf):
        if node.type in ("funcdef", "classdef"):
            names.append(node.name.value)
        elif node.type == "expr_stmt" and not _in_function(node):
            names.append(node.children[0].get_code(include_prefix=False))
        elif node.type == "decorated" and not names:
            names.append(node.children[1].name.value)
    return ".".join(reversed(names)) or "module"


def _in_function(node: Any) -> bool:
    return any(above.type == "funcdef" for above in _above(node))


def _repeats_another(operator: str, node: Any) -> bool:
    """Not of a comparison or of a not says what another change says."""
    if not operator.endswith("/AddNot"):
        return False
    condition = node.children[2 if node.type == "test" else 1]
    return condition.type == "not_test" or (
        condition.type == "comparison" and len(condition.children) == 3
    )
