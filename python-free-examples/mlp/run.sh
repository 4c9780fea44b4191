#!/bin/sh
# Compiles the network and compares its result with the truth table of xor.
set -eu
. "$(dirname "$0")/../tools.sh"

run tenon-interpret xor.mlir --input @x.npy --expect @y.npy
run tenon-compile xor.mlir -o "$out/xor.so"
run tenon-run "$out/xor.so" --input @x.npy --expect @y.npy
