//===- IndexChecks.cpp - checks of indices at run time --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Artifact/IndexCheck.h"
#include "tenon/Dialect/Graph/IR/ElementRange.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

static constexpr StringLiteral kCheck = "graph.check";
/// Marks the module inside of a model that has them.
static constexpr StringLiteral kIndexChecks = "graph.index_checks";

//===----------------------------------------------------------------------===//
// Attribute of checks
//===----------------------------------------------------------------------===//

static DictionaryAttr toAttribute(MLIRContext *context,
                                  const IndexCheck &check) {
  Builder builder(context);
  SmallVector<int64_t> axes;
  Shape ends;
  for (const IndexRange &range : check.use.ranges) {
    axes.push_back(range.axis);
    ends.push_back(range.low);
    ends.push_back(range.end);
  }
  SmallVector<NamedAttribute> entries = {
      builder.getNamedAttr("reader", builder.getStringAttr(check.reader)),
      builder.getNamedAttr("axes", builder.getDenseI64ArrayAttr(axes)),
      builder.getNamedAttr("ranges", DimsAttr::get(context, ends))};
  if (check.use.ignored)
    entries.push_back(builder.getNamedAttr(
        "ignored", builder.getI64IntegerAttr(*check.use.ignored)));
  return builder.getDictionaryAttr(entries);
}

std::optional<IndexCheck> tenon::graph::getIndexCheck(func::FuncOp function,
                                                      unsigned result) {
  auto attribute = function.getResultAttrOfType<DictionaryAttr>(result, kCheck);
  if (!attribute)
    return std::nullopt;
  IndexCheck check;
  check.reader = attribute.getAs<StringAttr>("reader").str();
  check.use.indices =
      function.getBody().front().getTerminator()->getOperand(result);
  Shape ends = attribute.getAs<DimsAttr>("ranges").getEntries();
  for (auto [number, axis] :
       llvm::enumerate(attribute.getAs<DenseI64ArrayAttr>("axes").asArrayRef()))
    check.use.ranges.push_back({axis, ends[2 * number], ends[2 * number + 1]});
  if (auto ignored = attribute.getAs<IntegerAttr>("ignored"))
    check.use.ignored = ignored.getInt();
  return check;
}

unsigned tenon::graph::countUncheckedResults(func::FuncOp function) {
  unsigned count = function.getNumResults();
  while (count > 0 && function.getResultAttr(count - 1, kCheck))
    --count;
  return count;
}

unsigned tenon::graph::countOwnResults(func::FuncOp function) {
  unsigned count = countUncheckedResults(function);
  while (count > 0 && getResultState(function, count - 1))
    --count;
  return count;
}

/// Sets the function's returned values and the attributes of the results.
static void setResults(func::FuncOp function, ArrayRef<Value> values,
                       ArrayRef<DictionaryAttr> attributes) {
  function.getBody().front().getTerminator()->setOperands(values);
  function.setFunctionType(FunctionType::get(function.getContext(),
                                             function.getArgumentTypes(),
                                             TypeRange(ValueRange(values))));
  function.setAllResultAttrs(attributes);
}

static SmallVector<DictionaryAttr> getResultAttributes(func::FuncOp function) {
  SmallVector<DictionaryAttr> attributes;
  for (unsigned number = 0; number < function.getNumResults(); ++number)
    attributes.push_back(function.getResultAttrDict(number));
  return attributes;
}

void tenon::graph::dropIndexChecks(func::FuncOp function) {
  unsigned count = countUncheckedResults(function);
  if (count == function.getNumResults())
    return;
  SmallVector<Value> values(
      function.getBody().front().getTerminator()->getOperands());
  values.truncate(count);
  SmallVector<DictionaryAttr> attributes = getResultAttributes(function);
  attributes.truncate(count);
  setResults(function, values, attributes);
}

//===----------------------------------------------------------------------===//
// Indices that need a check
//===----------------------------------------------------------------------===//

/// Whether a broadcast repeats every element at least once, for all sizes.
static bool keepsElements(BroadcastOp broadcast) {
  Shape from = getShape(broadcast.getX()), to = getShape(broadcast.getResult());
  size_t added = to.size() - from.size();
  for (auto [axis, size] : llvm::enumerate(to)) {
    if (axis >= added && from[axis - added] == size)
      continue;
    if (size.getConstant().value_or(0) < 1)
      return false;
  }
  return true;
}

