"""The table of verdicts, and saved cases."""
import collections
import datetime
import os
import re
import sys

import numpy
import onnx
import onnxruntime

import models

VERDICTS = ("right", "wrong", "fails", "refused", "judges differ", "decided", "not judged")
SHOWN = 4  # cases of an operator that the table describes


def normal(text):
    """A reason without the names and numbers of one case."""
    text = text.splitlines()[0]
    text = re.sub(r"^.*?error: ", "", text).split("; see current operation")[0]
    text = re.sub(r"'tensor<[^']*'", "'TENSOR'", text)
    text = re.sub(r"node '[^']*'", "node", text)
    text = re.sub(r"'c\d+_(\w+)'", r"'\1'", text)
    text = re.sub(r"\bc\d+_", "", text)
    text = re.sub(r"\b(s\d+|x\d+_\d+)\b", "S", text)
    return re.sub(r"-?\d+(\.\d+)?(e[-+]\d+)?", "#", text)[:180]


def describe(case):
    """One line about a case."""
    arrays = [f"{n}: {a.dtype}{list(a.shape)}{' constant' if n in case.constants else ''}"
              for n, a in case.inputs.items()]
    attributes = [f"{a.name}={onnx.helper.get_attribute_value(a)!r}"[:60]
                  for n in case.nodes for a in n.attribute
                  if a.type not in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.TENSOR)]
    dynamic = [f"{n}[{a}]={s}" for (n, a), s in case.symbols.items()]
    return (f"opset {case.opset}, {', '.join(arrays)}; {', '.join(attributes)}"
            + (f"; dynamic {', '.join(dynamic)}" if dynamic else ""))


def save(folder, cases):
    for case in cases:
        verdict, why = case.verdict
        if verdict not in ("wrong", "fails", "judges differ"):
            continue
        path = os.path.join(folder, verdict.replace(" ", "-"), f"{case.op}-{case.number}")
        os.makedirs(path, exist_ok=True)
        onnx.save(models.build([case], {case.number: case.types}),
                  os.path.join(path, "model.onnx"))
        arrays = {f"in.{n}": a for n, a in models.inputs_of(case).items()}
        for judge, answer in case.answers.items():
            arrays.update({f"{judge}.{n}": a for n, a in answer.items()})
        for way, result in zip(("interpreted", "compiled"), case.results):
            if isinstance(result, dict):
                arrays.update({f"{way}.{n}": a for n, a in result.items()})
        for name, array in arrays.items():
            with open(os.path.join(path, name + ".pb"), "wb") as stream:
                stream.write(models.tensor(array).SerializeToString())
        with open(os.path.join(path, "why.txt"), "w") as stream:
            stream.write(f"{describe(case)}\n{why}\n")


def versions():
    return (f"onnx {onnx.__version__}, ONNX Runtime {onnxruntime.__version__}, "
            f"numpy {numpy.__version__}")


def write(path, results, arguments):
    lines = ["# Random cases of ONNX operators", "",
             f"`benchmarks/onnx_random/run.py --cases {arguments.cases} --seed {arguments.seed}`, "
             f"{datetime.date.today()}: {versions()}.", "",
             "A case is right if Tenon agrees, interpreted and compiled, with ONNX's reference "
             "evaluator or ONNX Runtime; wrong if it agrees with neither, and they agree or only "
             "one of them can run it; it fails if a tool fails without a refusal that names the "
             "node. *Decided*: differs as docs/onnx-support.md says. *Not "
             "judged*: neither can run it.", "",
             f"| operator | cases | {' | '.join(VERDICTS)} |",
             "|---|" + "--:|" * (1 + len(VERDICTS))]
    total = collections.Counter()
    for op, cases in results.items():
        counts = collections.Counter(verdict for verdict, _ in (c.verdict for c in cases))
        total.update(counts)
        lines.append(f"| {op} | {len(cases)} | "
                     + " | ".join(str(counts[v] or "") for v in VERDICTS) + " |")
    lines.append(f"| all | {sum(total.values())} | "
                 + " | ".join(str(total[v] or "") for v in VERDICTS) + " |")
    for verdict, title in (("refused", "Reasons of refusals"), ("not judged", "Cases not judged")):
        reasons = collections.defaultdict(collections.Counter)
        for op, cases in results.items():
            for found, why in (case.verdict for case in cases):
                if found == verdict:
                    reasons[why][op] += 1
        lines += ["", f"## {title}", ""]
        for why, ops in sorted(reasons.items(), key=lambda item: -sum(item[1].values())):
            lines.append(f"- {sum(ops.values())}: `{why}` "
                         f"({', '.join(f'{op} {n}' for op, n in ops.most_common(6))})")
    for verdict in ("wrong", "fails", "judges differ"):
        lines += ["", f"## {verdict.capitalize()}", ""]
        for op, cases in results.items():
            found = [case for case in cases if case.verdict[0] == verdict]
            lines += [f"- {op} {c.number}: {describe(c)}: {c.verdict[1]}" for c in found[:SHOWN]]
            if len(found) > SHOWN:
                lines.append(f"- {op}: {len(found) - SHOWN} more")
    text = "\n".join(lines) + "\n"
    if path is None:
        print(text, end="")
    else:
        with open(path, "w") as stream:
            stream.write(text)


def complain(invalid):
    """Drawn models that ONNX's checker refuses are mistakes of the functions that draw them."""
    reasons = collections.Counter(normal(text) for text in invalid)
    for why, count in reasons.most_common(60):
        print(f"invalid, {count} drawn: {why}", file=sys.stderr)
