//===- Exporter.cpp - export of functions as ONNX graphs ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"

#include "../Onnx/Tensor.h"

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Artifact/TensorData.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Support/File.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Larger weights do not fit into one protobuf file.
static constexpr uint64_t maxInlineBytes = uint64_t(1) << 30;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string Exporter::fresh(StringRef hint) {
  std::string candidate = hint.str();
  while (candidate.empty() || !used.insert(candidate).second)
    candidate = (hint + "_" + Twine(counter++)).str();
  return candidate;
}

void Exporter::bind(Value value, std::string name) {
  valueNames[value] = std::move(name);
}

std::string Exporter::name(Value value) {
  auto found = valueNames.find(value);
  if (found != valueNames.end())
    return found->second;
  // Emit a broadcast only if its consumer does not broadcast implicitly.
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast) {
    value.getDefiningOp()->emitOpError("has no value in the ONNX model");
    failed = true;
    return "";
  }
  std::string result =
      node("Expand",
           {name(broadcast.getX()), sizes(broadcast.getShape().getEntries())});
  bind(value, result);
  return result;
}

Names Exporter::names(ValueRange values) {
  Names result;
  for (Value value : values)
    result.push_back(name(value));
  return result;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

NodeProto &Exporter::addNode(StringRef op, const Names &inputs,
                             const Names &outputs) {
  NodeProto &node = *graph.add_node();
  node.set_op_type(op.str());
  node.set_name((op + "_" + Twine(graph.node_size())).str());
  for (const std::string &input : inputs)
    node.add_input(input);
  for (const std::string &output : outputs)
    node.add_output(output);
  return node;
}

std::string Exporter::node(StringRef op, const Names &inputs) {
  std::string output = fresh(op.lower());
  addNode(op, inputs, {output});
  return output;
}

static AttributeProto &addAttr(NodeProto &node, StringRef name, int32_t type) {
  AttributeProto &attr = *node.add_attribute();
  attr.set_name(name.str());
  attr.set_type(type);
  return attr;
}

void Exporter::set(NodeProto &node, StringRef name, int64_t value) {
  addAttr(node, name, 2).set_i(value);
}
void Exporter::set(NodeProto &node, StringRef name, double value) {
  addAttr(node, name, 1).set_f(static_cast<float>(value));
}
void Exporter::set(NodeProto &node, StringRef name, ArrayRef<int64_t> values) {
  AttributeProto &attr = addAttr(node, name, 7);
  for (int64_t value : values)
    attr.add_ints(value);
}
void Exporter::set(NodeProto &node, StringRef name, StringRef value) {
  addAttr(node, name, 3).set_s(value.str());
}

//===----------------------------------------------------------------------===//
// Constants and sizes
//===----------------------------------------------------------------------===//

std::string Exporter::integers(ArrayRef<int64_t> values) {
  std::string key = "i";
  for (int64_t value : values)
    key += "," + std::to_string(value);
  auto [entry, isNew] = constants.try_emplace(key);
  if (!isNew)
    return entry->second;
  TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(fresh("ints"));
  tensor.set_data_type(OnnxInt64);
  tensor.add_dims(values.size());
  tensor.set_raw_data(std::string(reinterpret_cast<const char *>(values.data()),
                                  values.size() * sizeof(int64_t)));
  return entry->second = tensor.name();
}

std::string Exporter::integer(int64_t value) {
  return number(static_cast<double>(value),
                IntegerType::get(function.getContext(), 64));
}

std::string Exporter::number(double value, Type elementType) {
  std::string key;
  llvm::raw_string_ostream(key)
      << elementType << " " << llvm::bit_cast<uint64_t>(value);
  auto [entry, isNew] = constants.try_emplace(key);
  if (!isNew)
    return entry->second;
  artifact::DType dtype = *toDType(elementType);
  std::string bytes(artifact::dtypeSize(dtype), '\0');
  artifact::writeElement(bytes.data(), dtype, 0, value);
  TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(fresh("number"));
  tensor.set_data_type(fromDType(dtype));
  tensor.set_raw_data(bytes);
  return entry->second = tensor.name();
}

std::string Exporter::floats(ArrayRef<double> values) {
  TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(fresh("floats"));
  tensor.set_data_type(OnnxFloat);
  tensor.add_dims(values.size());
  for (double value : values)
    tensor.add_float_data(static_cast<float>(value));
  return tensor.name();
}

std::string Exporter::symbol(StringRef name) {
  auto found = symbols.find(name);
  if (found != symbols.end())
    return found->second;
  for (BlockArgument argument : function.getArguments())
    for (auto [axis, size] : llvm::enumerate(getShape(argument))) {
      if (size.getSymbol() != name)
        continue;
      std::string shape = node("Shape", {this->name(argument)});
      std::string result =
          node("Gather", {shape, integers({static_cast<int64_t>(axis)})});
      return symbols[name] = result;
    }
  function.emitError() << "symbol '" << name
                       << "' is not the size of an input's axis";
  failed = true;
  return "";
}

std::string Exporter::atom(const SymInt::Atom &atom) {
  if (atom.kind == SymInt::AtomKind::Symbol)
    return symbol(atom.name);
  std::string lhs = size(*atom.lhs), rhs = size(*atom.rhs);
  if (atom.kind == SymInt::AtomKind::Max)
    return node("Max", {lhs, rhs});
  if (atom.kind == SymInt::AtomKind::Min)
    return node("Min", {lhs, rhs});
  // Div truncates, but x - x mod d has no remainder.
  std::string exact = node("Sub", {lhs, node("Mod", {lhs, rhs})});
  return node("Div", {exact, rhs});
}

std::string Exporter::size(const SymInt &value) {
  if (std::optional<int64_t> constant = value.getConstant())
    return integers({*constant});
  if (value.isUnknown()) {
    function.emitError(
        "expected sizes over symbols of the inputs, but got an unknown size");
    failed = true;
    return "";
  }
  auto [entry, isNew] = constants.try_emplace("s" + value.str());
  if (!isNew)
    return entry->second;
  std::string sum;
  for (const auto &[monomial, coefficient] : value.getTerms()) {
    std::string term = coefficient != 1 || monomial.atoms.empty()
                           ? integers({coefficient})
                           : "";
    for (const SymInt::AtomRef &factor : monomial.atoms) {
      std::string next = atom(*factor);
      term = term.empty() ? next : node("Mul", {term, next});
    }
    sum = sum.empty() ? term : node("Add", {sum, term});
  }
  return constants["s" + value.str()] = sum;
}

std::string Exporter::sizes(ArrayRef<SymInt> values) {
  SmallVector<int64_t> known;
  for (const SymInt &value : values)
    if (std::optional<int64_t> constant = value.getConstant())
      known.push_back(*constant);
  if (known.size() == values.size())
    return integers(known);
  Names parts;
  for (const SymInt &value : values)
    parts.push_back(size(value));
  std::string result = node("Concat", parts);
  set(last(), "axis", int64_t(0));
  return result;
}

std::string Exporter::cast(const std::string &x, Type elementType) {
  std::string result = node("Cast", {x});
  set(last(), "to", int64_t(fromDType(*toDType(elementType))));
  return result;
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

void Exporter::setType(ValueInfoProto &info, Type type) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  auto *proto = info.mutable_type()->mutable_tensor_type();
  proto->set_elem_type(fromDType(*toDType(tensor.getElementType())));
  proto->mutable_shape();
  for (const SymInt &size : getShape(tensor)) {
    auto *dim = proto->mutable_shape()->add_dim();
    if (std::optional<int64_t> constant = size.getConstant())
      dim->set_dim_value(*constant);
    else if (!size.isUnknown())
      dim->set_dim_param(size.str());
  }
}

LogicalResult Exporter::addInputs() {
  for (auto [number, argument] : llvm::enumerate(function.getArguments())) {
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    if (!tensor || !toDType(tensor.getElementType()))
      return function.emitError()
             << "argument " << number << " has type " << argument.getType()
             << ", which ONNX does not have";
    auto stated = function.getArgAttrOfType<StringAttr>(number, "graph.name");
    std::string name = fresh(stated ? stated.getValue().str()
                                    : "input_" + std::to_string(number));
    bind(argument, name);
    ValueInfoProto &info = *graph.add_input();
    info.set_name(name);
    setType(info, tensor);
  }
  return success();
}

LogicalResult Exporter::addOutputs() {
  auto terminator =
      llvm::cast<func::ReturnOp>(function.getBody().front().getTerminator());
  for (auto [number, value] : llvm::enumerate(terminator.getOperands())) {
    auto stated =
        function.getResultAttrOfType<StringAttr>(number, "graph.name");
    std::string hint =
        stated ? stated.getValue().str() : "output_" + std::to_string(number);
    // The name was reserved for this output, but an output may not also be an
    // input.
    std::string output = reserved.lookup(number);
    addNode("Identity", {name(value)}, {output.empty() ? hint : output});
    ValueInfoProto &info = *graph.add_output();
    info.set_name(output.empty() ? hint : output);
    setType(info, value.getType());
  }
  return success();
}

bool Exporter::addParameter(ParameterOp op) {
  if (!params) {
    if (options.paramsPath.empty()) {
      op.emitOpError("needs a file of weights (--params)");
      return false;
    }
    auto file = artifact::SafetensorsFile::open(options.paramsPath);
    if (!file) {
      op.emitError() << file.error();
      return false;
    }
    params.emplace(std::move(*file));
  }
  StringRef symbol = op.getName();
  const artifact::SafetensorsEntry *entry = params->find(symbol.str());
  auto type = llvm::cast<RankedTensorType>(op.getType());
  if (!entry) {
    op.emitError() << "there is no tensor '" << symbol << "' in '"
                   << options.paramsPath << "'";
    return false;
  }
  if (entry->dtype != toDType(type.getElementType()) ||
      ArrayRef<int64_t>(entry->shape) != type.getShape()) {
    op.emitError() << "parameter '" << symbol << "' has type " << type
                   << ", but the file has "
                   << artifact::formatType(entry->dtype, entry->shape);
    return false;
  }
  TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(fresh(symbol));
  tensor.set_data_type(fromDType(entry->dtype));
  for (int64_t size : entry->shape)
    tensor.add_dims(size);
  weights.push_back({&tensor, entry});
  bind(op.getResult(), tensor.name());
  return true;
}

void Exporter::addConstant(ConstantOp op) {
  auto value = llvm::cast<DenseElementsAttr>(op.getValue());
  auto type = llvm::cast<RankedTensorType>(op.getType());
  artifact::DType dtype = *toDType(type.getElementType());
  TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(fresh("constant"));
  tensor.set_data_type(fromDType(dtype));
  for (int64_t size : type.getShape())
    tensor.add_dims(size);
  std::string bytes;
  if (dtype == artifact::DType::Bool) {
    for (bool element : value.getValues<bool>())
      bytes += element ? '\1' : '\0';
  } else {
    ArrayRef<char> raw = value.getRawData();
    int64_t repeats = value.isSplat() ? type.getNumElements() : 1;
    for (int64_t i = 0; i < repeats; ++i)
      bytes.append(raw.begin(), raw.end());
  }
  tensor.set_raw_data(bytes);
  bind(op.getResult(), tensor.name());
}

LogicalResult Exporter::emit(Operation &op) {
  if (isa<BroadcastOp>(op))
    return success(); // emitted on demand
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (!isa<DenseElementsAttr>(constant.getValue()))
      return op.emitOpError("expected dense elements");
    addConstant(constant);
    return success();
  }
  if (auto parameter = dyn_cast<ParameterOp>(op))
    return success(addParameter(parameter));
  if (emitElementwise(*this, &op) || emitLinear(*this, &op) ||
      emitMovement(*this, &op) || emitReduction(*this, &op))
    return success();
  return op.emitOpError("has no ONNX operator");
}

