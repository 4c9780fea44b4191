//===- tenon-interpret.cpp - the reference result of a model ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "ModelFile.h"

#include "tenon/Artifact/InputFiles.h"
#include "tenon/Artifact/OutputFile.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Driver/EmulateProgram.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Interpret/States.h"
#include "tenon/Interpret/TensorConversion.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interpret;
using artifact::TensorData;

static int fail(const Twine &message) {
  llvm::errs() << "tenon-interpret: error: " << message << "\n";
  return 1;
}

/// Names of arguments or results; those without one are called by number.
static std::vector<std::string>
getNames(unsigned count, StringRef fallback,
         llvm::function_ref<StringAttr(unsigned)> name) {
  std::vector<std::string> names;
  for (unsigned number = 0; number < count; ++number) {
    StringAttr attribute = name(number);
    names.push_back(attribute ? attribute.str()
                              : (fallback + Twine(number)).str());
  }
  return names;
}

/// The tensors of the inputs, or nothing after an error.
static std::optional<SmallVector<Tensor>> loadInputs(func::FuncOp function,
                                                     const CommandLine &line) {
  std::vector<std::string> names =
      getNames(graph::countOwnArguments(function), "arg", [&](unsigned number) {
        return function.getArgAttrOfType<StringAttr>(number, "graph.name");
      });
  auto specs = artifact::assignSpecs(line.inputs, names, "input");
  if (!specs) {
    fail(specs.error());
    return std::nullopt;
  }
  SmallVector<Tensor> tensors;
  for (auto [number, name] : llvm::enumerate(names)) {
    const artifact::InputSpec *spec = (*specs)[number];
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[number]);
    if (!spec || !type) {
      fail("input '" + name + "': " +
           (spec ? "expected a ranked tensor" : "expected a value (--input)"));
      return std::nullopt;
    }
    std::vector<int64_t> shape;
    for (int64_t size : type.getShape())
      shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
    auto data = artifact::loadInput(*spec, "input '" + name + "'", name,
                                    getDType(type.getElementType()), shape);
    if (!data) {
      fail(data.error());
      return std::nullopt;
    }
    FailureOr<Tensor> tensor =
        fromData(*data, function.getContext(), line.domain);
    if (failed(tensor)) {
      fail("input '" + name + "' does not fit into memory");
      return std::nullopt;
    }
    tensors.push_back(*tensor);
  }
  return tensors;
}

/// The function to run; null after an error.
static func::FuncOp findEntry(ModuleOp module, const CommandLine &line) {
  SmallVector<func::FuncOp> entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      entries.push_back(function);
  std::string names;
  for (func::FuncOp entry : entries)
    names += (names.empty() ? "'" : ", '") + entry.getName().str() + "'";
  if (!line.entry.empty()) {
    auto found = llvm::find_if(entries, [&](func::FuncOp entry) {
      return entry.getName() == line.entry;
    });
    if (found != entries.end())
      return *found;
    fail("'" + line.model + "' has no entry '" + line.entry + "'; " +
         (names.empty() ? "expected a public function"
                        : "expected one of " + names));
    return {};
  }
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return main;
  if (entries.size() == 1)
    return entries.front();
  fail("'" + line.model + "': expected " +
       (names.empty() ? "a function @main"
                      : "--entry with one of its entries, " + names));
  return {};
}

/// The states before the run, or nothing after an error.
static std::optional<States>
loadStates(ModuleOp module, const CommandLine &line, const Options &options) {
  if (module.getOps<graph::StateOp>().empty() &&
      !(line.statePath.empty() && line.saveStatePath.empty())) {
    fail("'" + line.model + "' has no states, but got " +
         (line.statePath.empty() ? "--save-state" : "--state"));
    return std::nullopt;
  }
  FailureOr<States> states = getInitialStates(module, options);
  if (failed(states))
    return std::nullopt;
  if (line.statePath.empty())
    return std::move(*states);
  if (auto status =
          interpret::loadStates(line.statePath, module, line.domain, *states);
      !status) {
    fail(status.error());
    return std::nullopt;
  }
  return std::move(*states);
}

static void printTensor(StringRef name, const TensorData &data) {
  constexpr int64_t shown = 64;
  llvm::outs() << name << " = " << artifact::formatType(data.dtype, data.shape)
               << " [";
  int64_t count = std::min(shown, data.numElements());
  for (int64_t number = 0; number < count; ++number) {
    llvm::outs() << (number ? ", " : "");
    if (artifact::isFloat(data.dtype))
      llvm::outs() << llvm::format("%.9g", data.get(number));
    else
      llvm::outs() << data.getInteger(number);
  }
  llvm::outs() << (count < data.numElements() ? ", ...]\n" : "]\n");
}

/// Prints, writes and compares the results; the exit status.
static int report(func::FuncOp function, ArrayRef<Tensor> results,
                  const CommandLine &line) {
  std::vector<std::string> names = getNames(
      graph::countOwnResults(function), "result", [&](unsigned number) {
        return function.getResultAttrOfType<StringAttr>(number, "graph.name");
      });
  auto expects = artifact::assignSpecs(line.expects, names, "output");
  if (!expects)
    return fail(expects.error());
  std::vector<artifact::InputSpec> files;
  for (const auto &[name, path] : line.outputs) {
    artifact::InputSpec &file = files.emplace_back();
    file.name = name;
    file.path = path;
  }
  auto outputs = artifact::assignSpecs(files, names, "output");
  if (!outputs)
    return fail(outputs.error());
  bool agrees = true;
  for (auto [number, name] : llvm::enumerate(names)) {
    TensorData data = toData(results[number], line.domain);
    if (const artifact::InputSpec *file = (*outputs)[number])
      if (auto status = artifact::writeTensorFile(file->path, name, data);
          !status)
        return fail(status.error());
    if (const artifact::InputSpec *expect = (*expects)[number]) {
      auto expected = artifact::readTensorFile(expect->path);
      if (!expected)
        return fail(expected.error());
      auto comparison =
          artifact::compareTensors(data, *expected, line.tolerance);
      if (!comparison)
        return fail("output '" + name + "': " + comparison.error());
      llvm::outs() << (comparison->agrees() ? "ok   " : "FAIL ") << name << ": "
                   << comparison->summary() << "\n";
      agrees &= comparison->agrees();
    } else if (line.outputs.empty()) {
      printTensor(name, data);
    }
  }
  return agrees ? 0 : 1;
}

