//===- GraphImporter.cpp - conversion of ONNX graphs to functions ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "NodeContext.h"
#include "Operators.h"

#include "tenon/Artifact/SafetensorsWriter.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using graph::Shape;
using graph::SymInt;

/// The nesting limit of functions and branches; deeper nesting means that a
/// function calls itself.
static constexpr unsigned maxDepth = 32;

ImportedValue *Scope::find(StringRef name) const {
  for (const Scope *scope = this; scope; scope = scope->parent) {
    auto found = scope->values.find(name);
    if (found != scope->values.end())
      return found->second;
  }
  return nullptr;
}

GraphImporter::GraphImporter(const ModelProto &model, StringRef fileName,
                             StringRef directory, MLIRContext *context,
                             const OnnxImportOptions &options)
    : model(model), options(options), fileName(fileName), builder(context),
      fileLoc(FileLineColLoc::get(context, fileName, 0, 0)), files(directory) {
  builder.setListener(&opCounter);
}

ImportedValue *GraphImporter::define(StringRef name, Location loc,
                                     Scope &scope) {
  values.emplace_back(name.str(), loc);
  scope.values[name] = &values.back();
  return &values.back();
}

ImportedValue *GraphImporter::newValue(Value data, Location loc) {
  values.emplace_back("", loc);
  values.back().data = data;
  return &values.back();
}

ImportedValue *GraphImporter::newValue(FactTensor fact, Location loc) {
  values.emplace_back("", loc);
  values.back().fact = std::make_shared<FactTensor>(std::move(fact));
  return &values.back();
}

const OnnxTensor *GraphImporter::own(OnnxTensor tensor) {
  tensors.push_back(std::move(tensor));
  return &tensors.back();
}

