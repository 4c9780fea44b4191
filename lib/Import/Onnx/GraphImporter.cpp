//===- GraphImporter.cpp - conversion of ONNX graphs to functions ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "Buffers.h"
#include "NodeContext.h"
#include "Operators.h"

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
static constexpr unsigned maxDepth = 256;

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

/// Adds the names that nodes read, and those of results of their subgraphs.
static void collectReads(const NodeList &nodes, llvm::StringSet<> &names) {
  for (const NodeProto &node : nodes) {
    for (const std::string &name : node.input())
      names.insert(name);
    for (const AttributeProto &attr : node.attribute())
      if (attr.has_g()) {
        collectReads(attr.g().node(), names);
        for (const ValueInfoProto &output : attr.g().output())
          names.insert(output.name());
      }
  }
}

FailureOr<OwningOpRef<ModuleOp>> GraphImporter::import() {
  FailureOr<Opsets> versions = readOpsets(model.opset_import(), fileLoc);
  if (mlir::failed(versions))
    return failure();
  opsets = *versions;
  module = ModuleOp::create(fileLoc);
  graph::setVersion(*module);
  builder.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(builder, fileLoc, "main",
                                  builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());

  const GraphProto &graph = model.graph();
  collectReads(graph.node(), namesRead);
  for (const FunctionProto &function : model.functions()) {
    collectReads(function.node(), namesRead);
    for (const std::string &name : function.output())
      namesRead.insert(name);
  }
  Scope scope;
  scope.opsets = &opsets;
  if (mlir::failed(applyBinds(graph)) ||
      mlir::failed(importInitializers(graph, scope)) ||
      mlir::failed(importInputs(graph, scope)) ||
      mlir::failed(checkSizesUsed()) ||
      mlir::failed(importNodes(graph.node(), scope)) || failed ||
      mlir::failed(finishFunction(graph, scope)))
    return failure();
  separateStatistics();
  if (mlir::failed(verify(*module)) || mlir::failed(writeParams()))
    return failure();
  markClassWeights(function);
  if (!options.inlinesSmallWeights) {
    markUniform(function, params);
    markWithoutGradient(function);
  }
  reportTrainingNorms();
  return std::move(module);
}

LogicalResult GraphImporter::importInitializers(const GraphProto &graph,
                                                Scope &scope) {
  bool ok = true;
  // An exporter that reshapes a slope gives it a name of its own.
  llvm::StringSet<> others;
  for (const NodeProto &node : graph.node())
    for (auto [position, name] : llvm::enumerate(node.input())) {
      bool isSwitch = node.op_type() == "OneHot" && position == 2;
      (isSwitch ? switches : others).insert(name);
      if (node.op_type() == "PRelu" && position == 1)
        slopes.insert(name);
    }
  for (const auto &name : others)
    switches.erase(name.getKey());
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
    // Its author may have meant a parameter: PyTorch names other numbers
    // itself.
    if (!options.inlinesSmallWeights && model.producer_name() == "pytorch" &&
        tensor->shape.empty() && artifact::isFloat(tensor->dtype) &&
        !isExportersName(proto.name()))
      emitWarning(fileLoc)
          << "initializer '" << proto.name()
          << "' is a number without an axis, which is never trained; give it "
             "an axis of size 1 if it is a parameter";
    ImportedValue *value = define(proto.name(), loc, scope);
    value->constant = own(std::move(*tensor));
    value->isInitializer = true;
    if (value->constant->shape.size() == 2 &&
        !isExportersName(value->constant->name))
      matrices.push_back(value);
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
    value->dependsOnWeights = output.dependsOnWeights;
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

  // Another name of a weight, whose elements may be known, too.
  if (node.op_type() == "Identity" && context.has(0) &&
      context.getImported(0)->isInitializer)
    return op->converter(context);
  std::optional<std::vector<FactTensor>> results = evaluateNode(node, context);
  bool hasWeights = false;
  for (size_t i = 0; i < context.numInputs(); ++i)
    hasWeights |= context.has(i) && isWeight(*context.getImported(i));
  if (!results)
    return op->converter(context);
  if (hasWeights) {
    // Training changes the data, but some ops need the numbers at import.
    // These are all there is if data can't be had.
    ScopedDiagnosticHandler silence(getContext(),
                                    [](Diagnostic &) { return success(); });
    hasWeights = succeeded(op->converter(context));
  }
  for (size_t i = 0; i < context.numOutputs(); ++i) {
    NodeContext::Output &output = context.getOutput(i);
    if (hasWeights && (!output.data || output.fact))
      continue;
    if (!hasWeights)
      output = {};
    output.fact = std::make_shared<FactTensor>(std::move((*results)[i]));
    output.dependsOnWeights = hasWeights;
  }
  return success();
}

std::optional<std::vector<FactTensor>>
GraphImporter::evaluateNode(const NodeProto &node, NodeContext &context) {
  SmallVector<const FactTensor *> facts;
  bool known = false;
  for (size_t i = 0; i < context.numInputs(); ++i) {
    facts.push_back(context.fact(i));
    known |= facts.back() != nullptr;
    // An input that is present but unknown differs from an absent one.
    if (!facts.back() && context.has(i))
      return std::nullopt;
  }
  if (!known)
    return std::nullopt;
  SmallVector<graph::SizeCondition> conditions;
  std::optional<std::vector<FactTensor>> results =
      evaluateFacts({node, context.getOpset(), facts, &conditions});
  for (graph::SizeCondition &condition : conditions)
    require(condition.value, context, condition.text);
  if (results && results->size() < context.numOutputs())
    results.reset();
  return results;
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
