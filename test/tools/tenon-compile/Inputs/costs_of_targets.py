"""Compares the table of docs/formats.md with the costs that reports name.

usage: costs_of_targets.py DOCS/formats.md   (in a folder with the files that it names)
"""
import json
import re
import subprocess
import sys

MODEL = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def compile_for(targets, profile, costs):
    """The costs of the default device's program, or the error."""
    options = [f"--target={targets}"]
    options += [f"--profile={profile}"] if profile else []
    options += [f"--costs={costs}"] if costs else []
    run = subprocess.run(["tenon-compile", "m.mlir", *options, "--stop-after=optimize", "--force",
                          "--report=r.json", "-o", "o.mlir"], stderr=subprocess.PIPE, text=True)
    if run.returncode:
        return run.stderr.strip().split("error: ")[-1]
    with open("r.json") as page:
        return json.load(page)["costs"].replace(", roofline", "").replace("measured: ", "")


def main():
    with open("m.mlir", "w") as model:
        model.write(MODEL)
    with open(sys.argv[1]) as text:
        section = text.read().split("## Profiles and costs of targets")[1].split("\n## ")[0]
    rows = wrong = 0
    for line in section.splitlines():
        if not re.match(r"\| `(cpu|cuda):", line):
            continue
        targets, profile, costs, *expected = [
            cell.strip().strip("`") for cell in line.strip("|").split("|")]
        rows += 1
        order = sorted(targets.split(","))
        for device, text in zip(("cpu", "cuda"), expected):
            own = [target for target in order if target.startswith(device)]
            others = [target for target in order if not target.startswith(device)]
            if not text or not (own or others):
                continue
            # Reports are of the first target; errors name it.
            found = compile_for(",".join(own + others), profile, costs)
            if found != text:
                wrong += 1
                print(f"{line}\n  got: {found}")
    print(f"{rows} rows, {wrong} wrong")


main()
