//===- BatchCut.cpp - that a model may be cut along its batch -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Prove/BatchCut.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

/// The symbols of a part of the samples, and of all rows where a sample has
/// several of them.
static constexpr StringLiteral kBegin = "batch_begin", kCount = "batch_count",
                               kRows = "batch_rows";

namespace {
class BatchRule {
public:
  BatchRule(Operation *op, const BatchAxes &axes)
      : op(op), axes(axes), builder(op->getContext()) {
    findUnit();
  }

  OwningOpRef<rule::RuleOp> build();

private:
  void findUnit();
  /// What belongs to the part of a value.
  Value slice(Value value, const SampleAxis &samples);
  /// The op with `whole` in place of what is cut.
  Operation *clone(ArrayRef<Value> operands, const SymInt &whole);
  SymInt replace(const SymInt &size, const SymInt &whole) const;
  RankedTensorType replace(RankedTensorType type, const SymInt &whole) const;

  Operation *op;
  const BatchAxes &axes;
  OpBuilder builder;
  /// How many rows are the unit in which values are cut: all that a sample has,
  /// if all values have as many rows for a sample. Then the theorem is about
  /// any rows, and their number is a symbol.
  SymInt unit = 1;
  /// What is cut: the samples, or their rows.
  SymInt all;
};
} // namespace

void BatchRule::findUnit() {
  std::optional<SymInt> rows;
  bool isSame = true;
  auto visit = [&](Value value) {
    if (std::optional<SampleAxis> samples = axes.get(value)) {
      isSame &= !rows || *rows == samples->rows;
      rows = samples->rows;
    }
  };
  llvm::for_each(op->getOperands(), visit);
  llvm::for_each(op->getResults(), visit);
  if (isSame && rows)
    unit = *rows;
  all = unit == SymInt(1) ? axes.size : SymInt::symbol(kRows);
}

SymInt BatchRule::replace(const SymInt &size, const SymInt &whole) const {
  if (size == axes.size * unit)
    return whole;
  if (!(unit == SymInt(1)))
    return size;
  StringRef batch = *axes.size.getSymbol();
  return size.substitute([&](StringRef name) -> std::optional<SymInt> {
    return name == batch ? std::optional(whole) : std::nullopt;
  });
}

RankedTensorType BatchRule::replace(RankedTensorType type,
                                    const SymInt &whole) const {
  Shape shape = getShape(type);
  for (SymInt &size : shape)
    size = replace(size, whole);
  return getTensorType(shape, type.getElementType());
}

Value BatchRule::slice(Value value, const SampleAxis &samples) {
  MLIRContext *context = builder.getContext();
  auto type = cast<RankedTensorType>(value.getType());
  SymInt rows = unit == SymInt(1) ? samples.rows : SymInt(1);
  Shape sizes = getShape(type);
  Shape starts(sizes.size(), SymInt(0)), steps(sizes.size(), SymInt(1));
  starts[samples.axis] = SymInt::symbol(kBegin) * rows;
  sizes[samples.axis] = SymInt::symbol(kCount) * rows;
  return SliceOp::create(
      builder, op->getLoc(), getTensorType(sizes, type.getElementType()), value,
      DimsAttr::get(context, starts), DimsAttr::get(context, sizes),
      DimsAttr::get(context, steps));
}

