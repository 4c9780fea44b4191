#!/bin/bash
# Trains exported models on one batch each, and says whether the loss fell by a
# tenth or more. Usage: train-exported.sh FOLDER
set -e
folder=$1
try() { # NAME LOSS OPTIONS... -- INPUTS...
  local name=$1 loss=$2 options=()
  shift 2
  for (( ; $# > 0; )); do
    local option=$1
    shift
    [ "$option" = -- ] && break
    options+=("$option")
  done
  tenon-compile "$folder/$name/model.onnx" -o "$name.so" --optimize=off "--train=$loss" \
    --train-optimizer=adam "${options[@]}"
  tenon-run "$name.so" --threads 1 --train --steps 30 "$@" --metrics "$name.jsonl" >"$name.txt" ||
    { cat "$name.txt"; exit 1; }
  sed 's/.*"loss":\([^,]*\),.*/\1/' "$name.jsonl" | awk -v name="$name" 'NR == 1 { first = $1 }
    { last = $1 } END { print name ": the loss " (last < first * 0.9 ? "fell from " : "did not fall: ") first " " last }'
}
tokens=(--input "random:1:2x16:int(0,127)")
try gpt2 cross-entropy --train-class-axis=2 -- "${tokens[@]}" --input "target=random:2:2x16:int(0,127)"
try llama cross-entropy --train-class-axis=2 -- "${tokens[@]}" --input "target=random:2:2x16:int(0,127)"
try bert mean-squared -- "${tokens[@]}" --input "target=random:2:2x16x64"
try recommender binary-cross-entropy -- --input random:1:8x13 --input "random:1:8x4x5:int(0,9)" \
  --input "target=random:2:8x1:uniform(0,1)"
try gru mean-squared -- --input random:1:2x20x16 --input target=random:2:2x20x32
