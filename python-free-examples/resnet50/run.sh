#!/bin/sh
# Writes ResNet-50, compiles it once, and runs it at two batch sizes.
set -eu
. "$(dirname "$0")/../tools.sh"

run tenon-zoo resnet50 -o "$out/resnet50.mlir"
run tenon-compile "$out/resnet50.mlir" -o "$out/resnet50.so"
run tenon-run "$out/resnet50.so" --params random:1 \
  --input random:2:1x3x224x224 --expect @expected.npy
run tenon-run "$out/resnet50.so" --params random:1 --input random:2:3x3x224x224
