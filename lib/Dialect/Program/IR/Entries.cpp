//===- Entries.cpp - verification of targets, entries and buffers ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyBuffers.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::program;
using graph::DimsAttr;
using graph::SymInt;

RankedTensorType tenon::program::getTensorType(Value buffer) {
  Type type =
      llvm::TypeSwitch<Operation *, Type>(buffer.getDefiningOp())
          .Case<InputOp, OutputOp, ParameterOp, StateOp, PreparedOp, ArenaOp,
                PartOp, FindingsOp>([](auto op) { return op.getType(); })
          .Case([](ConstantOp op) { return op.getValue().getType(); });
  return cast<RankedTensorType>(type);
}

SymInt tenon::program::countBytes(RankedTensorType type) {
  SymInt bytes = (type.getElementTypeBitWidth() + 7) / 8;
  for (const SymInt &size : graph::getShape(type))
    bytes = bytes * size;
  return bytes;
}

bool tenon::program::isStep(Operation *op) {
  return !isa<ArenaOp, CheckOp>(op);
}

SmallVector<EntryOp> tenon::program::getEntries(ModuleOp module) {
  SmallVector<EntryOp> entries;
  for (auto target : module.getOps<TargetOp>())
    llvm::append_range(entries, target.getOps<EntryOp>());
  return entries;
}

static SymInt getSizeOf(std::optional<DimsAttr> scratch) {
  return scratch ? scratch->getEntry(0) : SymInt(0);
}

SymInt EntryOp::getScratchSize() { return getSizeOf(getScratch()); }
SymInt PrepareOp::getScratchSize() { return getSizeOf(getScratch()); }

RunOp EntryOp::getRun() { return *getBody().getOps<RunOp>().begin(); }

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Checks that all sizes of an op are polynomials over the entry's symbols.
static LogicalResult verifySymbols(Operation *op,
                                   const llvm::StringSet<> &symbols) {
  std::string unbound;
  op->getAttrDictionary().walk([&](DimsAttr dims) {
    for (const SymInt &entry : dims.getEntries()) {
      if (entry.isUnknown())
        unbound = "?";
      entry.visitSymbols([&](StringRef symbol) {
        if (!symbols.contains(symbol))
          unbound = symbol.str();
      });
    }
  });
  if (unbound.empty())
    return success();
  return op->emitOpError() << "has a size over '" << unbound
                           << "', which is not a symbol of the entry";
}

/// Checks that elements have a size, and that all axes have constant or named
/// sizes.
LogicalResult program::verifyBuffer(Operation *op) {
  RankedTensorType type = getTensorType(op->getResult(0));
  if (!type.getElementType().isIntOrFloat())
    return op->emitOpError() << "has elements of type " << type.getElementType()
                             << ", which have no memory layout";
  for (const SymInt &size : graph::getShape(type))
    if (size.isUnknown())
      return op->emitOpError() << "has an axis of unknown size";
  return success();
}

namespace {
/// A buffer's place in the arena, and when it is used.
struct Placed {
  ArenaOp op;
  int64_t first, last; // steps
  int64_t begin, end;  // bytes
};
} // namespace

/// An upper bound of the alignment of buffers.
static constexpr int64_t maxAlignment = 4096;

/// Checks that buffers with overlapping lifetimes do not overlap in memory.
LogicalResult program::verifyPlaces(Block &block) {
  SmallVector<Placed> placed;
  for (ArenaOp arena : block.getOps<ArenaOp>()) {
    if (!arena.getOffset())
      continue;
    std::optional<int64_t> bytes =
        countBytes(getTensorType(arena)).getConstant();
    if (!bytes)
      return arena.emitOpError("has an offset, but no constant size");
    auto offset = static_cast<int64_t>(*arena.getOffset());
    // The end of the last buffer is rounded up to the alignment of buffers.
    if (offset < 0 || offset > INT64_MAX - maxAlignment - *bytes)
      return arena.emitOpError() << "has the invalid offset " << offset;
    placed.push_back({arena, static_cast<int64_t>(arena.getFirst()),
                      static_cast<int64_t>(arena.getLast()), offset,
                      offset + *bytes});
  }
  llvm::sort(placed, [](const Placed &a, const Placed &b) {
    return std::make_pair(a.first, a.begin) < std::make_pair(b.first, b.begin);
  });
  // Compare each buffer with the earlier ones that are still live.
  SmallVector<Placed> living;
  for (Placed &one : placed) {
    llvm::erase_if(living,
                   [&](Placed &other) { return other.last < one.first; });
    for (Placed &other : living)
      if (one.begin < other.end && other.begin < one.end) {
        InFlightDiagnostic error = one.op.emitOpError(
            "overlaps a buffer that is live at the same time");
        error.attachNote(other.op.getLoc()) << "the other buffer";
        return error;
      }
    living.push_back(one);
  }
  return success();
}

