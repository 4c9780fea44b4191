"""Sessions of ONNX Runtime on its global pool of threads, for instances.py.

usage: ort_instances.py MODEL.onnx SESSIONS THREADS SECONDS
"""
import json
import sys
import threading
import time

import numpy as np
import onnxruntime as ort


def main():
    model, (count, threads, seconds) = sys.argv[1], map(int, sys.argv[2:])
    ort.set_default_logger_severity(3)
    ort.set_global_thread_pool_sizes(threads, 1)
    options = ort.SessionOptions()
    options.use_per_session_threads = False
    sessions = [ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
                for _ in range(count)]
    feeds = {i.name: np.full(i.shape, 0.5, np.float32) for i in sessions[0].get_inputs()}
    runs, barrier, begin = [0] * count, threading.Barrier(count + 1), [0.0]

    def work(number):
        sessions[number].run(None, feeds)
        barrier.wait()
        while time.perf_counter() < begin[0] + seconds:
            sessions[number].run(None, feeds)
            runs[number] += 1

    workers = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for worker in workers:
        worker.start()
    begin[0] = time.perf_counter() + 1e6
    barrier.wait()
    begin[0] = time.perf_counter()
    for worker in workers:
        worker.join()
    print(json.dumps({"runs_per_second": sum(runs) / (time.perf_counter() - begin[0])}))


main()
