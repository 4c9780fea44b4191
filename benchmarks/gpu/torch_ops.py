"""Graph ops by PyTorch, for the modules that peers.py writes."""
import torch
import torch.nn.functional as F

# What f32 is computed in (--precision): the weights and inputs come in it.
real = torch.float32


def dtype_of(name):
    return {"f32": real, "i64": torch.int64, "i32": torch.int32, "bool": torch.bool}[name]


def split_pads(pads):
    """Leading pads, whether the trailing ones are the same, and all as F.pad takes them."""
    rank = len(pads) // 2
    begin, end = pads[:rank], pads[rank:]
    return begin, begin == end, [p for pair in zip(begin[::-1], end[::-1]) for p in pair]


def conv(x, w, b, strides, pads, dilations, groups):
    begin, symmetric, apart = split_pads(pads)
    if not symmetric:
        x, begin = F.pad(x, apart), (0,) * len(begin)
    return F.conv2d(x, w, b, strides, begin, dilations, groups)


def max_pool(x, kernel, strides, pads, dilations, ceil):
    begin, symmetric, apart = split_pads(pads)
    if not symmetric:
        x, begin = F.pad(x, apart, value=float("-inf")), (0,) * len(begin)
    return F.max_pool2d(x, kernel, strides, begin, dilations, ceil)


def avg_pool(x, kernel, strides, pads, dilations, ceil, inside):
    begin, symmetric, _ = split_pads(pads)
    if not symmetric or any(d != 1 for d in dilations):
        raise NotImplementedError("avg_pool with such pads or dilations")
    return F.avg_pool2d(x, kernel, strides, begin, ceil, inside)


def linear(x, w, b, transposed):
    return F.linear(x, w if transposed else w.t(), b)


def matmul(x, y, transpose_a, transpose_b):
    return (x.mT if transpose_a else x) @ (y.mT if transpose_b else y)


def attention(q, k, v, mask, scale, causal):
    if causal and q.shape[-2] != k.shape[-2]:
        raise NotImplementedError("causal attention to more keys than queries")
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal, scale=scale)


def layer_norm(x, scale, bias, axis, epsilon):
    return F.layer_norm(x, x.shape[axis:], scale, bias, epsilon)


def batch_norm(x, scale, bias, mean, variance, axis, epsilon):
    return F.batch_norm(x, mean, variance, scale, bias, False, 0.0, epsilon)


def reduce_mean(x, axes, keepdims):
    return x.mean(axes, keepdim=keepdims)


def reduce_sum(x, axes, keepdims):
    return x.sum(axes, keepdim=keepdims)


def concat(values, axis):
    return torch.cat(values, axis)


def slice(x, starts, sizes, steps):
    # What is kept whole is no operation.
    for axis, (start, size, step) in enumerate(zip(starts, sizes, steps)):
        if step != 1:
            raise NotImplementedError("slice with steps")
        if size != x.shape[axis]:
            x = x.narrow(axis, start, size)
    return x


def iota(shape, axis, dtype):
    device = torch.device(place)
    x = torch.arange(shape[axis], dtype=dtype_of(dtype), device=device)
    return x.view([-1 if i == axis else 1 for i in range(len(shape))]).expand(shape)


def constant(value, dtype):
    return torch.full((), value, dtype=dtype_of(dtype), device=place)


# Where iota and constants are made.
place = "cpu"


def reshape(x, shape):
    return x.reshape(shape)


def broadcast(x, shape):
    return x.expand(shape)


def transpose(x, perm):
    return x.permute(perm)


def cast(x, dtype):
    return x.to(dtype_of(dtype))


def gelu(x, tanh):
    return F.gelu(x, approximate="tanh" if tanh else "none")


def softmax(x, axis):
    return F.softmax(x, axis)


def embedding(table, indices):
    return F.embedding(indices, table)


def gather(x, indices, axis):
    shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1:])
    return torch.index_select(x, axis, indices.reshape(-1)).reshape(shape)


def add(x, y):
    return x + y


def sub(x, y):
    return x - y


def mul(x, y):
    return x * y


def div(x, y):
    return x / y


def neg(x):
    return -x


relu, tanh, sigmoid, where = F.relu, torch.tanh, torch.sigmoid, torch.where
exp, sqrt, rsqrt = torch.exp, torch.sqrt, torch.rsqrt
equal, less, less_equal = torch.eq, torch.lt, torch.le
maximum, minimum = torch.maximum, torch.minimum
