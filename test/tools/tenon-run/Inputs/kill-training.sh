#!/bin/bash
# Kills RUNS runs of a training to step STEPS at random moments, finishes it, and
# compares its states and losses with a training that was not stopped.
# Usage: kill-training.sh MODEL RUNS STEPS
set -e
model=$1 runs=$2 steps=$3
options=(--params random:1 --threads 1 --train --data x.npy --data labels.npy --steps "$steps"
  --save-every 7 --resume)
train() { # NAME
  tenon-run "$model" "${options[@]}" --save-state "$1.safetensors" --metrics "$1.jsonl"
}
train whole >whole.txt
rm -f killed.*
RANDOM=1 killed=0
for ((run = 1; run <= runs; ++run)); do
  # Not by the function, which would run in a shell of its own.
  tenon-run "$model" "${options[@]}" --save-state killed.safetensors --metrics killed.jsonl \
    >killed.txt 2>&1 &
  sleep "0.$(printf %03d $((RANDOM % 120 + 5)))"
  if kill -9 $! 2>/dev/null; then killed=$((killed + 1)); fi
  wait $! 2>/dev/null || true
  if grep error: killed.txt; then exit 1; fi
done
echo "killed $killed of $runs runs"
train killed >killed.txt || { cat killed.txt; exit 1; }
cmp whole.safetensors killed.safetensors
diff <(sed 's/,"ms.*//' whole.jsonl) <(sed 's/,"ms.*//' killed.jsonl)
# What a killed run was writing is gone.
if ls killed.safetensors.* 2>/dev/null; then exit 1; fi
echo "the same states and losses as without kills"
