"""Plants faults in models and checks that tenon-compare names their ops.

Usage: faults.py TOOLS FOLDER MODEL... [--count N] [--seed S] [--kind K]
                 [--as model|placed|artifact]

Each fault is in one op: a wrong kernel (another op in its place), a swapped
weight (another one that is read), or a lower precision (operands or result pass
through f16). The faulty model is interpreted, or placed, or compiled; the right
one judges it. Found: the first value that differs is of the op of the fault or,
where a kernel computes several ops, this op is among those of the kernel, or
among those whose values it reads (and may round as it does).
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("tools")
parser.add_argument("folder")
parser.add_argument("models", nargs="+")
parser.add_argument("--count", type=int, default=6)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--kind", action="append")
parser.add_argument("--as", dest="form", default="model")
options = parser.parse_args()

LINE = re.compile(r"^(\s+)(%\w+) = (graph\.\w+)\b(.*) : (.+)$")
OTHER_OP = {
    "graph.add": "graph.sub", "graph.sub": "graph.add",
    "graph.mul": "graph.add", "graph.div": "graph.mul",
    "graph.maximum": "graph.minimum", "graph.minimum": "graph.maximum",
    "graph.relu": "graph.sigmoid", "graph.sigmoid": "graph.tanh",
    "graph.tanh": "graph.sigmoid", "graph.gelu": "graph.relu",
    "graph.erf": "graph.tanh", "graph.exp": "graph.sigmoid",
    "graph.sqrt": "graph.exp", "graph.softmax": "graph.log_softmax",
    "graph.reduce_mean": "graph.reduce_sum",
    "graph.reduce_sum": "graph.reduce_mean",
    "graph.reduce_max": "graph.reduce_min",
}
# The type of their operands is printed.
COMPARISONS = {"graph.equal", "graph.less", "graph.less_equal", "graph.is_nan",
               "graph.is_inf"}
# Ops that compute nothing new are right in any precision of their operands.
MOVES = {"graph.reshape", "graph.transpose", "graph.slice", "graph.concat",
         "graph.broadcast", "graph.gather", "graph.cast", "graph.split",
         "graph.pad"}


def run(*command, expect=(0,)):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, cwd=options.folder)
    if done.returncode not in expect:
        sys.exit("error: %s: status %d\n%s"
                 % (" ".join(command), done.returncode, done.stderr.decode()))
    return done


def tool(name):
    return os.path.join(options.tools, name)


class Op:
    def __init__(self, number, match):
        self.number = number
        self.indent, self.result, self.name, self.body, types = match.groups()
        self.types = types
        self.place = "op_%d" % number
        self.operands = re.findall(r"%\w+", self.body)
        self.type = types.rsplit(" -> ", 1)[-1]
        target = re.search(r" to (\w+)", self.body)
        if self.name == "graph.cast":
            self.type = re.sub(r"([x<])\w+([,>])",
                               r"\g<1>%s\2" % target.group(1), types, count=1)
        elif self.name in COMPARISONS:
            self.type = "booleans"

    def text(self, name=None, body=None, result=None):
        return "%s%s = %s%s : %s loc(\"%s\")" % (
            self.indent, result or self.result, name or self.name,
            body or self.body, self.types, self.place)

    def is_float(self):
        return re.search(r"[x<]f32[,>]", self.type) is not None


class Model:
    def __init__(self, path):
        text = open(path).read()
        self.lines = text.split("\n")
        self.ops = {}
        defined = {}  # result to op
        self.of_inputs = set()
        arguments = set(re.findall(r"(%arg\d+)", text))
        for number, line in enumerate(self.lines):
            match = LINE.match(line)
            if not match:
                continue
            op = Op(number, match)
            self.ops[number] = op
            defined[op.result] = op
            if any(o in arguments or o in self.of_inputs for o in op.operands):
                self.of_inputs.add(op.result)
        # A result of an op of another form (with several results, say) may
        # depend on inputs; what reads it is left alone.
        self.known = set(defined) | arguments
        self.type_of = {r: op.type for r, op in defined.items()}
        # The parameters that each value is computed from, for values that
        # depend only on weights.
        self.weights = {}
        for result, op in defined.items():
            if op.name == "graph.parameter":
                self.weights[result] = {result}
            elif op.operands and all(o in self.weights for o in op.operands):
                self.weights[result] = set().union(
                    *[self.weights[o] for o in op.operands])

    def computed(self):
        return [op for op in self.ops.values()
                if op.result in self.of_inputs and op.is_float() and
                all(o in self.known for o in op.operands)]

    def write(self, path, changed=None):
        with open(path, "w") as out:
            for number, line in enumerate(self.lines):
                op = self.ops.get(number)
                if changed and number in changed:
                    line = changed[number]
                elif op:
                    line = op.text()
                out.write(line + "\n")


def half(kind):
    return re.sub(r"([x<])f32([,>])", r"\1f16\2", kind)


def plant_kernel(model, op, rng):
    other = OTHER_OP.get(op.name)
    return op.text(name=other) if other else None


def plant_weight(model, op, rng):
    order = list(model.type_of)
    own = [o for o in op.operands if o in model.weights]
    rng.shuffle(own)
    for operand in own:
        before = order[:order.index(op.result)]
        others = [w for w in model.weights if w in before and
                  model.weights[w].isdisjoint(model.weights[operand]) and
                  model.type_of[w] == model.type_of[operand]]
        if others:
            other = rng.choice(others)
            return op.text(body=re.sub(re.escape(operand) + r"\b", other,
                                       op.body))
    return None


def plant_precision(model, op, rng):
    if op.name in MOVES:
        return None
    place = " loc(\"%s\")" % op.place
    cast = "%s%s = graph.cast %s to %s : %s" + place
    floats = [o for o in op.operands if o in model.of_inputs and
              re.search(r"[x<]f32[,>]", model.type_of.get(o, ""))]
    operand = rng.choice(floats) if floats and rng.random() < 0.5 else None
    if operand is None:
        return "\n".join([
            op.text(result="%planted_a"),
            cast % (op.indent, "%planted_b", "%planted_a", "f16", op.type),
            cast % (op.indent, op.result, "%planted_b", "f32",
                    half(op.type))])
    kind = model.type_of[operand]
    return "\n".join([
        cast % (op.indent, "%planted_a", operand, "f16", kind),
        cast % (op.indent, "%planted_b", "%planted_a", "f32", half(kind)),
        op.text(body=re.sub(re.escape(operand) + r"\b", "%planted_b",
                            op.body))])


PLANTERS = {"kernel": plant_kernel, "weight": plant_weight,
            "precision": plant_precision}


def build(path, number=0):
    """The faulty model in the form that is asked for."""
    if options.form == "model":
        return path
    result = "faulty.mlirbc" if options.form == "placed" else "faulty.so"
    extra = ["--stop-after=place"] if options.form == "placed" else []
    done = run(tool("tenon-compile"), path, "-o", result, "--force", *extra,
               expect=range(-64, 256))
    if done.returncode:
        kept = "not-compiled-%d.mlir" % number
        shutil.copy(os.path.join(options.folder, path),
                    os.path.join(options.folder, kept))
        print("NOT COMPILED: %s: status %d" % (kept, done.returncode))
        return None
    return result


def judge(model_path, faulty, inputs):
    result = os.path.join(options.folder, "result.json")
    if os.path.exists(result):
        os.remove(result)
    done = run(tool("tenon-compare"), model_path, faulty, "--params",
               "random:7", "--json", "result.json", *inputs, expect=(0, 1))
    if not os.path.exists(result):
        sys.exit("error: " + done.stderr.decode())
    with open(result) as file:
        return json.load(file)["comparisons"][0]


def find_inputs(path):
    """random:3, but small integers where a model has indices."""
    folder = os.path.dirname(path)
    inputs, number = [], 0
    while os.path.exists(os.path.join(folder, "input_%d.pb" % number)):
        inputs += ["--input",
                   "@" + os.path.join(folder, "input_%d.pb" % number)]
        number += 1
    return inputs or ["--input", "random:3"]


def plant(models, kind, rng):
    """A fault at a random op of the first model that has an op for it."""
    start = rng.randrange(len(models))
    for path, model, base, inputs in models[start:] + models[:start]:
        ops = model.computed()
        rng.shuffle(ops)
        for op in ops:
            line = PLANTERS[kind](model, op, rng)
            if line:
                return op, line, path, model, base, inputs
    sys.exit("error: no model has an op for a %s fault" % kind)


def main():
    os.makedirs(options.folder, exist_ok=True)
    models = []
    for number, path in enumerate(options.models):
        path = os.path.abspath(path)
        base = "base%d.mlir" % number
        if path.endswith(".onnx"):
            run(tool("tenon-import"), path, "-o", "imported%d.mlir" % number,
                "--params", "imported%d.safetensors" % number)
            text = os.path.join(options.folder, "imported%d.mlir" % number)
        else:
            text = path
        model = Model(text)
        model.write(os.path.join(options.folder, base))
        inputs = find_inputs(path)
        right = judge(base, build(base), inputs)
        if right["first"] is not None:
            sys.exit("error: %s: without a fault, %s"
                     % (path, right["verdict"]))
        models.append((path, model, base, inputs))
    found, exact, planted, failed = {}, {}, {}, 0
    kinds = options.kind or list(PLANTERS)
    for number in range(options.count):
        rng = random.Random(1000 * options.seed + number)
        kind = kinds[number % len(kinds)]
        op, line, path, model, base, inputs = plant(models, kind, rng)
        model.write(os.path.join(options.folder, "faulty.mlir"),
                    {op.number: line})
        faulty = build("faulty.mlir", number)
        failed += faulty is None
        if faulty is None:
            continue
        result = judge(base, faulty, inputs)
        planted[kind] = planted.get(kind, 0) + 1
        named = []
        if result["first"] is not None:
            first = result["values"][result["first"]]
            if op.place in first.get("places", []):
                exact[kind] = exact.get(kind, 0) + 1
            for suspect in [first] + result["suspects"] + result["reads"]:
                named += suspect.get("places", [])
        if op.place in named:
            found[kind] = found.get(kind, 0) + 1
        else:
            print("MISSED %s fault in %s at %s of %s: %s"
                  % (kind, op.name, op.place, path, result["verdict"]))
            print("  " + "\n  ".join(l[:200] for l in line.split("\n")))
    for kind in kinds:
        print("%s: planted %d, found %d, of which %d as the first value"
              % (kind, planted.get(kind, 0), found.get(kind, 0),
                 exact.get(kind, 0)))
    missed = sum(planted.values()) - sum(found.values())
    print("faults: %d planted, %d found" % (sum(planted.values()),
                                           sum(found.values())))
    sys.exit(missed != 0 or failed != 0)


main()
