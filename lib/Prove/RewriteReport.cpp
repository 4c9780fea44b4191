//===- RewriteReport.cpp - which rewrites of a compile are proved ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Prove/RewriteReport.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tenon::prove;

bool PassReport::isRefuted() const {
  return llvm::any_of(open,
                      [](const OpenRewrite &one) { return one.isRefuted; });
}

void PassReport::add(const PassReport &found, bool isRounding) {
  if (isRounding) {
    rounding += found.exact + found.reals + found.same;
  } else {
    exact += found.exact;
    reals += found.reals;
    same += found.same;
  }
  llvm::append_range(open, found.open);
}

bool RewriteReport::isRefuted() const {
  return llvm::any_of(passes,
                      [](const PassReport &pass) { return pass.isRefuted(); });
}

PassReport &RewriteReport::getPass(llvm::StringRef pass) {
  for (PassReport &row : passes)
    if (row.pass == pass)
      return row;
  passes.emplace_back().pass = pass.str();
  return passes.back();
}

void RewriteReport::print(llvm::raw_ostream &os) const {
  auto printRow = [&](auto... columns) {
    os << llvm::formatv("{0,-30}{1,10}{2,9}{3,8}{4,8}{5,8}{6,9}{7,10}{8,10}\n",
                        columns...);
  };
  printRow("pass", "functions", "changed", "same", "exact", "reals", "by rule",
           "rounding", "unproved");
  PassReport all;
  size_t numOpen = 0;
  for (const PassReport &row : passes) {
    printRow(row.pass, row.runs, row.changed, row.same, row.exact, row.reals,
             row.byRule, row.rounding, row.open.size());
    all.changed += row.changed;
    all.same += row.same;
    all.exact += row.exact;
    all.reals += row.reals;
    all.byRule += row.byRule;
    all.rounding += row.rounding;
    numOpen += row.open.size();
  }
  printRow("all", "", all.changed, all.same, all.exact, all.reals, all.byRule,
           all.rounding, numOpen);
}

/// The name of a location in the model, or its place in a file.
static std::string getText(Location loc) {
  std::string text;
  loc->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner))
      text = named.getName().str();
    else if (auto place = dyn_cast<FileLineColLoc>(inner))
      text = llvm::formatv("{0}:{1}:{2}", place.getFilename().getValue(),
                           place.getLine(), place.getColumn());
    return text.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return text;
}

llvm::json::Value RewriteReport::toJSON() const {
  llvm::json::Array rows;
  for (const PassReport &row : passes) {
    llvm::json::Array open;
    for (const OpenRewrite &one : row.open)
      open.push_back(llvm::json::Object{{"function", one.function},
                                        {"op", one.op},
                                        {"location", getText(one.loc)},
                                        {"reason", one.reason},
                                        {"refuted", one.isRefuted}});
    rows.push_back(llvm::json::Object{{"pass", row.pass},
                                      {"functions", row.runs},
                                      {"changed", row.changed},
                                      {"same", row.same},
                                      {"exact", row.exact},
                                      {"reals", row.reals},
                                      {"by_rule", row.byRule},
                                      {"rounding", row.rounding},
                                      {"unproved", std::move(open)}});
  }
  return llvm::json::Object{{"schema_version", 1},
                            {"equations", distinct},
                            {"passes", std::move(rows)}};
}

void RewriteReport::emitOpen() const {
  for (const PassReport &row : passes)
    for (const OpenRewrite &one : row.open) {
      InFlightDiagnostic diagnostic =
          one.isRefuted ? emitError(one.loc) : emitRemark(one.loc);
      diagnostic << row.pass << ": the rewrite of '" << one.op << "' in @"
                 << one.function
                 << (one.isRefuted ? " is wrong: " : " is not proved: ")
                 << one.reason;
    }
}
