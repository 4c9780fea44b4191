//===- Difference.cpp - how one tensor differs from another --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Compare/Difference.h"
#include "tenon/Artifact/DType.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace tenon::compare;
using tenon::interpret::Cell;
using tenon::interpret::Tensor;

double Difference::getRelative() const {
  if (specials)
    return std::numeric_limits<double>::infinity();
  if (maxError == 0)
    return 0;
  return largest > 0 ? maxError / largest
                     : std::numeric_limits<double>::infinity();
}

double Difference::getOverBound() const {
  return specials ? std::numeric_limits<double>::infinity() : overBound;
}

double tenon::compare::getUnitRoundoff(artifact::DType dtype) {
  switch (dtype) {
  case artifact::DType::F64:
    return 0x1p-53;
  case artifact::DType::F32:
    return 0x1p-24;
  case artifact::DType::F16:
    return 0x1p-11;
  case artifact::DType::BF16:
    return 0x1p-8;
  default:
    return 0;
  }
}

static bool isFloat(const Tensor &tensor) {
  return isa<FloatType>(tensor.getElementType());
}

static double numberOf(const Tensor &tensor, int64_t element) {
  Cell cell = tensor.data()[element];
  return isFloat(tensor) ? cell.number : static_cast<double>(cell.integer);
}

static double findLargest(const Tensor &tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    double value = std::fabs(numberOf(tensor, i));
    if (std::isfinite(value))
      largest = std::max(largest, value);
  }
  return largest;
}

/// Returns NaN if one is a NaN or an infinity, and the other is not the same.
static double errorOf(double got, double expected) {
  if (std::isnan(got) && std::isnan(expected))
    return 0;
  if (!std::isfinite(got) || !std::isfinite(expected))
    return got == expected ? 0 : std::numeric_limits<double>::quiet_NaN();
  return std::fabs(got - expected);
}

/// `getBound` returns the allowed error of an element; `isUndecided` returns
/// whether an element cannot be judged.
static Difference
compareElements(const Tensor &got, const Tensor &expected,
                llvm::function_ref<double(int64_t)> getBound,
                llvm::function_ref<bool(int64_t)> isUndecided) {
  Difference result;
  result.elements = expected.getNumElements();
  result.largest = findLargest(expected);
  bool exact = !isFloat(expected);
  for (int64_t i = 0; i < result.elements; ++i) {
    double x = numberOf(got, i), y = numberOf(expected, i);
    double error = errorOf(x, y);
    double bound = getBound(i);
    bool differs = !(error <= bound);
    // Doubles cannot represent all integers.
    if (exact && !isFloat(got)) {
      differs = got.data()[i].integer != expected.data()[i].integer;
      if (differs && error == 0)
        error = 1;
    }
    if (differs && isUndecided(i)) {
      ++result.undecided;
      continue;
    }
    if (std::isnan(error)) {
      ++result.specials;
    } else {
      bool isLarger = result.worst < 0 || error > result.maxError;
      if (isLarger && result.specials == 0) {
        result.worst = i;
        result.worstGot = x;
        result.worstExpected = y;
      }
      result.maxError = std::max(result.maxError, error);
      if (error > 0)
        result.overBound =
            std::max(result.overBound,
                     bound > 0 ? error / bound
                               : std::numeric_limits<double>::infinity());
      if (error > 0)
        result.maxRelative =
            std::max(result.maxRelative,
                     y != 0 ? error / std::fabs(y)
                            : std::numeric_limits<double>::infinity());
    }
    if (!differs)
      continue;
    if (std::isnan(error) && result.specials == 1) {
      result.worst = i;
      result.worstGot = x;
      result.worstExpected = y;
    }
    if (result.beyond++ == 0) {
      result.first = i;
      result.firstGot = x;
      result.firstExpected = y;
    }
  }
  return result;
}

Difference tenon::compare::compareTensors(const Tensor &got,
                                          const Tensor &expected,
                                          const Allowance &allowance) {
  double bound =
      isFloat(expected)
          ? allowance.absolute + allowance.relative * findLargest(expected)
          : 0;
  Difference result = compareElements(
      got, expected, [&](int64_t) { return bound; },
      [](int64_t) { return false; });
  result.bound = bound;
  return result;
}

namespace {
/// The effect of rounding on the elements of one magnitude.
struct Rounding {
  double largest = 0, deviation = 0;
  int64_t count = 0, jumps = 0;
};
} // namespace

/// Returns the magnitude above which elements are fillers, such as the -3.4e38
/// of a mask; no other error would count beside them.
static double findFillers(const Tensor &tensor) {
  constexpr double mostRange = 1e5;
  std::vector<double> magnitudes;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    double magnitude = std::fabs(numberOf(tensor, i));
    if (std::isfinite(magnitude) && magnitude > 0)
      magnitudes.push_back(magnitude);
  }
  if (magnitudes.empty())
    return std::numeric_limits<double>::infinity();
  auto tenth = magnitudes.begin() + magnitudes.size() / 10;
  std::nth_element(magnitudes.begin(), tenth, magnitudes.end());
  return mostRange * *tenth;
}

