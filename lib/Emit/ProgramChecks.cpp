//===- ProgramChecks.cpp - whether programs can be emitted --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramChecks.h"
#include "StoragePlan.h"

#include "llvm/ADT/StringMap.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::backend;
using namespace tenon::lower;

static llvm::Error verifyBuffer(const LoweredProgram &program,
                                const Buffer &buffer, size_t position) {
  std::string where = "buffer " + std::to_string(position);
  if (buffer.bytes.isUnknown())
    return llvm::createStringError(where + " has an unknown size");
  if (std::optional<int64_t> bytes = buffer.bytes.getConstant();
      bytes && *bytes < 0)
    return llvm::createStringError(where + " has a negative size");
  auto checkIndex = [&](const char *list, size_t size) -> llvm::Error {
    if (buffer.index < size)
      return llvm::Error::success();
    return llvm::createStringError(where + " is " + list + " " +
                                   llvm::Twine(buffer.index) + " of " +
                                   llvm::Twine(size));
  };
  switch (buffer.kind) {
  case BufferKind::Input:
    return checkIndex("input", program.inputs.size());
  case BufferKind::Output:
    return checkIndex("output", program.outputs.size());
  case BufferKind::Param:
    return checkIndex("parameter", program.params.size());
  case BufferKind::Check:
    return checkIndex("check", program.checks.size());
  case BufferKind::Constant:
    if (!buffer.data)
      return llvm::createStringError(where + " is a constant without data");
    return llvm::Error::success();
  case BufferKind::Prepared:
  case BufferKind::Arena:
    if (buffer.firstStep > buffer.lastStep ||
        buffer.lastStep >= std::max<size_t>(program.steps.size(), 1))
      return llvm::createStringError(where + " lives from step " +
                                     llvm::Twine(buffer.firstStep) + " to " +
                                     llvm::Twine(buffer.lastStep) + " of " +
                                     llvm::Twine(program.steps.size()));
    return llvm::Error::success();
  }
  llvm_unreachable("unknown kind of buffer");
}

/// Bounds that every CUDA device has.
static constexpr int64_t maxBlockThreads = 1024, maxSharedBytes = 1 << 20;

static llvm::Error verifyLaunch(const LoweredProgram &program,
                                const Step &step) {
  if (!program.isForGpu || step.kind != StepKind::Kernel)
    return llvm::Error::success();
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError("step '" + step.name + "': " + what);
  };
  if (program.images.empty())
    return fail("its kernel is in no image for a GPU");
  if (step.blockThreads < 1 || step.blockThreads > maxBlockThreads)
    return fail("expected blocks of 1 to " + llvm::Twine(maxBlockThreads) +
                " threads, but got " + llvm::Twine(step.blockThreads));
  if (step.sharedBytes < 0 || step.sharedBytes > maxSharedBytes)
    return fail("a block can't have " + llvm::Twine(step.sharedBytes) +
                " bytes of shared memory");
  return llvm::Error::success();
}

