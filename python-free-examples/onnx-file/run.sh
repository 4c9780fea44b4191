#!/bin/sh
# Looks at the imported graph, compiles the ONNX file, compares the result.
set -eu
. "$(dirname "$0")/../tools.sh"

run tenon-import edges.onnx -o "$out/edges.mlir"
run grep -c 'graph\.conv' "$out/edges.mlir"
run tenon-compile edges.onnx -o "$out/edges.so"
run tenon-run "$out/edges.so" --input @square.npy --expect @edges.npy
# The same artifact at batch 3: the shape is given with the input.
run tenon-run "$out/edges.so" --input 'random:1:3x1x8x8:int(0,9)'
