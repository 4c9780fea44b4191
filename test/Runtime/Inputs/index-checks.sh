#!/usr/bin/env bash
# usage: index-checks.sh MODEL.mlir RIGHT WRONG...
#
# Runs a model on inputs (the flags of one call in one argument): on the CPU, by
# its GPU kernels in the emulator, and in the interpreter. RIGHT must give the
# same results everywhere, WRONG fail everywhere with the same message, which is
# printed.
set -u
model=$1 right=$2
base=${model%.mlir}
shift 2
tenon-compile "$model" -o "$base.so" || exit 1
tenon-compile "$model" --target=cuda:sm_80 --place=all:cuda --stop-after=place \
  -o "$base.placed.mlir" || exit 1
tenon-interpret "$model" $right --output "y=@$base.npy" || exit 1
tenon-run "$base.so" --threads 2 $right --expect "y=@$base.npy" | tail -1
tenon-interpret "$base.placed.mlir" --emulate $right --expect "y=@$base.npy" |
  tail -1
for wrong in "$@"; do
  fails() {
    if "$@" $wrong >"$base.out" 2>&1; then
      echo "no failure: $*"
    else
      sed -n 's/.*error: \(loc("[^"]*"): \)\?//p' "$base.out"
    fi
  }
  cpu=$(fails tenon-run "$base.so")
  gpu=$(fails tenon-interpret "$base.placed.mlir" --emulate)
  reference=$(fails tenon-interpret "$model")
  echo "error: $cpu"
  [ "$cpu" = "$gpu" ] || echo "the emulator: $gpu"
  # The interpreter does not trace indices back to an input.
  cpu=${cpu%% of input *}
  [ "${cpu%% at [*}" = "${reference%% at [*}" ] ||
    echo "the interpreter: $reference"
  [ "${cpu##*\[}" = "${reference##*\[}" ] ||
    echo "where they are used: [${reference##*\[}"
done
