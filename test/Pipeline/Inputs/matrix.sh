#!/usr/bin/env bash
# The long run: small models over 2, 4 and 8 ranks under every schedule. After 20 steps, losses
# and parameters must have the same bits on threads, on processes under Open MPI and on one
# thread; losses must be within 1e-4 of those of one device (without batch norms). With --nccl, the
# ranks have CUDA devices, those of the tests' driver, and the tests' libnccl connects them.
#
# usage: matrix.sh [--nccl] [--models "M..."] [--schedules "S..."] [--micro-batch N] TOOLS [RANKS...]
# A mini-batch has four micro-batches.
set -u
all="mmt dlrm candle-uno bert-base resnet50"
channels=mpi models=$all
schedules="gpipe 1f1b kfkb zero-bubble list segments" micro=4
while :; do
  case $1 in
  --nccl) channels=nccl ;;
  --models) models=$2 && shift ;;
  --schedules) schedules=$2 && shift ;;
  --micro-batch) micro=$2 && shift ;;
  *) break ;;
  esac
  shift
done
for model in $models; do
  [[ " $all " = *" $model "* ]] || { echo "no model '$model'; there are $all" >&2 && exit 2; }
done
tools=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- 2 4 8
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

steps() { # NAME LIBRARY OPTIONS...
  local name=$1 library=$2
  shift 2
  "$tools/tenon-run" "$library" --params random:1 --entry train_step --repeat 19 "$@" \
    --output "loss=@$name.npy" --save-state "$name.state" >"$name.log" 2>&1
}
compile() { # PLAN "TRAINING"
  local device=
  if [ $channels = nccl ]; then
    device="--target=cuda:sm_80 --place=all:cuda --dump-kernels=kernels"
    export TENON_FAKE_CUDA_KERNELS=$PWD/kernels/${1%.mlir}.kernels.mlir
  fi
  "$tools/tenon-compile" "$1" --optimize=off --force $2 $device -o plan.so
}
compare() { # RANKS SCHEDULE MODEL "ZOO OPTIONS" "PLAN OPTIONS" "TRAINING"
  "$tools/tenon-zoo" "$3" --small $4 -o one.mlir &&
    "$tools/tenon-plan" one.mlir --devices "$1" --mini-batch $((4 * micro)) --micro-batch "$micro" $5 --force \
      -o plan.mlir >/dev/null &&
    "$tools/tenon-opt" plan.mlir --pipe-schedule=schedule="$2" \
      -o scheduled.mlir &&
    compile scheduled.mlir "$6" || return 1
  steps turn plan.so --ranks 1 && steps threads plan.so --channels ${channels/mpi/local} || return 1
  "${mpirun[@]}" -n "$(grep -o 'ranks [0-9]*' plan.mlir | head -n 1 | tr -dc 0-9)" \
    "$tools/tenon-run" plan.so --channels $channels --params random:1 --entry train_step --repeat 19 \
    --output loss=@processes.npy --save-state processes.state >processes.log 2>&1 || return 1
  for way in threads processes; do
    cmp turn.state $way.state && cmp turn.npy $way.npy || return 1
  done
  [ "$3" != resnet50 ] || return 0
  "$tools/tenon-compile" one.mlir --optimize=off --force --bind n=$((4 * micro)) $6 -o one.so &&
    steps one one.so --threads 1 &&
    steps again one.so --threads 1 --expect loss=@turn.npy --rtol 1e-4
}
mpirun=(mpirun --oversubscribe --bind-to none)
if [ $channels = nccl ]; then
  fixtures=$tools/../test/fixtures
  export TENON_CUDA_DRIVER=$fixtures/libtenon_emulated_cuda.so
  export TENON_NCCL=$fixtures/libtenon_fake_nccl.so TENON_FAKE_CUDA_DEVICES=64 TMPDIR=$work
fi
adam="--train=mean-squared --train-optimizer=adam"
for ranks in "$@"; do
  for schedule in $schedules; do
    while IFS='|' read -r model zoo plan training; do
      [[ " $models " = *" $model "* ]] || continue
      mkdir -p "$work/case"
      if (cd "$work/case" &&
        compare "$ranks" "$schedule" "$model" "$zoo" "$plan" "$training") </dev/null; then
        echo "$model, $ranks ranks, $schedule: the same"
      else
        echo "$model, $ranks ranks, $schedule: FAILED"
        tail -n 2 "$work"/case/*.log
        failures=$((failures + 1))
      fi
      rm -rf "$work/case"
    done <<MODELS
mmt|||$adam
dlrm|||$adam
candle-uno|||$adam
bert-base|--sequence 16||$adam --train-of=1
resnet50||--batch-norm=per-micro-batch|--train=cross-entropy
MODELS
  done
done
echo "$failures failed"
[ $failures -eq 0 ]
