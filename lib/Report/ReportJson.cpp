//===- ReportJson.cpp - a report as JSON ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Report/OptimizeReport.h"

#include <algorithm>
#include <cmath>

using namespace tenon::report;
namespace json = llvm::json;

/// Names come from models and may be invalid UTF-8, which JSON does not allow.
static json::Value text(llvm::StringRef value) { return json::fixUTF8(value); }

static json::Value number(double value) {
  // JSON has no infinity.
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

static json::Array texts(llvm::ArrayRef<std::string> values) {
  json::Array array;
  for (const std::string &value : values)
    array.push_back(text(value));
  return array;
}

static json::Value toJson(const GraphNode &node) {
  json::Array inputs;
  for (unsigned input : node.inputs)
    inputs.push_back(input);
  return json::Object{
      {"label", text(node.label)},
      {"detail", text(node.detail)},
      {"type", text(node.type)},
      {"kernel", node.kernel < 0 ? json::Value(nullptr) : node.kernel},
      {"rule", node.rule.empty() ? json::Value(nullptr) : text(node.rule)},
      {"inputs", std::move(inputs)}};
}

static json::Value toJson(const Kernel &kernel) {
  json::Array terms;
  for (const CostTerm &term : kernel.terms)
    terms.push_back(json::Object{{"name", text(term.name)},
                                 {"seconds", number(term.seconds)}});
  return json::Object{{"name", text(kernel.name)},
                      {"detail", text(kernel.detail)},
                      {"seconds", number(kernel.seconds)},
                      {"measured", kernel.measured},
                      {"terms", std::move(terms)}};
}

static json::Value toJson(const Side &side) {
  json::Array nodes, kernels, memory;
  for (const GraphNode &node : side.nodes)
    nodes.push_back(toJson(node));
  for (const Kernel &kernel : side.kernels)
    kernels.push_back(toJson(kernel));
  for (uint64_t bytes : side.memory)
    memory.push_back(bytes);
  uint64_t peak = 0;
  for (uint64_t bytes : side.memory)
    peak = std::max(peak, bytes);
  return json::Object{{"nodes", std::move(nodes)},
                      {"kernels", std::move(kernels)},
                      {"memory_bytes", std::move(memory)},
                      {"peak_bytes", side.memory.empty() ? json::Value(nullptr)
                                                         : json::Value(peak)},
                      {"seconds", number(side.seconds)}};
}

static json::Value toJson(const FiredRule &rule) {
  return json::Object{{"name", text(rule.name)},
                      {"count", rule.count},
                      {"statement", text(rule.statement)},
                      {"float", text(rule.floatClass)},
                      {"status", text(rule.status)},
                      {"solver", text(rule.solver)},
                      {"conditions", texts(rule.conditions)}};
}

static json::Value optionalNumber(std::optional<double> value) {
  return value ? number(*value) : json::Value(nullptr);
}

static json::Value optionalText(llvm::StringRef value) {
  return value.empty() ? json::Value(nullptr) : text(value);
}

static json::Value toJson(const PlacedKernel &kernel) {
  return json::Object{{"backend", text(kernel.backend)},
                      {"pattern", text(kernel.pattern)},
                      {"detail", text(kernel.detail)},
                      {"from", text(kernel.origin)},
                      {"seconds", number(kernel.seconds)},
                      {"basis", text(kernel.basis)},
                      {"instead", optionalText(kernel.instead)},
                      {"extra_seconds", optionalNumber(kernel.extraSeconds)}};
}

static json::Value toJson(const Placement &placement) {
  json::Array plans, kernels, missing;
  for (const PlacedPlan &plan : placement.plans)
    plans.push_back(
        json::Object{{"plan", text(plan.name)},
                     {"seconds", number(plan.seconds)},
                     {"run_seconds", optionalNumber(plan.runSeconds)}});
  for (const PlacedKernel &kernel : placement.kernels)
    kernels.push_back(toJson(kernel));
  for (const MissingKernel &kernel : placement.missing)
    missing.push_back(json::Object{{"name", text(kernel.name)},
                                   {"kernel", text(kernel.text)},
                                   {"count", kernel.count}});
  return json::Object{{"plan", text(placement.plan)},
                      {"reason", text(placement.reason)},
                      {"optimal", placement.isOptimal},
                      {"seconds", number(placement.seconds)},
                      {"predicted_run_seconds", number(placement.runSeconds)},
                      {"learned_from", placement.learnedFrom},
                      {"plans", std::move(plans)},
                      {"kernels", std::move(kernels)},
                      {"missing", std::move(missing)}};
}

json::Value tenon::report::toJson(const OptimizeReport &report) {
  json::Array rules, facts;
  for (const FiredRule &rule : report.rules)
    rules.push_back(::toJson(rule));
  for (const Fact &fact : report.facts)
    facts.push_back(
        json::Object{{"name", text(fact.name)}, {"value", text(fact.value)}});
  return json::Object{{"schema_version", 1},
                      {"model", text(report.model)},
                      {"costs", text(report.costs)},
                      {"before", ::toJson(report.before)},
                      {"after", ::toJson(report.after)},
                      {"rules", std::move(rules)},
                      {"facts", std::move(facts)},
                      {"notes", texts(report.notes)},
                      {"placement", report.placement
                                        ? ::toJson(*report.placement)
                                        : json::Value(nullptr)}};
}
