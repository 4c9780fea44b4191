"""How long the corpus takes to compile, beside IREE, and what code for several CPUs adds.

usage: compile_time.py --tools DIR --corpus DIR --iree DIR [--set tuned|unseen|all] [NAME...]

For each model, on one core: the seconds of processor time of tenon-compile with its defaults
(code for two kinds of CPUs), of tenon-compile for one of them, and of iree-import-onnx and
iree-compile (llvm-cpu for the host's CPU), each once; and the bytes of code of both libraries of
Tenon, with its runtime, without weights. --iree is the folder of IREE's tools, of the
iree-base-compiler[onnx] package. The last line has the medians of the ratios.
"""
import argparse
import os
import resource
import statistics
import subprocess
import tempfile

import models

ONE = "cpu:x86-64-v4"


def seconds(*command, limit=600):
    """Processor time of a command on one core; None if it fails or takes too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        subprocess.run(["taskset", "-c", "0", *command], check=True, timeout=limit,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def code_bytes(library):
    """What `size` counts as text: code and constants, of which weights are none."""
    lines = subprocess.run(["size", library], capture_output=True, text=True, check=True).stdout
    return int(lines.splitlines()[1].split()[0])


def measure(options, name, folder):
    source = os.path.join(options.corpus, name + ".onnx")
    both, one = os.path.join(folder, "both.so"), os.path.join(folder, "one.so")
    compiler = os.path.join(options.tools, "tenon-compile")
    times = [seconds(compiler, source, "-o", both),
             seconds(compiler, source, "-o", one, f"--target={ONE}")]
    imported, bundle = os.path.join(folder, "i.mlir"), os.path.join(folder, "i.vmfb")
    peer = seconds(os.path.join(options.iree, "iree-import-onnx"), source, "-o", imported)
    if peer is not None:
        more = seconds(os.path.join(options.iree, "iree-compile"), imported, "-o", bundle,
                       "--iree-hal-target-device=local",
                       "--iree-hal-local-target-device-backends=llvm-cpu",
                       "--iree-llvmcpu-target-cpu=host")
        peer = None if more is None else peer + more
    sizes = [code_bytes(both), code_bytes(one)] if None not in times else [None, None]
    return times + [peer] + sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--iree", required=True)
    parser.add_argument("--set", default="tuned", choices=("all", "tuned", "unseen"))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    print("| model | Tenon s | one CPU s | IREE s | Tenon / IREE | code, both / one |")
    print("|---|---|---|---|---|---|", flush=True)
    ratios, growths = [], []

    def text(value, digits=2):
        return "-" if value is None else f"{value:.{digits}f}"

    for name in options.names or models.names(options.set):
        with tempfile.TemporaryDirectory() as folder:
            both, one, peer, bytes_both, bytes_one = measure(options, name, folder)
        ratio = both / peer if both is not None and peer is not None else None
        growth = bytes_both / bytes_one if bytes_both else None
        ratios += [] if ratio is None else [ratio]
        growths += [] if growth is None else [growth]
        print(f"| {name} | {text(both)} | {text(one)} | {text(peer)} | {text(ratio)} | "
              f"{text(growth)} |", flush=True)
    if ratios and growths:
        print(f"| median | | | | {statistics.median(ratios):.2f} | "
              f"{statistics.median(growths):.2f} |")


main()
