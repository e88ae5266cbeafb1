"""A rules-conformance test oracle and reference engine for four trick-taking card games.

>>> from oracle import replay
>>> hands = ["2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
...          "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
...          "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
...          "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"]
>>> answer = replay({"op": "replay", "game": "hearts", "rules": {}, "start": {"hand": 3},
...                  "deals": [{"hands": hands}], "actions": ["0 play 3C", "0 play 2C"]})
>>> answer["states"][1]
{'ok': False, 'clause': 'HEARTS-05', 'legal': {'0': ['play 2C']}}
>>> answer["states"][2]["legal"]["1"][:3]
['play 2D', 'play 3D', 'play 4D']
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from oracle.conformance.in_process import check
    from oracle.replay import replay

__all__ = ["__version__", "check", "replay"]


def __getattr__(name: str) -> Any:
    # Imported when first asked for, so that ``oracle --version`` answers at once.
    if name == "replay":
        from oracle.replay import replay

        return replay
    if name == "check":
        from oracle.conformance.in_process import check

        return check
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
