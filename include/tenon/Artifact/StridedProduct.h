//===- StridedProduct.h - batches of matrices with constant strides -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix libraries compute a batch of products if the matrices are one constant
// stride apart. The compiler decides, with sizes that may be symbols, which
// matmuls are one such product, and the runtime decides it again with numbers.
// The runtime accepts every product that the compiler accepted, whatever the
// values of the symbols.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_STRIDEDPRODUCT_H
#define TENON_ARTIFACT_STRIDEDPRODUCT_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tenon::artifact {

/// A tensor: its sizes, and its strides in elements.
template <typename Size> struct StridedTensor {
  std::vector<Size> sizes, strides;

  StridedTensor() = default;
  /// Creates a dense tensor; axis order[0] is outermost (null: row-major).
  StridedTensor(std::vector<Size> ofSizes, const int32_t *order)
      : sizes(std::move(ofSizes)), strides(sizes.size()) {
    Size stride(1);
    for (size_t position = sizes.size(); position-- > 0;) {
      size_t axis = order ? static_cast<size_t>(order[position]) : position;
      strides[axis] = stride;
      stride = stride * sizes[axis];
    }
  }
};

template <typename Size> struct StridedMatrix {
  Size rows, columns;
  /// The stride between rows, whose elements are contiguous; if the matrix is
  /// transposed, the stride between columns.
  Size leading;
  bool isTransposed = false;
  /// The stride between matrices of the batch; 0: there is only one matrix.
  Size batchStride;
};

template <typename Size> struct StridedProduct {
  Size batches;
  StridedMatrix<Size> lhs, rhs, result; // rows of the result are dense
};

namespace detail {
/// An axis of the result, and the strides of lhs, rhs and result along it.
template <typename Size> struct ProductAxis {
  Size size, lhs, rhs, result;
};

template <typename Size>
std::optional<StridedMatrix<Size>>
describeMatrix(Size rows, Size columns, Size rowStride, Size columnStride) {
  const Size one(1);
  if (columnStride == one || columns == one)
    return StridedMatrix<Size>{rows, columns, rows == one ? columns : rowStride,
                               false, Size(0)};
  if (rowStride == one || rows == one)
    return StridedMatrix<Size>{
        rows, columns, columns == one ? rows : columnStride, true, Size(0)};
  return std::nullopt;
}
} // namespace detail

/// Finds the product for [batch..., m, k] x [batch..., k, n] -> [batch..., m,
/// n], of equal rank, with broadcast batches. Batches become rows if the rhs is
/// the same for all of them. Returns nullopt if it is not one product of this
/// form.
template <typename Size>
std::optional<StridedProduct<Size>>
describeProduct(const StridedTensor<Size> &lhs, const StridedTensor<Size> &rhs,
                const StridedTensor<Size> &result) {
  using Axis = detail::ProductAxis<Size>;
  const Size zero(0), one(1);
  size_t rank = result.sizes.size();
  if (rank < 2 || lhs.sizes.size() != rank || rhs.sizes.size() != rank)
    return std::nullopt;
  std::vector<Axis> axes;
  for (size_t i = 0; i + 2 < rank; ++i) {
    const Size &size = result.sizes[i];
    if (size == one)
      continue;
    Axis axis{size, zero, zero, result.strides[i]};
    for (auto [operand, stride] :
         {std::pair(&lhs, &axis.lhs), std::pair(&rhs, &axis.rhs)}) {
      if (operand->sizes[i] == one)
        continue;
      if (!(operand->sizes[i] == size))
        return std::nullopt;
      *stride = operand->strides[i];
    }
    axes.push_back(axis);
  }

  Axis rows{result.sizes[rank - 2], lhs.strides[rank - 2], zero,
            result.strides[rank - 2]};
  while (!axes.empty()) {
    const Axis &outer = axes.back();
    if (!(outer.rhs == zero) || outer.lhs == zero)
      break;
    if (rows.size == one)
      rows = outer;
    else if (outer.lhs == rows.lhs * rows.size &&
             outer.result == rows.result * rows.size)
      rows.size = rows.size * outer.size;
    else
      break;
    axes.pop_back();
  }
  while (axes.size() > 1) {
    const Axis inner = axes.back();
    axes.pop_back();
    Axis &outer = axes.back();
    if (!(outer.lhs == inner.lhs * inner.size) ||
        !(outer.rhs == inner.rhs * inner.size) ||
        !(outer.result == inner.result * inner.size))
      return std::nullopt;
    outer = Axis{outer.size * inner.size, inner.lhs, inner.rhs, inner.result};
  }

  const Size &columns = result.sizes[rank - 1], &depth = lhs.sizes[rank - 1];
  auto left =
      detail::describeMatrix(rows.size, depth, rows.lhs, lhs.strides[rank - 1]);
  auto right = detail::describeMatrix(depth, columns, rhs.strides[rank - 2],
                                      rhs.strides[rank - 1]);
  auto out = detail::describeMatrix(rows.size, columns, rows.result,
                                    result.strides[rank - 1]);
  if (!left || !right || !out || out->isTransposed)
    return std::nullopt;
  StridedProduct<Size> product{one, *left, *right, *out};
  if (!axes.empty()) {
    product.batches = axes[0].size;
    product.lhs.batchStride = axes[0].lhs;
    product.rhs.batchStride = axes[0].rhs;
    product.result.batchStride = axes[0].result;
  }
  return product;
}

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_STRIDEDPRODUCT_H
