//===- InferenceChecks.cpp - checks shared by type inference --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferenceChecks.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tenon::graph;

FailureOr<Shape> tenon::graph::checkTensor(OptionalLocation location, Type type,
                                           StringRef name) {
  if (!isa_and_nonnull<RankedTensorType>(type))
    return emitOptionalError(location, "expected ", name,
                             " to be a ranked tensor, but got ", type);
  return getShape(type);
}

LogicalResult tenon::graph::checkCount(OptionalLocation location, DimsAttr ints,
                                       size_t expected, StringRef name) {
  if (ints.size() == expected)
    return success();
  return emitOptionalError(location, "expected ", expected, " ", name,
                           ", but got ", ints.size());
}

LogicalResult tenon::graph::checkParameters(OptionalLocation location,
                                            DimsAttr ints, size_t expected,
                                            StringRef name) {
  if (failed(checkCount(location, ints, expected, name)))
    return failure();
  for (const SymInt &entry : ints.getEntries())
    if (entry.isUnknown())
      return emitOptionalError(location, "expected known ", name,
                               ", but got ?");
  return success();
}

LogicalResult tenon::graph::checkAtLeast(OptionalLocation location,
                                         DimsAttr ints, int64_t least,
                                         StringRef name) {
  for (const SymInt &entry : ints.getEntries()) {
    std::optional<int64_t> value = entry.getConstant();
    if (value && *value < least)
      return emitOptionalError(location, "expected ", name, " of at least ",
                               least, ", but got ", *value);
    if (!value)
      requireNotNegative(location, entry - SymInt(least),
                         "expected " + name + " of at least " + Twine(least) +
                             ", but got " + entry.str());
  }
  return success();
}

LogicalResult tenon::graph::checkAxis(OptionalLocation location, int64_t axis,
                                      int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  if (rank == 0)
    return emitOptionalError(location, "expected rank 1 or more for axis ",
                             axis, ", but got rank 0");
  return emitOptionalError(location, "expected an axis from 0 to ", rank - 1,
                           ", but got ", axis);
}

FailureOr<SmallVector<int64_t>>
tenon::graph::checkConstants(OptionalLocation location, DimsAttr ints,
                             StringRef name) {
  if (std::optional<SmallVector<int64_t>> constants = ints.getConstants())
    return *constants;
  return emitOptionalError(location, "expected constant ", name, ", but got ",
                           ints);
}

FailureOr<SmallVector<int64_t>>
tenon::graph::checkAxes(OptionalLocation location, DimsAttr axes, int64_t rank,
                        StringRef name) {
  FailureOr<SmallVector<int64_t>> constants =
      checkConstants(location, axes, name);
  if (failed(constants))
    return failure();
  llvm::SmallBitVector seen(rank);
  for (int64_t axis : *constants) {
    if (failed(checkAxis(location, axis, rank)))
      return failure();
    if (seen.test(axis))
      return emitOptionalError(location, "expected distinct ", name,
                               ", but got ", axis, " twice");
    seen.set(axis);
  }
  return constants;
}

LogicalResult tenon::graph::checkSameElement(OptionalLocation location, Type a,
                                             Type b, StringRef nameOfA,
                                             StringRef nameOfB) {
  Type first = getElementTypeOrSelf(a), second = getElementTypeOrSelf(b);
  if (first == second)
    return success();
  return emitOptionalError(location, "expected ", nameOfB,
                           " of the element type of ", nameOfA, ", ", first,
                           ", but got ", second);
}

FailureOr<SymInt> tenon::graph::checkEqual(OptionalLocation location,
                                           const SymInt &a, const SymInt &b,
                                           const Twine &what) {
  FailureOr<SymInt> both = unify(a, b, location);
  if (succeeded(both))
    return both;
  return emitOptionalError(location, what, ": expected ", a.str(), ", but got ",
                           b.str());
}

LogicalResult tenon::graph::checkFits(OptionalLocation location,
                                      const SymInt &size, ArrayRef<SymInt> from,
                                      const Twine &what) {
  if (!size.isUnknown() ||
      llvm::any_of(from, [](const SymInt &part) { return part.isUnknown(); }))
    return success();
  std::string parts;
  for (const SymInt &part : from)
    parts += (parts.empty() ? "" : ", ") + part.str();
  return emitOptionalError(
      location, what,
      ": expected a size below 2^63, but got one computed from ", parts);
}

SymInt tenon::graph::product(ArrayRef<SymInt> sizes) {
  SymInt result(1);
  for (const SymInt &size : sizes)
    result = result * size;
  return result;
}

LogicalResult tenon::graph::checkAddressable(OptionalLocation location,
                                             const SymInt &size, int64_t axis,
                                             ArrayRef<SymInt> indices,
                                             StringRef name) {
  std::string text =
      ("axis " + Twine(axis) + " of " + name +
       ": expected elements to gather, but got size " + size.str())
          .str();
  requireNotNegativeIfAny(location, product(indices), size - SymInt(1), text);
  bool readsNothing = llvm::any_of(
      indices, [](const SymInt &count) { return count.getConstant() == 0; });
  if (size.getConstant() != 0 || readsNothing)
    return success();
  return emitOptionalError(location, text);
}
