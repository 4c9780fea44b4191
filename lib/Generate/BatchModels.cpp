//===- BatchModels.cpp - random models over samples -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchGenerator.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tenon::generate;
using namespace tenon::graph;

/// How often a step is tried to be added.
static constexpr unsigned kAttempts = 12;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Sampled BatchGenerator::pickSampled(unsigned minRank) {
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    size_t back =
        std::min<size_t>(below(sampled.size()), below(sampled.size()));
    const Sampled &found = sampled[sampled.size() - 1 - back];
    if (elementOf(found.value) == f32() && rankOf(found.value) >= minRank)
      return found;
  }
  return {};
}

Sampled BatchGenerator::pickLike(const Sampled &other) {
  std::vector<Sampled> fitting;
  for (const Sampled &value : sampled)
    if (value.value.getType() == other.value.getType() &&
        value.axis == other.axis && value.rows == other.rows &&
        value.outer == other.outer)
      fitting.push_back(value);
  return fitting[below(fitting.size())];
}

std::optional<unsigned> BatchGenerator::pickOther(const Sampled &x,
                                                  bool isConstant) {
  SmallVector<unsigned> fitting;
  for (auto [axis, size] : llvm::enumerate(x.getShape()))
    if (axis != x.axis && (!isConstant || size.isConstant()))
      fitting.push_back(axis);
  if (fitting.empty())
    return std::nullopt;
  return fitting[below(fitting.size())];
}

bool BatchGenerator::put(Value value, unsigned axis, const SymInt &rows,
                         const SymInt &outer) {
  if (!value)
    return false;
  Sampled added{value, axis, rows, outer};
  if (added.isPlain() && numberOf(added) == n)
    model.claimed.axes[value] = {axis, rows, false};
  model.cut.axes[value] = {axis, rows, false, outer};
  sampled.push_back(added);
  return true;
}

void BatchGenerator::claimUniform(Value value, unsigned axis,
                                  const SymInt &rows, const SymInt &outer) {
  if (!value)
    return;
  Sampled claimed{value, axis, rows, outer};
  if (claimed.isPlain() && numberOf(claimed) == n)
    model.claimed.axes[value] = {axis, rows, true};
  model.cut.axes[value] = {axis, rows, true, outer};
}

bool BatchGenerator::combine(const Sampled &x, Value other) {
  return other && other.getType() == x.value.getType() &&
         put(build(chance(60) ? "add" : "mul", {x.value, other}), x);
}

bool BatchGenerator::putPooled(Value value, Pooling pooling) {
  if (!value)
    return false;
  model.claimed.pooled[value] = model.cut.pooled[value] = pooling;
  pooled.push_back(value);
  if (rankOf(value) == 0)
    alsoReturn(value);
  return true;
}

Value BatchGenerator::pickPooled() {
  return pooled.empty() ? Value() : pooled[below(pooled.size())];
}

Value BatchGenerator::repeat(Value value, const Shape &shape,
                             const Sampled &like) {
  Value result = build("broadcast", {value}, {sizes("shape", shape)});
  claimUniform(result, like.axis, like.rows, like.outer);
  return result;
}

Sampled BatchGenerator::insertAxis(const Sampled &x, unsigned place) {
  Shape shape = x.getShape();
  shape.insert(shape.begin() + place, SymInt(1));
  unsigned axis = x.axis + (place <= x.axis ? 1 : 0);
  return putNew(reshape(x.value, shape), axis, x.rows, x.outer);
}

Value BatchGenerator::newIndices(const Shape &shape, const SymInt &limit) {
  auto argument = cast<BlockArgument>(newInput(shape, builder.getI64Type()));
  model.limits[argument.getArgNumber()] = limit;
  const SymInt *samples = llvm::find_if(
      shape, [&](const SymInt &size) { return size == n || size == m; });
  if (samples == shape.end())
    return argument;
  unsigned axis = samples - shape.begin();
  if (*samples == n)
    model.claimed.axes[argument] = {axis, 1, false};
  model.cut.axes[argument] = {axis, 1, false};
  return argument;
}

Value BatchGenerator::iota(const Shape &shape, unsigned axis, Type element) {
  return build("iota", {},
               {sizes("shape", shape), integer("axis", axis),
                attribute("element", TypeAttr::get(element))});
}

Value BatchGenerator::sliceAxis(Value x, unsigned axis, const SymInt &start,
                                const SymInt &count, int64_t step) {
  if (!x)
    return {};
  Shape shape = graph::getShape(x), starts(shape.size(), SymInt(0));
  SmallVector<int64_t> steps(shape.size(), 1);
  starts[axis] = start;
  shape[axis] = count;
  steps[axis] = step;
  return build(
      "slice", {x},
      {sizes("starts", starts), sizes("sizes", shape), ints("steps", steps)});
}

Value BatchGenerator::spread(Value x, const Shape &shape, unsigned axis) {
  if (!x)
    return {};
  Shape thin(shape.size(), SymInt(1));
  thin[axis] = shape[axis];
  return broadcast(thin.size() == 1 ? x : reshape(x, thin), shape);
}

