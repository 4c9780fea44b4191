# Pipelines on the tests' CUDA driver and libnccl. The artifact is plan.so.
#
# usage: . nccl.sh FIXTURES

export TENON_CUDA_DRIVER=$1/libtenon_emulated_cuda.so TENON_NCCL=$1/libtenon_fake_nccl.so
export TENON_FAKE_CUDA_DEVICES=8 TENON_FAKE_CUDA_KERNELS=$PWD/kernels/plan.kernels.mlir
export TMPDIR=$PWD
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

forCuda() { # OPTIONS OF TENON-COMPILE...
  tenon-compile "$@" --optimize=off --target=cuda:sm_80 --place=all:cuda --dump-kernels=kernels
}
steps() { # LOG OPTIONS OF TENON-RUN...
  tenon-run plan.so --params random:1 "${@:2}" >$1.log || { cat $1.log; exit 1; }
}
processes() { # RANKS OPTIONS OF TENON-RUN...
  mpirun --oversubscribe --bind-to none -n $1 tenon-run plan.so --params random:1 --channels nccl \
    "${@:2}" >processes.log 2>&1 </dev/null || { cat processes.log; exit 1; }
}
train() { # NAME OPTIONS...
  steps "$1" --entry train_step --repeat 2 --output loss=@$1.npy --save-state $1.state "${@:2}"
}
# Three steps of plan.mlir, and of one.mlir if that is there.
compare() { # WHAT RANKS OPTIONS OF TENON-COMPILE...
  forCuda plan.mlir "${@:3}" -o plan.so
  train turn --ranks 1
  train nccl --channels nccl
  cmp turn.npy nccl.npy
  cmp turn.state nccl.state
  local also=
  if [ -f one.mlir ]; then
    tenon-compile one.mlir --optimize=off --bind n=16 "${@:3}" -o one.so
    tenon-run one.so --params random:1 --entry train_step --repeat 2 --expect loss=@nccl.npy \
      --rtol 1e-4 >log || { cat log; exit 1; }
    also=", and as one device"
    rm one.mlir
  fi
  echo "$1: $2 ranks as one after the other$also"
}
