//===- CostModel.h - costs of kernels -------------------------------------===//
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

/// The work of a kernel: sums over its ops.
struct Work {
  double matrixFlops = 0, vectorFlops = 0;
  double bytesRead = 0, bytesWritten = 0;
  /// Bytes of weights, which `bytesRead` does not include.
  double bytesWeights = 0;
  // Of placed kernels only:
  /// Rows of memory, each along the last axis, of the largest tensor but for
  /// weights that it reads or writes: every row has a start and an end that is
  /// not a full vector.
  double rows = 0;
  /// The part of `matrixFlops` in columns of generated code that do not fill a
  /// vector of 8; in libraries, the flops of what fills the columns up to a
  /// multiple of 16, which `matrixFlops` does not count.
  double remainderFlops = 0;
  /// The part of `matrixFlops` of generated code whose weights do not stay in a
  /// cache from one block of rows to the next.
  double streamedFlops = 0;
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
  /// Whether the cost comes from the database; otherwise from the roofline.
  bool measured = false;
  /// Whether the cost is the roofline, corrected by kernels of the same kind
  /// that were measured at other sizes.
  bool scaled = false;
  /// Whether most of the work is matrix work, for which the errors of a
  /// roofline are different.
  bool isMatrix = false;
  /// The logarithm of the factor by which the real cost may be higher or lower,
  /// if the cost was measured or scaled; see MeasuredRatio for other costs.
  double margin = 0;
  /// The terms sum to `seconds`.
  llvm::SmallVector<Term, 3> terms;
  /// "31.2 us = 25.0 compute + 6.2 launch", or "31.2 us measured".
  std::string str() const;
};

/// The values of the model's dimension symbols that a cost is computed for.
using Sizes = std::map<std::string, int64_t>;

class CostModel {
public:
  /// `database` may be null; it must outlive the model. Symbols that `sizes`
  /// does not contain have the value `defaultSize`.
  CostModel(DeviceProfile profile, const CostDatabase *database = nullptr,
            Sizes sizes = {}, int64_t defaultSize = 16);

  const DeviceProfile &getProfile() const { return profile; }
  /// Null if there are no measurements.
  const CostDatabase *getDatabase() const { return database; }
  const Sizes &getSizes() const { return sizes; }
  /// A copy of this model without its measurements.
  CostModel withoutDatabase() const {
    CostModel copy = *this;
    copy.database = nullptr;
    return copy;
  }

  // `loads` is the analysis of the op's block, or null. With null, the op's
  // operands are traced back through the graph, which is slow if many ops are
  // queried.

  /// The work of one op: it reads each operand once (a gather or a slice reads
  /// only the elements that it selects) and writes each result. Composites
  /// (softmax, attention) count as one kernel. A placed kernel has the sum of
  /// its ops' flops, but tensors inside the kernel are neither read nor
  /// written. Free ops have no work; every other op has some.
  Work getWork(mlir::Operation *op,
               const kernel::LoadAnalysis *loads = nullptr) const;
  /// The work of a matmul or convolution whose weight exists once the model is
  /// loaded, in the algorithm that is estimated to be the fastest: that of one
  /// of the profile's device's backends, or `plain`. Layouts, which are chosen
  /// later, don't count.
  Work getLeastWork(mlir::Operation *product, const Work &plain) const;
  /// Bytes of a tensor.
  double getBytes(mlir::Type type) const;
  /// Whether the op costs nothing at run time: ops that need no kernel
  /// (constant, parameter, reshape), and ops that are computed only from
  /// weights and known sizes, because they run once, at load. A broadcast of
  /// anything but weights is a kernel.
  bool isFree(mlir::Operation *op,
              const kernel::LoadAnalysis *loads = nullptr) const;

  /// The roofline: the maximum of compute and memory time, plus the launch.
  /// Zero work costs nothing.
  Cost estimate(const Work &work) const;
  /// The cost of a placed kernel: from the database if it was measured,
  /// otherwise from the roofline over its body. A kernel that runs at load
  /// costs nothing.
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
/// which operands are weights (parameters and constants, packed once). Kernels
/// with equal texts are equal. `sizes` replace dimension symbols.
std::string getKernelKey(kernel::CallOp call, const Sizes &sizes,
                         const kernel::LoadAnalysis *loads = nullptr);

/// A short name of the kernel for display: "onednn conv+relu f32[1,56,56,64]".
std::string getKernelName(kernel::CallOp call);

} // namespace tenon::cost

#endif // TENON_COST_COSTMODEL_H
