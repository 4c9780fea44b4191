//===- OpSet.cpp - choices of attributes ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/OpSet.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::discover;

namespace {
/// Writes the choices of one op.
class Choices {
public:
  using Emit = llvm::function_ref<void(OpFamily, Sizes)>;
  Choices(ArrayRef<Sizes> shapes, Emit emit) : shapes(shapes), emit(emit) {}

  void concat();
  void split();
  void transpose();
  void matmul(bool isTransposed);
  void conv();
  void pool(bool isAverage);
  void reduce();
  void softmax();
  void normalize();
  void broadcast();
  void attention(bool isCausal);

private:
  ArrayRef<Sizes> shapes;
  Emit emit;
};
} // namespace

static void addAxis(OpFamily &family, StringRef name, int64_t axis) {
  family.text += (family.text.empty() ? "" : " ") + name.str() + " = " +
                 std::to_string(axis);
  family.fixed.push_back({name.str(), [axis](Builder &builder) {
                            return builder.getI64IntegerAttr(axis);
                          }});
}
static void addNumbers(OpFamily &family, StringRef name,
                       ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  family.text +=
      (family.text.empty() ? "" : " ") + name.str() + " = [" + text + "]";
  family.fixed.push_back(
      {name.str(), [numbers = Sizes(numbers)](Builder &builder) {
         return getInts(builder.getContext(), numbers);
       }});
}
static void addFlag(OpFamily &family, StringRef name) {
  family.text += (family.text.empty() ? "" : " ") + name.str();
  family.fixed.push_back(
      {name.str(), [](Builder &builder) { return builder.getUnitAttr(); }});
}
static void addLayout(OpFamily &family) {
  family.text +=
      (family.text.empty() ? "" : " ") + std::string("channels_first");
  family.fixed.push_back({"layout", [](Builder &builder) -> Attribute {
                            return LayoutAttr::get(builder.getContext(),
                                                   Layout::ChannelsFirst);
                          }});
}

static OpFamily makeConcat(int64_t axis) {
  OpFamily family;
  addAxis(family, "axis", axis);
  if (axis > 0)
    family.withoutLeadingAxis = [axis] { return makeConcat(axis - 1); };
  return family;
}

void Choices::concat() {
  if (shapes[0].size() != shapes[1].size())
    return;
  for (size_t axis = 0; axis < shapes[0].size(); ++axis)
    emit(makeConcat(axis), {});
}

static OpFamily makeSplit(int64_t axis) {
  OpFamily family;
  family.numResults = 2;
  addAxis(family, "axis", axis);
  family.numbers.push_back({"sizes", 2, Freedom::Own});
  if (axis > 0)
    family.withoutLeadingAxis = [axis] { return makeSplit(axis - 1); };
  return family;
}

void Choices::split() {
  for (auto [axis, size] : llvm::enumerate(shapes[0]))
    if (size >= 2 && size % 2 == 0)
      emit(makeSplit(axis), {size / 2, size / 2});
}

static OpFamily makeTranspose(SmallVector<int64_t> perm) {
  OpFamily family;
  addNumbers(family, "perm", perm);
  if (perm.front() == 0)
    family.withoutLeadingAxis = [perm] {
      SmallVector<int64_t> rest;
      for (int64_t axis : ArrayRef(perm).drop_front())
        rest.push_back(axis - 1);
      return makeTranspose(rest);
    };
  return family;
}

void Choices::transpose() {
  size_t rank = shapes[0].size();
  if (rank < 2 || rank > 3)
    return;
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  while (std::next_permutation(perm.begin(), perm.end()))
    emit(makeTranspose(perm), {});
}

static OpFamily makeMatmul(size_t rank, bool isTransposed) {
  OpFamily family;
  if (isTransposed)
    addFlag(family, "transpose_b");
  if (rank > 2)
    family.withoutLeadingAxis = [rank, isTransposed] {
      return makeMatmul(rank - 1, isTransposed);
    };
  return family;
}

void Choices::matmul(bool isTransposed) {
  size_t rank = shapes[0].size();
  // Images and kernels are no matrices.
  if (rank < 2 || rank > 3 || rank != shapes[1].size())
    return;
  emit(makeMatmul(rank, isTransposed), {});
}

void Choices::conv() {
  if (shapes[0].size() != 4 || shapes[1].size() != 4)
    return;
  Sizes kernel = {shapes[1][2], shapes[1][3]};
  // Where the kernel covers the image, strides make no difference.
  if (kernel[0] % 2 == 0 || kernel[1] % 2 == 0 || shapes[0][2] <= kernel[0] ||
      shapes[0][3] <= kernel[1])
    return;
  OpFamily family;
  family.takesLeadingAxes = false;
  addNumbers(family, "groups", {1});
  addLayout(family);
  family.numbers = {{"strides", 2, Freedom::Shared},
                    {"pads", 4, Freedom::Shared},
                    {"dilations", 2, Freedom::Shared}};
  for (int64_t stride : {1, 2})
    for (bool same : {true, false}) {
      int64_t h = same ? kernel[0] / 2 : 0, w = same ? kernel[1] / 2 : 0;
      emit(family, {stride, stride, h, w, h, w, 1, 1});
      if (h == 0 && w == 0)
        break; // both paddings are none
    }
}

