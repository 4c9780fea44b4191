#!/bin/bash
# Runs what train-errors.test lists, in the folder of its files.
folder=$(dirname "$0")
python3 "$folder/pairs.py" 500 pairs.safetensors
head -c 32 /dev/zero >two.raw
head -c 16 /dev/zero >few.raw
head -c 17 /dev/zero >odd.raw
: >empty.raw
echo "a note" >notes.txt
# 500 samples, of which number 3 has a NaN in its first element.
{ head -c 48 /dev/zero; printf '\000\000\300\177'; head -c 7948 /dev/zero; } >nan.raw
# Labels, of which number 3 is 99.
{ head -c 24 /dev/zero; printf '\143'; head -c 3975 /dev/zero; } >wrong.raw
tenon-run m.so --params random:1 --train --steps 2 --data x.npy --data labels.npy \
  --save-state good.safetensors >good.txt || cat good.txt
cp good.safetensors s.safetensors

try() {
  echo "-- $*"
  tenon-run m.so --params random:1 "$@" 2>&1 | grep error:
  echo "status ${PIPESTATUS[0]}"
}
data=(--data x.npy --data labels.npy)
try --steps 3
try --train
try --train --steps 0
try --train --steps 3 --repeat 2
try --train --steps 3 --resume
try --train --steps 3 --save-every 2
try --train --steps 3 --eval-every 2
try --train --steps 3 --shuffle on
try --train --steps 3 --data x.npy
try --train --steps 3 --data labels.npy --data x.npy
try --train --steps 3 --data y=x.npy
try --train --steps 3 --data x=x.npy --data x=x.npy
try --train --steps 3 --data x.npy --data few.raw
try --train --steps 3 --data odd.raw
try --train --steps 3 --data empty.raw
try --train --steps 3 --data x=two.raw --data few.raw
try --train --steps 3 --data x.npy --data target=x.npy
try --train --steps 3 --data absent.npy
try --train --steps 3 --data pairs.safetensors
try --train --steps 3 "${data[@]}" --batch 7
try --train --steps 3 "${data[@]}" --input x=random:1
try --train --steps 3 "${data[@]}" --metrics x.npy
try --train --steps 3 "${data[@]}" --metrics notes.txt --state @good.safetensors
try --train --steps 3 "${data[@]}" --state @pairs.safetensors
try --train --steps 1 "${data[@]}" --state @good.safetensors
same() { cmp good.safetensors s.safetensors && echo "s.safetensors is as it was"; }
try --train --steps 300 --data nan.raw --data labels.npy --save-state s.safetensors --resume
same
try --train --steps 300 --data x.npy --data wrong.raw --save-state s.safetensors --resume
same
echo "-- full disk"
(ulimit -f 0; tenon-run m.so --params random:1 --train --steps 9 "${data[@]}" \
  --save-state s.safetensors --resume 2>&1 | grep error:)
same
ls s.safetensors.* 2>/dev/null || echo "no other files"