Operation *BatchRule::clone(ArrayRef<Value> operands, const SymInt &whole) {
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DimsAttr dims) -> Attribute {
    Shape entries = dims.getEntries();
    for (SymInt &entry : entries)
      entry = replace(entry, whole);
    return DimsAttr::get(dims.getContext(), entries);
  });
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        if (!isa_and_nonnull<DimsAttr>(type.getEncoding()))
          return std::nullopt;
        return std::pair<Type, WalkResult>(replace(type, whole),
                                           WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(copy, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return copy;
}

OwningOpRef<rule::RuleOp> BatchRule::build() {
  SmallVector<unsigned> results;
  for (unsigned number = 0; number < op->getNumResults(); ++number)
    if (axes.get(op->getResult(number)))
      results.push_back(number);
  if (results.empty() || op->getNumOperands() == 0)
    return {};
  MLIRContext *context = builder.getContext();
  // Equal operands are one.
  SmallVector<Value> arguments;
  SmallVector<Attribute> names;
  for (Value operand : op->getOperands())
    if (!llvm::is_contained(arguments, operand)) {
      names.push_back(builder.getStringAttr("x" + Twine(arguments.size())));
      arguments.push_back(operand);
    }
  // Where samples have different numbers of rows, the part itself is a result,
  // too: a rule must name the numbers of its symbols.
  Value named;
  if (unit == SymInt(1))
    for (Value argument : arguments)
      if (std::optional<SampleAxis> samples = axes.get(argument);
          !named && samples && samples->rows == SymInt(1))
        named = argument;
  for (unsigned number : results)
    if (axes.get(op->getResult(number))->rows == unit)
      named = {};
  SmallVector<Value> sliced;
  for (unsigned number : results)
    sliced.push_back(op->getResult(number));
  if (named)
    sliced.push_back(named);
  SmallVector<Attribute> types;
  for (Value value : sliced) {
    auto type = cast<RankedTensorType>(value.getType());
    SampleAxis samples = *axes.get(value);
    Shape shape = getShape(replace(type, all));
    shape[samples.axis] =
        SymInt::symbol(kCount) * (unit == SymInt(1) ? samples.rows : SymInt(1));
    types.push_back(TypeAttr::get(getTensorType(shape, type.getElementType())));
  }
  SymInt begin = SymInt::symbol(kBegin), count = SymInt::symbol(kCount);
  Attribute conditions[] = {
      rule::ConditionAttr::get(context, rule::ConditionKind::AtLeast, begin,
                               SymInt(0)),
      rule::ConditionAttr::get(context, rule::ConditionKind::AtLeast, count,
                               SymInt(1)),
      rule::ConditionAttr::get(context, rule::ConditionKind::AtLeast, all,
                               begin + count)};
  OwningOpRef<rule::RuleOp> statement = rule::RuleOp::create(
      builder, op->getLoc(), "batch", builder.getArrayAttr(types),
      builder.getArrayAttr(names), ArrayRef<int64_t>(),
      builder.getArrayAttr(conditions), ArrayAttr());
  for (bool isSource : {true, false}) {
    Region &side = isSource ? statement->getSource() : statement->getTarget();
    Block &block = side.emplaceBlock();
    llvm::DenseMap<Value, Value> valueOf;
    for (Value argument : arguments)
      valueOf[argument] = block.addArgument(
          replace(cast<RankedTensorType>(argument.getType()), all),
          op->getLoc());
    builder.setInsertionPointToStart(&block);
    SmallVector<Value> operands, yielded;
    for (Value operand : op->getOperands()) {
      std::optional<SampleAxis> samples = axes.get(operand);
      Value value = valueOf.lookup(operand);
      operands.push_back(isSource || !samples ? value : slice(value, *samples));
    }
    Operation *copy = clone(operands, isSource ? all : SymInt::symbol(kCount));
    for (unsigned number : results)
      yielded.push_back(isSource ? slice(copy->getResult(number),
                                         *axes.get(op->getResult(number)))
                                 : copy->getResult(number));
    if (named)
      yielded.push_back(slice(valueOf.lookup(named), *axes.get(named)));
    rule::YieldOp::create(builder, op->getLoc(), yielded);
  }
  return statement;
}

OwningOpRef<rule::RuleOp> prove::makeBatchRule(Operation *op,
                                               const BatchAxes &axes) {
  return BatchRule(op, axes).build();
}

LogicalResult prove::proveBatchCut(Block &body, const BatchAxes &axes,
                                   const ProveOptions &options,
                                   unsigned &proved) {
  proved = 0;
  llvm::StringSet<> known;
  for (Operation &op : body) {
    OwningOpRef<rule::RuleOp> statement = makeBatchRule(&op, axes);
    if (!statement)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << *statement;
    if (!known.insert(text).second)
      continue;
    if (failed(verify(*statement)))
      return op.emitOpError("is not known to do with each sample the same: "
                            "its theorem can't be stated");
    rule::Certificate certificate = proveRule(*statement, options);
    if (certificate.status != rule::Status::Proved)
      return op.emitOpError("is not known to do with each sample the same: ")
             << rule::stringify(certificate.status) << ": "
             << certificate.reason;
    ++proved;
  }
  return success();
}
