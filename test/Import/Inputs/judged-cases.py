"""Small models whose results numpy states here, apart from all that imports or compiles them:

    judged-cases.py BIN FOLDER

compiles and runs each, interprets it, and compares element by element."""

import os
import subprocess
import sys

import numpy as np
import onnx
import onnx.parser

binaries, folder = sys.argv[1:]
draw = np.random.default_rng(1)
# Debian's onnx knows an older opset as its newest; the text is parsed all the same.
HEAD = '<ir_version: 8, opset_import: ["" : %d]>\n'
TYPES = {"float32": "float", "float64": "double"}
failures = total = 0


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else (done.stderr + done.stdout).strip()[-300:]


def differs(got, wanted):
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return f"{got.dtype}{got.shape}, expected {wanted.dtype}{wanted.shape}"
    if np.issubdtype(wanted.dtype, np.floating):
        tolerance = 2e-3 if wanted.dtype == np.float16 else 1e-4
        same = np.isclose(got.astype(float), wanted.astype(float), rtol=tolerance, atol=1e-5, equal_nan=True)
    else:
        same = got == wanted
    return "" if same.all() else f"{got.ravel()[:8]}, expected {wanted.ravel()[:8]}"


def case(name, body, inputs, expected, opset=17, shapes=None):
    """`body` is the text of the nodes; `inputs` are arrays, of dynamic `shapes` if there are any."""
    global failures, total
    total += 1
    def declare(key, array):
        shape = (shapes or {}).get(key, ",".join(map(str, array.shape)))
        return f"{TYPES.get(str(array.dtype), str(array.dtype))}[{shape}] {key}"
    text = HEAD % opset + f"g ({', '.join(declare(k, v) for k, v in inputs.items())}) => (" + ", ".join(
        declare(k, v) for k, v in expected.items()) + ") {\n" + body + "\n}"
    base = os.path.join(folder, name)
    onnx.save(onnx.parser.parse_model(text), base + ".onnx")
    arguments = []
    for key, array in inputs.items():
        np.save(f"{base}.{key}.npy", array)
        arguments += ["--input", f"{key}=@{base}.{key}.npy"]
    for key in expected:
        arguments += ["--output", f"{key}=@{base}.out.{key}.npy"]
    problem = run(f"{binaries}/tenon-compile", base + ".onnx", "-o", base + ".so")
    for command in ([f"{binaries}/tenon-run", base + ".so"], [f"{binaries}/tenon-interpret", base + ".onnx"]):
        problem = problem or run(*command, *arguments)
        for key, wanted in expected.items():
            wrong = problem or differs(np.load(f"{base}.out.{key}.npy"), wanted)
            if wrong:
                failures += 1
                print(f"{name}, {os.path.basename(command[0])}, {key}: {wrong}")


def normal(*shape, dtype=np.float32):
    return draw.normal(size=shape).astype(dtype)


def softmax(scores):
    scores = np.exp(scores - np.maximum(scores.max(-1, keepdims=True), -1e30))
    return scores / np.maximum(scores.sum(-1, keepdims=True), 1e-30)


# Causal attention with a mask: what either forbids is forbidden; a query without keys gives 0.
for name, mask in {
    "left-padding": np.arange(4)[None, None, None, :] >= np.array([0, 3])[:, None, None, None],
    "rows": np.array([[0, 1, 1, 1], [1, 0, 0, 0], [0, 0, 0, 1], [1, 1, 1, 0]], bool)[None, None],
    "keys": np.array([[[[0, 0, 1, 1]]]], bool),
}.items():
    q, k, v = normal(2, 2, 4, 3), normal(2, 2, 4, 3), normal(2, 2, 4, 3)
    allowed = np.broadcast_to(mask & np.tril(np.ones((4, 4), bool)), (2, 2, 4, 4))
    scores = np.where(allowed, q @ k.transpose(0, 1, 3, 2) / np.sqrt(3), -np.inf)
    y = np.where(allowed.any(-1, keepdims=True), softmax(scores) @ v, 0)
    case("attention-" + name, "  y = Attention<is_causal = 1>(q, k, v, m)",
         dict(q=q, k=k, v=v, m=mask), dict(y=y.astype(np.float32)), opset=23)

