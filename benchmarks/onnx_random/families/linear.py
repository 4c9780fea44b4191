"""Products of matrices, einsum, attention and what belongs to it."""
from draw import BOOL, I64


def matmul(draw):
    dtype = draw.type()
    m, k, n = (draw.size(5, 0.02) for _ in range(3))
    batch = draw.shape(0, 2, 3)
    a, b = (*draw.broadcastable(batch), m, k), (*draw.broadcastable(batch), k, n)
    if draw.chance(0.12):
        a = (k,)
    if draw.chance(0.12):
        b = (k,)
    return draw.node([draw.array(dtype, a), draw.array(dtype, b)])


def gemm(draw):
    dtype = draw.type()
    m, k, n = (draw.size(6, 0.02) for _ in range(3))
    left, right = draw.maybe(draw.pick(0, 1)), draw.maybe(draw.pick(0, 1))
    a, b = (k, m) if left else (m, k), (n, k) if right else (k, n)
    c = draw.array(dtype, draw.broadcastable((m, n)))
    if draw.opset < 7:
        c = draw.array(dtype, (m, n))
    elif draw.opset >= 11 and draw.chance(0.3):
        c = None
    whole = dtype.kind in "iu"
    given = draw.some(alpha=draw.pick(2.0, 1.0) if whole else round(draw.uniform(-2, 2), 2),
                      beta=draw.pick(2.0, 0.0) if whole else round(draw.uniform(-2, 2), 2))
    return draw.node([draw.array(dtype, a), draw.array(dtype, b), c], transA=left, transB=right,
                     **given)


EQUATIONS = ["ij,jk->ik", "ij,jk", "bij,bjk->bik", "ij->ji", "ii->i", "ii", "ij->", "i,j->ij",
             "bij,bkj->bik", "ij,ij->ij", "i,i->", "...ij,...jk->...ik", "...i->...", "abc->cab",
             "bhqd,bhkd->bhqk", "ij,kj->ki", "ij,jk,kl->il", "a,b,c->abc", "...ii->...i",
             "ij,j->i", "ibj,kbj->bik", "i...,i...->...", "abij,bjk->aik", "aab->b", "ab->b",
             "b...i,b...j->b...ij", "ij , jk -> ik", "i,->i", "Aa,aB->AB"]


def einsum(draw):
    equation = draw.choice(EQUATIONS)
    sizes = {}
    dtype = draw.type()
    middle = draw.shape(0, 2, 3, zero=0)
    arrays = []
    for term in equation.replace(" ", "").split("->")[0].split(","):
        shape = []
        dots = middle if draw.chance(0.7) else draw.broadcastable(middle)
        for letter in term.replace("...", "."):
            if letter == ".":
                shape += dots
            else:
                shape.append(sizes.setdefault(letter, draw.size(4, 0.01)))
        arrays.append(draw.array(dtype, shape))
    return draw.node(arrays, equation=equation)


