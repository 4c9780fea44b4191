//===- NasRnn.cpp - a recurrent cell found by search ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelOptions.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::zoo;

static constexpr int kGates = 8;

/// One step of the cell: eight sums of a product with x and one with the state,
/// joined pairwise as a tree.
static Value buildStep(ModelBuilder &b, Value x, Value state,
                       const Twine &name) {
  int64_t hidden = *getShape(state).back().getConstant();
  auto product = [&](Value v, const Twine &weight) {
    return b.op<MatmulOp>(v, b.parameter(weight, {hidden, hidden}),
                          /*transpose_a=*/false, /*transpose_b=*/false);
  };
  SmallVector<Value> gate;
  for (int i = 0; i < kGates; ++i) {
    std::string part = (name + ".gate" + Twine(i)).str();
    Value ofInput = product(x, part + ".input");
    gate.push_back(b.add(ofInput, product(state, part + ".state")));
  }
  enum Kind { Relu, Sigmoid, Tanh };
  auto apply = [&](Kind kind, Value v) -> Value {
    if (kind == Relu)
      return b.relu(v);
    return kind == Sigmoid ? b.op<SigmoidOp>(v) : b.op<TanhOp>(v);
  };
  auto sum = [&](Kind left, Value v, Kind right, Value w) {
    v = apply(left, v);
    return b.add(v, apply(right, w));
  };
  auto multiply = [&](Kind left, Value v, Kind right, Value w) {
    v = apply(left, v);
    return b.op<MulOp>(v, apply(right, w));
  };
  Value m0 = sum(Relu, gate[0], Sigmoid, gate[3]);
  Value m1 = sum(Sigmoid, gate[1], Tanh, gate[2]);
  Value m2 = multiply(Sigmoid, gate[4], Tanh, gate[5]);
  Value m3 = multiply(Sigmoid, gate[6], Relu, gate[7]);
  Value m4 = sum(Sigmoid, m1, Tanh, m2);
  Value m5 = multiply(Tanh, m0, Tanh, m3);
  return apply(Tanh, multiply(Tanh, m4, Tanh, m5));
}

/// The recurrent cell of Zoph and Le (ICLR 2017) as TASO (SOSP 2019) ran it:
/// five steps of width 512, each with weights of its own, so that no step can
/// share work with another.
OwningOpRef<ModuleOp> tenon::zoo::buildNasRnn(MLIRContext *context,
                                              const ModelOptions &options) {
  ModelBuilder b(context);
  int64_t hidden = options.pick(512, 64), steps = options.pick(5, 2);
  SmallVector<ModelBuilder::Input> inputs;
  auto addInput = [&](const Twine &name) {
    inputs.push_back({name.str(), {options.batch, hidden}, b.f32()});
  };
  addInput("state");
  for (int64_t step = 0; step < steps; ++step)
    addInput("x" + Twine(step));
  SmallVector<Value> values = b.begin(inputs);
  Value state = values[0];
  for (int64_t step = 0; step < steps; ++step)
    state = buildStep(b, values[1 + step], state, "step" + Twine(step));
  return b.finish({{"output", state}});
}