/// Decomposes composites that ONNX lacks, until none is left.
static void decomposeForeign(func::FuncOp function) {
  SmallVector<Operation *> work;
  function.walk([&](DecomposableInterface op) {
    if (isa<RmsNormOp, GroupNormOp, AttentionOp, AttentionPartialOp,
            AttentionMergeOp, EmbeddingBagOp, MseLossOp, NllLossOp,
            SoftmaxCrossEntropyOp, DropoutOp, OptimizationBarrierOp>(
            op.getOperation()))
      work.push_back(op);
    if (auto norm = dyn_cast<BatchNormOp>(op.getOperation()))
      if (norm.getAxis() != 1)
        work.push_back(op);
  });
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    OpBuilder builder(op);
    Operation *before = op->getPrevNode();
    SmallVector<Value> values =
        cast<DecomposableInterface>(op).decompose(builder);
    // New composites are between the previous op and `op`.
    Operation *first =
        before ? before->getNextNode() : &op->getBlock()->front();
    for (Operation *made = first; made != op; made = made->getNextNode())
      if (isa<RmsNormOp, GroupNormOp, AttentionOp, AttentionPartialOp,
              AttentionMergeOp, EmbeddingBagOp, MseLossOp, NllLossOp,
              SoftmaxCrossEntropyOp>(made))
        work.push_back(made);
    for (auto [result, value] : llvm::zip(op->getResults(), values))
      result.replaceAllUsesWith(value);
    op->erase();
  }
}