/// Nodes have no line numbers, so use the node's position in the file.
Location GraphImporter::nodeLoc(const NodeProto &node, size_t position) {
  std::string name = nodeName(node) + " (" + node.op_type() + ")";
  return NameLoc::get(builder.getStringAttr(name),
                      FileLineColLoc::get(getContext(), fileName,
                                          static_cast<unsigned>(position + 1),
                                          0));
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

FailureOr<OwningOpRef<ModuleOp>> GraphImporter::import() {
  FailureOr<Opsets> versions = readOpsets(model.opset_import(), fileLoc);
  if (mlir::failed(versions))
    return failure();
  opsets = *versions;
  module = ModuleOp::create(fileLoc);
  builder.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(builder, fileLoc, "main",
                                  builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());

  const GraphProto &graph = model.graph();
  Scope scope;
  scope.opsets = &opsets;
  if (mlir::failed(applyBinds(graph)) ||
      mlir::failed(importInitializers(graph, scope)) ||
      mlir::failed(importInputs(graph, scope)) ||
      mlir::failed(checkSizesUsed()) ||
      mlir::failed(importNodes(graph.node(), scope)) || failed ||
      mlir::failed(finishFunction(graph, scope)) ||
      mlir::failed(verify(*module)) || mlir::failed(writeParams()))
    return failure();
  return std::move(module);
}

LogicalResult GraphImporter::importInitializers(const GraphProto &graph,
                                                Scope &scope) {
  bool ok = true;
  for (const TensorProto &proto : graph.initializer()) {
    Location loc = NameLoc::get(builder.getStringAttr(proto.name()), fileLoc);
    llvm::Expected<OnnxTensor> tensor = readTensor(proto, files);
    if (!tensor) {
      emitError(fileLoc) << "initializer '" << proto.name()
                         << "': " << llvm::toString(tensor.takeError());
      ok = false;
      continue;
    }
    if (scope.values.count(proto.name())) {
      emitError(fileLoc) << "initializer '" << proto.name()
                         << "' is defined twice";
      ok = false;
      continue;
    }
    ImportedValue *value = define(proto.name(), loc, scope);
    value->constant = own(std::move(*tensor));
    value->isInitializer = true;
  }
  for (const SparseTensorProto &proto : graph.sparse_initializer()) {
    emitError(fileLoc) << "initializer '" << proto.values().name()
                       << "' is sparse; expected a dense tensor";
    ok = false;
  }
  return success(ok);
}

LogicalResult GraphImporter::importNodes(const NodeList &nodes, Scope &scope) {
  SmallVector<StringRef> defined;
  for (const auto &entry : scope.values)
    defined.push_back(entry.getKey());
  auto order = sortNodes(nodes, defined, fileLoc);
  if (mlir::failed(order))
    return failure();
  llvm::DenseMap<const NodeProto *, size_t> positions;
  for (int i = 0; i < nodes.size(); ++i)
    positions[&nodes[i]] = i;
  for (const NodeProto *node : *order) {
    if (openLoops) {
      ++unrolledNodes;
      if (mlir::failed(checkUnrolled()))
        return failure();
    }
    importNode(*node, scope, positions.lookup(node));
  }
  return success();
}

/// Sizes of real models have far fewer symbols. Each further operation on a
/// size may multiply its symbols, because it is a tree.
static constexpr unsigned mostSymbols = 2000;

static bool isTooLong(const graph::SymInt &size) {
  unsigned count = 0;
  size.visitSymbols([&](StringRef) { ++count; });
  return count > mostSymbols;
}

/// Whether an output has a size that is too long to continue with.
static bool hasLongSize(const NodeContext::Output &output) {
  if (output.data && isa<RankedTensorType>(output.data.getType()) &&
      llvm::any_of(graph::getShape(output.data), isTooLong))
    return true;
  if (output.progression && (isTooLong(output.progression->start) ||
                             isTooLong(output.progression->delta) ||
                             isTooLong(output.progression->count)))
    return true;
  return output.fact &&
         llvm::any_of(output.fact->elements, [](const Fact &element) {
           const graph::SymInt *integer = element.getInteger();
           return integer && isTooLong(*integer);
         });
}

void GraphImporter::importNode(const NodeProto &node, Scope &scope,
                               size_t position) {
  Location loc = nodeLoc(node, position);
  SmallVector<ImportedValue *> inputs;
  bool poisoned = false, missing = false;
  SmallVector<std::string> problems;
  for (const std::string &name : node.input()) {
    ImportedValue *value = name.empty() ? nullptr : scope.find(name);
    if (!name.empty() && !value) {
      problems.push_back("input '" + name + "' is not defined");
      missing = true;
    }
    poisoned |= value && value->poisoned;
    inputs.push_back(value);
  }
  while (!inputs.empty() && !inputs.back())
    inputs.pop_back();

  StringRef domain = canonicalDomain(node.domain());
  auto version = scope.opsets->find(domain);
  NodeContext context(*this, node, scope,
                      version == scope.opsets->end() ? 0 : version->second,
                      inputs, loc);
  bool converted = false;
  {
    // Diagnostics of ops name the op, but the user knows the node, so add the
    // node's name.
    ScopedDiagnosticHandler handler(getContext(), [&](Diagnostic &diagnostic) {
      std::string text = diagnostic.str();
      for (Diagnostic &note : diagnostic.getNotes())
        text += "; " + note.str();
      problems.push_back(text);
      return success();
    });
    const Operator *known =
        domain.empty() ? findOperator(node.op_type()) : nullptr;
    bool refused = known && !known->converter;
    if (node.output_size() == 0) {
      context.error("the node has no outputs");
    } else if (refused) {
      context.error("not supported: " + known->note);
    } else if (!poisoned && !missing) {
      converted = succeeded(convertNode(node, scope, context));
    } else if (domain.empty() && !known && model.functions_size() == 0) {
      context.error("unknown operator");
    }
  }
  for (size_t i = 0, e = node.output_size(); converted && i < e; ++i)
    if (hasLongSize(context.getOutput(i))) {
      problems.push_back("output " + std::to_string(i) +
                         " has a size of more than " +
                         std::to_string(mostSymbols) +
                         " symbols; --bind gives symbols their sizes");
      break;
    }
  for (const std::string &problem : problems)
    emitError(loc) << "node '" << nodeName(node) << "' (" << node.op_type()
                   << "): " << problem;
  if (!problems.empty())
    failed = true;
  converted &= problems.empty();

  for (auto [i, name] : llvm::enumerate(node.output())) {
    if (name.empty())
      continue;
    ImportedValue *value = define(name, loc, scope);
    const NodeContext::Output &output = context.getOutput(i);
    if (output.alias) {
      scope.values[name] = output.alias;
      continue;
    }
    value->data = output.data;
    value->fact = output.fact;
    value->constant = output.constant;
    value->progression = output.progression;
    value->sequence = output.sequence;
    value->stackedElements = output.stackedElements;
    value->poisoned = !converted || (!value->data && !value->fact &&
                                     !value->constant && !value->isSequence());
    // An output that the converter did not set is an error only if it is used.
    if (converted && value->poisoned) {
      emitError(loc) << "node '" << nodeName(node) << "' (" << node.op_type()
                     << "): output " << i << " is not supported";
      failed = true;
    }
  }
}

LogicalResult GraphImporter::convertNode(const NodeProto &node, Scope &scope,
                                         NodeContext &context) {
  StringRef domain = canonicalDomain(node.domain());
  // A function of the model hides an operator of the same name.
  for (const FunctionProto &function : model.functions())
    if (function.name() == node.op_type() &&
        canonicalDomain(function.domain()) == domain &&
        function.overload() == node.overload())
      return inlineFunction(function, context);
  if (!domain.empty())
    return context.fail("operators of domain '" + domain +
                        "' are not supported");
  if (!context.getOpset())
    return context.fail("the model imports no version of the standard "
                        "operators");
  const Operator *op = findOperator(node.op_type());
  if (!op)
    return context.fail("unknown operator");

  if (!op->takesSequences)
    for (size_t i = 0; i < context.numInputs(); ++i)
      if (context.has(i) && context.getImported(i)->isSequence())
        return context.fail("input '" + context.getImported(i)->name +
                            "' is a sequence; expected a tensor");

  SmallVector<const FactTensor *> facts;
  bool known = false;
  for (size_t i = 0; i < context.numInputs(); ++i) {
    bool isWeight = context.has(i) && isSmallWeight(*context.getImported(i));
    facts.push_back(isWeight ? nullptr : context.fact(i));
    known |= facts.back() != nullptr;
    // An input that is present but unknown differs from an absent one.
    if (!facts.back() && context.has(i)) {
      known = false;
      break;
    }
  }
  if (known) {
    std::optional<std::vector<FactTensor>> results;
    for (graph::SizeCondition &condition : graph::collectWhile([&] {
           results = evaluateFacts({node, context.getOpset(), facts});
         }))
      require(condition.value, context, condition.text);
    if (results && results->size() >= context.numOutputs()) {
      for (size_t i = 0; i < context.numOutputs(); ++i)
        context.getOutput(i).fact =
            std::make_shared<FactTensor>(std::move((*results)[i]));
      return success();
    }
  }
  return op->converter(context);
}

//===----------------------------------------------------------------------===//
// Functions and branches
//===----------------------------------------------------------------------===//

/// Binds attributes of the node (and of its subgraphs) that refer to attributes
/// of the function.
static void
bindAttributes(NodeProto &node,
               const llvm::StringMap<const AttributeProto *> &given) {
  auto *attrs = node.mutable_attribute();
  for (int i = attrs->size() - 1; i >= 0; --i) {
    AttributeProto &attr = *attrs->Mutable(i);
    if (attr.has_g())
      for (NodeProto &inner : *attr.mutable_g()->mutable_node())
        bindAttributes(inner, given);
    if (attr.ref_attr_name().empty())
      continue;
    auto found = given.find(attr.ref_attr_name());
    if (found == given.end()) {
      attrs->DeleteSubrange(i, 1); // keeps the operator's default
      continue;
    }
    std::string name = attr.name();
    attr = *found->second;
    attr.set_name(name);
  }
}

LogicalResult GraphImporter::inlineFunction(const FunctionProto &function,
                                            NodeContext &context) {
  if (depth >= maxDepth)
    return context.fail("expected at most " + Twine(maxDepth) +
                        " nested function calls");
  ++depth;
  auto leave = llvm::scope_exit([&] { --depth; });
  FailureOr<Opsets> versions =
      readOpsets(function.opset_import(), context.getLoc());
  if (mlir::failed(versions))
    return failure();
  for (const auto &entry : opsets)
    versions->try_emplace(entry.getKey(), entry.getValue());

  Scope scope;
  scope.opsets = &*versions;
  for (auto [i, name] : llvm::enumerate(function.input()))
    if (context.has(i))
      scope.values[name] = context.getImported(i);
  llvm::StringMap<const AttributeProto *> given;
  for (const AttributeProto &attr : function.attribute_proto())
    given[attr.name()] = &attr;
  for (const AttributeProto &attr : context.getNode().attribute())
    given[attr.name()] = &attr;
  // Formal inputs that the call omits are also absent inside.
  llvm::StringSet<> absent;
  for (auto [i, name] : llvm::enumerate(function.input()))
    if (!context.has(i))
      absent.insert(name);
  auto *nodes = new NodeList(function.node());
  inlinedNodes.emplace_back(nodes);
  for (NodeProto &node : *nodes) {
    bindAttributes(node, given);
    for (std::string &input : *node.mutable_input())
      if (absent.contains(input))
        input.clear();
  }
  if (mlir::failed(importNodes(*nodes, scope)))
    return failure();
  for (auto [i, name] : llvm::enumerate(function.output())) {
    if (!context.wants(i))
      continue;
    ImportedValue *value = scope.find(name);
    if (!value)
      return context.fail("the function's output '" + Twine(name) +
                          "' is not defined");
    context.getOutput(i).alias = value;
  }
  return success();
}

FailureOr<SmallVector<ImportedValue *>>
GraphImporter::inlineGraph(const GraphProto &graph, Scope &parent,
                           ArrayRef<ImportedValue *> inputs) {
  if (depth >= maxDepth) {
    emitError(fileLoc) << "expected at most " << maxDepth
                       << " nested subgraphs";
    return failure();
  }
  ++depth;
  auto leave = llvm::scope_exit([&] { --depth; });
  Scope scope;
  scope.parent = &parent;
  scope.opsets = parent.opsets;
  if (static_cast<size_t>(graph.input_size()) != inputs.size()) {
    emitError(fileLoc) << "a subgraph has " << graph.input_size()
                       << " inputs; expected " << inputs.size();
    return failure();
  }
  for (auto [input, value] : llvm::zip(graph.input(), inputs))
    scope.values[input.name()] = value;
  if (mlir::failed(importInitializers(graph, scope)) ||
      mlir::failed(importNodes(graph.node(), scope)))
    return failure();
  SmallVector<ImportedValue *> outputs;
  for (const ValueInfoProto &output : graph.output()) {
    ImportedValue *value = scope.find(output.name());
    if (!value) {
      emitError(fileLoc) << "output '" << output.name()
                         << "' of a subgraph is not defined";
      return failure();
    }
    outputs.push_back(value);
  }
  return outputs;
}

LogicalResult GraphImporter::checkUnrolled() {
  int64_t ops = unrolledOps + opCounter.count - opsBeforeLoop;
  if (unrolledNodes <= maxUnrolledNodes && ops <= maxUnrolledOps)
    return success();
  emitError(fileLoc) << "unrolling all loops makes the graph too large: "
                     << unrolledNodes << " nodes and " << ops
                     << " ops so far; expected at most " << maxUnrolledNodes
                     << " nodes and " << maxUnrolledOps << " ops";
  return failure();
}

FailureOr<SmallVector<ImportedValue *>>
GraphImporter::unrollStep(const GraphProto &graph, Scope &parent,
                          ArrayRef<ImportedValue *> inputs) {
  if (openLoops++ == 0)
    opsBeforeLoop = opCounter.count;
  auto leave = llvm::scope_exit([&] {
    if (--openLoops == 0)
      unrolledOps += opCounter.count - opsBeforeLoop;
  });
  // A body without nodes counts as a step, too.
  ++unrolledNodes;
  if (mlir::failed(checkUnrolled()))
    return failure();
  auto outputs = inlineGraph(graph, parent, inputs);
  if (mlir::failed(outputs) || llvm::any_of(*outputs, [](ImportedValue *value) {
        return value->poisoned;
      }))
    return failure();
  return outputs;
}

FailureOr<SmallVector<ImportedValue *>>
GraphImporter::tryStep(const GraphProto &graph, Scope &parent,
                       ArrayRef<ImportedValue *> inputs) {
  bool hadFailed = failed;
  Block &block = getEntryBlock();
  Operation *before = block.empty() ? nullptr : &block.back();
  ScopedDiagnosticHandler silence(getContext(),
                                  [](Diagnostic &) { return success(); });
  auto outputs = inlineGraph(graph, parent, inputs);
  failed = hadFailed;
  while (!block.empty() && &block.back() != before &&
         &block.back() != lastConstant)
    block.back().erase();
  return outputs;
}

void GraphImporter::require(const SymInt &value, NodeContext &node,
                            const Twine &text) {
  conditions.push_back({value, ("node '" + nodeName(node.getNode()) + " (" +
                                node.getNode().op_type() + ")': " + text)
                                   .str()});
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::finishFunction(const GraphProto &graph,
                                            Scope &scope) {
  SmallVector<Value> results;
  SmallVector<Type> types;
  SmallVector<Attribute> names;
  if (graph.output_size() == 0)
    return emitError(fileLoc) << "the graph has no outputs";
  for (const ValueInfoProto &output : graph.output()) {
    ImportedValue *value = scope.find(output.name());
    if (!value)
      return emitError(fileLoc)
             << "output '" << output.name() << "' is not defined";
    if (value->isSequence())
      return emitError(fileLoc) << "output '" << output.name()
                                << "' is a sequence; expected a tensor";
    Value result = materialize(*value);
    if (!result)
      return failure();
    results.push_back(result);
    types.push_back(result.getType());
    names.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        "graph.name", builder.getStringAttr(output.name()))));
  }
  builder.setInsertionPointToEnd(&function.getBody().front());
  func::ReturnOp::create(builder, fileLoc, results);
  function.setFunctionType(
      builder.getFunctionType(function.getArgumentTypes(), types));
  function.setResAttrsAttr(builder.getArrayAttr(names));
  graph::recordSizeConditions(function, conditions);
  return success();
}

