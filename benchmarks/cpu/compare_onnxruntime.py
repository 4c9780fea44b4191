"""Compares compiled models with ONNX Runtime on the CPU, side by side.

usage: compare_onnxruntime.py --tools BIN --python PYTHON --out RESULTS.md
           [--pairs N] [--repeat N] [--threads 1,2] MODEL.onnx...

Every measurement is a process of its own, in ABBA order, so that drift of the
machine falls on both sides alike; the ratio of a pair is Tenon's median latency
over ONNX Runtime's, and the table gives the median ratio with the 95 % interval
of a bootstrap over pairs. PYTHON is an interpreter that has onnxruntime and
numpy (a virtual environment outside the source tree).
"""
import argparse
import json
import os
import platform
import subprocess
import tempfile
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def inputs_of(model):
    """Random inputs by name, for the graph inputs that are not initializers."""
    import onnx
    graph = onnx.load(model, load_external_data=False).graph
    known = {i.name for i in graph.initializer}
    rng = np.random.default_rng(1)
    result = {}
    for value in graph.input:
        if value.name in known:
            continue
        kind = value.type.tensor_type
        shape, dynamic = [], 0
        for dim in kind.shape.dim:
            if dim.HasField("dim_value"):
                shape.append(dim.dim_value)
            else:
                dynamic += 1
                shape.append(1 if dynamic == 1 else 128)
        if kind.elem_type == onnx.TensorProto.INT64:
            result[value.name] = rng.integers(0, 2, shape, dtype=np.int64)
        else:
            result[value.name] = rng.standard_normal(shape).astype(np.float32)
    return result


def interval(ratios):
    rng = np.random.default_rng(0)
    draws = rng.choice(ratios, (2000, len(ratios)))
    low, high = np.percentile(np.median(draws, axis=1), [2.5, 97.5])
    return np.median(ratios), low, high


def measure(model, folder, options):
    name = os.path.splitext(os.path.basename(model))[0]
    library = os.path.join(folder, name + ".so")
    start = time.perf_counter()
    subprocess.run([os.path.join(options.tools, "tenon-compile"), model, "-o", library],
                   check=True)
    compile_s = time.perf_counter() - start
    feeds = []
    for number, (key, value) in enumerate(inputs_of(model).items()):
        path = os.path.join(folder, f"{name}-{number}.npy")
        np.save(path, value)
        feeds.append((key, path))

    def tenon(threads):
        out = os.path.join(folder, "run.json")
        command = [os.path.join(options.tools, "tenon-run"), library,
                   "--repeat", str(options.repeat), "--threads", str(threads), "--json", out]
        for key, path in feeds:
            command += ["--input", f"{key}=@{path}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(out) as stream:
            report = json.load(stream)
        return (report["latency_ms"]["median"], report["load_ms"],
                report["peak_process_bytes"] / 1024)

    def ort(threads):
        command = [options.python, os.path.join(HERE, "ort_worker.py"), model, str(threads),
                   str(options.repeat)] + [f"{k}={p}" for k, p in feeds]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        report = json.loads(done.stdout.strip().splitlines()[-1])
        options.version = report["version"]
        # What Python itself and numpy hold is not ONNX Runtime's.
        return report["median_ms"], report["load_ms"], report["peak_kib"] - report["base_kib"]

    rows = []
    for threads in options.thread_counts:
        ratios, ours, theirs = [], [], []
        for pair in range(options.pairs):
            if pair % 2 == 0:
                a, b = tenon(threads), ort(threads)
            else:
                b, a = ort(threads), tenon(threads)
            ours.append(a)
            theirs.append(b)
            ratios.append(a[0] / b[0])
        ours, theirs = np.median(ours, axis=0), np.median(theirs, axis=0)
        rows.append((name, threads, interval(ratios), ours, theirs, compile_s))
        print(rows[-1], flush=True)
    return rows


def cpu_name():
    with open("/proc/cpuinfo") as stream:
        for line in stream:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    options.thread_counts = [int(t) for t in options.threads.split(",")]
    options.version = "?"
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for model in options.models:
            rows += measure(model, folder, options)
    version = subprocess.run([os.path.join(options.tools, "tenon-run"), "--version"],
                             capture_output=True, text=True).stdout.strip()
    with open(options.out, "w") as out:
        out.write(f"# Against ONNX Runtime on the CPU\n\n{version} (oneDNN 2.6.3), ONNX Runtime "
                  f"{options.version}; {cpu_name()}, {os.cpu_count()} cores; f32; "
                  f"{time.strftime('%Y-%m-%d')}; {options.pairs} ABBA pairs of {options.repeat} "
                  "runs each. Ratios are Tenon over ONNX Runtime: below 1 is faster or smaller. "
                  "Memory is the process's peak, for ONNX Runtime less Python's own.\n\n")
        out.write("| model | threads | latency ratio [95 %] | Tenon ms | ORT ms | memory ratio | "
                  "Tenon MiB | ORT MiB | load ms (Tenon, ORT) | compile s |\n")
        out.write("|---|---|---|---|---|---|---|---|---|---|\n")
        for name, threads, (mid, low, high), a, b, compile_s in rows:
            out.write(f"| {name} | {threads} | {mid:.2f} [{low:.2f}, {high:.2f}] | {a[0]:.2f} | "
                      f"{b[0]:.2f} | {a[2] / b[2]:.2f} | {a[2] / 1024:.0f} | {b[2] / 1024:.0f} | "
                      f"{a[1]:.0f}, {b[1]:.0f} | {compile_s:.1f} |\n")


main()
