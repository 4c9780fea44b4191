"""ONNX Runtime's CPU provider.

A worker of compare.py; worker.py says what it is asked and answers.
"""
import worker


class OnnxRuntime(worker.Session):
    def load(self, model, threads):
        import onnxruntime as ort

        ort.set_default_logger_severity(3)
        self.version = ort.__version__
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self.session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def prepare(self, feeds):
        self.feeds = feeds

    def once(self):
        return self.session.run(None, self.feeds)

    def arrays(self, results):
        return {output.name: value for output, value in zip(self.session.get_outputs(), results)}


worker.main(OnnxRuntime())
