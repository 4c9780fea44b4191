#!/bin/sh
# placed.sh PLUGIN MODEL.mlir FOLDER PATTERN INPUT...: as ../../compare.sh,
# without the passes that change the layout of the model.
set -eu
plugin=$1 model=$2 folder=$3 pattern=$4
shift 4
mkdir -p "$folder"
for input; do set -- "$@" --input "$input"; shift; done
tenon-opt "$model" --backend="$plugin" \
  --graph-place="plan=all:openblas unadmitted" \
  -o "$folder/placed.mlir"
grep -q "kernel.call \"openblas\" \"$pattern\"" "$folder/placed.mlir"
tenon-compile "$folder/placed.mlir" --backend="$plugin" --optimize=off \
  -o "$folder/model.so"
for threads in 1 2; do
  tenon-run "$folder/model.so" "$@" --threads $threads \
    --output "@$folder/result.npy"
  tenon-interpret "$model" "$@" --expect "@$folder/result.npy" --rtol 1e-5
done
