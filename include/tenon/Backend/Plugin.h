//===- Plugin.h - plug-in backends ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_PLUGIN_H
#define TENON_BACKEND_PLUGIN_H

#include "tenon/Artifact/Backend.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Dialect/Graph/Analysis/Weights.h"
#include "tenon/Dialect/Rule/Match/RuleMatch.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::backend {

/// A pattern of a plug-in, ready for matching.
struct PluginPattern {
  PluginPattern() = default;
  PluginPattern(PluginPattern &&) = default;
  PluginPattern &operator=(PluginPattern &&) = default;

  /// The pattern as the plug-in wrote it; its name, and the symbols in their
  /// order.
  rule::PatternOp written;
  std::string name;
  llvm::SmallVector<std::string> symbols;
  /// The same graph, decomposed and canonicalized as models are before
  /// placement: once for every operand order of its commutative ops.
  llvm::SmallVector<rule::PatternOp> graphs;
  std::vector<rule::RulePattern> variants; // of `graphs`
};

/// The patterns of a text, with the module that owns their ops.
struct PluginPatterns {
  /// Fails with the error in the text if it is not a list of patterns.
  static llvm::Expected<PluginPatterns> parse(mlir::MLIRContext *context,
                                              llvm::StringRef text);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The patterns, those with fewer ops first.
  std::vector<PluginPattern> list;
};

/// A backend from a shared library (tenon/Artifact/Backend.h).
class PluginBackend : public Backend {
public:
  /// Opens a library. If it is not a usable plug-in, fails with the file and
  /// what was expected and found.
  static llvm::Expected<std::unique_ptr<PluginBackend>>
  load(mlir::MLIRContext *context, llvm::StringRef path);

  llvm::StringRef getName() const override { return table.name; }
  std::string getVersion() const override;
  void match(mlir::Block &block,
             llvm::SmallVectorImpl<Subgraph> &subgraphs) const override;
  mlir::FailureOr<LibraryCall>
  describe(kernel::CallOp call, const Numerics &numerics) const override;

  /// Returns why getVersion is empty, as text; may be empty.
  std::string getAbsence() const;

  /// Returns the table that the library exports.
  const tenon_backend &getTable() const { return table; }
  llvm::ArrayRef<PluginPattern> getPatterns() const { return patterns.list; }
  /// Returns the path as it was given.
  llvm::StringRef getPath() const { return path; }

private:
  PluginBackend(const tenon_backend &table, llvm::StringRef path,
                PluginPatterns patterns)
      : table(table), path(path), patterns(std::move(patterns)) {}

  /// `weights`: of the block.
  PluginCall buildCall(const PluginPattern &pattern,
                       const rule::RuleMatch &match,
                       const graph::WeightAnalysis &weights) const;
  bool mayRun(const PluginPattern &pattern, const rule::RuleMatch &match,
              const rule::MatchView &view,
              const graph::WeightAnalysis &weights) const;

  const tenon_backend &table;
  std::string path;
  PluginPatterns patterns;
};

} // namespace tenon::backend

#endif // TENON_BACKEND_PLUGIN_H
