//===- OptimizeReport.cpp - what a page about an optimization shows -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizeReport.h"
#include "tenon/Driver/PlacedScore.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tenon;
using optimize::OptimizeResult;

namespace {
std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

/// Attributes of an op in a line; large constants are cut.
std::string printAttributes(Operation *op) {
  std::string text;
  for (NamedAttribute attribute : op->getAttrs()) {
    // Of a plan that was given; the section on placement says it anew.
    if (attribute.getName().strref().starts_with("place."))
      continue;
    std::string value;
    if (auto elements = dyn_cast<ElementsAttr>(attribute.getValue());
        elements && elements.getNumElements() > 8)
      value = "<" + std::to_string(elements.getNumElements()) + " elements>";
    else
      llvm::raw_string_ostream(value) << attribute.getValue();
    text +=
        (text.empty() ? "" : ", ") + attribute.getName().str() + " = " + value;
  }
  return text;
}

report::Kernel describeKernel(std::string name, std::string detail,
                              const cost::Cost &cost) {
  report::Kernel kernel;
  kernel.name = std::move(name);
  kernel.detail = std::move(detail);
  kernel.seconds = cost.seconds;
  kernel.measured = cost.measured;
  for (const cost::Term &term : cost.terms)
    kernel.terms.push_back({term.name, term.seconds});
  return kernel;
}

class SideBuilder {
public:
  SideBuilder(const cost::CostModel &costs, const PlacePipelineOptions &place)
      : costs(costs), place(place) {}

  report::Side build(func::FuncOp function, const optimize::FunctionLog *log);

private:
  void addNodes(func::FuncOp function, const optimize::FunctionLog *log);
  void addPlacedKernels(func::FuncOp function);

  const cost::CostModel &costs;
  const PlacePipelineOptions &place;
  report::Side side;
  llvm::DenseMap<Operation *, unsigned> nodeOf;
};
} // namespace

void SideBuilder::addNodes(func::FuncOp function,
                           const optimize::FunctionLog *log) {
  Block &block = function.getBody().front();
  llvm::DenseMap<Value, unsigned> givers;
  for (auto [number, argument] : llvm::enumerate(block.getArguments())) {
    report::GraphNode node;
    auto name = function.getArgAttrOfType<StringAttr>(number, "graph.name");
    node.label = name ? name.getValue().str() : "%arg" + std::to_string(number);
    node.type = print(argument.getType());
    givers[argument] = side.nodes.size();
    side.nodes.push_back(std::move(node));
  }
  unsigned index = 0;
  for (Operation &op : block) {
    report::GraphNode node;
    bool end = op.hasTrait<OpTrait::IsTerminator>();
    node.label = end ? "return" : op.getName().stripDialect().str();
    node.detail = printAttributes(&op);
    if (op.getNumResults())
      node.type = print(op.getResult(0).getType());
    for (Value operand : op.getOperands())
      node.inputs.push_back(givers.lookup(operand));
    if (log && !end) {
      const optimize::OpRef &ref = log->ops[index++];
      if (ref.firing >= 0)
        node.rule = log->firings[ref.firing].rule;
    }
    for (Value result : op.getResults())
      givers[result] = side.nodes.size();
    nodeOf[&op] = side.nodes.size();
    side.nodes.push_back(std::move(node));
  }
}

/// Ops of the placed function are matched with those of the graph by their
/// locations: placing changes ops, but keeps where they came from.
void SideBuilder::addPlacedKernels(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  kernel::setTarget(*module, place.target);
  func::FuncOp copy = function.clone();
  module->push_back(copy);
  llvm::DenseMap<Location, unsigned> numbers;
  unsigned index = 0;
  for (auto [from, to] :
       llvm::zip(function.getBody().front(), copy.getBody().front())) {
    Location mark =
        FileLineColLoc::get(function.getContext(), "node", index++, 0);
    to.setLoc(mark);
    numbers[mark] = nodeOf.lookup(&from);
  }
  PassManager passes(module->getContext());
  passes.enableVerifier(false);
  if (!place.isPlaced)
    buildPreparePipeline(passes, place);
  buildGivePipeline(passes, place);
  ScopedDiagnosticHandler quiet(module->getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(passes.run(*module)))
    return;
  for (const PlacedKernel &kernel : listKernels(copy, costs)) {
    int number = side.kernels.size();
    kernel::CallOp call = kernel.call;
    std::string detail;
    for (Type type : call.getOutputs().getTypes())
      detail += (detail.empty() ? "" : ", ") + print(type);
    side.kernels.push_back(
        describeKernel((call.getBackend() + " " + call.getPattern()).str(),
                       std::move(detail), kernel.cost));
    side.memory.push_back(kernel.liveBytes);
    // A call that was there before has a node of its own.
    call->walk([&](Operation *inner) {
      inner->getLoc()->walk([&](Location loc) {
        if (auto it = numbers.find(loc); it != numbers.end())
          side.nodes[it->second].kernel = number;
        return WalkResult::advance();
      });
    });
  }
}

report::Side SideBuilder::build(func::FuncOp function,
                                const optimize::FunctionLog *log) {
  addNodes(function, log);
  addPlacedKernels(function);
  for (const report::Kernel &kernel : side.kernels)
    side.seconds += kernel.seconds;
  return std::move(side);
}

report::Side tenon::describeSide(func::FuncOp function,
                                 const cost::CostModel &costs,
                                 const PlacePipelineOptions &place,
                                 const optimize::FunctionLog *log) {
  return SideBuilder(costs, place).build(function, log);
}

void tenon::describeResult(const OptimizeResult &result,
                           const optimize::RuleSet &rules,
                           report::OptimizeReport &report) {
  auto time = [](double seconds) {
    return llvm::formatv("{0:f1} us", seconds * 1e6).str();
  };
  report.facts.push_back({"search's sum, before", time(result.beforeSeconds)});
  report.facts.push_back({"search's sum, after", time(result.afterSeconds)});
  for (const auto &[name, value] : result.facts)
    report.facts.push_back({name, value});
  for (const std::string &note : result.notes)
    report.notes.push_back(note);
  const optimize::Score *score = result.after    ? &*result.after
                                 : result.before ? &*result.before
                                                 : nullptr;
  if (score && score->notMeasured)
    report.notes.push_back(std::to_string(score->notMeasured) + " of " +
                           std::to_string(score->kernels) +
                           " kernels have no measured cost: the roofline "
                           "stands in");
  for (const rule::ProvedRule &rule : rules.getRules()) {
    rule::RuleOp op = rule.op;
    auto use = llvm::find_if(result.rules, [&](const optimize::RuleUse &one) {
      return one.rule == op.getSymName();
    });
    if (use == result.rules.end() || use->fired == 0)
      continue;
    report::FiredRule fired;
    fired.name = use->rule;
    fired.count = use->fired;
    llvm::raw_string_ostream(fired.statement) << op;
    fired.floatClass = rule::stringifyFloatClass(rule.certificate.floatClass);
    fired.status = rule::stringify(rule.certificate.status).str();
    fired.solver = rule.certificate.solver;
    fired.conditions = rule.certificate.conditions;
    report.rules.push_back(std::move(fired));
  }
}
