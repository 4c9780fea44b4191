#!/bin/sh
# Compiles a small language model with caches in states, and generates tokens.
set -eu
. "$(dirname "$0")/../tools.sh"

run tenon-zoo gpt2 --small --cache 64 --params "$out/gpt2.safetensors" --seed 2 \
  -o "$out/gpt2.mlir"
run tenon-compile "$out/gpt2.mlir" -o "$out/gpt2.so"
run "$CC" -std=c11 -Wall -Wextra -I "$out" generate.c -L "$out" -l:gpt2.so \
  "-Wl,-rpath,$out" -o "$out/generate"
run "$out/generate" 12 11 222 33
# An id beyond the table of tokens is an error, never a wrong result. So is a
# prompt that is longer than the caches.
run "$out/generate" 12 11 257 2>&1 || echo "exit status $?"
run "$out/generate" 1 $(seq 65) 2>&1 || echo "exit status $?"