void Choices::pool(bool isAverage) {
  if (shapes[0].size() != 4)
    return;
  OpFamily family;
  family.takesLeadingAxes = false;
  addLayout(family);
  if (isAverage)
    addFlag(family, "count_include_pad");
  family.numbers = {{"kernel", 2, Freedom::Shared},
                    {"strides", 2, Freedom::Shared},
                    {"pads", 4, Freedom::Shared},
                    {"dilations", 2, Freedom::Shared}};
  for (int64_t stride : {1, 2})
    emit(family, {3, 3, stride, stride, 1, 1, 1, 1, 1, 1});
}

static OpFamily makeReduce(int64_t axis, bool keeps) {
  OpFamily family;
  addNumbers(family, "axes", {axis});
  if (keeps)
    addFlag(family, "keepdims");
  if (axis > 0)
    family.withoutLeadingAxis = [axis, keeps] {
      return makeReduce(axis - 1, keeps);
    };
  return family;
}

void Choices::reduce() {
  for (size_t axis = 0; axis < shapes[0].size(); ++axis)
    for (bool keeps : {true, false})
      emit(makeReduce(axis, keeps), {});
}

static OpFamily makeSoftmax(int64_t axis) {
  OpFamily family;
  addAxis(family, "axis", axis);
  if (axis > 0)
    family.withoutLeadingAxis = [axis] { return makeSoftmax(axis - 1); };
  return family;
}

void Choices::softmax() {
  if (!shapes[0].empty())
    emit(makeSoftmax(shapes[0].size() - 1), {});
}

void Choices::normalize() {
  size_t rank = shapes[0].size();
  if (rank < 1 || shapes[1].size() != 1)
    return;
  OpFamily family;
  family.takesLeadingAxes = false;
  addAxis(family, "axis", rank - 1);
  family.text += " epsilon = 1e-05";
  family.fixed.push_back({"epsilon", [](Builder &builder) {
                            return builder.getF64FloatAttr(1e-5);
                          }});
  emit(family, {});
}

/// Vectors along the rows of a matrix, and axes of size 1, which reductions
/// keep.
void Choices::broadcast() {
  const Sizes &shape = shapes[0];
  OpFamily family;
  family.takesLeadingAxes = false;
  family.numbers = {{"shape", 2, Freedom::Own}};
  if (shape.size() == 1 && shape[0] > 1)
    emit(family, {shape[0], shape[0]});
  if (shape.size() == 2 && (shape[0] == 1) != (shape[1] == 1))
    emit(family, Sizes(2, shape[0] * shape[1]));
}

/// Of heads of one number, without a mask. Scales are numbers, not symbols: 1.
void Choices::attention(bool isCausal) {
  const Sizes &q = shapes[0], &k = shapes[1], &v = shapes[2];
  if (q.size() != 3 || k.size() != 3 || v.size() != 3 || q[0] != k[0] ||
      k[0] != v[0] || q[2] != k[2] || k[1] != v[1])
    return;
  OpFamily family;
  family.text = "scale = 1.0";
  family.fixed.push_back(
      {"scale", [](Builder &builder) { return builder.getF64FloatAttr(1); }});
  if (isCausal)
    addFlag(family, "causal");
  emit(family, {});
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
struct KnownOp {
  StringLiteral name;
  unsigned numOperands;
  void (*list)(Choices &choices);
};
} // namespace

static const KnownOp knownOps[] = {
    {"attention", 3, [](Choices &c) { c.attention(/*isCausal=*/false); }},
    {"attention.causal", 3, [](Choices &c) { c.attention(/*isCausal=*/true); }},
    {"avg_pool", 1, [](Choices &c) { c.pool(/*isAverage=*/true); }},
    {"broadcast", 1, [](Choices &c) { c.broadcast(); }},
    {"concat", 2, [](Choices &c) { c.concat(); }},
    {"conv", 2, [](Choices &c) { c.conv(); }},
    {"layer_norm", 2, [](Choices &c) { c.normalize(); }},
    {"log_softmax", 1, [](Choices &c) { c.softmax(); }},
    {"matmul", 2, [](Choices &c) { c.matmul(/*isTransposed=*/false); }},
    {"matmul.transpose_b", 2,
     [](Choices &c) { c.matmul(/*isTransposed=*/true); }},
    {"max_pool", 1, [](Choices &c) { c.pool(/*isAverage=*/false); }},
    {"reduce_max", 1, [](Choices &c) { c.reduce(); }},
    {"reduce_min", 1, [](Choices &c) { c.reduce(); }},
    {"reduce_sum", 1, [](Choices &c) { c.reduce(); }},
    {"rms_norm", 2, [](Choices &c) { c.normalize(); }},
    {"softmax", 1, [](Choices &c) { c.softmax(); }},
    {"split", 1, [](Choices &c) { c.split(); }},
    {"transpose", 1, [](Choices &c) { c.transpose(); }},
};