# The steps of a loop, whose number is a size, beside operands of another rank.
LOOP = """
  zero = Constant<value = int64 {0}>()
  sizes = Shape(x)
  n = Gather(sizes, zero)
  yes = Constant<value = bool {1}>()
  y = Loop (n, yes) <
    body = row (int64 i, bool c) => (bool d, float[%s] o) {
      d = Identity(c)
      %s
    }
  >"""
x, w = normal(3, 2, 4), normal(5, 4, 2)
case("loop-matmul", LOOP % ("5,2,2", "r = Gather(x, i) o = MatMul(r, w)"), dict(x=x, w=w),
     dict(y=x[:, None] @ w[None]), shapes=dict(x="n,2,4", y="n,5,2,2"))
a, b = normal(3, 4, 2), normal(5, 2, 4)
case("loop-batched-matmul", LOOP % ("5,2,2", "r = Gather(x, i) o = MatMul(w, r)"), dict(x=a, w=b),
     dict(y=b[None] @ a[:, None]), shapes=dict(x="n,4,2", y="n,5,2,2"))
case("loop-backwards", LOOP % ("2,4", "one = Constant<value = int64 {1}>() l = Sub(n, one) j = Sub(l, i) o = Gather(x, j)"),
     dict(x=x), dict(y=x[::-1]), shapes=dict(x="n,2,4", y="n,2,4"))
case("loop-other-axis", LOOP % ("2,3", "o = Gather<axis = 1>(t, i)"), dict(x=x, t=(t := normal(2, 3, 3))),
     dict(y=t.transpose(1, 0, 2)), shapes=dict(x="n,2,4", y="n,2,3"))
for steps in (0, 1):
    x = normal(steps, 2, 4)
    case(f"loop-of-{steps}", LOOP % ("2,4", "r = Gather(x, i) o = Relu(r)"), dict(x=x), dict(y=np.maximum(x, 0)),
         shapes=dict(x="n,2,4", y="n,2,4"))

# No steps: states are what they were, and what is stacked has no elements.
x = normal(2, 4)
case("loop-of-none", """
  none = Constant<value = int64 {0}>()
  yes = Constant<value = bool {1}>()
  s, y = Loop (none, yes, x) <
    body = step (int64 i, bool c, float[2,4] p) => (bool d, float[2,4] q, float[4,2] o) {
      d = Identity(c)
      q = Add(p, p)
      o = Transpose(p)
    }
  >""", dict(x=x), dict(s=x, y=np.zeros((0, 4, 2), np.float32)))
case("loop-of-no", """
  most = Constant<value = int64 {3}>()
  no = Constant<value = bool {0}>()
  s, y = Loop (most, no, x) <
    body = step (int64 i, bool c, float[2,4] p) => (bool d, float[2,4] q, int64[2] o) {
      d = Identity(c)
      q = Add(p, p)
      o = Shape(p)
    }
  >""", dict(x=x), dict(s=x, y=np.zeros((0, 2), np.int64)))
t = normal(2)
case("scan-of-none", """
  s, y = Scan <num_scan_inputs = 1, scan_input_axes = [1], scan_output_axes = [1],
    body = step (float[2] p, float[3] r) => (float[2] q, float[3] o) {
      q = Add(p, p)
      o = Relu(r)
    }
  > (t, e)""", dict(t=t, e=np.zeros((3, 0), np.float32)), dict(s=t, y=np.zeros((3, 0), np.float32)))

# while: the largest trip count, and a condition.
case("loop-while", """
  most = Constant<value = int64 {9223372036854775807}>()
  yes = Constant<value = bool {1}>()
  zero = Constant<value = int64 {0}>()
  k, y = Loop (most, yes, zero, x) <
    body = step (int64 i, bool c, int64 a, float[3] p) => (bool d, int64 b, float[3] q) {
      one = Constant<value = int64 {1}>()
      four = Constant<value = int64 {4}>()
      b = Add(a, one)
      q = Add(p, p)
      d = Less(b, four)
    }
  >""", dict(x=(x := normal(3))), dict(y=16 * x))

