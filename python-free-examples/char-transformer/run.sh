#!/bin/sh
# Trains a transformer on Tenon's documentation, and generates text with it.
set -eu
. "$(dirname "$0")/../tools.sh"

# Elsewhere than in Tenon's tree, it learns from the rules that are installed.
text=../../docs
[ -d "$text" ] || text=$prefix/share/tenon/rules
run "$CC" -std=c11 -Wall -Wextra data.c -o "$out/data"
echo "$ out/data out $text/*.m*" # the list of files is long
"$out/data" "$out" "$text"/*.m*
run tenon-compile transformer.mlir -o "$out/train.so" --train=cross-entropy \
  --train-class-axis=-1 --train-optimizer=adamw --train-learning-rate=0.01 \
  --train-clip=1 --train-schedule=cosine --train-warmup=20 --train-steps=2000
rm -f "$out/trained.safetensors"
# The first part is one step, after which the model still guesses.
for steps in 1 2000; do
  run tenon-run "$out/train.so" --params random:1 --threads 1 --train --batch 8 \
    --data "$out/tokens.raw" --data "$out/next.raw" --steps "$steps" \
    --eval-data "$out/test-tokens.raw" --eval-data "$out/test-next.raw" \
    --save-state "$out/trained.safetensors" --resume \
    --metrics "$out/train.jsonl" --curves "$out/train.html"
done
# The states have the names of the weights.
run tenon-compile transformer.mlir -o "$out/transformer.so"
run "$CC" -std=c11 -Wall -Wextra -I "$out" generate.c -L "$out" -l:transformer.so \
  "-Wl,-rpath,$out" -lm -o "$out/generate"
run "$out/generate" "$out/trained.safetensors" 300 0.5 1 'The model'
