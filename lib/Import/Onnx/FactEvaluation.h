//===- FactEvaluation.h - evaluation of operators on facts ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of evaluateFacts. All return nullopt for cases that they do not
// support.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_FACTEVALUATION_H
#define TENON_LIB_IMPORT_ONNX_FACTEVALUATION_H

#include "Facts.h"

namespace tenon::onnx {

/// Doubles represent integers exactly up to this value.
constexpr double maxExactNumber = 9007199254740992.0;

int64_t intAttr(const FactQuery &query, llvm::StringRef name,
                int64_t otherwise);
bool hasAttr(const FactQuery &query, llvm::StringRef name);

/// Returns nullopt if the tensor would be too large to be a fact.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

std::optional<Fact> applyBinary(llvm::StringRef op, const Fact &a,
                                const Fact &b, artifact::DType dtype,
                                graph::Conditions conditions = nullptr);

std::optional<llvm::SmallVector<int64_t>>
broadcastFactShapes(llvm::ArrayRef<const FactTensor *> tensors);
std::optional<FactTensor> broadcastFact(const FactTensor &x,
                                        llvm::ArrayRef<int64_t> shape);

/// Evaluates operators that move elements: Gather, Concat, Slice, Reshape, ...
std::optional<FactTensor> evaluateStructure(const FactQuery &query);
std::optional<std::vector<FactTensor>> splitFact(const FactQuery &query);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_FACTEVALUATION_H