static const KnownOp *findKnown(StringRef name) {
  const KnownOp *known = llvm::find_if(
      knownOps, [&](const KnownOp &op) { return op.name == name; });
  return known == std::end(knownOps) ? nullptr : known;
}

/// Elementwise ops of one type need no choices: their operands are all that
/// they have. Returns the number of operands, or 0.
static unsigned countElementwiseOperands(MLIRContext *context, StringRef name) {
  auto registered =
      RegisteredOperationName::lookup(("graph." + name).str(), context);
  if (!registered || !registered->hasInterface<ElementwiseInterface>() ||
      !registered->getAttributeNames().empty())
    return 0;
  OpBuilder builder(context);
  auto type = RankedTensorType::get({2}, builder.getF32Type());
  for (unsigned operands : {1, 2}) {
    Block block;
    SmallVector<Value> values;
    for (unsigned number = 0; number < operands; ++number)
      values.push_back(block.addArgument(type, builder.getUnknownLoc()));
    OperationState state(builder.getUnknownLoc(), *registered);
    state.addOperands(values);
    state.addTypes(type);
    Operation *op = Operation::create(state);
    ScopedDiagnosticHandler quiet(context,
                                  [](Diagnostic &) { return success(); });
    bool fits = succeeded(verify(op));
    op->destroy();
    if (fits)
      return operands;
  }
  return 0;
}

std::vector<std::string> OpSet::listNames() {
  std::vector<std::string> names;
  for (const KnownOp &op : knownOps)
    names.push_back(op.name.str());
  return names;
}

std::string OpSet::add(MLIRContext *context, ArrayRef<std::string> more) {
  context->getOrLoadDialect<GraphDialect>();
  for (const std::string &name : more) {
    if (has(name))
      return "op '" + name + "' is named twice";
    unsigned operands = countElementwiseOperands(context, name);
    if (!findKnown(name) && operands == 0)
      return "unknown op '" + name + "'; expected " +
             llvm::join(listNames(), ", ") +
             ", or an elementwise op of the graph dialect without attributes";
    names.push_back(name);
    if (operands)
      elementwiseOperands[name] = operands;
  }
  return "";
}

unsigned OpSet::getNumOperands(StringRef name) const {
  auto found = elementwiseOperands.find(name.str());
  return found != elementwiseOperands.end() ? found->second
                                            : findKnown(name)->numOperands;
}

unsigned OpSet::getFamily(OpFamily family) {
  std::string key = family.op + " " + family.text;
  auto [entry, isNew] = byText.try_emplace(key, families.size());
  if (isNew)
    families.push_back(std::move(family));
  return entry->second;
}

std::optional<unsigned> OpSet::dropLeadingAxis(unsigned number) {
  if (isElementwise(number))
    return number;
  // Families may move as this one is added.
  OpFamily family = families[number];
  if (!family.withoutLeadingAxis)
    return std::nullopt;
  OpFamily rest = family.withoutLeadingAxis();
  rest.op = family.op;
  rest.numOperands = family.numOperands;
  return getFamily(std::move(rest));
}

std::vector<OpChoice> OpSet::choose(StringRef name, ArrayRef<Sizes> shapes) {
  std::vector<OpChoice> choices;
  auto emit = [&](OpFamily family, Sizes numbers) {
    family.op = name.split('.').first.str();
    family.numOperands = shapes.size();
    choices.push_back({getFamily(std::move(family)), std::move(numbers)});
  };
  if (elementwiseOperands.count(name.str())) {
    if (llvm::all_equal(shapes))
      emit(OpFamily(), {});
    return choices;
  }
  Choices list(shapes, emit);
  findKnown(name)->list(list);
  return choices;
}

Operation *OpSet::build(OpBuilder &builder, unsigned number,
                        ArrayRef<SymInt> numbers, ValueRange operands) const {
  const OpFamily &family = families[number];
  OperationState state(builder.getUnknownLoc(), "graph." + family.op);
  state.addOperands(operands);
  for (const auto &[name, make] : family.fixed)
    state.addAttribute(name, make(builder));
  for (const OpFamily::Numbers &attribute : family.numbers) {
    state.addAttribute(attribute.name,
                       DimsAttr::get(builder.getContext(),
                                     numbers.take_front(attribute.count)));
    numbers = numbers.drop_front(attribute.count);
  }
  // Inference reads properties, which an op of its own holds.
  Operation *draft = Operation::create(state);
  auto infer = dyn_cast<InferTypeOpInterface>(draft);
  bool fits =
      infer && succeeded(infer.inferReturnTypes(
                   builder.getContext(), state.location, draft->getOperands(),
                   draft->getAttrDictionary(), draft->getPropertiesStorage(),
                   draft->getRegions(), state.types));
  draft->destroy();
  for (Type type : state.types)
    fits &= llvm::none_of(getShape(type),
                          [](const SymInt &size) { return size.isUnknown(); });
  if (!fits)
    return nullptr;
  Operation *op = builder.create(state);
  if (succeeded(verify(op)))
    return op;
  op->erase();
  return nullptr;
}
