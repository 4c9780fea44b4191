"""Exports small models of common libraries from PyTorch to ONNX, to be cut into pipelines.

usage: export.py [NAME...] --out DIR
       export.py --list

Weights are random (seeded); nothing is downloaded. Axis 0 of each input and output is the
batch, which is dynamic; names that end in -seq also have a dynamic sequence. Run it with the
Python of a virtual environment that has torch, torchvision, transformers, torch_geometric,
diffusers, onnx and onnxscript.
"""

import argparse
import os
import sys
import time
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
warnings.filterwarnings("ignore")
import torch

import language
import layers
import vision
from spec import SEQ

MODELS = {
    "gpt2-legacy": lambda: language.gpt2(False),
    "gpt2-tied": lambda: language.gpt2(True),
    "bert-mask-legacy": language.bert_mask_legacy,
    "bert-mlm": language.bert_mlm,
    "llama": language.llama,
    "t5": language.t5,
    "t5-full": language.t5_full,
    "vit-b": lambda: vision.vit(True),
    "vit-b-legacy": lambda: vision.vit(False),
    "convnext": vision.convnext,
    "swin": lambda: vision.swin(True),
    "swin-legacy": lambda: vision.swin(False),
    "mha": layers.mha,
    "encoder-legacy": layers.encoder,
    "lstm": layers.lstm,
    "gru": layers.gru,
    "recommender-dlrm": lambda: layers.dlrm(False),
    "recommender-dlrm-bag": lambda: layers.dlrm(True),
    "ncf": layers.ncf,
    "two-tower": layers.two_tower,
    "unet": vision.unet,
    "unet-diffusers": vision.unet_diffusers,
    "retinanet-head": vision.retinanet,
    "fcos-head": vision.fcos,
    "gnn": layers.gnn,
    "resnet18": lambda: vision.resnet18(True, optimize=False),
    "resnet18-fused": lambda: vision.resnet18(False),
    "resnet18-train-legacy": lambda: vision.resnet18(
        True, dynamo=False, training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False
    ),
}
# Not encoder-legacy: the legacy exporter writes the sequence of the example as a constant.
SEQUENCED = [
    "gpt2-legacy",
    "gpt2-tied",
    "bert-mask-legacy",
    "bert-mlm",
    "llama",
    "t5",
    "t5-full",
    "mha",
    "lstm",
]
NAMES = list(MODELS) + [n + "-seq" for n in SEQUENCED]


def make(name):
    """The specification of a model, and whether its sequence is dynamic."""
    torch.manual_seed(20)
    dynamic = name.endswith("-seq")
    spec = MODELS[name.removesuffix("-seq")]()
    spec.module.train(spec.training)
    return spec, dynamic


def export(name, out):
    spec, dynamic = make(name)
    torch.manual_seed(21)
    inputs = spec.inputs(4, SEQ)
    axes = {
        n: {0: "batch"} | ({a: "sequence" for a in spec.sequence.get(n, [])} if dynamic else {})
        for n in inputs
    }
    path = os.path.join(out, name + ".onnx")
    common = dict(input_names=list(inputs), output_names=list(spec.outputs))
    common |= spec.options
    if spec.dynamo:
        common |= dict(dynamo=True, external_data=False, verbose=False)
        dims = {n: torch.export.Dim(n, min=1) for n in ("batch", "sequence")}
        shapes = {n: {a: dims[s] for a, s in d.items()} for n, d in axes.items()}
        try:
            torch.onnx.export(spec.module, (), path, kwargs=inputs, dynamic_shapes=shapes, **common)
        except Exception as e:
            print(
                f"{name}: named dimensions failed ({type(e).__name__}); with Dim.DYNAMIC",
                file=sys.stderr,
            )
            shapes = {n: {a: torch.export.Dim.DYNAMIC for a in d} for n, d in axes.items()}
            torch.onnx.export(spec.module, (), path, kwargs=inputs, dynamic_shapes=shapes, **common)
    else:
        axes |= {o: {0: "batch"} for o in spec.outputs}
        torch.onnx.export(
            spec.module, tuple(inputs.values()), path, dynamo=False, dynamic_axes=axes, **common
        )
    return path


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", default=".", metavar="DIR")
    parser.add_argument("--list", action="store_true", help="print the names")
    args = parser.parse_args()
    if args.list:
        print("\n".join(NAMES))
        return 0
    unknown = [n for n in args.names if n not in NAMES]
    if unknown:
        parser.error("unknown: " + ", ".join(unknown))
    os.makedirs(args.out, exist_ok=True)
    failed = 0
    for name in args.names or NAMES:
        start = time.time()
        try:
            path = export(name, args.out)
            print(f"{name}: {os.path.getsize(path)} bytes, {time.time() - start:.1f} s", flush=True)
        except Exception as e:
            failed += 1
            text = str(e).strip().splitlines() or [""]
            print(f"{name}: FAILED {type(e).__name__}: {text[0][:300]}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
