//===- SiteOperands.h - operands of library calls -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_SITEOPERANDS_H
#define TENON_LIB_RUNTIME_SITEOPERANDS_H

#include "OneDnn/OneDnn.h"

#include "tenon/Artifact/Program.h"

#include <cstdint>
#include <vector>

namespace tenon::runtime {

/// A tensor operand of a library: its sizes, and its strides in elements.
struct SiteOperand {
  dnnl_data_type_t type = dnnl_data_type_undef;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  bool isEmpty() const;
  /// Prepends axes of size 1.
  void extendTo(int64_t rank);
  /// Returns whether the axes [begin, end) are laid out in memory like one
  /// axis.
  bool isContiguous(int64_t begin, int64_t end) const;
  /// Moves axis `from` behind all others.
  void moveLast(int64_t from);
  /// Merges the axes [begin, end), which are contiguous, into one.
  void merge(int64_t begin, int64_t end);

  /// Writes oneDNN's description; returns false if oneDNN refuses it.
  bool describe(const OneDnn &dnnl, dnnl_memory_desc_t &out) const;
  /// Returns a description of the same sizes in a layout that oneDNN may
  /// choose.
  dnnl_memory_desc_t describeAny() const;
};

/// Returns oneDNN's element type; undefined for types that it lacks.
dnnl_data_type_t oneDnnType(tenon_dtype dtype);

/// Returns all operands of `site`, with the sizes for `symbols`.
std::vector<SiteOperand> readOperands(const tenon_site &site,
                                      const int64_t *symbols);

/// Extends the operands of a matmul (lhs, rhs, [bias], post-op operands,
/// result) to the ranks that oneDNN requires. If the weight has no batches and
/// the layout in memory allows it, all batches and rows become the rows of one
/// product.
void shapeMatmul(const tenon_site &site, std::vector<SiteOperand> &operands);

/// Turns a convolution that is a matrix product (one kernel element, no pads or
/// strides, channels last) into the operands of that product. Returns false
/// without any change for other convolutions.
bool shapeConvAsMatmul(const tenon_site &site,
                       std::vector<SiteOperand> &operands);

/// Turns the operands of a convolution into those of oneDNN: splits the groups
/// off the weight's channels.
void shapeConv(const tenon_site &site, std::vector<SiteOperand> &operands);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_SITEOPERANDS_H
