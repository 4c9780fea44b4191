"""The tables of run.py, and whether placement meets its requirements."""
import collections

from common import machine, stats

# The requirements: never slower (the interval's upper end), how much faster in the mean, how
# much on at least two models, and how far a prediction may be off.
SLOWER, MEAN, MUCH, OFF = 1.03, 1.05, 1.15, 0.15


def number(value, digits=2):
    return "–" if value is None else f"{value:.{digits}f}"


def latency(rows, options):
    judged, *others = options.plan
    lines = [f"| model | threads | {judged} ms | " + " | ".join(f"{name} ms" for name in others) +
             f" | {judged} / best [95 %] | best | predicted ms | measured / predicted | "
             "placement s |", "|" + "---|" * (8 + len(others))]
    for row in rows:
        pairs, predicted = row.ratios(), row.predicted_ms(judged)
        lines.append(
            f"| {row.name} | {row.threads} | " +
            " | ".join(number(row.median(name)) for name in options.plan) +
            f" | {stats.show(stats.interval(pairs), 3) if pairs else '–'} | "
            f"{row.best() or '–'} | {predicted:.2f} | "
            f"{row.median(judged) / predicted:.2f} | {row.placement_s():.2f} |")
    for threads in [*sorted({row.threads for row in rows}), None]:
        pairs = [row.ratios() for row in rows if threads in (None, row.threads) and row.ratios()]
        if pairs:
            lines.append(f"| geometric mean | {threads or 'all'} |" + " |" * len(options.plan) +
                         f" {stats.show(stats.geomean_interval(pairs), 3)} | | | | |")
    return lines


def listed(names):
    return ", ".join(names) or "none"


def verdicts(rows, judged):
    compared = [(row, *stats.interval(row.ratios())) for row in rows if row.ratios()]

    def named(row):
        return f"{row.name} at {row.threads}"

    if compared:
        slow = [f"{named(row)} ({high:.3f})" for row, _, _, high in compared if high > SLOWER]
        much = [f"{named(row)} ({1 / middle:.2f})" for row, middle, _, _ in compared
                if 1 / middle >= MUCH]
        mean = 1 / stats.geomean([middle for _, middle, _, _ in compared])
        yield f"- The interval's upper end is above {SLOWER}: {listed(slow)}."
        yield f"- Faster in the geometric mean: {mean:.3f} times (asked: {MEAN})."
        yield f"- Faster by {MUCH} or more: {listed(much)} (asked: two models)."
    shares = [(row, row.median(judged) / row.predicted_ms(judged)) for row in rows]
    off = [f"{named(row)} ({share:.2f})" for row, share in shares if abs(share - 1) > OFF]
    yield f"- Measured differs from predicted by more than {100 * OFF:.0f} %: {listed(off)}."


def winners(rows):
    """The kernels that each backend was given, over all rows."""
    calls, seconds = collections.defaultdict(collections.Counter), collections.Counter()
    measured = [0, 0]
    for row in rows:
        for backend, what, cost, known in row.kernels():
            calls[backend][what] += 1
            seconds[backend] += cost
            measured[known] += 1
    total = sum(seconds.values()) or 1
    lines = ["| backend | kernels | share of predicted time % | what |", "|---|---|---|---|"]
    for backend, _ in seconds.most_common():
        kinds = [f"{what} {count}" for what, count in calls[backend].most_common(12)]
        more = len(calls[backend]) - len(kinds)
        lines.append(f"| {backend} | {sum(calls[backend].values())} | "
                     f"{100 * seconds[backend] / total:.1f} | {', '.join(kinds)}"
                     f"{f', {more} kinds more' if more else ''} |")
    return [*lines, "", f"Costs of {measured[1]} of {sum(measured)} kernels were measured."]


def write(path, version, rows, options, head):
    judged = next(iter(options.plan))
    plans = "; ".join(f"{name}: `{' '.join(more) or 'the default'}`"
                      for name, more in options.plan.items())
    more = f" All with {' '.join(options.compile)}." if options.compile else ""
    lines = ["# Placement by cost", "",
             f"{version}; {machine.describe()}; {options.pairs} rounds of {options.repeat} runs, "
             f"in ABBA order. Plans: {plans}.{more} Ratios below 1: {judged} is faster.", "",
             *(f"- {line}" for line in head), "", "## Latency and prediction", "",
             *latency(rows, options), "", *verdicts(rows, judged), "",
             f"## What '{judged}' is made of", "", *winners(rows)]
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")