/// The buffers that an op uses. A transfer uses its buffer until it is awaited.
static SmallVector<Value> getUsedBuffers(Operation *op) {
  SmallVector<Value> buffers;
  for (Value operand : op->getOperands()) {
    if (!isa<TokenType>(operand.getType()))
      buffers.push_back(operand);
    else
      llvm::append_range(buffers, operand.getDefiningOp()->getOperands());
  }
  for (Value &buffer : buffers)
    if (auto part = buffer.getDefiningOp<PartOp>())
      buffer = part.getWhole();
  return buffers;
}

/// Checks that the buffers of `buffers` are used only between their first and
/// their last step.
LogicalResult program::verifyLifetimes(Block &buffers, Block &steps) {
  int64_t numSteps =
      llvm::count_if(steps, [](Operation &op) { return isStep(&op); });
  // Without steps, an unused buffer still has a place.
  int64_t end = std::max<int64_t>(numSteps, 1);
  for (ArenaOp arena : buffers.getOps<ArenaOp>()) {
    auto first = static_cast<int64_t>(arena.getFirst());
    auto last = static_cast<int64_t>(arena.getLast());
    if (first < 0 || last < first || last >= end)
      return arena.emitOpError()
             << "is live from step " << first << " to " << last
             << ", but the number of steps is " << numSteps;
  }
  int64_t position = -1;
  for (Operation &step : steps) {
    if (isStep(&step))
      ++position;
    for (Value buffer : getUsedBuffers(&step)) {
      auto arena = buffer.getDefiningOp<ArenaOp>();
      if (!arena)
        continue;
      auto first = static_cast<int64_t>(arena.getFirst());
      auto last = static_cast<int64_t>(arena.getLast());
      if (position < first || position > last)
        return step.emitOpError()
               << "is step " << position << ", but uses a buffer that is live "
               << "from step " << first << " to " << last;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// program.target, program.prepare, program.entry
//===----------------------------------------------------------------------===//

/// Adds the name of `op` to the names of its kind.
LogicalResult program::insertName(llvm::StringSet<> &names, StringRef name,
                                  Operation *op) {
  if (names.insert(name).second)
    return success();
  return op->emitOpError() << "has the duplicate name '" << name << "'";
}

LogicalResult TargetOp::verifyRegions() {
  llvm::StringSet<> parameters, states;
  unsigned numPrepares = 0, numEntries = 0;
  for (Operation &op : getBody().front()) {
    if (isa<EntryOp>(op)) {
      ++numEntries;
      continue;
    }
    if (isa<RanksOp>(op) && numEntries == 0)
      continue;
    if (isa<RanksOp>(op))
      return op.emitOpError("must precede the entries, which are its tasks");
    if (isa<PrepareOp>(op) && (++numPrepares > 1 || numEntries > 0))
      return op.emitOpError("must occur once, before all entries");
    if (isa<PrepareOp, ModuleOp>(op))
      continue;
    if (!isa<ParameterOp, StateOp, ConstantOp, PreparedOp>(op))
      return op.emitOpError("is not allowed in 'program.target'");
    if (failed(verifyBuffer(&op)))
      return failure();
    LogicalResult isNew = success();
    if (auto parameter = dyn_cast<ParameterOp>(op))
      isNew = insertName(parameters, parameter.getName(), &op);
    else if (auto state = dyn_cast<StateOp>(op))
      isNew = insertName(states, state.getName(), &op);
    if (failed(isNew))
      return failure();
  }
  return success();
}

LogicalResult ConstantOp::verify() {
  if (!isa<RankedTensorType>(getValue().getType()))
    return emitOpError() << "expected a tensor, but got "
                         << getValue().getType();
  return success();
}

LogicalResult StateOp::verify() {
  if (getTransient() && (getInitial() || getSource()))
    return emitOpError("is transient; expected zeros as its initial value");
  if (getInitial() && getInitial()->getShapedType() != getType())
    return emitOpError() << "has type " << getType()
                         << ", but its initial value "
                         << getInitial()->getShapedType();
  if (!getSource())
    return success();
  auto parameter = getSource().getDefiningOp<ParameterOp>();
  if (!parameter)
    return emitOpError("expected a parameter as its source");
  if (getInitial())
    return emitOpError("expected an initial value or a source, but got both");
  if (parameter.getType() != getType())
    return emitOpError() << "has type " << getType() << ", but its source "
                         << parameter.getType();
  return success();
}

/// Symbols have no values at load.
LogicalResult PrepareOp::verifyRegions() {
  bool hasSteps = false;
  for (Operation &op : getBody().front()) {
    if (auto arena = dyn_cast<ArenaOp>(op)) {
      if (hasSteps)
        return op.emitOpError("must precede the steps");
      if (failed(verifyBuffer(&op)))
        return failure();
    } else if (isa<EntryOp, RunOp, PrepareOp, TargetOp>(op) ||
               !isa_and_nonnull<ProgramDialect>(op.getDialect())) {
      return op.emitOpError("is not allowed in 'program.prepare'");
    } else {
      hasSteps = true;
    }
  }
  WalkResult all =
      walk([](Operation *op) { return WalkResult(verifySymbols(op, {})); });
  Block &body = getBody().front();
  if (all.wasInterrupted() || failed(verifyLifetimes(body, body)))
    return failure();
  return verifyPlaces(getBody().front());
}

/// Checks that the sizes of inputs determine every symbol.
static LogicalResult verifyBindings(EntryOp entry) {
  llvm::StringSet<> bound;
  for (InputOp input : entry.getBody().getOps<InputOp>())
    for (const SymInt &size : graph::getShape(getTensorType(input)))
      if (std::optional<StringRef> symbol = size.getSymbol())
        bound.insert(*symbol);
  for (StringRef symbol : entry.getSymbols().getAsValueRange<StringAttr>())
    if (!bound.contains(symbol))
      return entry.emitOpError()
             << "has the symbol '" << symbol
             << "', which is not the size of an input's axis";
  return success();
}

LogicalResult EntryOp::verifyRegions() {
  llvm::StringSet<> symbols;
  for (Attribute symbol : getSymbols())
    if (!symbols.insert(cast<StringAttr>(symbol).getValue()).second)
      return emitOpError() << "has the symbol " << symbol << " twice";
  llvm::StringSet<> inputs, outputs;
  unsigned numOutputs = 0, numRuns = 0;
  for (Operation &op : getBody().front()) {
    LogicalResult isValid = success();
    if (isa<RequireOp>(op)) {
      continue;
    } else if (isa<RunOp>(op)) {
      if (++numRuns > 1)
        return op.emitOpError("must occur once in an entry");
    } else if (!isa<InputOp, OutputOp, ArenaOp, FindingsOp>(op)) {
      return op.emitOpError("is not allowed in 'program.entry'");
    } else if (failed(verifyBuffer(&op))) {
      return failure();
    } else if (auto input = dyn_cast<InputOp>(op)) {
      isValid = insertName(inputs, input.getName(), &op);
    } else if (auto output = dyn_cast<OutputOp>(op)) {
      isValid = insertName(outputs, output.getName(), &op);
      ++numOutputs;
    }
    if (failed(isValid))
      return failure();
  }
  if (numRuns == 0)
    return emitOpError("has no 'program.run'");
  for (InputOp input : getBody().getOps<InputOp>())
    if (input.getDonates() && *input.getDonates() >= numOutputs)
      return input.emitOpError() << "donates to output " << *input.getDonates()
                                 << " of " << numOutputs;
  WalkResult all = walk(
      [&](Operation *op) { return WalkResult(verifySymbols(op, symbols)); });
  if (all.wasInterrupted() || failed(verifyBindings(*this)) ||
      failed(verifyLifetimes(getBody().front(), getRun().getBody().front())))
    return failure();
  return verifyPlaces(getBody().front());
}
