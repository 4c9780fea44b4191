"""Measures what a device profile holds (docs/formats.md, "Device profile") with
PyTorch, and writes it as JSON: the built-in profiles of GPUs are from data sheets.

usage: roofline.py [OUT.json]
"""
import json
import sys

import torch


def seconds(run, repeat=50):
    """Median of `repeat` runs, by the device's clock."""
    times = []
    for number in range(repeat + 5):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        end.record()
        end.synchronize()
        if number >= 5:
            times.append(start.elapsed_time(end) / 1e3)
    return sorted(times)[len(times) // 2]


def matmul(size, dtype):
    a, b = (torch.randn(size, size, device="cuda", dtype=dtype) for _ in range(2))
    return 2 * size ** 3, seconds(lambda: a @ b)


def copy(count):
    a = torch.empty(count, device="cuda")
    b = torch.empty_like(a)
    return 8 * count / seconds(lambda: b.copy_(a))


def main():
    torch.backends.cuda.matmul.allow_tf32 = False
    small = torch.zeros(1, device="cuda")
    many = 1000

    def launches():
        for _ in range(many):
            small.add_(1)

    graph = torch.cuda.CUDAGraph()
    launches()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        launches()
    launch = seconds(graph.replay, 10) / many
    peak32, peak16 = (max(flops / time for flops, time in
                          (matmul(size, dtype) for size in (4096, 8192)))
                      for dtype in (torch.float32, torch.float16))
    flops, time = matmul(512, torch.float32)
    properties = torch.cuda.get_device_properties(0)
    vector = torch.randn(1 << 22, device="cuda")
    per_element = 64

    def fused():
        y = vector
        for _ in range(per_element // 2):
            y = torch.addcmul(vector, y, vector)
        return y

    profile = {
        "schema_version": 1,
        "name": properties.name.lower().replace(" ", "-"),
        "source": f"measured with PyTorch {torch.__version__}, CUDA {torch.version.cuda}, "
                  "launches inside a CUDA graph",
        "semantics": "fused",
        "matrix_flops_32": peak32,
        "matrix_flops_16": peak16,
        "vector_flops": per_element * vector.numel() / seconds(torch.compile(fused)),
        "memory_bandwidth": copy(1 << 28),
        "cache_bandwidth": copy(1 << 20),
        "cache_bytes": getattr(properties, "L2_cache_size", 0),
        "weight_bandwidth": 0,
        "weight_seconds": 0,
        "launch_seconds": launch,
        "half_peak_flops": max(0.0, peak32 * (time - launch) - flops),
    }
    text = json.dumps(profile, indent=1)
    print(text)
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as stream:
            stream.write(text + "\n")


main()
