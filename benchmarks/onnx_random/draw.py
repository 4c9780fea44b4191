"""Drawing of cases: a case is a few nodes of one operator with their inputs."""
import dataclasses
import random
import zlib

import ml_dtypes
import numpy as np
import onnx
from onnx import defs, helper

BF16 = np.dtype(ml_dtypes.bfloat16)
F16, F32, F64 = np.dtype("float16"), np.dtype("float32"), np.dtype("float64")
I8, U8, I32, I64 = np.dtype("int8"), np.dtype("uint8"), np.dtype("int32"), np.dtype("int64")
BOOL = np.dtype("bool")
FLOATS = (F32, F64, F16, BF16)
INTEGERS = (I64, I32, I8, U8)
# The names that ONNX gives to the element types of Tenon.
TYPES = {"float": F32, "double": F64, "float16": F16, "bfloat16": BF16, "int64": I64,
         "int32": I32, "int8": I8, "uint8": U8, "bool": BOOL}
WEIGHTS = {F32: 6, F64: 1, F16: 1.5, BF16: 1, I64: 1.5, I32: 1.5, I8: 1, U8: 1, BOOL: 1}
FIRST_OPSET = 6
COMMON_OPSETS = (12, 17, 22)


def is_float(dtype):
    return dtype in FLOATS


def versions(op):
    """For each of the operator's definitions, the first opset and the one past the last."""
    schemas = [schema for schema in defs.get_all_schemas_with_history()
               if schema.domain == "" and schema.name == op]
    first = sorted({max(schema.since_version, FIRST_OPSET) for schema in schemas})
    spans = list(zip(first, first[1:] + [defs.onnx_opset_version() + 1]))
    gone = {schema.since_version for schema in schemas if schema.deprecated}
    return [span for span in spans if span[0] not in gone]


@dataclasses.dataclass
class Case:
    """`constants` are the inputs that the model holds; `symbols` are the dynamic sizes by
    input and axis. `decided` says why a result may differ from the judges'."""
    op: str
    opset: int
    nodes: list
    inputs: dict
    outputs: list
    constants: set
    symbols: dict
    as_nodes: bool
    decided: str = ""
    number: int = 0

    def signature(self):
        """What two cases share if they differ in nothing but their number."""
        data = [(name, str(a.dtype), a.shape, a.tobytes()) for name, a in self.inputs.items()]
        return zlib.crc32(repr((self.opset, data, sorted(self.constants),
                                sorted(self.symbols.items()), self.as_nodes,
                                [n.SerializeToString() for n in self.nodes])).encode())


