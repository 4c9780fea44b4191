#!/bin/bash
# Sends a signal to a training that has begun, and goes on from what it saved.
# Usage: interrupt-training.sh MODEL SIGNAL
rm -f i.*
set -m # Background jobs ignore SIGINT otherwise.
tenon-run "$1" --params random:1 --threads 1 --train --data x.npy --data labels.npy \
  --steps 100000000 --save-state i.safetensors --metrics i.jsonl >i.txt 2>i.err &
for ((i = 0; i < 200; ++i)); do
  [ -s i.jsonl ] && break
  sleep 0.05
done
kill "-$2" $!
wait $!
status=$?
cat i.txt i.err
echo "status $status"
step=$(sed -n 's/saved step \([0-9]*\) .*/\1/p' i.txt)
tenon-run "$1" --train --data x.npy --data labels.npy --steps $((step + 1)) \
  --save-state i.safetensors --resume --params random:5
