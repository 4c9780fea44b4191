//===- Mutator.cpp - false rules from true rules --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Generate/Mutator.h"

#include "tenon/Dialect/Rule/IR/Instantiate.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::generate;
using graph::SymInt;
using rule::RuleOp;

namespace {
/// Pairs of ops that take the same operands and parameters, but have different
/// semantics.
constexpr StringLiteral siblings[][2] = {
    {"graph.add", "graph.sub"},
    {"graph.mul", "graph.div"},
    {"graph.mul", "graph.add"},
    {"graph.maximum", "graph.minimum"},
    {"graph.reduce_sum", "graph.reduce_max"},
    {"graph.reduce_max", "graph.reduce_min"},
    {"graph.reduce_mean", "graph.reduce_sum"},
    {"graph.max_pool", "graph.avg_pool"},
    {"graph.softmax", "graph.log_softmax"},
    {"graph.relu", "graph.abs"},
    {"graph.exp", "graph.neg"},
    {"graph.sqrt", "graph.rsqrt"},
    {"graph.sigmoid", "graph.tanh"},
    {"graph.gelu", "graph.silu"}};
} // namespace

/// Returns the op of `copy` that corresponds to `op` in its rule's target.
static Operation *findCopy(Operation *op, RuleOp copy) {
  Block &block = copy.getTarget().front();
  auto it = block.begin();
  std::advance(it, std::distance(op->getBlock()->begin(), op->getIterator()));
  return &*it;
}

/// Returns `mutant` with the types of its target's ops inferred again, or null
/// if it is not valid.
static OwningOpRef<RuleOp> inferTypes(RuleOp mutant) {
  OwningOpRef<RuleOp> result(mutant.clone());
  Block &block = result->getTarget().front();
  while (!block.empty())
    block.back().erase();
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  SmallVector<bool> lifted(block.getNumArguments(), false);
  std::string reason;
  auto values = rule::instantiate(builder, mutant.getLoc(), mutant.getTarget(),
                                  block.getArguments(), {}, lifted, {}, reason);
  if (failed(values))
    return {};
  rule::YieldOp::create(builder, mutant.getLoc(), *values);
  return result;
}

void Mutator::add(RuleOp mutant, StringRef what) {
  ScopedDiagnosticHandler quiet(mutant.getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<RuleOp> result = inferTypes(mutant);
  if (!result || failed(verify(*result)) ||
      !statements.insert(rule::hashStatement(*result)).second)
    return;
  std::string name = (original.getSymName() + "_" + what).str(), unique = name;
  for (unsigned number = 2; !names.insert(unique).second; ++number)
    unique = name + "_" + std::to_string(number);
  result->setSymName(unique);
  found.push_back(std::move(result));
}

void Mutator::add(Operation *op, StringRef what,
                  function_ref<void(Operation *)> edit) {
  OwningOpRef<RuleOp> copy(original.clone());
  edit(findCopy(op, *copy));
  add(*copy, what);
}

void Mutator::mutateOperands(Operation *op) {
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    for (unsigned j = i + 1; j < op->getNumOperands(); ++j)
      add(op, "swapped_operands", [&](Operation *copy) {
        Value first = copy->getOperand(i);
        copy->setOperand(i, copy->getOperand(j));
        copy->setOperand(j, first);
      });
    // Replace this operand by another operand of the rule.
    for (BlockArgument argument : original.getTarget().getArguments())
      if (argument != op->getOperand(i) &&
          argument.getType() == op->getOperand(i).getType())
        add(op, "other_operand", [&](Operation *copy) {
          copy->setOperand(
              i, copy->getBlock()->getArgument(argument.getArgNumber()));
        });
  }
}

