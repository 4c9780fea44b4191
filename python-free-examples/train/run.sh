#!/bin/sh
# Generates data, compiles a train step, trains in two parts, and checks the
# result on data that training has not seen.
set -eu
. "$(dirname "$0")/../tools.sh"

run "$CC" data.c -o "$out/data" -lm
run "$out/data" 6000 1 "$out/points.raw" "$out/labels.raw"
run "$out/data" 600 2 "$out/test-points.raw" "$out/test-labels.raw"
run tenon-compile spiral.mlir -o "$out/spiral.so" --train=cross-entropy \
  --train-optimizer=adamw --train-learning-rate=0.01
rm -f "$out/trained.safetensors"
for steps in 500 1000; do
  run tenon-run "$out/spiral.so" --params random:1 --threads 1 --train --batch 64 \
    --data "$out/points.raw" --data "$out/labels.raw" --steps "$steps" \
    --eval-data "$out/test-points.raw" --eval-data "$out/test-labels.raw" \
    --save-state "$out/trained.safetensors" --resume \
    --metrics "$out/spiral.jsonl" --curves "$out/spiral.html"
done
# The states have the names of the weights.
run tenon-compile spiral.mlir -o "$out/model.so"
run tenon-run "$out/model.so" --params "@$out/trained.safetensors" --input random:1:1x2
