"""Single kernels on one device: what benchmarks/gpu/kernels/run starts.

It checks Tenon's results, and times Tenon and PyTorch in turn, in ABBA order. Every artifact
gives a line of JSON (../process.py).
"""
import argparse
import os
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
GPU = os.path.dirname(HERE)
sys.path[:0] = [GPU, os.path.dirname(GPU)]

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402

import cases  # noqa: E402
import process  # noqa: E402
import tenon  # noqa: E402
from timing import Timer, in_turn  # noqa: E402

# What one artifact may take on a GPU.
CASE_S = 60
THEIRS = {
    "elementwise": lambda x, y: F.gelu(x + y) + y,
    "add-bias-gelu": lambda x, b: F.gelu(x + b, approximate="tanh"),
    "softmax": lambda x: F.softmax(x, 1),
    "layer-norm": lambda x, s, b: F.layer_norm(x, x.shape[1:], s, b, 1e-5),
    "reduce-rows": lambda x: x.sum(1),
    "reduce-columns": lambda x: x.sum(0),
    "reduce-all": lambda x: x.sum((0, 1), keepdim=True),
    "transpose": lambda x: x.t().contiguous(),
    "transpose-inner": lambda x: x.transpose(1, 2).contiguous(),
    "transpose-heads": lambda x: x.transpose(1, 2).contiguous(),
    "embedding": lambda table, indices: F.embedding(indices, table),
}
TYPES = {"f32": torch.float32, "f16": torch.float16, "i64": torch.int64}
# 16 bits are rounded once, where they are stored; sums are compared with sums in f64.
BOUND = {"f32": 1e-4, "f16": 2e-3}
MATMUL_BOUND = {"f32": 1e-4, "tf32": 5e-3, "f16": 5e-3}


class Bench:
    def __init__(self, options, answers):
        self.options, self.answers, self.cuda = options, answers, options.device == "cuda"
        self.known = cases.read(options.dir)
        self.work = tempfile.TemporaryDirectory()
        self.sync = answers.sync = torch.cuda.synchronize if self.cuda else lambda: None
        self.end = time.monotonic() + options.limit

    def tensor(self, value):
        shape, dtype = value["shape"], TYPES[value["dtype"]]
        if dtype == torch.int64:
            return torch.randint(0, self.rows, shape, device=self.options.device)
        # Sums of what is not negative cancel nothing.
        make = torch.rand if self.positive else torch.randn
        return make(shape, device=self.options.device, dtype=dtype)

    def load(self, made):
        """Tenon's program with its inputs and outputs."""
        path = cases.unpack(os.path.join(self.options.dir, made["artifact"]), self.work.name)
        model = tenon.Model(path, seed=0, device=tenon.CUDA if self.cuda else tenon.CPU)
        os.remove(path)
        self.rows = made.get("sizes", {}).get("v", 1)
        self.positive = made.get("kernel", "").startswith("reduce")
        inputs = [self.tensor(value) for value in model.manifest["inputs"]]
        outputs = [torch.full(v["shape"], float("nan"), device=self.options.device,
                              dtype=TYPES[v["dtype"]]) for v in model.manifest["outputs"]]
        self.sync()
        once = model.bind(*([(x.data_ptr(), list(x.shape)) for x in values]
                            for values in (inputs, outputs)))
        return model, Timer(once, lambda _: None), inputs, outputs

    def theirs(self, body):
        return Timer(body, lambda _: self.sync())

    def copy_rate(self):
        """Bytes per second, read and written, of a copy of 1 GiB."""
        count = 1 << (28 if self.cuda else 22)
        a, b = (torch.rand(count, device=self.options.device) for _ in range(2))
        timer = self.theirs(lambda: b.copy_(a))
        timer.warm_up()
        return 8 * count / timer.block(50)

    def error(self, output, reference):
        largest = float(reference.abs().max()) or 1.0
        # In parts, since f64 takes eight bytes an element.
        parts = zip(output.reshape(-1).split(1 << 26), reference.reshape(-1).split(1 << 26))
        errors = [float((a.double() - b.double()).abs().max()) / largest for a, b in parts]
        return max(e if e < cases.NO_NUMBER else cases.NO_NUMBER for e in errors)

    def reference(self, made, inputs):
        """In f32 or wider, whatever the type: sums of 2^28 elements are not exact in f32."""
        if "kernel" not in made:
            return torch.matmul(*(x.float() for x in inputs))
        wide = torch.float64 if made["kernel"].startswith("reduce") else torch.float32
        inputs = [x.to(wide) if x.is_floating_point() else x for x in inputs]
        return THEIRS[made["kernel"]](*inputs)

    def one(self, made, found):
        model, ours, inputs, outputs = self.load(made)
        ours.call()
        torch.backends.cuda.matmul.allow_tf32 = False
        bound = BOUND[made["dtype"]] if "kernel" in made else MATMUL_BOUND[made["precision"]]
        found["error"] = self.error(outputs[0], self.reference(made, inputs))
        found["right"] = found["error"] <= bound
        body = THEIRS[made["kernel"]] if "kernel" in made else torch.matmul
        torch.backends.cuda.matmul.allow_tf32 = made.get("precision") == "tf32"
        found["tenon_us"], found["torch_us"] = in_turn(
            ours, self.theirs(lambda: body(*inputs)), self.options.seconds_per_case)
        model.close()

    def all(self):
        self.answers.emit(kind="start", torch=torch.__version__, cuda=torch.version.cuda,
                          device=torch.cuda.get_device_name() if self.cuda else "CPU",
                          copy_bytes_per_s=self.copy_rate())
        for made in self.known["kernels"] + self.known["matmuls"]:
            name = made["artifact"]
            if name in self.answers.skip or self.options.only not in name:
                continue
            if time.monotonic() > self.end:
                return
            with self.answers.case(case=name) as found, \
                    process.limited(CASE_S if self.cuda else 0):
                self.one(made, found)
            if self.cuda:
                torch.cuda.empty_cache()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", metavar="DIR")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds-per-case", type=float, required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--limit", type=float, required=True)
    parser.add_argument("--skip", default="")
    options = parser.parse_args()
    answers = process.Answers(options.skip)
    torch.manual_seed(0)
    with torch.no_grad():
        Bench(options, answers).all()
    # Libraries that end badly would hide that all is done.
    os._exit(0)


main()
