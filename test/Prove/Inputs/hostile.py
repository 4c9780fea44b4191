#!/usr/bin/env python3
"""Files of rules that would take a prover very long: each kind grows with one number.

usage: hostile.py FOLDER [KIND...]   writes FOLDER/KIND-SIZE.mlir, all kinds by default
       hostile.py --run SECONDS MIB COMMAND... -- FILE...
                                     runs COMMAND FILE within these limits, and fails if
                                     one takes more or dies of a signal

The target of a rule is its source, negated twice: equal, but not the same form.
"""
import os
import subprocess
import sys
import time

KINDS = {}


def kind(*sizes):
    def add(make):
        KINDS[make.__name__.replace("_", "-")] = (make, sizes)
        return make
    return add


def rule(arguments, result, lines, last, number=0, where=""):
    """A rule whose source has these lines, and whose target negates `last` twice."""
    body = "\n".join("    " + line for line in lines)
    return (f"rule.rule @r{number}({arguments}) -> {result}\n  source {{\n{body}\n"
            f"    rule.yield {last}\n  }}\n  target {{\n{body}\n    %no = graph.neg {last}\n"
            f"    %yes = graph.neg %no\n    rule.yield %yes\n  }}\n{where}")


def steps(count, first, line):
    """`line` with {i}, {a} for the value before it; returns the lines and the last value."""
    lines, last = [], first
    for i in range(count):
        lines.append(f"%v{i} = " + line.format(i=i, a=last))
        last = f"%v{i}"
    return lines, last


@kind(100, 1000, 3000)
def chain(n):
    return rule("%x: [n]", "[n]", *steps(n, "%x", "graph.abs {a}"))


@kind(10, 16, 30, 60)
def squares(n):
    return rule("%x: [n]", "[n]", *steps(n, "%x", "graph.mul {a}, {a}"))


@kind(10, 16, 30, 60)
def doubles(n):
    return rule("%x: [n]", "[n]", *steps(n, "%x", "graph.add {a}, {a}"))


@kind(6, 11, 14, 40)
def squared_sums(n):
    out, value = [], "%x"
    for i in range(n):
        out += [f"%s{i} = graph.add {value}, %y", f"%p{i} = graph.mul %s{i}, %s{i}"]
        value = f"%p{i}"
    return rule("%x: [n], %y: [n]", "[n]", out, value)


@kind(8, 11, 16, 60)
def product_of_sums(n):
    names = ", ".join(f"%a{i}: [n], %b{i}: [n]" for i in range(n))
    lines, value = [], None
    for i in range(n):
        lines.append(f"%s{i} = graph.add %a{i}, %b{i}")
        if value:
            lines.append(f"%p{i} = graph.mul {value}, %s{i}")
        value = f"%p{i}" if value else f"%s{i}"
    return rule(names, "[n]", lines, value)


@kind(10, 30, 100, 400)
def nested_exponentials(n):
    out, value = [], "%x"
    for i in range(n):
        out += [f"%s{i} = graph.add {value}, %x", f"%e{i} = graph.exp %s{i}"]
        value = f"%e{i}"
    return rule("%x: [n]", "[n]", out, value)


@kind(10, 30, 100, 400)
def quotients(n):
    out, value = [], "%x"
    for i in range(n):
        out += [f"%s{i} = graph.add {value}, %y", f"%q{i} = graph.div %x, %s{i}"]
        value = f"%q{i}"
    return rule("%x: [n], %y: [n]", "[n]", out, value)


@kind(5, 20, 80, 300)
def products(n):
    names = ", ".join(f"%a{i}: [k{i}, k{i + 1}]" for i in range(n + 1))
    lines, value = [], "%a0"
    for i in range(n):
        lines.append(f"%p{i} = graph.matmul {value}, %a{i + 1}")
        value = f"%p{i}"
    return rule(names, f"[k0, k{n + 1}]", lines, value)


@kind(2, 4, 10, 60)
def softmaxes(n):
    return rule("%x: [n, m]", "[n, m]", *steps(n, "%x", "graph.softmax {a} axis = 1"))


@kind(1, 2, 4, 20)
def layer_norms(n):
    return rule("%x: [n, m], %g: [m], %h: [m]", "[n, m]",
                *steps(n, "%x", "graph.layer_norm {a}, %g, %h axis = 1 epsilon = 1.0e-5"))


@kind(1, 2, 4, 20)
def attentions(n):
    return rule("%q: [h, s, d]", "[h, s, d]",
                *steps(n, "%q", "graph.attention {a}, {a}, {a} scale = 1.0"))


