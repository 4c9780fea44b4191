//===- ModelInput.cpp - reading models -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelInput.h"
#include "tenon/Artifact/InputSpec.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/Dialect/Graph/Transforms/Entries.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Driver/CompileModule.h"
#include "tenon/Import/Onnx.h"
#include "tenon/Support/ParseModule.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <set>

using namespace mlir;
using namespace tenon;
namespace path = llvm::sys::path;

/// Sorts the binds by what they bind.
static LogicalResult
parseBinds(const std::vector<std::string> &binds, Location loc,
           std::map<std::string, artifact::TensorData> &tensors,
           std::vector<std::pair<std::string, int64_t>> &symbols) {
  for (const std::string &bind : binds) {
    StringRef name, value;
    std::tie(name, value) = StringRef(bind).split('=');
    int64_t size;
    if (!value.getAsInteger(10, size)) {
      if (size < 0)
        return emitError(loc)
               << "bind '" << bind
               << "': expected a size of 0 or more, but got " << size;
      if (llvm::any_of(symbols,
                       [&](const auto &bound) { return bound.first == name; }))
        return emitError(loc)
               << "bind '" << bind << "': '" << name << "' is bound twice";
      symbols.emplace_back(name.str(), size);
      continue;
    }
    if (name.empty() || !value.consume_front("@"))
      return emitError(loc) << "bind '" << bind
                            << "': expected SYMBOL=SIZE, INPUT=@FILE.pb or "
                               "INPUT=@FILE.npy";
    auto tensor = artifact::readTensorFile(value.str());
    if (!tensor)
      return emitError(loc) << "bind '" << bind << "': " << tensor.error();
    if (!tensors.emplace(name.str(), std::move(*tensor)).second)
      return emitError(loc)
             << "bind '" << bind << "': '" << name << "' is bound twice";
  }
  return success();
}

