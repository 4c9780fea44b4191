//===- WriteProgram.cpp - from tables to the program dialect --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Program/IR/Program.h"
#include "tenon/Lower/ProgramModule.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;
using graph::DimsAttr;
using graph::SymInt;

namespace {
class Writer {
public:
  Writer(const LoweredProgram &program, OpBuilder &builder, Location loc)
      : program(program), builder(builder), loc(loc) {}
  void run(program::EntryOp entry);

private:
  Value addBuffer(const Buffer &buffer);
  void addStep(const Step &step);
  void addCall(const Step &step);
  void addPlugin(const Step &step);
  void addCheck(const CheckedIndices &check);

  DimsAttr getSize(const SymInt &size) {
    return DimsAttr::get(builder.getContext(), ArrayRef<SymInt>(size));
  }
  /// Null where it is empty.
  DenseI64ArrayAttr getList(ArrayRef<int64_t> list) {
    return list.empty() ? DenseI64ArrayAttr()
                        : builder.getDenseI64ArrayAttr(list);
  }
  /// Null where it is 0.
  FloatAttr getNumber(float number) {
    return number == 0 ? FloatAttr() : builder.getF32FloatAttr(number);
  }
  SmallVector<Value> getBuffers(const Step &step) {
    SmallVector<Value> values;
    for (unsigned buffer : step.buffers)
      values.push_back(buffers[buffer]);
    return values;
  }

  const LoweredProgram &program;
  OpBuilder &builder;
  Location loc;
  SmallVector<Value> buffers;
};
} // namespace

Value Writer::addBuffer(const Buffer &buffer) {
  auto type = program::BufferType::get(builder.getContext());
  DimsAttr bytes = getSize(buffer.bytes);
  switch (buffer.kind) {
  case BufferKind::Input: {
    const ModelValue &input = program.inputs[buffer.index];
    int32_t donated =
        program.donations.empty() ? -1 : program.donations[buffer.index];
    return program::InputOp::create(
        builder, loc, type, input.name, input.type,
        donated < 0 ? IntegerAttr() : builder.getI32IntegerAttr(donated));
  }
  case BufferKind::Output: {
    const ModelValue &output = program.outputs[buffer.index];
    return program::OutputOp::create(builder, loc, type, output.name,
                                     output.type);
  }
  case BufferKind::Param: {
    const ModelValue &param = program.params[buffer.index];
    return program::ParameterOp::create(builder, loc, type, param.name,
                                        param.type);
  }
  case BufferKind::Constant:
    return program::ConstantOp::create(builder, loc, type, buffer.data);
  case BufferKind::Prepared:
    return program::PreparedOp::create(builder, loc, type, bytes,
                                       buffer.firstStep, buffer.lastStep);
  case BufferKind::Arena:
    return program::ArenaOp::create(builder, loc, type, bytes, buffer.firstStep,
                                    buffer.lastStep, IntegerAttr());
  case BufferKind::Check:
    return program::FindingsOp::create(builder, loc, type, bytes);
  }
  llvm_unreachable("unknown kind of buffer");
}

void Writer::addCall(const Step &step) {
  const backend::Site &site = step.site;
  SmallVector<Type> types;
  SmallVector<Attribute> orders, posts;
  bool isPlain = true;
  for (const backend::SiteOperand &operand : site.operands) {
    types.push_back(graph::getTensorType(operand.shape, operand.elementType));
    orders.push_back(builder.getDenseI32ArrayAttr(operand.order));
    isPlain &= operand.order.empty();
  }
  for (const backend::Post &post : site.posts)
    posts.push_back(program::PostAttr::get(builder.getContext(), post.kind,
                                           llvm::APFloat(post.alpha),
                                           llvm::APFloat(post.beta)));
  SymbolRefAttr reference;
  if (!step.reference.empty())
    reference = SymbolRefAttr::get(
        builder.getStringAttr("references"),
        FlatSymbolRefAttr::get(builder.getContext(), step.reference));
  program::CallOp::create(
      builder, loc, step.name, site.library, site.kind, getBuffers(step),
      builder.getTypeArrayAttr(types),
      isPlain ? ArrayAttr() : builder.getArrayAttr(orders), site.hasBias,
      posts.empty() ? ArrayAttr() : builder.getArrayAttr(posts),
      getList(site.strides), getList(site.dilations), getList(site.padsBegin),
      getList(site.padsEnd), site.groups, site.constantWeight, site.tf32,
      getList(site.window), getNumber(site.alpha), getNumber(site.beta),
      getNumber(site.k), getNumber(site.epsilon), reference);
}

