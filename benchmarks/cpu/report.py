"""The tables of compare.py."""
from common import machine, stats


def number(value, digits=2):
    return "–" if value is None else f"{value:.{digits}f}"


def ratio(row, peer):
    pairs = row.ratios(peer.name)
    return stats.show(stats.interval(pairs)) if pairs else "–"


def latency(rows, sides):
    lines = ["| model | threads | " + " | ".join(f"Tenon / {p.name} [95 %]" for p in sides) +
             " | Tenon ms | " + " | ".join(f"{p.name} ms" for p in sides) + " | outputs |",
             "|" + "---|" * (4 + 2 * len(sides))]
    for row in rows:
        lines.append(f"| {row.name} | {row.threads} | " +
                     " | ".join(ratio(row, peer) for peer in sides) + " | " +
                     " | ".join(number(row.median(s)) for s in
                                ["Tenon", *(peer.name for peer in sides)]) +
                     f" | {'; '.join(row.notes) or 'agree'} |")
    for threads in [*sorted({row.threads for row in rows}), None]:
        cells = []
        for peer in sides:
            pairs = [row.ratios(peer.name) for row in rows
                     if threads in (None, row.threads) and row.ratios(peer.name)]
            cells.append(stats.show(stats.geomean_interval(pairs)) if pairs else "–")
        lines.append(f"| geometric mean | {threads or 'all'} | " + " | ".join(cells) +
                     " |" * (3 + len(sides)))
    return lines


def slowest(rows, sides):
    """For each peer, the rows in which Tenon takes more than 1.15 times as long."""
    for peer in sides:
        medians = [(stats.interval(row.ratios(peer.name))[0], row) for row in rows
                   if row.ratios(peer.name)]
        late = [f"{row.name} at {row.threads} ({middle:.2f})" for middle, row in medians
                if middle > 1.15]
        yield (f"- {peer.name}: slower than 1.15 times: {', '.join(late) or 'none'} "
               f"of {len(medians)} rows.")


def rest(rows, sides):
    names = ["Tenon", *(peer.name for peer in sides)]
    lines = ["| model | threads | " + " | ".join(f"{name} MiB" for name in names) + " | " +
             " | ".join(f"{name} load ms" for name in names) + " | Tenon's compile s |",
             "|" + "---|" * (3 + 2 * len(names))]
    for row in rows:
        cells = []
        for name in names:
            peak = row.median(name, "peak_kib")
            cells.append(number(peak and peak / 1024, 0))
        for name in names:
            load = row.median(name, "load_ms")
            # PyTorch compiles in its first run.
            if name == "PyTorch" and load is not None:
                load += row.median(name, "first_ms")
            cells.append(number(load, 0))
        lines.append(f"| {row.name} | {row.threads} | " + " | ".join(cells) +
                     f" | {row.compile_s:.1f} |")
    return lines


def write(path, version, rows, sides, options, head):
    versions = ", ".join([version, *(f"{peer.name} {peer.version}" for peer in sides)])
    more = "".join(f" {tool} also with {' '.join(words)}." for tool, words in
                   (("tenon-compile", options.compile), ("tenon-run", options.run)) if words)
    lines = ["# Against other systems on the CPU", "",
             f"{versions}; {machine.describe()}; f32; {options.pairs} rounds of {options.repeat} "
             "runs or more, in ABBA order. Ratios are Tenon over the peer: below 1 is faster." + more,
             "", *(f"- {line}" for line in head), "", "## Latency", "",
             *latency(rows, sides), "", *slowest(rows, sides), "",
             "## Memory, load and compile time", "",
             "Memory is the process's peak, of a peer less Python's own. PyTorch's load includes "
             "its compilation.", "", *rest(rows, sides)]
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")
