"""oracle generate: new cases by play, or the published generated sets again."""

import os
import re
from pathlib import Path

import click
from click.core import ParameterSource

from oracle import data
from oracle.cli import Stop
from oracle.cli.common import GAME, Progress
from oracle.conformance.verify import GENERATED
from oracle.files import write_whole
from oracle.games import GAMES
from oracle.generate.parallel import worth_starting
from oracle.generate.recipes import ROUND, Recipe, make, make_covered, make_shard, published
from oracle.players import PLAYERS
from oracle.rulesets import NoRuleset, read_ruleset, said
from oracle.vectors.cases import VectorFile, save_file


@click.command("generate")
@click.argument("game", type=GAME, required=False)
@click.option(
    "--seed",
    default="2",
    show_default=True,
    help="Any text; the same text gives the same cases. The published sets have 1.",
)
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many cases; with --until-covered at most.",
)
@click.option(
    "--rules",
    "rulesets",
    multiple=True,
    metavar="RULES",
    help="A profile, a JSON file, or KEY=VALUE.",
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="NAME",
    help="Who plays; each seat gets one of those named (oracle play lists them).  [default: random]",
)
@click.option("--matches", is_flag=True, help="Whole matches instead of hands.")
@click.option(
    "--until-covered",
    is_flag=True,
    help="Keep only cases that show something new, until there is nothing new.",
)
@click.option(
    "--shard",
    metavar="I/N",
    help="Make only every N-th case from the I-th on, so that N machines together make the set.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    help="Processes, at most one a core; the result doesn't depend on it.  [default: one a core]",
)
@click.option(
    "--output", type=click.Path(path_type=Path), help="The file to write, instead of stdout."
)
@click.option(
    "--published",
    "again",
    is_flag=True,
    help="Write the published generated sets again (of GAME, or of all).",
)
def command(
    game: str | None,
    seed: str,
    count: int,
    rulesets: tuple[str, ...],
    players: tuple[str, ...],
    matches: bool,
    until_covered: bool,
    shard: str | None,
    jobs: int,
    output: Path | None,
    again: bool,
) -> None:
    """Generate cases of GAME: hands played at random or by players, with refused actions tried
    in between."""
    if again:
        _refuse_beside_published()
        _published([game] if game else list(GAMES), worth_starting(jobs))
        return
    if game is None:
        raise Stop("generate: GAME is needed (or --published)")
    if output is not None and not output.absolute().parent.is_dir():
        # Said before the work, not after it.
        raise Stop(f"--output {output}: there is no folder {output.parent}")
    if shard and until_covered:
        raise Stop(
            "generate: --until-covered looks at the whole set, so it doesn't go with --shard"
        )
    for player in players:
        if player not in PLAYERS[game]:
            raise Stop(f"--player {player}: {game} has {', '.join(PLAYERS[game])}")
    try:
        rules = read_ruleset(rulesets, game)[game] if rulesets else {}
    except NoRuleset as error:
        raise Stop(f"--rules: {error}") from None
    recipe = Recipe(
        game,
        "matches" if matches else "hands",
        f"{'Matches' if matches else 'Hands'} of {GAMES[game].title}, {said(rules)} rules.",
        count,
        rules,
        players=players or ("random",),
        hands=None if matches else 1,
        seed=seed,
    )
    part = _shard(shard) if shard else None
    tasks = ROUND if until_covered else count // (part[1] if part else 1) + 1
    vectors = _make(recipe, worth_starting(jobs, tasks), until_covered, part)
    # Nobody knows yet whether schemas lie beside the folder into which it goes.
    text = vectors.text(None)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, text)


def _refuse_beside_published() -> None:
    """Raise Stop for an option that the published sets, which follow from their recipes, ignore."""
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "")
        if given is ParameterSource.COMMANDLINE and option.name not in ("game", "jobs", "again"):
            raise Stop(f"generate: {option.opts[0]} doesn't go with --published")


def _shard(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text)
    if match and int(match[1]) <= int(match[2]):
        return int(match[1]), int(match[2])
    raise Stop(f"--shard {text}: expected I/N with I from 1 to N, as in 2/8")


def _published(games: list[str], jobs: int) -> None:
    folder = data.folder("vectors")
    for game in games:
        recipes = published(game)
        for recipe in recipes:
            path = folder / game / GENERATED / f"{recipe.topic}.json"
            save_file(path, folder, _make(recipe, jobs, recipe.until_covered))
        _remove_others(folder / game / GENERATED, {recipe.topic for recipe in recipes})


def _remove_others(folder: Path, topics: set[str]) -> None:
    """Sets that no recipe makes any more go."""
    for path in folder.glob("*.json"):
        if path.stem not in topics:
            path.unlink()


def _make(
    recipe: Recipe, jobs: int, until_covered: bool = False, shard: tuple[int, int] | None = None
) -> VectorFile:
    progress = Progress(recipe.by, recipe.count)
    try:
        if shard:
            return make_shard(recipe, *shard, progress.show, jobs)
        if until_covered:
            return make_covered(recipe, progress.show, jobs)
        return make(recipe, progress.show, jobs)
    finally:
        progress.clear()
