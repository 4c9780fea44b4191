"""The models of the benchmarks, by name, and the files that stand for them."""
import os

# As TASO and TENSAT ran them, and a step of gpt2 over caches of 128 positions.
ZOO = {
    "bert-base": ["--batch", 1, "--sequence", 128],
    "gpt2-decode": ["--batch", 1, "--sequence", 128],
    "inception-v3": ["--batch", 1],
    "nasnet-a": ["--batch", 1],
    "nasrnn": ["--batch", 1],
    "resnext50": ["--batch", 1],
    "squeezenet": ["--batch", 1],
    "vgg19": ["--batch", 1],
}
# The ONNX project's image models, with weights drawn for them: NAME.onnx in --onnx.
ONNX = ["squeezenet", "resnet50", "inception_v1", "bvlc_alexnet", "zfnet512", "vgg19"]
TEN = ONNX + ["bert-base", "nasnet-a", "resnext50", "gpt2-decode"]


def add_options(parser):
    parser.add_argument("--onnx", metavar="DIR",
                        help="folder of the ONNX project's models with weights, as NAME.onnx")
    parser.add_argument("--models", default=",".join(TEN),
                        help="names of the zoo or of --onnx, or .onnx files (default: %(default)s)")


def name_of(model):
    return os.path.splitext(os.path.basename(model))[0] if model.endswith(".onnx") else model


def stored(model, folder):
    """The .onnx file of a model that is not made here, or None."""
    if model in ONNX and (folder or model not in ZOO):
        if not folder:
            raise SystemExit(f"{model}: --onnx says in which folder it lies")
        model = os.path.join(folder, model + ".onnx")
    if not model.endswith(".onnx"):
        if model not in ZOO:
            raise SystemExit(f"no model {model!r}; there are {', '.join(sorted({*ZOO, *TEN}))}")
        return None
    if not os.path.exists(model):
        raise SystemExit(f"no file {model}")
    return model


def source(tools, model, folder=None):
    """What tenon-compile is given: a stored .onnx, or a .mlir that the zoo writes, whose
    weights tenon-run draws (--params random:1)."""
    path = stored(model, folder)
    if path is None:
        path = tools.path(model + ".mlir")
        tools.run("tenon-zoo", model, *ZOO[model], "-o", path)
    return path


def exported(tools, model, folder=None):
    """An .onnx with weights, which every peer reads too."""
    path = stored(model, folder)
    if path is None:
        path = tools.path(model + ".onnx")
        if not os.path.exists(path):
            graph = tools.path(model + ".mlir")
            tools.run("tenon-zoo", model, *ZOO[model], "-o", graph,
                      "--params", tools.path(model + ".safetensors"), "--seed", 1)
            tools.run("tenon-compile", graph, "--emit=onnx", "-o", path)
    return path


def inputs_of(path):
    """Inputs by name, drawn, for those graph inputs of an .onnx that are not weights."""
    import numpy as np
    import onnx

    graph = onnx.load(path, load_external_data=False).graph
    weights = {i.name for i in graph.initializer}
    rng = np.random.default_rng(1)
    feeds, positions = {}, 0
    for value in graph.input:
        if value.name in weights:
            continue
        kind = value.type.tensor_type
        shape, dynamic = [], 0
        for dim in kind.shape.dim:
            dynamic += not dim.HasField("dim_value")
            shape.append(dim.dim_value if dim.HasField("dim_value") else 1 if dynamic == 1 else 128)
        if kind.elem_type == onnx.TensorProto.INT64:
            feeds[value.name] = rng.integers(0, 2, shape, dtype=np.int64)
        else:
            feeds[value.name] = rng.standard_normal(shape).astype(np.float32)
        if value.name.endswith(".key"):
            positions = shape[2]
    if positions and "position" in feeds:
        # A decoder whose caches are full but for this step: nothing is masked away.
        feeds["position"][:] = positions - 1
    return feeds
