# same_pipelines.sh MODEL...: what tenon-opt's named pipelines make of imported
# models of tenon-zoo is what tenon-compile writes behind each phase, and the module of each
# phase is compiled to the same artifact; for CPUs and for GPUs.
set -e
for model in "$@"; do
  for target in cpu:x86-64-v3,cpu:x86-64-v4 cuda:sm_90; do
    rm -rf "$model" && mkdir -p "$model/once" "$model/again"
    (
      cd "$model"
      tenon-zoo "$model" --small -o m.mlir
      tenon-compile m.mlir --target=$target -o once/m.so
      tenon-compile m.mlir --stop-after=import -o imported.mlirbc
      set -- --kernel-set-target=targets=$target
      for phase in import optimize place lower; do
        case $phase in
        optimize) set -- "$@" --tenon-optimize ;;
        place) set -- "$@" --tenon-place=explain ;;
        lower) set -- "$@" --tenon-lower=name=m ;;
        esac
        tenon-compile m.mlir --target=$target --stop-after=$phase -o again/m.mlirbc
        tenon-opt again/m.mlirbc -o compiled.mlir
        tenon-opt imported.mlirbc "$@" -o piped.mlir
        cmp compiled.mlir piped.mlir
        tenon-compile again/m.mlirbc -o again/m.so
        cmp once/m.so again/m.so
      done
    )
    echo "$model: the same for $target"
  done
done
