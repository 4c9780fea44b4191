//===- ProgramTables.cpp - the tables of an artifact as constants --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramTables.h"
#include "GpuTables.h"
#include "PluginTables.h"
#include "SizeCode.h"
#include "TableBuilder.h"
#include "tenon/Artifact/Program.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::backend;
using namespace tenon::lower;
using graph::SymInt;
using llvm::Constant;

// The tables write what Lower means by the numbers that the runtime reads.
static_assert(int(BufferKind::Input) == TENON_BUFFER_INPUT &&
              int(BufferKind::Output) == TENON_BUFFER_OUTPUT &&
              int(BufferKind::Param) == TENON_BUFFER_PARAM &&
              int(BufferKind::Constant) == TENON_BUFFER_CONSTANT &&
              int(BufferKind::Prepared) == TENON_BUFFER_PREPARED &&
              int(BufferKind::Arena) == TENON_BUFFER_ARENA &&
              int(BufferKind::Check) == TENON_BUFFER_CHECK);
static_assert(int(StepKind::Kernel) == TENON_STEP_KERNEL &&
              int(StepKind::Library) == TENON_STEP_LIBRARY &&
              int(StepKind::Copy) == TENON_STEP_COPY &&
              int(StepKind::Plugin) == TENON_STEP_PLUGIN);
static_assert(int(SiteKind::Matmul) == TENON_SITE_MATMUL &&
              int(SiteKind::Conv) == TENON_SITE_CONV &&
              int(SiteKind::ConvTranspose) == TENON_SITE_CONV_TRANSPOSE &&
              int(SiteKind::MaxPool) == TENON_SITE_MAX_POOL &&
              int(SiteKind::AvgPool) == TENON_SITE_AVG_POOL &&
              int(SiteKind::AvgPoolPadded) == TENON_SITE_AVG_POOL_PADDED &&
              int(SiteKind::Lrn) == TENON_SITE_LRN &&
              int(SiteKind::Softmax) == TENON_SITE_SOFTMAX &&
              int(SiteKind::LayerNorm) == TENON_SITE_LAYER_NORM);
static_assert(int(SiteLibrary::OneDnn) == TENON_LIBRARY_ONEDNN &&
              int(SiteLibrary::Winograd) == TENON_LIBRARY_WINOGRAD &&
              int(SiteLibrary::CublasLt) == TENON_LIBRARY_CUBLASLT &&
              int(SiteLibrary::CuDnn) == TENON_LIBRARY_CUDNN);
static_assert(int(PostKind::Relu) == TENON_POST_RELU &&
              int(PostKind::GeluErf) == TENON_POST_GELU_ERF &&
              int(PostKind::Clip) == TENON_POST_CLIP &&
              int(PostKind::Linear) == TENON_POST_LINEAR &&
              int(PostKind::Exp) == TENON_POST_EXP &&
              int(PostKind::Abs) == TENON_POST_ABS &&
              int(PostKind::Min) == TENON_POST_MIN);

/// Whether a function is a tenon_kernel_fn. Types of two contexts differ, so
/// that they are compared by what they are.
static bool hasKernelType(const llvm::Function &function) {
  llvm::FunctionType *type = function.getFunctionType();
  return type->getReturnType()->isVoidTy() && type->getNumParams() == 5 &&
         !type->isVarArg() && type->getParamType(0)->isPointerTy() &&
         type->getParamType(1)->isPointerTy() &&
         type->getParamType(2)->isPointerTy() &&
         type->getParamType(3)->isIntegerTy(64) &&
         type->getParamType(4)->isIntegerTy(64);
}

namespace {
class ProgramTables {
public:
  ProgramTables(TableBuilder &tables, const llvm::Module &kernels,
                const LoweredProgram &program, const StoragePlan &storage,
                const TableOptions &options)
      : module(tables.getModule()), kernels(kernels), tables(tables),
        program(program), storage(storage), options(options) {}