LogicalResult Exporter::run(StringRef path) {
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected a function of one block");
  OwningOpRef<func::FuncOp> copy = function.clone();
  function = *copy;
  decomposeForeign(function);
  if (mlir::failed(addInputs()))
    return failure();
  // Outputs keep their names; inner values get others.
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto stated = function.getResultAttrOfType<StringAttr>(i, "graph.name");
    reserved[i] =
        fresh(stated ? stated.getValue().str() : "output_" + std::to_string(i));
  }
  for (Operation &op : function.getBody().front().without_terminator())
    if (mlir::failed(emit(op)))
      failed = true;
  if (failed || mlir::failed(addOutputs()) || failed)
    return failure();
  graph.set_name("main");
  model.set_producer_name("tenon");
  model.set_ir_version(opset >= 23 ? 11 : opset >= 20 ? 9 : 8);
  model.add_opset_import()->set_version(opset);
  return write(path);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static LogicalResult cantWrite(Location loc, const Twine &path,
                               const std::string &why) {
  return emitError(loc) << "can't write '" << path << "': " << why;
}

/// Writes the weights one after the other, aligned, so that readers can map the
/// file. Sets their offsets in the tensors.
artifact::Status Exporter::writeWeights(artifact::OutputFile &data,
                                        StringRef name) {
  uint64_t offset = strlen(artifact::externalDataMark);
  if (auto status = data.write(0, artifact::externalDataMark, offset); !status)
    return status;
  for (auto &[tensor, entry] : weights) {
    uint64_t start = llvm::alignTo(offset, 64);
    const std::string zeros(start - offset, '\0');
    if (auto status = data.write(offset, zeros.data(), zeros.size()); !status)
      return status;
    if (auto status = data.write(start, params->data(*entry), entry->bytes);
        !status)
      return status;
    offset = start + entry->bytes;
    tensor->set_data_location(1);
    for (auto [key, value] :
         {std::pair<const char *, std::string>("location", name.str()),
          {"offset", std::to_string(start)},
          {"length", std::to_string(entry->bytes)}}) {
      StringStringEntryProto &field = *tensor->add_external_data();
      field.set_key(key);
      field.set_value(value);
    }
  }
  return artifact::Status::success();
}

