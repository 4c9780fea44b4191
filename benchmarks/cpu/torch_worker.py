"""PyTorch: the model through torch.compile (inductor, weights frozen), in f32.

A worker of compare.py; worker.py says what it is asked and answers. Models of the corpus are
the modules that were exported, others are made of the file's nodes.
"""
import os
import sys

import worker

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "corpus")


def load_module(path):
    """The module, and the names of its inputs and outputs, in order."""
    sys.path.insert(0, CORPUS)
    import models

    name = os.path.splitext(os.path.basename(path))[0]
    if name not in models.ALL:
        from onnx_torch import OnnxModule

        module = OnnxModule(path)
        return module, module.inputs, module.outputs
    import onnx

    graph = onnx.load(path, load_external_data=False).graph
    return (models.make(name)[0], [value.name for value in graph.input],
            [value.name for value in graph.output])


class Torch(worker.Session):
    def load(self, model, threads):
        import torch
        import torch._inductor.config

        torch.set_num_threads(threads)
        # f32 stays f32: neither TF32 nor bf16 inside of matmuls and convolutions.
        torch.set_float32_matmul_precision("highest")
        # This is not an option of torch.compile, because the tracer reads it, too.
        # Otherwise convolutions would not use oneDNN's packed weights.
        torch._inductor.config.freezing = True
        self.version = torch.__version__
        self.torch = torch
        module, self.inputs, self.outputs = load_module(model)
        module = module.eval()
        with torch.no_grad():
            # Nothing here changes between calls, so no time is spent to find that out.
            self.run = torch.compile(module, fullgraph=True, dynamic=False, options={
                "guard_filter_fn": torch.compiler.skip_guard_on_all_nn_modules_unsafe})

    def prepare(self, feeds):
        self.arguments = [self.torch.from_numpy(feeds[name]) for name in self.inputs]

    def once(self):
        with self.torch.inference_mode(False), self.torch.no_grad():
            results = self.run(*self.arguments)
            return (results,) if self.torch.is_tensor(results) else results

    def arrays(self, results):
        return {name: value.numpy() for name, value in zip(self.outputs, results)}


worker.main(Torch())