# The parameters of activations are taken in order, by those that take them.
def lstm(x, w, r, activations):
    f, g, h = activations
    hidden = r.shape[1]
    state = cell = np.zeros((x.shape[1], hidden))
    for step in x:
        i, o, e, c = np.split(step @ w.T + state @ r.T, 4, axis=1)
        cell = f(e) * cell + f(i) * g(c)
        state = f(o) * h(cell)
    return state[None].astype(np.float32)


def sigmoid(v):
    return 1 / (1 + np.exp(-v))


def scaled_tanh(alpha, beta):
    return lambda v: alpha * np.tanh(beta * v)


def leaky(alpha):
    return lambda v: np.where(v < 0, alpha * v, v)


def hard(alpha, beta):
    return lambda v: np.clip(alpha * v + beta, 0, 1)


x, w, r = normal(4, 2, 3), normal(1, 8, 3), normal(1, 8, 2)
for name, texts, alphas, betas, functions in (
    ("second", '"Sigmoid", "LeakyRelu", "Tanh"', "0.3", "", (sigmoid, leaky(np.float32(0.3)), np.tanh)),
    ("third", '"Sigmoid", "Tanh", "ScaledTanh"', "1.5", "0.5", (sigmoid, np.tanh, scaled_tanh(1.5, 0.5))),
    ("all", '"HardSigmoid", "LeakyRelu", "ScaledTanh"', "0.3, 0.1, 1.5", "0.4, 0.7",
     (hard(0.3, 0.4), leaky(0.1), scaled_tanh(1.5, 0.7))),
):
    parameters = f", activation_alpha = [{alphas}]" + (f", activation_beta = [{betas}]" if betas else "")
    case("lstm-" + name, f"  a, y = LSTM<hidden_size = 2, activations = [{texts}]{parameters}>(x, w, r)",
         dict(x=x, w=w, r=r), dict(y=lstm(x, w[0], r[0], functions)))

# Resizes of integers interpolate numbers.
mean = np.array([[1, 1, 0, 0], [0, 0, 1, 1]]) / 2
for name, data, attributes in (("i32", np.full((4, 4), -137, np.int32), 'antialias = 1, mode = "linear"'),
                               ("u8", np.full((4, 4), 200, np.uint8), 'antialias = 1, mode = "cubic"'),
                               ("i8", 2 * draw.integers(-60, 60, (4, 4)).astype(np.int8), 'mode = "linear"')):
    case("resize-" + name, f"  s = Constant<value = float[4] {{1.0, 1.0, 0.5, 0.5}}>()\n  y = Resize<{attributes}>(x, , s)",
         dict(x=data[None, None]), dict(y=np.rint(mean @ data @ mean.T).astype(data.dtype)[None, None]), opset=18)
case("resize-dynamic", "  s = Constant<value = float[4] {1.0, 1.0, 1.5, 2.25}>()\n  y = Resize<mode = \"nearest\", "
     "coordinate_transformation_mode = \"asymmetric\", nearest_mode = \"floor\">(x, , s)",
     dict(x=(x := normal(1, 1, 5, 4))),
     dict(y=x[:, :, np.floor(np.arange(7) / 1.5).astype(int)][:, :, :, np.floor(np.arange(9) / 2.25).astype(int)]),
     opset=18, shapes=dict(x="1,1,h,w", y="1,1,hh,ww"))

# Powers are of the base's type, and exact where they are integers.
ints = np.array([12345, -3, 16777217, 7], np.int64)
case("pow-by-float", "  y = Pow(x, e)", dict(x=ints, e=np.array([2, 3, 1, 0.5], np.float32)),
     dict(y=np.array([12345**2, -27, 16777217, 2], np.int64)))
case("pow-by-half", "  y = Pow(x, e)", dict(x=np.array([300, 2], np.int64), e=np.array([2, 10], np.float16)),
     dict(y=np.array([90000, 1024], np.int64)))
case("pow-of-float", "  y = Pow(x, e)", dict(x=np.array([-1, -1, 2], np.float32), e=np.array([16777217, 2, -1], np.int64)),
     dict(y=np.array([-1, 1, 0.5], np.float32)))

# Integers of 64 bits are not doubles.
big = np.array([2**53 + 1, 1], np.int64)
case("pad-big", f"  p = Constant<value = int64[2] {{1, 1}}>()\n  v = Constant<value = int64 {{{2**53 + 1}}}>()\n  y = Pad(x, p, v)",
     dict(x=big), dict(y=np.pad(big, 1, constant_values=2**53 + 1)))
