#!/bin/sh
# sweep.sh [TENON_BIN]: simulated iterations of graph pipelines and of the chains
# that PipeDream's planner makes, and what contributes to the difference. Prints
# tables in Markdown. The cluster is tenon-plan's default: V100s, four in a node.
set -eu
bin=${1:-build/bin}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# plan MODEL DEVICES MINI_BATCH OPTIONS: milliseconds of an iteration.
plan() {
  model=$1 devices=$2 batch=$3
  shift 3
  "$bin/tenon-plan" "$folder/$model.mlir" --devices "$devices" \
    --mini-batch "$batch" --json "$folder/plan.json" --force "$@" \
    > "$folder/plan.txt" 2> "$folder/plan.err" || { echo none; return; }
  sed -n 's/.*: \([0-9.e+]*\) ms an iteration.*/\1/p' "$folder/plan.txt"
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (a == "none" || b == "none") print "-"; else printf "%.2f", a / b }'; }

"$bin/tenon-zoo" mmt -o "$folder/mmt.mlir"
"$bin/tenon-zoo" dlrm -o "$folder/dlrm.mlir"
"$bin/tenon-zoo" candle-uno -o "$folder/candle-uno.mlir"
"$bin/tenon-zoo" mmt --branches 1 --layers 32 -o "$folder/chain.mlir"

echo "| model | devices | samples a device | PipeDream, ms | graph, ms | ratio | parallel stages | larger micro-batches | unequal ones | k, eager | recompute |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
for model in mmt dlrm candle-uno chain; do
  for devices in 8 32; do
    for each in 8 16 32 64; do
      batch=$((devices * each))
      # Of finer and coarser operators, those with which PipeDream's is fastest.
      base=none
      for operators in 16 32 128; do
        next=$(plan $model $devices $batch --planner=pipedream --operators $operators)
        [ "$next" != none ] || continue # too many downsets
        if [ "$base" = none ] || [ "$(ratio "$next" "$base" | awk '{ print ($1 < 1) }')" = 1 ]; then
          base=$next
          size=$(sed -n 's/.*"micro_batch": \([0-9]*\).*/\1/p' "$folder/plan.json" | head -1)
        fi
      done
      no="--recompute=never --eager=never"
      stages=$(plan $model $devices $batch --most-k 1 $no --micro-batch "$size")
      larger=$(plan $model $devices $batch --most-k 1 $no --same-micro-batch)
      unequal=$(plan $model $devices $batch --most-k 1 $no)
      ks=$(plan $model $devices $batch --recompute=never)
      all=$(plan $model $devices $batch)
      echo "| $model | $devices | $each | $base | $all | $(ratio "$base" "$all") | $(ratio "$base" "$stages") | $(ratio "$base" "$larger") | $(ratio "$base" "$unequal") | $(ratio "$base" "$ks") | $(ratio "$base" "$all") |"
    done
  done
done
