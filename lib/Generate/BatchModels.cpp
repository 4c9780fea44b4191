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
        value.axis == other.axis && value.rows == other.rows)
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

bool BatchGenerator::put(Value value, unsigned axis, const SymInt &rows) {
  if (!value)
    return false;
  model.claimed.axes[value] = {axis, rows, false};
  sampled.push_back({value, axis, rows});
  return true;
}

void BatchGenerator::claimUniform(Value value, unsigned axis,
                                  const SymInt &rows) {
  if (value)
    model.claimed.axes[value] = {axis, rows, true};
}

bool BatchGenerator::combine(const Sampled &x, Value other) {
  return other && other.getType() == x.value.getType() &&
         put(build(chance(60) ? "add" : "mul", {x.value, other}), x);
}

Value BatchGenerator::repeat(Value value, const Shape &shape,
                             const Sampled &like) {
  Value result = build("broadcast", {value}, {sizes("shape", shape)});
  claimUniform(result, like.axis, like.rows);
  return result;
}

Sampled BatchGenerator::insertAxis(const Sampled &x, unsigned place) {
  Shape shape = x.getShape();
  shape.insert(shape.begin() + place, SymInt(1));
  unsigned axis = x.axis + (place <= x.axis ? 1 : 0);
  if (!put(build("reshape", {x.value}, {sizes("shape", shape)}), axis, x.rows))
    return {};
  return sampled.back();
}

Value BatchGenerator::newIndices(const Shape &shape, const SymInt &limit) {
  auto argument = cast<BlockArgument>(newInput(shape, builder.getI64Type()));
  model.limits[argument.getArgNumber()] = limit;
  if (!shape.empty() && shape.front() == n)
    model.claimed.axes[argument] = {0, 1, false};
  return argument;
}

Value BatchGenerator::iota(const Shape &shape, unsigned axis, Type element) {
  return build("iota", {},
               {sizes("shape", shape), integer("axis", axis),
                attribute("element", TypeAttr::get(element))});
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

void BatchGenerator::finishModel() {
  SmallVector<Value> results{sampled.back().value};
  if (chance(30))
    results.push_back(sampled[below(sampled.size())].value);
  if (chance(10))
    results.push_back(build("relu", {newWhole({SymInt(between(1, 3))})}));
  results.append(returned.begin(), returned.end());
  model.module = finish(results);
}

BatchModel BatchGenerator::generate(unsigned ops) {
  ScopedDiagnosticHandler silence(builder.getContext(),
                                  [](Diagnostic &) { return success(); });
  begin();
  model.claimed.size = n;
  addArguments();
  unsigned tricks = chance(50) ? between(1, 2) : 0;
  for (unsigned step = 0; step < ops; ++step) {
    std::string name;
    bool isTrick = static_cast<unsigned>(below(ops - step)) < tricks;
    bool added = addOneOf(isTrick ? listTricks() : listSampleSteps(), name);
    if (!isTrick)
      continue;
    --tricks;
    // One that does not fit may have left what it began with.
    model.tricks.push_back(added ? name : "begun " + name);
  }
  finishModel();
  return std::move(model);
}

BatchModel tenon::generate::generateBatchModel(MLIRContext *context,
                                               uint64_t seed, unsigned ops) {
  return BatchGenerator(context, seed).generate(ops);
}
