"""How long the corpus takes to compile, beside IREE and PyTorch, and what code for several CPUs
adds.

usage: compile_time.py --tools DIR --corpus DIR [--iree DIR] [--pytorch PYTHON]
                       [--core N] [--set tuned|unseen|all] [NAME...]

For each model, on one core: the seconds of processor time of tenon-compile with its defaults
(code for two kinds of CPUs), of tenon-compile for one of them, of iree-import-onnx and
iree-compile (llvm-cpu for the host's CPU), and of torch.compile (torch_compile_time.py), each
once; and the bytes of code of both libraries of Tenon, with its runtime, without weights. --iree
is the folder of IREE's tools, of the iree-base-compiler[onnx] package; --pytorch is a Python with
the packages of the corpus. The last line has the medians of the ratios.
"""
import argparse
import os
import resource
import statistics
import subprocess
import tempfile

import models

ONE = "cpu:x86-64-v4"


def seconds(core, *command, limit=600):
    """Processor time of a command on one core; None if it fails or takes too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        subprocess.run(["taskset", "-c", str(core), *command], check=True, timeout=limit,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def code_bytes(library):
    """What `size` counts as text: code and constants, of which weights are none."""
    lines = subprocess.run(["size", library], capture_output=True, text=True, check=True).stdout
    return int(lines.splitlines()[1].split()[0])


def compile_with_iree(options, source, folder):
    imported, bundle = os.path.join(folder, "i.mlir"), os.path.join(folder, "i.vmfb")
    first = seconds(options.core, os.path.join(options.iree, "iree-import-onnx"), source, "-o",
                    imported)
    if first is None:
        return None
    second = seconds(options.core, os.path.join(options.iree, "iree-compile"), imported,
                     "-o", bundle, "--iree-hal-target-device=local",
                     "--iree-hal-local-target-device-backends=llvm-cpu",
                     "--iree-llvmcpu-target-cpu=host")
    return None if second is None else first + second


def compile_with_pytorch(options, name):
    run = subprocess.run(["taskset", "-c", str(options.core), options.pytorch,
                          os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                       "torch_compile_time.py"), name],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return float(run.stdout) if run.returncode == 0 else None


def measure(options, name, folder):
    """Seconds of Tenon, of Tenon for one CPU, of IREE and of PyTorch; bytes of both libraries."""
    source = os.path.join(options.corpus, name + ".onnx")
    both, one = os.path.join(folder, "both.so"), os.path.join(folder, "one.so")
    compiler = os.path.join(options.tools, "tenon-compile")
    times = [seconds(options.core, compiler, source, "-o", both),
             seconds(options.core, compiler, source, "-o", one, f"--target={ONE}")]
    sizes = [code_bytes(both), code_bytes(one)] if None not in times else [None, None]
    return (times + [compile_with_iree(options, source, folder) if options.iree else None,
                     compile_with_pytorch(options, name) if options.pytorch else None], sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--iree")
    parser.add_argument("--pytorch")
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--set", default="tuned", choices=("all", "tuned", "unseen"))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    print("| model | Tenon s | one CPU s | IREE s | PyTorch s | Tenon / IREE | Tenon / PyTorch | "
          "code, both / one |")
    print("|---|---|---|---|---|---|---|---|", flush=True)

    def text(value):
        return "-" if value is None else f"{value:.2f}"

    columns = []
    for name in options.names or models.names(options.set):
        with tempfile.TemporaryDirectory() as folder:
            times, sizes = measure(options, name, folder)
        ratios = [times[0] / peer if None not in (times[0], peer) else None for peer in times[2:]]
        ratios.append(sizes[0] / sizes[1] if sizes[0] else None)
        columns.append(ratios)
        print(f"| {name} | " + " | ".join(map(text, times + ratios)) + " |", flush=True)
    medians = [statistics.median(known) if known else None
               for known in ([r for r in column if r is not None] for column in zip(*columns))]
    print("| median | | | | | " + " | ".join(map(text, medians)) + " |")


main()