  /// The tenon_program.
  llvm::Expected<Constant *> build();

private:
  /// A size as tables hold it: the constant, or -1.
  Constant *staticSize(const SymInt &size) {
    return tables.int64(size.getConstant().value_or(-1));
  }
  /// The function that writes `sizes`, or null when all are constants.
  Constant *sizesFunction(llvm::StringRef name, llvm::ArrayRef<SymInt> sizes,
                          bool always = false);
  /// As tenon_value.shape holds it.
  int64_t getShapeEntry(const SymInt &size);
  Constant *shapeOf(llvm::ArrayRef<SymInt> shape);
  Constant *dtypeOf(mlir::Type elementType);
  Constant *valueList(llvm::ArrayRef<ModelValue> values);
  Constant *bufferList();
  Constant *site(const Step &step, size_t position);
  Constant *plugin(const Step &step, size_t position);
  Constant *kernel(const Step &step);
  Constant *stepList();
  Constant *checkList();

  llvm::Module &module;
  const llvm::Module &kernels;
  TableBuilder &tables;
  const LoweredProgram &program;
  const StoragePlan &storage;
  const TableOptions &options;
  /// The first error; later ones are dropped.
  std::string failure;
};
} // namespace

Constant *ProgramTables::sizesFunction(llvm::StringRef name,
                                       llvm::ArrayRef<SymInt> sizes,
                                       bool always) {
  if (!always &&
      llvm::all_of(sizes, [](const SymInt &size) { return size.isConstant(); }))
    return tables.null();
  llvm::Expected<llvm::Function *> function =
      addSizesFunction(module, name, sizes, program.symbols);
  if (function)
    return *function;
  std::string message = llvm::toString(function.takeError());
  if (failure.empty())
    failure = name.str() + ": " + message;
  return tables.null();
}

int64_t ProgramTables::getShapeEntry(const SymInt &size) {
  if (std::optional<int64_t> constant = size.getConstant())
    return *constant;
  if (std::optional<llvm::StringRef> symbol = size.getSymbol()) {
    auto position = llvm::find(program.symbols, *symbol);
    if (position != program.symbols.end())
      return -1 - (position - program.symbols.begin());
  }
  return INT64_MIN;
}

Constant *ProgramTables::shapeOf(llvm::ArrayRef<SymInt> shape) {
  llvm::SmallVector<int64_t> entries;
  for (const SymInt &size : shape)
    entries.push_back(getShapeEntry(size));
  return tables.int64s(entries);
}

Constant *ProgramTables::dtypeOf(mlir::Type elementType) {
  tenon_dtype dtype = artifact::toDLDType(*getDType(elementType));
  llvm::LLVMContext &context = module.getContext();
  return StructBuilder(tables, sizeof(tenon_dtype))
      .add(TENON_FIELD(tenon_dtype, code),
           llvm::ConstantInt::get(llvm::Type::getInt8Ty(context), dtype.code))
      .add(TENON_FIELD(tenon_dtype, bits),
           llvm::ConstantInt::get(llvm::Type::getInt8Ty(context), dtype.bits))
      .add(TENON_FIELD(tenon_dtype, lanes),
           llvm::ConstantInt::get(llvm::Type::getInt16Ty(context), dtype.lanes))
      .finish();
}

Constant *ProgramTables::valueList(llvm::ArrayRef<ModelValue> values) {
  llvm::SmallVector<Constant *> elements;
  for (const ModelValue &value : values)
    elements.push_back(
        StructBuilder(tables, sizeof(tenon_value))
            .add(TENON_FIELD(tenon_value, name), tables.text(value.name))
            .add(TENON_FIELD(tenon_value, dtype),
                 dtypeOf(value.type.getElementType()))
            .add(TENON_FIELD(tenon_value, rank),
                 tables.int32(value.type.getRank()))
            .add(TENON_FIELD(tenon_value, shape),
                 shapeOf(graph::getShape(value.type)))
            .finish());
  return tables.array("values", elements, alignof(tenon_value));
}

