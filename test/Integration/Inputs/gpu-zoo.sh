#!/bin/sh
# Compiles models of the zoo for sm_80 and sm_90, and has ptxas say what the kernels
# need.
#
# usage: gpu-zoo.sh FOLDER "PRECISION..." MODEL...
set -e
folder=$1 precisions=$2
shift 2
ptxas=${CUDAToolkit_ROOT:-/usr/local/cuda}/bin/ptxas
for model; do
  tenon-zoo "$model" -o "$folder/$model.mlir"
  for precision in $precisions; do
    kernels=$folder/$model.$precision
    tenon-compile "$folder/$model.mlir" --target=cuda:sm_80,cuda:sm_90 --place=all:cuda \
      --precision=$precision --dump-kernels="$kernels" -o "$kernels.so"
    for arch in sm_80 sm_90; do
      echo "$model $precision $arch"
      "$ptxas" -v -arch=$arch "$kernels/"*.$arch.ptx -o /dev/null 2>&1 |
        awk '/entry function/ { kernels++ }
          /bytes spill/ { spills += $5 + $9 }
          /Used/ { if ($5 > registers) registers = $5 }
          END { print "kernels", kernels, "registers", registers, "spills", spills }'
    done
    rm -r "$kernels" "$kernels".*
  done
done
