"""What is exported of a model, and inputs that several models have."""

from dataclasses import dataclass, field
from typing import Callable

import torch
from torch import nn

SEQ = 12


@dataclass
class Spec:
    module: nn.Module
    inputs: Callable[[int, int], dict]  # (batch, sequence) -> name: tensor
    dynamo: bool
    sequence: dict | None = None  # input name -> axes that are the sequence
    outputs: tuple = ("logits",)
    training: bool = False
    options: dict = field(default_factory=dict)  # further ones of torch.onnx.export


def ids(vocab, *shape):
    return torch.randint(1, vocab, shape)


def right_padded(batch, seq):
    """A mask with differing lengths, at least half of the sequence."""
    lengths = torch.tensor([seq - (i * 2) % (seq // 2) for i in range(batch)])
    return (torch.arange(seq)[None] < lengths[:, None]).long()


class Pick(nn.Module):
    """Positional inputs and one tensor as output, around a model of transformers."""

    def __init__(self, model, names, output):
        super().__init__()
        self.model, self.names, self.output = model, names, output

    def forward(self, *args):
        return getattr(self.model(**dict(zip(self.names, args))), self.output)


def masked(vocab):
    return lambda b, s: {"input_ids": ids(vocab, b, s), "attention_mask": right_padded(b, s)}


MASKED_AXES = {"input_ids": [1], "attention_mask": [1]}


def image(size):
    return lambda b, s: {"x": torch.randn(b, 3, size, size)}
