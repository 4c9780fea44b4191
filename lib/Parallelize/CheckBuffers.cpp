//===- CheckBuffers.cpp - what ranks read was written ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankText.h"
#include "tenon/Parallelize/CheckRanks.h"

#include <tuple>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
/// The indices of one axis of an output that a rank writes; all if the axis is
/// below 0.
struct Written {
  int64_t axis = -1, begin = 0, end = 0, rank = 0;
  Operation *step = nullptr;
};

class BufferCheck {
public:
  explicit BufferCheck(program::RanksOp ranks) : ranks(ranks) {}

  LogicalResult check();

private:
  LogicalResult checkRank(program::RankOp rank);
  LogicalResult read(Operation *step, Value buffer);
  LogicalResult write(Operation *step, Value buffer, int64_t rank);
  LogicalResult checkOutput(program::OutputOp output);

  program::RanksOp ranks;
  llvm::DenseMap<Value, std::vector<Written>> outputs;
  // For the rank that is checked:
  llvm::DenseMap<Value, SmallVector<Operation *, 2>> onTheirWay;
  llvm::DenseSet<Value> written;
};
} // namespace

static InFlightDiagnostic fail(Operation *step) {
  return step->emitError() << describeStep(step) << ": ";
}

LogicalResult BufferCheck::read(Operation *step, Value buffer) {
  Value whole = getWhole(buffer);
  for (Operation *message : onTheirWay[whole])
    if (!isa<program::SendOp>(message))
      return fail(step) << "reads a buffer that " << describeStep(message)
                        << " still writes";
  if (whole.getDefiningOp<program::ArenaOp>() && !written.contains(whole))
    return fail(step) << "reads a buffer that no step has written";
  return success();
}

LogicalResult BufferCheck::write(Operation *step, Value buffer, int64_t rank) {
  Value whole = getWhole(buffer);
  if (!onTheirWay[whole].empty())
    return fail(step) << "writes a buffer that "
                      << describeStep(onTheirWay[whole].front())
                      << " still uses";
  written.insert(whole);
  if (!whole.getDefiningOp<program::OutputOp>())
    return success();
  Written one;
  one.rank = rank;
  one.step = step;
  if (auto part = buffer.getDefiningOp<program::PartOp>()) {
    one.axis = static_cast<int64_t>(part.getAxis());
    one.begin = static_cast<int64_t>(part.getBegin());
    one.end = one.begin + program::getTensorType(buffer).getDimSize(one.axis);
  }
  outputs[whole].push_back(one);
  return success();
}

LogicalResult BufferCheck::checkRank(program::RankOp rank) {
  onTheirWay.clear();
  written.clear();
  auto number = static_cast<int64_t>(rank.getRank());
  for (Operation &step : rank.getRun().getBody().front()) {
    SmallVector<Value> reads, writes, begun;
    if (auto task = dyn_cast<program::TaskOp>(step)) {
      reads = task.getInputs();
      writes = task.getOutputs();
    } else if (auto copy = dyn_cast<program::CopyOp>(step)) {
      reads = {copy.getFrom()};
      writes = {copy.getTo()};
    } else if (auto add = dyn_cast<program::AddOp>(step)) {
      reads = {add.getNumber()};
    } else if (auto send = dyn_cast<program::SendOp>(step)) {
      reads = begun = {send.getBuffer()};
    } else if (auto receive = dyn_cast<program::ReceiveOp>(step)) {
      writes = begun = {receive.getBuffer()};
    } else if (auto sum = dyn_cast<program::AllReduceOp>(step)) {
      reads = sum.getBuffers();
      writes = begun = reads;
    } else if (auto wait = dyn_cast<program::WaitOp>(step)) {
      for (Value token : wait.getTokens())
        for (Value buffer : token.getDefiningOp()->getOperands())
          llvm::erase(onTheirWay[getWhole(buffer)], token.getDefiningOp());
    }
    for (Value buffer : reads)
      if (failed(read(&step, buffer)))
        return failure();
    for (Value buffer : writes)
      if (failed(write(&step, buffer, number)))
        return failure();
    for (Value buffer : begun)
      onTheirWay[getWhole(buffer)].push_back(&step);
  }
  return success();
}

/// All of it is written, nothing by two ranks. Parts along different axes are
/// not compared.
LogicalResult BufferCheck::checkOutput(program::OutputOp output) {
  std::vector<Written> &list = outputs[output];
  llvm::sort(list, [](const Written &a, const Written &b) {
    return std::tie(a.axis, a.begin, a.rank) <
           std::tie(b.axis, b.begin, b.rank);
  });
  if (list.empty())
    return output.emitOpError()
           << "'" << output.getName() << "' is written by no rank";
  if (list.front().axis != list.back().axis)
    return success();
  bool isWhole = list.front().axis < 0;
  int64_t end = 0;
  int64_t size =
      isWhole ? 0
              : program::getTensorType(output).getDimSize(list.front().axis);
  const Written *before = nullptr;
  for (const Written &one : list) {
    if (before && before->rank != one.rank &&
        (isWhole || (one.begin < end && one.begin < one.end)))
      return fail(one.step) << "writes what another rank writes";
    if (!isWhole && one.begin > end)
      break;
    end = std::max(end, one.end);
    before = &one;
  }
  if (end < size)
    return output.emitOpError() << "'" << output.getName() << "' is not "
                                << "written from index " << end << " of axis "
                                << list.front().axis << " on";
  return success();
}

LogicalResult BufferCheck::check() {
  for (program::RankOp rank : ranks.getRanks())
    if (failed(checkRank(rank)))
      return failure();
  llvm::DenseSet<Value> added;
  ranks.walk([&](program::AddOp add) { added.insert(add.getOutput()); });
  for (auto output : ranks.getBody().getOps<program::OutputOp>())
    if (!added.contains(output) &&
        program::getTensorType(output).getNumElements() > 0 &&
        failed(checkOutput(output)))
      return failure();
  return success();
}

LogicalResult tenon::parallelize::checkBuffers(program::RanksOp ranks) {
  return BufferCheck(ranks).check();
}
