#!/bin/sh
# Builds a backend outside of Tenon's tree, compiles a model with it, and
# compares the artifact's results with the interpreter's.
set -eu
. "$(dirname "$0")/../tools.sh"

include=${TENON_INCLUDE:-../../include}
[ -d "$include" ] || include=$prefix/include
export TENON_BACKEND_PATH="$out"
run "$CC" -std=c11 -O2 -shared -fPIC -I "$include" scale_shift.c -o "$out/scale-shift.so"
run tenon-compile model.mlir --backend="$out/scale-shift.so" --unadmitted \
  --place=all:scale-shift --optimize=off --stop-after=place -o "$out/placed.mlir"
run grep -o 'kernel.call "[a-z-]*" "[a-z_]*"' "$out/placed.mlir"
run tenon-compile model.mlir --backend="$out/scale-shift.so" --unadmitted \
  --place=all:scale-shift --optimize=off -o "$out/model.so"
run tenon-run "$out/model.so" --input random:1:3x4 --output "@$out/y.npy"
run tenon-interpret model.mlir --input random:1:3x4 --expect "@$out/y.npy"
