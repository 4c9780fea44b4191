"""What placement by cost gains over one backend wherever it can be used, and how well it
predicts.

For each model and number of threads: costs are measured (or given), the model is compiled
with the plan that the costs choose ("mixed") and with each plan "all B", and the libraries
are run in turn, in ABBA order, each measurement a process of its own, held to as many
cores as it has threads. The ratio is of the medians of one round, mixed over the best of
the others (by its median over all rounds, which is in that one's favour); the table gives
the median ratio and the 95 % interval of a bootstrap over the rounds.

Needs Python's standard library alone.
"""
import argparse
import os
import statistics
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from common import machine, models, stats  # noqa: E402
from common.tools import ToolError, Tools  # noqa: E402
from table import write  # noqa: E402

# The first is the one that is judged, the others what it is compared with.
PLANS = [
    "mixed=--place=mixed",
    "all onednn=--place=all:onednn",
    "all winograd=--place=all:winograd",
    "all openblas=--place=all:openblas",
    "all cpu=--place=all:cpu",
]

def measure_costs(tools, options, sources, threads):
    """The file of costs for so many threads: given, or measured for all models together, so
    that what is learned of sums and runs comes from other models, too."""
    if options.costs:
        path = options.costs.format(threads=threads)
        if not os.path.exists(path):
            raise SystemExit(f"--costs: no file {path}")
        return path
    path = tools.path(f"costs-{threads}.json")
    more = ["--resume"] if os.path.exists(path) else []
    tools.run("tenon-profile", *sources, "-o", path, f"--threads={threads}", *more,
              *options.profile, threads=threads)
    return path


class Row:
    """One model at one number of threads."""

    def __init__(self, tools, options, model, threads, source, costs):
        self.tools, self.options = tools, options
        self.name, self.threads = models.name_of(model), threads
        self.source, self.costs = source, costs
        self.libraries, self.reports, self.seconds = {}, {}, {}
        self.samples, self.notes = {}, []

    def compile(self):
        for name, arguments in self.options.plan.items():
            library = self.tools.path(f"{self.name}-{self.threads}-{name.replace(' ', '-')}.so")
            try:
                self.reports[name], self.seconds[name] = self.tools.compile(
                    self.source, library, f"--costs={self.costs}", *arguments,
                    *self.options.compile)
            except ToolError as error:
                self.notes.append(f"no plan '{name}': {error.brief()}")
                continue
            if not self.reports[name]:
                raise ToolError(f"plan '{name}': tenon-compile wrote no --report")
            backend = next((a.partition("all:")[2] for a in arguments if "all:" in a), "")
            if backend and backend not in {kernel[0] for kernel in self.kernels(name)}:
                self.notes.append(f"'{name}' is left out: {backend} runs nothing of this model")
                continue
            self.libraries[name] = library
        if self.judged() not in self.libraries:
            raise ToolError(next(note for note in self.notes if note.startswith("no plan")))

    def measure(self):
        self.compile()
        self.tools.other_work = machine.OtherWork()
        # Caches are updated in place, as in a service.
        more = ["--donate"]
        if not self.source.endswith(".onnx"):
            more += ["--params", "random:1"]
        for order in stats.orders(self.libraries, self.options.pairs):
            for name in order:
                run = self.tools.measure(self.libraries[name], self.threads, self.options.repeat,
                                         *more)
                self.samples.setdefault(name, []).append(run["latency_ms"]["median"])
        if self.tools.other_work.note():
            self.notes.append(self.tools.other_work.note())

    def judged(self):
        return next(iter(self.options.plan))

    def median(self, name):
        return statistics.median(self.samples[name]) if name in self.samples else None

    def best(self):
        """The fastest of the other plans, or None if there is none."""
        return min((name for name in self.samples if name != self.judged()),
                   key=self.median, default=None)

    def ratios(self):
        best = self.best()
        return best and stats.ratios(self.samples[self.judged()], self.samples[best])

    def predicted_ms(self, name):
        """The predicted time of a run, with the correction learned from the other models."""
        return 1e3 * self.reports[name]["placement"]["predicted_run_seconds"]

    def placement_s(self):
        return self.seconds[self.judged()]["place"]

    def kernels(self, plan=None):
        """Backend, what it computes, and seconds, of each kernel of a plan, or of the judged
        one."""
        for kernel in self.reports[plan or self.judged()]["placement"]["kernels"]:
            yield (kernel["backend"], kernel["pattern"], kernel["seconds"],
                   kernel["basis"] == "measured")


def plan(text):
    name, equals, arguments = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=OPTIONS, but got {text!r}")
    return name, arguments.split()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True, help="folder of Tenon's tools")
    parser.add_argument("--out", required=True, help="the tables, in Markdown")
    parser.add_argument("--plan", action="append", type=plan, metavar="NAME=OPTIONS",
                        help="a plan and the options of tenon-compile that make it, the judged "
                        f"one first (repeatable; default: {'; '.join(PLANS)})")
    parser.add_argument("--costs", metavar="F.json",
                        help="measured costs, where {threads} stands for their number (default: "
                        "they are measured, into --work)")
    parser.add_argument("--profile", action="append", default=[], metavar="OPTION",
                        help="an option more for tenon-profile (repeatable)")
    parser.add_argument("--compile", action="append", metavar="OPTION",
                        help="an option of tenon-compile, in all plans (repeatable; default: "
                        "--optimize=off, so that the graph is the same)")
    parser.add_argument("--pairs", type=int, default=10, help="rounds (default 10)")
    parser.add_argument("--repeat", type=int, default=20, help="runs in a process (default 20)")
    parser.add_argument("--threads", default="1,2", help="default 1,2")
    parser.add_argument("--work", help="folder for models and libraries (default: a temporary one)")
    models.add_options(parser)
    options = parser.parse_args()
    options.plan = dict(options.plan or map(plan, PLANS))
    options.compile = ["--optimize=off"] if options.compile is None else options.compile
    head, rows = [], []
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(options.tools, options.work or folder)
        sources = {model: models.source(tools, model, options.onnx)
                   for model in options.models.split(",")}
        for threads in map(int, options.threads.split(",")):
            costs = measure_costs(tools, options, sources.values(), threads)
            for model, source in sources.items():
                try:
                    row = Row(tools, options, model, threads, source, costs)
                    row.measure()
                except ToolError as error:
                    print(f"{model}, {threads} threads: {error}", file=sys.stderr, flush=True)
                    head.append(f"Not measured: {models.name_of(model)} at {threads} threads "
                                f"({error.brief()}).")
                    continue
                rows.append(row)
                head += [f"{row.name} at {threads}: {note}." for note in row.notes]
                # Written after each row: a run of hours may be cut short.
                write(options.out, tools.version(), rows, options, head)
                print(row.name, threads, {s: round(row.median(s), 2) for s in row.samples},
                      row.notes, flush=True)
    sys.exit(not rows)


main()
