"""Prints the seconds of processor time that torch.compile takes for a model of the corpus.

usage: torch_compile_time.py NAME

As torch_worker.py compiles it: weights frozen, one thread, nothing cached. What counts is the
first call, C++ compilers included, less the time of the second.
"""
import os
import resource
import sys
import tempfile

import models


def processor_seconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(TORCHINDUCTOR_CACHE_DIR=folder, TORCHINDUCTOR_FORCE_DISABLE_CACHES="1",
                          TORCHINDUCTOR_COMPILE_THREADS="1")
        import torch
        import torch._inductor.config

        torch.set_num_threads(1)
        torch.set_float32_matmul_precision("highest")
        torch._inductor.config.freezing = True
        module, inputs = models.make(sys.argv[1])
        with torch.no_grad():
            run = torch.compile(module.eval(), fullgraph=True, dynamic=False)
            times = [processor_seconds()]
            for _ in range(2):
                run(*inputs)
                times.append(processor_seconds())
    print(f"{2 * times[1] - times[0] - times[2]:.2f}")


main()
