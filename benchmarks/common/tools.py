"""Running Tenon's tools, and saying what one of them refused."""
import json
import os
import subprocess

from common import machine


class ToolError(Exception):
    def brief(self):
        """The line that states the error."""
        lines = str(self).splitlines()
        return next((line for line in lines if "error:" in line), lines[-1]).strip()


class Tools:
    def __init__(self, folder, work):
        self.folder, self.work = folder, work
        for name in ("tenon-compile", "tenon-run", "tenon-zoo"):
            if not os.access(os.path.join(folder, name), os.X_OK):
                raise SystemExit(f"--tools: no {name} in {folder!r}")
        os.makedirs(work, exist_ok=True)
        self.other_work = machine.OtherWork()

    def path(self, name):
        return os.path.join(self.work, name)

    def run(self, name, *arguments, threads=None):
        """With threads, the tool is held to as many cores."""
        pin = threads and machine.cores(threads)
        command = [os.path.join(self.folder, name), *map(str, arguments)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              preexec_fn=(lambda: os.sched_setaffinity(0, pin)) if pin else None)
        if done.returncode:
            raise ToolError(f"{name} {' '.join(map(str, arguments))}:\n"
                            f"{(done.stderr or done.stdout).strip()}")
        return done

    def version(self):
        return self.run("tenon-compile", "--version").stdout.splitlines()[0]

    def measure(self, library, threads, repeat, *more):
        """What tenon-run reports for one process that runs the library so many times."""
        out = self.path("run.json")
        with self.other_work:
            self.run("tenon-run", library, "--repeat", repeat, "--threads", threads,
                     "--json", out, *more, threads=threads)
        with open(out) as stream:
            return json.load(stream)

    def compile(self, model, out, *more):
        """The report, or None if none is written (--optimize=off), and the seconds of
        each phase by name."""
        report = self.path("report.json")
        if os.path.exists(report):
            os.remove(report)
        done = self.run("tenon-compile", model, "-o", out, f"--report={report}", "--timing", *more)
        seconds = {}
        for line in done.stderr.splitlines():
            words = line.split(None, 2)
            if len(words) == 3 and words[1] == "s":
                seconds[words[2]] = float(words[0])
        if not os.path.exists(report):
            return None, seconds
        with open(report) as stream:
            return json.load(stream), seconds