@kind(4, 8, 12, 40)
def paddings(n):
    out, value = [], "%x"
    for i in range(n):
        out += [f"%p{i} = graph.pad {value} low = [l{i}] high = [h{i}] constant value = 1.0",
                f"%m{i} = graph.mul %p{i}, %p{i}"]
        value = f"%m{i}"
    size = " + ".join(["n"] + [f"l{i} + h{i}" for i in range(n)])
    return rule("%x: [n]", f"[{size}]", out, value)


@kind(4, 8, 12, 40)
def concatenations(n):
    names = ", ".join(f"%a{i}: [k{i}]" for i in range(n + 1))
    lines, value = [], "%a0"
    for i in range(n):
        lines += [f"%c{i} = graph.concat {value}, %a{i + 1} axis = 0",
                  f"%m{i} = graph.mul %c{i}, %c{i}"]
        value = f"%m{i}"
    return rule(names, "[" + " + ".join(f"k{i}" for i in range(n + 1)) + "]", lines, value)


@kind(4, 8, 16, 60)
def maxima(n):
    names = ", ".join(f"%a{i}: [n]" for i in range(n + 1))
    lines, value = [], "%a0"
    for i in range(n):
        lines += [f"%s{i} = graph.add {value}, %a{i + 1}",
                  f"%x{i} = graph.maximum %s{i}, {value}"]
        value = f"%x{i}"
    return rule(names, "[n]", lines, value)


@kind(4, 12, 30, 100)
def choices(n):
    names = ", ".join(f"%a{i}: [n]" for i in range(n + 1))
    lines, value = [], "%a0"
    for i in range(n):
        lines += [f"%l{i} = graph.less {value}, %a{i + 1}",
                  f"%w{i} = graph.where %l{i}, {value}, %a{i + 1}",
                  f"%s{i} = graph.add %w{i}, {value}"]
        value = f"%s{i}"
    return rule(names, "[n]", lines, value)


@kind(3, 10, 40, 200)
def quotients_of_sizes(n):
    size = "n"
    for i in range(n):
        size = f"(({size} + {i + 1}) floordiv (k{i} + 1))"
    return rule("%x: [n, " + ", ".join(f"k{i}" for i in range(min(n, 60))) + "], "
                + "%y: [" + size + "]", f"[{size}]",
                ["%v0 = graph.abs %y"], "%v0")


@kind(3, 6, 12, 50)
def reshapes(n):
    names = [f"k{i}" for i in range(n)]
    lines = ["%v0 = graph.abs %x",
             f"%v1 = graph.reshape %v0 shape = [{' * '.join(names)}]",
             f"%v2 = graph.reshape %v1 shape = [{', '.join(reversed(names))}]",
             f"%v3 = graph.reshape %v2 shape = [{' * '.join(names)}]"]
    return rule(f"%x: [{', '.join(names)}]", f"[{' * '.join(names)}]", lines, "%v3")


@kind(5, 50, 400, 2000)
def conditions(n):
    where = "  where [" + ", ".join(
        f"(a + {i}) * (b + {i}) * (c + {2 * i + 1}) >= a * b * c + {i * i}"
        for i in range(n)) + "]\n"
    return rule("%x: [a, b, c]", "[a, b, c]", ["%v0 = graph.abs %x"], "%v0", where=where)


@kind(2, 5, 20, 100)
def windows(n):
    names = ", ".join(f"%w{i}: [c, c, r{i}, t{i}]" for i in range(n))
    lines, value, h, w = [], "%x", "h", "w"
    for i in range(n):
        lines.append(f"%v{i} = graph.conv {value}, %w{i} strides = [1, 1] pads = [0, 0, 0, 0] "
                     "dilations = [1, 1] groups = 1 channels_first")
        value, h, w = f"%v{i}", f"{h} - r{i} + 1", f"{w} - t{i} + 1"
    return rule(f"%x: [b, c, h, w], {names}", f"[b, c, {h}, {w}]", lines, value)


@kind(5, 50, 500)
def many_results(n):
    body = "\n".join(f"    %v{i} = graph.exp %x{i}\n    %s{i} = graph.mul %v{i}, %v{i}"
                     for i in range(n))
    other = "\n".join(f"    %d{i} = graph.add %x{i}, %x{i}\n    %s{i} = graph.exp %d{i}"
                      for i in range(n))
    results = ", ".join(["[n]"] * n)
    values = ", ".join(f"%s{i}" for i in range(n))
    return (f"rule.rule @r({', '.join(f'%x{i}: [n]' for i in range(n))}) -> ({results})\n"
            f"  source {{\n{body}\n    rule.yield {values}\n  }}\n"
            f"  target {{\n{other}\n    rule.yield {values}\n  }}\n")


