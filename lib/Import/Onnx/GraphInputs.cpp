//===- GraphInputs.cpp - inputs, weights and constants of a graph ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "GraphImporter.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using graph::Shape;
using graph::SymInt;

/// Of `inlinesSmallWeights`, and of tensors that are no initializers of the
/// model: those with more elements are weights.
static constexpr int64_t maxInlineElements = 64;
/// Integer tensors up to this size are stored in the module.
static constexpr int64_t maxInlineIntegers = 1 << 20;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

std::string GraphImporter::symbolFor(StringRef dimParam) {
  auto [entry, isNew] = symbols.try_emplace(dimParam);
  if (!isNew)
    return entry->second;
  std::string name;
  for (char c : dimParam)
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name = "d" + name;
  static const char *const words[] = {"floordiv", "ceildiv", "mod", "max",
                                      "min"};
  if (llvm::is_contained(words, name))
    name += "_";
  std::string unique = name;
  for (unsigned i = 1; !symbolNames.insert(unique).second; ++i)
    unique = name + "_" + std::to_string(i);
  return entry->second = unique;
}

FailureOr<Shape> GraphImporter::readShape(const ValueInfoProto &input,
                                          const TensorShapeProto &shape) {
  Shape sizes;
  for (auto [axis, dim] : llvm::enumerate(shape.dim())) {
    if (dim.has_dim_value()) {
      if (dim.dim_value() < 0 || dim.dim_value() > (int64_t(1) << 46)) {
        emitError(fileLoc) << "input '" << input.name() << "' has size "
                           << dim.dim_value() << " on axis " << axis
                           << "; expected 0 to " << (int64_t(1) << 46);
        return failure();
      }
      sizes.push_back(SymInt(dim.dim_value()));
      continue;
    }
    // All unnamed sizes may differ from each other.
    std::string key = dim.dim_param().empty()
                          ? "\1" + input.name() + "\1" + std::to_string(axis)
                          : dim.dim_param();
    auto bound = boundSymbols.find(key);
    if (bound != boundSymbols.end()) {
      sizes.push_back(SymInt(bound->second));
      continue;
    }
    std::string symbol;
    if (!dim.dim_param().empty()) {
      symbol = symbolFor(key);
    } else {
      auto [entry, isNew] = symbols.try_emplace(key);
      for (unsigned i = 0; entry->second.empty(); ++i)
        if (symbolNames.insert("d" + std::to_string(i)).second)
          entry->second = "d" + std::to_string(i);
      symbol = entry->second;
    }
    std::optional<int64_t> size = findSize(dim.dim_param(), symbol);
    sizes.push_back(size ? SymInt(*size) : SymInt::symbol(symbol));
  }
  return sizes;
}

std::optional<int64_t> GraphImporter::findSize(StringRef dimParam,
                                               StringRef symbol) {
  for (StringRef name : {dimParam, symbol}) {
    auto found = options.sizes.find(name.str());
    if (name.empty() || found == options.sizes.end())
      continue;
    usedSizes.insert(name);
    return found->second;
  }
  return std::nullopt;
}

LogicalResult GraphImporter::checkSizesUsed() {
  for (const auto &[name, size] : options.sizes)
    if (!usedSizes.contains(name))
      return emitError(fileLoc)
             << "bind: the model has no dimension '" << name << "'";
  return success();
}

FailureOr<RankedTensorType>
GraphImporter::readInputType(const ValueInfoProto &input) {
  if (!input.type().has_tensor_type()) {
    emitError(fileLoc) << "input '" << input.name()
                       << "' is not a tensor; sequences, maps, optionals and "
                          "sparse tensors are not supported";
    return failure();
  }
  const TypeProto::Tensor &type = input.type().tensor_type();
  auto dtype = toDType(type.elem_type());
  if (!dtype) {
    emitError(fileLoc) << "input '" << input.name() << "' has element type "
                       << onnxTypeName(type.elem_type())
                       << ", which is not supported";
    return failure();
  }
  if (!type.has_shape()) {
    emitError(fileLoc) << "input '" << input.name()
                       << "' has no shape; expected a known rank";
    return failure();
  }
  FailureOr<Shape> shape = readShape(input, type.shape());
  if (mlir::failed(shape))
    return failure();
  return graph::getTensorType(*shape, toElementType(*dtype, getContext()));
}

