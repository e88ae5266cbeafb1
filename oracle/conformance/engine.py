"""An engine as a process: lines down its stdin, lines back from its stdout, nothing trusted.

The engine runs in a process group of its own, started without a shell. Writing and reading go
on side by side under a deadline, so an engine that floods stderr, never reads or never stops
talking can't hold the runner up, and no more of a line is kept than the limit allows. When it
is done with, the whole group is ended.

Mostly it is the question that is out at whose cost an engine goes wrong. But it may go wrong
after an answer, while the next question is on its way to it: with a second answer, which
carries the earlier ``seq``, or by ending before it has read the next question. ``Trouble.ago``
tells.
"""

import contextlib
import fcntl
import os
import selectors
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from oracle import strict_json
from oracle.conformance.claims import PROTOCOL, Claims, NoHandshake, read_claims

Json = dict[str, Any]

_CHUNK = 1 << 16
#: How much of what the engine last said on stderr is kept for a report, in bytes.
_STDERR_TAIL = 4096
#: How much of what was not taken as an answer goes into a transcript, in bytes.
_REST = 4096
#: How long a group gets between being asked to end and being killed, in seconds.
_GRACE = 0.3
#: How long an engine that has closed a pipe gets to end, so that it can be said how.
_LAST_WORDS = 0.5
#: How often a wait looks whether the run has been stopped or the process has ended, in seconds.
_TICK = 0.1
#: What is nested deeper is no answer: no response is nested half as deep.
_DEEPEST = 256


@dataclass(frozen=True)
class Limits:
    """How long an engine may take, in seconds, and how long a line may be, in bytes."""

    hello: float = 10.0
    request: float = 10.0
    bye: float = 2.0
    line: int = 16 << 20


@dataclass
class Stop:
    """Whether a run is to stop; an engine looks at it while it waits for an answer."""

    #: A person wants no more of it.
    interrupted: bool = False
    #: Somebody looks at this soon; where nobody does, an interrupt has to cut in.
    watched: bool = False
    #: The rest of the cases is not run.
    ended: bool = False


class Stopped(Exception):
    """A wait that was cut short because the run is to stop."""


class NoSuchEngine(ValueError):
    """A command that can't be started; one line that says why."""


class Trouble(Exception):
    """An engine that has gone wrong in a way that ends its process; ``verdict`` names it.

    ``ago`` says at the cost of which question: 0 the one that is out (at the end, ``bye``),
    1 the one before it, and so on.
    """

    verdict = "protocol-error"

    def __init__(self, message: str, ago: int = 0) -> None:
        super().__init__(message)
        self.ago = ago


class Crash(Trouble):
    """The engine ended, or stopped talking or listening for good."""

    verdict = "crash"


class Timeout(Trouble):
    """The engine didn't answer in time."""

    verdict = "timeout"


class ProtocolError(Trouble):
    """The engine said something that is not an answer."""


