#!/bin/sh
# plan.sh PLACED.mlir MICROSECONDS: an entry of `plans` for a plan that was placed
# with `explain`, and took so long.
set -eu
get() { sed -n "s/.*place\.$1 = \"\([^\"]*\)\".*/\1/p" "$placed"; }
placed=$1
printf '{"graph": "%s", "plan": "%s", "kernels": "%s", "num_kernels": 1, "sum": 1e-5, "measured": %se-6}' \
  "$(get graph | head -n 1)" "$(get plan | head -n 1)" "$(get kernels | head -n 1)" "$2"
