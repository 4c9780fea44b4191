#!/bin/sh
# Cuts a model into stages for four ranks, trains it on threads, and compares the
# timeline that was planned with the one that was measured.
set -eu
. "$(dirname "$0")/../tools.sh"

plan="--devices 4 --mini-batch 64 --cluster cluster.json"
inputs="--input input.0=random:1 --input input.1=random:2 --input target=random:3"
run tenon-zoo candle-uno --branches 2 --width 256 -o "$out/candle-uno.mlir"
# What is predicted depends on no machine; what is measured does, and goes to files.
run tenon-plan "$out/candle-uno.mlir" $plan --force -o "$out/plan.mlir" --report "$out/plan.html" \
  --trace "$out/predicted.json" >"$out/plan.txt"
run tenon-compile "$out/plan.mlir" -o "$out/model.so" --train=mean-squared --train-optimizer=adam
# What the ranks run is proved once more; how much memory that needs depends on the machine.
run tenon-plan --check "$out/model.so" >"$out/proof.txt"
grep -v memory "$out/proof.txt"
rm -f "$out/trained.safetensors"
run tenon-run "$out/model.so" --params random:1 --train $inputs --steps 20 \
  --save-state "$out/trained.safetensors"
run tenon-run "$out/model.so" --params random:1 --state "@$out/trained.safetensors" \
  --entry train_step $inputs --repeat 9 --trace "$out/measured.json" >"$out/measured.txt"
run tenon-plan "$out/candle-uno.mlir" $plan --measured "$out/measured.json" >"$out/compared.txt"
grep -c 'forward\|backward' "$out/compared.txt"
# The same training on one thread, and on one device.
run tenon-run "$out/model.so" --params random:1 --train $inputs --steps 20 --ranks 1 \
  --save-state "$out/alone.safetensors" >"$out/alone.txt"
run cmp "$out/trained.safetensors" "$out/alone.safetensors"
run tenon-compile "$out/candle-uno.mlir" -o "$out/one.so" --bind n=64 --train=mean-squared \
  --train-optimizer=adam
run tenon-run "$out/one.so" --params random:1 --state "@$out/trained.safetensors" --threads 1 \
  --train $inputs --steps 40