/// Follows ops that only move, repeat or cast elements, to find a value of the
/// same elements that is nearer to the model's inputs.
static Value findOrigin(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto broadcast = dyn_cast<BroadcastOp>(op);
    if (isa<ReshapeOp, TransposeOp, OptimizationBarrierOp>(op) ||
        (broadcast && keepsElements(broadcast))) {
      value = op->getOperand(0);
      continue;
    }
    auto cast = dyn_cast<CastOp>(op);
    if (!cast)
      break;
    auto from = dyn_cast<IntegerType>(getElementTypeOrSelf(cast.getX()));
    auto to = dyn_cast<IntegerType>(getElementTypeOrSelf(value));
    if (!from || !to || isBool(from) || isUnsigned(to) ||
        (isUnsigned(from) ? from.getWidth() >= to.getWidth()
                          : from.getWidth() > to.getWidth()))
      break;
    value = cast.getX();
  }
  return value;
}

/// The range of the indices, for each range of the use.
static SmallVector<ElementRange> getIndexRanges(const IndexUse &use) {
  size_t count = use.ranges.size();
  SmallVector<ElementRange> ranges;
  auto concat = use.indices.getDefiningOp<ConcatOp>();
  int64_t last = cast<RankedTensorType>(use.indices.getType()).getRank() - 1;
  if (count > 1 && concat && static_cast<int64_t>(concat.getAxis()) == last) {
    // The coordinates are computed separately.
    for (Value input : concat.getInputs()) {
      std::optional<int64_t> entries = getShape(input).back().getConstant();
      ranges.append(static_cast<size_t>(entries.value_or(count + 1)),
                    getElementRange(input));
    }
  }
  if (ranges.size() != count)
    ranges.assign(count, getElementRange(use.indices));
  return ranges;
}

/// Whether every element is known to be in its range. Ops that read reject
/// sizes with indices but without elements to read.
static bool isKnownInRange(const IndexUse &use, bool reads) {
  for (auto [allowed, range] :
       llvm::zip_equal(use.ranges, getIndexRanges(use))) {
    if (!range.low || !range.high)
      return false;
    auto isInside = [&, &range = range](const SymInt &low, const SymInt &end) {
      return isKnownLessEqual(low, *range.low) &&
             isKnownLessEqual(*range.high, end - SymInt(1));
    };
    SymInt end = SymInt::max(allowed.end, SymInt(1));
    SymInt low = allowed.low == SymInt(0) ? allowed.low : -end;
    if (!isInside(allowed.low, allowed.end) && !(reads && isInside(low, end)))
      return false;
  }
  return true;
}

namespace {
struct FoundCheck {
  IndexCheck check;
  Location loc;
};
} // namespace

