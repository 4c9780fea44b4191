//===- Buffers.cpp - weights that are no parameters -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>
#include <map>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;

/// The nodes of a graph have names such as permute, permute_1, ...
static StringRef getNodeName(StringRef name) {
  auto [node, number] = name.rsplit('_');
  bool isNumbered = !number.empty() && llvm::all_of(number, llvm::isDigit);
  return isNumbered ? node : name;
}

/// Values that a model makes when it runs are no parameters.
static bool isCreated(StringRef node) {
  return node == "arange" || node == "full" || node == "linspace" ||
         node == "ones" || node == "zeros";
}

bool tenon::onnx::isExportersName(StringRef name) {
  if (name.starts_with("onnx::") ||
      (name.starts_with("/") && name.contains("Constant")) ||
      name.starts_with("_tensor_constant") ||
      name.starts_with("scalar_tensor") || name.contains("lifted_tensor"))
    return true;
  StringRef node = getNodeName(name);
  static const llvm::StringSet<> nodes = {
      "cat",     "clone",   "exp",       "expand",    "getitem",
      "index",   "permute", "reshape",   "select",    "slice",
      "squeeze", "t",       "transpose", "unsqueeze", "view"};
  return nodes.contains(node) || isCreated(node) ||
         (node == "val" && node != name);
}

//===----------------------------------------------------------------------===//
// The contents of tensors
//===----------------------------------------------------------------------===//

/// How far numbers of a table are from what they follow: by the error of the
/// angles of a long table in f32, or by rounding to 16 bits.
static double getTolerance(const OnnxTensor &tensor) {
  switch (tensor.dtype) {
  case artifact::DType::F16:
    return 4e-3;
  case artifact::DType::BF16:
    return 3e-2;
  default:
    return 1e-3;
  }
}

namespace {
/// A tensor, as lines along one axis of a shape.
class Lines {
public:
  Lines(const OnnxTensor &tensor, ArrayRef<int64_t> shape, size_t axis)
      : tensor(tensor), size(shape[axis]), count(tensor.numElements() / size),
        tolerance(getTolerance(tensor)) {
    for (int64_t inner : shape.drop_front(axis + 1))
      stride *= inner;
  }

  double get(int64_t line, int64_t step) const {
    return tensor.getNumber(line / stride * stride * size + line % stride +
                            step * stride);
  }

  const OnnxTensor &tensor;
  int64_t size, count, stride = 1;
  double tolerance;
};

/// Straight lines are arithmetic progressions.
enum class Line { Constant, Straight, Sine, Geometric, Other };
} // namespace

/// The relative error of the middle of a geometric progression.
static constexpr double kMiddleTolerance = 1e-2;
/// Between the ends of a geometric progression: frequencies have more.
static constexpr double kLeastRatio = 8;
/// Numbers that no line has by chance, beside those that define it.
static constexpr int64_t kLeastSteps = 6;
/// The least number of rows and of columns of a grid.
static constexpr int64_t kLeastSide = 6;
/// The largest number of points that are divided into rows in all ways.
static constexpr int64_t kMostPoints = 1 << 14;

bool tenon::onnx::isUniform(const OnnxTensor &tensor) {
  for (int64_t i = 1; i < tensor.numElements(); ++i)
    if (tensor.getNumber(i) != tensor.getNumber(0))
      return false;
  return true;
}

/// Numbers that are added to scores before a softmax: 0, or so small that
/// nothing remains. Windows that are shifted (Swin) add the same -100.
static bool isAdditiveMask(const OnnxTensor &tensor) {
  bool hides = true, hasZero = false;
  std::set<double> numbers;
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    double number = tensor.getNumber(i);
    hides &= number <= -1e4 || number == 0 || number == 1;
    hasZero |= number == 0;
    numbers.insert(number);
    if (!hides && (numbers.size() > 2 || !(number <= 0)))
      return false;
  }
  double least = *numbers.begin();
  return hides ? least <= -1e4
               : hasZero && numbers.size() == 2 && least <= -100;
}

