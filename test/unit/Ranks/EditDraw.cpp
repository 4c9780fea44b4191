//===- EditDraw.cpp - random changes of programs of ranks -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EditDraw.h"
#include "RankChannels.h"
#include "RankStorage.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

program::WaitOp tenon::ranks::getWait(Operation *transfer) {
  return cast<program::WaitOp>(*transfer->getUsers().begin());
}

void tenon::ranks::eraseTransfer(Operation *transfer) {
  program::WaitOp wait = getWait(transfer);
  SmallVector<Value> left;
  for (Value token : wait.getTokens())
    if (token != transfer->getResult(0))
      left.push_back(token);
  if (left.empty())
    wait.erase();
  else
    wait.getTokensMutable().assign(left);
  transfer->erase();
}

std::vector<Operation *> tenon::ranks::getMeeting(Operation *transfer) {
  RankChannels channels(transfer->getParentOfType<program::RanksOp>(),
                        Channels::Tags);
  std::vector<Operation *> steps = {transfer};
  for (Operation *partner : channels.getPartners(transfer))
    if (partner)
      steps.push_back(partner);
  return steps;
}

Value EditDraw::drawBuffer(Operation *step, RankedTensorType type,
                           Value other) {
  std::vector<Value> found;
  auto collect = [&](Block &block) {
    for (Operation &op : block)
      if (isa<program::InputOp, program::OutputOp, program::ArenaOp,
              program::PartOp>(op) &&
          op.getResult(0) != other &&
          program::getTensorType(op.getResult(0)) == type)
        found.push_back(op.getResult(0));
  };
  collect(step->getParentOfType<program::RanksOp>().getBody().front());
  collect(step->getParentOfType<program::RankOp>().getBody().front());
  return found.empty() ? Value() : pick(found);
}

void EditDraw::moveAnywhere(Operation *step) {
  Block &block = *step->getBlock();
  auto begin = block.begin(), end = block.end();
  for (Value operand : step->getOperands())
    if (Operation *op = operand.getDefiningOp();
        op && op->getBlock() == &block && !op->isBeforeInBlock(&*begin))
      begin = std::next(op->getIterator());
  if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
    end = std::prev(end);
  for (Operation *user : step->getUsers())
    if (end == block.end() || user->isBeforeInBlock(&*end))
      end = user->getIterator();
  auto place = std::next(begin, below(std::distance(begin, end) + 1));
  if (place != step->getIterator())
    step->moveBefore(&block, place);
}

func::FuncOp EditDraw::drawFunction() {
  auto functions = module.getOps<func::FuncOp>();
  return functions.empty() ? func::FuncOp() : pick(functions);
}

void EditDraw::placeBuffers() {
  module->walk([&](program::RankOp rank) { placeBuffers(rank); });
}

void EditDraw::placeBuffers(program::RankOp rank) {
  llvm::DenseMap<Value, std::pair<int64_t, int64_t>> lives;
  int64_t number = 0;
  auto use = [&](Value buffer) {
    auto [life, isNew] =
        lives.try_emplace(getWhole(buffer), std::pair(number, number));
    life->second.second = number;
  };
  for (Operation &step : rank.getRun().getBody().front()) {
    for (Value operand : step.getOperands()) {
      if (!isa<program::TokenType>(operand.getType()))
        use(operand);
      else if (!isa<program::AllReduceOp>(operand.getDefiningOp()))
        use(operand.getDefiningOp()->getOperand(0));
    }
    ++number;
  }
  // First fit, in a random order.
  struct Placed {
    int64_t first, last, begin, end;
  };
  std::vector<Placed> placed;
  auto arenas = llvm::to_vector(rank.getBody().getOps<program::ArenaOp>());
  llvm::shuffle(arenas.begin(), arenas.end(), random);
  for (program::ArenaOp arena : arenas) {
    auto [first, last] = lives.lookup(arena);
    arena.setFirst(first);
    arena.setLast(last);
    int64_t size =
        *program::countBytes(program::getTensorType(arena)).getConstant();
    int64_t at = 0;
    for (bool moves = true; moves;) {
      moves = false;
      for (const Placed &other : placed)
        if (other.first <= last && first <= other.last &&
            other.begin < at + size && at < other.end) {
          at = other.end;
          moves = true;
        }
    }
    arena.setOffset(at);
    placed.push_back({first, last, at, at + size});
  }
}
