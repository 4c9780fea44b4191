#!/usr/bin/env bash
# Plans from measured costs: a plan of two ranks is run, the costs are scaled to its trace
# (tenon-plan --measured), and the plan that tenon-plan makes of these, with other stages and
# micro-batches, is run, too. Prints what an iteration was predicted to take beside the median of the
# runs, as a table in Markdown. Needs two free cores.
#
# usage: fitted.sh TOOLS [MODEL.mlir:MINI_BATCH:MICRO_BATCH...]
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
  zoo dlrm dlrm --width 512
  zoo mlp mlp
  zoo squeezenet squeezenet --small
  zoo resnet18 resnet18 --small
  given=(mmt.mlir:32:8 candle-uno.mlir:64:16 dlrm.mlir:64:16 mlp.mlir:512:128 squeezenet.mlir:32:8 resnet18.mlir:32:8)
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
echo "| model | samples | first plan ms | roofline ms | second plan ms | fitted ms | fitted / run |"
echo "|---|---|---|---|---|---|---|"
for case in "${given[@]}"; do
  IFS=: read -r model batch micro <<<"$case"
  plan() {
    "$tools/tenon-plan" "$model" --devices 2 --mini-batch "$batch" --cluster cluster.json \
      --batch-norm=per-micro-batch --force "$@"
  }
  plan --planner=sequential --micro-batch "$micro" -o first.mlir >first.txt
  first=$(run first)
  plan --measured first.trace -o second.mlir >second.txt
  second=$(run second)
  awk -v m="$(basename "$model" .mlir)" -v n="$batch" -v a="$first" -v r="$(predicted first.txt)" -v b="$second" \
    -v f="$(predicted second.txt)" 'BEGIN {
      printf "| %s | %d | %.4g | %.4g | %.4g | %.4g | %.2f |\n", m, n, a, r, b, f, f / b }'
done
