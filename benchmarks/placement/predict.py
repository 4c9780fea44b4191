"""How well a run is predicted at a batch size that was not measured.

For each model of the zoo: with costs measured at two batch sizes (and whatever else the
file of costs holds), the model is compiled at a size between, the report's predicted run is
taken, which is learned without the model in question, and the library is run. Prints
measured over predicted.

Needs only Python's standard library.
"""
import argparse
import os
import statistics
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from common import machine, models  # noqa: E402
from common.tools import ToolError, Tools  # noqa: E402

OFF = 0.15
MODELS = "squeezenet,resnet50,vgg19,bert-base,nasnet-a,resnext50,gpt2-decode"


def at_batch(tools, model, batch):
    """The zoo's model at a batch size."""
    path = tools.path(f"{model}-b{batch}.mlir")
    arguments = list(models.ZOO.get(model, ["--batch", 1]))
    arguments[arguments.index("--batch") + 1] = batch
    tools.run("tenon-zoo", model, *arguments, "-o", path)
    return path


def predict(tools, model, costs, batch, threads, options):
    library = tools.path(f"{model}-b{batch}.so")
    report, _ = tools.compile(at_batch(tools, model, batch), library, f"--costs={costs}",
                              "--optimize=off")
    runs = [tools.measure(library, threads, options.repeat, "--donate", "--params", "random:1")
            for _ in range(options.rounds)]
    placement = report["placement"]
    missing = sum(kernel["basis"] != "measured" for kernel in placement["kernels"])
    measured = statistics.median(run["latency_ms"]["median"] for run in runs)
    return 1e3 * placement["predicted_run_seconds"], measured, missing, len(placement["kernels"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True, help="folder of Tenon's tools")
    parser.add_argument("--out", required=True, help="the table, in Markdown")
    parser.add_argument("--costs", required=True, metavar="F.json",
                        help="costs measured on this machine; extended at the measured sizes")
    parser.add_argument("--models", default=MODELS, help="default: %(default)s")
    parser.add_argument("--measured", default="1,4", help="batch sizes (default 1,4)")
    parser.add_argument("--predicted", default="2", help="batch sizes (default 2)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(options.tools, folder)
        names = options.models.split(",")
        for batch in options.measured.split(","):
            tools.run("tenon-profile", *(at_batch(tools, name, batch) for name in names),
                      "-o", options.costs, "--resume", "--plans=1",
                      f"--threads={options.threads}", threads=options.threads)
        lines = ["# Prediction at batch sizes that were not measured", "",
                 f"{tools.version()}; {machine.describe()}; {options.threads} threads; costs "
                 f"measured at batch {options.measured}; the correction of sums is learned "
                 "without the model.", "",
                 "| model | batch | predicted ms | measured ms | measured / predicted | kernels "
                 "predicted from other sizes |", "|---|---|---|---|---|---|"]
        worst = 0
        for name in names:
            for batch in options.predicted.split(","):
                try:
                    predicted, measured, missing, count = predict(
                        tools, name, options.costs, batch, options.threads, options)
                except ToolError as error:
                    lines.append(f"| {name} | {batch} | not measured: {error.brief()} | | | |")
                    continue
                worst = max(worst, abs(measured / predicted - 1))
                lines.append(f"| {name} | {batch} | {predicted:.2f} | {measured:.2f} | "
                             f"{measured / predicted:.2f} | {missing} of {count} |")
                print(lines[-1], flush=True)
    lines += ["", f"Off by at most {100 * worst:.0f} % (asked: {100 * OFF:.0f} %)."]
    with open(options.out, "w") as out:
        out.write("\n".join(lines) + "\n")


main()
