//===- CompareRanks.cpp - tables of an artifact against programs ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompareRanks.h"
#include "tenon/Artifact/DType.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Interpret/TensorConversion.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace tenon;

using Difference = std::optional<std::string>;

namespace {
/// Compares one rank's program of one entry.
class RankComparison {
public:
  RankComparison(const tenon_program &tables, const tenon_rank_program &table)
      : tables(tables), table(table) {}

  Difference compare(program::RanksOp ranks, program::RankOp rank);

private:
  Difference compareStep(Operation &op, const tenon_rank_step &step);
  Difference compareTransfer(Value buffer, int64_t peer, int64_t tag,
                             int64_t group, const tenon_rank_step &step);
  Difference compareTensors(ValueRange buffers, const tenon_rank_step &step);
  Difference compareTensor(Value buffer, const tenon_rank_tensor &tensor);
  Difference compareSum(program::AllReduceOp sum, const tenon_rank_step &step);

  const tenon_program &tables;
  const tenon_rank_program &table;
  DenseMap<Value, int32_t> given; // inputs and outputs, each by its number
  DenseMap<Operation *, int32_t> numbers;
};
} // namespace

template <typename A, typename B>
static Difference expect(const char *what, const A &program, const B &found) {
  if (program == static_cast<A>(found))
    return std::nullopt;
  return llvm::formatv("{0} is {1} in the program, but {2} in the library",
                       what, program, found)
      .str();
}

#define TENON_SAME(...)                                                        \
  if (Difference difference = __VA_ARGS__)                                     \
  return difference

static Difference compareType(RankedTensorType type, tenon_dtype dtype,
                              int32_t rank, const int64_t *shape) {
  tenon_dtype expected =
      artifact::toDLDType(interpret::getDType(type.getElementType()));
  if (dtype.code != expected.code || dtype.bits != expected.bits ||
      dtype.lanes != expected.lanes || rank != type.getRank() ||
      !llvm::equal(type.getShape(), ArrayRef(shape, rank)))
    return "the type of a tensor differs";
  return std::nullopt;
}

Difference RankComparison::compareTensor(Value buffer,
                                         const tenon_rank_tensor &tensor) {
  TENON_SAME(compareType(program::getTensorType(buffer), tensor.dtype,
                         tensor.rank, tensor.shape));
  int64_t axis = -1, begin = 0, whole = 0;
  if (auto part = buffer.getDefiningOp<program::PartOp>()) {
    axis = static_cast<int64_t>(part.getAxis());
    begin = static_cast<int64_t>(part.getBegin());
    buffer = part.getWhole();
    whole = program::getTensorType(buffer).getDimSize(axis);
  }
  TENON_SAME(expect("the axis of a part", axis, tensor.axis));
  TENON_SAME(expect("the begin of a part", begin, tensor.begin));
  TENON_SAME(expect("the size of what has a part", whole, tensor.whole));
  Operation *op = buffer.getDefiningOp();
  if (auto arena = dyn_cast<program::ArenaOp>(op)) {
    TENON_SAME(expect("the kind of a buffer",
                      static_cast<int>(TENON_BUFFER_ARENA), tensor.kind));
    return expect("the place of a buffer",
                  static_cast<int64_t>(arena.getOffset().value_or(-1)),
                  tensor.offset);
  }
  TENON_SAME(
      expect("the kind of a buffer",
             static_cast<int>(isa<program::InputOp>(op) ? TENON_BUFFER_INPUT
                                                        : TENON_BUFFER_OUTPUT),
             tensor.kind));
  return expect("the number of an input or output", given.lookup(buffer),
                tensor.index);
}

Difference RankComparison::compareTensors(ValueRange buffers,
                                          const tenon_rank_step &step) {
  TENON_SAME(expect("the number of tensors",
                    static_cast<int32_t>(buffers.size()), step.num_tensors));
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    int32_t number = step.tensors[i];
    if (number < 0 || number >= table.num_tensors)
      return "a tensor does not exist in the library";
    TENON_SAME(compareTensor(buffer, table.tensors[number]));
  }
  return std::nullopt;
}

