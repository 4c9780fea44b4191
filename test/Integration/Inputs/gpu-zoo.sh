#!/bin/sh
# Compiles a model of the zoo at its full size for sm_80 and sm_90 at each precision.
# Prints what ptxas says of its kernels, and fails unless there are kernels and none
# spills a register.
#
# usage: gpu-zoo.sh FOLDER MODEL PRECISION...
set -e
folder=$1 model=$2
shift 2
ptxas=${CUDAToolkit_ROOT:-/usr/local/cuda}/bin/ptxas
rm -rf "$folder"
mkdir -p "$folder"
tenon-zoo "$model" -o "$folder/$model.mlir"
for precision; do
  kernels=$folder/$precision
  tenon-compile "$folder/$model.mlir" --target=cuda:sm_80,cuda:sm_90 --place=all:cuda \
    --precision="$precision" --dump-kernels="$kernels" -o "$kernels.so"
  for arch in sm_80 sm_90; do
    "$ptxas" -v -arch=$arch "$kernels/"*.$arch.ptx -o /dev/null 2>&1 |
      awk -v what="$model $precision $arch" '
        /entry function/ { kernels++ }
        /bytes spill/ { spills += $5 + $9 }
        /Used/ { if ($5 > registers) registers = $5 }
        END {
          print what ": kernels", kernels + 0, "registers", registers, "spills", spills + 0
          exit kernels == 0 || spills > 0
        }'
  done
done
rm -r "$folder"
