//===- RuleShapes.cpp - the most general shapes of a TASO rule ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleShapes.h"

#include "RuleRanks.h"

#include "tenon/Dialect/Rule/Analysis/SizeEquations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <memory>

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::taso;

namespace {
/// A size and the parts from which it was concatenated, which a split separates
/// again.
struct Dim {
  SymInt size;
  std::shared_ptr<const std::vector<Dim>> parts;
  unsigned leaves = 1;

  Dim(SymInt size) : size(std::move(size)) {}
};
using Dims = SmallVector<Dim, 0>;

class ShapeInference {
public:
  ShapeInference(const Rule &rule, Location file, bool equalChannels)
      : rule(rule), file(file), equalChannels(equalChannels) {}

  FailureOr<RuleShapes> infer();

private:
  struct Conv {
    Place place;
    Dims data, weight;
    ConvParameters parameters;
  };
  struct OpDims {
    SmallVector<Dims, 1> results;
    unsigned conv = 0; // index in `convs`
  };
  using SideDims = std::vector<OpDims>;

  /// Adds an equation that `place` needs.
  LogicalResult makeEqual(const SymInt &a, const SymInt &b,
                          const Place &place) {
    return sizes.makeEqual(a, b, [place] { return place.emitError(); });
  }
  void makeInputs(const RuleRanks &ranks);
  LogicalResult addSide(const Side &side, bool isSource, SideDims &dims);
  FailureOr<OpDims> addOp(const TasoOp &op, ArrayRef<Dims> operands,
                          const Place &place, bool isSource);
  FailureOr<Dims> addConv(const TasoOp &op, const Dims &data,
                          const Dims &weight, const Place &place,
                          bool isSource);
  FailureOr<Dims> addMatmul(const Dims &left, const Dims &right,
                            const Place &place);
  FailureOr<Dims> addConcat(unsigned axis, ArrayRef<Dims> operands,
                            const Place &place);
  LogicalResult addSplit(const TasoOp &op, const Dims &operand,
                         const Place &place, OpDims &dims);
  FailureOr<Dims> addElementwise(ArrayRef<Dims> operands, const Place &place);

  LogicalResult chooseGroups(Conv &conv);
  LogicalResult makePartsEqual(const Dim &dim, const Place &place);
  bool isSame(const Dim &a, const Dim &b) const;

  RuleShapes finish(const SideDims &source, const SideDims &target);
  void addCondition(const SymInt &greater, const SymInt &least);
  void nameUnknowns();
  SymInt rename(const SymInt &size) const;

  const Rule &rule;
  Location file;
  bool equalChannels;
  tenon::rule::SizeEquations sizes;
  RuleRanks ranks;
  std::map<unsigned, Dims> inputs;
  std::vector<Conv> convs;
  /// Symbols by axis and value in the file.
  std::map<int64_t, SymInt> strideSymbols[2], padSymbols[2][2];
  llvm::StringMap<std::string> names;
  RuleShapes shapes;
};
} // namespace

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool ShapeInference::isSame(const Dim &a, const Dim &b) const {
  if (sizes.resolve(a.size) != sizes.resolve(b.size) || !a.parts != !b.parts)
    return false;
  return a.parts == b.parts ||
         (a.parts->size() == b.parts->size() &&
          llvm::all_of(llvm::zip_equal(*a.parts, *b.parts), [&](auto pair) {
            return isSame(std::get<0>(pair), std::get<1>(pair));
          }));
}

FailureOr<Dims> ShapeInference::addElementwise(ArrayRef<Dims> operands,
                                               const Place &place) {
  Dims result = operands.front();
  for (const Dims &other : operands.drop_front())
    for (auto [mine, its] : llvm::zip_equal(result, other)) {
      if (failed(makeEqual(mine.size, its.size, place)))
        return failure();
      // As in TASO, if the operands have different parts, the result can't be
      // split.
      if (!isSame(mine, its))
        mine = Dim(mine.size);
    }
  return result;
}