@kind(10, 100, 400)
def many_rules(n):
    parts = []
    for number in range(n):
        lines, value = steps(2 + number % 3, "%x", "graph.softmax {a} axis = 1")
        lines.append(f"%z{number} = graph.mul {value}, %y")
        parts.append(rule("%x: [n, m], %y: [n, m]", "[n, m]", lines, f"%z{number}", number))
    return "\n".join(parts)


@kind(10, 100, 300)
def many_hard_rules(n):
    parts = []
    for number in range(n):
        size = f"(m * m + q * q * (q + {number}) + n * m) floordiv (n * m + {number + 1})"
        lines = [f"%v0 = graph.slice %x starts = [{size}] sizes = [q] steps = [1]",
                 "%v1 = graph.mul %v0, %v0"]
        parts.append(rule(f"%x: [({size}) + q], %y: [n, m]", "[q]", lines + [
            "%u0 = graph.reduce_sum %y axes = [0, 1] keepdims",
            "%u1 = graph.reshape %u0 shape = [1]", "%v2 = graph.add %v1, %u1"], "%v2", number))
    return "\n".join(parts)


@kind(100, 3000)
def long_names(n):
    name = "n" * n
    return rule(f"%x: [{name}, {name}m]", f"[{name}, {name}m]",
                *steps(20, "%x", "graph.mul {a}, %x"))


@kind(1000, 9000000000000)
def large_sizes(n):
    return rule(f"%x: tensor<{n}x{n}xf32>", f"tensor<{n}x{n}xf32>",
                ["%v0 = graph.matmul %x, %x", "%v1 = graph.exp %v0"], "%v1")


@kind(10, 100, 1000)
def running_sums(n):
    return rule("%x: [n, m]", "[n, m]", *steps(n, "%x", "graph.cumsum {a} axis = 1"))


@kind(4, 20, 80)
def powers(n):
    names = ", ".join(f"%a{i}: [n]" for i in range(n + 1))
    lines, value = [], "%a0"
    for i in range(n):
        lines += [f"%s{i} = graph.pow {value}, %a{i + 1}",
                  f"%l{i} = graph.add %s{i}, {value}"]
        value = f"%l{i}"
    return rule(names, "[n]", lines, value)


@kind(4, 30, 200)
def casts(n):
    types = ["i8", "f32", "i32", "f16", "i64", "f64"]
    lines, value = [], "%x"
    for i in range(n):
        lines.append(f"%v{i} = graph.cast {value} to {types[i % 6]}")
        value = f"%v{i}"
    lines.append(f"%last = graph.cast {value} to f32")
    return rule("%x: [n]", "[n]", lines, "%last")


@kind(3, 8, 30)
def gathers(n):
    names = ", ".join(f"%i{k}: tensor<?xi64, #graph.dims<n>>" for k in range(n))
    lines, value = [], "%x"
    for i in range(n):
        lines.append(f"%v{i} = graph.gather {value}, %i{i} axis = 0")
        lines.append(f"%m{i} = graph.add %v{i}, {value}")
        value = f"%m{i}"
    return rule(f"%x: [n], {names}", "[n]", lines, value)


def write(folder, names):
    os.makedirs(folder, exist_ok=True)
    for name in names or KINDS:
        make, sizes = KINDS[name]
        for size in sizes:
            with open(os.path.join(folder, f"{name}-{size}.mlir"), "w") as stream:
                stream.write(make(size))


def run(seconds, mebibytes, command, files):
    """Prints what is over the limits, and the number of files within them."""
    within = 0
    for path in files:
        start = time.perf_counter()
        process = subprocess.Popen([*command, path], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            spent = time.perf_counter() - start
            if pid:
                break
            if spent > 3 * seconds:
                process.kill()
            time.sleep(0.01)
        processor = usage.ru_utime + usage.ru_stime
        peak = usage.ru_maxrss / 1024
        is_over = processor > seconds or peak > mebibytes or not os.WIFEXITED(status)
        within += not is_over
        if is_over or os.environ.get("HOSTILE_VERBOSE"):
            print(f"{os.path.basename(path)}: {processor:.1f} s, {peak:.0f} MiB, "
                  f"status {status:#x}", flush=True)
    print(f"{within} of {len(files)} within the limits")
    return within == len(files)


def main(arguments):
    if arguments[0] != "--run":
        return write(arguments[0], arguments[1:])
    split = arguments.index("--")
    if not run(float(arguments[1]), float(arguments[2]), arguments[3:split],
               arguments[split + 1:]):
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