void Writer::addPlugin(const Step &step) {
  const backend::PluginCall &call = step.plugin;
  SmallVector<Type> types;
  SmallVector<bool> lifted, constant;
  for (const backend::PluginOperand &operand : call.operands) {
    types.push_back(graph::getTensorType(operand.shape, operand.elementType));
    lifted.push_back(operand.isLifted);
    constant.push_back(operand.isConstant);
  }
  SmallVector<StringRef> names;
  SmallVector<SymInt> values;
  for (const auto &[name, value] : call.symbols) {
    names.push_back(name);
    values.push_back(value);
  }
  program::PluginOp::create(
      builder, loc, step.name, call.backend, call.pattern, getBuffers(step),
      call.file, call.version, call.patternsHash, getSize(call.items), lifted,
      constant, call.numResults, builder.getTypeArrayAttr(types),
      names.empty() ? ArrayAttr() : builder.getStrArrayAttr(names),
      names.empty() ? DimsAttr() : DimsAttr::get(builder.getContext(), values));
}

void Writer::addStep(const Step &step) {
  MLIRContext *context = builder.getContext();
  switch (step.kind) {
  case StepKind::Kernel: {
    SmallVector<FlatSymbolRefAttr> path;
    if (program.isForGpu)
      path.push_back(FlatSymbolRefAttr::get(context, "kernels"));
    path.push_back(FlatSymbolRefAttr::get(context, step.kernel));
    auto kernel = SymbolRefAttr::get(builder.getStringAttr("kernels"), path);
    auto launch = program::LaunchOp::create(
        builder, loc, step.name, kernel, getBuffers(step), getSize(step.extent),
        step.grain, IntegerAttr(), IntegerAttr());
    if (program.isForGpu) {
      launch.setBlock(step.blockThreads);
      launch.setShared(step.sharedBytes);
    }
    return;
  }
  case StepKind::Library:
    return addCall(step);
  case StepKind::Plugin:
    return addPlugin(step);
  case StepKind::Copy:
    program::CopyOp::create(builder, loc, step.name, buffers[step.buffers[0]],
                            buffers[step.buffers[1]]);
    return;
  }
  llvm_unreachable("unknown kind of step");
}

void Writer::addCheck(const CheckedIndices &check) {
  SmallVector<Attribute> ranges;
  for (const graph::IndexRange &range : check.ranges)
    ranges.push_back(program::RangeAttr::get(
        builder.getContext(), range.axis,
        DimsAttr::get(builder.getContext(), {range.low, range.end})));
  program::CheckOp::create(
      builder, loc, check.reader, buffers[check.buffer],
      check.input.empty() ? StringAttr() : builder.getStringAttr(check.input),
      DimsAttr::get(builder.getContext(), check.shape), check.parts,
      check.ignored ? builder.getI64IntegerAttr(*check.ignored) : IntegerAttr(),
      builder.getArrayAttr(ranges));
}

void Writer::run(program::EntryOp entry) {
  Block &body = entry.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&body);
  for (const Buffer &buffer : program.buffers)
    buffers.push_back(addBuffer(buffer));
  for (const graph::SizeCondition &condition : program.conditions)
    program::RequireOp::create(builder, loc, condition.text,
                               getSize(condition.value));
  auto addSteps = [&](Region &region, unsigned first, unsigned end) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&region.emplaceBlock());
    for (unsigned number = first; number < end; ++number) {
      addStep(program.steps[number]);
      for (const CheckedIndices &check : program.checks)
        if (check.step == number)
          addCheck(check);
    }
  };
  if (program.numPrepareSteps > 0)
    addSteps(program::PrepareOp::create(builder, loc).getBody(), 0,
             program.numPrepareSteps);
  addSteps(program::RunOp::create(builder, loc).getBody(),
           program.numPrepareSteps, program.steps.size());
}

OwningOpRef<ModuleOp> tenon::lower::writeProgram(LoweredProgram program) {
  ModuleOp kernels = *program.kernels;
  MLIRContext *context = kernels.getContext();
  context->loadDialect<program::ProgramDialect>();
  Location loc = kernels.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto target = program::TargetOp::create(
      builder, loc,
      program.isForGpu ? program::Device::Cuda : program::Device::Cpu,
      program.name);
  Block &block = target.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(&block);
  SmallVector<StringRef> symbols(program.symbols.begin(),
                                 program.symbols.end());
  auto entry = program::EntryOp::create(
      builder, loc, "main", builder.getStrArrayAttr(symbols),
      program.scratchBytes.getConstant() == 0
          ? DimsAttr()
          : DimsAttr::get(context, ArrayRef<SymInt>(program.scratchBytes)));
  Writer(program, builder, loc).run(entry);
  auto keep = [&](OwningOpRef<ModuleOp> &part, StringRef name) {
    part->setSymName(name);
    block.push_back(part.release());
  };
  keep(program.kernels, "kernels");
  if (program.references)
    keep(program.references, "references");
  return module;
}
