//===- CompilePlan.cpp - from a program of stages to artifacts ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/CompilePlan.h"
#include "tenon/Artifact/File.h"
#include "tenon/Artifact/Plan.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tenon;
namespace path = llvm::sys::path;

static constexpr StringLiteral extension = ".plan.json";

bool tenon::isPlanOutput(const CompileOptions &options) {
  return StringRef(options.output).ends_with(extension) &&
         options.emit == EmitKind::SharedLibrary &&
         options.stopAfter == CompileStage::Emit;
}

namespace {
class PlanCompilation {
public:
  PlanCompilation(const CompileOptions &options, MLIRContext &context)
      : options(options), context(context),
        base(StringRef(options.output).drop_back(extension.size())) {}
  ~PlanCompilation() {
    if (!complete)
      for (const std::string &file : written)
        llvm::sys::fs::remove(file);
  }

  LogicalResult run();

private:
  LogicalResult compileStage(ModuleOp module, pipe::StageOp stage);
  InFlightDiagnostic error() { return emitError(UnknownLoc::get(&context)); }

  const CompileOptions &options;
  MLIRContext &context;
  std::string base;
  std::vector<std::string> written;
  bool complete = false;
};
} // namespace

LogicalResult PlanCompilation::compileStage(ModuleOp module,
                                            pipe::StageOp stage) {
  StringRef name = stage.getName();
  if (!llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return stage.emitOpError() << "expected a name of letters, digits and '_', "
                                  "which names a file, but got '"
                               << name << "'";
  // The stage as a model of its own, where its weights can be found.
  OwningOpRef<ModuleOp> model = ModuleOp::create(module.getLoc());
  if (auto params = module->getAttrOfType<StringAttr>("graph.params")) {
    SmallString<256> file(params.getValue());
    if (!path::is_absolute(file)) {
      SmallString<256> folder(path::parent_path(options.input));
      path::append(folder, params.getValue());
      file = folder;
      llvm::sys::fs::make_absolute(file);
    }
    model->getOperation()->setAttr("graph.params",
                                   StringAttr::get(&context, file));
  }
  OpBuilder builder = OpBuilder::atBlockEnd(model->getBody());
  pipe::buildStageFunction(builder, stage);
  std::string text;
  llvm::raw_string_ostream os(text);
  model->print(os);
  std::string source = base + "." + name.str() + ".tmp.mlir";
  if (auto status = artifact::writeFile(source, text.data(), text.size());
      !status)
    return error() << status.error();

  CompileOptions one = options;
  one.input = source;
  one.output = base + "." + name.str() + ".so";
  LogicalResult result = compile(one, context);
  llvm::sys::fs::remove(source);
  if (succeeded(result))
    for (StringRef kind : {".so", ".h", ".safetensors"})
      written.push_back(base + "." + name.str() + kind.str());
  return result;
}

LogicalResult PlanCompilation::run() {
  context.loadDialect<func::FuncDialect>();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(options.input, sources, &context);
  if (!module)
    return failure();
  pipe::ProgramOp program = pipe::getProgram(*module);
  if (!program)
    return module->emitError() << "expected one 'pipe.program' for a plan";

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
  std::string text = plan.toJson();
  // What the runner would refuse is refused here.
  if (auto parsed = artifact::parsePlan(text); !parsed)
    return program.emitError() << parsed.error();
  if (auto status =
          artifact::writeFile(options.output, text.data(), text.size());
      !status)
    return error() << status.error();
  complete = true;
  return success();
}

LogicalResult tenon::compilePlan(const CompileOptions &options,
                                 MLIRContext &context) {
  return PlanCompilation(options, context).run();
}
