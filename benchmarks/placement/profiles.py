"""What a profile of the CPU changes: models compiled with it, and with the roofline.

usage: profiles.py --tools BIN --profile FILE [--models a,b] [--onnx DIR] [--threads N]
                   [--pairs N] [--seconds S]

Both sides are compiled without measured costs (--profile=FILE, and --costs=none), and run
in turn, in ABBA order, every measurement a process of its own that runs for about so many
seconds. The ratio is the time with the profile over the time without.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from common import machine, models, stats  # noqa: E402
from common.tools import ToolError, Tools  # noqa: E402


def row(tools, model, options):
    name = models.name_of(model)
    path = models.exported(tools, model, options.onnx)
    sides = [(tools.path(name + ".roofline.so"), "--costs=none"),
             (tools.path(name + ".profile.so"), f"--profile={options.profile}")]
    for library, option in sides:
        tools.run("tenon-compile", path, "-o", library, option)

    def latency(library, repeat):
        return tools.measure(library, options.threads, repeat)["latency_ms"]["median"]

    base, ours = (library for library, _ in sides)
    repeat = max(3, int(options.seconds * 1e3 / latency(base, 3)))
    times = {base: [], ours: []}
    ratios = []
    for order in stats.orders([base, ours], options.pairs):
        pair = {library: latency(library, repeat) for library in order}
        ratios.append(pair[ours] / pair[base])
        for library, milliseconds in pair.items():
            times[library].append(milliseconds)
    return (f"| {name} | {options.threads} | {min(times[base]):.3f} | {min(times[ours]):.3f} | "
            f"{stats.show(stats.interval(ratios), 3)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--profile", required=True)
    parser.add_argument("--work", default="/tmp/tenon-profiles")
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.5)
    models.add_options(parser)
    options = parser.parse_args()
    options.profile = os.path.abspath(options.profile)
    tools = Tools(options.tools, options.work)
    print(f"{tools.version()}; {machine.describe()}; {options.pairs} pairs\n\n"
          "| model | threads | roofline ms | profile ms | profile / roofline [95 %] |\n"
          "|---|---|---|---|---|")
    for model in options.models.split(","):
        print(row(tools, model, options), flush=True)


try:
    main()
except ToolError as error:
    raise SystemExit(str(error))
