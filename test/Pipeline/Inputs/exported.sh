# One exported model: try MODEL "BINDS" MICRO-BATCH, in a folder of its own.
# usage: exported.sh FOLDER MODELS, then lines of these on standard input
cd $1
exported=$2
step() { # COMMAND...: its output, if it fails
  "$@" >log 2>&1 || { grep -a -m 1 'error\|differs' log; return 1; }
}
try() { # MODEL "BINDS" MICRO-BATCH "TENON-RUN..."
  local model=$exported/$1/model.onnx made="$1:" batch= symbol
  step tenon-import $model $2 -o model.mlir --force || return
  step tenon-opt model.mlir --graph-prove-batch -o proved.mlir || return
  made="$made cut"
  for symbol in $(grep -m 1 'func.func @main' model.mlir | grep -o '%arg[^,]*<?[^>]*dims<[a-z0-9]*' |
    sed 's/.*dims<//' | grep '[a-z]' | sort -u); do
    batch="$batch --bind $symbol=4"
  done
  step tenon-compile $model $2 $batch --train=mean-squared --optimize=off -o one.so --force || return
  step tenon-run one.so --entry train_step --repeat 1 --threads 1 --output loss=@loss.npy || return
  for ranks in 2 4; do
    step tenon-plan $model $2 --devices $ranks --mini-batch 4 --micro-batch $3 --planner=sequential \
      --batch-norm=per-micro-batch -o plan.mlir --force || return
    [ $(grep -c 'pipe.stage @' plan.mlir) -gt 1 ] || { echo "$1: one stage"; return; }
    step tenon-compile plan.mlir --train=mean-squared --stop-after=import -o ranks.mlir --force || return
    made="$made, $ranks ranks"
  done
  step tenon-compile ranks.mlir --optimize=off -o plan.so --force || return
  step tenon-run plan.so --entry train_step --repeat 1 --expect loss=@loss.npy --rtol 1e-4 || return
  echo "$made"
}
while read -r line; do
  eval "$line"
done