class Draw(random.Random):
    def __init__(self, op, seed, few_opsets=False):
        super().__init__(f"{op} {seed}")
        self.op, spans = op, versions(op)
        self.opsets = [self._opset(*span) for span in spans]
        if few_opsets:
            few = [*COMMON_OPSETS] + [defs.onnx_opset_version()] * (
                spans[-1][0] > COMMON_OPSETS[-1])
            few = [o for o in few if any(first <= o < end for first, end in spans)]
            self.opsets = few or [spans[-1][1] - 1]
        self.numpy = np.random.default_rng(self.getrandbits(60))

    def start(self):
        """Draws the opset of the next case: half of them are of the newest definition."""
        self.opset = self.opsets[-1] if self.chance(0.5) else self.choice(self.opsets)

    def _opset(self, first, end):
        """An opset of a definition; few different ones, since a model has one opset."""
        common = [opset for opset in COMMON_OPSETS if first <= opset < end]
        if common and self.chance(0.75):
            return common[-1]
        return self.randrange(first, min(end, max(first, COMMON_OPSETS[-1]) + 1))

    def chance(self, probability):
        return self.random() < probability

    def maybe(self, value, probability=0.5):
        return value if self.chance(probability) else None

    def some(self, **attributes):
        """Each attribute with the probability of a half."""
        return {k: v for k, v in attributes.items() if v is not None and self.chance(0.5)}

    def pick(self, *values):
        return self.choice(values)

    # ---- types and arrays ------------------------------------------------------

    def type(self, parameter="T", among=None, op=None):
        """An element type that the operator's definition allows for a type parameter."""
        schema = defs.get_schema(op or self.op, self.opset)
        allowed = [parameter] if parameter.startswith("tensor(") else next(
            c.allowed_type_strs for c in schema.type_constraints
            if c.type_param_str == parameter)
        found = [TYPES[text[7:-1]] for text in allowed
                 if text.startswith("tensor(") and text[7:-1] in TYPES]
        found = [t for t in found if among is None or t in among]
        return self.choices(found, [WEIGHTS[t] for t in found])[0]

    def parameter(self):
        """The first type parameter of the operator's definition."""
        return defs.get_schema(self.op, self.opset).inputs[0].type_str

    def size(self, largest=5, zero=0.03):
        if self.chance(zero):
            return 0
        return 1 if self.chance(0.15) else self.randint(1, largest)

    def shape(self, low=0, high=4, largest=5, zero=0.03):
        return tuple(self.size(largest, zero) for _ in range(self.randint(low, high)))

    def array(self, dtype, shape=None, scale=1.0, special=0.0, low=None, high=None):
        """Normal floats, small integers; `special` is the share of infinities and such."""
        shape = self.shape() if shape is None else tuple(shape)
        dtype = np.dtype(dtype)
        if dtype == BOOL:
            return self.numpy.integers(0, 2, shape).astype(bool)
        if is_float(dtype):
            if low is not None:
                return np.asarray(self.numpy.uniform(low, high, shape)).astype(dtype)
            values = np.asarray(self.numpy.normal(size=shape) * scale)
            if special:
                strange = self.numpy.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 30.0, -30.0,
                                             0.5, 2.5], size=shape)
                values = np.where(self.numpy.random(shape) < special, strange, values)
            return values.astype(dtype)
        low = (0 if dtype == U8 else -9) if low is None else low
        high = (18 if dtype == U8 else 9) if high is None else high
        return np.asarray(self.numpy.integers(low, high, shape, endpoint=True)).astype(dtype)

    def broadcastable(self, shape, drop=0.4):
        """A shape that broadcasts to `shape`."""
        shape = [1 if self.chance(0.25) else size for size in shape]
        return tuple(shape[self.randint(0, len(shape)):]) if self.chance(drop) else tuple(shape)

    def axis(self, rank, negative=True):
        return self.randrange(-rank if negative else 0, rank)

    def axes(self, rank, low=0, high=None, negative=True):
        """Some distinct axes, in any order."""
        chosen = self.sample(range(rank), self.randint(low, rank if high is None else high))
        return [a - rank if negative and self.chance(0.4) else a for a in chosen]

    # ---- cases -----------------------------------------------------------------

    def node(self, inputs, outputs=1, known=(), weights=(), decided="", **attributes):
        """A case of one node. `inputs` are arrays, or None if absent; inputs that are
        `known` have to be so at import; `weights` are constants in every other case, others
        sometimes. `outputs` is a number, or says of each whether it is there."""
        names = [None if a is None else f"x{i}" for i, a in enumerate(inputs)]
        while names and names[-1] is None:
            names.pop()
        present = [True] * outputs if isinstance(outputs, int) else outputs
        results = [f"y{i}" if there else "" for i, there in enumerate(present)]
        made = helper.make_node(self.op, [n or "" for n in names], results,
                                **{k: v for k, v in attributes.items() if v is not None})
        arrays = {f"x{i}": a for i, a in enumerate(inputs) if a is not None}
        return self.graph([made], arrays, [r for r in results if r],
                          known={f"x{i}" for i in known}, decided=decided,
                          weights={f"x{i}" for i in weights})

    def graph(self, nodes, arrays, outputs, known=(), decided="", fixed=(), weights=()):
        """A case of several nodes; sizes of `fixed` inputs are never dynamic, those of weights
        seldom."""
        arrays = {name: np.asarray(a) for name, a in arrays.items()}
        constants = {n for n in arrays if n in known and self.chance(0.97)}
        others = [n for n in arrays if n not in known]
        share = 1 if self.chance(0.06) else 0.12
        constants |= {n for n in others if self.chance(max(share, 0.5 * (n in weights)))}
        if not self.chance(0.08):
            fixed = {*fixed, *weights}
        free = [n for n in others if n not in constants]
        return Case(self.op, self.opset, nodes, arrays, outputs, constants,
                    self.symbols({n: arrays[n] for n in free if n not in fixed}, len(arrays)),
                    # Before opset 9, constants are floats.
                    self.opset >= 9 and self.chance(0.3), decided)

    def symbols(self, arrays, inputs):
        """Dynamic sizes: none, or equal sizes share a symbol, or each has its own."""
        if not arrays or self.chance(0.6):
            return {}
        shared, found = self.chance(0.75), {}
        for name, array in arrays.items():
            for axis, size in enumerate(array.shape):
                # A size of 1 beside other inputs may have to be known: it broadcasts.
                if self.chance(0.5) and (size != 1 or inputs == 1):
                    found[name, axis] = f"s{size}" if shared else f"{name}_{axis}"
        return found


def attribute_graph(nodes, name, inputs, outputs, initializers=()):
    return helper.make_graph(nodes, name, inputs, outputs, list(initializers))


def tensor_type(name, dtype, shape):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)


__all__ = [name for name in dir() if not name.startswith("_")] + ["onnx"]
