//===- IndexChecks.cpp - kernels that check indices -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each check is a separate kernel, planned as index forms like all other
// kernels. It reads the index tensor as a list, which is divided into parts
// that run in parallel. For each part it returns two words: the position of the
// first index that is out of range (INT64_MAX if there is none), and that
// index.
//
//===----------------------------------------------------------------------===//

#include "ProgramLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

/// The number of indices per part: few enough to stay in a cache until they are
/// used.
static constexpr int64_t kPartCount = 16 * 1024;
/// The number of parts for an index tensor of unknown size.
static constexpr int64_t kUsualParts = 32;
/// The number of indices from which on the threads of a GPU share a search.
static constexpr int64_t kSharedCount = 32;

/// Returns the condition that `element`, the index at `position`, is out of
/// range.
static Expr isOutside(const Expr &element, const Expr &position,
                      const IndexUse &use) {
  Expr index = Expr::fromElement(element);
  auto select = [&](auto getEnd) {
    Expr end = Expr::size(getEnd(use.ranges.back()));
    Expr entry = Expr::modIndex(
        position, Expr::index(static_cast<int64_t>(use.ranges.size())));
    for (size_t number = use.ranges.size() - 1; number-- > 0;) {
      if (getEnd(use.ranges[number]) == getEnd(use.ranges.back()))
        continue;
      end = Expr::selectIndex(
          Expr::equal(entry, Expr::index(static_cast<int64_t>(number))),
          Expr::size(getEnd(use.ranges[number])), end);
    }
    return end;
  };
  Expr low = select([](const IndexRange &range) { return range.low; });
  Expr end = select([](const IndexRange &range) { return range.end; });
  Expr outside = Expr::lessEqual(end, index);
  if (!(isUnsigned(element->type) && low.getKind() == ExprKind::Size &&
        low->size == SymInt(0)))
    outside = Expr::logicalOr(Expr::less(index, low), outside);
  if (use.ignored)
    outside = Expr::logicalAnd(
        Expr::logicalNot(Expr::equal(index, Expr::index(*use.ignored))),
        outside);
  return outside;
}

/// Returns the narrowest type in which an index minus the first index of its
/// range is an unsigned number.
static Type getOffsetType(Type element, const IndexRange &range) {
  constexpr int64_t kHalf = int64_t(1) << 30;
  std::optional<int64_t> low = range.low.getConstant();
  std::optional<int64_t> end = range.end.getConstant();
  bool isNarrow =
      element.isInteger(32) && low && end && *low >= -kHalf && *end <= kHalf;
  return IntegerType::get(element.getContext(), isNarrow ? 32 : 64);
}

namespace {
/// The plan of a check, for a GPU or a CPU. Its input is a list of `count`
/// indices, and its output has `parts` rows of 2 words.
class CheckPlan {
public:
  CheckPlan(const IndexUse &use, const SymInt &count, int64_t parts,
            Device device);
  kernel::LoopPlan build();

private:
  unsigned addKernelLoop(Type type, Expr body);
  Expr reduce(ReduceKind kind, Expr body) {
    return Expr::reduce(kind, {kStep}, {extent}, guard, body);
  }
  Expr isSuspect();

  static constexpr unsigned kStep = 64; // a bound variable
  const IndexUse &use;
  SymInt count;
  int64_t parts;
  Device device;
  Type element, i64;
  Expr position, extent, guard;
  kernel::LoopPlan plan;
};
} // namespace

CheckPlan::CheckPlan(const IndexUse &use, const SymInt &count, int64_t parts,
                     Device device)
    : use(use), count(count), parts(parts), device(device),
      element(getElementTypeOrSelf(use.indices.getType())),
      i64(IntegerType::get(element.getContext(), 64)), guard(Expr::always()) {
  SymInt chunk = count.ceilDiv(SymInt(parts));
  Expr first = Expr::mulIndex(Expr::var(0), Expr::size(chunk));
  position = Expr::addIndex(first, Expr::var(kStep));
  extent = Expr::size(chunk);
  if (chunk * SymInt(parts) == count)
    return;
  // On a CPU, the loop's extent replaces the guard. On a GPU, all threads have
  // rows of the same length.
  if (device == Device::Cuda)
    guard = Expr::less(position, Expr::size(count));
  else
    extent = Expr::maxIndex(
        Expr::index(0),
        Expr::minIndex(extent, Expr::subIndex(Expr::size(count), first)));
}

/// Adds a kernel loop with one element per part.
unsigned CheckPlan::addKernelLoop(Type type, Expr body) {
  kernel::KernelLoop loop;
  loop.shape = {SymInt(parts)};
  loop.elementType = type;
  loop.body = std::move(body);
  plan.loops.push_back(std::move(loop));
  return plan.numInputs + plan.loops.size() - 1;
}

