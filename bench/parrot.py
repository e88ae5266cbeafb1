"""An engine that costs nothing: answers recorded beforehand, in the order of asking.

    python parrot.py HELLO ANSWERS

Each line of ANSWERS is an answer that lacks its seq and its closing brace.
"""

import sys
from pathlib import Path


def main() -> None:
    """Answer hello, then every question by the next recorded line, until bye."""
    hello, answers = (Path(name).read_text(encoding="utf-8") for name in sys.argv[1:])
    recorded = iter(answers.splitlines())
    seq = 0
    for line in sys.stdin.buffer:
        if b'"do": "hello"' in line:
            said = hello
        elif b'"do": "bye"' in line:
            return
        else:
            seq += 1
            said = f'{next(recorded)}, "seq": {seq}}}\n'
        sys.stdout.write(said)
        sys.stdout.flush()


main()
