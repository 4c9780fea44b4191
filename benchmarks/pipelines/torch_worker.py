"""One rank of PyTorch: a small BERT or the MLP of tenon-zoo, trained by Adam in a 1F1B pipeline of
two stages (torch.distributed.pipelining) or by DistributedDataParallel, over gloo. Rank 0 prints
the milliseconds of each iteration as JSON."""
import argparse
import json
import os
import time

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F


class Embedding(nn.Module):
    def __init__(self, sequence, width):
        super().__init__()
        self.words, self.types = nn.Embedding(522, width), nn.Embedding(2, width)
        self.positions = nn.Parameter(torch.randn(sequence, width) * 0.02)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids):
        return self.norm(self.words(ids) + self.types(torch.zeros_like(ids)) + self.positions)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x):
        q, k, v = (f(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
                   for f in (self.query, self.key, self.value))
        attended = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
        x = self.first(x + self.output(attended))
        return self.second(x + self.down(F.gelu(self.up(x))))


class Pooler(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.dense = nn.Linear(width, width)

    def forward(self, x):
        return torch.tanh(self.dense(x[:, 0]))


def make_parts(options):
    """The parts of the model, in order, and a batch."""
    batch = options.batch
    if options.model == "mlp":
        parts = [nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(),
                 nn.Linear(256, 10)]
        return parts, 2, torch.randn(batch, 784), torch.randn(batch, 10)
    parts = [Embedding(options.sequence, 128), Block(128, 2), Block(128, 2), Pooler(128)]
    ids = torch.randint(0, 522, (batch, options.sequence))
    return parts, 2, ids, torch.randn(batch, 128)


def make_pipeline(options, rank):
    from torch.distributed.pipelining import PipelineStage, Schedule1F1B

    parts, cut, x, target = make_parts(options)
    module = nn.Sequential(*(parts[:cut] if rank == 0 else parts[cut:]))
    optimizer = torch.optim.Adam(module.parameters())
    stage = PipelineStage(module, rank, 2, torch.device("cpu"))
    schedule = Schedule1F1B(stage, options.micro_batches, loss_fn=F.mse_loss)

    def step():
        optimizer.zero_grad()
        if rank == 0:
            schedule.step(x)
        else:
            schedule.step(target=target, losses=[])
        optimizer.step()

    return step


def make_replica(options, rank):
    options.batch //= 2
    parts, _, x, target = make_parts(options)
    module = nn.parallel.DistributedDataParallel(nn.Sequential(*parts))
    optimizer = torch.optim.Adam(module.parameters())

    def step():
        optimizer.zero_grad()
        F.mse_loss(module(x), target).backward()
        optimizer.step()

    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=("bert", "mlp"), required=True)
    parser.add_argument("--way", choices=("pipeline", "replicas"), required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--micro-batches", type=int, default=4)
    parser.add_argument("--sequence", type=int, default=64)
    parser.add_argument("--iterations", type=int, default=30)
    options = parser.parse_args()
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    make = make_pipeline if options.way == "pipeline" else make_replica
    step, times = make(options, rank), []
    for _ in range(options.iterations + 5):
        dist.barrier()
        begin = time.perf_counter()
        step()
        times.append(1e3 * (time.perf_counter() - begin))
    # The slowest rank ends an iteration.
    slowest = torch.tensor(times[5:])
    dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
    if rank == 0:
        print(json.dumps(slowest.tolist()), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
