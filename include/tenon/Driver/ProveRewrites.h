//===- ProveRewrites.h - proofs of passes as they run -----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_PROVEREWRITES_H
#define TENON_DRIVER_PROVEREWRITES_H

#include "tenon/Prove/RewriteProver.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace tenon {

/// Makes `prover` compare every function before and after each pass that
/// changes it. `prover` must outlive `passes`, whose context must run on one
/// thread.
void proveRewrites(mlir::PassManager &passes, prove::RewriteProver &prover);

/// Prevents a context from using threads, during its lifetime.
class SingleThread {
public:
  explicit SingleThread(mlir::MLIRContext &context)
      : context(context), wasThreaded(context.isMultithreadingEnabled()) {
    context.disableMultithreading();
  }
  ~SingleThread() { context.enableMultithreading(wasThreaded); }
  SingleThread(const SingleThread &) = delete;
  SingleThread &operator=(const SingleThread &) = delete;

private:
  mlir::MLIRContext &context;
  bool wasThreaded;
};

} // namespace tenon

#endif // TENON_DRIVER_PROVEREWRITES_H
