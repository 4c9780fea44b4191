"""Graph ops by JAX, for the modules that peers.py writes."""
import jax
import jax.numpy as jnp
from jax import lax

# What f32 is computed in (--precision): the weights and inputs come in it.
real = jnp.float32
# The implementation of attention: "xla" or "cudnn".
implementation = "xla"


def dtype_of(name):
    # Integers of 64 bits would be of 32 anyway.
    return {"f32": real, "i64": jnp.int32, "i32": jnp.int32, "bool": jnp.bool_}[name]


def pairs(pads):
    rank = len(pads) // 2
    return list(zip(pads[:rank], pads[rank:]))


def conv(x, w, b, strides, pads, dilations, groups):
    y = lax.conv_general_dilated(x, w, strides, pairs(pads), rhs_dilation=dilations,
                                 dimension_numbers=("NCHW", "OIHW", "NCHW"),
                                 feature_group_count=groups)
    return y if b is None else y + b[:, None, None]


def window(x, kernel, strides, pads, dilations, ceil):
    """The padding for lax.reduce_window; with `ceil`, the last window may extend beyond the end."""
    padding = pairs(pads)
    if ceil:
        for axis, (begin, end) in enumerate(padding):
            size, step = x.shape[2 + axis] + begin + end, strides[axis]
            reach = dilations[axis] * (kernel[axis] - 1) + 1
            count = -(-(size - reach) // step) + 1
            if (count - 1) * step >= x.shape[2 + axis] + begin:
                count -= 1
            padding[axis] = begin, end + max(0, (count - 1) * step + reach - size)
    return dict(window_dimensions=(1, 1, *kernel), window_strides=(1, 1, *strides),
                padding=[(0, 0), (0, 0), *padding], window_dilation=(1, 1, *dilations))


def max_pool(x, kernel, strides, pads, dilations, ceil):
    return lax.reduce_window(x, -jnp.inf, lax.max,
                             **window(x, kernel, strides, pads, dilations, ceil))


def avg_pool(x, kernel, strides, pads, dilations, ceil, inside):
    if ceil:
        raise NotImplementedError("avg_pool with ceil")
    shape = window(x, kernel, strides, pads, dilations, ceil)
    sums = lax.reduce_window(x, 0.0, lax.add, **shape)
    if inside or not any(pads):
        count = 1
        for size in kernel:
            count *= size
        return sums / count
    ones = jnp.ones((1, 1, *x.shape[2:]), x.dtype)
    return sums / lax.reduce_window(ones, 0.0, lax.add, **shape)


def linear(x, w, b, transposed):
    return jnp.matmul(x, w.T if transposed else w) + b


def matmul(x, y, transpose_a, transpose_b):
    return jnp.matmul(x.mT if transpose_a else x, y.mT if transpose_b else y)


def attention(q, k, v, mask, scale, causal):
    # jax.nn takes [batch, sequence, heads, size]: XLA removes the transposes.
    if causal and q.shape[-2] != k.shape[-2]:
        raise NotImplementedError("causal attention to more keys than queries")
    q, k, v = (x.transpose(0, 2, 1, 3) for x in (q, k, v))
    y = jax.nn.dot_product_attention(q, k, v, bias=mask, scale=scale, is_causal=causal,
                                     implementation=implementation)
    return y.transpose(0, 2, 1, 3)


def layer_norm(x, scale, bias, axis, epsilon):
    # 16-bit types are summed in f32, as in PyTorch.
    wide = x.astype(jnp.float32)
    axes = tuple(range(axis, x.ndim))
    mean = wide.mean(axes, keepdims=True)
    variance = jnp.square(wide - mean).mean(axes, keepdims=True)
    return ((wide - mean) * lax.rsqrt(variance + epsilon) * scale + bias).astype(x.dtype)


def batch_norm(x, scale, bias, mean, variance, axis, epsilon):
    factor = scale * lax.rsqrt(variance + epsilon)
    shape = [-1 if i == axis else 1 for i in range(x.ndim)]
    return x * factor.reshape(shape) + (bias - mean * factor).reshape(shape)


def reduce_mean(x, axes, keepdims):
    return x.mean(axes, keepdims=keepdims)


def reduce_sum(x, axes, keepdims):
    return x.sum(axes, keepdims=keepdims)


def concat(values, axis):
    return jnp.concatenate(values, axis)


def slice(x, starts, sizes, steps):
    return lax.slice(x, starts, [a + (n - 1) * s + 1 for a, n, s in zip(starts, sizes, steps)],
                     steps)


def iota(shape, axis, dtype):
    return lax.broadcasted_iota(dtype_of(dtype), shape, axis)


def constant(value, dtype):
    return jnp.full((), value, dtype_of(dtype))


def reshape(x, shape):
    return x.reshape(shape)


def broadcast(x, shape):
    return jnp.broadcast_to(x, shape)


def transpose(x, perm):
    return x.transpose(perm)


def cast(x, dtype):
    return x.astype(dtype_of(dtype))


def gelu(x, tanh):
    return jax.nn.gelu(x, approximate=tanh)


def softmax(x, axis):
    return jax.nn.softmax(x, axis)


def embedding(table, indices):
    return table[indices]


def gather(x, indices, axis):
    return jnp.take(x, indices, axis)


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


relu, tanh, sigmoid, where = jax.nn.relu, jnp.tanh, jax.nn.sigmoid, jnp.where
exp, sqrt, rsqrt = jnp.exp, jnp.sqrt, lax.rsqrt
equal, less, less_equal = jnp.equal, jnp.less, jnp.less_equal
maximum, minimum = jnp.maximum, jnp.minimum
