"""Cases in a process of their own, which may crash, hang or take too long on a GPU.

A worker answers in lines of JSON. Of every case there are two: one with `why` NOT_DONE when
it begins, and one when it is done. A worker that ends within a case is started again without
it, and without those that were done; but what has `again` in its line is repeated.
"""
import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time

NOT_DONE = "not done in time"
# How a worker ends that can't go on: after some errors, every call of CUDA fails.
BROKEN = 3
PR_SET_PDEATHSIG = 1
# With less time left, a worker is not started again.
NEEDED_S = 15


class Answers:
    """A worker's side. `sync` fails if CUDA is broken."""

    def __init__(self, skip):
        self.skip, self.sync = skip.split(","), lambda: None
        # The worker must not outlive its parent and keep the GPU busy.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        # What libraries print must not mix with the answers.
        self.stream = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)

    def emit(self, **values):
        print(json.dumps(values), file=self.stream, flush=True)

    @contextlib.contextmanager
    def case(self, **case):
        """What the body adds to the dictionary it gets is the answer."""
        self.emit(**case, why=NOT_DONE)
        try:
            yield case
        except Exception as error:  # what a peer raises has no common class
            text = (str(error).strip().splitlines() or [""])[0]
            self.emit(**{**case, "why": f"{type(error).__name__}: {text[:300]}"})
            try:
                self.sync()
            except Exception:
                os._exit(BROKEN)
        else:
            self.emit(**case)


@contextlib.contextmanager
def limited(seconds):
    """Ends the process then, because a hanging GPU kernel cannot be interrupted. 0: no limit."""
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


class Worker:
    def __init__(self, command, limit, log):
        self.late, self.log, self.start = False, log, log.seek(0, os.SEEK_END)
        self.process = subprocess.Popen([sys.executable, "-X", "faulthandler", *command],
                                        stdout=subprocess.PIPE, stderr=log, text=True,
                                        process_group=0)
        self.watch = threading.Timer(limit, self.stop, [True])
        self.watch.start()

    def lines(self):
        for line in self.process.stdout:
            yield json.loads(line)
        self.process.wait()
        self.watch.cancel()
        self.stop()

    def stop(self, late=False):
        self.late |= late
        try:
            # Child processes that compile must end, too, and may still be writing.
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def why(self):
        """What ended it before its time."""
        code = self.process.returncode
        if code == 0 or self.late:
            return None
        if code < 0:
            hangs = " (it took too long)" if code == -signal.SIGALRM else ""
            return f"the process ended with {signal.Signals(-code).name}{hangs}"
        self.log.seek(self.start)
        last = (self.log.read().strip().splitlines() or [""])[-1]
        return f"the process ended with {code}: {last[:300]}"


def lines(command, limit, log):
    """The answers to a command, which takes --limit SECONDS and --skip CASE,... too. `log` is a
    file that is appended to."""
    end, skip, left = time.monotonic() + limit, {}, limit
    while True:
        last = None
        worker = Worker([*command, "--limit", f"{left:.1f}", "--skip", ",".join(skip)], left + 5,
                        log)
        for line in worker.lines():
            yield line
            if "case" in line:
                last = line
                if line.get("why") != NOT_DONE and not line.get("again"):
                    skip[line["case"]] = True
        why, left = worker.why(), end - time.monotonic()
        if why and last and last.get("why") == NOT_DONE:
            yield {**last, "why": why}
        elif why and worker.process.returncode != BROKEN:
            yield {"kind": "ended", "why": why}
        if not why or not last or left < NEEDED_S:
            return
        skip[last["case"]] = True
