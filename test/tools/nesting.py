"""Writes files that are nested too deeply, each in another way, and gives them
to every tool that reads such files: each must be refused with status 1 and a
message, never by a crash.

Usage: nesting.py TOOLS FOLDER
"""

import os
import subprocess
import sys

tools, folder = sys.argv[1:]
os.chdir(folder)
N = 10000


def nest(before, inside, after, n=N):
    return before * n + inside + after * n


def attribute(text):
    return ("func.func @main(%%x: tensor<4xf32>) -> tensor<4xf32> "
            "attributes {a = %s} {\n  return %%x : tensor<4xf32>\n}\n" % text)


def argument(kind):
    return "func.func private @main(%s)\n" % kind


def sizes(text):
    return ("func.func @main(%%x: tensor<?xf32, #graph.dims<%s>>) {\n"
            "  return\n}\n" % text)


def use(alias):
    """A function with an alias, whose number is still to be put in."""
    return "func.func private @f() attributes {a = %s}\n" % alias


def chain(first, link, last):
    """Each alias stands for one that is one level deeper; the last is used."""
    return (first + "".join(link % (i + 1, i) for i in range(N))
            + last % N)


TEXTS = {
    "modules": nest("module {\n", "", "}\n"),
    "regions": nest('"t.op"() ({\n', "", "}) : () -> ()\n"),
    "arrays": attribute(nest("[", "1", "]")),
    "dictionaries": attribute(nest("{a = ", "1", "}")),
    "affine": attribute("affine_map<(d0) -> (%s)>" % nest("(", "d0", ")")),
    "minus": attribute("affine_map<(d0) -> (%sd0)>" % ("-" * 100 * N)),
    "sums": attribute("affine_map<(d0) -> (d0%s)>" % (" + d0" * 10 * N)),
    "divisions": attribute("affine_map<(d0) -> (d0%s)>" % (" floordiv 2" * N)),
    "types": argument(nest("tuple<", "i1", ">")),
    "functions": argument(nest("(", "i1", ") -> i1")),
    "results": argument("() -> (" * N + "i1" + ")" * N),
    "dense": attribute("dense<%s> : tensor<1xi1>" % nest("[", "true", "]")),
    "locations": ("func.func private @f() loc(%s)\n"
                  % nest("fused[", '"a"', "]")),
    "callsites": ("func.func private @f() loc(%s)\n"
                  % ('callsite("a" at ' * N + '"a"' + ")" * N)),
    "sizes": sizes(nest("(", "n", ")")),
    "sizesums": sizes("n" + " + n * n" * N),
    "sizedivisions": sizes("n" + " floordiv 2" * N),
    "maxima": sizes(nest("max(n, ", "n", ")")),
    "aliases": chain("#a0 = [1]\n", "#a%d = [#a%d]\n", use("#a%d")),
    "typealiases": chain("!t0 = tuple<i1>\n", "!t%d = tuple<!t%d>\n",
                         argument("!t%d")),
    "numberedaliases": chain("#0 = [1]\n", "#%d = [#%d]\n", use("#%d")),
    "dashedaliases": chain("#a-0 = [1]\n", "#a-%d = [#a-%d]\n",
                           use("#a-%d")),
    "dollaraliases": chain("#$0 = [1]\n", "#$%d = [#$%d]\n", use("#$%d")),
    "brokenaliases": chain(
        "!t0 = i1\n",
        "!t%d // first\n = // second\n ()\n// third\n-> !t%d\n",
        argument("!t%d")),
    "brokenresults": chain("!t0 = i1\n", "!t%d = () ->\n !t%d\n",
                           argument("!t%d")),
    "marks": nest("module {\n// -----\n", "", "}\n"),
    "attributemarks": attribute(nest("[\n// -----\n", "1", "]")),
    "digits": attribute("0x%s : i8" % ("1" * 20 * N)),
    "rank": argument("tensor<%sf32>" % ("1x" * 10 * N)),
    "spacedrank": argument("tensor<%sf32>" % ("1 x " * 10 * N)),
    "brokenrank": argument("tensor<%sf32>" % ("1 x\n" * 10 * N)),
    "blanklines": "#a0 = dense" + "\n" * 100 * N + "<" + "[" * N,
    "unclosed": "module {\n" * N,
    "brackets": "[" * 100 * N,
    "angles": "tensor<" * 100 * N,
}
for name, text in TEXTS.items():
    with open(name + ".mlir", "w") as file:
        file.write(text)
JSON = {
    "list": nest("[", "1", "]"),
    "object": nest('{"a": ', "1", "}"),
}
for name, text in JSON.items():
    with open(name + ".json", "w") as file:
        file.write(text)
    header = text.encode()
    with open(name + ".safetensors", "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)

MLIR = [
    ["tenon-opt", "{}.mlir", "--allow-unregistered-dialect"],
    ["tenon-compile", "{}.mlir", "-o", "out.so"],
    ["tenon-compile", "net.mlir", "--rules={}.mlir", "-o", "out.so"],
    ["tenon-compare", "{}.mlir", "net.mlir"],
    ["tenon-import", "{}.mlir", "--emit=onnx", "-o", "out.onnx"],
    ["tenon-interpret", "{}.mlir"],
    ["tenon-profile", "{}.mlir", "-o", "out.json"],
    ["tenon-reduce", "{}.mlir", "-reduction-tree=traversal-mode=0 test=true"],
    ["tenon-rules", "prove", "{}.mlir"],
    ["tenon-rules", "replay", "log.json", "--input", "{}.mlir"],
]
OTHER = [
    ["tenon-compile", "net.mlir", "--costs={}.json", "-o", "out.so"],
    ["tenon-compile", "net.mlir", "--params={}.safetensors", "-o", "out.so"],
    ["tenon-rules", "replay", "{}.json", "--input", "net.mlir"],
    ["tenon-interpret", "net.mlir", "--params=@{}.safetensors", "--input",
     "random:1"],
]
with open("log.json", "w") as file:
    file.write('{"schema_version": 1, "kind": "tenon-rule-log", '
               '"fp": "strict", "functions": []}')
errors = runs = 0
for commands, names in ((MLIR, TEXTS), (OTHER, JSON)):
    for command in commands:
        # The tools share their reader: all kinds with one, some with the rest.
        chosen = names if command is MLIR[0] or names is JSON else (
            "modules", "arrays", "sizes", "aliases")
        for name in chosen:
            arguments = [part.replace("{}", name) for part in command[1:]]
            done = subprocess.run([os.path.join(tools, command[0])] + arguments,
                                  stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            said = done.stderr.decode()
            runs += 1
            located = name + ".mlir:" in said or names is JSON
            if done.returncode != 1 or "error" not in said or not located:
                print("FAILED: %s: status %s, '%s'"
                      % (" ".join([command[0]] + arguments), done.returncode,
                         said[:300]))
                errors += 1
print("%d errors in %s" % (errors, "many runs" if runs > 60 else "few runs"))
