"""Checks that ONNX Runtime and Tenon agree on the zoo's models as exported.

usage: agree_onnxruntime.py --tools BIN [MODEL...]

Each model is written with weights, exported with --emit=onnx, and run by ONNX
Runtime; tenon-run and tenon-interpret are then asked to give the same outputs.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime as ort

ort.set_default_logger_severity(3)
INPUTS = {
    "mlp": [("input", (4, 784), np.float32)],
    "resnet50": [("input", (1, 3, 224, 224), np.float32)],
    "squeezenet": [("input", (2, 3, 224, 224), np.float32)],
    "bert-base": [(name, (2, 17), np.int64)
                  for name in ("input_ids", "attention_mask", "token_type_ids")],
}


def check(name, tools, folder):
    def path(suffix):
        return os.path.join(folder, name + suffix)

    def run(tool, *arguments):
        return subprocess.run([os.path.join(tools, tool), *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    for command in (("tenon-zoo", name, "-o", path(".mlir"), "--params", path(".safetensors"),
                     "--seed", "7"),
                    ("tenon-compile", path(".mlir"), "--emit=onnx", "-o", path(".onnx")),
                    ("tenon-compile", path(".mlir"), "-o", path(".so"))):
        done = run(*command)
        if done.returncode:
            return done.stdout
    rng = np.random.default_rng(3)
    feeds, arguments = {}, []
    for key, shape, dtype in INPUTS[name]:
        feeds[key] = (rng.standard_normal(shape).astype(dtype) if dtype is np.float32
                      else rng.integers(0, 2, shape, dtype=dtype))
        np.save(path(f"-{key}.npy"), feeds[key])
        arguments += ["--input", f"{key}=@" + path(f"-{key}.npy")]
    session = ort.InferenceSession(path(".onnx"), providers=["CPUExecutionProvider"])
    for output, value in zip(session.get_outputs(), session.run(None, feeds)):
        np.save(path(f"-{output.name}.npy"), value)
        arguments += ["--expect", f"{output.name}=@" + path(f"-{output.name}.npy")]
    text = ""
    for command in (("tenon-run", path(".so")), ("tenon-interpret", path(".mlir"))):
        done = run(*command, *arguments)
        lines = [line.strip() for line in done.stdout.splitlines() if "max error" in line]
        text += "".join(f"  {command[0]}: {line}\n" for line in lines)
        if done.returncode:
            return text + done.stdout
    print(f"{name}: agrees\n{text}", end="", flush=True)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", required=True)
    parser.add_argument("models", nargs="*", default=list(INPUTS))
    options = parser.parse_args()
    failed = False
    for name in options.models:
        with tempfile.TemporaryDirectory() as folder:
            problem = check(name, options.tools, folder)
        if problem is not None:
            failed = True
            print(f"{name}: DIFFERS\n{problem}")
    sys.exit(failed)


main()
