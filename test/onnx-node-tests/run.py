#!/usr/bin/env python3
"""Runs Tenon on the ONNX node tests that generate.py wrote, and tallies.

    run.py CASES --tools BUILD/bin [--mode import|interpret|compile|export]
           [--only SUBSTRING] [--json OUT] [--jobs N] [--verbose]

A case passes, is refused (with a diagnostic), gives a wrong result, or crashes.
Inputs that only say shapes are fixed with --bind, since Tenon compiles ahead of
time; such passes are counted as "bound". Exit status 1 when a case is wrong or
crashes. The mode export writes each case back to ONNX and runs it in ONNX
Runtime, which the Python that runs this script must have.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

NEEDS = re.compile(r", '([^']*)', depends on run-time data")


def run(command, limit=120):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=limit)
    except subprocess.TimeoutExpired:
        return 124, "timeout"
    return done.returncode, done.stdout.decode(errors="replace")


class Case:
    def __init__(self, folder, tools, mode):
        self.folder, self.tools, self.mode = folder, tools, mode
        with open(os.path.join(folder, "case.json")) as f:
            self.info = json.load(f)

    def tool(self, name):
        return os.path.join(self.tools, name)

    def file(self, name):
        return os.path.join(self.folder, name)

    def data_flags(self, bound):
        flags = []
        for i, name in enumerate(self.info["inputs"]):
            if name not in bound and os.path.exists(self.file("input_%d.pb" % i)):
                flags += ["--input", "%s=@%s" % (name, self.file("input_%d.pb" % i))]
        for i, name in enumerate(self.info["outputs"]):
            flags += ["--expect", "%s=@%s" % (name, self.file("output_%d.pb" % i))]
        # bfloat16 has 8 bits: one unit in the last place is 2^-8 of the value.
        rtol = max(self.info["rtol"], 2.0 ** -7 if "bf" in self.folder else 0)
        return flags + ["--rtol", str(rtol),
                        "--atol", str(max(self.info["atol"], 1e-6))]

    def import_model(self, out):
        """Binds the inputs that the importer asks for."""
        bound = []
        while True:
            binds = []
            for name in bound:
                i = self.info["inputs"].index(name)
                binds += ["--bind", "%s=@%s" % (name, self.file("input_%d.pb" % i))]
            code, text = run([self.tool("tenon-import"), self.file("model.onnx"),
                              "-o", out] + binds)
            needed = NEEDS.findall(text)
            missing = [name for name in needed
                       if name in self.info["inputs"] and name not in bound]
            if needed and not missing:
                # A value computed from inputs that are shapes.
                missing = [n for n in self.info["shapes"] if n not in bound]
            if code == 0 or not missing:
                return code, text, bound
            bound += missing[:1]

    def judge(self):
        with tempfile.TemporaryDirectory() as temp:
            module = os.path.join(temp, "m.mlir")
            code, text, bound = self.import_model(module)
            if code == 1:
                return "refused", text
            if code != 0:
                return "crash", text
            if self.mode == "import":
                return ("bound" if bound else "pass"), ""
            if self.mode == "export":
                return self.judge_export(module, bound)
            if self.mode == "interpret":
                code, text = run([self.tool("tenon-interpret"), module,
                                  "--domain=f32"] + self.data_flags(bound))
            else:
                library = os.path.join(temp, "m.so")
                code, text = run([self.tool("tenon-compile"), module, "-o", library])
                if code == 1:
                    return "refused", text
                if code == 0:
                    code, text = run([self.tool("tenon-run"), library]
                                     + self.data_flags(bound))
            if code == 0:
                return ("bound" if bound else "pass"), ""
            return ("wrong" if code == 1 else "crash"), text

    def judge_export(self, module, bound):
        import numpy as np
        import onnx
        import onnxruntime
        model = module.replace(".mlir", ".onnx")
        code, text = run([self.tool("tenon-import"), module, "--emit=onnx", "-o", model])
        if code:
            return ("refused" if code == 1 else "crash"), text

        def load(name):
            tensor = onnx.TensorProto()
            with open(self.file(name), "rb") as f:
                tensor.ParseFromString(f.read())
            return onnx.numpy_helper.to_array(tensor)

        try:
            session = onnxruntime.InferenceSession(model)
            feeds = {name: load("input_%d.pb" % i)
                     for i, name in enumerate(self.info["inputs"]) if name not in bound
                     and os.path.exists(self.file("input_%d.pb" % i))}
            results = session.run(self.info["outputs"], feeds)
        except Exception as error:
            return "peer", str(error).replace("\n", " ")
        for i, got in enumerate(results):
            want = load("output_%d.pb" % i)
            rtol = max(self.info["rtol"], 4e-3 if want.dtype == np.float16 else 0)
            if got.dtype != want.dtype or got.shape != want.shape or not np.allclose(
                    got.astype(np.float64), want.astype(np.float64), rtol=rtol,
                    atol=1e-5, equal_nan=True):
                return "wrong", "output %s differs" % self.info["outputs"][i]
        return ("bound" if bound else "pass"), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--mode", default="interpret",
                        choices=["import", "interpret", "compile", "export"])
    parser.add_argument("--only", default="")
    parser.add_argument("--json")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()

    names = sorted(name for name in os.listdir(args.cases)
                   if args.only in name and
                   os.path.exists(os.path.join(args.cases, name, "case.json")))
    cases = [Case(os.path.join(args.cases, name), args.tools, args.mode)
             for name in names]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(Case.judge, cases))

    tally = collections.Counter()
    by_operator = collections.defaultdict(collections.Counter)
    record = {}
    for name, case, (status, text) in zip(names, cases, results):
        tally[status] += 1
        text = text.replace(case.folder + "/", "").strip()
        record[name] = {"status": status, "message": text[:500],
                        "operators": case.info["operators"]}
        for operator in case.info["operators"]:
            by_operator[operator][status] += 1
        if args.verbose or status in ("wrong", "crash"):
            print("%-8s %s: %s" % (status, name, text.splitlines()[0][:300]
                                   if text else ""))
    for operator in sorted(by_operator):
        counts = by_operator[operator]
        print("%-28s %s" % (operator, " ".join(
            "%s %d" % (s, counts[s])
            for s in ("pass", "bound", "refused", "peer", "wrong", "crash")
            if counts[s])))
    print("%d cases: %s" % (len(names), ", ".join(
        "%d %s" % (tally[s], s)
        for s in ("pass", "bound", "refused", "wrong", "crash"))
        + (", %d that the peer can't run" % tally["peer"] if tally["peer"] else "")))
    if args.json:
        with open(args.json, "w") as f:
            json.dump(record, f, indent=1, sort_keys=True)
    return 1 if tally["wrong"] or tally["crash"] else 0


if __name__ == "__main__":
    sys.exit(main())
