//===- ProgramTables.cpp - the tables of an artifact as constants ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramTables.h"
#include "ConstantData.h"
#include "GpuTables.h"
#include "TableContext.h"
#include "tenon/Artifact/Program.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::program;
using graph::SymInt;
using llvm::Constant;

namespace {
class ProgramTables {
public:
  ProgramTables(TableBuilder &tables, const llvm::Module *kernels,
                const ProgramView &program, const TableOptions &options)
      : context(tables, program), tables(tables), kernels(kernels),
        program(program), options(options) {}

  /// Builds the tenon_program.
  llvm::Expected<Constant *> build();

private:
  template <typename Ops> Constant *valueList(const ProgramPart &part, Ops ops);
  Constant *stateList();
  Constant *data(mlir::ElementsAttr value);
  Constant *buffer(const ProgramPart &part, mlir::Value buffer);
  Constant *bufferList();
  Constant *entry(const ProgramPart &part);
  Constant *checkList();
  const ProgramPart &partOf(unsigned step) const;

  TableContext context;
  TableBuilder &tables;
  const llvm::Module *kernels;
  const ProgramView &program;
  const TableOptions &options;
  llvm::DenseMap<mlir::Value, int> indices; // of inputs, parameters and so on
};
} // namespace

template <typename Ops>
Constant *ProgramTables::valueList(const ProgramPart &part, Ops ops) {
  llvm::SmallVector<Constant *> elements;
  for (auto op : ops)
    elements.push_back(context.value(part, op.getName(),
                                     program::getTensorType(op.getResult())));
  return tables.array("values", elements, alignof(tenon_value));
}

Constant *ProgramTables::data(mlir::ElementsAttr value) {
  llvm::Expected<std::string> bytes = getData(value);
  if (bytes)
    return tables.data(*bytes);
  context.fail(llvm::toString(bytes.takeError()));
  return tables.null();
}

Constant *ProgramTables::stateList() {
  llvm::SmallVector<Constant *> elements;
  for (StateOp state : program.states) {
    const auto *param =
        state.getSource()
            ? llvm::find(program.params,
                         state.getSource().getDefiningOp<ParameterOp>())
            : program.params.end();
    elements.push_back(
        StructBuilder(tables, sizeof(tenon_state))
            .add(TENON_FIELD(tenon_state, value),
                 context.value(program.prepare, state.getName(),
                               program::getTensorType(state)))
            .add(TENON_FIELD(tenon_state, initial),
                 state.getInitial() ? data(*state.getInitial()) : tables.null())
            .add(TENON_FIELD(tenon_state, param),
                 tables.int32(param == program.params.end()
                                  ? -1
                                  : param - program.params.begin()))
            .add(TENON_FIELD(tenon_state, transient),
                 tables.int32(state.getTransient()))
            .finish());
  }
  return tables.array("states", elements, alignof(tenon_state));
}

Constant *ProgramTables::buffer(const ProgramPart &part, mlir::Value buffer) {
  mlir::RankedTensorType type = program::getTensorType(buffer);
  int kind = TENON_BUFFER_ARENA;
  int64_t offset = -1, first = 0, last = program.numSteps;
  Constant *bytes = tables.null();
  std::string name;
  llvm::StringRef origin;
  llvm::TypeSwitch<mlir::Operation *>(buffer.getDefiningOp())
      .Case([&](InputOp) { kind = TENON_BUFFER_INPUT; })
      .Case([&](OutputOp op) {
        kind = TENON_BUFFER_OUTPUT;
        origin = op.getOrigin().value_or("");
      })
      .Case([&](ParameterOp) { kind = TENON_BUFFER_PARAM; })
      .Case([&](StateOp op) {
        kind = TENON_BUFFER_STATE;
        name = (op.getName() + " graph.state").str();
        origin = name;
      })
      .Case([&](PreparedOp) { kind = TENON_BUFFER_PREPARED; })
      .Case([&](FindingsOp) { kind = TENON_BUFFER_CHECK; })
      .Case([&](ConstantOp op) {
        kind = TENON_BUFFER_CONSTANT;
        bytes = data(op.getValue());
      })
      .Case([&](ArenaOp op) {
        if (part.arenaBytes >= 0)
          offset = static_cast<int64_t>(*op.getOffset());
        first = part.firstStep + op.getFirst();
        last = part.firstStep + op.getLast();
        origin = op.getOrigin().value_or("");
      });
  Constant *value = tables.null();
  if (!origin.empty())
    value = tables.array("value", context.value(part, origin, type),
                         alignof(tenon_value));
  return StructBuilder(tables, sizeof(tenon_buffer))
      .add(TENON_FIELD(tenon_buffer, kind), tables.int32(kind))
      .add(TENON_FIELD(tenon_buffer, index),
           tables.int32(indices.lookup(buffer)))
      .add(TENON_FIELD(tenon_buffer, data), bytes)
      .add(TENON_FIELD(tenon_buffer, bytes),
           context.staticSize(countBytes(type)))
      .add(TENON_FIELD(tenon_buffer, offset), tables.int64(offset))
      .add(TENON_FIELD(tenon_buffer, first_step), tables.int32(first))
      .add(TENON_FIELD(tenon_buffer, last_step), tables.int32(last))
      .add(TENON_FIELD(tenon_buffer, value), value)
      .finish();
}