Difference RankComparison::compareTransfer(Value buffer, int64_t peer,
                                           int64_t tag, int64_t group,
                                           const tenon_rank_step &step) {
  TENON_SAME(compareTensors(buffer, step));
  TENON_SAME(expect("the number of ranks", 1, step.num_ranks));
  TENON_SAME(expect("the other rank", peer, step.ranks[0]));
  TENON_SAME(expect("the tag", tag, step.tag));
  return expect("the group", group, step.group);
}

Difference RankComparison::compareSum(program::AllReduceOp sum,
                                      const tenon_rank_step &step) {
  TENON_SAME(expect("whether it is a mean", sum.getMean(), step.is_mean));
  TENON_SAME(expect("the tag", static_cast<int64_t>(sum.getTag()), step.tag));
  TENON_SAME(
      expect("the group", static_cast<int64_t>(sum.getGroup()), step.group));
  if (!llvm::equal(sum.getRanks(), ArrayRef(step.ranks, step.num_ranks)))
    return "the ranks of a sum differ";
  TENON_SAME(expect("the number of states",
                    static_cast<int32_t>(sum.getStates().size()),
                    step.num_states));
  for (auto [i, name] :
       llvm::enumerate(sum.getStates().getAsValueRange<StringAttr>())) {
    int32_t state = step.states[i];
    if (state < 0 || state >= tables.num_states ||
        name != tables.states[state].value.name)
      return "the states of a sum differ";
  }
  return compareTensors(sum.getBuffers(), step);
}

Difference RankComparison::compareStep(Operation &op,
                                       const tenon_rank_step &step) {
  auto compareKind = [&](int kind) {
    return expect("the kind of a step", kind, step.kind);
  };
  return TypeSwitch<Operation *, Difference>(&op)
      .Case([&](program::TaskOp task) -> Difference {
        TENON_SAME(compareKind(TENON_RANK_TASK));
        if (step.entry < 0 || step.entry >= tables.num_entries ||
            task.getEntry() != tables.entries[step.entry].name)
          return "another task is called in the library";
        return compareTensors(op.getOperands(), step);
      })
      .Case([&](program::CopyOp) -> Difference {
        TENON_SAME(compareKind(TENON_RANK_COPY));
        return compareTensors(op.getOperands(), step);
      })
      .Case([&](program::AddOp add) -> Difference {
        TENON_SAME(compareKind(TENON_RANK_ADD));
        TENON_SAME(expect("the first sample", add.getSamples()[0], step.begin));
        TENON_SAME(expect("the last sample", add.getSamples()[1], step.end));
        double factor =
            add.getFactor() ? add.getFactor()->convertToDouble() : 1;
        if (factor != step.factor)
          return "the factor of an output differs";
        return compareTensors(op.getOperands(), step);
      })
      .Case([&](program::SendOp send) -> Difference {
        TENON_SAME(compareKind(TENON_RANK_SEND));
        return compareTransfer(send.getBuffer(), send.getRank(), send.getTag(),
                               send.getGroup(), step);
      })
      .Case([&](program::ReceiveOp receive) -> Difference {
        TENON_SAME(compareKind(TENON_RANK_RECEIVE));
        return compareTransfer(receive.getBuffer(), receive.getRank(),
                               receive.getTag(), receive.getGroup(), step);
      })
      .Case([&](program::AllReduceOp sum) -> Difference {
        TENON_SAME(compareKind(TENON_RANK_ALL_REDUCE));
        return compareSum(sum, step);
      })
      .Case([&](program::WaitOp wait) -> Difference {
        TENON_SAME(compareKind(TENON_RANK_WAIT));
        std::vector<int32_t> awaited;
        for (Value token : wait.getTokens())
          awaited.push_back(numbers.lookup(token.getDefiningOp()));
        if (!llvm::equal(awaited, ArrayRef(step.awaited, step.num_awaited)))
          return "other steps are awaited in the library";
        return std::nullopt;
      })
      .Case([&](program::BarrierOp) { return compareKind(TENON_RANK_BARRIER); })
      .Default([](Operation *) -> Difference { return "an unknown step"; });
}

