"""The JSON Schemas (2020-12) of everything that crosses the border, made from the games.

``build`` makes them, ``write`` puts them into a folder, and ``problems`` says what is wrong
with a value. ``python -m oracle.schemas`` writes the published folder.
"""

from oracle.schemas.check import problems
from oracle.schemas.published import build, write

__all__ = ["build", "problems", "write"]