Constant *ProgramTables::bufferList() {
  auto number = [&](const auto &ops) {
    int index = 0;
    for (auto op : ops)
      indices[op.getResult()] = index++;
  };
  number(program.params);
  number(program.states);
  for (const ProgramPart &part : program.entries) {
    number(part.inputs);
    number(part.outputs);
  }
  int index = 0;
  for (auto [check, step] : program.checks)
    indices[check.getFindings()] = index++;
  llvm::SmallVector<Constant *> elements;
  for (mlir::Value shared : program.shared)
    elements.push_back(buffer(program.prepare, shared));
  for (const ProgramPart *part : program.getParts())
    for (mlir::Value own : part->buffers)
      elements.push_back(buffer(*part, own));
  return tables.array("buffers", elements, alignof(tenon_buffer));
}

Constant *ProgramTables::entry(const ProgramPart &part) {
  llvm::SmallVector<Constant *> symbolNames, conditions;
  for (const std::string &symbol : part.symbols)
    symbolNames.push_back(tables.text(symbol));
  graph::Shape boundary;
  llvm::SmallVector<int32_t> donations;
  for (InputOp input : part.inputs) {
    llvm::append_range(boundary, graph::getShape(input.getType()));
    std::optional<uint32_t> donated = input.getDonates();
    donations.push_back(donated ? static_cast<int32_t>(*donated) : -1);
  }
  for (OutputOp output : part.outputs)
    llvm::append_range(boundary, graph::getShape(output.getType()));
  llvm::SmallVector<SymInt, 0> bytes, extents, conditionValues;
  for (mlir::Value buffer : part.buffers)
    bytes.push_back(countBytes(program::getTensorType(buffer)));
  for (mlir::Operation *step : part.steps) {
    auto launch = mlir::dyn_cast<LaunchOp>(step);
    extents.push_back(launch ? launch.getExtent().getEntry(0) : SymInt(1));
  }
  for (RequireOp require : part.requirements) {
    conditionValues.push_back(require.getValue().getEntry(0));
    conditions.push_back(tables.text(require.getText()));
  }
  auto sizes = [&](const char *name, llvm::ArrayRef<SymInt> list,
                   bool always = false) {
    return context.sizesFunction(part, part.name + "." + name, list, always);
  };
  return StructBuilder(tables, sizeof(tenon_entry))
      .add(TENON_FIELD(tenon_entry, name), tables.text(part.name))
      .add(TENON_FIELD(tenon_entry, num_symbols),
           tables.int32(part.symbols.size()))
      .add(TENON_FIELD(tenon_entry, symbol_names),
           tables.array("symbols", symbolNames, alignof(char *)))
      .add(TENON_FIELD(tenon_entry, num_inputs),
           tables.int32(part.inputs.size()))
      .add(TENON_FIELD(tenon_entry, inputs), valueList(part, part.inputs))
      .add(TENON_FIELD(tenon_entry, num_outputs),
           tables.int32(part.outputs.size()))
      .add(TENON_FIELD(tenon_entry, outputs), valueList(part, part.outputs))
      .add(TENON_FIELD(tenon_entry, dims),
           sizes("dims", boundary, /*always=*/true))
      .add(TENON_FIELD(tenon_entry, donations), tables.int32s(donations))
      .add(TENON_FIELD(tenon_entry, num_conditions),
           tables.int32(conditions.size()))
      .add(TENON_FIELD(tenon_entry, conditions),
           tables.array("conditions", conditions, alignof(char *)))
      .add(TENON_FIELD(tenon_entry, condition_values),
           sizes("conditions", conditionValues))
      .add(TENON_FIELD(tenon_entry, first_buffer),
           tables.int32(part.firstBuffer))
      .add(TENON_FIELD(tenon_entry, end_buffer),
           tables.int32(part.firstBuffer + part.buffers.size()))
      .add(TENON_FIELD(tenon_entry, buffer_bytes), sizes("bytes", bytes))
      .add(TENON_FIELD(tenon_entry, arena_bytes), tables.int64(part.arenaBytes))
      .add(TENON_FIELD(tenon_entry, scratch_bytes),
           context.staticSize(part.scratchBytes))
      .add(TENON_FIELD(tenon_entry, scratch_size),
           sizes("scratch", part.scratchBytes))
      .add(TENON_FIELD(tenon_entry, first_step), tables.int32(part.firstStep))
      .add(TENON_FIELD(tenon_entry, end_step),
           tables.int32(part.firstStep + part.steps.size()))
      .add(TENON_FIELD(tenon_entry, step_extents), sizes("extents", extents))
      .add(TENON_FIELD(tenon_entry, ranks),
           part.ranks ? addRankPrograms(context, part) : tables.null())
      .finish();
}

