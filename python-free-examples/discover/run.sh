#!/bin/sh
# Finds rules between small graphs, proves them, and applies what pays to a model.
set -eu
. "$(dirname "$0")/../tools.sh"

run tenon-rules discover --ops matmul,add,concat,split --max-ops 3 -o "$out/found.mlir" \
  --report "$out/report.txt" >"$out/summary.txt"
sed -n 's/; enumeration.*//p' "$out/summary.txt"
run grep -A 9 'rule.rule @"matmul-matmul-add-is-add-matmul"' "$out/found.mlir"
run tenon-rules check-proof "$out/found.mlir" >"$out/proofs.txt"
tail -n 1 "$out/proofs.txt"
run tenon-rules derive rule.mlir --from "$out/found.mlir"

run tenon-zoo nasrnn --batch 1 -o "$out/nasrnn.mlir"
run tenon-rules discover --for "$out/nasrnn.mlir" --profile h100 --sets 1 --max-ops 3 \
  -o "$out/for-nasrnn.mlir" >"$out/gains.txt"
grep ' us ' "$out/gains.txt"