Constant *ProgramTables::bufferList() {
  llvm::SmallVector<Constant *> elements;
  for (const auto &[position, buffer] : llvm::enumerate(program.buffers)) {
    Constant *data = tables.null();
    if (buffer.kind == BufferKind::Constant) {
      llvm::Expected<std::string> bytes = getData(buffer.data);
      if (!bytes) {
        failure = "buffer " + std::to_string(position) + ": " +
                  llvm::toString(bytes.takeError());
        return tables.null();
      }
      if (buffer.bytes.getConstant() != static_cast<int64_t>(bytes->size())) {
        failure = "buffer " + std::to_string(position) + ": expected " +
                  buffer.bytes.str() + " bytes, but its constant holds " +
                  std::to_string(bytes->size());
        return tables.null();
      }
      data = tables.data(*bytes);
    }
    elements.push_back(
        StructBuilder(tables, sizeof(tenon_buffer))
            .add(TENON_FIELD(tenon_buffer, kind),
                 tables.int32(static_cast<int>(buffer.kind)))
            .add(TENON_FIELD(tenon_buffer, index), tables.int32(buffer.index))
            .add(TENON_FIELD(tenon_buffer, data), data)
            .add(TENON_FIELD(tenon_buffer, bytes), staticSize(buffer.bytes))
            .add(TENON_FIELD(tenon_buffer, offset),
                 tables.int64(storage.offsets[position]))
            .add(TENON_FIELD(tenon_buffer, first_step),
                 tables.int32(buffer.firstStep))
            .add(TENON_FIELD(tenon_buffer, last_step),
                 tables.int32(buffer.lastStep))
            .finish());
  }
  return tables.array("buffers", elements, alignof(tenon_buffer));
}

Constant *ProgramTables::site(const Step &step, size_t position) {
  if (step.kind != StepKind::Library)
    return tables.null();
  const Site &site = step.site;
  llvm::SmallVector<Constant *> operands, posts;
  llvm::SmallVector<SymInt, 0> computed;
  for (const SiteOperand &operand : site.operands) {
    for (const SymInt &size : operand.shape)
      if (getShapeEntry(size) == INT64_MIN)
        computed.push_back(size);
    operands.push_back(
        StructBuilder(tables, sizeof(tenon_site_operand))
            .add(TENON_FIELD(tenon_site_operand, dtype),
                 dtypeOf(operand.elementType))
            .add(TENON_FIELD(tenon_site_operand, rank),
                 tables.int32(operand.shape.size()))
            .add(TENON_FIELD(tenon_site_operand, shape), shapeOf(operand.shape))
            .add(TENON_FIELD(tenon_site_operand, order),
                 tables.int32s(operand.order))
            .finish());
  }
  for (const Post &post : site.posts)
    posts.push_back(
        StructBuilder(tables, sizeof(tenon_post))
            .add(TENON_FIELD(tenon_post, kind),
                 tables.int32(static_cast<int>(post.kind)))
            .add(TENON_FIELD(tenon_post, alpha), tables.float32(post.alpha))
            .add(TENON_FIELD(tenon_post, beta), tables.float32(post.beta))
            .finish());
  Constant *value =
      StructBuilder(tables, sizeof(tenon_site))
          .add(TENON_FIELD(tenon_site, library),
               tables.int32(static_cast<int>(site.library)))
          .add(TENON_FIELD(tenon_site, kind),
               tables.int32(static_cast<int>(site.kind)))
          .add(TENON_FIELD(tenon_site, num_operands),
               tables.int32(operands.size()))
          .add(TENON_FIELD(tenon_site, operands),
               tables.array("operands", operands, alignof(tenon_site_operand)))
          .add(TENON_FIELD(tenon_site, has_bias), tables.int32(site.hasBias))
          .add(TENON_FIELD(tenon_site, num_posts), tables.int32(posts.size()))
          .add(TENON_FIELD(tenon_site, posts),
               tables.array("posts", posts, alignof(tenon_post)))
          .add(TENON_FIELD(tenon_site, num_spatial),
               tables.int32(site.strides.size()))
          .add(TENON_FIELD(tenon_site, strides), tables.int64s(site.strides))
          .add(TENON_FIELD(tenon_site, dilations),
               tables.int64s(site.dilations))
          .add(TENON_FIELD(tenon_site, pads_begin),
               tables.int64s(site.padsBegin))
          .add(TENON_FIELD(tenon_site, pads_end), tables.int64s(site.padsEnd))
          .add(TENON_FIELD(tenon_site, groups), tables.int64(site.groups))
          .add(TENON_FIELD(tenon_site, constant_weight),
               tables.int32(site.constantWeight))
          .add(
              TENON_FIELD(tenon_site, sizes),
              sizesFunction("site_sizes_" + std::to_string(position), computed))
          .add(TENON_FIELD(tenon_site, window), tables.int64s(site.window))
          .add(TENON_FIELD(tenon_site, alpha), tables.float32(site.alpha))
          .add(TENON_FIELD(tenon_site, beta), tables.float32(site.beta))
          .add(TENON_FIELD(tenon_site, k), tables.float32(site.k))
          .add(TENON_FIELD(tenon_site, epsilon), tables.float32(site.epsilon))
          .add(TENON_FIELD(tenon_site, tf32), tables.int32(site.tf32))
          .finish();
  return tables.array("site", value, alignof(tenon_site));
}