case("pad-largest", f"  p = Constant<value = int64[2] {{0, 2}}>()\n  v = Constant<value = int64 {{{2**63 - 1}}}>()\n  y = Pad(x, p, v)",
     dict(x=big), dict(y=np.pad(big, (0, 2), constant_values=2**63 - 1)))
case("clip-big", f"  v = Constant<value = int64 {{{2**53 + 1}}}>()\n  y = Clip(x, , v)",
     dict(x=np.array([2**62, 3], np.int64)), dict(y=np.array([2**53 + 1, 3], np.int64)))

# 16 bits round once.
half = np.full((2, 36), 60, np.float16)
case("gemm-scaled", "  y = Gemm<alpha = 0.001, transB = 1>(x, w)", dict(x=half, w=half),
     dict(y=np.full((2, 2), 129.6, np.float16)))
case("gemm-added", "  y = Gemm<beta = -1.0, transB = 1>(x, w, c)",
     dict(x=half, w=half, c=np.full(2, 65504, np.float16)), dict(y=np.full((2, 2), 129600 - 65504, np.float16)))
x = (normal(1, 2, 3, 3) * 100).astype(np.float16)
case("lp-pool", "  y = GlobalLpPool<p = 3>(x)", dict(x=x),
     dict(y=((np.abs(x.astype(float))**3).sum((2, 3), keepdims=True)**(1 / 3)).astype(np.float16)))

# Statistics of another type than the data.
x = np.array([[2048, 2050, 2052]], np.float16).reshape(3, 1)
for name, mean, variance in (("mean", 2049, 1), ("variance", 2048, 90000), ("both", 2051, 1e6)):
    def one(value):
        return np.array([value], np.float32)
    case("batch-norm-" + name, "  y = BatchNormalization<epsilon = 0.0>(x, s, b, m, v)",
         dict(x=x, s=one(1), b=one(0), m=one(mean), v=one(variance)),
         dict(y=((x.astype(float) - mean) / np.sqrt(variance)).astype(np.float16)))
x = normal(5)
case("batch-norm-of-rank-1", "  y = BatchNormalization<epsilon = 0.0>(x, s, b, m, v)",
     dict(x=x, s=np.array([2], np.float32), b=np.array([1], np.float32), m=np.array([0.5], np.float32),
          v=np.array([4], np.float32)), dict(y=x - np.float32(0.5) + 1))
x, scale = (normal(2, 6) * 1000).astype(np.float16), normal(6)
case("rms-norm-scale", "  y = RMSNormalization<epsilon = 0.0>(x, s)", dict(x=x, s=scale),
     dict(y=(x / np.sqrt((x.astype(float)**2).mean(-1, keepdims=True)) * scale).astype(np.float32)), opset=23)

# Constants of 32 bits wrap.
for name, op, values, result in (("prod", "ReduceProd", [65536, 65536], 0), ("sum", "ReduceSum", [2**31 - 1, 1], -2**31),
                                 ("prod-odd", "ReduceProd", [46341, 46341], 46341**2 - 2**32)):
    items = ", ".join(map(str, values))
    case("fold-" + name, f"  c = Constant<value = int32[2] {{{items}}}>()\n  r = {op}<keepdims = 1>(c)\n"
         "  l = Cast<to = 7>(r)\n  y = Add(l, x)", dict(x=np.zeros(1, np.int64)), dict(y=np.array([result], np.int64)),
         opset=17 if op == "ReduceProd" else 13)

# The sizes of windows follow from the input's.
x, w = normal(1, 1, 5, 6), normal(1, 1, 3, 3)
padded = np.pad(x[0, 0], ((1, 1), (0, 1)))
y = np.array([[(padded[2 * i:2 * i + 3, 2 * j:2 * j + 3] * w[0, 0]).sum() for j in range(3)] for i in range(3)], np.float32)
case("conv-same", "  y = Conv<auto_pad = \"SAME_UPPER\", strides = [2, 2]>(x, w)", dict(x=x, w=w), dict(y=y[None, None]),
     shapes=dict(x="1,1,h,w", y="1,1,hh,ww"))