static SmallVector<FoundCheck> collectChecks(func::FuncOp function) {
  SmallVector<FoundCheck> found;
  llvm::StringSet<> seen;
  llvm::DenseSet<Operation *> live;
  llvm::DenseMap<Value, unsigned> numbers;
  for (Operation &op : llvm::reverse(function.getBody().front())) {
    bool isLive =
        op.hasTrait<OpTrait::IsTerminator>() || isa<WriteStateOp>(op) ||
        llvm::any_of(op.getUsers(),
                     [&](Operation *user) { return live.contains(user); });
    if (isLive)
      live.insert(&op);
  }
  for (Operation &op : function.getBody().front()) {
    if (!live.contains(&op))
      continue;
    for (IndexUse &use : getIndexUses(&op)) {
      bool reads = !isa<ScatterElementsOp, ScatterNdOp>(op);
      if (isKnownInRange(use, reads))
        continue;
      if (use.ranges.size() == 1)
        use.indices = findOrigin(use.indices);
      // Indices that are read again later need no second check.
      while (auto barrier = use.indices.getDefiningOp<OptimizationBarrierOp>())
        use.indices = barrier.getX();
      std::string key;
      llvm::raw_string_ostream os(key);
      os << numbers.try_emplace(use.indices, numbers.size()).first->second;
      for (const IndexRange &range : use.ranges)
        os << ' ' << range.low << ' ' << range.end;
      if (use.ignored)
        os << " but " << *use.ignored;
      if (seen.insert(key).second)
        found.push_back({{describeReader(&op), use}, op.getLoc()});
    }
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Constant indices
//===----------------------------------------------------------------------===//

/// Whether the indices are constants, all of them in range. Fails if one is
/// known to be out of range.
static FailureOr<bool> checkConstant(const IndexCheck &check, Location loc) {
  auto constant = check.use.indices.getDefiningOp<ConstantOp>();
  auto elements =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements)
    return false;
  artifact::IndexLimits limits;
  limits.shape.assign(elements.getType().getShape().begin(),
                      elements.getType().getShape().end());
  limits.ignored = check.use.ignored;
  bool isKnown = true;
  for (const IndexRange &range : check.use.ranges) {
    std::optional<int64_t> low = range.low.getConstant();
    std::optional<int64_t> end = range.end.getConstant();
    isKnown &= low && end;
    limits.bounds.push_back(
        {range.axis, low.value_or(INT64_MIN), end.value_or(INT64_MAX)});
  }
  bool isSigned = !isUnsigned(elements.getElementType());
  for (auto [position, value] : llvm::enumerate(elements.getValues<APInt>())) {
    int64_t index = isSigned ? value.getSExtValue()
                             : static_cast<int64_t>(value.getZExtValue());
    int64_t at = static_cast<int64_t>(position);
    if (!limits.admits(at, index))
      return emitError(loc)
             << check.reader << ": " << artifact::describe(limits, {at, index});
  }
  return isKnown;
}

//===----------------------------------------------------------------------===//
// Functions that compute checked indices
//===----------------------------------------------------------------------===//

FailureOr<func::FuncOp> tenon::graph::extractIndexChecks(
    func::FuncOp function, ModuleOp holder,
    llvm::function_ref<LogicalResult(func::FuncOp)> simplify) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return func::FuncOp();
  // Cloning these ops would duplicate their effects.
  for (Operation &op : function.getBody().front())
    if (isa<ReadStateOp, WriteStateOp>(op))
      return op.emitOpError("accesses a state: run "
                            "--graph-functionalize-state first");
  func::FuncOp checks = function.clone();
  holder.push_back(checks);
  dropIndexChecks(checks);
  SmallVector<FoundCheck> found = collectChecks(checks);
  for (unsigned number = 0; number < checks.getNumArguments(); ++number)
    for (const char *name : {"graph.donate", "graph.state"})
      checks.removeArgAttr(number, name);
  auto keep = [&](ArrayRef<FoundCheck> kept) {
    SmallVector<Value> values;
    SmallVector<DictionaryAttr> attributes;
    for (const FoundCheck &one : kept) {
      values.push_back(one.check.use.indices);
      Builder builder(checks->getContext());
      attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
          kCheck, toAttribute(checks->getContext(), one.check))));
    }
    setResults(checks, values, attributes);
  };
  keep(found);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(checks.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  // This may find more constants, and makes later merging faster.
  if (!found.empty() && failed(simplify(checks)))
    return failure();
  SmallVector<FoundCheck> kept;
  for (auto [number, one] : llvm::enumerate(found)) {
    one.check.use.indices =
        checks.getBody().front().getTerminator()->getOperand(number);
    FailureOr<bool> isKnown = checkConstant(one.check, one.loc);
    if (failed(isKnown))
      return failure();
    if (!*isKnown)
      kept.push_back(one);
  }
  if (kept.empty()) {
    checks.erase();
    return func::FuncOp();
  }
  keep(kept);
  return checks;
}

ModuleOp tenon::graph::getIndexChecks(ModuleOp module) {
  for (auto inner : module.getOps<ModuleOp>())
    if (inner->hasAttr(kIndexChecks))
      return inner;
  return {};
}

void tenon::graph::addIndexChecks(func::FuncOp function, func::FuncOp checks) {
  Block &block = function.getBody().front();
  Block &from = checks.getBody().front();
  IRMapping mapping;
  mapping.map(from.getArguments(), block.getArguments());
  // Insert the checks last, so that CSE replaces their ops by the function's.
  OpBuilder builder(block.getTerminator());
  for (Operation &op : from.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> values(block.getTerminator()->getOperands());
  for (Value indices : from.getTerminator()->getOperands())
    values.push_back(mapping.lookup(indices));
  SmallVector<DictionaryAttr> attributes = getResultAttributes(function);
  llvm::append_range(attributes, getResultAttributes(checks));
  setResults(function, values, attributes);
}
