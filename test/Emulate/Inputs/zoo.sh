#!/bin/sh
# Every model of the zoo, small, by its GPU kernels in the emulator against the
# interpreter.
#
# usage: zoo.sh f32|strict|tf32|f16|bf16 FOLDER [option of tenon-compile]...
set -e
precision=$1 folder=$2
shift 2
options=$*

# What is allowed is three times what such models were seen to have, of the
# largest value of an output.
emulate=f32
case $precision in
f32) rtol=1e-5 ;;
strict)
  rtol=1e-5 emulate=strict precision=f32
  options="$options --fp=strict"
  ;;
tf32) rtol=3e-3 emulate=tf32 ;;
f16) rtol=4e-3 ;;
bf16) rtol=4e-2 ;;
esac

# usage: compare MODEL "OPTIONS OF TENON-ZOO" "OUTPUTS" DISTRIBUTION-OF-INPUT...
compare() {
  model=$1 sizes=$2 outputs=$3
  shift 3
  path=$folder/$model seed=1 inputs= written= expected=
  for distribution; do
    seed=$((seed + 1))
    inputs="$inputs --input random:$seed:$distribution"
  done
  for output in $outputs; do
    written="$written --output $output=@$path.$output.npy"
    expected="$expected --expect $output=@$path.$output.npy"
  done
  tenon-zoo "$model" --small $sizes -o "$path.mlir"
  tenon-interpret "$path.mlir" --params random:1 $inputs $written
  tenon-compile "$path.mlir" --target=cuda:sm_80,cuda:sm_90 --profile=h100 --precision=$precision \
    $options --stop-after=place -o "$path.placed.mlir"
  echo "$model"
  tenon-interpret "$path.placed.mlir" --emulate=$emulate --params random:1 $inputs \
    $expected --rtol $rtol
}

caches='present.0.key present.0.value present.1.key present.1.value'
compare mlp '--batch 3' output normal
for model in squeezenet vgg19 resnext50 inception-v3; do
  compare $model '--batch 2' output normal
done
# Without normalization that would keep 16 bits from overflowing.
compare resnet50 '--batch 2' output 'uniform(-0.1,0.1)'
compare nasnet-a '--batch 1' output 'uniform(-0.01,0.01)'
compare nasrnn '--batch 2' output normal normal normal
compare bert-base '--batch 2 --sequence 37' 'last_hidden_state pooler_output' \
  'int(0,100)' 'int(0,2)' 'int(0,2)'
compare mmt '--batch 2' output normal normal
compare dlrm '--batch 3' output normal normal 'int(0,999)' 'int(0,999)'
compare candle-uno '--batch 3' output normal normal
compare gpt2 '--batch 2 --sequence 37' "logits $caches" 'int(0,100)'
compare gpt2-decode '--batch 2 --sequence 60' "logits $caches" 'int(0,100)' \
  'int(50,59)' normal normal normal normal