FailureOr<Dims> ShapeInference::addConcat(unsigned axis,
                                          ArrayRef<Dims> operands,
                                          const Place &place) {
  SmallVector<Dims, 0> others(operands);
  std::vector<Dim> parts;
  Dim whole{SymInt(0)};
  unsigned leaves = 0;
  for (Dims &operand : others) {
    parts.push_back(operand[axis]);
    whole.size = whole.size + operand[axis].size;
    leaves += operand[axis].leaves;
    operand[axis] = Dim(SymInt(0));
  }
  FailureOr<Dims> result = addElementwise(others, place);
  if (failed(result))
    return failure();
  // Bounds the cost of malicious rules; results with more parts can't be split.
  if (leaves <= 256) {
    whole.parts = std::make_shared<const std::vector<Dim>>(std::move(parts));
    whole.leaves = leaves;
  }
  (*result)[axis] = whole;
  return result;
}

LogicalResult ShapeInference::addSplit(const TasoOp &op, const Dims &operand,
                                       const Place &place, OpDims &dims) {
  if (op.axis >= operand.size())
    return place.emitError() << "expected an axis below " << operand.size()
                             << ", the rank, but got " << op.axis;
  const Dim &whole = operand[op.axis];
  if (!whole.parts)
    return place.emitError() << "split: axis " << op.axis
                             << " is not the axis of a concatenation";
  if (whole.parts->size() != op.numResults)
    return place.emitError() << "split: axis " << op.axis
                             << " was concatenated from " << whole.parts->size()
                             << " parts, but is split into " << op.numResults;
  for (const Dim &part : *whole.parts) {
    dims.results.push_back(operand);
    dims.results.back()[op.axis] = part;
  }
  return success();
}

FailureOr<Dims> ShapeInference::addMatmul(const Dims &left, const Dims &right,
                                          const Place &place) {
  size_t rank = left.size();
  Dims result = left;
  result.back() = right.back();
  for (size_t axis = 0; axis + 2 < rank; ++axis)
    if (failed(makeEqual(left[axis].size, right[axis].size, place)))
      return failure();
  if (failed(makeEqual(left[rank - 1].size, right[rank - 2].size, place)))
    return failure();
  return result;
}

/// Returns the symbol that replaces `value`; the second one is `name`2, and so
/// on.
static SymInt getSymbol(std::map<int64_t, SymInt> &symbols, int64_t value,
                        StringRef name) {
  std::string text = name.str();
  if (!symbols.empty())
    text += std::to_string(symbols.size() + 1);
  return symbols.try_emplace(value, SymInt::symbol(text)).first->second;
}

FailureOr<Dims> ShapeInference::addConv(const TasoOp &op, const Dims &data,
                                        const Dims &weight, const Place &place,
                                        bool isSource) {
  if (isSource && failed(makeEqual(data[1].size, weight[1].size, place)))
    return failure();
  Conv conv{place, data, weight, {}};
  Dims result = {data[0], weight[0]};
  static constexpr const char *strideNames[] = {"sh", "sw"};
  static constexpr const char *padNames[][2] = {{"pt", "pb"}, {"pl", "pr"}};
  for (unsigned axis : {0, 1}) {
    SymInt stride =
        getSymbol(strideSymbols[axis], op.strides[axis], strideNames[axis]);
    SymInt pads[2];
    // "Same" padding depends on the kernel size.
    for (unsigned end : {0, 1})
      if (op.samePadding)
        pads[end] = getSymbol(padSymbols[axis][end], op.kernel[axis],
                              padNames[axis][end]);
    conv.parameters.strides[axis] = stride;
    conv.parameters.padsLow[axis] = pads[0];
    conv.parameters.padsHigh[axis] = pads[1];
    SymInt input = data[2 + axis].size, kernel = weight[2 + axis].size;
    SymInt padding = pads[0] + pads[1];
    SymInt output = (input + padding - kernel).floorDiv(stride) + SymInt(1);
    sizes.addWindow({input, kernel, stride, padding, output});
    result.push_back(Dim(output));
  }
  convs.push_back(std::move(conv));
  return result;
}

