//===- Admit.cpp - whether backends compute what they claim ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Admit.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"
#include "tenon/Driver/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using llvm::Error;
using llvm::StringRef;

/// The interpreter is slow.
static constexpr unsigned kInterpretSeconds = 120;

namespace {
/// A subgraph as a separate model.
class LoneSubgraph {
public:
  LoneSubgraph(const backend::Backend &backend,
               const backend::Subgraph &subgraph)
      : backend(&backend), ops(subgraph.ops), pattern(subgraph.pattern) {
    llvm::sort(
        ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  }

  /// Elements that it reads and writes.
  double size() const;
  /// `placed`: as one call of the backend; else as the graph that it is.
  OwningOpRef<ModuleOp> build(bool placed) const;
  unsigned numInputs() const;
  unsigned numOutputs() const { return outputs().size(); }

private:
  llvm::SetVector<Value> inputs() const;
  SmallVector<Value> outputs() const;

  const backend::Backend *backend;
  SmallVector<Operation *> ops;
  std::string pattern;
};
} // namespace

llvm::SetVector<Value> LoneSubgraph::inputs() const {
  llvm::SetVector<Value> found;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!llvm::is_contained(ops, operand.getDefiningOp()))
        found.insert(operand);
  return found;
}

SmallVector<Value> LoneSubgraph::outputs() const {
  SmallVector<Value> found;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !llvm::is_contained(ops, user);
          }))
        found.push_back(result);
  return found;
}

unsigned LoneSubgraph::numInputs() const {
  return llvm::count_if(inputs(),
                        [](Value value) { return !kernel::isPrepared(value); });
}

double LoneSubgraph::size() const {
  double sum = 0;
  auto add = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    sum += type.hasStaticShape() ? type.getNumElements() : 1e12;
  };
  llvm::for_each(inputs(), add);
  llvm::for_each(outputs(), add);
  return sum;
}

OwningOpRef<ModuleOp> LoneSubgraph::build(bool placed) const {
  MLIRContext *context = ops.front()->getContext();
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  llvm::SetVector<Value> read = inputs();
  SmallVector<Value> written = outputs();
  SmallVector<Type> arguments;
  for (Value value : read)
    if (!kernel::isPrepared(value))
      arguments.push_back(value.getType());
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, loc, "main",
      builder.getFunctionType(arguments, ValueRange(written).getTypes()));
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  // Values that the model packs at load are weights here, too.
  IRMapping map;
  unsigned argument = 0, weight = 0;
  SmallVector<Value> operands;
  for (Value value : read) {
    Value here;
    if (kernel::isPrepared(value))
      here = graph::ParameterOp::create(builder, loc, value.getType(),
                                        "w" + std::to_string(weight++),
                                        /*buffer=*/StringAttr());
    else
      here = block->getArgument(argument++);
    map.map(value, here);
    operands.push_back(here);
  }
  SmallVector<Value> results;
  if (placed) {
    auto call =
        kernel::CallOp::create(builder, loc, ValueRange(written).getTypes(),
                               backend->getName(), pattern, operands);
    Block *body = builder.createBlock(&call.getBody());
    for (Value value : read)
      map.map(value, body->addArgument(value.getType(), loc));
    llvm::append_range(results, call.getOutputs());
  }
  SmallVector<Value> computed;
  for (Operation *op : ops)
    builder.clone(*op, map);
  for (Value value : written)
    computed.push_back(map.lookup(value));
  if (placed)
    kernel::YieldOp::create(builder, loc, computed);
  else
    results = computed;
  builder.setInsertionPointToEnd(block);
  func::ReturnOp::create(builder, loc, results);
  return module;
}

static bool write(ModuleOp module, const std::string &path) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return false;
  module->print(os);
  return !os.has_error();
}

namespace {
class Admitter {
public:
  Admitter(const CompileOptions &options, kernel::CpuAttr cpu,
           const Judges &judges, const Workspace &workspace)
      : options(options), cpu(cpu), judges(judges), workspace(workspace) {}

  /// The error of the subgraph; empty if it is right; none if it cannot be
  /// judged.
  std::optional<std::string> judge(const LoneSubgraph &subgraph);

private:
  int run(StringRef program, std::vector<std::string> arguments, unsigned limit,
          std::string &said) const;

  const CompileOptions &options;
  kernel::CpuAttr cpu;
  const Judges &judges;
  const Workspace &workspace;
};
} // namespace

int Admitter::run(StringRef program, std::vector<std::string> arguments,
                  unsigned limit, std::string &said) const {
  arguments.insert(arguments.begin(), program.str());
  SmallVector<StringRef> list(arguments.begin(), arguments.end());
  std::string text = workspace.path("said.txt");
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(text),
                                          StringRef(text)};
  int status = llvm::sys::ExecuteAndWait(program, list, std::nullopt, redirects,
                                         limit, 0, &said);
  if (status > 0)
    if (auto buffer = llvm::MemoryBuffer::getFile(text))
      for (StringRef rest = (*buffer)->getBuffer().trim(); !rest.empty();) {
        // The last line that reports a failure.
        auto [line, next] = rest.split('\n');
        if (said.empty() || !line.starts_with("ok"))
          said = line.trim().str();
        rest = next;
      }
  return status;
}

