// A placed or lowered model refuses options of phases that are behind it, and
// keeps the mode and the device that its kernels were chosen for.
// REQUIRES: slow
// RUN: rm -rf %t && mkdir %t
// RUN: tenon-compile %s --stop-after=place -o %t/placed.mlir
// RUN: tenon-compile %s --target=cpu:x86-64-v3 --stop-after=lower -o %t/lowered.mlir
// RUN: %python %S/Inputs/refuse_late.py %t/placed.mlir %t 2>&1 | FileCheck %s --check-prefixes=EACH,PLACED --implicit-check-not=error:
// RUN: %python %S/Inputs/refuse_late.py %t/lowered.mlir %t 2>&1 | FileCheck %s --check-prefixes=EACH,LOWERED --implicit-check-not=error:
// EACH: error: --optimize: expected a model that is not placed yet
// EACH: error: --rules: expected a model that is not placed yet
// EACH: error: --extraction: expected a model that is not placed yet
// EACH: error: --budget: expected a model that is not placed yet
// EACH: error: --least-gain: expected a model that is not placed yet
// EACH: error: --memory-limit: expected a model that is not placed yet
// EACH: error: --log: expected a model that is not placed yet
// EACH: error: --place: expected a model that is not placed yet
// EACH: error: --pin: expected a model that is not placed yet
// EACH: error: --without: expected a model that is not placed yet
// EACH: error: --unadmitted: expected a model that is not placed yet
// EACH: error: --fp: expected reassociate, which the kernels of this {{placed|lowered}} model were chosen for, but got strict
// PLACED: error: 'kernel.call' op is placed on the backend '{{.*}}', which has no code for GPUs
// LOWERED: error: expected a target of the program's device, cpu
// LOWERED: error: --costs: expected a model that is not lowered yet
// LOWERED: error: --profile: expected a model that is not lowered yet
// LOWERED: error: --report: expected a model that is not lowered yet
// EACH: done

// RUN: tenon-compile %t/placed.mlir --fp=reassociate --optimize=off --target=cpu:x86-64-v4 -o %t/placed.so
// RUN: tenon-compile %t/placed.mlir --profile=cpu --report=%t/placed.html -o %t/placed.so
// RUN: not tenon-compile %t/placed.mlir --profile=h100 -o %t/x.so 2>&1 | FileCheck %s --check-prefix=COSTS
// COSTS: error: --profile: expected a model that is not placed yet, or --report
// RUN: not tenon-compile %t/lowered.mlir --target=cpu:x86-64-v3,cuda:sm_80 -o %t/x.so 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: --target: expected targets of the program's device, cpu, but got cuda
// RUN: tenon-compile %t/lowered.mlir --target=cpu:x86-64-v4 --stop-after=lower -o - | FileCheck %s --check-prefix=ARCH
// ARCH: kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v4">]
// RUN: tenon-compile %t/lowered.mlir --fp=reassociate -o %t/lowered.so

// What placement has not reached yet follows its options.
// RUN: tenon-compile %S/Inputs/part.mlir --without=onednn --stop-after=place -o - | FileCheck %s --check-prefix=PART
// PART: kernel.call "onednn"
// PART: kernel.call "cpu"
// RUN: not tenon-compile %S/Inputs/part.mlir --rules=%t --stop-after=place -o - 2>&1 | FileCheck %s --check-prefix=RULES
// RUN: not tenon-compile %S/Inputs/part.mlir --pin=matmul=cpu --stop-after=place -o - 2>&1 | FileCheck %s --check-prefix=PIN
// PIN: part.mlir:4:10: error: --pin: 'matmul=cpu' names an op that is placed on onednn already
// RUN: tenon-compile %S/Inputs/part.mlir --pin=matmul=onednn --stop-after=place -o - | FileCheck %s --check-prefix=PINNED
// PINNED: kernel.call "onednn"
// PINNED: kernel.call "onednn"
// RULES: error: --rules: expected a model that is not placed yet
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = graph.matmul %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