SymInt BatchGenerator::numberOf(const Sampled &x) const {
  bool isOther = false;
  x.getShape()[x.axis].visitSymbols(
      [&](StringRef name) { isOther |= name == m.getSymbol(); });
  return isOther ? m : n;
}

SymInt BatchGenerator::anyCounted() {
  switch (below(8)) {
  case 0:
    return SymInt(2) * n;
  case 1:
    return n + SymInt(1);
  case 2:
    return SymInt::max(n, SymInt(2));
  case 3:
    return SymInt::min(n, SymInt(3));
  case 4:
    return (n + SymInt(1)).floorDiv(SymInt(2));
  default:
    return n;
  }
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// Sizes that are not constants have names that a theorem about parts uses,
/// too.
void BatchGenerator::addArguments() {
  auto anySize = [&] {
    return chance(10) ? SymInt::symbol(pick<StringRef>(
                            {"k", "batch_count", "batch_rows", "batch_begin"}))
                      : SymInt(between(1, 4));
  };
  for (unsigned number = chance(40) ? 2 : 1; number > 0; --number) {
    Shape shape;
    for (unsigned rank = chance(10) ? 0 : between(1, 3); rank > 0; --rank)
      shape.push_back(anySize());
    unsigned axis = sampled.empty() || chance(60) ? 0 : below(shape.size() + 1);
    shape.insert(shape.begin() + axis, n);
    put(newWhole(shape), axis, 1);
  }
}

bool BatchGenerator::addOneOf(ArrayRef<Step> steps, std::string &name) {
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    const Step &step = steps[below(steps.size())];
    name = step.name;
    if (step.add(*this))
      return true;
  }
  return false;
}

const BatchGenerator::Kind &BatchGenerator::pickKind() {
  return kinds.size() == 1 ? kinds.front() : kinds[below(kinds.size())];
}

void BatchGenerator::returnUnused(SmallVectorImpl<Value> &results) {
  for (const Sampled &value : sampled)
    if (value.value.use_empty() && value.value.getDefiningOp() &&
        !llvm::is_contained(results, value.value) && chance(70))
      results.push_back(value.value);
}

void BatchGenerator::finishModel() {
  SmallVector<Value> results{sampled.back().value};
  if (chance(30))
    results.push_back(sampled[below(sampled.size())].value);
  if (chance(10))
    results.push_back(build("relu", {newWhole({SymInt(between(1, 3))})}));
  if (hasFurther)
    returnUnused(results);
  results.append(returned.begin(), returned.end());
  model.module = finish(results);
}

BatchModel BatchGenerator::generate(unsigned ops) {
  ScopedDiagnosticHandler silence(builder.getContext(),
                                  [](Diagnostic &) { return success(); });
  if (kinds.size() > 1) {
    std::vector<Kind> all = kinds;
    llvm::erase_if(kinds, [&](const Kind &kind) {
      return chance(kind.name == "basic" ? 25 : 65);
    });
    if (kinds.empty())
      kinds.push_back(all[below(all.size())]);
  }
  hasFurther = kinds.size() > 1 || kinds.front().name != "basic";
  for (const Kind &kind : kinds)
    model.kinds.push_back(kind.name);
  // Short models show more of an analysis that refuses much.
  if (hasFurther && ops > 3 && chance(40))
    ops = between(1, 3);
  begin();
  model.claimed.size = model.cut.size = n;
  addArguments();
  unsigned tricks = chance(50) ? between(1, 2) : 0;
  for (unsigned step = 0; step < ops; ++step) {
    std::string name;
    bool isTrick = static_cast<unsigned>(below(ops - step)) < tricks;
    const Kind &kind = pickKind();
    bool added = addOneOf(isTrick ? kind.tricks : kind.steps, name);
    if (kind.name != "basic")
      name.insert(0, kind.name + "/");
    if (added && !isTrick)
      model.steps.push_back(name);
    if (!isTrick)
      continue;
    --tricks;
    // One that does not fit may have left what it began with.
    model.tricks.push_back(added ? name : "begun " + name);
  }
  finishModel();
  return std::move(model);
}

static std::vector<BatchGenerator::Kind> listKinds() {
  return {{"basic", listSampleSteps(), listTricks()},
          {"merges", listMerges(), listMergeTricks()},
          {"positions", listPositions(), listPositionTricks()},
          {"masks", listMasks(), listMaskTricks()},
          {"repeats", listRepeats(), listRepeatTricks()},
          {"losses", listLosses(), listLossTricks()},
          {"symbols", listSymbols(), listSymbolTricks()}};
}

std::vector<std::string> tenon::generate::listBatchKinds() {
  std::vector<std::string> names;
  for (const BatchGenerator::Kind &kind : listKinds())
    names.push_back(kind.name);
  return names;
}

BatchModel tenon::generate::generateBatchModel(MLIRContext *context,
                                               uint64_t seed, unsigned ops,
                                               ArrayRef<std::string> kinds) {
  std::vector<BatchGenerator::Kind> chosen;
  for (BatchGenerator::Kind &kind : listKinds())
    if (llvm::is_contained(kinds, kind.name))
      chosen.push_back(std::move(kind));
  return BatchGenerator(context, seed, std::move(chosen)).generate(ops);
}
