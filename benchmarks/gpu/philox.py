"""Tenon's random numbers (include/tenon/Artifact/Philox.h), bit for bit, over arrays.

`draw` is what tenon-run does for `random:SEED[:DISTRIBUTION]`, and `parameter` what loading
does with random parameters. Both take a maker of arrays: `Numpy()`, or `Torch(device)`,
which draws the weights of a model of 140 million parameters on a GPU in a second. All
integers are 64 bits and signed, as torch has them: products wrap, and bits that a shift
drags in are masked.
"""
import math
import re

WORD = 0xFFFFFFFF
# Pairs of elements that are drawn at a time.
CHUNK = {"numpy": 1 << 16, "torch": 1 << 24}


class Numpy:
    kind = "numpy"

    def __init__(self):
        import numpy
        self.np = numpy

    def range(self, begin, end):
        return self.np.arange(begin, end, dtype=self.np.int64)

    def double(self, x):
        return x.astype(self.np.float64)

    def integer(self, x):
        return x.astype(self.np.int64)

    def interleave(self, a, b):
        return self.np.stack([a, b], axis=1).reshape(-1)

    def empty(self, count, dtype):
        return self.np.empty(count, {"f32": "float32", "f64": "float64", "i64": "int64",
                                     "i32": "int32", "bool": "bool"}[dtype])

    def single(self, x):
        return x.astype(self.np.float32)

    def below(self, x, bound, other):
        """x, or `other` for elements that are not below the bound."""
        return self.np.where(self.double(x) < bound, x, self.np.float32(other))

    def where(self, condition, a, b):
        return self.np.where(condition, a, b)

    def sqrt(self, x):
        return self.np.sqrt(x)

    def frexp(self, x):
        return self.np.frexp(x)

    def map(self, body, items):
        """On all cores: numpy's loops leave the interpreter to others."""
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor() as pool:
            list(pool.map(body, items))


class Torch(Numpy):
    kind = "torch"

    def __init__(self, device="cpu"):
        import torch
        self.torch, self.device = torch, device

    def range(self, begin, end):
        return self.torch.arange(begin, end, dtype=self.torch.int64, device=self.device)

    def double(self, x):
        return x.to(self.torch.float64)

    def integer(self, x):
        return x.to(self.torch.int64)

    def interleave(self, a, b):
        return self.torch.stack([a, b], dim=1).reshape(-1)

    def empty(self, count, dtype):
        types = {"f32": self.torch.float32, "f64": self.torch.float64, "i64": self.torch.int64,
                 "i32": self.torch.int32, "bool": self.torch.bool}
        return self.torch.empty(count, dtype=types[dtype], device=self.device)

    def single(self, x):
        return x.to(self.torch.float32)

    def below(self, x, bound, other):
        return self.torch.where(self.double(x) < bound, x, other)

    def where(self, condition, a, b):
        return self.torch.where(condition, a, b)

    def sqrt(self, x):
        return self.torch.sqrt(x)

    def frexp(self, x):
        return self.torch.frexp(x)

    def map(self, body, items):
        for item in items:
            body(item)


def mix(x):
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & (1 << 64) - 1
    return x ^ (x >> 31)


def stream_key(seed, name):
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return mix(seed ^ mix(value))


def block(pairs, key):
    """Philox4x32-10 of the counters: four words each."""
    a, b = pairs & WORD, pairs >> 32
    c = d = pairs ^ pairs
    k, l = key & WORD, key >> 32
    for _ in range(10):
        p, q = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = ((q >> 32) & WORD) ^ b ^ k, q & WORD, ((p >> 32) & WORD) ^ d ^ l, p & WORD
        k, l = k + 0x9E3779B9 & WORD, l + 0xBB67AE85 & WORD
    return a, b, c, d


def unit(xp, low, high):
    """In [0, 1), of 53 bits."""
    return xp.double((high << 21) | (low >> 11)) * 2.0 ** -53


