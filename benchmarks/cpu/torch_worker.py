"""PyTorch: the model through torch.compile (inductor, weights frozen), in f32.

A worker of compare.py; worker.py says what it is asked and answers.
"""
import worker


class Torch(worker.Session):
    def load(self, model, threads):
        import torch
        import torch._inductor.config
        from onnx_torch import OnnxModule

        torch.set_num_threads(threads)
        # f32 stays f32: neither TF32 nor bf16 inside of matmuls and convolutions.
        torch.set_float32_matmul_precision("highest")
        # This is not an option of torch.compile, because the tracer reads it, too.
        # Otherwise convolutions would not use oneDNN's packed weights.
        torch._inductor.config.freezing = True
        self.version = torch.__version__
        self.torch = torch
        module = OnnxModule(model).eval()
        self.inputs, self.outputs = module.inputs, module.outputs
        with torch.no_grad():
            # Nothing here changes between calls, so no time is spent to find that out.
            self.run = torch.compile(module, fullgraph=True, dynamic=False, options={
                "guard_filter_fn": torch.compiler.skip_guard_on_all_nn_modules_unsafe})

    def prepare(self, feeds):
        self.arguments = [self.torch.from_numpy(feeds[name]) for name in self.inputs]

    def once(self):
        with self.torch.inference_mode(False), self.torch.no_grad():
            return self.run(*self.arguments)

    def arrays(self, results):
        return {name: value.numpy() for name, value in zip(self.outputs, results)}


worker.main(Torch())