/// Returns the condition that a part has an index out of range. It compares the
/// maximum of the offsets within the range, which a CPU computes faster than a
/// position. Offsets are unsigned numbers; shifted by half of their range, they
/// compare like signed ones.
Expr CheckPlan::isSuspect() {
  const IndexRange &range = use.ranges.front();
  Type type = getOffsetType(element, range);
  Expr half =
      Expr::constantInt(type.isInteger(32) ? INT32_MIN : INT64_MIN, type);
  auto add = [](const Expr &a, const Expr &b) {
    return Expr::apply(ScalarFn::Add, {a, b});
  };
  Expr offset = add(Expr::cast(Expr::load(0, {position}, element), type),
                    Expr::fromIndex(Expr::size(-range.low), type));
  unsigned largest =
      addKernelLoop(type, reduce(ReduceKind::Max, add(offset, half)));
  Expr found =
      Expr::fromElement(add(Expr::load(largest, {Expr::var(0)}, type), half));
  return Expr::logicalOr(
      Expr::less(found, Expr::index(0)),
      Expr::lessEqual(Expr::size(range.end - range.low), found));
}

kernel::LoopPlan CheckPlan::build() {
  plan.numInputs = 1;
  plan.inputShapes.push_back({count});
  plan.numRowDims = 1;
  Expr none = Expr::constantInt(INT64_MAX, i64);
  Expr wrong = isOutside(Expr::load(0, {position}, element), position, use);
  Expr found =
      reduce(ReduceKind::Min,
             Expr::select(wrong, Expr::fromIndex(position, i64), none));
  if (device == Device::Cpu && use.ranges.size() == 1 && !use.ignored)
    found = Expr::select(isSuspect(), found, none);
  // For few indices, each thread of a GPU searches for itself, in one launch.
  if (device == Device::Cpu ||
      count.getConstant().value_or(kSharedCount) >= kSharedCount)
    found = Expr::load(addKernelLoop(i64, found), {Expr::var(0)}, i64);
  Expr at = Expr::fromElement(found);
  Expr value = Expr::select(Expr::less(at, Expr::size(count)),
                            Expr::cast(Expr::load(0, {at}, element), i64),
                            Expr::constantInt(0, i64));
  unsigned report =
      addKernelLoop(i64, Expr::select(Expr::equal(Expr::var(1), Expr::index(0)),
                                      found, value));
  kernel::KernelLoop &words = plan.loops[report - plan.numInputs];
  words.shape.push_back(SymInt(2));
  words.output = 0;
  return plan;
}

void ProgramLowering::addCheck(const IndexCheck &check) {
  Value indices = check.use.indices;
  Shape shape = getShape(indices);
  SymInt count = 1;
  for (const SymInt &size : shape)
    count = count * size;
  std::optional<int64_t> known = count.getConstant();
  int64_t parts =
      known ? std::max<int64_t>(llvm::divideCeil(*known, kPartCount), 1)
            : kUsualParts;

  Location loc = function.getLoc();
  MLIRContext *context = function.getContext();
  bool prepares = prepared.contains(indices);
  SmallVector<Attribute> ranges;
  for (const IndexRange &range : check.use.ranges) {
    prepares &= range.low.isConstant() && range.end.isConstant();
    ranges.push_back(program::RangeAttr::get(
        context, range.axis, DimsAttr::get(context, {range.low, range.end})));
  }
  auto type = RankedTensorType::get({parts, 2}, IntegerType::get(context, 64));
  Value findings =
      prepares ? target.addPrepared(loc, type) : target.addFindings(loc, type);
  Step step{"indices of " + check.reader,
            loc,
            {bufferOf[indices], findings},
            prepares};
  kernel::LoopPlan plan =
      CheckPlan(check.use, count, parts, options.device).build();
  if (options.isForGpu())
    useGpuKernels(plan, step);
  else
    target.addLaunch(step, target.useKernel(loc, std::move(plan), prepares));

  OpBuilder &builder = target.getStepBuilder(prepares);
  // The program input that contains these indices unchanged, if there is one.
  StringAttr input;
  if (auto declared = bufferOf[indices].getDefiningOp<program::InputOp>();
      declared && isa<BlockArgument>(indices))
    input = declared.getNameAttr();
  program::CheckOp::create(builder, loc, check.reader, findings, input,
                           DimsAttr::get(context, shape), parts,
                           check.use.ignored
                               ? builder.getI64IntegerAttr(*check.use.ignored)
                               : IntegerAttr(),
                           builder.getArrayAttr(ranges));
}

void ProgramLowering::collectChecks() {
  for (unsigned number = countUncheckedResults(function),
                end = function.getNumResults();
       number < end; ++number)
    waitingChecks.push_back(*getIndexCheck(function, number));
}

/// Adds the checks of the indices that `reader` reads just before it, so that
/// the runtime can alternate between both, part by part. If the entry writes
/// states, adds all checks whose indices are known, because a call that is
/// refused should not have changed a state.
void ProgramLowering::addChecksBefore(kernel::CallOp reader) {
  bool writesStates = llvm::any_of(destinations, [](const auto &destination) {
    return destination.buffer.template getDefiningOp<program::StateOp>();
  });
  llvm::erase_if(waitingChecks, [&](const IndexCheck &check) {
    auto buffer = bufferOf.find(check.use.indices);
    bool isRead =
        buffer != bufferOf.end() &&
        (writesStates || llvm::any_of(reader.getInputs(), [&](Value input) {
           return bufferOf.lookup(input) == buffer->second;
         }));
    if (isRead)
      addCheck(check);
    return isRead;
  });
}

/// Adds the checks of indices that are computed by their reader, or that are no
/// longer used.
void ProgramLowering::addOtherChecks() {
  for (const IndexCheck &check : waitingChecks)
    addCheck(check);
  waitingChecks.clear();
}
