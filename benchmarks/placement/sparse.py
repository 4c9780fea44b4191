"""Whether measured costs ever do harm: costs from few plans and few repetitions, against
none.

For each model, number of threads, --plans and --repeat of tenon-profile: the model is
compiled without costs and with those that were measured, all other options alike (the
optimizer is on), and both libraries are run in turn, in ABBA order, each measurement a
process of its own. The ratio is of the medians of one round, with costs over without, with
the 95 % interval of a bootstrap over the rounds. Where both libraries have the same kernels
in the same graph, nothing is run and the ratio is 1 by construction. A row is slower if the
whole interval lies above --noise; the exit status is 1 if any is. Noise strikes some of
many rows: a row that is slower is measured again, with twice the rounds, and only what is
slower both times counts.

Needs Python's standard library alone.
"""
import argparse
import os
import statistics
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from common import machine, stats  # noqa: E402
from common.tools import ToolError, Tools  # noqa: E402

# The arguments of tenon-zoo after the name; "NAME small" adds --small.
SIZES = {
    "bert-base": ["--sequence", 128],
    "gpt2": ["--sequence", 64],
    "gpt2-decode": ["--sequence", 128],
}
MODELS = ("mlp,squeezenet,nasrnn,resnet50,inception-v3,resnext50,bert-base,gpt2,gpt2-decode,"
          "squeezenet small,resnet50 small,inception-v3 small,nasnet-a small,resnext50 small,"
          "vgg19 small,nasrnn small,bert-base small,gpt2 small")


def source(tools, model):
    path = tools.path(model.replace(" ", "-") + ".mlir")
    name, _, small = model.partition(" ")
    sizes = [] if small else SIZES.get(name, [])
    if small and name in SIZES:
        sizes = ["--sequence", 16]
    tools.run("tenon-zoo", name, "--batch", 1, *sizes, *(["--small"] if small else []), "-o", path)
    return path


def kernels(report):
    """What decides the time: the kernels in their order, each with its results."""
    return [(kernel["backend"], kernel["pattern"], kernel["detail"])
            for kernel in report["placement"]["kernels"]]


class Row:
    def __init__(self, tools, options, model, threads, plans, repeat):
        self.tools, self.options = tools, options
        self.model, self.threads, self.plans, self.repeat = model, threads, plans, repeat
        self.ratio, self.predicted, self.times, self.note = (1, 1, 1), 1, {}, ""

    def compile(self, name, *more):
        library = self.tools.path(f"{name}.so")
        report, _ = self.tools.compile(self.source, library, *more)
        return library, report

    def run(self):
        self.source = source(self.tools, self.model)
        costs = self.tools.path("costs.json")
        if os.path.exists(costs):
            os.remove(costs)
        self.tools.run("tenon-profile", self.source, "-o", costs, f"--threads={self.threads}",
                       f"--plans={self.plans}", f"--repeat={self.repeat}", threads=self.threads)
        without, report = self.compile("without")
        before = kernels(report)
        library, report = self.compile("with", f"--costs={costs}")
        self.predicted = report["after"]["seconds"]
        if kernels(report) == before:
            self.note = "the same kernels"
            return
        rounds = self.options.pairs
        self.ratio = self.measure(library, without, rounds)
        if self.is_slower():
            first = self.ratio
            self.ratio = self.measure(library, without, 2 * rounds)
            self.note = f"at first {stats.show(first)}"

    def measure(self, library, without, rounds):
        samples = {}
        for order in stats.orders([library, without], rounds):
            for one in order:
                run = self.tools.measure(one, self.threads, self.options.runs, "--params",
                                         "random:1", "--donate")
                samples.setdefault(one, []).append(run["latency_ms"]["median"])
        self.times = {"with": statistics.median(samples[library]),
                      "without": statistics.median(samples[without])}
        return stats.interval(stats.ratios(samples[library], samples[without]))

    def is_slower(self):
        return self.ratio[1] > self.options.noise

    def cells(self):
        times = [f"{self.times[name]:.2f}" if name in self.times else ""
                 for name in ("without", "with")]
        return [self.model, str(self.threads), str(self.plans), str(self.repeat), *times,
                stats.show(self.ratio) if self.times else "1",
                "slower" if self.is_slower() else self.note]


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True, help="folder of Tenon's tools")
    parser.add_argument("--out", required=True, help="the table, in Markdown")
    parser.add_argument("--models", default=MODELS, help="default: %(default)s")
    parser.add_argument("--plans", type=numbers, default=[1, 2, 3], help="default 1,2,3")
    parser.add_argument("--repeat", type=numbers, default=[1, 2], help="default 1,2")
    parser.add_argument("--threads", type=numbers, default=[1, 2], help="default 1,2")
    parser.add_argument("--pairs", type=int, default=6, help="rounds (default 6)")
    parser.add_argument("--runs", type=int, default=15, help="runs in a process (default 15)")
    parser.add_argument("--noise", type=float, default=1.02,
                        help="a ratio up to this is no harm (default 1.02)")
    parser.add_argument("--work", help="folder for models and libraries (default: a temporary one)")
    options = parser.parse_args()
    head = ["model", "threads", "plans", "repeat", "without ms", "with ms", "with / without", ""]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(options.tools, options.work or folder)
        for model in options.models.split(","):
            for threads in options.threads:
                for plans in options.plans:
                    for repeat in options.repeat:
                        row = Row(tools, options, model, threads, plans, repeat)
                        try:
                            row.run()
                        except ToolError as error:
                            raise SystemExit(f"{model}: {error}") from error
                        rows.append(row)
                        print(" | ".join(row.cells()), flush=True)
                        with open(options.out, "w") as stream:
                            stream.write(f"{tools.version()}; {machine.describe()}\n\n")
                            for cells in (head, ["---"] * len(head), *(r.cells() for r in rows)):
                                stream.write(f"| {' | '.join(cells)} |\n")
    slower = sum(row.is_slower() for row in rows)
    print(f"{slower} of {len(rows)} are slower with costs")
    sys.exit(slower > 0)


main()