static LogicalResult convertTosa(ModuleOp module, bool verifyEach) {
  bool hasTosa =
      module
          .walk([](Operation *op) {
            return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (!hasTosa)
    return success();
  if (!PassInfo::lookup("tosa-to-graph"))
    return module.emitError("models of tosa ops are not available in this "
                            "version");
  PassManager passes(module->getName());
  passes.enableVerifier(verifyEach);
  if (failed(parsePassPipeline("tosa-to-graph", passes)))
    return failure();
  return passes.run(module);
}

/// The symbol to which a condition leaves one value, with it: the condition is
/// min(d, -d) >= 0, where d is the difference of both, or -symbol >= 0.
static std::optional<std::pair<std::string, int64_t>>
getOnlyValue(const graph::SymInt &condition) {
  const auto &terms = condition.getTerms();
  if (terms.size() != 1 || terms.begin()->first.atoms.size() != 1)
    return std::nullopt;
  const graph::SymInt::Atom &atom = *terms.begin()->first.atoms.front();
  int64_t coefficient = terms.begin()->second;
  if (atom.kind == graph::SymInt::AtomKind::Symbol && coefficient < 0)
    return std::pair(atom.name, int64_t(0));
  if (coefficient != 1 || atom.kind != graph::SymInt::AtomKind::Min ||
      !(*atom.lhs + *atom.rhs == graph::SymInt(0)))
    return std::nullopt;
  std::set<std::string> names;
  atom.lhs->visitSymbols([&](StringRef name) { names.insert(name.str()); });
  if (names.size() != 1)
    return std::nullopt;
  graph::SymInt symbol = graph::SymInt::symbol(*names.begin());
  for (const graph::SymInt &difference : {*atom.lhs, *atom.rhs})
    if (std::optional<int64_t> value = (symbol - difference).getConstant();
        value && *value >= 0)
      return std::pair(*names.begin(), *value);
  return std::nullopt;
}

/// Gives symbols the only value that the model allows, so that ops that need
/// equal sizes have them. Another entry may allow more, and share the name.
static LogicalResult bindToOnlyValues(ModuleOp module) {
  if (!llvm::hasSingleElement(graph::getEntries(module)))
    return success();
  for (bool changed = true; changed;) {
    changed = false;
    for (func::FuncOp entry : graph::getEntries(module))
      for (const graph::SizeCondition &condition :
           graph::collectSizeConditions(entry))
        if (auto only = getOnlyValue(condition.value); only && !changed) {
          changed = true;
          if (failed(graph::bindSymbols(module, {*only})))
            return failure();
        }
  }
  return success();
}

static LogicalResult
finishModel(ModuleOp module,
            const std::vector<std::pair<std::string, int64_t>> &symbols) {
  if (!symbols.empty() && failed(graph::bindSymbols(module, symbols)))
    return failure();
  if (failed(verify(module)))
    return failure();
  graph::setVersion(module);
  // Its stages are looked at when they become tasks.
  if (pipe::getProgram(module))
    return success();
  if (isLowered(module))
    return checkLowered(module);
  if (failed(checkGraph(module)) || failed(bindToOnlyValues(module)) ||
      failed(verify(module)))
    return failure();
  for (func::FuncOp entry : graph::getEntries(module))
    graph::recordSizeConditions(entry);
  return success();
}

FailureOr<ModelInput> tenon::readModel(const ModelInputOptions &options,
                                       llvm::SourceMgr &sources,
                                       MLIRContext &context) {
  Location loc = FileLineColLoc::get(&context, options.path, 0, 0);
  StringRef extension = path::extension(options.path);
  ModelInput model;
  std::map<std::string, artifact::TensorData> tensors;
  std::vector<std::pair<std::string, int64_t>> symbols;
  if (failed(parseBinds(options.binds, loc, tensors, symbols)))
    return failure();
  if (llvm::sys::fs::is_directory(options.path))
    return emitError(UnknownLoc::get(&context))
           << "can't open '" << options.path << "': is a directory";

  if (extension == ".onnx") {
    OnnxImportOptions onnx;
    onnx.paramsPath = options.paramsPath;
    onnx.paramsName = options.paramsName;
    onnx.binds = std::move(tensors);
    onnx.sizes.insert(symbols.begin(), symbols.end());
    onnx.discardParams = options.paramsPath.empty();
    onnx.inlinesSmallWeights = !options.trains;
    onnx.trainsBatchNorms = options.trains;
    onnx.filesRead = &model.filesRead;
    FailureOr<OwningOpRef<ModuleOp>> module =
        importOnnx(options.path, &context, onnx);
    if (failed(module))
      return failure();
    model.module = std::move(*module);
    if (llvm::sys::fs::exists(options.paramsPath))
      model.paramsPath = options.paramsPath;
    if (!options.weights.empty())
      return emitError(loc) << "weights '" << options.weights
                            << "': an .onnx model holds its own";
  } else if (extension == ".mlir" || extension == ".mlirbc") {
    if (!tensors.empty())
      return emitError(loc) << "bind '" << tensors.begin()->first
                            << "': only inputs of .onnx models can be fixed";
    model.module = parseModuleFile(options.path, &context, &sources);
    if (!model.module || failed(convertTosa(*model.module, options.verifyEach)))
      return failure();
    if (isLowered(*model.module) && !pipe::getProgram(*model.module) &&
        !symbols.empty())
      return model.module->emitError()
             << "--bind: expected a model that is not lowered yet";
    FailureOr<std::string> weights =
        findWeights(*model.module, options.path, options.weights);
    if (failed(weights))
      return failure();
    model.paramsPath = std::move(*weights);
  } else if (StringRef(options.path).ends_with(".plan.json")) {
    return emitError(UnknownLoc::get(&context))
           << "model '" << options.path
           << "': plans are modules now; expected NAME.mlir, which tenon-plan "
              "-o "
              "NAME.mlir writes";
  } else {
    return emitError(UnknownLoc::get(&context))
           << "model '" << options.path
           << "': expected a name that ends in .onnx, .mlir or .mlirbc";
  }
  if (extension == ".onnx")
    symbols.clear();
  if (failed(finishModel(*model.module, symbols)))
    return failure();
  return std::move(model);
}

LogicalResult tenon::prepareModule(ModuleOp module) {
  return finishModel(module, {});
}
