"""Writes every NAME.txt of a folder, a model in ONNX's text form, as NAME.onnx."""

import glob
import sys

import onnx
import onnx.parser

for path in sorted(glob.glob(sys.argv[1] + "/*.txt")):
    with open(path) as f:
        model = onnx.parser.parse_model(f.read())
    # Debian's parser leaves the type of lists with one kind of element unset.
    onnx.save(model, path[:-len(".txt")] + ".onnx")
