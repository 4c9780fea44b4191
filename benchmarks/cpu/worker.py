"""What the workers of compare.py have in common: a peer's process, told what to do.

usage: X_worker.py MODEL THREADS [NAME=FILE.npy...]

It loads the model, and runs it once, then answers each line of its input by one
line of JSON: "outputs DIR" writes the outputs as DIR/NUMBER.npy, "time N" runs N
times (after three runs that do not count) and reports the median. It ends with its
input.
"""
import json
import os
import sys
import time

import numpy as np

WARM_UP = 3


class Session:
    """A peer: load(model, threads), prepare(feeds), once(), arrays(results)."""
    version = "?"


def peak_kib():
    """The largest resident size since exec (ru_maxrss would count the parent's)."""
    with open("/proc/self/status") as stream:
        for line in stream:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def median_ms(session, repeat):
    times = []
    for _ in range(WARM_UP + repeat):
        start = time.perf_counter()
        session.once()
        times.append(time.perf_counter() - start)
    return 1e3 * float(np.median(times[WARM_UP:]))


def main(session):
    # A peer's own messages must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(**values):
        print(json.dumps(values), file=answers, flush=True)

    model, threads, *inputs = sys.argv[1:]
    feeds = {name: np.load(path) for name, path in (item.rsplit("=", 1) for item in inputs)}
    # Python's own memory, and numpy's, before the library is loaded.
    base = peak_kib()
    start = time.perf_counter()
    session.load(model, int(threads))
    loaded = time.perf_counter()
    session.prepare(feeds)
    session.once()
    answer(version=session.version, load_ms=1e3 * (loaded - start),
           first_ms=1e3 * (time.perf_counter() - loaded))
    for line in sys.stdin:
        command, argument = line.split(None, 1)
        if command == "time":
            answer(median_ms=median_ms(session, int(argument)), peak_kib=peak_kib() - base)
        elif command == "outputs":
            names = []
            for name, value in session.arrays(session.once()).items():
                np.save(os.path.join(argument.strip(), f"{len(names)}.npy"), value)
                names.append(name)
            answer(names=names)
