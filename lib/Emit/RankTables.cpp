//===- RankTables.cpp - programs of ranks as tables -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableContext.h"
#include "tenon/Artifact/Program.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::program;
using llvm::Constant;

/// The runtime refuses other places (Runtime/ArenaPlan.h).
static constexpr int64_t kAlignment = 64;

namespace {
/// The tables of one rank.
class RankTables {
public:
  RankTables(TableContext &context, const ProgramPart &part, RankOp rank)
      : context(context), tables(context.tables), part(part), rank(rank) {}

  Constant *build();

private:
  Constant *tensor(mlir::Value buffer);
  Constant *step(mlir::Operation &op, int32_t number);
  std::vector<int32_t> getTensors(mlir::ValueRange buffers);
  int32_t findEntry(llvm::StringRef name);

  TableContext &context;
  TableBuilder &tables;
  const ProgramPart &part;
  RankOp rank;
  llvm::MapVector<mlir::Value, int32_t> tensors;
  llvm::DenseMap<mlir::Operation *, int32_t> numbers; // of steps
  int64_t arenaBytes = 0;
};

/// The fields of a step that depend on its kind.
struct StepFields {
  int32_t kind = 0, entry = -1;
  std::vector<int32_t> tensors, states, ranks, awaited;
  bool isMean = false;
  int64_t tag = 0, group = 0, stage = -1, begin = 0, end = 0;
  double factor = 1, seconds = 0;
  llvm::StringRef label;
};
} // namespace

Constant *RankTables::tensor(mlir::Value buffer) {
  mlir::RankedTensorType type = program::getTensorType(buffer);
  int64_t axis = -1, begin = 0, whole = 0;
  if (auto cut = buffer.getDefiningOp<PartOp>()) {
    axis = static_cast<int64_t>(cut.getAxis());
    begin = static_cast<int64_t>(cut.getBegin());
    buffer = cut.getWhole();
    whole = program::getTensorType(buffer).getDimSize(axis);
  }
  int64_t kind = TENON_BUFFER_ARENA, index = 0, offset = 0;
  if (auto input = buffer.getDefiningOp<InputOp>()) {
    kind = TENON_BUFFER_INPUT;
    index = llvm::find(part.inputs, input) - part.inputs.begin();
  } else if (auto output = buffer.getDefiningOp<OutputOp>()) {
    kind = TENON_BUFFER_OUTPUT;
    index = llvm::find(part.outputs, output) - part.outputs.begin();
  } else {
    auto arena = buffer.getDefiningOp<ArenaOp>();
    if (!arena.getOffset())
      context.fail("a buffer of a rank has no place; expected a module after "
                   "--program-plan-arena");
    offset = static_cast<int64_t>(arena.getOffset().value_or(0));
    if (offset % kAlignment != 0)
      context.fail("a buffer of a rank is at byte " + std::to_string(offset) +
                   "; expected a multiple of " + std::to_string(kAlignment));
    arenaBytes =
        std::max(arenaBytes, offset + countBytes(program::getTensorType(arena))
                                          .getConstant()
                                          .value_or(0));
  }
  return StructBuilder(tables, sizeof(tenon_rank_tensor))
      .add(TENON_FIELD(tenon_rank_tensor, kind), tables.int32(kind))
      .add(TENON_FIELD(tenon_rank_tensor, index), tables.int32(index))
      .add(TENON_FIELD(tenon_rank_tensor, dtype),
           context.dtypeOf(type.getElementType()))
      .add(TENON_FIELD(tenon_rank_tensor, rank), tables.int32(type.getRank()))
      .add(TENON_FIELD(tenon_rank_tensor, shape),
           tables.int64s(type.getShape()))
      .add(TENON_FIELD(tenon_rank_tensor, axis), tables.int32(axis))
      .add(TENON_FIELD(tenon_rank_tensor, begin), tables.int64(begin))
      .add(TENON_FIELD(tenon_rank_tensor, whole), tables.int64(whole))
      .add(TENON_FIELD(tenon_rank_tensor, offset), tables.int64(offset))
      .finish();
}

std::vector<int32_t> RankTables::getTensors(mlir::ValueRange buffers) {
  std::vector<int32_t> list;
  for (mlir::Value buffer : buffers)
    list.push_back(tensors.try_emplace(buffer, tensors.size()).first->second);
  return list;
}

int32_t RankTables::findEntry(llvm::StringRef name) {
  const auto &entries = context.program.entries;
  for (auto [number, entry] : llvm::enumerate(entries))
    if (!entry.ranks && entry.name == name)
      return static_cast<int32_t>(number);
  return -1;
}