LogicalResult GraphImporter::applyBinds(const GraphProto &graph) {
  for (const auto &[name, tensor] : options.binds) {
    const ValueInfoProto *input = nullptr;
    for (const ValueInfoProto &candidate : graph.input())
      if (candidate.name() == name)
        input = &candidate;
    if (!input)
      return emitError(fileLoc) << "there is no input '" << name << "' to bind";
    const TypeProto::Tensor &type = input->type().tensor_type();
    if (type.elem_type() != fromDType(tensor.dtype))
      return emitError(fileLoc)
             << "input '" << name << "' has element type "
             << onnxTypeName(type.elem_type()) << ", but is bound to "
             << artifact::formatType(tensor.dtype, tensor.shape);
    if (!type.has_shape())
      continue;
    bool fits =
        type.shape().dim_size() == static_cast<int>(tensor.shape.size());
    for (int axis = 0; fits && axis < type.shape().dim_size(); ++axis) {
      const TensorShapeProto::Dimension &dim = type.shape().dim(axis);
      if (dim.has_dim_value())
        fits = dim.dim_value() == tensor.shape[axis];
      else if (!dim.dim_param().empty())
        fits = boundSymbols.try_emplace(dim.dim_param(), tensor.shape[axis])
                   .first->second == tensor.shape[axis];
    }
    if (!fits)
      return emitError(fileLoc)
             << "the shape of input '" << name << "' does not fit "
             << artifact::formatType(tensor.dtype, tensor.shape)
             << ", to which it is bound";
  }
  return success();
}

