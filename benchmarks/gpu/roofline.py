"""Measures what a device profile holds (docs/formats.md, "Device profile") with
PyTorch and Triton, and writes it as JSON: the built-in profiles of GPUs are from data sheets.

usage: roofline.py [OUT.json [KERNELS.json]]

The performance of generated code is taken from KERNELS.json, which kernels/run wrote;
without this file, it is half of the peak, as in the built-in profiles.
"""
import json
import sys

import torch
import triton
import triton.language as tl

# Multiply-adds per element, so that memory does not bound them.
STEPS = 1024


@triton.jit
def chain(x, STEPS: tl.constexpr, BLOCK: tl.constexpr):
    places = x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    start = tl.load(places)
    y = start
    for _ in range(STEPS // 16):
        for _ in tl.static_range(16):
            y = y * start + start
    tl.store(places, y)


def seconds(run, many=10, replays=30):
    """The seconds of one of many runs in a CUDA graph, by the device's clock: the median of the replays."""
    run()
    torch.cuda.synchronize()
    graph, times = torch.cuda.CUDAGraph(), []
    with torch.cuda.graph(graph):
        for _ in range(many):
            run()
    for number in range(replays + 3):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        if number >= 3:
            times.append(start.elapsed_time(end) / 1e3 / many)
    return sorted(times)[len(times) // 2]


def matmul(size, dtype, many=10):
    a, b = (torch.randn(size, size, device="cuda", dtype=dtype) for _ in range(2))
    out = torch.empty_like(a)
    return 2 * size ** 3, seconds(lambda: torch.mm(a, b, out=out), many)


def copy(count, many=10):
    a = torch.rand(count, device="cuda")
    b = torch.empty_like(a)
    return 8 * count / seconds(lambda: b.copy_(a), many)


def vector():
    count, block = 1 << 24, 1024
    x = torch.rand(count, device="cuda") - 1
    return 2 * STEPS * count / seconds(lambda: chain[(count // block,)](x, STEPS, block))


def own(peak, path=None):
    if not path:
        return peak / 2
    with open(path) as stream:
        reached = [1e12 * made["tflops"] for made in json.load(stream)["matmuls"]
                   if (made["precision"], made["way"], made["right"]) == ("f32", "own", True)]
    return max(reached, default=peak / 2)


def main(path=None, kernels=None):
    torch.backends.cuda.matmul.allow_tf32 = False
    small = torch.zeros(1, device="cuda")
    launch = seconds(lambda: small.add_(1), 1000)
    peak32, peak16 = (max(flops / time for flops, time in
                          (matmul(size, dtype) for size in (4096, 8192)))
                      for dtype in (torch.float32, torch.float16))
    flops, time = matmul(512, torch.float32, 100)
    properties = torch.cuda.get_device_properties(0)
    profile = {
        "schema_version": 1,
        "name": properties.name.lower().replace(" ", "-"),
        "source": f"measured with PyTorch {torch.__version__}, CUDA {torch.version.cuda}, "
                  "inside CUDA graphs",
        "matrix_flops_32": peak32,
        "matrix_flops_16": peak16,
        "vector_flops": vector(),
        "memory_bandwidth": copy(1 << 28),
        "cache_bandwidth": copy(1 << 21, 100),
        "cache_bytes": getattr(properties, "L2_cache_size", 0),
        "weight_bandwidth": 0,
        "weight_seconds": 0,
        "launch_seconds": launch,
        "half_peak_flops": max(0.0, peak32 * (time - launch) - flops),
        "own_matrix_flops": own(peak32, kernels),
        "library_seconds": max(0.0, matmul(16, torch.float32, 1000)[1] - launch),
    }
    text = json.dumps(profile, indent=1)
    print(text)
    if path:
        with open(path, "w") as stream:
            stream.write(text + "\n")


with torch.no_grad():
    main(*sys.argv[1:])
