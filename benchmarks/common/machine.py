"""What the tables say about where and when they were measured."""
import os
import platform
import resource
import subprocess
import time


def processor():
    with open("/proc/cpuinfo") as stream:
        for line in stream:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


def describe():
    return (f"{processor()}, {os.cpu_count()} cores; {platform.system()} {platform.release()}; "
            f"{time.strftime('%Y-%m-%d')}")


def gpu():
    """The name, the driver and the memory of each, or None if there is no GPU."""
    command = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total",
               "--format=csv,noheader"]
    try:
        return subprocess.run(command, capture_output=True, text=True,
                              timeout=20).stdout.strip() or None
    except (OSError, subprocess.SubprocessError):
        return None


class OtherWork:
    """What other processes, or other guests of the host, took of the CPU while children
    of this process ran that have been waited for."""
    # More than this share of a core is told: it falls on all sides, but not evenly.
    NOTED = 0.1

    def __init__(self):
        self.wall = self.taken = 0

    def __enter__(self):
        self.start = time.perf_counter(), busy_seconds(), own_seconds()

    def __exit__(self, *_):
        wall, busy, own = self.start
        self.wall += time.perf_counter() - wall
        self.taken += busy_seconds() - busy - (own_seconds() - own)

    def note(self):
        share = self.taken / self.wall if self.wall else 0
        return (f"other work took {100 * share:.0f} % of a core: rough"
                if share > self.NOTED else "")


def busy_seconds():
    """What all cores together have spent on anything but idling and waiting."""
    with open("/proc/stat") as stream:
        user, nice, system, _, _, irq, softirq, steal = map(int, stream.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    return sum(usage.ru_utime + usage.ru_stime for usage in
               map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def cores(threads):
    """The cores that a measurement of so many threads may use, for sched_setaffinity."""
    allowed = sorted(os.sched_getaffinity(0))
    if threads > len(allowed):
        raise SystemExit(f"expected at least {threads} cores, but got {len(allowed)}")
    return set(allowed[:threads])
