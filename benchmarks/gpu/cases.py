"""What the benchmarks of GPUs run, and the folder that `prepare` makes of it."""
import json
import lzma
import os

SEED = 1
# Positions of language models, and of small ones.
SEQUENCE, SMALL_SEQUENCE = 128, 64
# An output that is larger is compared with the interpreter's at as many places.
SAMPLES = 8192
PRECISIONS = ["f32", "tf32", "f16"]
# The most that an element may be off, as a share of the output's largest.
TOLERANCE = {"f32": 1e-3, "tf32": 2e-2, "f16": 2e-2, "bf16": 2e-2}
# Why a peer was not run: peers are timed only beside Tenon.
NOTHING_BESIDE = "Tenon has not run"
# The error of a result that is not a number.
NO_NUMBER = 1e300

# How inputs are drawn if not by the default of tenon-run (floats normal, integers 0 or 1).
# The image models have no normalization that would keep f16 from overflowing.
IMAGES = {"nasnet-a": "uniform(-0.01,0.01)", "resnet50": "uniform(-0.1,0.1)"}
VOCABULARY = {"bert-base": 30522, "gpt2": 50257, "gpt2-decode": 50257}
SMALL_VOCABULARY = 257
# In the order of compile time: the time that one case does not use goes to the next ones.
ORDER = ["mlp", "nasrnn", "squeezenet", "bert-base", "gpt2-decode", "gpt2", "vgg19", "resnet50",
         "resnext50", "inception-v3", "nasnet-a"]


def distribution(model, name, rank, small):
    """As tenon-run takes it, or None for its default."""
    if rank == 4 and name == "input":
        return IMAGES.get(model, "uniform(-1,1)")
    if name == "input_ids":
        return f"int(0,{SMALL_VOCABULARY if small else VOCABULARY[model]})"
    if name == "position":  # the caches are full but for this step: nothing is masked away
        sequence = SMALL_SEQUENCE if small else SEQUENCE
        return f"int({sequence - 1},{sequence})"
    return None


class Kernel:
    """A file of kernels/, with its sizes; `bytes` are those that must be read and written."""

    def __init__(self, file, moved, *, dtypes=("f32", "f16"), **sizes):
        self.file, self.moved, self.dtypes, self.sizes = file, moved, dtypes, sizes
        shape = "x".join(str(size) for size in sizes.values())
        self.name = f"{file} {shape}"

    def small(self):
        """The same at sizes that a CPU, or compute-sanitizer, runs in no time."""
        most = {"a": 1001 if len(self.sizes) < 3 else 9, "b": 520, "c": 24, "v": 1000}
        return Kernel(self.file, self.moved, dtypes=self.dtypes, **{
            key: min(size, most[key]) for key, size in self.sizes.items()})

    def bytes(self, width):
        return self.moved(**self.sizes, w=width)


# 2^28 elements an operand: 1 GiB in f32, 512 MiB in f16.
KERNELS = [
    Kernel("elementwise", lambda a, w: 3 * a * w, a=1 << 28),
    Kernel("add-bias-gelu", lambda a, b, w: 2 * a * b * w, a=1 << 16, b=4096),
    Kernel("softmax", lambda a, b, w: 2 * a * b * w, a=1 << 21, b=128),
    Kernel("softmax", lambda a, b, w: 2 * a * b * w, a=1 << 16, b=4096),
    Kernel("softmax", lambda a, b, w: 2 * a * b * w, a=1 << 12, b=1 << 16),
    Kernel("layer-norm", lambda a, b, w: 2 * a * b * w, a=1 << 18, b=1024),
    Kernel("reduce-rows", lambda a, b, w: a * b * w, a=1 << 16, b=4096),
    Kernel("reduce-columns", lambda a, b, w: a * b * w, a=1 << 16, b=4096),
    Kernel("reduce-all", lambda a, b, w: a * b * w, dtypes=("f32",), a=1 << 16, b=4096),
    Kernel("transpose", lambda a, b, w: 2 * a * b * w, a=1 << 14, b=1 << 14),
    Kernel("transpose-inner", lambda a, b, c, w: 2 * a * b * c * w, a=64, b=256, c=1 << 14),
    Kernel("transpose-heads", lambda a, b, c, w: 2 * a * b * c * 64 * w, a=256, b=1024, c=16),
    Kernel("embedding", lambda v, b, a, w: 2 * a * b * w + 8 * a, v=50257, b=1024, a=1 << 18),
]
MATMULS = [1024, 2048, 4096, 8192]
SMALL_MATMULS = [200]


def pack(path, target):
    """To a quarter of its size."""
    with open(path, "rb") as source, lzma.open(target, "wb", preset=6) as out:
        out.write(source.read())


def unpack(path, folder):
    target = os.path.join(folder, os.path.basename(path)[:-len(".xz")])
    with lzma.open(path) as source, open(target, "wb") as out:
        out.write(source.read())
    return target


def read(folder):
    with open(os.path.join(folder, "cases.json")) as stream:
        return json.load(stream)


def write(path, found):
    """Writes atomically: if the process is killed, the old or the new file remains."""
    with open(path + ".new", "w") as stream:
        json.dump(found, stream, indent=1)
        stream.write("\n")
    os.replace(path + ".new", path)