llvm::Error tenon::emit::verify(const LoweredProgram &program) {
  auto checkValues = [](const char *what,
                        llvm::ArrayRef<ModelValue> values) -> llvm::Error {
    for (const ModelValue &value : values)
      if (!value.type || !getDType(value.type.getElementType()))
        return llvm::createStringError(llvm::Twine(what) + " '" + value.name +
                                       "' has an element type that the C ABI "
                                       "has no name for");
    return llvm::Error::success();
  };
  if (llvm::Error error = checkValues("input", program.inputs))
    return error;
  if (llvm::Error error = checkValues("output", program.outputs))
    return error;
  if (llvm::Error error = checkValues("parameter", program.params))
    return error;
  for (const ModelValue &param : program.params)
    if (!param.type.hasStaticShape())
      return llvm::createStringError("parameter '" + param.name +
                                     "' has a dynamic shape");
  if (!program.donations.empty() &&
      program.donations.size() != program.inputs.size())
    return llvm::createStringError("expected one donation per input (" +
                                   llvm::Twine(program.inputs.size()) +
                                   "), but got " +
                                   llvm::Twine(program.donations.size()));
  for (int32_t output : program.donations)
    if (output < -1 || output >= static_cast<int64_t>(program.outputs.size()))
      return llvm::createStringError("donation to output " +
                                     llvm::Twine(output) + " of " +
                                     llvm::Twine(program.outputs.size()));
  for (const auto &[position, buffer] : llvm::enumerate(program.buffers))
    if (llvm::Error error = verifyBuffer(program, buffer, position))
      return error;
  if (program.numPrepareSteps > program.steps.size())
    return llvm::createStringError("more prepare steps than steps");
  for (const Step &step : program.steps) {
    for (unsigned buffer : step.buffers)
      if (buffer >= program.buffers.size())
        return llvm::createStringError(
            "step '" + step.name + "' names buffer " + llvm::Twine(buffer) +
            " of " + llvm::Twine(program.buffers.size()));
    if (step.kind == StepKind::Copy && step.buffers.size() != 2)
      return llvm::createStringError(
          "step '" + step.name + "': expected a copy of 2 buffers, but got " +
          llvm::Twine(step.buffers.size()));
    if (llvm::Error error = verifyLaunch(program, step))
      return error;
    if (step.kind == StepKind::Plugin &&
        step.plugin.operands.size() != step.buffers.size())
      return llvm::createStringError("step '" + step.name + "': expected " +
                                     llvm::Twine(step.plugin.operands.size()) +
                                     " buffers, but got " +
                                     llvm::Twine(step.buffers.size()));
    if (step.kind != StepKind::Library)
      continue;
    if (step.site.operands.size() != step.buffers.size())
      return llvm::createStringError("step '" + step.name + "': expected " +
                                     llvm::Twine(step.site.operands.size()) +
                                     " buffers, but got " +
                                     llvm::Twine(step.buffers.size()));
    for (const SiteOperand &operand : step.site.operands)
      if (!operand.elementType || !getDType(operand.elementType))
        return llvm::createStringError("step '" + step.name +
                                       "' has an operand without element type");
  }
  return llvm::Error::success();
}

/// Whether lists of inputs or outputs are the same to a caller.
static llvm::Error compareValues(const char *what,
                                 llvm::ArrayRef<ModelValue> first,
                                 llvm::ArrayRef<ModelValue> other) {
  if (first.size() != other.size())
    return llvm::createStringError(
        "targets of one artifact: expected " + llvm::Twine(first.size()) + " " +
        what + "s of each, but got " + llvm::Twine(other.size()));
  for (const auto &[a, b] : llvm::zip(first, other))
    if (a.name != b.name || a.type != b.type)
      return llvm::createStringError(llvm::Twine("targets of one artifact: ") +
                                     what + " '" + a.name +
                                     "' is not the same for all");
  return llvm::Error::success();
}

llvm::Error tenon::emit::verifyAll(llvm::ArrayRef<LoweredProgram> programs) {
  if (programs.empty())
    return llvm::createStringError("there is no program to emit");
  unsigned numCpu = 0;
  llvm::StringMap<mlir::Type> params;
  for (const LoweredProgram &program : programs) {
    if (llvm::Error error = verify(program))
      return error;
    const LoweredProgram &first = programs.front();
    if (llvm::Error error =
            compareValues("input", first.inputs, program.inputs))
      return error;
    if (llvm::Error error =
            compareValues("output", first.outputs, program.outputs))
      return error;
    if (first.donations != program.donations)
      return llvm::createStringError(
          "targets of one artifact: donations are not the same for all");
    for (const ModelValue &param : program.params)
      if (params.try_emplace(param.name, param.type).first->second !=
          param.type)
        return llvm::createStringError("targets of one artifact: parameter '" +
                                       param.name +
                                       "' is not the same for all");
    // Kernels of two would have the same names.
    if (!program.isForGpu && ++numCpu > 1)
      return llvm::createStringError(
          "an artifact has at most one program for the CPU");
  }
  return llvm::Error::success();
}