const ProgramPart &ProgramTables::partOf(unsigned step) const {
  for (const ProgramPart *part : program.getParts())
    if (step < part->firstStep + part->steps.size())
      return *part;
  llvm_unreachable("a step is of a part");
}

Constant *ProgramTables::checkList() {
  llvm::SmallVector<Constant *> elements;
  for (auto [number, owned] : llvm::enumerate(program.checks)) {
    CheckOp check = owned.first;
    llvm::SmallVector<int64_t> axes;
    llvm::SmallVector<SymInt, 0> sizes(check.getShape().getEntries());
    for (RangeAttr range : check.getRanges().getAsRange<RangeAttr>()) {
      axes.push_back(range.getAxis());
      sizes.push_back(range.getBounds().getEntry(0));
      sizes.push_back(range.getBounds().getEntry(1));
    }
    std::optional<llvm::StringRef> input = check.getInput();
    std::optional<uint64_t> ignored = check.getIgnored();
    elements.push_back(
        StructBuilder(tables, sizeof(tenon_check))
            .add(TENON_FIELD(tenon_check, reader),
                 tables.text(check.getReader()))
            .add(TENON_FIELD(tenon_check, input),
                 input ? tables.text(*input) : tables.null())
            .add(TENON_FIELD(tenon_check, rank),
                 tables.int32(check.getShape().size()))
            .add(TENON_FIELD(tenon_check, num_ranges),
                 tables.int32(axes.size()))
            .add(TENON_FIELD(tenon_check, axes), tables.int64s(axes))
            .add(TENON_FIELD(tenon_check, sizes),
                 context.sizesFunction(partOf(owned.second),
                                       "check_sizes_" + std::to_string(number),
                                       sizes,
                                       /*always=*/true))
            .add(TENON_FIELD(tenon_check, ignored),
                 ignored ? tables.int64s(static_cast<int64_t>(*ignored))
                         : tables.null())
            .add(TENON_FIELD(tenon_check, parts),
                 tables.int64(check.getParts()))
            .add(TENON_FIELD(tenon_check, buffer),
                 tables.int32(program.getNumber(check.getFindings())))
            .add(TENON_FIELD(tenon_check, step), tables.int32(owned.second))
            .finish());
  }
  return tables.array("checks", elements, alignof(tenon_check));
}

