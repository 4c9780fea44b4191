"""A graph module as a Python function: the same model for PyTorch and for JAX.

    peers.py MODEL.mlir > model.py

The module that is written has `inputs`, `outputs`, `parameters` (name: type and shape) and
`model(ops, p, *inputs)`: `ops` is torch_ops or jax_ops, which have a function for each graph
op that the zoo uses, and `p` the weights by name. Sizes that the module leaves open are
taken from the inputs. What tenon-zoo writes is read, and what tenon-import makes of an .onnx
file, as far as the ops go.

A graph module says more than an .onnx file of opset 20 does: attention is one op, which the
peers have too. What the peers have as one op and Tenon as several is joined: a bias that is
added to a matmul by a weight, or to a convolution.
"""
import re
import sys


class Unsupported(Exception):
    pass


class Op:
    def __init__(self, result, kind, text, result_type):
        self.result, self.kind, self.type = result, kind, result_type
        self.operands = re.findall(r"%\w+", text)
        self.attributes = {key: value for key, value in
                           re.findall(r"(\w+) = (\[[^\]]*\]|[^\s\[]+)", text)}
        self.words = set(re.sub(r"\w+ = (\[[^\]]*\]|\S+)", "", text).split())
        self.text = text

    def flag(self, name):
        return name in self.words

    def __getitem__(self, name):
        return self.attributes[name]


class Value:
    """The name, the element type and the sizes of an input, an output or a parameter."""

    def __init__(self, name, text):
        self.name = name
        self.dtype, self.shape = tensor_type(text)


def tensor_type(text):
    body = re.fullmatch(r"tensor<(.*)>", text.strip())
    if not body:
        raise Unsupported(f"type {text}")
    dims = re.search(r"#graph\.dims<([^>]*)>", body[1])
    *sizes, dtype = body[1].split(",")[0].strip().split("x")
    shape = [d.strip() for d in dims[1].split(",")] if dims else sizes
    return {"i1": "bool"}.get(dtype, dtype), shape


def values(text):
    """Tensors with their graph.name, of a function's arguments or results."""
    found = re.findall(r"(?:(%\w+): )?(tensor<(?:[^<>]|<[^<>]*>)*>)(?: \{([^}]*)\})?", text)
    result = []
    for variable, kind, attributes in found:
        name = re.search(r'graph\.name = "([^"]*)"', attributes)
        result.append((variable, Value(name[1] if name else "", kind)))
    return result


class Graph:
    def __init__(self, text):
        header = re.search(r"func\.func @\w+\((.*?)\) -> (.*?)(?: attributes \{.*\})? \{\n", text)
        arguments = values(header[1])
        self.variables = [variable for variable, _ in arguments]
        self.inputs = [value for _, value in arguments]
        self.outputs = [value for _, value in values(header[2])]
        self.ops, self.returns, self.parameters = [], [], {}
        for line in text[header.end():].splitlines():
            line = line.strip()
            if line.startswith("return "):
                self.returns = re.findall(r"%\w+", line.split(" : ")[0])
                break
            match = re.fullmatch(r"(%\w+) = graph\.(\w+) ?(.*?) : (.*)", line)
            if not match:
                raise Unsupported(line)
            kind = match[4].rsplit(" -> ", 1)[-1]
            # Of ops whose operands have the result's type, one type is written; of where, all.
            if " -> " not in match[4] and match[2] == "where":
                kind = re.findall(r"tensor<(?:[^<>]|<[^<>]*>)*>", match[4])[-1]
            self.add(Op(match[1], match[2], match[3], kind))

    def add(self, op):
        if op.kind == "parameter":
            name = re.match(r'@(?:"([^"]*)"|([\w.$-]+))', op.text)
            op.name = name[1] or name[2]
            self.parameters[op.name] = Value(op.name, op.type)
        self.ops.append(op)


def shape_text(text):
    """[n, 12, s, 64] as a tuple: sizes are expressions of Python already."""
    inner = text.strip()[1:-1].strip()
    return f"({inner})" if "," in inner or not inner else f"({inner},)"


