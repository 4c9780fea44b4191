//===- TasoRules.h - TASO's substitution rules ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TASO (Jia et al., SOSP 2019) stores its generated graph substitutions in a
// protobuf file, graph_subst.pb. They are converted to text in the rule
// dialect, which tenon-rules proves.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_IMPORT_TASORULES_H
#define TENON_IMPORT_TASORULES_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tenon {

struct TasoImportOptions {
  /// If a target has a grouped convolution of concatenated inputs and weights,
  /// the parts get equal input channels and equal output channels.
  bool equalChannels = false;
};

/// Translates the rules in `bytes`, the contents of such a file, to a .mlir
/// file of rules @taso_0, @taso_1, ..., each after a comment with its number
/// and its statement in the file.
///
/// The file has no shapes, and its values of strides and pads are only
/// examples, so the rules are generalized. Every size of an input is a separate
/// symbol unless the ops of either side require it to equal others; strides and
/// "same" padding are symbols that the convolutions of one rule share.
/// Convolutions of the source have one group; those of the target have as many
/// as their channel counts imply. A rule of only elementwise ops has rank 1,
/// and lifts all its operands.
///
/// Supported ops: concat, ewadd, ewmul, conv2d, matmul, relu, split. Damaged,
/// unknown or inconsistent parts are reported at `loc` with the rule and the
/// op; then the import fails.
mlir::FailureOr<std::string>
importTasoRules(llvm::StringRef bytes, mlir::Location loc,
                const TasoImportOptions &options = {});

} // namespace tenon

#endif // TENON_IMPORT_TASORULES_H
