//===- CompileDeployment.cpp - from a program of stages to artifacts ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileDeployment.h"
#include "ArtifactFiles.h"
#include "CompileSession.h"
#include "ModelInput.h"
#include "PendingOutputs.h"
#include "tenon/Artifact/Deployment.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
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

bool tenon::isDeploymentOutput(const CompileOptions &options) {
  return StringRef(options.output).ends_with(extension) &&
         options.emit == EmitKind::SharedLibrary &&
         options.stopAfter == CompilePhase::Emit;
}

namespace {
class DeploymentCompilation {
public:
  DeploymentCompilation(const CompileOptions &options, MLIRContext &context,
                        CompileSession &session)
      : options(options), context(context), session(session),
        base(StringRef(options.output).drop_back(extension.size())) {}

  LogicalResult run();

private:
  LogicalResult compileStage(ModuleOp module, pipe::StageOp stage);
  FailureOr<CompiledModule> compileStage(pipe::StageOp stage,
                                         const CompileOptions &one);
  LogicalResult writeText(const std::string &file, const std::string &text);
  LogicalResult checkFiles(pipe::ProgramOp program);
  LogicalResult finish(const artifact::Deployment &deployment);
  InFlightDiagnostic error() { return emitError(UnknownLoc::get(&context)); }
  /// BASE.STAGE without its folder.
  std::string getName(pipe::StageOp stage) const {
    return path::filename(base).str() + "." + stage.getName().str();
  }

  const CompileOptions &options;
  MLIRContext &context;
  CompileSession &session;
  std::string base;
  /// The file of the weights; empty: none.
  std::string weights;
  /// What is complete, under the names that it will have.
  std::optional<artifact::TemporaryFolder> folder;
  /// Logs and reports of the stages.
  PendingOutputs texts;
};
} // namespace

/// The file of a stage where all have a file: `F.json` becomes `F.STAGE.json`.
static std::string getStageFile(const std::string &file, pipe::StageOp stage) {
  if (file.empty() || artifact::isWrittenInPlace(file))
    return file;
  SmallString<256> name(file);
  path::replace_extension(name, stage.getName() + path::extension(file));
  return name.str().str();
}

/// The stage as a model of its own, under the policy of the program's module.
FailureOr<CompiledModule>
DeploymentCompilation::compileStage(pipe::StageOp stage,
                                    const CompileOptions &one) {
  OwningOpRef<ModuleOp> model = ModuleOp::create(stage.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(model->getBody());
  pipe::buildStageFunction(builder, stage);
  kernel::setPolicy(*model,
                    kernel::getPolicy(stage->getParentOfType<ModuleOp>()));
  if (failed(prepareModule(*model, options.binds)))
    return failure();
  return compileModule(std::move(model), one, &session.times);
}

LogicalResult DeploymentCompilation::writeText(const std::string &file,
                                               const std::string &text) {
  if (text.empty())
    return success();
  std::string target = file;
  if (!artifact::isWrittenInPlace(file)) {
    FailureOr<std::string> pending = texts.add(file, context);
    if (failed(pending))
      return failure();
    target = std::move(*pending);
  }
  if (auto status = artifact::writeFile(target, text.data(), text.size());
      !status)
    return error() << status.error();
  return success();
}

LogicalResult DeploymentCompilation::compileStage(ModuleOp module,
                                                  pipe::StageOp stage) {
  CompileOptions one = options;
  one.input = getName(stage) + ".mlir";
  one.optimize.log = getStageFile(options.optimize.log, stage);
  one.optimize.report = getStageFile(options.optimize.report, stage);
  one.rewritesReport = getStageFile(options.rewritesReport, stage);
  FailureOr<CompiledModule> compiled = compileStage(stage, one);
  if (failed(compiled) || failed(writeText(one.optimize.log, compiled->log)) ||
      failed(writeText(one.optimize.report, compiled->report)) ||
      failed(writeText(one.rewritesReport, compiled->rewrites)))
    return failure();
  ArtifactFiles files;
  files.output = folder->getFile(getName(stage) + ".so");
  files.params = weights;
  return emitArtifact(*compiled, one, files, session.times);
}

LogicalResult DeploymentCompilation::checkFiles(pipe::ProgramOp program) {
  std::vector<artifact::PlannedOutput> planned = {{"-o", options.output}};
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
    for (const auto &[option, file] :
         {std::pair("--log", options.optimize.log),
          std::pair("--report", options.optimize.report),
          std::pair("--prove-rewrites", options.rewritesReport)})
      if (!file.empty())
        planned.push_back({option, getStageFile(file, stage)});
  }
  std::vector<std::string> inputs = listInputs(options);
  if (!weights.empty())
    inputs.push_back(weights);
  if (auto status = artifact::checkOutputs(planned, inputs, options.force);
      !status)
    return error() << status.error();
  if (!options.dumpKernels.empty())
    if (auto status =
            artifact::prepareOutputFolder(options.dumpKernels, options.force);
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

/// The deployment last: when it is new, the stages are.
LogicalResult
DeploymentCompilation::finish(const artifact::Deployment &deployment) {
  std::string text = deployment.toJson(), temporary = folder->getFile("plan");
  if (auto status = artifact::writeFile(temporary, text.data(), text.size());
      !status)
    return error() << status.error();
  std::vector<artifact::FinishedFile> files = texts.finish();
  for (const artifact::DeploymentStage &stage : deployment.stages)
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

/// Stages run once, forward, each on one rank.
static LogicalResult checkRuns(pipe::ProgramOp program) {
  if (program.getTraining())
    return program.emitError("can't run a pipeline that trains");
  for (auto stage : program.getBody().getOps<pipe::StageOp>())
    if (stage.getRanks().size() != 1)
      return stage.emitError()
             << "can't run a stage on " << stage.getRanks().size() << " ranks";
  return success();
}

LogicalResult DeploymentCompilation::run() {
  context.loadDialect<func::FuncDialect>();
  OwningOpRef<ModuleOp> module =
      parseModuleFile(options.input, &context, &session.sources);
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
  if (failed(checkFiles(program)) || failed(checkRuns(program)))
    return failure();

  artifact::Deployment deployment;
  deployment.name = path::stem(options.input).str();
  deployment.ranks = program.getRanks();
  for (StringRef name : program.getInputNames().getAsValueRange<StringAttr>())
    deployment.inputs.push_back(name.str());
  for (auto [name, value] :
       llvm::zip(program.getOutputNames().getAsValueRange<StringAttr>(),
                 program.getBody().front().getTerminator()->getOperands()))
    deployment.outputs.emplace_back(name.str(), pipe::getValueName(value));
  for (auto stage : program.getBody().getOps<pipe::StageOp>()) {
    if (failed(compileStage(*module, stage)))
      return failure();
    artifact::DeploymentStage &entry = deployment.stages.emplace_back();
    entry.name = stage.getName().str();
    entry.rank = stage.getRanks().front();
    entry.artifact = path::filename(base).str() + "." + entry.name + ".so";
    for (Value operand : stage.getOperands())
      entry.inputs.push_back(pipe::getValueName(operand));
    for (Value result : stage.getResults())
      entry.outputs.push_back(pipe::getValueName(result));
  }
  // What the runner would refuse is refused here.
  if (auto parsed = artifact::parseDeployment(deployment.toJson()); !parsed)
    return program.emitError() << parsed.error();
  return finish(deployment);
}

LogicalResult tenon::compileDeployment(const CompileOptions &options,
                                       MLIRContext &context,
                                       CompileSession &session) {
  return DeploymentCompilation(options, context, session).run();
}
