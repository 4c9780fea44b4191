#!/usr/bin/env bash
# What the runtime adds to an iteration: ranks under Open MPI whose tasks wait for as long as the
# plan expects, times a factor, beside the simulated time. Links are as good as free in the
# simulation, as they are on one machine beside such tasks. A number of ranks with a u behind it is
# of unequal ones: every other has 0.8 of the speed.
#
# usage: waits.sh TOOLS [RANKS...]   (default: 8 8u 16 16u 32)
set -euo pipefail
tools=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- 8 8u 16 16u 32
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
link='{"latency_seconds": 1e-9, "bytes_per_second": 1e15}'
"$tools/tenon-zoo" mmt --small --branches 8 --layers 4 -o model.mlir
"$tools/tenon-run" --version
echo "| ranks | shortest task ms | simulated s | measured s | ratio | overhead a task us |"
echo "|---|---|---|---|---|---|"
for case in "$@"; do
  ranks=${case%u} speeds=
  [ "$ranks" = "$case" ] ||
    speeds="\"speeds\": [$(seq "$ranks" | awk '{ printf "%s%s", (NR > 1 ? ", " : ""), (NR % 2 ? 1 : 0.8) }')],"
  cat >cluster.json <<CLUSTER
{"schema_version": 1, "name": "free links", "source": "assumed", "device": "v100",
 "devices": $ranks, "devices_per_node": $ranks, "memory_bytes": 17179869184, $speeds
 "inside": $link, "between": $link}
CLUSTER
  "$tools/tenon-plan" model.mlir --devices "$ranks" --mini-batch $((2 * ranks)) --micro-batch 2 --operators 256 \
    --cluster cluster.json -o plan.mlir --json plan.json >/dev/null
  "$tools/tenon-compile" plan.mlir --train=mean-squared --optimize=off -o model.so
  # The shortest task takes 20 ms.
  scale=$(grep -o 'seconds = array<f64: [^>]*' plan.mlir | sed 's/.*: //' | tr ',' '\n' |
    awk '$1 > 0 && (!least || $1 < least) { least = $1 } END { printf "%.9g", 0.02 / least }')
  count=$(grep -o 'ranks [0-9]*' plan.mlir | head -n 1 | tr -dc 0-9)
  mpirun --oversubscribe --bind-to none -n "$count" "$tools/tenon-run" model.so --channels mpi \
    --params random:1 --entry train_step --timed-waits "$scale" --repeat 2 --json run.json \
    --trace run.trace >/dev/null
  measured=$(tr ',' '\n' <run.json | sed -n 's/.*"median": *//p' | head -n 1)
  overhead=$(grep -o '"overhead_us_per_task": [0-9.]*' run.trace | tr -dc '0-9.')
  simulated=$(sed -n 's/.*"step_seconds": *\([0-9.e-]*\).*/\1/p' plan.json)
  awk -v n="$count${case#"$ranks"}" -v s="$simulated" -v x="$scale" -v m="$measured" -v o="$overhead" 'BEGIN {
    printf "| %s | 20 | %.3f | %.3f | %.4f | %.1f |\n", n, s * x, m / 1e3, m / 1e3 / (s * x), o }'
done
