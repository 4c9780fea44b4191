#!/bin/sh
# costs.sh CPU-BOTH CPU-CONV CPU-RELU ONEDNN-CONV ONEDNN-BOTH [ENTRY...]: a file of
# costs for conv-relu.mlir, in microseconds ("-": not measured), with these plans.
set -eu
x='f32[1,16,16,32]' y='f32[1,16,16,64]'
conv="conv(0,1) dilations=[1,1] groups=[1] layout=#graph<layout channels_last> pads=[3,3,3,3] strides=[1,1] $y"
separator=
entry() {
  [ "$2" = - ] && return
  printf '%s\n{"kernel": "%s", "median": %se-6, "low": 0, "high": 1, "runs": 20}' \
    "$separator" "$1" "$2"
  separator=,
}
printf '{"schema_version": 1, "device": {"target": "t", "processor": "p", "threads": 1, "versions": {}},\n"entries": ['
both="$x, weight f32[64,32,7,7]; $conv; relu(2) $y; yield 3"
entry "cpu conv+relu: $both" "$1"
entry "cpu conv: $x, weight f32[64,32,7,7]; $conv; yield 2" "$2"
entry "cpu relu: $y; relu(0) $y; yield 1" "$3"
entry "onednn conv: $x, weight f32[64,32,7,7]; $conv; yield 2" "$4"
entry "onednn conv+relu: $both" "$5"
shift 5
printf '],\n"plans": ['
separator=
for plan; do
  printf '%s\n%s' "$separator" "$plan"
  separator=,
done
printf ']}\n'