Constant *ProgramTables::plugin(const Step &step, size_t position) {
  if (step.kind != StepKind::Plugin)
    return tables.null();
  llvm::SmallVector<Constant *> dtypes;
  for (const PluginOperand &operand : step.plugin.operands)
    dtypes.push_back(dtypeOf(operand.elementType));
  Constant *sizes = sizesFunction("plugin_sizes_" + std::to_string(position),
                                  getPluginSizes(step.plugin), /*always=*/true);
  return addPluginCall(tables, step.plugin, dtypes, sizes);
}

Constant *ProgramTables::kernel(const Step &step) {
  if (step.kind != StepKind::Kernel || program.isForGpu)
    return tables.null();
  auto *pointer = llvm::PointerType::getUnqual(module.getContext());
  auto *index = llvm::Type::getInt64Ty(module.getContext());
  auto *type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()),
                              {pointer, pointer, pointer, index, index}, false);
  const llvm::Function *defined = kernels.getFunction(step.kernel);
  if (!defined || defined->isDeclaration())
    failure =
        "step '" + step.name + "': kernel '" + step.kernel + "' is not defined";
  else if (!hasKernelType(*defined))
    failure = "step '" + step.name + "': kernel '" + step.kernel +
              "' does not have the type of tenon_kernel_fn";
  auto *function = llvm::cast<llvm::Function>(
      module.getOrInsertFunction(step.kernel, type).getCallee());
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  return function;
}

Constant *ProgramTables::stepList() {
  llvm::SmallVector<Constant *> elements;
  for (const auto &[position, step] : llvm::enumerate(program.steps)) {
    llvm::SmallVector<int32_t> buffers(step.buffers.begin(),
                                       step.buffers.end());
    elements.push_back(
        StructBuilder(tables, sizeof(tenon_step))
            .add(TENON_FIELD(tenon_step, name), tables.text(step.name))
            .add(TENON_FIELD(tenon_step, kind),
                 tables.int32(static_cast<int>(step.kind)))
            .add(TENON_FIELD(tenon_step, num_buffers),
                 tables.int32(buffers.size()))
            .add(TENON_FIELD(tenon_step, buffers), tables.int32s(buffers))
            .add(TENON_FIELD(tenon_step, kernel), kernel(step))
            .add(TENON_FIELD(tenon_step, site), site(step, position))
            .add(TENON_FIELD(tenon_step, extent), staticSize(step.extent))
            .add(TENON_FIELD(tenon_step, grain), tables.int64(step.grain))
            .add(TENON_FIELD(tenon_step, plugin), plugin(step, position))
            .add(TENON_FIELD(tenon_step, launch),
                 program.isForGpu ? addLaunch(tables, step) : tables.null())
            .finish());
  }
  return tables.array("steps", elements, alignof(tenon_step));
}

