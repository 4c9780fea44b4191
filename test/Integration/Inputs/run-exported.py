"""run-exported.py TOOLS MODEL OUT: compiles MODEL/model.onnx, and compares what the
library and the interpreter give with MODEL/output_K.pb and
MODEL/other/output_K.pb."""

import os
import subprocess
import sys

tools, model, out = sys.argv[1:]
source = os.path.join(model, "model.onnx")
library = os.path.join(out, "model.so")
os.makedirs(out, exist_ok=True)


def files(folder, stem):
    names = []
    while os.path.exists(os.path.join(folder, f"{stem}_{len(names)}.pb")):
        names.append(os.path.join(folder, f"{stem}_{len(names)}.pb"))
    return names


def run(tool, *arguments):
    if subprocess.run([os.path.join(tools, tool), *arguments]).returncode:
        sys.exit(f"failed: {tool} {' '.join(arguments)}")


run("tenon-compile", source, "-o", library)
for folder in (model, os.path.join(model, "other")):
    data = []
    for name in files(folder, "input"):
        data += ["--input", "@" + name]
    expected = files(folder, "output")
    assert expected, f"no outputs in {folder}"
    for name in expected:
        data += ["--expect", "@" + name]
    run("tenon-run", library, *data)
    run("tenon-interpret", source, *data)