class EngineProcess:
    """One running engine. After any Trouble the process is of no more use: ``kill`` it."""

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        transcript: IO[bytes] | None = None,
        stop: Stop | None = None,
    ) -> None:
        """Start the command; raises NoSuchEngine. A transcript is an unbuffered file."""
        self.limits = limits
        self._transcript = transcript
        self._stop = stop or Stop()
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            told = _why_not_started(command[0], error)
            raise NoSuchEngine(f"{told}{_start_hint(command, error)}") from None
        self._selector = selectors.DefaultSelector()
        self._stdin, self._stdout, self._stderr = map(_non_blocking, self._pipes)
        #: The pipes that are waited for.
        self._open: set[int] = set()
        for pipe in (self._stdout, self._stderr):
            self._wait_for(pipe, selectors.EVENT_READ)
        self._said = bytearray()
        self._errors = bytearray()
        # How long the line is that was last sent, and what of it the pipe has not taken yet.
        self._size = 0
        self._unsent = memoryview(b"")
        # The seq of the first question and of the last one, 0 before there is any.
        self._first = self._last = 0
        self._killed = False

    def hello(self) -> Json:
        """The engine's answer to hello; raises Trouble, or Stopped."""
        answer = self._exchange({"do": "hello", "protocol": PROTOCOL}, self.limits.hello)
        self._hear_out()
        return answer

    def ask(self, request: Json, seq: int) -> Json:
        """The answer to a request that is sent under this number, the number taken out again;
        raises Trouble, or Stopped."""
        self._hear_out()
        if not self._is_open(self._stdout):
            raise self._lost("closed its output")
        self._first, self._last = self._first or seq, seq
        answer = self._exchange({**request, "seq": seq}, self.limits.request)
        told = answer.pop("seq", None)
        if type(told) is int and told == seq:
            return answer
        if ago := self._ago(told, seq):
            raise ProtocolError("answered it a second time, after the next question", ago)
        found = "no seq" if told is None else f"the seq {strict_json.quote(told)}"
        raise ProtocolError(f"the answer has {found}, and {seq} was asked")

    def bye(self) -> None:
        """Ask the engine to end and wait for it; raises Trouble when it doesn't end as it should."""
        self._hear_out()
        line = strict_json.dumps({"do": "bye"}).encode()
        self._record(b"->", line)
        with contextlib.suppress(OSError):
            os.write(self._stdin, line + b"\n")
        _close(self._pipes[0])
        status = self._wait_for_end(self.limits.bye)
        self._drain()
        if self._said:
            ago = self._ago(self._seq_said(), self._last + 1)
            what = "answered it a second time, after bye" if ago else "answered bye"
            raise ProtocolError(f"{what}: {_shown(self._said)}", ago)
        if status is None:
            raise Timeout(f"did not end within {self.limits.bye:g} s of bye")
        if status:
            raise Crash(f"{_ending(status)} at bye, and 0 was expected")

    def kill(self) -> None:
        """End the engine and everything of its group that is still there. Safe to call twice."""
        if self._killed:
            return
        self._killed = True
        group = self._process.pid
        if _signal_group(group, signal.SIGTERM):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_GRACE)
            # Children that outlive the engine are still of its group.
            _signal_group(group, signal.SIGKILL)
        self._process.wait()
        _wait_for_group(group)
        self._drain()
        for line in bytes(self._said[:_REST]).splitlines():
            self._record(b"<-", line)
        self._selector.close()
        for pipe in self._pipes:
            _close(pipe)

    @property
    def _pipes(self) -> list[IO[bytes]]:
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        return [pipe for pipe in pipes if pipe is not None]

    @property
    def stderr_tail(self) -> str:
        """The last that the engine said on stderr."""
        return bytes(self._errors).decode("utf-8", "replace").strip()

    # One question and its answer.

    def _exchange(self, message: Json, seconds: float) -> Json:
        # A lone surrogate, which UTF-8 can't hold, becomes an escape of JSON.
        line = strict_json.dumps(message).encode("utf-8", "backslashreplace")
        self._record(b"->", line)
        answer = self._take_line(line + b"\n", seconds)
        self._record(b"<-", answer)
        return read_answer(answer)

    def _take_line(self, question: bytes, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds
        self._size, self._unsent = len(question), memoryview(question)
        self._send()
        searched = 0
        while (end := self._said.find(b"\n", searched)) < 0:
            searched = len(self._said)
            if searched > self.limits.line:
                break
            if not self._is_open(self._stdout):
                raise self._lost("closed its output")
            left = deadline - time.monotonic()
            self._turn(max(left, 0))
            if left <= 0 and self._said.find(b"\n", searched) < 0:
                raise Timeout(f"no answer within {seconds:g} s{self._half_said()}")
        if not 0 <= end <= self.limits.line:
            most = f"a line of more than {self.limits.line} bytes"
            raise ProtocolError(f"{most}: {_shown(self._said)}")
        self._size = 0
        answer = bytes(self._said[:end])
        del self._said[: end + 1]
        return answer

    def _half_said(self) -> str:
        """What there is of an answer that didn't come; a hint, where none ever did."""
        if self._said:
            return f"; so far it said {_shown(self._said)}"
        if self._first == self._last:
            return " (it must flush its output after each answer)"
        return ""

    def _turn(self, seconds: float) -> None:
        """Wait until something can be read or written, and do it."""
        if self._stop.interrupted or self._stop.ended:
            raise Stopped
        ready = self._selector.select(min(seconds, _TICK))
        for key, _ in ready:
            if key.fd == self._stdin:
                self._send()
            else:
                self._receive(key.fd)
        # A child may hold the pipes open when the engine itself has gone.
        if not ready and self._process.poll() is not None:
            self._drain()
            if b"\n" not in self._said:
                raise self._lost("ended")

    def _send(self) -> None:
        """Write what the pipe takes of the question, and see to it that the rest follows."""
        try:
            self._unsent = self._unsent[os.write(self._stdin, self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            raise self._lost("closed its input") from None
        waiting = self._is_open(self._stdin)
        if self._unsent and not waiting:
            self._wait_for(self._stdin, selectors.EVENT_WRITE)
        elif waiting and not self._unsent:
            self._have_done_with(self._stdin)

    def _receive(self, pipe: int) -> bool:
        """Take some of what a pipe holds; whether that brought anything new."""
        try:
            data = os.read(pipe, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._have_done_with(pipe)
        elif pipe == self._stdout:
            # What goes beyond the limit is taken away so that the engine can end, and not kept.
            self._said += data[: max(0, self.limits.line + _CHUNK - len(self._said))]
        else:
            self._errors += data
            del self._errors[:-_STDERR_TAIL]
        return True

    def _drain(self) -> None:
        """Take what there is to read now, within reason: an engine may never stop talking."""
        for _ in range(256):
            found = False
            for pipe in (self._stdout, self._stderr):
                found |= self._is_open(pipe) and self._receive(pipe)
            if not found:
                break

    def _is_open(self, pipe: int) -> bool:
        """Whether a pipe is waited for: one to read from is until its end."""
        return pipe in self._open

    def _wait_for(self, pipe: int, event: int) -> None:
        self._selector.register(pipe, event)
        self._open.add(pipe)

    def _have_done_with(self, pipe: int) -> None:
        self._selector.unregister(pipe)
        self._open.remove(pipe)

    # Going wrong.

    def _hear_out(self) -> None:
        """Raise ProtocolError if the engine has said more than its answer to the last question."""
        if self._is_open(self._stdout):
            self._receive(self._stdout)
        if self._said:
            ago = self._ago(self._seq_said(), self._last + 1) or (1 if self._last else 0)
            raise ProtocolError(
                f"went on after its answer: {_shown(self._said)}{_debug_hint(self._said)}", ago
            )

    def _seq_said(self) -> Any:
        """The seq of the line that the engine has said unasked, if it is an answer to something."""
        with contextlib.suppress(Trouble):
            return read_answer(bytes(self._said).partition(b"\n")[0]).get("seq")
        return None

    def _ago(self, seq: Any, now: int) -> int:
        """How long before the question ``now`` the one with this seq was asked; 0 if it never was."""
        asked = type(seq) is int and self._first <= seq <= self._last and self._first
        return now - seq if asked else 0

    def _lost(self, what: str) -> Crash:
        """The Crash of an engine that has closed a pipe or ended: how, and at whose cost."""
        if self._is_open(self._stdin):
            self._have_done_with(self._stdin)
        status = self._wait_for_end(_LAST_WORDS)
        self._drain()
        if status is not None:
            what = _ending(status)
        if self._said:
            what += f" in the middle of a line: {_shown(self._said)}"
        unread = self._unread() >= self._size - len(self._unsent)
        if unread and self._last > (self._first if self._size else 0):
            return Crash(f"{what} after its answer, without reading the next question", 1)
        return Crash(what)

    def _unread(self) -> int:
        """How many bytes of what was sent still lie in the pipe, where the system can tell."""
        count = bytearray(struct.calcsize("i"))
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._stdin, termios.FIONREAD, count)
        (unread,) = struct.unpack("i", count)
        return int(unread)

    def _wait_for_end(self, seconds: float) -> int | None:
        """Wait for the end, taking away what is said meanwhile so that no full pipe holds it up;
        the exit status, or None if it takes longer."""
        deadline = time.monotonic() + seconds
        while (status := self._process.poll()) is None:
            left = deadline - time.monotonic()
            if left <= 0 or self._stop.interrupted:
                return None
            for key, _ in self._selector.select(min(left, 0.005)):
                if key.fd != self._stdin:
                    self._receive(key.fd)
        return status

    def _record(self, direction: bytes, line: bytes) -> None:
        if self._transcript:
            self._transcript.write(direction + b" " + line + b"\n")


class ProcessEngine:
    """An engine as a command on the protocol, started again when it has gone wrong."""

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        transcript: IO[bytes] | None = None,
        stop: Stop | None = None,
    ) -> None:
        """A transcript is an unbuffered file; it is given every line that crosses the pipe."""
        self._command = command
        self._limits = limits
        self._transcript = transcript
        self._stop = stop
        self._process: EngineProcess | None = None
        self._seq = 0
        self._tail = ""

    def hello(self) -> Claims:
        """Start the command afresh and shake hands; raises NoHandshake, NoSuchEngine or Stopped."""
        self.abandon()
        self._process = EngineProcess(self._command, self._limits, self._transcript, self._stop)
        try:
            return read_claims(self._process.hello())
        except Crash as crash:
            self.abandon()
            raise NoHandshake(f"{crash} before it answered hello, as an engine must") from None
        except Trouble as trouble:
            self.abandon()
            raise NoHandshake(str(trouble)) from None
        except BaseException:
            self.abandon()
            raise

    def ask(self, request: Json) -> Json:
        """Send a request with a number of its own, and read the answer with that number; raises
        Trouble or Stopped."""
        if self._process is None:
            try:
                self.hello()
            except (NoHandshake, NoSuchEngine) as error:
                raise Crash(f"started again, and no handshake: {error}") from None
        assert self._process is not None
        self._seq += 1
        try:
            return self._process.ask(request, self._seq)
        except (Trouble, Stopped):
            self.abandon()
            raise

    def stderr(self) -> str:
        """The last that the engine said on stderr, also when it has just been ended."""
        return self._process.stderr_tail if self._process else self._tail

    def close(self) -> None:
        """Say bye, and see to it that nothing is left running; raises Trouble if the engine
        doesn't end as it should."""
        if self._process is not None:
            try:
                self._process.bye()
            finally:
                self.abandon()

    def abandon(self) -> None:
        """End the engine at once, without a word."""
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            self._tail = process.stderr_tail


def read_answer(line: bytes) -> Json:
    """The JSON object that a line is, fit to be compared and shown; raises ProtocolError."""
    if not line.strip():
        raise ProtocolError("a blank line, and an answer was expected")
    try:
        answer = strict_json.loads(line)
    except strict_json.NotJson as error:
        raise ProtocolError(f"{error}: {_shown(line)}{_debug_hint(line)}") from None
    if not isinstance(answer, dict):
        told = f"an answer is a JSON object, and this is none: {_shown(line)}"
        raise ProtocolError(told + _debug_hint(line))
    if line.count(b"[") + line.count(b"{") > _DEEPEST and _is_deeper(answer, _DEEPEST):
        raise ProtocolError(f"nested more than {_DEEPEST} deep: {_shown(line)}")
    if b"\\u" in line and not _fits_utf8(answer):
        raise ProtocolError(f"a string that UTF-8 can't hold: {_shown(line)}")
    for way in ("failed", "unsupported"):
        if not isinstance(answer.get(way, ""), str):
            raise ProtocolError(f"{way} says why in a string: {_shown(line)}")
    return answer


def _is_deeper(value: Any, most: int) -> bool:
    """Whether lists and objects are nested in each other more than so many times."""
    layer = [value]
    for _ in range(most):
        inner = [each.values() if isinstance(each, dict) else each for each in layer]
        layer = [each for values in inner for each in values if isinstance(each, dict | list)]
        if not layer:
            return False
    return True


def _fits_utf8(value: Any) -> bool:
    try:
        strict_json.dumps(value).encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(data: bytes | bytearray) -> str:
    """The beginning of what an engine said, as a message can show it."""
    return strict_json.quote(bytes(data[:200]).decode("utf-8", "replace"))


def _debug_hint(line: bytes | bytearray) -> str:
    """Where to put what seems to have been meant for a person."""
    if line.lstrip(b" \t\r\xef\xbb\xbf")[:1] in (b"", b"{", b"["):
        return ""
    return " (stdout is for answers; anything else belongs on stderr)"


def _why_not_started(name: str, error: OSError | ValueError) -> str:
    if not name:
        return "the command of the engine is an empty word"
    if Path(name).is_dir():
        # The system calls that a lack of permission.
        return f"{name}: is a directory"
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"{name}: {(reason or 'cannot be started').lower()}"


def _start_hint(command: Sequence[str], error: Exception) -> str:
    """What may have been meant by a command that can't be started."""
    name = command[0]
    if " " in name and len(command) == 1 and isinstance(error, FileNotFoundError):
        return f"; without quotation marks around all of it: -- {name}"
    if not Path(name).is_file():
        return ""
    if isinstance(error, FileNotFoundError) and "/" not in name:
        return f"; what lies here is ./{name}"
    if isinstance(error, PermissionError):
        return f"; make it executable (chmod +x {name}), or put before it what runs it"
    return "; put before it what runs it, such as python3"


def _non_blocking(pipe: IO[bytes]) -> int:
    """The descriptor of a pipe at which nobody waits."""
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def _close(pipe: IO[bytes]) -> None:
    with contextlib.suppress(OSError):
        pipe.close()


def _signal_group(group: int, number: int) -> bool:
    """Send a signal to all processes of a group; whether there were any."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _wait_for_group(group: int) -> None:
    """Give a group that has been killed the moment that it takes to go."""
    for _ in range(20):
        if not _signal_group(group, 0):
            break
        time.sleep(0.002)


def _ending(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"
