//===- Passes.td - rewriting graphs by rules ------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_PASSES_TD
#define TENON_OPTIMIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def GraphApplyRules : Pass<"graph-apply-rules", "::mlir::func::FuncOp"> {
  let summary = "Rewrite a graph by proved rules until none applies";
  let description = [{
    Input: a function of graph ops. Output: the same function, in which the
    sources of rules are replaced by their targets. Rules are tried in the order
    of their files, on ops in the order of the function; after a rule fired, the
    search starts again. A rule fires only with a certificate of a proof: one
    that lies beside its file and is for the same statement, or one that is
    found when the rules are loaded. Its conditions must hold for all values of
    the model's dimension symbols.
    What fired is appended to the function's attribute `rule.log`.
    Fails when a file of rules can't be read or a rule is not proved.
  }];
  let options = [
    ListOption<"rules", "rules", "std::string",
               "Files of rules, or folders of such files">,
    ListOption<"names", "names", "std::string",
               "Names of the rules to use; default: all of the files">,
    Option<"fp", "fp", "std::string", "\"reassociate\"",
           "Which rules may fire: strict (those that are exact), reassociate "
           "(also those that regroup sums), finite (also those that are wrong "
           "for infinities and NaN)">,
    Option<"maxFirings", "max-firings", "unsigned", "100000",
           "Stop with an error after this many rewrites">
  ];
  let statistics = [
    Statistic<"numFired", "num-fired", "Rewrites">,
    Statistic<"numRefused", "num-refused",
              "Matches whose conditions were not known to hold">
  ];
  let dependentDialects = ["::tenon::graph::GraphDialect",
                           "::tenon::rule::RuleDialect"];
}

#endif // TENON_OPTIMIZE_PASSES_TD
