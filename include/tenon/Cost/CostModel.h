//===- CostModel.h - what kernels cost ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_COSTMODEL_H
#define TENON_COST_COSTMODEL_H

#include "tenon/Cost/CostDatabase.h"
#include "tenon/Cost/DeviceProfile.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/Operation.h"

#include <map>
#include <string>

namespace tenon::kernel {
class LoadAnalysis;
} // namespace tenon::kernel

namespace tenon::cost {

/// What a kernel does: sums over its ops.
struct Work {
  double matrixFlops = 0, vectorFlops = 0;
  double bytesRead = 0, bytesWritten = 0;
  /// Of weights: not among `bytesRead`.
  double bytesWeights = 0;
  /// The narrowest element type of its matrix work, in bits.
  unsigned bits = 32;
};

/// One summand of a cost, with its name ("compute", "memory", "launch").
struct Term {
  std::string name;
  double seconds = 0;
};

struct Cost {
  double seconds = 0;
  /// From the database; else from the roofline.
  bool measured = false;
  /// From the roofline, corrected by kernels of the same kind at other sizes.
  bool scaled = false;
  /// Whether most of it is matrix work, which rooflines get wrong in other ways
  /// than the rest.
  bool isMatrix = false;
  /// The logarithm of the factor by which the real cost may lie above or below,
  /// if it was measured or scaled; see MeasuredRatio for others.
  double margin = 0;
  /// They sum to `seconds`.
  llvm::SmallVector<Term, 3> terms;
  /// "31.2 us = 25.0 compute + 6.2 launch", or "31.2 us measured".
  std::string str() const;
};

/// Sizes that a cost is for: the values of the model's dimension symbols.
using Sizes = std::map<std::string, int64_t>;

class CostModel {
public:
  /// `database` may be null; it outlives the model. Symbols that `sizes` does
  /// not name count as `defaultSize`.
  CostModel(DeviceProfile profile, const CostDatabase *database = nullptr,
            Sizes sizes = {}, int64_t defaultSize = 16);

  const DeviceProfile &getProfile() const { return profile; }
  /// Null: nothing was measured.
  const CostDatabase *getDatabase() const { return database; }
  const Sizes &getSizes() const { return sizes; }
  /// The same, as if nothing had been measured.
  CostModel withoutDatabase() const {
    CostModel copy = *this;
    copy.database = nullptr;
    return copy;
  }

  // `loads` is of the op's block, or null: then what the op reads is followed
  // back through the graph, which takes long if many ops are asked for.

  /// An op by itself: reads each operand once (of what a gather or a slice
  /// picks from, only what it picks), writes each result. Composites (softmax,
  /// attention) count as one kernel; of a placed kernel the flops of its ops
  /// are added up, but what stays inside is neither read nor written. Free ops
  /// are no work; every other op is some.
  Work getWork(mlir::Operation *op,
               const kernel::LoadAnalysis *loads = nullptr) const;
  /// Bytes of a tensor.
  double getBytes(mlir::Type type) const;
  /// Whether the op costs nothing at run time: what needs no kernel (constant,
  /// parameter, reshape), and what is computed from only weights and sizes that
  /// are known, because it runs once, at load. Under `Semantics::Isolated` also
  /// slice and split, which TASO's cost model counts as views. A broadcast of
  /// anything but weights is a kernel.
  bool isFree(mlir::Operation *op,
              const kernel::LoadAnalysis *loads = nullptr) const;

  /// The roofline: max of compute and memory, and the launch. No work costs
  /// nothing.
  Cost estimate(const Work &work) const;
  /// A placed kernel: from the database, where it has been measured; else from
  /// the roofline over its body. One that runs at load costs nothing.
  Cost estimate(kernel::CallOp call,
                const kernel::LoadAnalysis *loads = nullptr) const;
  /// The same, but never from the database.
  Cost estimateRoofline(kernel::CallOp call,
                        const kernel::LoadAnalysis *loads = nullptr) const;

private:
  DeviceProfile profile;
  const CostDatabase *database;
  Sizes sizes;
  int64_t defaultSize;
};

/// The kernel as text: backend, pattern, types and attributes of its body, and
/// which operands are weights (parameters and constants, packed once). Equal
/// texts are equal kernels; `sizes` replace dimension symbols.
std::string getKernelKey(kernel::CallOp call, const Sizes &sizes,
                         const kernel::LoadAnalysis *loads = nullptr);

/// The same for people: "onednn conv+relu f32[1,56,56,64]".
std::string getKernelName(kernel::CallOp call);

} // namespace tenon::cost

#endif // TENON_COST_COSTMODEL_H