/// What tenon-run said, without the names of files that are gone when it is
/// read.
static std::string tidy(StringRef said) {
  said.consume_front("tenon-run: error: ");
  if (said.consume_front("differs from '"))
    return ("differs from the interpreter: " + said.split("': ").second).str();
  return said.str();
}

std::optional<std::string> Admitter::judge(const LoneSubgraph &subgraph) {
  std::string graph = workspace.path("piece.mlir");
  std::string artifact = workspace.path("piece.so");
  if (!write(*subgraph.build(/*placed=*/false), graph))
    return std::nullopt;
  OwningOpRef<ModuleOp> placed = subgraph.build(/*placed=*/true);
  CompileOptions compile;
  compile.input = "piece.mlir";
  compile.target.targets = cpu.getTargetName();
  compile.toolVersion = options.toolVersion;
  if (failed(prepareModule(*placed)))
    return "it can't be compiled";
  FailureOr<CompiledModule> compiled =
      compileModule(std::move(placed), compile);
  if (failed(compiled) ||
      failed(emitModule(*compiled, compile, /*paramsPath=*/"", artifact)))
    return "it can't be compiled";
  std::vector<std::string> inputs = {"--params", "random:1"}, reference,
                           expected;
  for (unsigned i = 0; i < subgraph.numInputs(); ++i)
    llvm::append_values(inputs, std::string("--input"),
                        "random:" + std::to_string(2 + i));
  for (unsigned i = 0; i < subgraph.numOutputs(); ++i) {
    std::string name = "result" + std::to_string(i) + "=@" +
                       workspace.path("result" + std::to_string(i) + ".npy");
    llvm::append_values(reference, std::string("--output"), name);
    llvm::append_values(expected, std::string("--expect"), name);
  }
  std::vector<std::string> arguments = {graph};
  llvm::append_range(arguments, inputs);
  llvm::append_range(arguments, reference);
  std::string said;
  if (run(judges.tenonInterpret, arguments, kInterpretSeconds, said) != 0)
    return std::nullopt;
  arguments = {artifact};
  llvm::append_range(arguments, inputs);
  llvm::append_range(arguments, expected);
  // Sums of f32 in any order, of up to some thousand terms.
  llvm::append_values(arguments, std::string("--rtol"), std::string("1e-4"),
                      std::string("--threads"), std::to_string(judges.threads));
  said.clear();
  int status = run(judges.tenonRun, arguments, judges.limitSeconds, said);
  if (status == 0)
    return "";
  if (status == -2 && StringRef(said).contains("timed out"))
    return "it did not finish within " + std::to_string(judges.limitSeconds) +
           " s";
  if (status < 0)
    return "it crashed: " + said;
  return tidy(said);
}

Error admitPatterns(const CompileOptions &options,
                    const OptimizedModel &optimized, const Judges &judges,
                    const Workspace &workspace, cost::CostDatabase &database) {
  OwningOpRef<ModuleOp> module = optimized.module.get().clone();
  MLIRContext *context = module->getContext();
  auto &registry = backend::BackendRegistry::get(context);
  if (llvm::all_of(registry.getBackends(), [&](const auto &backend) {
        return backend->isTrusted() ||
               llvm::is_contained(options.place.without, backend->getName());
      }))
    return Error::success();
  PassManager passes(context);
  buildPreparePipeline(passes,
                       PlacePipelineOptions(kernel::getTarget(*module)));
  if (failed(passes.run(*module)))
    return llvm::createStringError("'" + options.input + "' can't be placed");
  auto function = module->lookupSymbol<func::FuncOp>("main");
  Admitter admitter(options, kernel::getTarget(*module).getHost(), judges,
                    workspace);
  for (const auto &backend : registry.getBackends()) {
    if (backend->isTrusted() ||
        llvm::is_contained(options.place.without, backend->getName()))
      continue;
    SmallVector<backend::Subgraph> subgraphs;
    backend->match(function.getBody().front(), subgraphs);
    llvm::MapVector<StringRef, LoneSubgraph> smallest;
    for (const backend::Subgraph &subgraph : subgraphs) {
      if (database.lookupAdmission(backend->getName(), subgraph.pattern))
        continue;
      LoneSubgraph lone(*backend, subgraph);
      auto it = smallest.find(subgraph.pattern);
      if (it == smallest.end())
        smallest.insert({subgraph.pattern, std::move(lone)});
      else if (lone.size() < it->second.size())
        it->second = std::move(lone);
    }
    for (const auto &[pattern, subgraph] : smallest) {
      std::optional<std::string> failure = admitter.judge(subgraph);
      if (!failure) {
        llvm::errs() << "tenon-profile: warning: backend '"
                     << backend->getName() << "': its pattern '" << pattern
                     << "' is not admitted: the interpreter can't judge it\n";
        continue;
      }
      if (!failure->empty())
        llvm::errs() << "tenon-profile: warning: backend '"
                     << backend->getName() << "': its pattern '" << pattern
                     << "' is not admitted: " << *failure << "\n";
      database.add(
          cost::Admission{backend->getName().str(), pattern.str(), *failure});
    }
  }
  return Error::success();
}
