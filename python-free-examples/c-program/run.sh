#!/bin/sh
# Compiles the network of ../mlp, then a C program that loads it.
set -eu
. "$(dirname "$0")/../tools.sh"

run tenon-compile ../mlp/xor.mlir -o "$out/xor.so"
run "$CC" -std=c11 -Wall -Wextra -I "$out" main.c -o "$out/main" -ldl
run "$out/main" "$out/xor.so"
