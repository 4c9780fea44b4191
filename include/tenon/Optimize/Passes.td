//===- Passes.td - rewriting graphs by rules ------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_OPTIMIZE_PASSES_TD
#define TENON_OPTIMIZE_PASSES_TD

include "tenon/Support/PassOptions.td"

def GraphApplyRules : Pass<"graph-apply-rules", "::mlir::func::FuncOp"> {
  let summary = "Rewrite a graph by proved rules until none applies";
  let description = [{
    Input: a function of graph ops. Output: the same function, in which the
    sources of rules are replaced by their targets. Rules are tried in the order
    of their files, on ops in the order of the function. After a rule fired, the
    search starts again. A rule fires only with a certificate of a proof: one
    that is stored beside its file and is for the same statement, or one that is
    computed when the rules are loaded. Its conditions must hold for all values
    of the model's dimension symbols.
    Each firing is appended to the function's attribute `rule.log`.
    Fails if a file of rules cannot be read or a rule is not proved, after
    `max-firings` rewrites, and if a function has more than 4096 ops and more
    than 32 times as many as at first: rules that apply to their own targets
    never end.
  }];
  let options = [
    ListOption<"rules", "rules", "std::string",
               "Files of rules, or folders of such files">,
    ListOption<"names", "names", "std::string",
               "Names of the rules to use; default: all of the files">,
    Option<"fp", "fp", "::tenon::FpMode", "::tenon::FpMode::Reassociate",
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

def GraphOptimize : Pass<"graph-optimize", "::mlir::ModuleOp"> {
  let summary = "Replace graphs by the cheapest ones that proved rules derive";
  let description = [{
    Input: a module of functions of graph ops, for devices of one kind
    (`kernel.target`). Output: the same functions, each with the cheapest body,
    according to the cost model, that the rules derive from it. A body is not
    changed if no derived body is cheaper. Rules fire that the module's
    floating-point mode allows.

    Rules are applied to an e-graph (equality saturation) until nothing changes
    or a budget is exhausted, and the cheapest graph is extracted. Budgets are
    counts: equal input, rules, costs and budgets give equal output. The best
    `candidates` are scored again as placed kernels.

    The firings are stored in the function's attribute `rule.log`, and written
    to `log` as JSON, from which tenon-rules replay derives the result again.
    Fails if a file cannot be read, or a rule is not proved.
  }];
  let options = [
    ToolPassListOption<"rules", "rules", "std::string",
                       Unit<"PATH", "a file or a folder">,
                       "Files of rules, or folders of such files (default: "
                       "Tenon's own)">,
    ListOption<"names", "names", "std::string",
               "Names of the rules to use; default: all of the files">,
    ToolPassOption<"extraction", "extraction", "::tenon::optimize::Extractor",
                   "::tenon::optimize::Extractor::Greedy", Unit<"KIND">,
                   "greedy, or ilp: exact, which may take long">,
    Option<"profile", "profile", "std::string", "\"\"",
           "What costs are of: a name (cpu, h100, ...) or a JSON file; default: "
           "the profile of the device">,
    Option<"costs", "costs", "std::string", "\"\"",
           "Database of measured costs">,
    ListOption<"sizes", "sizes", "std::string",
               "SYMBOL=N: sizes that costs are for (default 16)">,
    ToolPassOption<"newNodes", "new-nodes", "int64_t", "-1", Count,
                   "E-nodes beyond those of the model (default: six for each, "
                   "and 500, at most 20000)", "0", "10000000">,
    Option<"iterations", "iterations", "unsigned", "16",
           "Rounds of equality saturation">,
    Option<"candidates", "candidates", "unsigned", "8",
           "How many extractions are scored again">,
    ToolPassOption<"leastGain", "least-gain", "double", "2", Percent,
                   "The predicted gain from which a rewritten graph is taken; "
                   "-100: up to twice the cost, to measure it", "-100", "100">,
    ToolPassOption<"memoryLimit", "memory-limit", "uint64_t", "0", Bytes,
                   "What a result's tensors may need at once; 0: no bound",
                   "0", "UINT64_MAX">,
    Option<"log", "log", "std::string", "\"\"", "Where to write the log">
  ];
  let statistics = [
    Statistic<"numChanged", "num-changed", "Functions that were replaced">,
    Statistic<"numFired", "num-fired", "Rewrites in the results">
  ];
  let dependentDialects = ["::tenon::graph::GraphDialect",
                           "::tenon::rule::RuleDialect"];
}

#endif // TENON_OPTIMIZE_PASSES_TD
