"""Gives every tool files that are no regular files, wherever it reads one:
each must be refused with status 1 and a message, in time.

Usage: special_inputs.py TOOLS FOLDER
"""

import os
import socket
import subprocess
import sys

tools, folder = sys.argv[1:]
os.chdir(folder)
os.mkfifo("fifo")
os.mkdir("directory")
socket.socket(socket.AF_UNIX).bind("socket")
# Names with the endings that tools look at.
special = {"fifo": "fifo", "directory": "directory", "socket": "socket",
           "zero": "/dev/zero", "null": "/dev/null"}
for kind, target in special.items():
    for ending in ("mlir", "mlirbc", "onnx", "pb", "npy", "safetensors",
                   "json", "so"):
        os.symlink(target, "%s.%s" % (kind, ending))

COMMANDS = [
    ["tenon-compile", "{}.mlir", "-o", "out.so"],
    ["tenon-compile", "{}.mlirbc", "-o", "out.so"],
    ["tenon-compile", "{}.onnx", "-o", "out.so"],
    ["tenon-compile", "net.mlir", "-o", "out.so", "--costs={}.json"],
    ["tenon-compile", "net.mlir", "-o", "out.so", "--profile={}.json"],
    ["tenon-compile", "net.mlir", "-o", "out.so", "--rules={}.mlir"],
    ["tenon-compile", "net.mlir", "-o", "out.so", "--params={}.safetensors"],
    ["tenon-compile", "net.mlir", "-o", "out.so", "--bind", "x=@{}.npy"],
    ["tenon-import", "{}.onnx", "-o", "out.mlir"],
    ["tenon-import", "{}.mlir", "--emit=onnx", "-o", "out.onnx"],
    ["tenon-import", "net.mlir", "--emit=onnx", "-o", "out.onnx", "--params",
     "{}.safetensors"],
    ["tenon-import", "x.onnx", "-o", "out.mlir", "--bind", "x=@{}.pb"],
    ["tenon-compare", "{}.mlir", "net.mlir"],
    ["tenon-compare", "net.mlir", "{}.onnx"],
    ["tenon-compare", "{}.so", "net.mlir"],
    ["tenon-compare", "net.mlir", "net.mlir", "--input", "@{}.npy"],
    ["tenon-interpret", "{}.mlir"],
    ["tenon-interpret", "{}.onnx"],
    ["tenon-interpret", "net.mlir", "--params", "@{}.safetensors", "--input",
     "random:1"],
    ["tenon-interpret", "net.mlir", "--input", "@{}.npy"],
    ["tenon-interpret", "net.mlir", "--input", "@{}.pb"],
    ["tenon-opt", "{}.mlir"],
    ["tenon-reduce", "{}.mlir", "-reduction-tree=traversal-mode=0 test=true"],
    ["tenon-rules", "prove", "{}.mlir"],
    ["tenon-rules", "check", "{}.mlir"],
    ["tenon-rules", "check-proof", "{}.mlir"],
    ["tenon-rules", "mutate", "{}.mlir", "-o", "out.mlir"],
    ["tenon-rules", "replay", "{}.json", "--input", "net.mlir"],
    ["tenon-run", "{}.so"],
    ["tenon-profile", "{}.mlir", "-o", "out.json"],
    ["tenon-profile", "--merge", "{}.json", "-o", "out.json"],
]
errors = 0
for command in COMMANDS:
    program = os.path.join(tools, command[0])
    for kind in special:
        # A folder of rules is one, also if it is empty.
        if kind == "directory" and "--rules={}.mlir" in command:
            continue
        arguments = [part.replace("{}", kind) for part in command[1:]]
        try:
            done = subprocess.run([program] + arguments, timeout=20,
                                  stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            status, said = done.returncode, done.stderr.decode()
        except subprocess.TimeoutExpired:
            status, said = "a timeout", ""
        if status != 1 or "error" not in said:
            print("FAILED: %s: status %s, '%s'"
                  % (" ".join([command[0]] + arguments), status, said[:200]))
            errors += 1
print("%d commands, %d errors" % (len(COMMANDS), errors))
left = [name for name in os.listdir(".") if name.startswith("out")]
print("left: %s" % left)
