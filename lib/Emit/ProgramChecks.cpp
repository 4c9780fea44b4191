//===- ProgramChecks.cpp - checks before emission -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramChecks.h"
#include "ConstantData.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::program;
using llvm::createStringError;

/// Verifies the element types of inputs, outputs, parameters and states.
template <typename Op>
static llvm::Error verifyTypes(const char *what, llvm::ArrayRef<Op> values) {
  for (Op value : values)
    if (!getDType(program::getTensorType(value.getResult()).getElementType()))
      return createStringError(llvm::Twine(what) + " '" + value.getName() +
                               "' has an element type that the C ABI has no "
                               "name for");
  return llvm::Error::success();
}

static llvm::Error verifyStep(const ProgramView &program,
                              mlir::Operation *step) {
  if (!mlir::isa<LaunchOp, CallOp, PluginOp, CopyOp>(step))
    return createStringError("the runtime does not support the step '" +
                             step->getName().getStringRef() + "' yet");
  auto fail = [&](const llvm::Twine &what) {
    return createStringError("step '" + getStepName(step) + "': " + what);
  };
  if (mlir::isa<LaunchOp>(step) && program.isForGpu() &&
      program.getImages().empty())
    return fail("no GPU image contains its kernel");
  if (mlir::isa<PluginOp>(step) && program.isForGpu())
    return fail("plug-ins have no code for a GPU");
  auto types = step->getAttrOfType<mlir::ArrayAttr>("types");
  if (!types)
    return llvm::Error::success();
  for (mlir::Type type : types.getAsValueRange<mlir::TypeAttr>())
    if (!getDType(mlir::cast<mlir::RankedTensorType>(type).getElementType()))
      return fail("an operand has an element type without a name in the C ABI");
  return llvm::Error::success();
}

static llvm::Error verify(const ProgramView &program) {
  if (program.entries.empty())
    return createStringError("a target has no entry");
  if (llvm::Error error = verifyTypes<ParameterOp>("parameter", program.params))
    return error;
  if (llvm::Error error = verifyTypes<StateOp>("state", program.states))
    return error;
  for (const ProgramPart *part : program.getParts()) {
    if (llvm::Error error = verifyTypes<InputOp>("input", part->inputs))
      return error;
    if (llvm::Error error = verifyTypes<OutputOp>("output", part->outputs))
      return error;
    for (mlir::Operation *step : part->steps)
      if (llvm::Error error = verifyStep(program, step))
        return error;
  }
  return llvm::Error::success();
}

static llvm::Error differ(const llvm::Twine &what) {
  return createStringError("targets of one artifact: " + what);
}

/// Checks that lists of inputs, outputs or states look the same to a caller.
template <typename Op>
static llvm::Error compareValues(const char *what, llvm::ArrayRef<Op> first,
                                 llvm::ArrayRef<Op> other) {
  if (first.size() != other.size())
    return differ("expected " + llvm::Twine(first.size()) + " " + what +
                  "s of each, but got " + llvm::Twine(other.size()));
  for (size_t number = 0; number < first.size(); ++number) {
    Op a = first[number], b = other[number];
    if (a.getName() != b.getName() || a.getType() != b.getType())
      return differ(llvm::Twine(what) + " '" + a.getName() +
                    "' is not the same for all");
  }
  return llvm::Error::success();
}

static llvm::Error compareEntries(const ProgramPart &first,
                                  const ProgramPart &other) {
  if (first.name != other.name)
    return differ("expected the entry '" + first.name + "', but got '" +
                  other.name + "'");
  if (llvm::Error error =
          compareValues<InputOp>("input", first.inputs, other.inputs))
    return error;
  if (llvm::Error error =
          compareValues<OutputOp>("output", first.outputs, other.outputs))
    return error;
  for (size_t number = 0; number < first.inputs.size(); ++number) {
    InputOp a = first.inputs[number], b = other.inputs[number];
    if (a.getDonates() != b.getDonates())
      return differ("donations are not the same for all");
  }
  return llvm::Error::success();
}

llvm::Error tenon::emit::verifyAll(llvm::ArrayRef<ProgramView> programs) {
  if (programs.empty())
    return createStringError("there is no program to emit");
  llvm::StringSet<> cpus;
  llvm::StringMap<mlir::Type> params;
  const ProgramView &first = programs.front();
  for (const ProgramView &program : programs) {
    if (llvm::Error error = verify(program))
      return error;
    if (program.entries.size() != first.entries.size())
      return differ("expected " + llvm::Twine(first.entries.size()) +
                    " entries of each, but got " +
                    llvm::Twine(program.entries.size()));
    for (auto [a, b] : llvm::zip(first.entries, program.entries))
      if (llvm::Error error = compareEntries(a, b))
        return error;
    if (llvm::Error error =
            compareValues<StateOp>("state", first.states, program.states))
      return error;
    for (ParameterOp param : program.params)
      if (params.try_emplace(param.getName(), param.getType()).first->second !=
          param.getType())
        return differ("parameter '" + param.getName() +
                      "' is not the same for all");
    if (!program.isForGpu() && !cpus.insert(program.targetName).second)
      return createStringError("an artifact has at most one program for " +
                               program.targetName);
  }
  return llvm::Error::success();
}
