"""One model at one batch size on one device: what benchmarks/gpu/run starts for each.

It draws weights and inputs, checks Tenon's results and the peers', and times Tenon and one
peer in turn, in ABBA order. Every finding is a line of JSON (process.py) as soon as it is
there, so that nothing is lost when the time is over.
"""
import argparse
import array
import contextlib
import importlib.metadata
import importlib.util
import os
import sys
import tempfile
import time

START = time.monotonic()
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
# JAX would take most of the device's memory at its start.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
# This is inductor's default place, so that a repeated run gets further.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR",
                      os.path.join(tempfile.gettempdir(), "tenon-benchmark-jax"))

import cases  # noqa: E402
import philox  # noqa: E402
import process  # noqa: E402
import tenon  # noqa: E402
from timing import Timer, in_turn  # noqa: E402

# With less time left, none of these is started.
NEEDED_S = {"eager": 3, "jax": 8, "compile": 15}
# What loading a program and its first runs may take on a GPU.
TENON_S = 60


def module_of(path):
    spec = importlib.util.spec_from_file_location("peer", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def finite(error):
    """NaN and infinity, which JSON does not have, are a larger error than any."""
    return float(error) if error < cases.NO_NUMBER else cases.NO_NUMBER


class Case:
    def __init__(self, options, answers):
        import torch

        self.torch, self.options, self.answers = torch, options, answers
        self.folder, self.cuda = options.dir, options.device == "cuda"
        known = cases.read(self.folder)
        self.seed = known["seed"]
        self.entry = next(m for m in known["models"] if m["name"] == options.model)
        self.module = module_of(os.path.join(self.folder, self.entry["module"]))
        self.work = tempfile.TemporaryDirectory()
        self.end = START + options.limit
        self.sync = torch.cuda.synchronize if self.cuda else lambda: None
        answers.sync = self.sync
        self.numpy = philox.Numpy()
        self.maker = philox.Torch("cuda") if self.cuda else self.numpy
        self.params = {name: self.tensor(philox.parameter(self.maker, name, dtype, shape,
                                                          self.seed))
                       for name, (dtype, shape) in self.module.parameters.items()}
        self.inputs = [self.draw(value) for value in self.entry["inputs"]]
        self.references = self.reference()
        self.written = []  # what programs write whenever they run
        self.sync()
        if self.cuda:
            torch.cuda.empty_cache()

    def left(self):
        return self.end - time.monotonic()

    def tensor(self, drawn):
        return drawn if self.cuda else self.torch.from_numpy(drawn)

    def draw(self, value):
        sizes = {"n": self.options.batch, **self.entry["symbols"]}
        shape = [sizes[size] if size in sizes else int(size) for size in value["shape"]]
        return self.tensor(philox.draw(self.maker, value["name"], value["dtype"], shape,
                                       self.seed, value["distribution"]))

    def artifact(self, precision):
        for made in self.entry["artifacts"]:
            if (made["batch"], made["precision"]) == (self.options.batch, precision):
                return cases.unpack(os.path.join(self.folder, made["artifact"]), self.work.name)
        return None

    # Tenon.

    def load(self, precision):
        """Tenon's program on the device's own tensors, its outputs, and the seconds that
        loading took."""
        torch = self.torch
        path = self.artifact(precision)
        if not path:
            return None
        start = time.perf_counter()
        model = tenon.Model(path, seed=self.seed, device=tenon.CUDA if self.cuda else tenon.CPU,
                            threads=self.options.threads)
        seconds = time.perf_counter() - start
        os.remove(path)
        shapes = model.output_shapes([list(x.shape) for x in self.inputs])
        types = {"f32": torch.float32, "f16": torch.float16, "i64": torch.int64,
                 "bool": torch.bool}
        outputs = []
        for value, shape in zip(model.manifest["outputs"], shapes):
            dtype = types[value["dtype"]]
            # The fill distinguishes unwritten elements from written ones.
            fill = float("nan") if dtype.is_floating_point else 1
            outputs.append(torch.full(shape, fill, dtype=dtype, device=self.options.device))
        self.written.append(outputs)
        self.sync()
        once = model.bind(*([(x.data_ptr(), list(x.shape)) for x in values]
                            for values in (self.inputs, outputs)))
        return model, Timer(once, lambda _: None), outputs, seconds

    # Results.

    def reference(self):
        """What PyTorch makes of the whole batch in f32."""
        self.set_precision("f32")
        with self.torch.no_grad():
            return [r.clone() for r in self.eager("f32", False)[0].once()]

    def error(self, results, references):
        """The largest difference, as a share of the output's largest."""
        worst = 0.0
        for result, reference in zip(results, references):
            result, reference = result.double(), reference.double()
            largest = float(reference.abs().max()) or 1.0
            worst = max(worst, finite((result - reference).abs().max() / largest))
        return worst

    def error_of_first(self, outputs):
        """The error of the first row, against the interpreter's."""
        expected = self.entry.get("expected")
        if not expected:
            return None
        values = array.array("f")
        with open(os.path.join(self.folder, expected["file"]), "rb") as stream:
            values.frombytes(stream.read())
        worst, start = 0.0, 0
        for output, one in zip(outputs, expected["outputs"]):
            flat = output[:one["shape"][0]].reshape(-1)[::one["step"]].double().cpu()
            wanted = self.torch.tensor(values[start:start + one["count"]]).double()
            start += one["count"]
            worst = max(worst, finite((flat - wanted).abs().max() / (one["largest"] or 1.0)))
        return worst

    # Peers.

    def set_precision(self, precision):
        torch, tf32 = self.torch, precision == "tf32"
        torch.backends.cuda.matmul.allow_tf32 = tf32
        torch.backends.cudnn.allow_tf32 = tf32

    def cast(self, x, precision):
        half = precision == "f16" and x.is_floating_point()
        return x.to(self.torch.float16) if half else x

    def torch_arguments(self, precision, channels_last):
        """Weights and inputs in the precision; images in the layout asked for."""
        import torch_ops

        torch = self.torch
        torch_ops.real = torch.float16 if precision == "f16" else torch.float32
        torch_ops.place = self.options.device
        layout = torch.channels_last if channels_last else torch.contiguous_format

        def prepared(x):
            x = self.cast(x, precision)
            return x.contiguous(memory_format=layout) if channels_last and x.dim() == 4 else x
        return ({name: prepared(x) for name, x in self.params.items()},
                [prepared(x) for x in self.inputs])

    def has_images(self):
        return any(len(shape) == 4 for _, shape in self.module.parameters.values())

    def eager(self, precision, channels_last):
        import torch_ops

        params, inputs = self.torch_arguments(precision, channels_last)
        model = self.module.model
        return Timer(lambda: model(torch_ops, params, *inputs), lambda _: self.sync()), {
            "layout": "channels last" if channels_last else "dense"}

    def best_eager(self, precision):
        """Returns images in the faster layout."""
        layouts = [False, True] if self.has_images() and self.cuda else [False]
        with self.torch.no_grad():
            found = [self.eager(precision, layout) for layout in layouts]
            return min(found, key=lambda side: side[0].warm_up())

    def compiled(self, precision):
        import torch_ops

        torch = self.torch
        params, inputs = self.torch_arguments(precision, self.has_images())
        function, names = self.module.model, list(params)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                for number, name in enumerate(names):
                    self.register_buffer(f"p{number}", params[name])

            def forward(self, *inputs):
                weights = {name: getattr(self, f"p{number}") for number, name in enumerate(names)}
                return function(torch_ops, weights, *inputs)

        # What the mode stands for (both have CUDA graphs), and no check of every weight
        # before each call. With frozen weights, values that depend only on weights are
        # computed once, as in Tenon at load.
        mode = "reduce-overhead" if self.options.quick else "max-autotune"
        options = dict(torch._inductor.list_mode_options(mode))
        options["guard_filter_fn"] = torch.compiler.skip_guard_on_all_nn_modules_unsafe
        notes = {"mode": mode}

        def attempt(freezing):
            import torch._inductor.config

            torch._dynamo.reset()
            torch._inductor.config.freezing = freezing
            run = torch.compile(Net().eval(), fullgraph=True, dynamic=False, options=options)
            begin = getattr(torch.compiler, "cudagraph_mark_step_begin", lambda: None)

            def once():
                begin()
                return run(*inputs)
            for _ in range(3):
                once()
            self.sync()
            return Timer(once, lambda _: self.sync()), {**notes, "freezing": freezing}

        start = time.perf_counter()
        try:
            timer, notes = attempt(True)
        except Exception as error:  # what the compiler raises has no common class
            notes["freezing_failed"] = str(error).splitlines()[0][:200]
            timer, notes = attempt(False)
        notes["compile_s"] = round(time.perf_counter() - start, 1)
        return timer, notes

    def jax(self, precision):
        import jax
        import jax.numpy as jnp
        import jax_ops

        if self.cuda and jax.default_backend() != "gpu":
            raise RuntimeError(f"JAX runs on {jax.default_backend()}, not on the GPU")
        real = jnp.float16 if precision == "f16" else jnp.float32
        jax_ops.real = real
        jax.config.update("jax_default_matmul_precision", {
            "f32": "highest", "tf32": "tensorfloat32", "f16": "default"}[precision])

        def given(x):
            if not x.is_floating_point():
                return jnp.asarray(x.to(self.torch.int32).cpu().numpy())
            if self.cuda:
                try:
                    return jax.dlpack.from_dlpack(x.contiguous()).astype(real)
                except Exception:  # versions differ in what they take
                    pass
            return jnp.asarray(x.cpu().numpy(), dtype=real)
        params = {name: given(x) for name, x in self.params.items()}
        inputs = [given(x) for x in self.inputs]
        start, notes = time.perf_counter(), {}
        # cuDNN's attention supports only 16-bit types, and not every shape.
        attentions = ["cudnn", "xla"] if self.cuda and precision == "f16" else ["xla"]
        for jax_ops.implementation in attentions:
            run = jax.jit(lambda p, *values: self.module.model(jax_ops, p, *values))
            try:
                jax.block_until_ready(run(params, *inputs))
                break
            except Exception as error:
                if jax_ops.implementation == attentions[-1]:
                    raise
                notes["cudnn_attention"] = str(error).strip().splitlines()[0][:200]
        notes["attention"] = jax_ops.implementation
        notes["compile_s"] = round(time.perf_counter() - start, 1)
        return Timer(lambda: run(params, *inputs), jax.block_until_ready), notes

    def as_torch(self, result):
        if isinstance(result, self.torch.Tensor):
            return result
        import numpy

        return self.torch.from_numpy(numpy.array(result)).to(self.options.device)

    def peer(self, name, precision):
        self.set_precision(precision)
        return {"eager": self.best_eager, "compile": self.compiled, "jax": self.jax}[name](
            precision)

    def ours(self, precision):
        """Tenon's side of all comparisons, if there is one."""
        case = {"kind": "tenon", "precision": precision, "case": f"tenon:{precision}"}
        if case["case"] in self.answers.skip:
            return None
        ours = None
        with self.answers.case(**case) as found, process.limited(TENON_S if self.cuda else 0):
            loaded = self.load(precision)
            if not loaded:
                found["why"] = "no artifact"
                return None
            model, timer, outputs, seconds = loaded
            timer.call()
            found.update(load_s=round(seconds, 3), us=[1e6 * timer.warm_up()],
                         error_expected=self.error_of_first(outputs),
                         error_torch=self.error(outputs, self.references),
                         memory_bytes=model.library.tenon_memory_bytes(model.handle), again=True)
            ours = timer
        return ours

    def measure(self, name, precision, ours):
        case = {"kind": "peer", "peer": name, "precision": precision, "case": f"{name}:{precision}"}
        if case["case"] in self.answers.skip:
            return
        seconds = self.options.seconds
        why = (cases.NOTHING_BESIDE if seconds and not ours else
               "no time left" if self.cuda and self.left() < NEEDED_S[name] else None)
        if why:
            self.answers.emit(**case, why=why)
            return
        with self.answers.case(**case) as found, self.torch.no_grad():
            timer, notes = self.peer(name, precision)
            results = [self.as_torch(r).clone() for r in timer.once()]
            self.sync()
            found.update(error=self.error(results, self.references), **notes)
            del results
            if seconds:
                found["tenon_us"], found["us"] = in_turn(ours, timer, seconds)

    def all(self):
        options = self.options
        self.answers.emit(kind="start", versions=versions(self.torch, options))
        ours = {precision: self.ours(precision) for precision in options.precisions}
        if "eager" in options.peers:
            for precision in options.precisions:
                self.measure("eager", precision, ours[precision])
        for precision in options.precisions:
            for peer in ("jax", "compile"):
                if peer in options.peers:
                    self.measure(peer, precision, ours[precision])


def versions(torch, options):
    found = {"python": sys.version.split()[0], "torch": torch.__version__,
             "cuda": torch.version.cuda}
    for package in ["triton"] + ["jax"] * ("jax" in options.peers):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[package] = importlib.metadata.version(package)
    if options.device == "cuda":
        found["cudnn"] = torch.backends.cudnn.version()
        found["device"] = torch.cuda.get_device_name()
        found["capability"] = ".".join(map(str, torch.cuda.get_device_capability()))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", metavar="DIR")
    parser.add_argument("--model", required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--precisions", required=True)
    parser.add_argument("--peers", default="")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--limit", type=float, required=True)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--skip", default="")
    options = parser.parse_args()
    options.precisions = options.precisions.split(",")
    options.peers = [peer for peer in options.peers.split(",") if peer]
    Case(options, process.Answers(options.skip)).all()
    # Libraries that end badly would hide that all is done.
    os._exit(0)


main()
