"""An engine that goes wrong in one way, at the requests that it is told; otherwise it is right.

    python -I -S fake.py TABLE WAY

TABLE is a JSON file: what to answer to hello (``hello``), the right response to each request
(``answers``, by the request as sorted JSON), the requests at which to go wrong (``at``), and a
file to which the process adds its id (``pids``). WAY is a function below, or ``right``.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

TABLE = {}
#: What was asked last, and how often anything was.
MEMORY = {"last": None, "count": 0}


def write(data):
    """Write bytes to stdout at once."""
    while data:
        data = data[os.write(1, data) :]


def line(answer):
    """An answer as it goes down the pipe."""
    return json.dumps(answer).encode() + b"\n"


def sleep_for_good():
    while True:
        time.sleep(1000)


def key(request):
    return json.dumps({name: request[name] for name in sorted(request) if name != "seq"})


# Ways of going wrong at a request: each is given its right answer.


def exits(answer):
    sys.stderr.write("I have had enough\n")
    sys.stderr.flush()
    os._exit(3)


def is_killed(answer):
    os.kill(os.getpid(), signal.SIGSEGV)


def exits_in_the_middle_of_a_line(answer):
    write(line(answer)[:20])
    os._exit(0)


def exits_after_the_answer(answer):
    write(line(answer))
    os._exit(0)


def hangs(answer):
    sleep_for_good()


def hangs_in_the_middle_of_a_line(answer):
    write(line(answer)[:20])
    sleep_for_good()


def ignores_sigterm_and_hangs(answer):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleep_for_good()


def leaves_children(answer, ignore="", pipes=None):
    code = f"{ignore}import time; print('ready', flush=True); time.sleep(1000)"
    for _ in range(2):
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", code], stdout=subprocess.PIPE, stderr=pipes
        )
        child.stdout.readline()
    write(line(answer))


def leaves_children_that_ignore_sigterm(answer):
    leaves_children(answer, "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); ")


def dies_and_leaves_a_child_with_the_pipes(answer):
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sleep_for_good()
    os._exit(3)


def prints_garbage(answer):
    write(b"what a hand!\n" + line(answer))


def prints_a_list(answer):
    write(line([answer]))


def prints_a_huge_line(answer):
    chunk = b"x" * (1 << 20)
    for _ in range(100):
        write(chunk)
    write(b"\n")


def prints_invalid_utf8(answer):
    write(b'{"seq": 1, "text": "\xff\xfe"}\n')


def prints_a_byte_order_mark(answer):
    write(b"\xef\xbb\xbf" + line(answer))


def prints_a_blank_line(answer):
    write(b"\n" + line(answer))


def prints_a_blank_line_after(answer):
    write(line(answer) + b"\n")


def prints_a_fraction(answer):
    write(line({**answer, "share": 1.0}))


def prints_a_key_twice(answer):
    write(line(answer).replace(b"{", b'{"seq": 0, ', 1))


def nests_too_deeply(answer):
    write(line({**answer, "deep": json.loads("[" * 900 + "]" * 900)}))


def prints_a_lone_surrogate(answer):
    write(line({**answer, "text": "\ud800"}))


def answers_twice_at_once(answer):
    write(line(answer) * 2)


def answers_twice_in_a_moment(answer):
    write(line(answer))
    time.sleep(0.1)
    write(line(answer))


def answers_again_much_later(answer):
    """Answer, and once more after the answer to the next question."""
    write(line(answer))
    MEMORY["late"] = line(answer)


def gives_the_next_seq(answer):
    write(line({**answer, "seq": answer["seq"] + 1}))


def gives_no_seq(answer):
    del answer["seq"]
    write(line(answer))


def gives_a_seq_in_words(answer):
    write(line({**answer, "seq": str(answer["seq"])}))


def answers_before_the_next_question(answer):
    write(line(answer) + line({**answer, "seq": answer["seq"] + 1}))


def closes_stdin(answer):
    os.close(0)
    write(line(answer))
    sleep_for_good()


def closes_stdout(answer):
    os.close(1)
    sleep_for_good()


def says_unsupported(answer):
    write(line({"seq": answer["seq"], "unsupported": "not yet"}))


def says_failed(answer):
    sys.stderr.write("Traceback: out of cards\n")
    sys.stderr.flush()
    write(line({"seq": answer["seq"], "failed": "out of cards"}))


def says_failed_in_numbers(answer):
    write(line({"seq": answer["seq"], "failed": 7}))


def answers_wrongly(answer):
    write(line({"seq": answer["seq"], "deal": {}}))


# Ways that do no harm.


def floods_stderr(answer):
    os.set_blocking(2, True)
    chunk = b"noise " * 20000
    for _ in range(50):
        os.write(2, chunk)
    write(line(answer)[:20])
    for _ in range(50):
        os.write(2, chunk)
    write(line(answer)[20:])


def is_slow(answer):
    for byte in line(answer)[:20]:
        write(bytes([byte]))
        time.sleep(0.01)
    write(line(answer)[20:])


def takes_its_time(answer):
    time.sleep(0.6)
    write(line(answer))


def ends_lines_as_windows_does(answer):
    write(line(answer).replace(b"\n", b"\r\n"))


def tells_more_than_was_asked(answer):
    write(line({**answer, "comment": "well played", "time": 3}))


# Ways that depend on what was asked before.


def leaks(answer):
    """Answer wrongly if one of the requests ``at`` was asked just before."""
    if MEMORY["last"] in TABLE["at"]:
        answers_wrongly(answer)
    else:
        write(line(answer))


def exits_at_every_third(answer):
    if MEMORY["count"] % 3 == 0:
        os._exit(3)
    write(line(answer))


ALWAYS = {leaks, exits_at_every_third}


# Ways at hello and bye.


def exits_at_start():
    sys.stderr.write("no licence\n")
    sys.stderr.flush()
    os._exit(1)


def greets_with_garbage():
    write(b"Welcome to the fake engine!\n" + line(TABLE["hello"]))


def greets_twice():
    write(line(TABLE["hello"]) * 2)


def floods_stderr_at_hello():
    for _ in range(50):
        os.write(2, b"noise " * 20000)
    write(line(TABLE["hello"]))


def greets_with_the_newline_later():
    write(line(TABLE["hello"])[:-1])
    time.sleep(0.1)
    write(b"\n")


def starts():
    """How often an engine with this table has been started."""
    return Path(TABLE["pids"]).read_text().count("\n")


def starts_only_once():
    if starts() > 1:
        os._exit(1)
    write(line(TABLE["hello"]))


def starts_not_the_second_time():
    if starts() == 2:
        os._exit(1)
    write(line(TABLE["hello"]))


def answers_bye():
    write(b'{"ok": true}\n')
    os._exit(0)


def talks_without_end_at_bye():
    while True:
        write(b"bye " * 20000)


def exits_with_3_at_bye():
    os._exit(3)


AT_HELLO = {
    "exits_at_start": exits_at_start,
    "hangs_at_hello": sleep_for_good,
    "greets_with_garbage": greets_with_garbage,
    "greets_twice": greets_twice,
    "floods_stderr_at_hello": floods_stderr_at_hello,
    "greets_with_the_newline_later": greets_with_the_newline_later,
    "starts_only_once": starts_only_once,
    "starts_not_the_second_time": starts_not_the_second_time,
}
AT_BYE = {
    "hangs_at_bye": sleep_for_good,
    "answers_bye": answers_bye,
    "talks_without_end_at_bye": talks_without_end_at_bye,
    "exits_with_3_at_bye": exits_with_3_at_bye,
}


def serve(way):
    if way == "exits_at_start":
        exits_at_start()
    for message in map(json.loads, sys.stdin.buffer):
        if message.get("do") == "hello":
            AT_HELLO.get(way, lambda: write(line(TABLE["hello"])))()
        elif message.get("do") == "bye":
            AT_BYE.get(way, lambda: None)()
            return
        else:
            answer_request(way, message)


def answer_request(way, request):
    seq = request.pop("seq")
    asked = key(request)
    answer = {**TABLE["answers"][asked], "seq": seq}
    MEMORY["count"] += 1
    wrong = globals().get(way)
    if way.startswith("starts") and asked in TABLE["at"]:
        # So that it has to be started again.
        os._exit(3)
    if wrong in ALWAYS or (asked in TABLE["at"] and wrong and way not in {**AT_HELLO, **AT_BYE}):
        wrong(answer)
    else:
        write(line(answer) + MEMORY.pop("late", b""))
    MEMORY["last"] = asked


if __name__ == "__main__":
    TABLE.update(json.loads(Path(sys.argv[1]).read_text()))
    with Path(TABLE["pids"]).open("a") as file:
        file.write(f"{os.getpid()}\n")
    serve(sys.argv[2])