class Generator:
    def __init__(self, graph):
        self.graph, self.lines = graph, []
        self.by_result = {op.result: op for op in graph.ops}
        self.uses = {}
        for op in graph.ops:
            for operand in op.operands:
                self.uses[operand] = self.uses.get(operand, 0) + 1
        for result in graph.returns:
            self.uses[result] = self.uses.get(result, 0) + 1
        self.joined = set()
        self.biases = {}
        for op in graph.ops:
            if op.kind == "add":
                self.join_bias(op)

    def source_of(self, operand, *kinds):
        """The op of one of the kinds that defines the operand and has only one user."""
        op = self.by_result.get(operand)
        return op if op and op.kind in kinds and self.uses[operand] == 1 else None

    def join_bias(self, add):
        for product, other in (add.operands, add.operands[::-1]):
            target = self.source_of(product, "matmul", "conv")
            spread = self.source_of(other, "broadcast")
            if not target or not spread:
                continue
            bias = self.by_result.get(spread.operands[0])
            passed = [target.result, spread.result]
            if target.kind == "conv":
                if not bias or bias.kind != "reshape" or target.flag("channels_last"):
                    continue
                sizes = [s.strip() for s in bias["shape"][1:-1].split(",")]
                if sizes[1:] != ["1"] * (len(tensor_type(target.type)[1]) - 2):
                    continue
                passed.append(bias.result)
                bias = self.by_result.get(bias.operands[0])
            else:
                weight = self.by_result.get(target.operands[1])
                if (not weight or weight.kind != "parameter" or target.flag("transpose_a") or
                        len(tensor_type(weight.type)[1]) != 2):
                    continue
            if not bias or bias.kind != "parameter" or len(tensor_type(bias.type)[1]) != 1:
                continue
            self.joined.update(passed)
            self.biases[add.result] = target, bias.result
            return

    def name(self, operand):
        op = self.by_result.get(operand)
        if op and op.kind == "parameter":
            return f'p["{op.name}"]'
        return "v" + operand[1:]

    def names(self, op):
        return ", ".join(self.name(operand) for operand in op.operands)

    def pool(self, op):
        if op.flag("channels_last"):
            raise Unsupported(f"{op.kind} with channels last")
        tail = f", {op.flag('ceil')}"
        if op.kind == "avg_pool":
            tail += f", {op.flag('count_include_pad')}"
        kernel, strides, pads, dilations = (
            shape_text(op[key]) for key in ("kernel", "strides", "pads", "dilations"))
        return f"{self.names(op)}, {kernel}, {strides}, {pads}, {dilations}{tail}"

    def conv(self, op, bias="None"):
        if op.flag("channels_last"):
            raise Unsupported("conv with channels last")
        strides, pads, dilations = (shape_text(op[k]) for k in ("strides", "pads", "dilations"))
        return f"{self.names(op)}, {bias}, {strides}, {pads}, {dilations}, {op['groups']}"

    def arguments(self, op):
        kind = op.kind
        if kind in ("max_pool", "avg_pool"):
            return self.pool(op)
        if kind == "conv":
            return self.conv(op)
        if kind in ("reshape", "broadcast"):
            return f"{self.names(op)}, {shape_text(op['shape'])}"
        if kind == "transpose":
            return f"{self.names(op)}, {shape_text(op['perm'])}"
        if kind == "slice":
            starts, sizes, steps = (shape_text(op[k]) for k in ("starts", "sizes", "steps"))
            return f"{self.names(op)}, {starts}, {sizes}, {steps}"
        if kind == "matmul":
            return f"{self.names(op)}, {op.flag('transpose_a')}, {op.flag('transpose_b')}"
        if kind == "attention":
            operands = self.names(op) + (", None" if len(op.operands) == 3 else "")
            return f"{operands}, {float(op['scale'])!r}, {op.flag('causal')}"
        if kind in ("layer_norm", "batch_norm"):
            return f"{self.names(op)}, {op['axis']}, {float(op['epsilon'])!r}"
        if kind.startswith("reduce_"):
            return f"{self.names(op)}, {shape_text(op['axes'])}, {op.flag('keepdims')}"
        if kind in ("concat", "softmax", "gather"):
            operands = f"[{self.names(op)}]" if kind == "concat" else self.names(op)
            return f"{operands}, {op['axis']}"
        if kind == "gelu":
            return f"{self.names(op)}, {op.flag('tanh')}"
        if kind == "cast":
            dtype = re.search(r" to (\w+)", op.text)[1]
            return f'{self.names(op)}, "{dtype}"'
        if kind == "iota":
            return f'{shape_text(op["shape"])}, {op["axis"]}, "{tensor_type(op.type)[0]}"'
        if kind == "constant":
            number = re.fullmatch(r"dense<([-+.\w]+)>", op.text.strip())
            if not number or tensor_type(op.type)[1]:
                raise Unsupported(f"constant {op.text} of type {op.type}")
            return f'{float(number[1])!r}, "{tensor_type(op.type)[0]}"'
        if kind in SIMPLE:
            return self.names(op)
        raise Unsupported(f"graph.{kind}")

    def generate(self):
        graph, lines = self.graph, []
        lines.append(f"inputs = {[(v.name, v.dtype, v.shape) for v in graph.inputs]!r}")
        lines.append(f"outputs = {[(v.name, v.dtype, v.shape) for v in graph.outputs]!r}")
        lines.append("parameters = {")
        for name, value in graph.parameters.items():
            lines.append(f'    "{name}": ("{value.dtype}", {shape_text(str(value.shape))}),'
                         .replace("'", ""))
        lines += ["}", "", ""]
        variables = [self.name(variable) for variable in graph.variables]
        lines.append(f"def model(ops, p, {', '.join(variables)}):")
        known = set()
        for variable, value in zip(variables, graph.inputs):
            for axis, size in enumerate(value.shape):
                if re.fullmatch(r"[A-Za-z_]\w*", size) and size not in known:
                    known.add(size)
                    lines.append(f"    {size} = {variable}.shape[{axis}]")
        for op in graph.ops:
            if op.kind == "parameter" or op.result in self.joined:
                continue
            target = self.name(op.result)
            if op.result in self.biases:
                product, bias = self.biases[op.result]
                if product.kind == "conv":
                    call = f"ops.conv({self.conv(product, self.name(bias))})"
                else:
                    x, w = map(self.name, product.operands)
                    call = f"ops.linear({x}, {w}, {self.name(bias)}, {product.flag('transpose_b')})"
            else:
                call = f"ops.{op.kind}({self.arguments(op)})"
            lines.append(f"    {target} = {call}")
        results = "".join(self.name(result) + ", " for result in graph.returns)
        lines.append(f"    return ({results.strip()})")
        return "\n".join(lines) + "\n"


SIMPLE = {"add", "sub", "mul", "div", "relu", "tanh", "sigmoid", "exp", "sqrt", "rsqrt", "neg",
          "where", "equal", "less", "less_equal", "embedding", "maximum", "minimum"}


def generate(text):
    return Generator(Graph(text)).generate()


if __name__ == "__main__":
    with open(sys.argv[1]) as stream:
        sys.stdout.write(generate(stream.read()))
