"""``python -m oracle`` is the command ``oracle``."""

from oracle.cli import main

main()
