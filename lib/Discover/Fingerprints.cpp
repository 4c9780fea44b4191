//===- Fingerprints.cpp - evaluation of small graphs ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Fingerprints.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;
using tenon::interpret::Tensor;

Fingerprints::Fingerprints(Terms &terms, uint64_t seed)
    : terms(terms), seed(seed) {
  drawPools();
}

static uint64_t combine(uint64_t a, uint64_t b) {
  uint64_t both[] = {a, b};
  return llvm::xxHash64(
      ArrayRef(reinterpret_cast<const uint8_t *>(both), sizeof(both)));
}

static uint64_t hash(const Tensor &tensor) {
  uint64_t result = tensor.getRank();
  for (int64_t size : tensor.getShape())
    result = combine(result, size);
  auto *bytes = reinterpret_cast<const uint8_t *>(tensor.data());
  return combine(result,
                 llvm::xxHash64(ArrayRef(bytes, tensor.getNumElements() *
                                                    sizeof(*tensor.data()))));
}

/// The order of the domain is a random one, in which 0 may be almost first or
/// last. Half of the numbers that are drawn shall be on either side.
void Fingerprints::drawPools() {
  constexpr int64_t count = 4096;
  OpBuilder builder(terms.getContext());
  Block block;
  builder.setInsertionPointToEnd(&block);
  auto type = RankedTensorType::get({count}, builder.getF32Type());
  Value argument = block.addArgument(type, builder.getUnknownLoc());
  auto relu =
      graph::ReluOp::create(builder, builder.getUnknownLoc(), type, argument);
  auto compiled = interpret::CompiledOp::compile(relu, terms.getDomain());
  FailureOr<Tensor> numbers = Tensor::allocate(builder.getF32Type(), {count});
  assert(succeeded(compiled) && succeeded(numbers) && "relu has an index form");
  for (int64_t place = 0; place < count; ++place)
    numbers->data()[place].residue = combine(seed, place) >> 4;
  std::string error;
  auto results = compiled->evaluate(*numbers, error);
  assert(succeeded(results) && "nothing is read by index");
  for (int64_t place = 0; place < count; ++place) {
    uint64_t number = numbers->data()[place].residue;
    bool isKept = results->front().data()[place].residue == number;
    (isKept ? positive : negative).push_back(number);
  }
}

/// Tensors that are equal on all machines, whatever was drawn before. Rows and
/// columns of one sign distinguish maxima, minima and what cuts at 0; each
/// number gives other signs than the one before.
Tensor Fingerprints::draw(unsigned kind, uint64_t number) {
  Tensor &tensor = drawn[{kind, number}];
  if (tensor)
    return tensor;
  Builder builder(terms.getContext());
  FailureOr<Tensor> fresh = Tensor::allocate(
      builder.getF32Type(), terms.getShape(terms.getInput(kind, 0)));
  assert(succeeded(fresh) && "inputs are small");
  uint64_t state = combine(combine(seed, kind), number);
  for (int64_t place = 0; place < fresh->getNumElements(); ++place) {
    uint64_t drawn = combine(state, place);
    bool isFirst = false;
    int64_t rest = place;
    for (int64_t size : llvm::reverse(fresh->getShape())) {
      isFirst |= rest % size == 0;
      rest /= size;
    }
    bool isNegative = isFirst ? number % 2 == 0 : drawn & 1;
    const std::vector<uint64_t> &pool =
        positive.empty() || (isNegative && !negative.empty()) ? negative
                                                              : positive;
    fresh->data()[place].residue = pool[(drawn >> 1) % pool.size()];
  }
  return tensor = *fresh;
}

Tensor Fingerprints::evaluateResult(ValueId value, ArrayRef<Tensor> operands) {
  FailureOr<SmallVector<Tensor>> results =
      terms.evaluateOp(terms.getOp(value), operands);
  // Nothing here reads by computed indices, and tensors are small.
  assert(succeeded(results) && "ops of valid terms are evaluated");
  return (*results)[terms.getResult(value)];
}

const Fingerprints::Samples &Fingerprints::find(ValueId value) {
  // Naming inputs anew takes longer than all else, and few operands are met
  // millions of times.
  auto [known, isNew] = canonicalForms.try_emplace(value);
  if (isNew)
    known->second = *terms.substitute(value, terms.canonicalize(value));
  ValueId canonical = known->second;
  auto found = kept.find(canonical);
  if (found != kept.end())
    return found->second;
  assert(terms.isInput(value) && "operands are kept");
  Samples input;
  input.base = draw(terms.getKind(value), 0);
  input.changed.push_back(draw(terms.getKind(value), 1));
  return kept.try_emplace(canonical, std::move(input)).first->second;
}