padded = np.pad(x[0, 0], ((1, 1), (0, 1)), constant_values=-np.inf)
y = np.array([[padded[2 * i:2 * i + 3, 2 * j:2 * j + 3].max() for j in range(3)] for i in range(3)], np.float32)
case("pool-same", "  y = MaxPool<auto_pad = \"SAME_UPPER\", strides = [2, 2], kernel_shape = [3, 3]>(x)", dict(x=x),
     dict(y=y[None, None]), shapes=dict(x="1,1,h,w", y="1,1,hh,ww"))

# Found by random cases: finite defaults of Clip, integers in Erf, statistics of f64, symbols that have
# to be a known size, and reflection between the corners of one element.
x = np.array([-np.inf, -1, 2, np.inf], np.float32)
most = np.finfo(np.float32).max
case("clip-defaults", "  y = Clip(x)", dict(x=x), dict(y=np.clip(x, -most, most)), opset=6)
case("erf-integers", "  y = Erf(x)", dict(x=np.array([-9, -4, -3, 0, 1, 4])), dict(y=np.array([-1, -1, 0, 0, 0, 1])), opset=13)
x, w = normal(2, 3).astype(np.float64), np.ones(3)
case("layer-norm-f64", "  y, m = LayerNormalization(x, w)", dict(x=x, w=w),
     dict(y=(x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5),
          m=x.mean(1, keepdims=True).astype(np.float32)))
a, b, c = normal(3, 2), normal(2, 4), normal(3, 4)
case("gemm-symbol", "  y = Gemm(a, b, c)", dict(a=a, b=b, c=c), dict(y=a @ b + c), shapes=dict(a="s,2", y="s,4"))
x, w = normal(3, 2), normal(3, 2)
case("prelu-symbol", "  y = PRelu(x, w)", dict(x=x, w=w), dict(y=np.where(x < 0, x * w, x)), shapes=dict(x="s,2", y="s,2"))
x, w, b = normal(1, 4, 3), normal(4), normal(4)
mean, variance = normal(4), np.abs(normal(4))
at = (slice(None), None)
case("batch-norm-symbol", "  y = BatchNormalization(x, w, b, m, v)", dict(x=x, w=w, b=b, m=mean, v=variance),
     dict(y=(x - mean[at]) / np.sqrt(variance[at] + 1e-5) * w[at] + b[at]), shapes=dict(x="1,s,3", y="1,s,3"), opset=15)
grid = np.array([[[[-3, 0.5], [0, 2]]]], np.float32)
case("grid-corners", "  y = GridSample<align_corners = 1, padding_mode = \"reflection\">(x, g)",
     dict(x=(x := normal(1, 1, 1, 1)), g=grid), dict(y=np.broadcast_to(x, (1, 1, 1, 2)).copy()), opset=16)

# Col2Im of integers wraps.
columns = draw.integers(-2**62, 2**62, (1, 4, 4))
image = np.zeros((3, 3), np.int64)
with np.errstate(over="ignore"):
    for k in range(4):
        for p in range(4):
            image[p // 2 + k // 2, p % 2 + k % 2] += columns[0, k, p]
case("col2im", "  a = Constant<value = int64[2] {3, 3}>()\n  b = Constant<value = int64[2] {2, 2}>()\n  y = Col2Im(x, a, b)",
     dict(x=columns), dict(y=image[None, None]), opset=18)

# A mask of fewer keys than there are, where the number of keys is symbolic.
q, k, v = (draw.random((1, n, 4), np.float32) for n in (2, 3, 3))
scores = q @ k.transpose(0, 2, 1) / 2
scores[..., 2] = -np.inf
weights = np.exp(scores - scores.max(-1, keepdims=True))
case("attention-short-mask", "  m = Constant<value = bool[2, 2] {1, 1, 1, 1}>()\n"
     "  y = Attention<q_num_heads = 1, kv_num_heads = 1>(q, k, v, m)",
     dict(q=q, k=k, v=v), dict(y=weights / weights.sum(-1, keepdims=True) @ v), opset=23, shapes=dict(k="1,s,4", v="1,s,4"))

print(f"{total} models, {failures} wrong")
sys.exit(failures != 0)
