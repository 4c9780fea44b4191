//===- SiteOperands.h - operands of library calls -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_SITEOPERANDS_H
#define TENON_LIB_RUNTIME_SITEOPERANDS_H

#include "OneDnn.h"

#include "tenon/Artifact/Program.h"

#include <cstdint>
#include <vector>

namespace tenon::runtime {

/// A tensor as a library sees it: sizes, and how far apart (in elements) the
/// neighbours along each axis lie.
struct SiteOperand {
  dnnl_data_type_t type = dnnl_data_type_undef;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  bool isEmpty() const;
  /// Puts axes of size 1 in front.
  void extendTo(int64_t rank);
  /// Whether the axes [begin, end) lie in memory like one axis.
  bool isContiguous(int64_t begin, int64_t end) const;
  /// Moves axis `from` behind all others.
  void moveLast(int64_t from);
  /// Merges the axes [begin, end), which are contiguous, into one.
  void merge(int64_t begin, int64_t end);

  /// oneDNN's description; false when oneDNN refuses it.
  bool describe(const OneDnn &dnnl, dnnl_memory_desc_t &out) const;
  /// The same sizes in a layout that oneDNN may choose.
  dnnl_memory_desc_t describeAny() const;
};

/// The element type in oneDNN's terms; undefined for what it lacks.
dnnl_data_type_t oneDnnType(tenon_dtype dtype);

/// All operands of `site` with the sizes that `symbols` give.
std::vector<SiteOperand> readOperands(const tenon_site &site,
                                      const int64_t *symbols);

/// Turns the operands of a matmul (lhs, rhs, [bias], post operands, result)
/// into the ranks that oneDNN asks for. Where the weight has no batches and
/// memory allows, all batches and rows become the rows of one matrix product.
void shapeMatmul(const tenon_site &site, std::vector<SiteOperand> &operands);

/// Turns a convolution that is a matrix product (one kernel element, no pads or
/// strides, channels last) into the operands of that product. False, and
/// nothing changed, for others.
bool shapeConvAsMatmul(const tenon_site &site,
                       std::vector<SiteOperand> &operands);

/// Turns the operands of a convolution into oneDNN's: splits the groups off the
/// weight's channels.
void shapeConv(const tenon_site &site, std::vector<SiteOperand> &operands);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_SITEOPERANDS_H