Constant *ProgramTables::checkList() {
  llvm::SmallVector<Constant *> elements;
  for (const auto &[position, check] : llvm::enumerate(program.checks)) {
    llvm::SmallVector<int64_t> axes;
    llvm::SmallVector<SymInt, 0> sizes(check.shape);
    for (const graph::IndexRange &range : check.ranges) {
      axes.push_back(range.axis);
      sizes.push_back(range.low);
      sizes.push_back(range.end);
    }
    elements.push_back(
        StructBuilder(tables, sizeof(tenon_check))
            .add(TENON_FIELD(tenon_check, reader), tables.text(check.reader))
            .add(TENON_FIELD(tenon_check, input),
                 check.input.empty() ? tables.null() : tables.text(check.input))
            .add(TENON_FIELD(tenon_check, rank),
                 tables.int32(check.shape.size()))
            .add(TENON_FIELD(tenon_check, num_ranges),
                 tables.int32(check.ranges.size()))
            .add(TENON_FIELD(tenon_check, axes), tables.int64s(axes))
            .add(TENON_FIELD(tenon_check, sizes),
                 sizesFunction("check_sizes_" + std::to_string(position), sizes,
                               /*always=*/true))
            .add(TENON_FIELD(tenon_check, ignored),
                 check.ignored ? tables.int64s(*check.ignored) : tables.null())
            .add(TENON_FIELD(tenon_check, parts), tables.int64(check.parts))
            .add(TENON_FIELD(tenon_check, buffer), tables.int32(check.buffer))
            .add(TENON_FIELD(tenon_check, step), tables.int32(check.step))
            .finish());
  }
  return tables.array("checks", elements, alignof(tenon_check));
}

