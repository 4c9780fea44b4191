#!/bin/sh
# Runs every case of a folder of ONNX cases (model.onnx, test_data_set_0/) by one
# judge: "interpret", "compile", or "emulate" (GPU kernels in the emulator). Prints a line per case and a count; fails on a
# wrong result, a crash, or more refusals than allowed.
# usage: judge-cases.sh interpret|compile|emulate FOLDER WORK ALLOWED-REFUSALS
judge=$1 folder=$2 work=$3 allowed=$4
passed=0 refused=0 wrong=0
mkdir -p "$work"
for model in "$folder"/*/model.onnx; do
  name=$(basename "$(dirname "$model")")
  data=$(dirname "$model")/test_data_set_0
  set --
  for file in "$data"/input_*.pb; do
    [ -e "$file" ] && set -- "$@" --input "@$file"
  done
  for file in "$data"/output_*.pb; do
    set -- "$@" --expect "@$file"
  done
  if [ "$judge" = compile ]; then
    tenon-compile "$model" -o "$work/$name.so" > "$work/$name.log" 2>&1
    status=$?
    if [ $status -eq 0 ]; then
      tenon-run "$work/$name.so" "$@" > "$work/$name.log" 2>&1 || status=9
    fi
  elif [ "$judge" = emulate ]; then
    tenon-compile "$model" --target=cuda:sm_80 --without=cublaslt \
      --without=cudnn --stop-after=place -o "$work/$name.mlir" \
      > "$work/$name.log" 2>&1
    status=$?
    if [ $status -eq 0 ]; then
      tenon-interpret "$work/$name.mlir" --emulate "$@" \
        > "$work/$name.log" 2>&1 || status=9
    fi
  else
    tenon-interpret "$model" "$@" > "$work/$name.log" 2>&1
    status=$?
    # A refusal says so before anything is computed.
    [ $status -eq 1 ] && grep -q "FAIL\|max error" "$work/$name.log" && status=9
  fi
  case $status in
    0) passed=$((passed + 1)); echo "passed $name" ;;
    1) refused=$((refused + 1)); echo "refused $name:"; sed 's/^/  /' "$work/$name.log" ;;
    *) wrong=$((wrong + 1)); echo "WRONG $name (status $status):"; sed 's/^/  /' "$work/$name.log" ;;
  esac
done
echo "$passed cases passed, $refused refused, $wrong wrong"
[ $wrong -eq 0 ] && [ $refused -le "$allowed" ] && [ $passed -gt 0 ]