llvm::Expected<Constant *> ProgramTables::build() {
  llvm::SmallVector<Constant *> steps, entries;
  for (const ProgramPart *part : program.getParts())
    llvm::append_range(steps, addSteps(context, *part, kernels));
  Constant *buffers = bufferList();
  for (const ProgramPart &part : program.entries)
    entries.push_back(entry(part));
  llvm::SmallVector<ImageAttr> images = program.getImages();
  Constant *table =
      StructBuilder(tables, sizeof(tenon_program))
          .add(TENON_FIELD(tenon_program, cpu_features),
               tables.int32(program.host.getFeatureBits()))
          .add(TENON_FIELD(tenon_program, target),
               tables.text(program.targetName))
          .add(TENON_FIELD(tenon_program, name), tables.text(options.name))
          .add(TENON_FIELD(tenon_program, num_params),
               tables.int32(program.params.size()))
          .add(TENON_FIELD(tenon_program, params),
               valueList(program.prepare, program.params))
          .add(TENON_FIELD(tenon_program, num_states),
               tables.int32(program.states.size()))
          .add(TENON_FIELD(tenon_program, states), stateList())
          .add(TENON_FIELD(tenon_program, num_buffers),
               tables.int32(program.numBuffers))
          .add(TENON_FIELD(tenon_program, buffers), buffers)
          .add(TENON_FIELD(tenon_program, num_steps),
               tables.int32(program.numSteps))
          .add(TENON_FIELD(tenon_program, steps),
               tables.array("steps", steps, alignof(tenon_step)))
          .add(TENON_FIELD(tenon_program, prepare), entry(program.prepare))
          .add(TENON_FIELD(tenon_program, num_entries),
               tables.int32(entries.size()))
          .add(TENON_FIELD(tenon_program, entries),
               tables.array("entries", entries, alignof(tenon_entry)))
          .add(TENON_FIELD(tenon_program, device),
               tables.int32(program.isForGpu() ? TENON_PROGRAM_CUDA
                                               : TENON_PROGRAM_CPU))
          .add(TENON_FIELD(tenon_program, num_images),
               tables.int32(images.size()))
          .add(TENON_FIELD(tenon_program, images), addImages(tables, images))
          .add(TENON_FIELD(tenon_program, num_checks),
               tables.int32(program.checks.size()))
          .add(TENON_FIELD(tenon_program, checks), checkList())
          .add(
              TENON_FIELD(tenon_program, num_ranks),
              tables.int32(
                  program.isOfRanks()
                      ? RanksOp(program.entries.front().ranks).getRanks().size()
                      : 0))
          .add(
              TENON_FIELD(tenon_program, num_tasks),
              tables.int32(program.entries.size() - program.getCalled().size()))
          .finish();
  if (!context.failure.empty())
    return llvm::createStringError(context.failure);
  return table;
}

llvm::Expected<Constant *> tenon::emit::addProgramTables(
    llvm::Module &module, llvm::ArrayRef<const llvm::Module *> kernels,
    llvm::ArrayRef<ProgramView> programs, const TableOptions &options) {
  // One builder for all programs, so that equal texts and constants are shared.
  TableBuilder tables(module);
  llvm::SmallVector<Constant *> pointers;
  for (auto [program, code] : llvm::zip_equal(programs, kernels)) {
    llvm::Expected<Constant *> table =
        ProgramTables(tables, code, program, options).build();
    if (!table)
      return table.takeError();
    pointers.push_back(tables.array("program", *table, alignof(tenon_program)));
  }
  pointers.push_back(tables.null());
  Constant *artifact =
      StructBuilder(tables, sizeof(tenon_artifact))
          .add(TENON_FIELD(tenon_artifact, abi_version),
               tables.int32(TENON_ABI_VERSION))
          .add(TENON_FIELD(tenon_artifact, manifest),
               tables.text(options.manifest))
          .add(TENON_FIELD(tenon_artifact, params_file),
               options.paramsFile.empty() ? tables.null()
                                          : tables.text(options.paramsFile))
          .add(TENON_FIELD(tenon_artifact, programs),
               tables.array("programs", pointers, alignof(tenon_program *)))
          .finish();
  return tables.array("artifact", artifact, alignof(tenon_artifact));
}
