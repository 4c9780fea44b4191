//===- RewriteReport.h - which rewrites of a compile are proved -*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_REWRITEREPORT_H
#define TENON_PROVE_REWRITEREPORT_H

#include "mlir/IR/Location.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace tenon::prove {

/// A rewrite that is not proved.
struct OpenRewrite {
  std::string function;
  /// The op of the original function that computes what was rewritten, and
  /// where it is in the model.
  std::string op;
  mlir::Location loc;
  std::string reason;
  /// Whether the functions differ at operands that are known.
  bool isRefuted = false;
};

/// What one pass did to a module, in all of its runs.
struct PassReport {
  std::string pass;
  /// Functions that the pass ran on, those that it changed, and the changed
  /// ones whose results are computed by the same ops on equal operands: ops
  /// were merged, moved, or given to a backend, and nothing has to be proved.
  unsigned runs = 0, changed = 0, same = 0;
  /// Rewrites that are proved: with the same floating-point operations on the
  /// same values, or over the reals.
  unsigned exact = 0, reals = 0;
  /// Firings of rules that are proved, which were replayed.
  unsigned byRule = 0;
  /// Rewrites that are equal over the reals if types of 16 bits are read as
  /// f32, and that change what is rounded, which the user asked for.
  unsigned rounding = 0;
  std::vector<OpenRewrite> open;

  bool isRefuted() const;
  /// Adds what was found about one function. With `isRounding`, what is proved
  /// counts as a change of what is rounded.
  void add(const PassReport &found, bool isRounding);
};

/// The rewrites of a compile, in the order in which passes first ran.
struct RewriteReport {
  std::vector<PassReport> passes;
  /// How many different equations were proved or tried.
  unsigned distinct = 0;

  PassReport &getPass(llvm::StringRef pass);
  bool isRefuted() const;
  /// A table with a row for each pass.
  void print(llvm::raw_ostream &os) const;
  llvm::json::Value toJSON() const;
  /// Reports every open rewrite: as an error if it is refuted, otherwise as a
  /// remark.
  void emitOpen() const;
};

} // namespace tenon::prove

#endif // TENON_PROVE_REWRITEREPORT_H
