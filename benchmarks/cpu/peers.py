"""The peers as the driver sees them: processes that are told what to do."""
import json
import os
import subprocess
import tempfile

from common import machine

HERE = os.path.dirname(os.path.abspath(__file__))


class PeerError(Exception):
    def brief(self):
        return str(self)


class Peer:
    def __init__(self, name, script, python, keep):
        """keep: one process serves a whole row, because starting takes minutes."""
        self.name, self.script, self.python, self.keep = name, script, python, keep
        self.version, self.process = "?", None

    def start(self, model, threads, feeds):
        pin = machine.cores(threads)
        self.stop()
        self.messages = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [self.python, os.path.join(HERE, self.script), model, str(threads),
             *(f"{name}={path}" for name, path in feeds)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.messages, text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, pin))
        self.started = self.answer()
        self.version = self.started["version"]

    def answer(self):
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.process.wait()
        self.messages.seek(0)
        words = [text.strip() for text in self.messages.readlines() if text.strip()]
        self.process = None
        raise PeerError(f"{self.name}: {words[-1] if words else 'ended without a word'}")

    def ask(self, command, argument):
        print(command, argument, file=self.process.stdin, flush=True)
        return self.answer()

    def stop(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None

    def measure(self, model, threads, feeds, repeat):
        if not self.process:
            self.start(model, threads, feeds)
        result = self.started | self.ask("time", repeat)
        if not self.keep:
            self.stop()
        return result

    def outputs(self, model, threads, feeds, folder):
        """The outputs' names in order; their values are in folder/NUMBER.npy."""
        if not self.process:
            self.start(model, threads, feeds)
        os.makedirs(folder, exist_ok=True)
        names = self.ask("outputs", folder)["names"]
        if not self.keep:
            self.stop()
        return names


def peers(names, python):
    known = {
        "onnxruntime": ("ONNX Runtime", "ort_worker.py", False),
        "openvino": ("OpenVINO", "openvino_worker.py", False),
        "pytorch": ("PyTorch", "torch_worker.py", True),
    }
    for name in names:
        if name not in known:
            raise SystemExit(f"no peer {name!r}; there are {', '.join(known)}")
    return [Peer(known[name][0], known[name][1], python, known[name][2]) for name in names]
