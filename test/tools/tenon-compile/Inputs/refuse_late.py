"""Gives options of phases that a model is past: refuse_late.py MODEL FOLDER.

Each must be refused whatever is asked of the model. Prints the messages."""

import subprocess
import sys

model, folder = sys.argv[1:]
options = [
    "--optimize=egraph", f"--rules={folder}", "--extraction=ilp", "--budget=9",
    "--least-gain=1", "--memory-limit=1", f"--log={folder}/log.json",
    "--place=all:cpu", "--pin=matmul=cpu", "--without=onednn", "--unadmitted",
    "--fp=strict", "--target=cuda:sm_80",
]
if "lowered" in model:
    options += ["--costs=/none", "--profile=h100", f"--report={folder}/r.html"]
for option in options:
    messages = set()
    for stop in ["--stop-after=place", "--stop-after=lower", "--emit=so"]:
        run = subprocess.run(
            ["tenon-compile", model, option, stop, "-o", f"{folder}/x.so"],
            stderr=subprocess.PIPE, text=True)
        if run.returncode != 1:
            sys.exit(f"{option} {stop}: status {run.returncode}")
        messages.add("".join(line for line in run.stderr.splitlines(True)
                             if "error: " in line))
    print("".join(messages), end="")
print("done")
