"""An artifact through its C ABI (include/tenon/Artifact/ABI.h), with nothing but ctypes.

Tensors are given as addresses, so that they may lie on the device: of torch's tensors
(`data_ptr`), or of numpy's arrays (`ctypes.data`).
"""
import contextlib
import ctypes
import functools
import glob
import importlib.util
import json
import os

ABI_VERSION = 5
CPU, CUDA = 1, 2


class DType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


DTYPES = {"f64": (2, 64), "f32": (2, 32), "f16": (2, 16), "bf16": (4, 16), "i64": (0, 64),
          "i32": (0, 32), "i8": (0, 8), "u8": (1, 8), "bool": (6, 8)}


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("dtype", DType),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Options(ctypes.Structure):
    _fields_ = [("params_path", ctypes.c_char_p), ("random_seed", ctypes.c_uint64),
                ("random_params", ctypes.c_int32), ("threads", ctypes.c_int32),
                ("trace", ctypes.c_int32), ("device", ctypes.c_int32),
                ("device_id", ctypes.c_int32)]


class TenonError(Exception):
    pass


@functools.cache
def load_libraries():
    """The libraries that artifacts call lie where no loader looks for them when they come with
    PyTorch; they are found by name once they are loaded, each after those that it needs."""
    package = importlib.util.find_spec("nvidia")
    for name in ("nvrtc", "cublasLt", "cublas", "cudnn"):
        for folder in package.submodule_search_locations if package else []:
            for path in sorted(glob.glob(os.path.join(folder, "*", "lib", f"lib{name}.so.*"))):
                with contextlib.suppress(OSError):  # the artifact says what it misses
                    ctypes.CDLL(path)


class Model:
    def __init__(self, path, *, seed=None, params=None, device=CPU, trace=False, threads=0):
        self.library = library = ctypes.CDLL(path)
        library.tenon_manifest.restype = ctypes.c_char_p
        library.tenon_last_error.restype = ctypes.c_char_p
        library.tenon_trace_json.restype = ctypes.c_char_p
        library.tenon_memory_bytes.restype = ctypes.c_uint64
        version = library.tenon_abi_version()
        if version != ABI_VERSION:
            raise TenonError(f"{path}: ABI version {version}, expected {ABI_VERSION}")
        self.manifest = json.loads(library.tenon_manifest())
        if {"cublaslt", "cudnn"} & {step["backend"] for step in self.manifest["steps"]}:
            load_libraries()
        options = Options(params_path=params and params.encode(), random_seed=seed or 0,
                          random_params=seed is not None, threads=threads, trace=trace,
                          device=device)
        self.device, self.handle = device, ctypes.c_void_p()
        self.check(library.tenon_load(ctypes.byref(options), ctypes.byref(self.handle)))

    def check(self, status):
        if status:
            raise TenonError(self.library.tenon_last_error().decode())

    def close(self):
        self.library.tenon_unload(self.handle)
        self.handle = ctypes.c_void_p()

    def tensors(self, kind, addresses, shapes, device):
        values = self.manifest[kind]
        if len(addresses) != len(values):
            raise TenonError(f"{len(addresses)} {kind}, expected {len(values)}")
        array = (Tensor * len(values))()
        for tensor, value, address, shape in zip(array, values, addresses, shapes):
            code, bits = DTYPES[value["dtype"]]
            tensor.data, tensor.device_type, tensor.device_id = address, device, 0
            tensor.ndim, tensor.dtype = len(shape), DType(code, bits, 1)
            tensor.shape = (ctypes.c_int64 * len(shape))(*shape)
        return array

    def output_shapes(self, inputs):
        """For the input shapes."""
        values = self.manifest["outputs"]
        given = self.tensors("inputs", [None] * len(inputs), inputs, CPU)
        shapes = [[0] * len(value["shape"]) for value in values]
        found = self.tensors("outputs", [None] * len(values), shapes, CPU)
        self.check(self.library.tenon_infer_shapes(self.handle, given, len(given), found,
                                                   len(found)))
        return [[t.shape[i] for i in range(t.ndim)] for t in found]

    def bind(self, inputs, outputs, device=None):
        """What runs the model once on (address, shape) of inputs and outputs, and returns
        when all outputs are complete."""
        device = self.device if device is None else device
        given, found = (self.tensors(kind, *zip(*values), device) if values else (Tensor * 0)()
                        for kind, values in (("inputs", inputs), ("outputs", outputs)))
        run, handle, check = self.library.tenon_run, self.handle, self.check
        sizes = ctypes.c_size_t(len(given)), ctypes.c_size_t(len(found))

        def once():
            check(run(handle, given, sizes[0], found, sizes[1]))
        return once

    def trace(self):
        return json.loads(self.library.tenon_trace_json(self.handle))["traceEvents"]
