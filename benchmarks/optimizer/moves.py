"""Which kernels only move tensors."""

LIGHT = {"add", "broadcast", "clip", "concat", "mul", "relu", "reshape", "slice", "split",
         "transpose"}


def moves_only(pattern):
    """Whether a kernel of generated code only joins or cuts tensors, with what it does on
    the way."""
    ops = set(pattern.split("+"))
    return ops <= LIGHT and bool(ops & {"concat", "slice", "split"})
