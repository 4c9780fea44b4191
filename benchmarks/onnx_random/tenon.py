"""Running cases by Tenon's tools, many in one model."""
import os
import re
import subprocess

import onnx
from onnx import numpy_helper

import models

SECONDS = 300


class Tenon:
    """Gives, for each case, its results by name, or the text of an error; an error that
    starts with "crash" is not a refusal."""

    def __init__(self, folder, work, options=()):
        self.folder, self.work, self.options = folder, work, list(options)
        for name in ("tenon-compile", "tenon-run", "tenon-interpret"):
            if not os.access(os.path.join(folder, name), os.X_OK):
                raise SystemExit(f"--tools: no {name} in {folder!r}")
        os.makedirs(work, exist_ok=True)
        self.runs = 0

    def path(self, name):
        return os.path.join(self.work, name)

    def interpret(self, cases):
        return self._isolate(cases, self._interpret)

    def compile(self, cases):
        return self._isolate(cases, self._compile)

    # ---- one batch -------------------------------------------------------------

    def _tool(self, name, *arguments):
        """The text of the error, or None."""
        self.runs += 1
        try:
            done = subprocess.run([os.path.join(self.folder, name), *arguments],
                                  capture_output=True, text=True, timeout=SECONDS,
                                  errors="replace")
        except subprocess.TimeoutExpired:
            return "crash: timeout"
        if done.returncode == 0:
            return None
        text = (done.stderr + done.stdout).strip()
        if done.returncode not in (1, 2):
            return f"crash: status {done.returncode} of {name}: {text[-300:]}"
        lines = text.splitlines() or ["no message"]
        errors = [line.strip() for line in lines if "error:" in line]
        return "\n".join(errors or lines[-1:])

    def _save(self, cases):
        onnx.save(models.build(cases, {c.number: c.types for c in cases}), self.path("m.onnx"))
        arguments = []
        for case in cases:
            for name, array in models.inputs_of(case).items():
                with open(self.path(name + ".pb"), "wb") as stream:
                    stream.write(models.tensor(array).SerializeToString())
                arguments += ["--input", f"{name}=@{self.path(name + '.pb')}"]
            for name in case.outputs:
                path = self.path(models.prefix_of(case) + name + ".pb")
                if os.path.exists(path):
                    os.remove(path)
                arguments += ["--output", f"{models.prefix_of(case)}{name}=@{path}"]
        return arguments

    def _load(self, cases):
        found = {}
        for case in cases:
            found[case.number] = {}
            for name in case.outputs:
                with open(self.path(models.prefix_of(case) + name + ".pb"), "rb") as stream:
                    value = numpy_helper.to_array(onnx.TensorProto.FromString(stream.read()))
                found[case.number][name] = value
        return found

    def _interpret(self, cases):
        arguments = self._save(cases)
        return self._tool("tenon-interpret", self.path("m.onnx"), *arguments)

    def _compile(self, cases):
        arguments = self._save(cases)
        return self._tool("tenon-compile", self.path("m.onnx"), "-o", self.path("m.so"), "--force",
                          *self.options) or self._tool("tenon-run", self.path("m.so"), *arguments)

    # ---- finding the case that fails -------------------------------------------

    def _isolate(self, cases, run):
        found, cases = {}, list(cases)
        while cases:
            error = run(cases)
            if error is None:
                found.update(self._load(cases))
                return found
            if len(cases) == 1:
                found[cases[0].number] = error.splitlines()[0]
                return found
            named = {}
            for line in [] if error.startswith("crash") else error.splitlines():
                numbers = {int(n) for n in re.findall(r"\bc(\d+)_", line)}
                if len(numbers) == 1:
                    named.setdefault(numbers.pop(), line)
            if named:
                found.update(named)
                cases = [c for c in cases if c.number not in named]
                continue
            middle = len(cases) // 2
            found.update(self._isolate(cases[:middle], run))
            cases = cases[middle:]
        return found