llvm::Expected<Constant *> ProgramTables::build() {
  llvm::SmallVector<Constant *> symbolNames;
  for (const std::string &symbol : program.symbols)
    symbolNames.push_back(tables.text(symbol));
  llvm::SmallVector<SymInt, 0> bufferBytes, extents;
  for (const Buffer &buffer : program.buffers)
    bufferBytes.push_back(buffer.bytes);
  for (const Step &step : program.steps)
    extents.push_back(step.extent);
  llvm::SmallVector<int32_t> donations(program.donations.begin(),
                                       program.donations.end());
  donations.resize(program.inputs.size(), -1);
  llvm::SmallVector<SymInt, 0> conditionValues;
  llvm::SmallVector<Constant *> conditions;
  for (const graph::SizeCondition &condition : program.conditions) {
    conditionValues.push_back(condition.value);
    conditions.push_back(tables.text(condition.text));
  }

  StructBuilder table(tables, sizeof(tenon_program));
  table
      .add(TENON_FIELD(tenon_program, abi_version),
           tables.int32(TENON_ABI_VERSION))
      .add(TENON_FIELD(tenon_program, cpu_features),
           tables.int32(options.cpuFeatures))
      .add(TENON_FIELD(tenon_program, name), tables.text(program.name))
      .add(TENON_FIELD(tenon_program, manifest), tables.text(options.manifest))
      .add(TENON_FIELD(tenon_program, params_file),
           options.paramsFile.empty() || program.params.empty()
               ? tables.null()
               : tables.text(options.paramsFile))
      .add(TENON_FIELD(tenon_program, num_symbols),
           tables.int32(program.symbols.size()))
      .add(TENON_FIELD(tenon_program, symbol_names),
           tables.array("symbols", symbolNames, alignof(char *)))
      .add(TENON_FIELD(tenon_program, num_inputs),
           tables.int32(program.inputs.size()))
      .add(TENON_FIELD(tenon_program, inputs), valueList(program.inputs))
      .add(TENON_FIELD(tenon_program, num_outputs),
           tables.int32(program.outputs.size()))
      .add(TENON_FIELD(tenon_program, outputs), valueList(program.outputs))
      .add(TENON_FIELD(tenon_program, num_params),
           tables.int32(program.params.size()))
      .add(TENON_FIELD(tenon_program, params), valueList(program.params))
      .add(TENON_FIELD(tenon_program, dims),
           sizesFunction("dims", getBoundarySizes(program), /*always=*/true))
      .add(TENON_FIELD(tenon_program, num_buffers),
           tables.int32(program.buffers.size()))
      .add(TENON_FIELD(tenon_program, buffers), bufferList())
      .add(TENON_FIELD(tenon_program, buffer_bytes),
           sizesFunction("buffer_bytes", bufferBytes))
      .add(TENON_FIELD(tenon_program, arena_bytes),
           tables.int64(storage.arenaBytes))
      .add(TENON_FIELD(tenon_program, scratch_bytes),
           staticSize(program.scratchBytes))
      .add(TENON_FIELD(tenon_program, scratch_size),
           sizesFunction("scratch_size", program.scratchBytes))
      .add(TENON_FIELD(tenon_program, num_prepare_steps),
           tables.int32(program.numPrepareSteps))
      .add(TENON_FIELD(tenon_program, num_steps),
           tables.int32(program.steps.size()))
      .add(TENON_FIELD(tenon_program, steps), stepList())
      .add(TENON_FIELD(tenon_program, step_extents),
           sizesFunction("step_extents", extents))
      .add(TENON_FIELD(tenon_program, donations), tables.int32s(donations))
      .add(TENON_FIELD(tenon_program, num_conditions),
           tables.int32(conditions.size()))
      .add(TENON_FIELD(tenon_program, conditions),
           tables.array("conditions", conditions, alignof(char *)))
      .add(TENON_FIELD(tenon_program, condition_values),
           sizesFunction("condition_values", conditionValues))
      .add(TENON_FIELD(tenon_program, device),
           tables.int32(program.isForGpu ? TENON_PROGRAM_CUDA
                                         : TENON_PROGRAM_CPU))
      .add(TENON_FIELD(tenon_program, num_images),
           tables.int32(program.images.size()))
      .add(TENON_FIELD(tenon_program, images),
           addImages(tables, program.images))
      .add(TENON_FIELD(tenon_program, num_checks),
           tables.int32(program.checks.size()))
      .add(TENON_FIELD(tenon_program, checks), checkList());
  if (!failure.empty())
    return llvm::createStringError(failure);

  return table.finish();
}

llvm::Error
tenon::emit::addProgramTables(llvm::Module &module, const llvm::Module &kernels,
                              llvm::ArrayRef<LoweredProgram> programs,
                              llvm::ArrayRef<StoragePlan> storage,
                              const TableOptions &options) {
  // One for all: equal texts and constants are kept once.
  TableBuilder tables(module);
  llvm::SmallVector<Constant *> pointers;
  for (const auto &[program, plan] : llvm::zip_equal(programs, storage)) {
    llvm::Expected<Constant *> table =
        ProgramTables(tables, kernels, program, plan, options).build();
    if (!table)
      return table.takeError();
    pointers.push_back(tables.array("program", *table, alignof(tenon_program)));
  }
  pointers.push_back(tables.null());
  auto *type = llvm::ArrayType::get(tables.null()->getType(), pointers.size());
  auto *symbol = new llvm::GlobalVariable(
      module, type, /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage,
      llvm::ConstantArray::get(type, pointers), "tenon_the_programs");
  symbol->setVisibility(llvm::GlobalValue::HiddenVisibility);
  symbol->setAlignment(llvm::Align(alignof(tenon_program *)));
  return llvm::Error::success();
}