def attention(draw):
    first = draw.type("T1")
    second = first if draw.chance(0.8) else draw.type("T2")
    batch, kv_heads, repeat = draw.randint(1, 2), draw.randint(1, 2), draw.pick(1, 1, 2)
    heads = kv_heads * repeat
    queries, keys = draw.randint(1, 5), draw.randint(1, 5)
    size, value_size = draw.randint(1, 4), draw.randint(1, 4)
    flat = draw.chance(0.4)

    def make(dtype, count, length, width):
        shape = (batch, length, count * width) if flat else (batch, count, length, width)
        return draw.array(dtype, shape)

    q = make(first, heads, queries, size)
    k, v = make(first, kv_heads, keys, size), make(second, kv_heads, keys, value_size)
    past_k = past_v = lengths = mask = None
    past = 0
    if draw.chance(0.35):
        past = draw.randint(1, 3)
        past_k = draw.array(first, (batch, kv_heads, past, size))
        past_v = draw.array(second, (batch, kv_heads, past, value_size))
    elif draw.opset >= 24 and draw.chance(0.3):
        lengths = draw.array(I64, (batch,), low=1, high=keys)
    total = past + keys
    if draw.chance(0.55):
        kind = draw.type("U", (BOOL, first))
        shape = draw.pick((queries, total), (batch, heads, queries, total),
                          (1, 1, queries, total), (batch, 1, queries, total),
                          (heads, queries, total))
        mask = draw.array(kind, shape)
        if kind == BOOL:
            # A query without any key has no result that the standard defines.
            mask[..., 0] = True
        if draw.chance(0.1) and total > 1 and draw.opset >= 24:
            mask = mask[..., :-1]
    four = draw.chance(0.15)
    present = past_k is not None or draw.chance(0.1)
    outputs = [True, present, present, four] if present or four else 1
    given = draw.some(scale=round(draw.uniform(0.2, 1.5), 2), softcap=draw.pick(0.0, 2.0, 5.0))
    if flat:
        given.update(q_num_heads=heads, kv_num_heads=kv_heads)
    if four:
        given["qk_matmul_output_mode"] = draw.maybe(draw.randint(0, 3))
    if draw.opset >= 25:
        given.update(draw.some(left_window_size=draw.pick(-1, 0, 1, 3),
                               right_window_size=draw.pick(-1, 0, 1, 3))
                     if draw.chance(0.4) else {})
    causal = draw.maybe(draw.pick(0, 1))
    return draw.node([q, k, v, mask, past_k, past_v, lengths], outputs, is_causal=causal,
                     softmax_precision=draw.maybe(1, 0.15), **given)


def linear_attention(draw):
    dtype = draw.type("T")
    kv_heads, repeat = draw.randint(1, 2), draw.pick(1, 1, 2)
    heads = kv_heads * repeat
    batch, length, key, value = (draw.randint(1, n) for n in (2, 4, 3, 3))
    rule = draw.pick("linear", "gated", "delta", "gated_delta", None)
    q = draw.array(dtype, (batch, length, heads * key), scale=0.5)
    k = draw.array(dtype, (batch, length, kv_heads * key), scale=0.5)
    v = draw.array(dtype, (batch, length, kv_heads * value))
    state = draw.maybe(draw.array(draw.type("S"), (batch, kv_heads, key, value)))
    decay = beta = None
    if rule in ("gated", "gated_delta", None):
        width = kv_heads * draw.pick(1, key)
        decay = draw.array(dtype, (batch, length, width), low=-1, high=0)
    if rule in ("delta", "gated_delta", None):
        beta = draw.array(dtype, (batch, length, draw.pick(kv_heads, 1)), low=0, high=1)
    return draw.node([q, k, v, state, decay, beta], 2, q_num_heads=heads, kv_num_heads=kv_heads,
                     update_rule=rule, **draw.some(scale=0.7, chunk_size=2))


def rotary(draw):
    dtype = draw.type("T")
    batch, length, heads = draw.randint(1, 3), draw.randint(1, 4), draw.randint(1, 3)
    half = draw.randint(1, 4)
    size = 2 * half
    part = None
    if draw.chance(0.4):
        part = 2 * draw.randint(1, half)
    width = (part or size) // 2
    flat = draw.chance(0.5)
    shape = (batch, length, heads * size) if flat else (batch, heads, length, size)
    ids = draw.maybe(draw.array(I64, (batch, length), low=0, high=5), 0.6)
    cache = (batch, length, width) if ids is None else (6, width)
    return draw.node([draw.array(dtype, shape), draw.array(dtype, cache),
                      draw.array(dtype, cache), ids], interleaved=draw.maybe(draw.pick(0, 1)),
                     num_heads=heads if flat else None, rotary_embedding_dim=part)


OPS = {
    "Attention": attention, "Einsum": einsum, "Gemm": gemm, "LinearAttention": linear_attention,
    "MatMul": matmul, "RotaryEmbedding": rotary,
}
