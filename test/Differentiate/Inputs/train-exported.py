"""Trains an exported model on one batch: tools, the model's folder, a folder for files.

Two steps are those of the interpreter, and the loss falls.
"""
import os
import re
import subprocess
import sys

import numpy as np

tools, model, work = sys.argv[1:4]
os.makedirs(work, exist_ok=True)


def run(tool, *arguments):
    done = subprocess.run([os.path.join(tools, tool), *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{tool} {' '.join(arguments)}: {done.stderr}{done.stdout}")
    return done.stdout


path = lambda name: os.path.join(work, name)
source = os.path.join(model, "model.onnx")
inputs = sorted(name for name in os.listdir(model) if re.fullmatch(r"input_\d+\.pb", name))
given = [word for name in inputs for word in ("--input", "@" + os.path.join(model, name))]
run("tenon-interpret", source, *given, "--output", "@" + path("y.npy"))
np.save(path("target.npy"), np.load(path("y.npy")) / 2)
given += ["--input", "target=@" + path("target.npy"), "--entry", "train_step"]
train = ["--train=mean-squared", "--train-optimizer=sgd", "--train-learning-rate=0.01", "--train-clip=1"]
run("tenon-compile", source, "-o", path("m.so"), "--optimize=off", *train)
run("tenon-compile", source, "-o", path("m.mlir"), "--stop-after=import", *train)

losses, compiled, interpreted = [], [], []
for step in range(6):
    if step < 2:
        run("tenon-interpret", path("m.mlir"), *given, *interpreted, "--output",
            "loss=@" + path("loss.npy"), "--save-state", path("i.safetensors"))
        compiled += ["--expect", "loss=@" + path("loss.npy"), "--rtol", "1e-4"]
        interpreted = ["--state", "@" + path("i.safetensors")]
    run("tenon-run", path("m.so"), *given, *compiled, "--output", "loss=@" + path("own.npy"),
        "--save-state", path("c.safetensors"))
    losses.append(float(np.load(path("own.npy"))))
    compiled = ["--state", "@" + path("c.safetensors")]
print(f"{os.path.basename(model)}: two steps as in the interpreter; the loss "
      f"{'fell' if losses[-1] < losses[0] else f'did not fall: {losses}'}")
