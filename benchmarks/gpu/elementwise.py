"""Runs an elementwise kernel made by tenon-opt --graph-to-cubin on a GPU.

usage: tenon-opt gelu.mlir --graph-to-cubin > gelu.gpu.mlir   (no GPU needed)
       elementwise.py gelu.gpu.mlir gelu [N]                  (needs torch)

Checks the result against torch's gelu and prints the time per call of both as a
ratio, from CUDA events over 100 calls, in ABBA order.
"""
import ctypes
import re
import statistics
import sys

import torch


def object_for(text, chip):
    """The bytes of the object for `chip` in a printed gpu.binary."""
    match = re.search(r'chip = "%s".*?bin = "((?:[^"\\]|\\.)*)"' % chip, text, re.S)
    if not match:
        sys.exit(f"no object for {chip}")
    escaped, out, i = match.group(1), bytearray(), 0
    while i < len(escaped):
        if escaped[i] != "\\":
            out += escaped[i].encode()
            i += 1
        elif escaped[i + 1] in "\\\"":
            out += escaped[i + 1].encode()
            i += 2
        else:
            out.append(int(escaped[i + 1:i + 3], 16))
            i += 3
    return bytes(out)


def main(path, name, count="16777216"):
    n = int(count)
    major, minor = torch.cuda.get_device_capability()
    chip = f"sm_{major}{minor}" if (major, minor) == (9, 0) else "sm_80"
    with open(path) as stream:
        image = object_for(stream.read(), chip)
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(status):
        if status:
            sys.exit(f"CUDA driver error {status}")

    torch.manual_seed(0)
    x = torch.randn(n, device="cuda")
    y = torch.full((n,), float("nan"), device="cuda")
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    call(cuda.cuModuleLoadData(ctypes.byref(module), image))
    call(cuda.cuModuleGetFunction(ctypes.byref(function), module, name.encode()))
    values = [ctypes.c_void_p(y.data_ptr()), ctypes.c_void_p(x.data_ptr()), ctypes.c_int64(n)]
    arguments = (ctypes.c_void_p * 3)(*[ctypes.addressof(v) for v in values])
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)

    def ours():
        call(cuda.cuLaunchKernel(function, (n + 127) // 128, 1, 1, 128, 1, 1, 0, stream,
                                 arguments, None))

    def theirs():
        return torch.nn.functional.gelu(x)

    ours()
    torch.cuda.synchronize()
    error = (y - theirs()).abs().max().item()

    def time(body):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(100):
            body()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 100

    pairs = []
    for pair in range(20):
        a, b = (time(ours), time(theirs)) if pair % 2 == 0 else (time(theirs), time(ours))[::-1]
        pairs.append((a, b))
    ratio = statistics.median(a / b for a, b in pairs)
    print(f"{torch.cuda.get_device_name()}, {chip}, torch {torch.__version__}: {name} of {n} f32, "
          f"largest error {error:.2e}; {statistics.median(a for a, _ in pairs):.4f} ms, "
          f"ratio to torch {ratio:.2f}")
    sys.exit(not error < 1e-5)


main(*sys.argv[1:])