Difference RankComparison::compare(program::RanksOp ranks,
                                   program::RankOp rank) {
  int32_t inputs = 0, outputs = 0;
  for (Operation &op : ranks.getBody().front())
    if (isa<program::InputOp>(op))
      given[op.getResult(0)] = inputs++;
    else if (isa<program::OutputOp>(op))
      given[op.getResult(0)] = outputs++;
  uint64_t bytes = 0;
  for (auto arena : rank.getBody().getOps<program::ArenaOp>())
    bytes = std::max(bytes,
                     arena.getOffset().value_or(0) +
                         static_cast<uint64_t>(
                             program::countBytes(program::getTensorType(arena))
                                 .getConstant()
                                 .value_or(0)));
  int32_t count = 0;
  for (Operation &op : rank.getRun().getBody().front())
    numbers[&op] = count++;
  TENON_SAME(expect("the number of steps", count, table.num_steps));
  // Buffers without uses need no place.
  if (static_cast<uint64_t>(table.arena_bytes) > bytes)
    return "the memory between tasks is larger in the library";
  for (Operation &op : rank.getRun().getBody().front())
    if (Difference difference = compareStep(op, table.steps[numbers[&op]]))
      return llvm::formatv("step {0}: {1}", numbers[&op], *difference).str();
  return std::nullopt;
}

template <typename Op>
static Difference compareValues(program::RanksOp ranks, int32_t count,
                                const tenon_value *values) {
  SmallVector<Op> ops(ranks.getBody().getOps<Op>());
  TENON_SAME(expect("the number of inputs or outputs",
                    static_cast<int32_t>(ops.size()), count));
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (op.getName() != values[i].name)
      return "the name of an input or output differs";
    TENON_SAME(compareType(program::getTensorType(op.getResult()),
                           values[i].dtype, values[i].rank, values[i].shape));
  }
  return std::nullopt;
}

static Difference compareStates(ModuleOp module, const tenon_program &tables) {
  std::map<StringRef, const tenon_state *> found;
  for (int32_t i = 0; i < tables.num_states; ++i)
    found[tables.states[i].value.name] = &tables.states[i];
  size_t count = 0;
  for (auto state : module.getOps<graph::StateOp>()) {
    ++count;
    auto it = found.find(state.getSymName());
    if (it == found.end())
      return "the library has no state '" + state.getSymName().str() + "'";
    const tenon_state &table = *it->second;
    auto type = cast<RankedTensorType>(state.getType());
    if (Difference difference = compareType(
            type, table.value.dtype, table.value.rank, table.value.shape))
      return "state '" + state.getSymName().str() + "': " + *difference;
    StringRef parameter =
        table.param < 0 ? "" : tables.params[table.param].name;
    if (parameter != state.getParameter().value_or(""))
      return "state '" + state.getSymName().str() +
             "' begins as another parameter in the library";
    if (state.getTransient() != (table.transient != 0))
      return "state '" + state.getSymName().str() +
             "' is transient in one of them";
  }
  return expect("the number of states", count, found.size());
}

static Difference compareEntry(program::RanksOp ranks,
                               const tenon_program &tables,
                               const tenon_entry &entry) {
  TENON_SAME(
      compareValues<program::InputOp>(ranks, entry.num_inputs, entry.inputs));
  TENON_SAME(compareValues<program::OutputOp>(ranks, entry.num_outputs,
                                              entry.outputs));
  SmallVector<program::RankOp> list = ranks.getRanks();
  TENON_SAME(expect("the number of ranks", static_cast<int32_t>(list.size()),
                    tables.num_ranks));
  for (auto [number, rank] : llvm::enumerate(list))
    if (Difference difference =
            RankComparison(tables, entry.ranks[number]).compare(ranks, rank))
      return llvm::formatv("rank {0}, {1}", number, *difference).str();
  return std::nullopt;
}

Difference tenon::compareRanks(ModuleOp module, const tenon_program &tables) {
  TENON_SAME(compareStates(module, tables));
  std::map<StringRef, const tenon_entry *> entries;
  for (int32_t i = 0; i < tables.num_entries; ++i)
    if (tables.entries[i].ranks)
      entries[tables.entries[i].name] = &tables.entries[i];
  size_t count = 0;
  for (auto ranks : module.getOps<program::RanksOp>()) {
    ++count;
    auto it = entries.find(ranks.getSymName());
    if (it == entries.end())
      return "the library has no entry '" + ranks.getSymName().str() + "'";
    if (Difference difference = compareEntry(ranks, tables, *it->second))
      return "entry '" + ranks.getSymName().str() + "': " + *difference;
  }
  return expect("the number of entries", count, entries.size());
}
