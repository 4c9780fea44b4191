"""Compares compiled models with ONNX Runtime, OpenVINO and PyTorch on the CPU.

Every peer reads the same .onnx file, with the same inputs, and its outputs are compared
with those of the first peer before anything is timed. Then Tenon and the peers are run in
turn, in ABBA order; every measurement is a process of its own (but for PyTorch, which
compiles for minutes and so has one process for a row), held to as many cores as it has
threads. A ratio is Tenon's median latency over the peer's, of one round; the table gives
the median ratio with the 95 % interval of a bootstrap over the rounds.

Run it with the Python of a virtual environment that has numpy, onnx and the peers.
"""
import argparse
import math
import os
import statistics
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from common import machine, models, stats  # noqa: E402
from common.tools import ToolError, Tools  # noqa: E402
from peers import PeerError, peers  # noqa: E402
from report import write  # noqa: E402

# An output agrees when no element is off by more than this share of the largest one.
TOLERANCE = 1e-3
# A process runs a model for as long at least: threads that begin on one core take
# milliseconds to be moved apart.
LEAST_MS = 200


class Row:
    """One model at one number of threads."""

    def __init__(self, tools, options, model, threads):
        self.tools, self.options = tools, options
        self.name, self.threads, self.repeat = models.name_of(model), threads, options.repeat
        self.path = models.exported(tools, model, options.onnx)
        self.library = tools.path(f"{self.name}-{threads}.so")
        arguments = [a.format(model=self.name, threads=threads) for a in options.compile]
        _, seconds = tools.compile(self.path, self.library, *arguments)
        self.compile_s = seconds["total"]
        self.feeds, self.notes, self.samples = self.save_inputs(), [], {}

    def save_inputs(self):
        import numpy as np

        feeds = []
        for name, value in models.inputs_of(self.path).items():
            feeds.append((name, self.tools.path(f"{self.name}-in{len(feeds)}.npy")))
            np.save(feeds[-1][1], value)
        return feeds

    def tenon(self, repeat, *more):
        for name, path in self.feeds:
            more += ("--input", f"{name}=@{path}")
        run = self.tools.measure(self.library, self.threads, repeat, *more, *self.options.run)
        return {"median_ms": run["latency_ms"]["median"], "load_ms": run["load_ms"],
                "peak_kib": run["peak_process_bytes"] / 1024}

    def outputs(self, peer):
        folder = self.tools.path(f"{self.name}-{peer.name.replace(' ', '')}")
        return folder, peer.outputs(self.path, self.threads, self.feeds, folder)

    def check(self, sides):
        """The peers that run; what differs is noted and timed all the same."""
        running, expected, names = [], None, []
        for peer in sides:
            try:
                folder, own = self.outputs(peer)
            except PeerError as error:
                self.notes.append(f"not run: {error}")
                continue
            running.append(peer)
            if expected is None:
                expected, names = folder, own
            else:
                self.note_difference(peer.name, folder, expected, len(names))
        if expected:
            folder = self.tools.path(f"{self.name}-Tenon")
            os.makedirs(folder, exist_ok=True)
            once = self.tenon(2, *(word for number, name in enumerate(names) for word in (
                "--output", f"{name}=@{os.path.join(folder, f'{number}.npy')}")))
            self.repeat = max(self.repeat, math.ceil(LEAST_MS / once["median_ms"]))
            self.note_difference("Tenon", folder, expected, len(names))
        return running

    def note_difference(self, who, folder, expected, count):
        import numpy as np

        for number in range(count):
            got, want = (np.load(os.path.join(f, f"{number}.npy")) for f in (folder, expected))
            if got.shape != want.shape:
                self.notes.append(f"{who} differs: output {number} is {got.shape}, "
                                  f"expected {want.shape}")
                continue
            error = float(np.abs(got.astype(np.float64) - want).max() / (np.abs(want).max() or 1))
            if not error <= TOLERANCE:
                self.notes.append(f"{who} differs: output {number} by {error:.1g} of the largest")

    def measure(self, sides):
        running = self.check(sides)
        self.tools.other_work = machine.OtherWork()
        for order in stats.orders(["Tenon", *running], self.options.pairs):
            for side in order:
                if side == "Tenon":
                    key, result = side, self.tenon(self.repeat)
                else:
                    key, result = side.name, side.measure(self.path, self.threads, self.feeds,
                                                          self.repeat)
                self.samples.setdefault(key, []).append(result)
        for peer in running:
            peer.stop()

    def of(self, side, what="median_ms"):
        return [sample[what] for sample in self.samples[side]]

    def median(self, side, what="median_ms"):
        return statistics.median(self.of(side, what)) if side in self.samples else None

    def ratios(self, side):
        return stats.ratios(self.of("Tenon"), self.of(side)) if side in self.samples else None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True, help="folder of Tenon's tools")
    parser.add_argument("--out", required=True, help="the tables, in Markdown")
    parser.add_argument("--python", default=sys.executable,
                        help="the peers' Python (default: the one that runs this)")
    parser.add_argument("--peers", default="onnxruntime,openvino,pytorch",
                        help="default: %(default)s; outputs are compared with the first")
    parser.add_argument("--pairs", type=int, default=10, help="rounds (default 10)")
    parser.add_argument("--repeat", type=int, default=20,
                        help="runs in a process, at least (default 20)")
    parser.add_argument("--threads", default="1,2", help="default 1,2")
    parser.add_argument("--compile", action="append", default=[], metavar="OPTION",
                        help="an option more for tenon-compile, where {model} and {threads} "
                        "stand for a row's (repeatable)")
    parser.add_argument("--run", action="append", default=[], metavar="OPTION",
                        help="an option more for tenon-run (repeatable)")
    parser.add_argument("--work", help="folder for models and libraries (default: a temporary one)")
    models.add_options(parser)
    options = parser.parse_args()
    sides = peers(options.peers.split(","), options.python)
    head = []
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(options.tools, options.work or folder)
        rows = []
        for model in options.models.split(","):
            for threads in map(int, options.threads.split(",")):
                try:
                    row = Row(tools, options, model, threads)
                    row.measure(sides)
                except (ToolError, PeerError) as error:
                    print(f"{model}, {threads} threads: {error}", file=sys.stderr, flush=True)
                    head.append(f"Not measured: {models.name_of(model)} at {threads} threads "
                                f"({error.brief()}).")
                    continue
                finally:
                    for peer in sides:
                        peer.stop()
                rows.append(row)
                note = tools.other_work.note()
                head += [f"{row.name} at {threads}: {note}."] if note else []
                # Written after each row: a run of hours may be cut short.
                write(options.out, tools.version(), rows, sides, options, head)
                print(row.name, threads, {s: round(row.median(s), 2) for s in row.samples},
                      row.notes, flush=True)
    sys.exit(not rows)


main()