FailureOr<ShapeInference::OpDims> ShapeInference::addOp(const TasoOp &op,
                                                        ArrayRef<Dims> operands,
                                                        const Place &place,
                                                        bool isSource) {
  OpDims dims;
  FailureOr<Dims> result;
  switch (op.kind) {
  case OpKind::Split:
    if (failed(addSplit(op, operands[0], place, dims)))
      return failure();
    return dims;
  case OpKind::Conv:
    dims.conv = convs.size();
    result = addConv(op, operands[0], operands[1], place, isSource);
    break;
  case OpKind::Matmul:
    result = addMatmul(operands[0], operands[1], place);
    break;
  case OpKind::Concat:
    result = addConcat(op.axis, operands, place);
    break;
  case OpKind::Relu:
  case OpKind::Add:
  case OpKind::Mul:
    result = addElementwise(operands, place);
    break;
  }
  if (failed(result))
    return failure();
  // Equating sizes with themselves detects those that are too large.
  for (const Dim &dim : *result)
    if (failed(makeEqual(dim.size, dim.size, place)))
      return failure();
  dims.results.push_back(*result);
  return dims;
}

LogicalResult ShapeInference::addSide(const Side &side, bool isSource,
                                      SideDims &dims) {
  Place place{file, rule.number, isSource ? "source" : "target"};
  for (auto [number, op] : llvm::enumerate(side)) {
    place.op = number;
    SmallVector<Dims, 0> operands;
    for (const TasoValue &value : op.operands)
      operands.push_back(value.isInput
                             ? inputs.find(value.number)->second
                             : dims[value.number].results[value.result]);
    FailureOr<OpDims> result = addOp(op, operands, place, isSource);
    if (failed(result))
      return failure();
    dims.push_back(std::move(*result));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The ratio of `whole` to `part`; 1 if it is not a constant.
static int64_t getRatio(const SymInt &whole, const SymInt &part) {
  if (part.getTerms().empty())
    return 1;
  const auto &[monomial, coefficient] = *part.getTerms().begin();
  auto found = whole.getTerms().find(monomial);
  if (found == whole.getTerms().end() || found->second % coefficient != 0)
    return 1;
  int64_t ratio = found->second / coefficient;
  return ratio > 1 && part * SymInt(ratio) == whole ? ratio : 1;
}

LogicalResult ShapeInference::makePartsEqual(const Dim &dim,
                                             const Place &place) {
  if (!dim.parts)
    return success();
  for (const Dim &part : *dim.parts)
    if (failed(makeEqual(dim.parts->front().size, part.size, place)))
      return failure();
  return success();
}

LogicalResult ShapeInference::chooseGroups(Conv &conv) {
  const Dim &channels = conv.data[1];
  const SymInt &perGroup = conv.weight[1].size;
  conv.parameters.groups =
      getRatio(sizes.resolve(channels.size), sizes.resolve(perGroup));
  if (conv.parameters.groups == 1)
    return failed(makeEqual(channels.size, perGroup, conv.place))
               ? failure()
               : sizes.retryWaiting();
  if (!equalChannels)
    return success();
  shapes.channelsMadeEqual = true;
  if (failed(makePartsEqual(channels, conv.place)) ||
      failed(makePartsEqual(conv.weight[0], conv.place)))
    return failure();
  return sizes.retryWaiting();
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

void ShapeInference::makeInputs(const RuleRanks &ranks) {
  for (auto [number, input] : ranks.inputs)
    for (unsigned axis = 0; axis < input.rank; ++axis)
      inputs[number].push_back(sizes.makeUnknown("i" + std::to_string(number) +
                                                 "." + std::to_string(axis)));
}

/// The letter for an axis.
static char getLetter(const RuleRanks::Input &input, unsigned axis) {
  StringRef letters;
  switch (input.role) {
  case Role::Weight:
    letters = "ocrs";
    break;
  case Role::Left:
    letters = "mk";
    break;
  case Role::Right:
    letters = "kn";
    break;
  case Role::Data:
  case Role::None:
    letters = input.rank == 1   ? "n"
              : input.rank == 2 ? "mn"
              : input.rank == 4 ? "nchw"
                                : "";
    break;
  }
  // Only the last axes have letters.
  size_t batch = input.rank - letters.size();
  return axis < batch ? 'b' : letters[axis - batch];
}

void ShapeInference::nameUnknowns() {
  llvm::StringSet<> used;
  auto nameIn = [&](const SymInt &size, char letter) {
    size.visitSymbols([&](StringRef unknown) {
      // Strides and pads already have names.
      if (names.count(unknown) || !unknown.contains('.'))
        return;
      std::string name(1, letter);
      for (unsigned next = 2; !used.insert(name).second; ++next)
        name = letter + std::to_string(next);
      names[unknown] = name;
    });
  };
  // Name sizes with a single symbol first: their axis determines the symbol's
  // meaning.
  for (bool alone : {true, false})
    for (const auto &[number, dims] : inputs)
      for (auto [axis, dim] : llvm::enumerate(dims)) {
        SymInt size = sizes.resolve(dim.size);
        if (!alone || size.getSymbol())
          nameIn(size, getLetter(ranks.inputs[number], axis));
      }
}

SymInt ShapeInference::rename(const SymInt &size) const {
  return sizes.resolve(size).substitute(
      [&](StringRef unknown) -> std::optional<SymInt> {
        auto found = names.find(unknown);
        if (found == names.end())
          return std::nullopt;
        return SymInt::symbol(found->second);
      });
}

void ShapeInference::addCondition(const SymInt &greater, const SymInt &least) {
  if (std::optional<int64_t> bound = (greater - least).lowerBound();
      bound && *bound >= 0)
    return;
  std::string text = greater.str() + " >= " + least.str();
  if (!llvm::is_contained(shapes.conditions, text))
    shapes.conditions.push_back(text);
}

RuleShapes ShapeInference::finish(const SideDims &source,
                                  const SideDims &target) {
  nameUnknowns();
  auto renameAll = [&](const Dims &dims) {
    Shape shape;
    for (const Dim &dim : dims)
      shape.push_back(rename(dim.size));
    return shape;
  };
  for (const auto &[number, dims] : inputs)
    shapes.inputs[number] = renameAll(dims);
  auto addOps = [&](const SideDims &side, std::vector<OpShapes> &ops) {
    for (const OpDims &op : side) {
      OpShapes &to = ops.emplace_back();
      for (const Dims &dims : op.results)
        to.results.push_back(renameAll(dims));
      if (op.conv < convs.size())
        to.conv = convs[op.conv].parameters;
    }
  };
  addOps(source, shapes.source);
  addOps(target, shapes.target);

  for (const SymInt &difference : sizes.getDifferences())
    addCondition(rename(difference), SymInt(0));
  for (const Conv &conv : convs) {
    SymInt channels = rename(conv.weight[0].size);
    SymInt groups(conv.parameters.groups);
    std::string text = groups.str() + " divides " + channels.str();
    if (channels.mod(groups).getConstant() != 0 &&
        !llvm::is_contained(shapes.conditions, text))
      shapes.conditions.push_back(text);
  }
  shapes.lifts = ranks.isFree;
  return std::move(shapes);
}

FailureOr<RuleShapes> ShapeInference::infer() {
  FailureOr<RuleRanks> inferred = inferRanks(rule, file);
  if (failed(inferred))
    return failure();
  ranks = *inferred;
  makeInputs(ranks);
  SideDims source, target;
  if (failed(addSide(rule.source, /*isSource=*/true, source)) ||
      failed(addSide(rule.target, /*isSource=*/false, target)))
    return failure();
  Place place{file, rule.number};
  for (const Output &output : rule.outputs) {
    const Dims &one =
        source[output.source.number].results[output.source.result];
    const Dims &other =
        target[output.target.number].results[output.target.result];
    for (auto [mine, its] : llvm::zip_equal(one, other))
      if (failed(makeEqual(mine.size, its.size, place)))
        return failure();
  }
  if (failed(sizes.retryWaiting()))
    return failure();
  for (Conv &conv : convs)
    if (StringRef(conv.place.side) == "target" && failed(chooseGroups(conv)))
      return failure();
  if (failed(sizes.settleWaiting()))
    return failure();
  return finish(source, target);
}

FailureOr<RuleShapes> tenon::taso::inferShapes(const Rule &rule, Location file,
                                               bool equalChannels) {
  return ShapeInference(rule, file, equalChannels).infer();
}
