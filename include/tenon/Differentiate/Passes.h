//===- Passes.h - differentiation -----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIFFERENTIATE_PASSES_H
#define TENON_DIFFERENTIATE_PASSES_H

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Differentiate/Training.h"
#include "tenon/Support/EnumOption.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace llvm::cl {
template <>
class parser<tenon::differentiate::Loss>
    : public tenon::EnumOptionParser<tenon::differentiate::Loss> {
public:
  using EnumOptionParser::EnumOptionParser;
};
template <>
class parser<tenon::differentiate::Optimizer>
    : public tenon::EnumOptionParser<tenon::differentiate::Optimizer> {
public:
  using EnumOptionParser::EnumOptionParser;
};
template <>
class parser<tenon::differentiate::Schedule>
    : public tenon::EnumOptionParser<tenon::differentiate::Schedule> {
public:
  using EnumOptionParser::EnumOptionParser;
};
} // namespace llvm::cl

namespace tenon::differentiate {

#define GEN_PASS_DECL
#include "tenon/Differentiate/Passes.h.inc"

/// Returns what is wrong with the options of --graph-train by themselves, with
/// the name of the option first; empty: nothing.
std::string checkTrainOptions(const GraphTrainOptions &options);

/// What the options say of the optimizer.
OptimizerOptions getOptimizerOptions(const GraphTrainOptions &options);

/// The options as the pass takes them in a pipeline, and from there; fails with
/// an error at `loc` if they are no options of the pass.
std::string printTrainOptions(const GraphTrainOptions &options);
mlir::FailureOr<GraphTrainOptions> parseTrainOptions(llvm::StringRef text,
                                                     mlir::Location loc);

#define GEN_PASS_REGISTRATION
#include "tenon/Differentiate/Passes.h.inc"

} // namespace tenon::differentiate

#endif // TENON_DIFFERENTIATE_PASSES_H
