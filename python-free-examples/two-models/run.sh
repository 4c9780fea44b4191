#!/bin/sh
# Compiles a model twice, as an object and as a shared library, and links both
# into one C++ program.
set -eu
. "$(dirname "$0")/../tools.sh"

bin=$(dirname "$(command -v tenon-compile)")
for lib in "$bin/../lib" "$bin/../lib/x86_64-linux-gnu" "$bin/../lib64"; do
  [ ! -e "$lib/libTenonRuntime.a" ] || break
done
lib=$(cd "$lib" && pwd)
run tenon-zoo squeezenet --small --batch 1 --params "$out/weights.safetensors" \
  --seed 5 -o "$out/model.mlir"
run tenon-compile "$out/model.mlir" --symbol-prefix=precise --emit=obj \
  -o "$out/precise.o"
run tenon-compile "$out/model.mlir" --symbol-prefix=quick --precision=bf16 \
  -o "$out/quick.so"
run "$CXX" -std=c++17 -Wall -Wextra -I "$out" main.cpp "$out/precise.o" \
  -L "$lib" -lTenonRuntime -L "$out" -l:quick.so "-Wl,-rpath,$out" \
  -lgomp -lm -ldl -lpthread -o "$out/main"
run "$out/main" "$out/weights.safetensors"
