"""An engine as a process: lines down its stdin, lines back from its stdout, nothing trusted.

The engine runs in a process group of its own, started without a shell. Writing and reading go
on side by side under a deadline, so an engine that floods stderr, never reads or never stops
talking can't hold the runner up. When it is done with, the whole group is ended.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

from oracle import strict_json

Json = dict[str, Any]

_CHUNK = 1 << 16
#: How much of what the engine last said on stderr is kept for a report.
_STDERR_TAIL = 4096
#: How long a group gets between being asked to end and being killed, in seconds.
_GRACE = 0.3


@dataclass(frozen=True)
class Limits:
    """How long an engine may take, in seconds, and how long a line may be, in bytes."""

    hello: float = 10.0
    request: float = 10.0
    bye: float = 2.0
    line: int = 16 << 20


class NoSuchEngine(ValueError):
    """A command that can't be started; one line that says why."""


class Trouble(Exception):
    """An engine that has gone wrong in a way that ends its process; ``verdict`` names it."""

    verdict = "protocol-error"


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
        self, command: Sequence[str], limits: Limits, transcript: IO[str] | None = None
    ) -> None:
        """Start the command; raises NoSuchEngine."""
        self.limits = limits
        self._transcript = transcript
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
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise NoSuchEngine(f"{command[0]}: {(reason or 'cannot be started').lower()}") from None
        self._answers = bytearray()
        self._errors = bytearray()
        self._selector = selectors.DefaultSelector()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ)
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._ended = False

    def ask(self, message: Json, seconds: float) -> Json:
        """Send one message and read one answer, a JSON object on a line; raises Trouble."""
        if self._answers or self._drain():
            raise ProtocolError(f"said something before it was asked: {self._shown(self._answers)}")
        line = strict_json.dumps(message)
        self._record("->", line)
        answer = self._exchange(line.encode() + b"\n", seconds)
        return self._read_answer(answer)

    def bye(self) -> None:
        """Ask the engine to end and wait for it; raises Trouble when it doesn't end as it should."""
        line = strict_json.dumps({"do": "bye"})
        self._record("->", line)
        stdin = self._process.stdin
        assert stdin is not None
        with contextlib.suppress(OSError):
            os.write(stdin.fileno(), line.encode() + b"\n")
            stdin.close()
        try:
            status = self._wait(self.limits.bye)
        except subprocess.TimeoutExpired:
            raise Timeout(f"did not end within {self.limits.bye:g} s of bye") from None
        self._drain()
        if status:
            raise Crash(f"{_ending(status)} at bye, and 0 was expected")
        if self._answers:
            raise ProtocolError(f"answered bye: {self._shown(self._answers)}")

    def _wait(self, seconds: float) -> int:
        """Wait for the end, taking away what it says meanwhile so that no full pipe holds it."""
        deadline = time.monotonic() + seconds
        while (status := self._process.poll()) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise subprocess.TimeoutExpired(self._process.args, seconds)
            if self._selector.get_map():
                self._take(min(left, 0.02))
            else:
                time.sleep(0.002)
        return status

    def kill(self) -> None:
        """End the engine and everything of its group that is still there. Safe to call twice."""
        if self._ended:
            return
        self._ended = True
        group = self._process.pid
        _signal_group(group, signal.SIGTERM)
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            _signal_group(group, signal.SIGKILL)
            self._process.wait()
        # Children that outlived the engine are still of its group.
        _signal_group(group, signal.SIGKILL)
        self._drain()
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    @property
    def stderr_tail(self) -> str:
        """The last that the engine said on stderr."""
        return bytes(self._errors[-_STDERR_TAIL:]).decode("utf-8", "replace").strip()

    # Reading and writing.

    def _exchange(self, line: bytes, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds
        stdin = self._process.stdin
        assert stdin is not None
        unsent = memoryview(line)
        self._selector.register(stdin, selectors.EVENT_WRITE)
        try:
            while (end := self._answers.find(b"\n")) < 0:
                if len(self._answers) > self.limits.line:
                    raise ProtocolError(f"a line of more than {self.limits.line} bytes")
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Timeout(self._silence(seconds))
                unsent = self._turn(unsent, left)
        finally:
            with contextlib.suppress(KeyError):
                self._selector.unregister(stdin)
        answer = bytes(self._answers[:end])
        del self._answers[: end + 1]
        return answer

    def _turn(self, unsent: memoryview, seconds: float) -> memoryview:
        """Wait until something can be read or written, and do it; the rest to be sent."""
        for key, events in self._selector.select(seconds):
            if events & selectors.EVENT_WRITE:
                unsent = self._send(unsent)
            elif not self._receive(key.fileobj):
                self._lost_output()
        return unsent

    def _send(self, unsent: memoryview) -> memoryview:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            unsent = unsent[os.write(stdin.fileno(), unsent) :]
        except BlockingIOError:
            return unsent
        except OSError:
            self._selector.unregister(stdin)
            self._lost_output("closed its input")
        if not unsent:
            self._selector.unregister(stdin)
        return unsent

    def _receive(self, pipe: Any) -> bool:
        """Take what a pipe holds; False when stdout has come to its end."""
        is_stdout = pipe is self._process.stdout
        try:
            data = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        if not data:
            self._selector.unregister(pipe)
            return not is_stdout
        if is_stdout:
            self._answers += data
        else:
            self._errors += data
            del self._errors[:-_STDERR_TAIL]
        return True

    def _take(self, seconds: float) -> bool:
        """Take what there is to read, waiting at most so long for it; False if there was nothing."""
        found = False
        for key, events in self._selector.select(seconds):
            if events & selectors.EVENT_READ:
                self._receive(key.fileobj)
                found = True
        return found

    def _drain(self) -> bool:
        """Take what is there to read now, within reason; whether the engine has said anything."""
        for _ in range(256):
            if not self._take(0) or len(self._answers) > self.limits.line:
                break
        return bool(self._answers)

    def _lost_output(self, what: str = "closed its output") -> None:
        """Raise Crash, saying how the process ended if it did."""
        try:
            status = self._wait(1.0)
        except subprocess.TimeoutExpired:
            raise Crash(what) from None
        self._drain()
        if self._answers.find(b"\n") >= 0:
            return
        half = f" in the middle of a line: {self._shown(self._answers)}" if self._answers else ""
        raise Crash(_ending(status) + half)

    def _silence(self, seconds: float) -> str:
        half = f"; so far it said {self._shown(self._answers)}" if self._answers else ""
        return f"no answer within {seconds:g} s{half}"

    def _read_answer(self, line: bytes) -> Json:
        if line.endswith(b"\r"):
            line = line[:-1]
        self._record("<-", line.decode("utf-8", "replace"))
        try:
            answer = strict_json.loads(line)
        except strict_json.NotJson as error:
            raise ProtocolError(f"{error}: {self._shown(line)}") from None
        if not isinstance(answer, dict):
            raise ProtocolError(
                f"an answer is a JSON object, and this is none: {self._shown(line)}"
            )
        return answer

    @staticmethod
    def _shown(data: bytes | bytearray) -> str:
        return strict_json.quote(bytes(data[:200]).decode("utf-8", "replace"))

    def _record(self, direction: str, line: str) -> None:
        if self._transcript:
            self._transcript.write(f"{direction} {line}\n")
            self._transcript.flush()


def _signal_group(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _ending(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"