LogicalResult Exporter::write(StringRef path) {
  Location loc = function.getLoc();
  uint64_t total = 0;
  for (auto &[tensor, entry] : weights)
    total += entry->bytes;
  bool isExternal = options.externalData || total > maxInlineBytes;
  std::string dataPath = (path + ".data").str();
  if (path == "-" && isExternal)
    return cantWrite(loc, path,
                     "external data requires an output file, but got a "
                     "stream");
  std::vector<artifact::PlannedOutput> outputs;
  if (path != "-")
    outputs.push_back({"-o", path.str()});
  if (isExternal)
    outputs.push_back({"-o", dataPath, /*isCompanion=*/true});
  auto fail = [&](const artifact::Status &status) {
    return emitError(loc) << status.error();
  };
  if (auto status =
          artifact::checkOutputs(outputs, {options.paramsPath}, options.force);
      !status)
    return fail(status);
  // Publish the file together with the model.
  std::optional<artifact::PendingFile> pendingData;
  std::vector<artifact::FinishedFile> files = options.finishedFiles;
  if (isExternal) {
    auto pending = artifact::PendingFile::create(dataPath);
    if (!pending)
      return emitError(loc) << pending.error();
    pendingData.emplace(std::move(*pending));
    auto data = artifact::OutputFile::create(pendingData->getPath());
    if (!data)
      return emitError(loc) << data.error();
    if (auto status = writeWeights(*data, llvm::sys::path::filename(dataPath));
        !status)
      return fail(status);
    if (auto status = data->commit(); !status)
      return fail(status);
    files.push_back(pendingData->finish());
  } else {
    for (auto &[tensor, entry] : weights)
      tensor->set_raw_data(params->data(*entry), entry->bytes);
  }
  std::string bytes;
  if (!model.SerializeToString(&bytes))
    return cantWrite(loc, path, "the model is too large");
  if (path == "-" || artifact::isWrittenInPlace(path.str())) {
    if (llvm::Error error = writeOutputFile(path, bytes))
      return emitError(loc) << llvm::toString(std::move(error));
  } else {
    auto pending = artifact::PendingFile::create(path.str());
    if (!pending)
      return emitError(loc) << pending.error();
    if (auto status =
            artifact::writeFile(pending->getPath(), bytes.data(), bytes.size());
        !status)
      return fail(status);
    files.push_back(pending->finish());
    if (auto status = artifact::putInPlace(files); !status)
      return fail(status);
    return success();
  }
  if (auto status = artifact::putInPlace(files); !status)
    return fail(status);
  return success();
}

LogicalResult tenon::exportOnnx(ModuleOp module, StringRef path,
                                const OnnxExportOptions &options) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!function)
    return module.emitError("expected a function 'main'");
  for (auto state : module.getOps<StateOp>())
    return state.emitOpError()
           << "'" << state.getSymName() << "' can't be expressed in ONNX";
  for (auto other : module.getOps<func::FuncOp>())
    if (other != function && other.isPublic())
      return other.emitError()
             << "expected one entry, which an ONNX model has, but got @"
             << other.getName() << " besides @main";
  return Exporter(function, options).run(path);
}
