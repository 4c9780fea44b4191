//===- CompilePlan.cpp - from a program of stages to artifacts ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/CompilePlan.h"
#include "OutputPlan.h"
#include "tenon/Artifact/Plan.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Support/ParseModule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tenon;
namespace path = llvm::sys::path;

static constexpr StringLiteral extension = ".plan.json";
/// The files of a stage; the library last.
static constexpr StringLiteral kinds[] = {".safetensors", ".h", ".so"};

bool tenon::isPlanOutput(const CompileOptions &options) {
  return StringRef(options.output).ends_with(extension) &&
         options.emit == EmitKind::SharedLibrary &&
         options.stopAfter == CompilePhase::Emit;
}

namespace {
class PlanCompilation {
public:
  PlanCompilation(const CompileOptions &options, MLIRContext &context)
      : options(options), context(context),
        base(StringRef(options.output).drop_back(extension.size())) {}

  LogicalResult run();

private:
  LogicalResult compileStage(ModuleOp module, pipe::StageOp stage);
  LogicalResult checkFiles(pipe::ProgramOp program);
  LogicalResult finish(const artifact::Plan &plan);
  InFlightDiagnostic error() { return emitError(UnknownLoc::get(&context)); }
  /// BASE.STAGE without its folder.
  std::string getName(pipe::StageOp stage) const {
    return path::filename(base).str() + "." + stage.getName().str();
  }

  const CompileOptions &options;
  MLIRContext &context;
  std::string base;
  /// The file of the weights; empty: none.
  std::string weights;
  /// What is complete, under the names that it will have.
  std::optional<artifact::TemporaryFolder> folder;
};
} // namespace

LogicalResult PlanCompilation::compileStage(ModuleOp module,
                                            pipe::StageOp stage) {
  // The stage as a model of its own, where its weights can be found.
  OwningOpRef<ModuleOp> model = ModuleOp::create(module.getLoc());
  if (!weights.empty()) {
    SmallString<256> file(weights);
    llvm::sys::fs::make_absolute(file);
    model->getOperation()->setAttr("graph.params",
                                   StringAttr::get(&context, file));
  }
  OpBuilder builder = OpBuilder::atBlockEnd(model->getBody());
  pipe::buildStageFunction(builder, stage);
  std::string text;
  llvm::raw_string_ostream os(text);
  model->print(os);
  std::string source = folder->getFile(getName(stage) + ".mlir");
  if (auto status = artifact::writeFile(source, text.data(), text.size());
      !status)
    return error() << status.error();

  CompileOptions one = options;
  one.input = source;
  one.output = folder->getFile(getName(stage) + ".so");
  one.weights.clear();
  one.isOwn = one.isForOwnUse = true;
  return compile(one, context);
}

LogicalResult PlanCompilation::checkFiles(pipe::ProgramOp program) {
  std::vector<artifact::PlannedOutput> planned = listOutputs(options);
  for (auto stage : program.getBody().getOps<pipe::StageOp>()) {
    StringRef name = stage.getName();
    if (!llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }))
      return stage.emitOpError()
             << "expected a name of letters, digits and '_', "
                "which names a file, but got '"
             << name << "'";
    for (StringRef kind : kinds)
      planned.push_back(
          {"-o", base + "." + name.str() + kind.str(), /*isCompanion=*/true});
  }
  std::vector<std::string> inputs = listInputs(options);
  if (!weights.empty())
    inputs.push_back(weights);
  if (auto status = artifact::checkOutputs(planned, inputs, options.force);
      !status)
    return error() << status.error();
  auto made =
      artifact::TemporaryFolder::create(artifact::getFolderOf(options.output));
  if (!made)
    return error() << "can't write '" << options.output
                   << "': " << made.error();
  folder.emplace(std::move(*made));
  return success();
}

/// The plan last: when it is new, the stages are.
LogicalResult PlanCompilation::finish(const artifact::Plan &plan) {
  std::string text = plan.toJson(), temporary = folder->getFile("plan");
  if (auto status = artifact::writeFile(temporary, text.data(), text.size());
      !status)
    return error() << status.error();
  std::vector<artifact::FinishedFile> files;
  for (const artifact::PlanStage &stage : plan.stages)
    for (StringRef kind : kinds) {
      std::string name =
          path::filename(base).str() + "." + stage.name + kind.str();
      if (llvm::sys::fs::exists(folder->getFile(name)))
        files.push_back({folder->getFile(name),
                         base + "." + stage.name + kind.str(), kind == ".so"});
    }
  files.push_back({temporary, options.output});
  if (auto status = artifact::putInPlace(files); !status)
    return error() << status.error();
  return success();
}

LogicalResult PlanCompilation::run() {
  context.loadDialect<func::FuncDialect>();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseModuleFile(options.input, &context, &sources);
  if (!module)
    return failure();
  pipe::ProgramOp program = pipe::getProgram(*module);
  if (!program)
    return module->emitError() << "expected one 'pipe.program' for a plan";
  FailureOr<std::string> named =
      findWeights(*module, options.input, options.weights);
  if (failed(named))
    return failure();
  weights = *named;
  if (failed(checkFiles(program)))
    return failure();

  artifact::Plan plan;
  plan.name = path::stem(options.input).str();
  plan.ranks = program.getRanks();
  for (StringRef name : program.getInputNames().getAsValueRange<StringAttr>())
    plan.inputs.push_back(name.str());
  for (auto [name, value] :
       llvm::zip(program.getOutputNames().getAsValueRange<StringAttr>(),
                 program.getBody().front().getTerminator()->getOperands()))
    plan.outputs.emplace_back(name.str(), pipe::getValueName(value));
  for (auto stage : program.getBody().getOps<pipe::StageOp>()) {
    if (failed(compileStage(*module, stage)))
      return failure();
    artifact::PlanStage &entry = plan.stages.emplace_back();
    entry.name = stage.getName().str();
    entry.rank = stage.getRank();
    entry.artifact = path::filename(base).str() + "." + entry.name + ".so";
    for (Value operand : stage.getOperands())
      entry.inputs.push_back(pipe::getValueName(operand));
    for (Value result : stage.getResults())
      entry.outputs.push_back(pipe::getValueName(result));
  }
  // What the runner would refuse is refused here.
  if (auto parsed = artifact::parsePlan(plan.toJson()); !parsed)
    return program.emitError() << parsed.error();
  return finish(plan);
}

LogicalResult tenon::compilePlan(const CompileOptions &options,
                                 MLIRContext &context) {
  return PlanCompilation(options, context).run();
}
