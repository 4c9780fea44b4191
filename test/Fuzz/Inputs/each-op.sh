#!/bin/bash
# Runs tenon-fuzz --each-op for every third kind of op, from kind FIRST (0 to 2) on.
#
# usage: each-op.sh FIRST FOLDER
set -e -o pipefail
count=0
for kind in $(tenon-fuzz --list | awk -v first="$1" 'NR % 3 == first'); do
  tenon-fuzz --each-op="$kind" --no-shrink -o "$2"
  count=$((count + 1))
done
echo "$count kinds"
