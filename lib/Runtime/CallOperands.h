//===- CallOperands.h - operands of library calls -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CALLOPERANDS_H
#define TENON_LIB_RUNTIME_CALLOPERANDS_H

#include "tenon/Artifact/Program.h"

#include <cstdint>
#include <vector>

namespace tenon::runtime {

/// A tensor operand of a library: its sizes, and its strides in elements.
struct CallOperand {
  tenon_dtype dtype = {};
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  bool isEmpty() const;
  bool isScalar() const;
  /// Whether no axis lies inside of one that comes after it.
  bool isRowMajor() const;
  /// Prepends axes of size 1.
  void extendTo(int64_t rank);
  /// Returns whether the axes [begin, end) are laid out in memory like one
  /// axis.
  bool isContiguous(int64_t begin, int64_t end) const;
  /// Moves axis `from` behind all others.
  void moveLast(int64_t from);
  /// Merges the axes [begin, end), which are contiguous, into one.
  void merge(int64_t begin, int64_t end);
};

/// Returns whether the elements are floats of `bits` bits (f32, f64).
bool isFloat(tenon_dtype dtype, int bits);

/// Returns the fields of a call's primitive, whose structure is T.
template <typename T> const T &getFields(const tenon_call &call) {
  return *static_cast<const T *>(call.fields);
}

/// Returns whether `postOp` reads a buffer.
bool isBinaryPostOp(int32_t postOp);

/// Returns the number of the first operand that a post-op reads.
int32_t firstPostOperand(const tenon_call &call);

/// Returns whether a product has a bias, as operand 2.
inline bool hasBias(const tenon_call &call) {
  return firstPostOperand(call) == 3;
}

/// Returns all operands of `call`, with the sizes for `symbols`.
std::vector<CallOperand> readOperands(const tenon_call &call,
                                      const int64_t *symbols);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_CALLOPERANDS_H
