//===- Compile.cpp - from a model's file to an artifact ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileCompilation.h"
#include "UnitCompilation.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Differentiate/WeightRoles.h"
#include "tenon/Driver/Ranks.h"
#include "tenon/Import/OnnxExport.h"
#include "tenon/Parallelize/CheckRanks.h"
#include "tenon/Parallelize/MeasuredRun.h"
#include "tenon/Parallelize/PipeProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tenon;
namespace path = llvm::sys::path;

CompileSession::CompileSession(const CompileOptions &options,
                               MLIRContext &context)
    : options(options), handler(sources, &context),
      makesRoom(&context,
                [this](Diagnostic &) {
                  if (progress)
                    progress->makeRoom();
                  return failure(); // others print it
                }),
      progress(options.progress ? std::make_unique<Progress>("tenon-compile")
                                : nullptr),
      times(progress.get()) {}

void CompileSession::finish() {
  progress.reset();
  if (options.timing)
    times.printRuns(llvm::errs());
  if (options.timeReport)
    times.printReport(llvm::errs());
}

LogicalResult FileCompilation::import() {
  ModelInputOptions input;
  input.path = options.input;
  input.binds = options.binds;
  input.verifyEach = options.verifyEach;
  input.weights = options.weights;
  input.trains = options.trains;
  if (!toStandardOutput()) {
    // In the folder of the result, so that it can be moved and need not be
    // copied.
    FailureOr<std::string> pending =
        outputs.add(besideOutput(".safetensors"), context);
    if (failed(pending))
      return failure();
    weights = input.paramsPath = *pending;
    input.paramsName = path::filename(besideOutput(".safetensors")).str();
  } else {
    input.paramsName = (path::stem(options.input) + ".safetensors").str();
  }
  FailureOr<ModelInput> read = readModel(input, session.sources, context);
  if (failed(read))
    return failure();
  model = std::move(*read);
  for (auto function : model.module->getOps<func::FuncOp>())
    if (!function.isExternal())
      session.times.counts.ops +=
          function.getBody().front().getOperations().size() - 1;
  return checkFiles();
}

LogicalResult FileCompilation::exportModule(ModuleOp module) {
  OnnxExportOptions onnx;
  onnx.paramsPath = model.paramsPath;
  onnx.force = options.force;
  onnx.finishedFiles = outputs.finish(besideOutput(".safetensors"));
  return exportOnnx(module, options.output, onnx);
}

LogicalResult FileCompilation::emitArtifact(const CompiledModule &compiled) {
  ArtifactFiles files;
  files.output = options.output;
  files.params = model.paramsPath;
  // Only what this run wrote itself: never the file of an .mlir model.
  files.ownsParams = !weights.empty() && model.paramsPath == weights;
  files.finished = outputs.finish(besideOutput(".safetensors"));
  files.certificate = certificate;
  files.limit = limit;
  return tenon::emitArtifact(compiled, options, files, session.times);
}

/// Makes what the ranks of a program run, unless the module has it, and checks
/// it.
LogicalResult FileCompilation::prepareRanks(pipe::ProgramOp program) {
  ModuleOp module = *model.module;
  if (module.getOps<program::RanksOp>().empty())
    return addRanks(program, options.trains ? &options.training : nullptr);
  if (options.trains)
    return program.emitError(
        program.getTraining()
            ? "has tasks already, so --train can't be given"
            : "is a pipeline that does not train, so --train can't be given");
  return parallelize::checkRanks(program);
}

/// Makes what the ranks of a mesh run, of all functions.
LogicalResult FileCompilation::prepareMesh(func::FuncOp first) {
  if (options.trains)
    return first.emitError(
        "has a mesh, and can't be trained; leave out --train");
  pipe::MeshAttr mesh = pipe::findMesh(first);
  if (failed(addMeshRanks(*model.module)))
    return failure();
  if (options.emit == EmitKind::SharedLibrary)
    limit = getMemoryLimit(
        *model.module, mesh,
        llvm::to_vector(llvm::seq<int64_t>(0, mesh.getNumPositions())));
  return success();
}

