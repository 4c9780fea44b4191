"""Runs one ONNX model in ONNX Runtime and prints one line of JSON.

usage: ort_worker.py MODEL THREADS REPEAT INPUT...   INPUT: NAME=FILE.npy
"""
import json
import sys
import time

import numpy as np


def peak_kib():
    """The largest resident size since exec (ru_maxrss would count the parent's)."""
    with open("/proc/self/status") as stream:
        for line in stream:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def main(model, threads, repeat, *inputs):
    # Python's own memory, and numpy's, before the library is loaded.
    base = peak_kib()
    import onnxruntime as ort

    ort.set_default_logger_severity(3)
    feeds = {}
    for item in inputs:
        name, path = item.split("=", 1)
        feeds[name] = np.load(path)
    options = ort.SessionOptions()
    options.intra_op_num_threads = int(threads)
    options.inter_op_num_threads = 1
    start = time.perf_counter()
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    load = time.perf_counter() - start
    if not feeds or "" in feeds:
        feeds = {session.get_inputs()[0].name: feeds[""]}
    times = []
    for _ in range(int(repeat) + 3):
        start = time.perf_counter()
        session.run(None, feeds)
        times.append(time.perf_counter() - start)
    times = times[3:]
    print(json.dumps({
        "median_ms": 1e3 * float(np.median(times)),
        "load_ms": 1e3 * load,
        "peak_kib": peak_kib(),
        "base_kib": base,
        "version": ort.__version__,
    }))


main(*sys.argv[1:])