/// Ones at the start or at the end of each row, of three lengths and more, and
/// zeros, as of a causal mask. An identity is none: recurrent layers start as
/// one.
static bool isTriangle(const OnnxTensor &tensor) {
  if (tensor.shape.size() < 2 || tensor.numElements() == 0)
    return false;
  Lines rows(tensor, tensor.shape, tensor.shape.size() - 1);
  for (bool fromStart : {true, false}) {
    bool fits = true;
    std::set<int64_t> lengths;
    for (int64_t row = 0; row < rows.count && fits; ++row) {
      int64_t ones = 0;
      for (int64_t step = 0; step < rows.size && fits; ++step) {
        double number = rows.get(row, fromStart ? step : rows.size - 1 - step);
        fits = number == 0 || (number == 1 && ones == step);
        ones += number == 1;
      }
      lengths.insert(ones);
    }
    if (fits && lengths.size() >= 3)
      return true;
  }
  return false;
}

/// Whether each step follows from those before. A sampled sine has
/// x[i - 1] + x[i + 1] = c x[i] with |c| <= 2, a straight line with c = 2.
static Line classify(const Lines &lines, int64_t line) {
  const double tolerance = lines.tolerance;
  double largest = 0, pivot = 0;
  int64_t at = 1;
  for (int64_t i = 0; i < lines.size; ++i) {
    double number = lines.get(line, i);
    if (!std::isfinite(number))
      return Line::Other;
    largest = std::max(largest, std::abs(number));
    if (i > 0 && i + 1 < lines.size && std::abs(number) > pivot) {
      pivot = std::abs(number);
      at = i;
    }
  }
  double first = lines.get(line, 0);
  double factor = pivot == 0
                      ? 2
                      : (lines.get(line, at - 1) + lines.get(line, at + 1)) /
                            lines.get(line, at);
  bool isConstant = true, isStraight = true, isGeometric = true,
       isSine = std::abs(factor) <= 2 + tolerance;
  for (int64_t i = 1; i < lines.size; ++i) {
    double before = lines.get(line, i - 1), here = lines.get(line, i);
    isConstant &= here == first;
    if (i + 1 == lines.size)
      break;
    double ends = before + lines.get(line, i + 1);
    isStraight &= std::abs(ends - 2 * here) <= tolerance * largest;
    isSine &= std::abs(ends - factor * here) <= tolerance * largest;
    isGeometric &=
        here != 0 && std::abs(before * lines.get(line, i + 1) / here - here) <=
                         tolerance * std::abs(here);
  }
  // A tensor that hardly changes is as near to one as to the other.
  double last = lines.get(line, lines.size - 1);
  // Each step of a long line may look so, but not the middle of it.
  int64_t middle = lines.size / 2;
  double share = double(middle) / double(lines.size - 1);
  double expected = first * std::pow(last / first, share);
  isGeometric &= std::abs(lines.get(line, middle) - expected) <=
                 std::max(kMiddleTolerance, tolerance) * std::abs(expected);
  isGeometric &= std::max(std::abs(first), std::abs(last)) >=
                 kLeastRatio * std::min(std::abs(first), std::abs(last));
  return isConstant    ? Line::Constant
         : isGeometric ? Line::Geometric
         : isStraight  ? Line::Straight
         : isSine      ? Line::Sine
                       : Line::Other;
}

/// Counts the lines of each kind. Ends as soon as they can't be a table.
static std::map<Line, int64_t> classifyAll(const Lines &lines) {
  std::map<Line, int64_t> found;
  for (int64_t line = 0; line < lines.count && !found[Line::Other] &&
                         2 * found[Line::Constant] <= lines.count;
       ++line)
    ++found[classify(lines, line)];
  return found;
}

/// Some of each but no other: low frequencies are straight lines, which alone
/// are no table.
static bool areWaves(std::map<Line, int64_t> found, int64_t count) {
  return !found[Line::Other] && found[Line::Sine] &&
         2 * found[Line::Constant] <= count;
}

/// Sines and cosines of the two coordinates of a grid, whose points are one
/// axis: half of the numbers follow each.
static bool isGrid(const OnnxTensor &tensor, size_t axis) {
  if (tensor.shape[axis] > kMostPoints)
    return false;
  SmallVector<int64_t> shape(tensor.shape);
  shape.insert(shape.begin() + axis, 0);
  for (int64_t rows = kLeastSide; rows * kLeastSide <= tensor.shape[axis];
       ++rows) {
    if (tensor.shape[axis] % rows)
      continue;
    shape[axis] = rows;
    shape[axis + 1] = tensor.shape[axis] / rows;
    Lines down(tensor, shape, axis), along(tensor, shape, axis + 1);
    if (areWaves(classifyAll(down), down.count) &&
        areWaves(classifyAll(along), along.count))
      return true;
  }
  return false;
}