void Mutator::mutateAttributes(Operation *op) {
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    StringAttr name = attribute.getName();
    auto set = [&](StringRef what, Attribute value) {
      add(op, what, [&](Operation *copy) { copy->setAttr(name, value); });
    };
    if (auto integer = dyn_cast<IntegerAttr>(attribute.getValue());
        integer && !integer.getType().isInteger(1)) {
      for (int64_t change : {1, -1})
        set("other_" + name.str(),
            IntegerAttr::get(integer.getType(), integer.getInt() + change));
    } else if (auto number = dyn_cast<FloatAttr>(attribute.getValue())) {
      set("other_" + name.str(),
          FloatAttr::get(number.getType(), number.getValueAsDouble() + 1));
    } else if (auto dims = dyn_cast<graph::DimsAttr>(attribute.getValue())) {
      for (unsigned i = 0; i < dims.size(); ++i) {
        SmallVector<SymInt> entries(dims.getEntries());
        for (int64_t change : {1, -1}) {
          entries[i] = dims.getEntry(i) + SymInt(change);
          set("other_" + name.str(),
              graph::DimsAttr::get(op->getContext(), entries));
        }
        if (i + 1 == dims.size())
          continue;
        entries[i] = dims.getEntry(i + 1);
        entries[i + 1] = dims.getEntry(i);
        set("swapped_" + name.str(),
            graph::DimsAttr::get(op->getContext(), entries));
      }
    } else if (auto splat = dyn_cast<DenseFPElementsAttr>(attribute.getValue());
               splat && splat.isSplat()) {
      APFloat value = splat.getSplatValue<APFloat>();
      value.add(APFloat::getOne(value.getSemantics()),
                APFloat::rmNearestTiesToEven);
      set("other_" + name.str(),
          DenseElementsAttr::get(splat.getType(), value));
    } else if (isa<UnitAttr>(attribute.getValue())) {
      add(op, "without_" + name.str(),
          [&](Operation *copy) { copy->removeAttr(name); });
    }
  }
  // Set flags that are not set.
  for (StringAttr name : op->getRegisteredInfo()->getAttributeNames())
    if (!op->hasAttr(name))
      add(op, "with_" + name.str(), [&](Operation *copy) {
        copy->setAttr(name, UnitAttr::get(copy->getContext()));
      });
}

void Mutator::mutateOp(Operation *op) {
  mutateOperands(op);
  mutateAttributes(op);
  for (const auto &pair : siblings)
    for (unsigned side : {0, 1})
      if (op->getName().getStringRef() == pair[side])
        add(op, "other_op", [&](Operation *copy) {
          OperationState state(copy->getLoc(), pair[1 - side]);
          state.addOperands(copy->getOperands());
          state.addTypes(copy->getResultTypes());
          state.addAttributes(copy->getAttrs());
          OpBuilder builder(copy);
          copy->replaceAllUsesWith(builder.create(state));
          copy->erase();
        });
}

void Mutator::dropConditions() {
  for (StringAttr list : {original.getConditionsAttrName(),
                          original.getValueConditionsAttrName()}) {
    auto conditions = original->getAttrOfType<ArrayAttr>(list);
    for (size_t dropped = 0; conditions && dropped < conditions.size();
         ++dropped) {
      OwningOpRef<RuleOp> copy(original.clone());
      SmallVector<Attribute> others(conditions.getValue());
      others.erase(others.begin() + dropped);
      copy->getOperation()->setAttr(
          list, ArrayAttr::get(original.getContext(), others));
      add(*copy, "without_condition");
    }
  }
}

std::vector<OwningOpRef<RuleOp>> Mutator::mutate(RuleOp rule) {
  original = rule;
  statements.insert(rule::hashStatement(rule));
  for (Operation &op : rule.getTarget().front().without_terminator())
    mutateOp(&op);
  mutateOperands(rule.getTargetYield());
  dropConditions();
  // Select mutants of all ops and kinds of edits.
  std::vector<OwningOpRef<RuleOp>> kept;
  size_t count = std::min<size_t>(found.size(), limit);
  for (size_t number = 0; number < count; ++number)
    kept.push_back(std::move(found[number * found.size() / count]));
  found.clear();
  return kept;
}
