#!/usr/bin/env python3
"""Which rewrites of a compile are proved: a table by model and one by pass, from
tenon-compile --prove-rewrites, with the time and the memory that the proofs take."""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import machine  # noqa: E402

ZOO = ["mlp", "resnet50", "resnext50", "squeezenet", "inception-v3", "nasnet-a", "nasrnn",
       "bert-base", "vgg19", "gpt2", "mmt", "dlrm", "candle-uno"]
COUNTS = ("same", "exact", "reals", "by_rule", "rounding")


def usage_of(command):
    """The processor's seconds of a command, and its peak MiB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    stderr = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)}:\n{stderr}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def models(options, folder):
    """Name and file of each model."""
    for name in options.zoo:
        path = os.path.join(folder, f"{name}.mlir")
        subprocess.run([os.path.join(options.tools, "tenon-zoo"), name, "-o", path], check=True)
        yield name, path
    for path in options.onnx:
        name = os.path.basename(path).removesuffix(".onnx")
        if name == "model":
            name = os.path.basename(os.path.dirname(path))
        yield f"{name}.onnx", path


def prove(options, path, folder):
    """The report, and what it takes beside a compile that proves nothing."""
    report = os.path.join(folder, "rewrites.json")
    command = [os.path.join(options.tools, "tenon-compile"), path, "--stop-after=place", "-o",
               os.path.join(folder, "placed.mlir"), *options.compile]
    plain = usage_of(command)
    proving = usage_of([*command, f"--prove-rewrites={report}"])
    with open(report) as stream:
        return json.load(stream), plain, proving


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", default="build/bin", help="the folder of tenon-compile")
    parser.add_argument("--out", help="a file for the tables (default: standard output)")
    parser.add_argument("--zoo", nargs="*", default=ZOO, help="models of tenon-zoo")
    parser.add_argument("--onnx", nargs="*", default=[], help="further models, as files")
    parser.add_argument("--compile", action="append", default=[],
                        help="an option of tenon-compile (repeatable)")
    options = parser.parse_args()

    by_pass = collections.defaultdict(collections.Counter)
    reasons = []
    by_model = ["| model | same | exact | reals | by rule | rounding | unproved | equations | "
                "processor s | s without | MiB |", "|---|" + "---|" * 10]
    with tempfile.TemporaryDirectory() as folder:
        for name, path in models(options, folder):
            report, plain, proving = prove(options, path, folder)
            sums = collections.Counter()
            for row in report["passes"]:
                for count in COUNTS:
                    sums[count] += row[count]
                    by_pass[row["pass"]][count] += row[count]
                for count in ("functions", "changed"):
                    by_pass[row["pass"]][count] += row[count]
                sums["unproved"] += len(row["unproved"])
                by_pass[row["pass"]]["unproved"] += len(row["unproved"])
                reasons += [(name, row["pass"], one) for one in row["unproved"]]
            columns = " | ".join(str(sums[count]) for count in (*COUNTS, "unproved"))
            by_model.append(f"| {name} | {columns} | {report['equations']} | {proving[0]:.1f} | "
                            f"{plain[0]:.1f} | {proving[1]:.0f} |")
            print(by_model[-1], file=sys.stderr)
    lines = ["| pass | functions | changed | same | exact | reals | by rule | rounding | "
             "unproved |", "|---|" + "---|" * 8]
    names = ("functions", "changed", *COUNTS, "unproved")
    total = collections.Counter()
    for name, counts in by_pass.items():
        total.update(counts)
        lines.append(f"| {name} | " + " | ".join(str(counts[c]) for c in names) + " |")
    lines.append("| all | " + " | ".join(str(total[c]) for c in names) + " |")
    claimed = total["exact"] + total["reals"] + total["unproved"]
    share = f"{100 * (1 - total['unproved'] / claimed):.1f} %" if claimed else "none"
    version = subprocess.run([os.path.join(options.tools, "tenon-compile"), "--version"],
                             capture_output=True, text=True, check=True).stdout.splitlines()[0]
    text = "\n".join([f"{machine.describe()}; {version}; options: "
                      f"{' '.join(options.compile) or 'none'}.", "",
                      f"Proved of the rewrites that claim equality: {share}.", "", *lines, "",
                      *by_model, ""])
    if reasons:
        text += "\nNot proved:\n\n" + "".join(
            f"- {model}, {name}, `{one['op']}` at {one['location']}: {one['reason'][:200]}\n"
            for model, name, one in reasons)
    if options.out:
        with open(options.out, "w") as stream:
            stream.write(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