Constant *RankTables::step(mlir::Operation &op, int32_t number) {
  numbers[&op] = number;
  StepFields fields;
  auto setSamples = [&](llvm::ArrayRef<int64_t> samples) {
    fields.begin = samples[0];
    fields.end = samples[1];
  };
  auto setTransfer = [&](int32_t kind, auto transfer) {
    fields.kind = kind;
    fields.tensors = getTensors(transfer.getBuffer());
    fields.ranks = {static_cast<int32_t>(transfer.getRank())};
    fields.tag = static_cast<int64_t>(transfer.getTag());
    fields.group = static_cast<int64_t>(transfer.getGroup());
  };
  llvm::TypeSwitch<mlir::Operation *>(&op)
      .Case([&](TaskOp task) {
        fields.kind = TENON_RANK_TASK;
        fields.entry = findEntry(task.getEntry());
        fields.tensors = getTensors(task->getOperands());
        fields.stage = static_cast<int64_t>(task.getStage().value_or(-1));
        fields.label = task.getKind().value_or("");
        if (task.getSamples())
          setSamples(*task.getSamples());
        if (task.getSeconds())
          fields.seconds = task.getSeconds()->convertToDouble();
      })
      .Case([&](CopyOp) {
        fields.kind = TENON_RANK_COPY;
        fields.tensors = getTensors(op.getOperands());
      })
      .Case([&](AddOp add) {
        fields.kind = TENON_RANK_ADD;
        fields.tensors = getTensors(op.getOperands());
        setSamples(add.getSamples());
        if (add.getFactor())
          fields.factor = add.getFactor()->convertToDouble();
      })
      .Case([&](SendOp send) { setTransfer(TENON_RANK_SEND, send); })
      .Case(
          [&](ReceiveOp receive) { setTransfer(TENON_RANK_RECEIVE, receive); })
      .Case([&](AllReduceOp sum) {
        fields.kind = TENON_RANK_ALL_REDUCE;
        fields.isMean = sum.getMean();
        fields.tensors = getTensors(sum.getBuffers());
        for (llvm::StringRef name :
             sum.getStates().getAsValueRange<mlir::StringAttr>())
          for (auto [index, state] : llvm::enumerate(context.program.states))
            if (StateOp(state).getName() == name)
              fields.states.push_back(static_cast<int32_t>(index));
        fields.ranks.assign(sum.getRanks().begin(), sum.getRanks().end());
        fields.tag = static_cast<int64_t>(sum.getTag());
        fields.group = static_cast<int64_t>(sum.getGroup());
        fields.stage = static_cast<int64_t>(sum.getStage().value_or(-1));
        fields.label = "sum";
      })
      .Case([&](WaitOp wait) {
        fields.kind = TENON_RANK_WAIT;
        for (mlir::Value token : wait.getTokens())
          fields.awaited.push_back(numbers.lookup(token.getDefiningOp()));
      })
      .Case([&](BarrierOp) { fields.kind = TENON_RANK_BARRIER; });
  auto list = [&](const std::vector<int32_t> &values) {
    return tables.int32s(values);
  };
  return StructBuilder(tables, sizeof(tenon_rank_step))
      .add(TENON_FIELD(tenon_rank_step, kind), tables.int32(fields.kind))
      .add(TENON_FIELD(tenon_rank_step, entry), tables.int32(fields.entry))
      .add(TENON_FIELD(tenon_rank_step, num_tensors),
           tables.int32(fields.tensors.size()))
      .add(TENON_FIELD(tenon_rank_step, tensors), list(fields.tensors))
      .add(TENON_FIELD(tenon_rank_step, num_states),
           tables.int32(fields.states.size()))
      .add(TENON_FIELD(tenon_rank_step, states), list(fields.states))
      .add(TENON_FIELD(tenon_rank_step, is_mean), tables.int32(fields.isMean))
      .add(TENON_FIELD(tenon_rank_step, num_ranks),
           tables.int32(fields.ranks.size()))
      .add(TENON_FIELD(tenon_rank_step, ranks), list(fields.ranks))
      .add(TENON_FIELD(tenon_rank_step, tag), tables.int32(fields.tag))
      .add(TENON_FIELD(tenon_rank_step, group), tables.int32(fields.group))
      .add(TENON_FIELD(tenon_rank_step, num_awaited),
           tables.int32(fields.awaited.size()))
      .add(TENON_FIELD(tenon_rank_step, awaited), list(fields.awaited))
      .add(TENON_FIELD(tenon_rank_step, factor), tables.float64(fields.factor))
      .add(TENON_FIELD(tenon_rank_step, stage), tables.int32(fields.stage))
      .add(TENON_FIELD(tenon_rank_step, label), tables.text(fields.label))
      .add(TENON_FIELD(tenon_rank_step, begin), tables.int64(fields.begin))
      .add(TENON_FIELD(tenon_rank_step, end), tables.int64(fields.end))
      .add(TENON_FIELD(tenon_rank_step, seconds),
           tables.float64(fields.seconds))
      .finish();
}

Constant *RankTables::build() {
  llvm::SmallVector<Constant *> steps, list;
  for (auto [number, op] : llvm::enumerate(rank.getRun().getBody().front()))
    steps.push_back(step(op, static_cast<int32_t>(number)));
  for (const auto &[buffer, number] : tensors)
    list.push_back(tensor(buffer));
  return StructBuilder(tables, sizeof(tenon_rank_program))
      .add(TENON_FIELD(tenon_rank_program, num_tensors),
           tables.int32(list.size()))
      .add(TENON_FIELD(tenon_rank_program, tensors),
           tables.array("rank_tensors", list, alignof(tenon_rank_tensor)))
      .add(TENON_FIELD(tenon_rank_program, arena_bytes),
           tables.int64(arenaBytes))
      .add(TENON_FIELD(tenon_rank_program, num_steps),
           tables.int32(steps.size()))
      .add(TENON_FIELD(tenon_rank_program, steps),
           tables.array("rank_steps", steps, alignof(tenon_rank_step)))
      .finish();
}

Constant *tenon::emit::addRankPrograms(TableContext &context,
                                       const ProgramPart &part) {
  llvm::SmallVector<Constant *> programs;
  for (RankOp rank : RanksOp(part.ranks).getRanks())
    programs.push_back(RankTables(context, part, rank).build());
  return context.tables.array("ranks", programs, alignof(tenon_rank_program));
}
