#!/usr/bin/env bash
# Plans from measured costs: a plan of two ranks is predicted by the roofline and by kernels
# that were measured on one device (tenon-profile, tenon-plan --costs), and run; then costs are
# scaled to its trace (tenon-plan --measured). With these, two others are predicted and run: another cut with the same
# micro-batch, as the planner chooses it, and the same cuts with micro-batches twice as large. Prints
# predictions over medians of runs, as a table in Markdown. Needs two free cores.
#
# usage: fitted.sh TOOLS [MODEL.mlir:MINI_BATCH:MICRO_BATCH...]
# The number of samples of a model is the symbol n.
set -euo pipefail
tools=$(cd "$1" && pwd)
shift
given=()
for model in "$@"; do given+=("$(readlink -f "${model%%:*}"):${model#*:}"); done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
zoo() { name=$1; shift; "$tools/tenon-zoo" "$@" -o "$name.mlir"; }
if [ ${#given[@]} -eq 0 ]; then
  zoo mmt mmt --small --width 256 --branches 4 --layers 4
  zoo candle-uno candle-uno --width 512
  zoo dlrm dlrm --width 256
  zoo mlp mlp
  zoo squeezenet squeezenet --small
  zoo resnet18 resnet18 --small
  # Last micro-batches are shorter, but with batch norms.
  given=(mmt.mlir:32:10 candle-uno.mlir:64:20 dlrm.mlir:64:20 mlp.mlir:512:160 squeezenet.mlir:32:10 resnet18.mlir:32:8)
fi
link='{"latency_seconds": 1e-5, "bytes_per_second": 5e9}'
cat >cluster.json <<CLUSTER
{"schema_version": 1, "name": "two cores", "source": "assumed", "device": "cpu", "devices": 2,
 "devices_per_node": 2, "memory_bytes": 8589934592, "inside": $link, "between": $link}
CLUSTER
# run PLAN: an iteration, in ms, and its trace.
run() {
  "$tools/tenon-compile" "$1.mlir" --train=mean-squared --optimize=off -o "$1.so"
  "$tools/tenon-run" "$1.so" --params random:1 --entry train_step --repeat 15 --trace "$1.trace" \
    --json "$1.run" >/dev/null
  tr ',' '\n' <"$1.run" | sed -n 's/.*"median": *//p' | head -n 1
}
predicted() { sed -n 's/.*: \([0-9.e+]*\) ms an iteration.*/\1/p' "$1"; }
echo "| model | samples | first plan ms | by the roofline | by kernels | other cut ms | fitted / run | other micro-batch ms | fitted / run |"
echo "|---|---|---|---|---|---|---|---|---|"
for case in "${given[@]}"; do
  IFS=: read -r model batch micro <<<"$case"
  plan() {
    "$tools/tenon-plan" "$model" --devices 2 --mini-batch "$batch" --cluster cluster.json \
      --batch-norm=per-micro-batch --force "$@"
  }
  plan --planner=sequential --micro-batch "$micro" -o first.mlir >first.txt
  rm -f costs.json
  for n in 1 16 64; do
    "$tools/tenon-profile" "$model" --bind n=$n --plans 4 --repeat 10 --resume -o costs.json >/dev/null
  done
  plan --planner=sequential --micro-batch "$micro" --costs costs.json >kernels.txt
  first=$(run first)
  plan --measured first.trace --micro-batch "$micro" -o cut.mlir >cut.txt
  plan --measured first.trace --planner=sequential --micro-batch $((2 * micro)) -o size.mlir >size.txt
  cut=$(run cut) size=$(run size)
  awk -v m="$(basename "$model" .mlir)" -v n="$batch" -v a="$first" -v r="$(predicted first.txt)" \
    -v e="$(predicted kernels.txt)" -v c="$cut" \
    -v p="$(predicted cut.txt)" -v s="$size" -v q="$(predicted size.txt)" 'BEGIN {
      printf "| %s | %d | %.4g | %.2f | %.2f | %.4g | %.2f | %.4g | %.2f |\n", m, n, a, r / a, e / a, c, p / c, s, q / s }'
done