LogicalResult GraphImporter::writeParams() {
  if (params.empty())
    return success();
  StringRef name = options.paramsName;
  if (name.empty())
    name = llvm::sys::path::filename(options.paramsPath);
  if (!name.empty())
    (*module)->setAttr("graph.params", builder.getStringAttr(name));
  if (options.discardParams)
    return success();
  if (options.paramsPath.empty())
    return emitError(fileLoc) << "the model has " << params.size()
                              << " weights; expected a file to write them to";
  std::vector<artifact::SafetensorsWriter::Declaration> declarations;
  for (const OnnxTensor *tensor : params)
    declarations.push_back(
        {tensor->name, tensor->dtype,
         std::vector<int64_t>(tensor->shape.begin(), tensor->shape.end())});
  auto writer = artifact::SafetensorsWriter::create(options.paramsPath,
                                                    std::move(declarations));
  if (!writer)
    return emitError(fileLoc) << writer.error();
  for (const OnnxTensor *tensor : params) {
    artifact::Status status =
        writer->write(tensor->name, tensor->bytes.data(), tensor->bytes.size());
    if (!status)
      return emitError(fileLoc) << status.error();
  }
  artifact::Status status = writer->finish();
  if (!status)
    return emitError(fileLoc) << status.error();
  return success();
}
