//===- RandomInputs.cpp - inputs of random graphs -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomInputs.h"

#include "tenon/Artifact/InputSpec.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Interpret/TensorConversion.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using namespace tenon::interpret;

/// Symbols get sizes that differ, so that a mix-up shows.
static int64_t sizeOfSymbol(StringRef name, uint64_t seed) {
  return name == "n" ? 1 + seed % 5 : 2 + seed / 5 % 4;
}

static std::vector<int64_t> inputShape(Type type, uint64_t seed) {
  std::vector<int64_t> shape;
  for (const graph::SymInt &size : graph::getShape(type))
    shape.push_back(*size.evaluate([&](StringRef name) {
      return std::optional<int64_t>(sizeOfSymbol(name, seed));
    }));
  return shape;
}

/// The text of an input spec without its name. The values depend on the name,
/// so that they stay when other inputs are dropped.
static std::string inputSpec(Type type, uint64_t seed, StringRef name) {
  uint64_t number = 0;
  (void)name.drop_front().getAsInteger(10, number);
  std::string text = "random:" + std::to_string(seed + number) + ":";
  std::vector<int64_t> shape = inputShape(type, seed);
  if (shape.empty())
    text += "scalar";
  for (size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis ? "x" : "") + std::to_string(shape[axis]);
  Type element = getElementTypeOrSelf(type);
  if (isa<FloatType>(element))
    return text + ":uniform(-2,2)";
  if (element.isInteger(1))
    return text + ":int(0,2)";
  return text + (element.isUnsignedInteger() ? ":int(0,7)" : ":int(-4,5)");
}

std::vector<std::string> tenon::fuzz::listInputArguments(func::FuncOp function,
                                                         uint64_t seed) {
  std::vector<std::string> arguments;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    auto name = function.getArgAttrOfType<StringAttr>(number, "graph.name");
    arguments.push_back("--input");
    arguments.push_back(
        name.str() + "=" +
        inputSpec(function.getArgumentTypes()[number], seed, name.getValue()));
  }
  arguments.push_back("--params");
  arguments.push_back("random:" + std::to_string(seed));
  return arguments;
}

FailureOr<SmallVector<Tensor>> tenon::fuzz::drawInputs(func::FuncOp function,
                                                       uint64_t seed,
                                                       std::string &error) {
  SmallVector<Tensor> inputs;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    Type type = function.getArgumentTypes()[number];
    auto name = function.getArgAttrOfType<StringAttr>(number, "graph.name");
    auto spec =
        artifact::parseInputSpec(inputSpec(type, seed, name.getValue()));
    if (!spec) {
      error = spec.error();
      return failure();
    }
    auto data = artifact::loadInput(*spec, name.str(), name.str(),
                                    getDType(getElementTypeOrSelf(type)),
                                    inputShape(type, seed));
    if (!data) {
      error = data.error();
      return failure();
    }
    FailureOr<Tensor> tensor = fromData(*data, function.getContext(), Domain());
    if (failed(tensor)) {
      error = "out of memory";
      return failure();
    }
    inputs.push_back(*tensor);
  }
  return inputs;
}

bool tenon::fuzz::isDynamic(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), [](Type type) {
    return !cast<RankedTensorType>(type).hasStaticShape();
  });
}

std::string tenon::fuzz::shorten(StringRef text) {
  SmallVector<StringRef> lines;
  text.trim().split(lines, '\n', 4);
  if (lines.size() > 4)
    lines.pop_back();
  return llvm::join(lines, "\n");
}
