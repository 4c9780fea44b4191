# check.sh FOLDER: compiles each module of the folder and compares the results with
# those of the model.
set -e
for phase in import optimize place lower; do
  for form in mlir mlirbc; do
    tenon-compile "$1/$phase.$form" -o "$phase.so"
    tenon-run "$phase.so" --input random:1:5x8 --expect y=@y.npy --expect best=@best.npy
  done
done
