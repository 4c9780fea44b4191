#!/bin/sh
# compare.sh PLUGIN MODEL.mlir FOLDER PATTERNS INPUT...: places the model on the
# plug-in, expects calls of these patterns (names between commas, in order), and
# compares what the artifact computes on one and two threads with what the
# interpreter says. Inputs are as tenon-run takes them.
set -eu
plugin=$1 model=$2 folder=$3 patterns=$4
shift 4
backend=$(basename "$plugin" .so)
backend=${backend#tenon-}
mkdir -p "$folder"
for input; do set -- "$@" --input "$input"; shift; done
compile() {
  tenon-compile "$model" --backend="$plugin" --place=all:"$backend" \
    --unadmitted --without=onednn --optimize=off "$@"
}
compile --stop-after=place -o "$folder/placed.mlir"
found=$(sed -n "s/.*kernel.call \"$backend\" \"\([a-z_]*\)\".*/\1/p" \
  "$folder/placed.mlir" | paste -s -d , -)
if [ "$found" != "$patterns" ]; then
  echo "expected calls of '$patterns', but got '$found'" >&2
  exit 1
fi
compile -o "$folder/model.so"
for threads in 1 2; do
  TENON_BACKEND_PATH=$(dirname "$plugin") tenon-run "$folder/model.so" "$@" \
    --params random:5 --threads $threads --output "@$folder/result.npy"
  tenon-interpret "$model" "$@" --params random:5 --expect "@$folder/result.npy" --rtol 1e-5
done