/// Runs a placed module's kernels in the emulator.
static FailureOr<SmallVector<Tensor>>
runEmulated(func::FuncOp entry, ArrayRef<Tensor> inputs, States &states,
            const CommandLine &line, const Options &reference) {
  auto module = entry->getParentOfType<ModuleOp>();
  // This also holds if a model consists only of data movement, and nothing is
  // left to place.
  WalkResult found = module.walk([](Operation *op) {
    auto call = dyn_cast<kernel::CallOp>(op);
    bool isForCpu = call && call.getBackend() == kernel::kCpuBackend;
    bool isUnplaced =
        isa<graph::GraphDialect>(op->getDialect()) &&
        !isa<graph::ConstantOp, graph::ParameterOp, graph::StateOp>(op) &&
        !graph::isView(op) && !op->getParentOfType<kernel::CallOp>();
    return isForCpu || isUnplaced ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  if (found.wasInterrupted())
    return emitError(UnknownLoc::get(module.getContext()))
           << "--emulate: expected a module that is placed on 'cuda' "
              "(tenon-compile --target=cuda:sm_80 --stop-after=place)";
  EmulateOptions options;
  options.numerics = line.emulatesAsPlaced
                         ? kernel::getTarget(module).getNumerics()
                         : *line.emulate;
  options.parameters = reference.parameters;
  emulate::RunStatistics statistics;
  FailureOr<SmallVector<Tensor>> results =
      emulateProgram(entry, inputs, states, options, &statistics);
  if (succeeded(results)) {
    llvm::outs() << "emulated " << statistics.kernels << " kernels in "
                 << statistics.launches << " launches, "
                 << statistics.instructions << " instructions";
    if (statistics.libraryCalls)
      llvm::outs() << "; " << statistics.libraryCalls
                   << " library calls by the interpreter";
    llvm::outs() << "\n";
  }
  return results;
}

/// Checks that no output replaces an input.
static artifact::Status checkFiles(const CommandLine &line,
                                   const std::string &params) {
  std::vector<artifact::PlannedOutput> outputs;
  for (const auto &[name, path] : line.outputs)
    outputs.push_back({"--output", path});
  std::vector<std::string> inputs = {line.model, line.paramsPath, params};
  if (!line.saveStatePath.empty())
    outputs.push_back({"--save-state", line.saveStatePath});
  // A loop over tokens has one file of states.
  if (!line.statePath.empty() &&
      !llvm::sys::fs::equivalent(line.statePath, line.saveStatePath))
    inputs.push_back(line.statePath);
  for (const auto &[name, path] : line.binds)
    inputs.push_back(path);
  for (const auto *specs : {&line.inputs, &line.expects})
    for (const artifact::InputSpec &spec : *specs)
      inputs.push_back(spec.path);
  return artifact::checkOutputs(outputs, inputs, /*force=*/false);
}

int main(int argc, char **argv) {
  artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  artifact::prepareSignals("tenon-interpret");
  CommandLine line;
  if (std::optional<int> status = parseCommandLine(argc, argv, line))
    return *status;

  if (auto status = checkFiles(line, {}); !status)
    return fail(status.error());
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  ModelFile model;
  if (failed(model.read(line, sources, context)))
    return 1;
  if (auto status = checkFiles(line, model.paramsPath); !status)
    return fail(status.error());
  func::FuncOp function = findEntry(*model.module, line);
  if (!function)
    return 1;
  Options options;
  options.domain = line.domain;
  options.naive = line.naive;
  options.threads = line.threads;
  if (line.paramsSeed)
    options.parameters = randomParameters(*line.paramsSeed);
  else if (!line.paramsPath.empty() || !model.paramsPath.empty())
    options.parameters = parametersFromFile(
        line.paramsPath.empty() ? model.paramsPath : line.paramsPath);
  std::optional<States> states = loadStates(*model.module, line, options);
  if (!states)
    return 1;
  std::optional<SmallVector<Tensor>> inputs = loadInputs(function, line);
  if (!inputs)
    return 1;
  bool isTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  if (isTerminal)
    options.progress = [](Operation *op, size_t number, size_t count) {
      llvm::errs() << "\r\033[K[" << number << "/" << count << "] "
                   << op->getName().getStringRef();
    };
  // The interpreter checks every op's indices itself.
  options.checkIndices = true;
  if (!line.emulate)
    graph::dropIndexChecks(function);
  FailureOr<SmallVector<Tensor>> results =
      !line.emulate ? evaluateEntry(function, *inputs, *states, options)
                    : runEmulated(function, *inputs, *states, line, options);
  if (isTerminal)
    llvm::errs() << "\r\033[K";
  if (failed(results))
    return 1;
  graph::dropIndexChecks(function);
  int status = report(function, *results, line);
  if (line.saveStatePath.empty())
    return status;
  artifact::releaseInput(line.saveStatePath);
  if (auto saved =
          saveStates(line.saveStatePath, *model.module, line.domain, *states);
      !saved)
    return fail(saved.error());
  return status;
}