def logarithm(xp, x):
    """The natural logarithm of x in (0, 1]."""
    m, exponent = xp.frexp(x)
    small = m < 0.70710678118654752
    m, exponent = xp.where(small, m * 2, m), xp.double(exponent) - xp.double(small)
    t = (m - 1) / (m + 1)
    square, total = t * t, 0.0
    for term in range(21, 0, -2):
        total = total * square + 1.0 / term
    return 2 * t * total + exponent * 0.69314718055994531


SINE = [-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040,
        1.0 / 120, -1.0 / 6, 1.0]
COSINE = [1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800,
          1.0 / 40320, -1.0 / 720, 1.0 / 24, -1.0 / 2, 1.0]


def cosine_sine(xp, u):
    """Cosine and sine of 2 pi u."""
    quarters = u * 4
    quadrant = xp.integer(quarters + 0.5)
    angle = (quarters - xp.double(quadrant)) * 1.5707963267948966
    square, s, c = angle * angle, 0.0, 0.0
    for term in SINE:
        s = s * square + term
    for term in COSINE:
        c = c * square + term
    s = s * angle
    odd, half = (quadrant & 1) == 1, (quadrant & 2) == 2
    cosine, sine = xp.where(odd, -s, c), xp.where(odd, c, s)
    return xp.where(half, -cosine, cosine), xp.where(half, -sine, sine)


def parse(distribution):
    """("normal",), ("uniform", low, high) or ("int", first, end)."""
    match = re.fullmatch(r"(uniform|int)\((.+),(.+)\)", distribution)
    if not match:
        if distribution != "normal":
            raise ValueError(f"no distribution {distribution!r}")
        return ("normal",)
    kind = match[1]
    return (kind, *(map(float if kind == "uniform" else int, match.groups()[1:])))


def single_below(xp, values, high):
    """As f32; rounding must not reach the open end."""
    import struct
    nearest = struct.unpack("f", struct.pack("f", high))[0]
    step = struct.unpack("i", struct.pack("f", nearest))[0] + (-1 if nearest > 0 else 1)
    return xp.below(xp.single(values), high, struct.unpack("f", struct.pack("i", step))[0])


def fill(xp, out, key, distribution):
    kind, *bounds = distribution
    count = len(out)
    chunk = CHUNK[xp.kind]

    def part(begin):
        pairs = xp.range(begin, min(begin + chunk, (count + 1) // 2))
        words = block(pairs, key)
        if kind == "normal":
            radius = xp.sqrt(-2 * logarithm(xp, 1 - unit(xp, *words[:2])))
            values = [radius * part for part in cosine_sine(xp, unit(xp, *words[2:]))]
        elif kind == "uniform":
            low, high = bounds
            values = [low + (high - low) * unit(xp, *words[i:i + 2]) for i in (0, 2)]
            if "float32" in str(out.dtype):
                values = [single_below(xp, value, high) for value in values]
        else:
            first, size = bounds[0], bounds[1] - bounds[0]
            values = [first + (words[i + 1] * size + ((words[i] * size >> 32) & WORD) >> 32)
                      for i in (0, 2)]
        place = out[2 * begin:2 * begin + 2 * chunk]
        place[:] = xp.interleave(*values)[:len(place)]

    xp.map(part, range(0, (count + 1) // 2, chunk))


def draw(xp, name, dtype, shape, seed, distribution=None):
    """An input, or None if it has no explicit distribution: floats are normal,
    integers 0 or 1."""
    distribution = distribution or ("normal" if dtype.startswith("f") else "int(0,2)")
    out = xp.empty(math.prod(shape), dtype)
    fill(xp, out, stream_key(seed, name), parse(distribution))
    return out.reshape(tuple(shape))


def parameter(xp, name, dtype, shape, seed):
    if not dtype.startswith("f"):
        distribution = ("int", 0, 2)
    elif len(shape) < 2:
        distribution = ("uniform", 0.5, 1.5)
    else:
        count, outer = math.prod(shape), max(shape[0], shape[-1])
        bound = math.sqrt(6 / (count / outer if count else 1))
        distribution = ("uniform", -bound, bound)
    out = xp.empty(math.prod(shape), dtype)
    fill(xp, out, stream_key(seed, name), distribution)
    return out.reshape(tuple(shape))
