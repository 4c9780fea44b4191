#!/bin/sh
# Corrects a rule that is true in a part of the result alone, and applies it.
set -eu
. "$(dirname "$0")/../tools.sh"

run tenon-rules correct phases.mlir -o "$out/corrected.mlir" --instances 1500
run tenon-rules check-proof "$out/corrected.mlir"
run tenon-opt dilated.mlir --graph-apply-rules="rules=$out/corrected.mlir" -o "$out/rewritten.mlir"
for model in dilated.mlir "$out/rewritten.mlir"; do
  run tenon-compile "$model" --optimize=off -o "$out/$(basename "$model" .mlir).so"
done
run tenon-run "$out/dilated.so" --params random:1 --input random:2:1x64x96x96 --output "@$out/y.npy"
run tenon-run "$out/rewritten.so" --params random:1 --input random:2:1x64x96x96 \
  --expect "@$out/y.npy"
for name in dilated rewritten dilated rewritten; do
  echo "$name"
  tenon-run "$out/$name.so" --params random:1 --input random:2:1x64x96x96 --threads 1 --repeat 30
done >"$out/times.txt"