/// Whether the largest number is that of sines. Reads the whole tensor.
static bool reachesOne(const OnnxTensor &tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    largest = std::max(largest, std::abs(tensor.getNumber(i)));
  return largest >= 0.9 && largest <= 1 + getTolerance(tensor);
}

/// Frequencies, or sines and cosines of positions.
static bool isTable(const OnnxTensor &tensor) {
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    if (tensor.shape[axis] < kLeastSteps)
      continue;
    Lines lines(tensor, tensor.shape, axis);
    std::map<Line, int64_t> found = classifyAll(lines);
    if (found[Line::Geometric] == lines.count)
      return true;
    // The lines along all points of a grid are neither.
    if ((areWaves(found, lines.count) ||
         (found[Line::Other] && isGrid(tensor, axis))) &&
        reachesOne(tensor))
      return true;
  }
  return false;
}

StringRef tenon::onnx::findBufferReason(const OnnxTensor &tensor) {
  if (tensor.numElements() == 0)
    return "";
  if (isAdditiveMask(tensor) || isTriangle(tensor))
    return "a mask";
  if (isCreated(getNodeName(tensor.name)))
    return "a constant of the exporter";
  if (isTable(tensor))
    return "a table";
  return "";
}

bool tenon::onnx::isTransposeOf(const OnnxTensor &other,
                                const OnnxTensor &tensor) {
  if (tensor.shape.size() != 2 || other.shape.size() != 2 ||
      other.dtype != tensor.dtype || other.shape[0] != tensor.shape[1] ||
      other.shape[1] != tensor.shape[0] || isUniform(tensor))
    return false;
  int64_t rows = tensor.shape[0], columns = tensor.shape[1];
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      if (!(tensor.getNumber(row * columns + column) ==
            other.getNumber(column * rows + row)))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// How it is used
//===----------------------------------------------------------------------===//

/// As the weights of a loss, or by index, as in a loss of several nodes.
static bool weighsClasses(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto loss = dyn_cast<graph::NllLossOp>(op))
    return loss.getWeight() == use.get();
  if (auto loss = dyn_cast<graph::SoftmaxCrossEntropyOp>(op))
    return loss.getWeight() == use.get();
  if (isa<graph::GatherOp, graph::GatherNdOp, graph::GatherElementsOp>(op))
    return use.getOperandNumber() == 0;
  return isa<graph::ReshapeOp, graph::BroadcastOp, graph::CastOp>(op) &&
         !op->use_empty() && llvm::all_of(op->getUses(), weighsClasses);
}

void tenon::onnx::markClassWeights(func::FuncOp function) {
  for (auto parameter : function.getOps<graph::ParameterOp>())
    if (cast<RankedTensorType>(parameter.getType()).getRank() == 1 &&
        !parameter.getBuffer() && !parameter->use_empty() &&
        llvm::all_of(parameter->getUses(), weighsClasses))
      parameter.setBuffer("weights of classes");
}

/// A norm of groups that became one of instances between reshapes has a scale
/// and a bias that do nothing; its own come after it.
static bool isInstanceNormOperand(OpOperand &use) {
  return isa<graph::InstanceNormOp>(use.getOwner()) &&
         use.getOperandNumber() > 0;
}

bool tenon::onnx::isStatistic(OpOperand &use) {
  return isa<graph::BatchNormOp>(use.getOwner()) && use.getOperandNumber() > 2;
}

void tenon::onnx::markUniform(func::FuncOp function,
                              ArrayRef<const OnnxTensor *> weights) {
  llvm::StringMap<const OnnxTensor *> named;
  for (const OnnxTensor *weight : weights)
    named[weight->name] = weight;
  for (auto parameter : function.getOps<graph::ParameterOp>()) {
    const OnnxTensor *weight = named.lookup(parameter.getName());
    if (!weight || !parameter.isTrainable() || parameter->use_empty() ||
        !isUniform(*weight))
      continue;
    if (isExportersName(weight->name)) {
      if (llvm::all_of(parameter->getUses(), isInstanceNormOperand))
        parameter.setBuffer("a constant of the exporter");
    } else if (!parameter->hasOneUse() &&
               // Norms share those of one module, which the model calls twice.
               !llvm::all_of(parameter->getUses(), isStatistic))
      emitWarning(parameter.getLoc())
          << "all elements of '" << parameter.getName()
          << "' are equal, and several ops read it: exporters merge parameters "
             "that start equal, which are then trained as one";
  }
}
