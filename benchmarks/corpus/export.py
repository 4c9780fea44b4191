"""Exports the corpus: architectures of torchvision, timm and transformers, and a few
written here, with drawn weights, at their real sizes, batch 1, as PyTorch exports them.

usage: export.py --out DIR [NAME...]     (all that DIR does not have, or those named)
       export.py --list [tuned|unseen]

Run it with the Python of a virtual environment that has torch, torchvision, timm,
transformers, onnx and onnxscript. A model that is "unseen" is never looked at while
anything is tuned: neither its traces nor its kernels, only its ratio.
"""
import argparse
import os
import sys
import warnings

import models


def export(name, folder):
    import torch

    module, inputs = models.make(name)
    path = os.path.join(folder, name + ".onnx")
    with torch.no_grad():
        torch.onnx.export(module, inputs, path + ".part", dynamo=True, verbose=False,
                          external_data=False)
    os.rename(path + ".part", path)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out")
    parser.add_argument("--list", nargs="?", const="all", choices=("all", "tuned", "unseen"))
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.list:
        print("\n".join(models.names(options.list)))
        return 0
    if not options.out:
        parser.error("expected --out or --list")
    unknown = [name for name in options.names if name not in models.ALL]
    if unknown:
        parser.error("no such model: " + ", ".join(unknown))
    os.makedirs(options.out, exist_ok=True)
    failed = []
    for name in options.names or models.names("all"):
        if not options.names and os.path.exists(os.path.join(options.out, name + ".onnx")):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                path = export(name, options.out)
            print(f"{name}: {os.path.getsize(path) / 2**20:.1f} MiB", flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed.append(name)
            print(f"{name}: not exported: {type(error).__name__}: {str(error)[:300]}", flush=True)
    return 1 if failed else 0


sys.exit(main())