/// Writes the proved programs beside the artifact.
LogicalResult FileCompilation::addCertificate(pipe::ProgramOp program) {
  if (writesMlir() || options.emit != EmitKind::SharedLibrary)
    return success();
  limit = getMemoryLimit(program);
  certificate.name = path::filename(getCertificatePath()).str();
  std::string text;
  llvm::raw_string_ostream(text)
      << artifact::certificateMark << " of a library, for tenon-plan --check\n"
      << *model.module << "\n";
  certificate.digest = getDigest(text);
  if (std::optional<parallelize::RunPlan> plan =
          parallelize::getRunPlan(program))
    certificate.plan = parallelize::printRunPlan(*plan);
  FailureOr<std::string> file = outputs.add(getCertificatePath(), context);
  if (failed(file))
    return failure();
  if (auto status = artifact::writeFile(*file, text.data(), text.size());
      !status)
    return error() << status.error();
  return success();
}

static LogicalResult checkNoCollectives(ModuleOp module) {
  WalkResult found = module.walk([](graph::CollectiveInterface op) {
    op.emitOpError("needs the ranks of a mesh (pipe.mesh), which its function "
                   "does not have");
    return WalkResult::interrupt();
  });
  return failure(found.wasInterrupted());
}

/// A pipeline's tasks are compiled like the entries of a model.
FailureOr<CompiledModule> FileCompilation::compile() {
  pipe::ProgramOp program = pipe::getProgram(*model.module);
  if (!program) {
    ModuleOp module = *model.module;
    bool isMesh = parallelize::hasMeshes(module);
    if (!isMesh && failed(checkNoCollectives(module)))
      return failure();
    if (isMesh && failed(prepareMesh(*module.getOps<func::FuncOp>().begin())))
      return failure();
    if (isMesh && getLastPhase(options) == CompilePhase::Import) {
      CompiledModule compiled;
      compiled.module = std::move(model.module);
      return compiled;
    }
    // A module past its plan has no model to compare with; ranks must end,
    // and read what was written.
    WalkResult ended = model.module->walk([](program::RanksOp ranks) {
      return failed(parallelize::checkRendezvous(ranks)) ||
                     failed(parallelize::checkBuffers(ranks))
                 ? WalkResult::interrupt()
                 : WalkResult::skip();
    });
    if (ended.wasInterrupted())
      return failure();
    return compileModule(std::move(model.module), options, &session.times);
  }
  if (failed(prepareRanks(program)))
    return failure();
  CompiledModule compiled;
  if (getLastPhase(options) == CompilePhase::Import) {
    compiled.module = std::move(model.module);
    return compiled;
  }
  if (failed(addCertificate(program)))
    return failure();
  // The plan says nothing about what is compiled.
  program.erase();
  CompileOptions own = options;
  own.trains = false;
  if (failed(prepareModule(*model.module)))
    return failure();
  return compileModule(std::move(model.module), own, &session.times);
}

/// Reads, compiles, and writes.
LogicalResult FileCompilation::run() {
  if (failed(checkFiles()) || failed(prepareOutputs()) ||
      failed(session.times.time(Phase::Import, [&] { return import(); })))
    return failure();
  if (options.listsWeights) {
    if (failed(differentiate::listWeights(*model.module, options.training,
                                          llvm::outs())))
      return failure();
    if (options.output.empty())
      return success();
  } else if (options.trains && failed(differentiate::remarkOnBuffers(
                                   *model.module, options.training))) {
    return failure();
  }
  FailureOr<CompiledModule> compiled = compile();
  if (failed(compiled) || failed(writeTexts(*compiled)))
    return failure();
  if (writesMlir())
    return finishModule(*compiled->module);
  if (options.emit == EmitKind::Onnx)
    return session.times.time(Phase::Export,
                              [&] { return exportModule(*compiled->module); });
  return emitArtifact(*compiled);
}

LogicalResult tenon::compile(const CompileOptions &options,
                             MLIRContext &context) {
  CompileSession session(options, context);
  LogicalResult result = FileCompilation(options, context, session).run();
  session.finish();
  return result;
}
