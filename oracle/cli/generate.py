"""oracle generate: new cases by play, or the published generated sets again."""

from pathlib import Path

import click

from oracle import data
from oracle.cli import Stop
from oracle.cli.common import GAME, Progress
from oracle.conformance.verify import GENERATED
from oracle.files import write_whole
from oracle.games import GAMES
from oracle.generate.recipes import Recipe, make, published
from oracle.rulesets import NoRuleset, read_ruleset, said
from oracle.vectors.cases import VectorFile, save_file


@click.command("generate")
@click.argument("game", type=GAME, required=False)
@click.option("--seed", help="Any text; the same text gives the same cases.")
@click.option("--count", type=click.IntRange(min=1), default=100, show_default=True)
@click.option(
    "--rules",
    "rulesets",
    multiple=True,
    metavar="RULES",
    help="A profile, a JSON file, or KEY=VALUE.",
)
@click.option("--matches", is_flag=True, help="Whole matches instead of hands.")
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
    seed: str | None,
    count: int,
    rulesets: tuple[str, ...],
    matches: bool,
    output: Path | None,
    again: bool,
) -> None:
    """Generate cases of GAME: hands played at random, with refused actions tried in between."""
    if again:
        _published([game] if game else list(GAMES))
        return
    if game is None or seed is None:
        raise Stop("generate: GAME and --seed are needed (or --published)")
    try:
        rules = read_ruleset(rulesets, game)[game] if rulesets else {}
    except NoRuleset as error:
        raise Stop(f"--rules: {error}") from None
    about = f"{'Matches' if matches else 'Hands'} of {GAMES[game].title}, {said(rules)} rules."
    recipe = Recipe(game, "generated", about, count, rules, hands=None if matches else 1, seed=seed)
    vectors = _make(recipe)
    if output is None:
        click.echo(vectors.text(), nl=False)
    else:
        write_whole(output, vectors.text())


def _published(games: list[str]) -> None:
    folder = data.folder("vectors")
    for game in games:
        for recipe in published(game):
            path = folder / game / GENERATED / f"{recipe.topic}.json"
            save_file(path, folder, _make(recipe))


def _make(recipe: Recipe) -> VectorFile:
    progress = Progress(recipe.by, recipe.count)
    vectors = make(recipe, progress.show)
    progress.clear()
    return vectors
