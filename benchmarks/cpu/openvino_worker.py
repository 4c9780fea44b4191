"""OpenVINO's CPU plugin: latency, one stream, f32.

A worker of compare.py; worker.py says what it is asked and answers.
"""
import worker


class OpenVino(worker.Session):
    def load(self, model, threads):
        import openvino as ov

        self.version = ov.__version__.split("-")[0]
        self.compiled = ov.Core().compile_model(model, "CPU", {
            "PERFORMANCE_HINT": "LATENCY",
            # Without it, matmuls and convolutions run in bf16 if the CPU supports
            # it.
            "INFERENCE_PRECISION_HINT": "f32",
            "NUM_STREAMS": "1",
            "INFERENCE_NUM_THREADS": str(threads),
        })
        self.request = self.compiled.create_infer_request()

    def prepare(self, feeds):
        import openvino as ov

        for port in self.compiled.inputs:
            name = next(name for name in port.names if name in feeds)
            self.request.set_tensor(port, ov.Tensor(feeds[name], shared_memory=True))

    def once(self):
        self.request.infer()

    def arrays(self, results):
        return {port.any_name: self.request.get_tensor(port).data
                for port in self.compiled.outputs}


worker.main(OpenVino())