Fingerprints::Samples Fingerprints::sample(ValueId value) {
  SmallVector<ValueId, 2> operands = terms.getOp(value).operands;
  SmallVector<SmallVector<ValueId, 8>, 2> inputs;
  SmallVector<Samples, 2> samples;
  SmallVector<Tensor> base;
  for (ValueId operand : operands) {
    inputs.push_back(terms.listInputs(operand));
    samples.push_back(find(operand));
    base.push_back(samples.back().base);
  }
  Samples result;
  result.base = evaluateResult(value, base);
  for (ValueId input : terms.listInputs(value)) {
    SmallVector<Tensor> changed = base;
    for (size_t number = 0; number < operands.size(); ++number) {
      auto *place = llvm::find(inputs[number], input);
      if (place != inputs[number].end())
        changed[number] =
            samples[number].changed[place - inputs[number].begin()];
    }
    result.changed.push_back(evaluateResult(value, changed));
  }
  return result;
}

void Fingerprints::keep(ValueId value) {
  ValueId canonical = *terms.substitute(value, terms.canonicalize(value));
  if (!terms.isInput(value) && !kept.count(canonical))
    kept[canonical] = sample(value);
}

Fingerprints::Sketch Fingerprints::sketch(ValueId value) {
  Samples samples = terms.isInput(value) ? find(value) : sample(value);
  uint64_t base = hash(samples.base);
  struct Effect {
    unsigned kind;
    uint64_t hash;
    ValueId input;
  };
  SmallVector<Effect, 6> effects;
  for (auto [input, changed] :
       llvm::zip_equal(terms.listInputs(value), samples.changed))
    if (uint64_t effect = hash(changed); effect != base)
      effects.push_back({terms.getKind(input), effect, input});
  auto key = [](const Effect &effect) {
    return std::pair(effect.kind, effect.hash);
  };
  llvm::sort(effects, [&](const Effect &a, const Effect &b) {
    return std::pair(key(a), a.input) < std::pair(key(b), b.input);
  });
  Sketch sketch;
  sketch.hash = combine(base, effects.size());
  for (auto [place, effect] : llvm::enumerate(effects)) {
    sketch.hash = combine(combine(sketch.hash, effect.kind), effect.hash);
    sketch.inputs.push_back(effect.input);
    if (place + 1 == effects.size() || key(effect) != key(effects[place + 1]))
      sketch.ties.push_back(place + 1);
  }
  return sketch;
}

Tensor Fingerprints::evaluate(ValueId value,
                              llvm::DenseMap<OpId, SmallVector<Tensor>> &known,
                              const Renaming &places) {
  if (terms.isInput(value)) {
    for (auto [input, place] : places)
      if (input == value)
        return draw(terms.getKind(value), 2 + place);
    return draw(terms.getKind(value), 0); // nothing depends on it
  }
  OpId id = terms.getOpId(value);
  auto found = known.find(id);
  if (found == known.end()) {
    SmallVector<Tensor> operands;
    for (ValueId operand : terms.getOpAt(id).operands)
      operands.push_back(evaluate(operand, known, places));
    FailureOr<SmallVector<Tensor>> results =
        terms.evaluateOp(terms.getOpAt(id), operands);
    assert(succeeded(results) && "ops of valid terms are evaluated");
    found = known.try_emplace(id, std::move(*results)).first;
  }
  return found->second[terms.getResult(value)];
}

uint64_t Fingerprints::distinguish(ValueId value, Sketch &sketch) {
  SmallVector<ValueId, 6> order = sketch.inputs, best;
  uint64_t least = UINT64_MAX;
  auto tryOrder = [&] {
    Renaming places;
    for (auto [place, input] : llvm::enumerate(order))
      places.push_back({input, static_cast<ValueId>(place)});
    llvm::DenseMap<OpId, SmallVector<Tensor>> known;
    uint64_t found = hash(evaluate(value, known, places));
    if (best.empty() || found < least) {
      least = found;
      best = order;
    }
  };
  // All orders of each run, by recursion over runs.
  auto permute = [&](auto &permute, size_t run) -> void {
    if (run == sketch.ties.size())
      return tryOrder();
    auto *begin = order.begin() + (run == 0 ? 0 : sketch.ties[run - 1]);
    auto *end = order.begin() + sketch.ties[run];
    std::sort(begin, end);
    do
      permute(permute, run + 1);
    while (std::next_permutation(begin, end));
  };
  permute(permute, 0);
  sketch.inputs = best;
  return least;
}