LogicalResult GraphImporter::importInputs(const GraphProto &graph,
                                          Scope &scope) {
  bool ok = true;
  for (const ValueInfoProto &input : graph.input()) {
    Location loc = NameLoc::get(builder.getStringAttr(input.name()), fileLoc);
    auto bind = options.binds.find(input.name());
    if (bind != options.binds.end()) {
      OnnxTensor tensor;
      tensor.name = input.name();
      tensor.dtype = bind->second.dtype;
      tensor.shape.assign(bind->second.shape.begin(), bind->second.shape.end());
      tensor.bytes =
          StringRef(reinterpret_cast<const char *>(bind->second.bytes.data()),
                    bind->second.bytes.size());
      define(input.name(), loc, scope)->constant = own(std::move(tensor));
      continue;
    }
    auto found = scope.values.find(input.name());
    if (found != scope.values.end()) {
      // Before IR version 4, initializers are also listed as inputs.
      if (found->second->constant)
        continue;
      emitError(fileLoc) << "input '" << input.name() << "' is defined twice";
      ok = false;
      continue;
    }
    FailureOr<RankedTensorType> type = readInputType(input);
    if (mlir::failed(type)) {
      ok = false;
      define(input.name(), loc, scope)->poisoned = true;
      continue;
    }
    unsigned number = function.getNumArguments();
    if (mlir::failed(function.insertArgument(
            number, *type,
            builder.getDictionaryAttr(builder.getNamedAttr(
                "graph.name", builder.getStringAttr(input.name()))),
            loc)))
      return failure();
    define(input.name(), loc, scope)->data = function.getArgument(number);
  }
  // Convert the nodes even if an input was rejected, to report their errors,
  // too.
  if (!ok)
    failed = true;
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

RankedTensorType GraphImporter::getType(ImportedValue &value) {
  if (value.data)
    return cast<RankedTensorType>(value.data.getType());
  if (value.constant)
    return value.constant->getType(getContext());
  return RankedTensorType::get(value.fact->shape,
                               toElementType(value.fact->dtype, getContext()));
}

const FactTensor *GraphImporter::getFact(ImportedValue &value) {
  if (!value.fact && value.constant && !value.factWasTried) {
    value.factWasTried = true;
    if (auto fact = FactTensor::fromTensor(*value.constant))
      value.fact = std::make_shared<FactTensor>(std::move(*fact));
  }
  return value.fact.get();
}

bool GraphImporter::isWeight(const ImportedValue &value) const {
  if (value.dependsOnWeights)
    return true;
  if (options.inlinesSmallWeights || !value.isInitializer || !value.constant)
    return false;
  const OnnxTensor &tensor = *value.constant;
  // A single number that the exporter named is one that the model computes
  // with.
  return artifact::isFloat(tensor.dtype) && !tensor.shape.empty() &&
         !switches.contains(tensor.name) &&
         (tensor.numElements() > 1 || !isExportersName(tensor.name) ||
          slopes.contains(tensor.name));
}

/// Values of different graphs may share a name, but weights may not.
std::string GraphImporter::makeParamName(StringRef name) {
  std::string unique = name.str();
  for (unsigned i = 1; !paramNames.insert(unique).second; ++i)
    unique = (name + "." + Twine(i)).str();
  return unique;
}

ImportedValue *GraphImporter::findOriginal(const OnnxTensor &tensor) const {
  if (options.inlinesSmallWeights || !isExportersName(tensor.name) ||
      !artifact::isFloat(tensor.dtype))
    return nullptr;
  for (ImportedValue *matrix : matrices)
    if (isTransposeOf(*matrix->constant, tensor))
      return matrix;
  return nullptr;
}

/// Whether a number depends on the step of a loop (GraphImporter::newStepName).
static bool mentionsStep(const FactTensor &fact) {
  bool found = false;
  for (const Fact &element : fact.elements)
    if (const SymInt *integer = element.getInteger())
      integer->visitSymbols(
          [&](StringRef name) { found |= name.starts_with("$step"); });
  return found;
}

Value GraphImporter::materialize(ImportedValue &value) {
  if (value.data)
    return value.data;
  OpBuilder::InsertionGuard guard(builder);
  Block &entry = function.getBody().front();
  // A number that depends on a loop's step belongs to the loop's body.
  bool isOfStep = value.fact && mentionsStep(*value.fact);
  if (isOfStep)
    builder.setInsertionPointToEnd(&entry);
  else if (lastConstant)
    builder.setInsertionPointAfter(lastConstant);
  else
    builder.setInsertionPointToStart(&entry);

  ImportedValue *original =
      value.constant ? findOriginal(*value.constant) : nullptr;
  if (original) {
    // One parameter, as in the module that was exported.
    Value data = materialize(*original);
    builder.setInsertionPointAfter(lastConstant);
    value.data = graph::TransposeOp::create(
        builder, value.loc, data, graph::getInts(getContext(), {1, 0}));
  } else if (const OnnxTensor *tensor = value.constant) {
    int64_t count = tensor->numElements();
    bool isFloat = artifact::isFloat(tensor->dtype);
    if (!isWeight(value) &&
        count <= (isFloat ? maxInlineElements : maxInlineIntegers)) {
      value.data = graph::ConstantOp::create(builder, value.loc,
                                             tensor->toAttr(getContext()));
    } else {
      OnnxTensor param = *tensor;
      param.name =
          makeParamName(tensor->name.empty() ? value.name : tensor->name);
      params.push_back(own(std::move(param)));
      StringRef buffer = isFloat ? findBufferReason(*tensor) : "";
      value.data = graph::ParameterOp::create(
          builder, value.loc, tensor->getType(getContext()),
          params.back()->name,
          buffer.empty() ? StringAttr() : builder.getStringAttr(buffer));
    }
  } else if (value.fact) {
    value.data = materializeFact(*value.fact, value.loc);
  }
  if (value.data && !isOfStep)
    lastConstant = value.data.getDefiningOp();
  return value.data;
}

Value GraphImporter::materializeFact(const FactTensor &fact, Location loc) {
  Type elementType = toElementType(fact.dtype, getContext());
  if (fact.isConstant()) {
    SmallVector<Attribute> elements;
    for (const Fact &element : fact.elements) {
      if (isa<FloatType>(elementType))
        elements.push_back(FloatAttr::get(elementType, *element.getNumber()));
      else // a constant that is not a SymInt is -2^63
        elements.push_back(IntegerAttr::get(
            elementType,
            APInt(elementType.getIntOrFloatBitWidth(),
                  static_cast<uint64_t>(element.getConstantInteger().value_or(
                      std::numeric_limits<int64_t>::min())),
                  /*isSigned=*/false, /*implicitTrunc=*/true)));
    }
    return graph::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(RankedTensorType::get(fact.shape, elementType),
                               elements));
  }
  GraphBuilder b(builder, loc);
  SmallVector<Value> parts;
  for (const Fact &element : fact.elements) {
    const SymInt *integer = element.getInteger();
    Value part = integer ? b.cast(b.size(*integer), elementType)
                         : b.scalar(*element.getNumber(), elementType);
    parts.push_back(b.unsqueeze(part, {0}));
  }
  SmallVector<SymInt> shape(fact.shape.begin(), fact.shape.end());
  Value result = b.reshape(b.concat(parts, 0), shape);
  // A reshape to the same shape returns the concat.
  return result;
}