Difference tenon::compare::compareRounded(const Tensor &got,
                                          const Tensor &expected,
                                          const Tensor &rounded, double factor,
                                          double unit) {
  // Such a large deviation is a choice that rounding has reversed (a floor, a
  // comparison), not an error that has grown.
  constexpr double mostUnits = 4096;
  // Covers the rounding of the result itself, and a few operations that are
  // exact by chance.
  constexpr double leastUnits = 8;
  int64_t count = expected.getNumElements();
  if (!isFloat(expected))
    return compareElements(
        got, expected, [](int64_t) { return 0.0; },
        [&](int64_t i) {
          return rounded.data()[i].integer != expected.data()[i].integer;
        });

  double fillers = findFillers(expected);
  Rounding classes[2];
  auto classOf = [&](int64_t i) -> Rounding & {
    return classes[std::fabs(numberOf(expected, i)) > fillers];
  };
  auto deviationOf = [&](int64_t i) {
    return errorOf(numberOf(rounded, i), numberOf(expected, i));
  };
  for (int64_t i = 0; i < count; ++i) {
    double magnitude = std::fabs(numberOf(expected, i));
    if (std::isfinite(magnitude))
      classOf(i).largest = std::max(classOf(i).largest, magnitude);
  }
  auto isJump = [&](int64_t i) {
    return !(deviationOf(i) <= mostUnits * unit * classOf(i).largest);
  };
  for (int64_t i = 0; i < count; ++i) {
    ++classOf(i).count;
    classOf(i).jumps += isJump(i);
  }
  // If jumps are common, they are the inaccuracy of the computation itself.
  auto excludes = [](const Rounding &rounding) {
    return rounding.jumps * 10 <= rounding.count;
  };
  for (int64_t i = 0; i < count; ++i)
    if (double deviation = deviationOf(i);
        std::isfinite(deviation) && !(excludes(classOf(i)) && isJump(i)))
      classOf(i).deviation = std::max(classOf(i).deviation, deviation);
  auto getBound = [&](const Rounding &rounding) {
    return factor * rounding.deviation + leastUnits * unit * rounding.largest +
           std::numeric_limits<float>::min();
  };
  Difference result = compareElements(
      got, expected, [&](int64_t i) { return getBound(classOf(i)); },
      [&](int64_t i) {
        return std::isnan(deviationOf(i)) ||
               (excludes(classOf(i)) && isJump(i));
      });
  result.bound = getBound(classes[0]);
  result.largest = classes[0].largest;
  return result;
}

FailureOr<Tensor> tenon::compare::arrange(const artifact::TensorData &data,
                                          Type elementType,
                                          ArrayRef<int64_t> shape,
                                          ArrayRef<unsigned> axes) {
  FailureOr<Tensor> tensor = Tensor::allocate(elementType, shape);
  if (failed(tensor))
    return failure();
  bool toFloat = isa<FloatType>(elementType);
  bool fromFloat = artifact::isFloat(data.dtype);
  auto read = [&](int64_t from) {
    Cell cell;
    if (toFloat)
      cell.number = data.get(from);
    else
      cell.integer = fromFloat ? static_cast<int64_t>(data.get(from))
                               : data.getInteger(from);
    return cell;
  };
  int64_t count = tensor->getNumElements();
  if (axes.empty()) {
    for (int64_t i = 0; i < count; ++i)
      tensor->data()[i] = read(i);
    return tensor;
  }
  // Compute the stride of each stored axis in the result.
  SmallVector<int64_t> strides(shape.size(), 1), index(axes.size(), 0);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  int64_t to = 0;
  for (int64_t from = 0; from < count; ++from) {
    tensor->data()[to] = read(from);
    for (size_t axis = axes.size(); axis-- > 0;) {
      to += strides[axes[axis]];
      if (++index[axis] < shape[axes[axis]])
        break;
      to -= strides[axes[axis]] * shape[axes[axis]];
      index[axis] = 0;
    }
  }
  return tensor;
}

std::vector<std::vector<unsigned>>
tenon::compare::listLayouts(ArrayRef<int64_t> stored, ArrayRef<int64_t> shape) {
  constexpr size_t mostLayouts = 8;
  std::vector<std::vector<unsigned>> layouts;
  unsigned rank = shape.size();
  bool isUnknown = stored.size() != rank;
  auto add = [&](std::vector<unsigned> axes) {
    if (!isUnknown)
      for (unsigned axis = 0; axis < rank; ++axis)
        if (stored[axis] != shape[axes[axis]])
          return;
    // The position of axes of size 1 does not matter.
    auto significant = [&](ArrayRef<unsigned> list) {
      SmallVector<unsigned> kept;
      for (unsigned axis : list)
        if (shape[axis] != 1)
          kept.push_back(axis);
      return kept;
    };
    SmallVector<unsigned> kept = significant(axes);
    if (llvm::is_sorted(kept))
      axes.clear();
    for (const std::vector<unsigned> &known : layouts)
      if (known == axes || (!known.empty() && significant(known) == kept))
        return;
    if (layouts.size() < mostLayouts)
      layouts.push_back(std::move(axes));
  };
  std::vector<unsigned> axes(rank);
  std::iota(axes.begin(), axes.end(), 0u);
  add(axes);
  if (rank >= 3) {
    // Add the conversions to and from channels last.
    std::vector<unsigned> last = axes, first = axes;
    std::rotate(last.begin() + 1, last.begin() + 2, last.end());
    std::rotate(first.begin() + 1, first.end() - 1, first.end());
    add(last);
    add(first);
  }
  if (rank >= 2 && rank <= 6)
    while (std::next_permutation(axes.begin(), axes.end()))
      add(axes);
  // If the sizes do not match, elements keep their order.
  if (layouts.empty())
    layouts.push_back({});
  return layouts;
}

std::string tenon::compare::formatIndex(int64_t element,
                                        ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = element % shape[axis];
    element /= shape[axis];
  }
  std::string text = "[";
  for (size_t axis = 0; axis < index.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(index[axis]);
  return text + "]";
}
