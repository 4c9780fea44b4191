//===- Library.cpp - scatters as loops over updates -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scatters that add. The result is set to 0, the updates are added in row-major
// order, and x is added at the end: these are the sums, and their order, that
// the index form of the op states. Threads divide the elements of the result,
// not the updates, so the results do not depend on their number. Indices out of
// range are dropped; those below 0 count from the end. x may have one element,
// which stands for an x of equal elements.
//
//===----------------------------------------------------------------------===//

#include "../CallOperands.h"
#include "../CpuLibrary.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
/// The number of elements that a thread takes at a time, at least.
constexpr int64_t kGrain = 4096;

class ScatterLibrary : public CpuLibrary {
public:
  Expected<std::unique_ptr<LibraryCall>>
  createCall(const tenon_step &step) override;
};

class ScatterCall : public LibraryCall {
public:
  explicit ScatterCall(const tenon_step &step) : step(step), call(*step.call) {}

  Status check();
  Status select(const int64_t *symbols, const void *) override;
  Status run(void *const *buffers) override;
  bool needsRawWeight() const override { return true; }
  const char *implementation() const override { return "scatter"; }

private:
  Status fail(const std::string &what) const {
    return makeError("step '", step.name, "': ", what);
  }
  void planElements();
  void planSlices();
  int64_t readIndex(int64_t position, int64_t size) const;
  template <typename T> void clear(int64_t lo, int64_t hi) const;
  template <typename T> void addOriginal(int64_t lo, int64_t hi) const;
  template <typename T> void addElements(int64_t lo, int64_t hi) const;
  template <typename T> void addSlices(int64_t lo, int64_t hi) const;
  template <typename T> Status runOn();
  using Loop = void (ScatterCall::*)(int64_t lo, int64_t hi) const;
  void split(Loop loop, int64_t extent, int64_t grain);

  const tenon_step &step;
  const tenon_call &call;
  std::vector<CallOperand> operands; // x, indices, updates, result
  int64_t numElements = 0;           // of the result
  int64_t numUpdates = 0;            // positions of indices
  bool isSplat = false;              // one element of x stands for all
  // scatter_elements: positions of updates outside and inside of the axis, and
  // the sizes of the axis.
  int64_t axis = 0, outer = 0, inner = 0, axisSize = 0, axisUpdates = 0;
  // scatter_nd: what a step along each indexed axis skips, and the size of a
  // slice.
  std::vector<int64_t> skips;
  int64_t slice = 0;
  void *const *buffers = nullptr; // of the current run
  Loop current = nullptr;
};
} // namespace

Expected<std::unique_ptr<LibraryCall>>
ScatterLibrary::createCall(const tenon_step &step) {
  auto made = std::make_unique<ScatterCall>(step);
  if (Status status = made->check(); !status)
    return status.takeError();
  return std::unique_ptr<LibraryCall>(std::move(made));
}

Status ScatterCall::check() {
  bool isElements = call.primitive == TENON_PRIMITIVE_SCATTER_ELEMENTS;
  if (!isElements && call.primitive != TENON_PRIMITIVE_SCATTER_ND)
    return fail(concat("library call number ", call.primitive,
                       " is unknown to this runtime"));
  if (call.num_post_ops > 0)
    return fail("this library call does not support post-ops");
  if (call.num_operands != 4 || step.num_buffers != 4)
    return fail(concat("expected 4 operands, but got ", call.num_operands,
                       " operands and ", step.num_buffers, " buffers"));
  tenon_dtype type = call.operands[3].dtype, index = call.operands[1].dtype;
  bool isRight = isFloat(type, 32) || isFloat(type, 64);
  for (int32_t i : {0, 2})
    isRight &= call.operands[i].dtype.code == type.code &&
               call.operands[i].dtype.bits == type.bits;
  if (!isRight || index.code != TENON_DL_INT ||
      (index.bits != 32 && index.bits != 64))
    return fail("expected elements of f32 or f64, and indices of i32 or i64");
  int32_t rank = call.operands[3].rank, indexRank = call.operands[1].rank;
  bool fits = call.operands[0].rank == rank && rank > 0 && indexRank > 0;
  if (isElements) {
    axis = getFields<tenon_scatter_elements>(call).axis;
    fits &= indexRank == rank && call.operands[2].rank == rank && axis >= 0 &&
            axis < rank;
  }
  return fits ? Status::success() : fail("the ranks of its operands differ");
}

/// An axis but `axis` may be shorter in the updates than in the result.
void ScatterCall::planElements() {
  const CallOperand &updates = operands[2], &result = operands[3];
  outer = inner = 1;
  for (int64_t other = 0; other < axis; ++other)
    outer *= updates.dims[other];
  for (int64_t other = axis + 1; other < updates.rank(); ++other)
    inner *= updates.dims[other];
  axisUpdates = updates.dims[axis];
  axisSize = result.dims[axis];
}

void ScatterCall::planSlices() {
  const CallOperand &indices = operands[1], &result = operands[3];
  int64_t length = indices.dims.back();
  skips.assign(result.strides.begin(), result.strides.begin() + length);
  slice = 1;
  for (int64_t other = length; other < result.rank(); ++other)
    slice *= result.dims[other];
  numUpdates = 1;
  for (int64_t other = 0; other + 1 < indices.rank(); ++other)
    numUpdates *= indices.dims[other];
}

Status ScatterCall::select(const int64_t *symbols, const void *) {
  operands = readOperands(call, symbols);
  numElements = 1;
  for (const CallOperand &operand : operands)
    for (int64_t size : operand.dims)
      if (size < 0)
        return fail(concat("an operand would have the size ", size));
  const CallOperand &result = operands[3];
  for (int64_t size : result.dims)
    numElements *= size;
  const std::vector<int64_t> &sizes = operands[0].dims;
  isSplat = sizes != result.dims &&
            std::all_of(sizes.begin(), sizes.end(),
                        [](int64_t size) { return size == 1; });
  if (sizes != result.dims && !isSplat)
    return fail("expected a result of the shape of the first operand");
  if (call.primitive == TENON_PRIMITIVE_SCATTER_ELEMENTS) {
    if (operands[1].dims != operands[2].dims)
      return fail("expected as many updates as indices");
    for (int64_t other = 0; other < result.rank(); ++other)
      if (other != axis && operands[1].dims[other] > result.dims[other])
        return fail("expected no more updates than elements along an axis");
    planElements();
  } else {
    int64_t length = operands[1].dims.back();
    std::vector<int64_t> expected(operands[1].dims.begin(),
                                  operands[1].dims.end() - 1);
    if (length < 1 || length > result.rank())
      return fail(concat("expected indices of 1 to ", result.rank(),
                         " numbers, but got ", length));
    expected.insert(expected.end(), result.dims.begin() + length,
                    result.dims.end());
    if (expected != operands[2].dims)
      return fail(concat("expected updates of the shape ",
                         formatShape(expected), ", but got ",
                         formatShape(operands[2].dims)));
    planSlices();
  }
  return Status::success();
}

/// Returns the index, from 0, or -1 if it is out of range.
int64_t ScatterCall::readIndex(int64_t position, int64_t size) const {
  int64_t index = call.operands[1].dtype.bits == 64
                      ? static_cast<const int64_t *>(buffers[1])[position]
                      : static_cast<const int32_t *>(buffers[1])[position];
  if (index < 0)
    index += size;
  return index < size ? std::max<int64_t>(index, -1) : -1;
}

template <typename T> void ScatterCall::clear(int64_t lo, int64_t hi) const {
  std::fill(static_cast<T *>(buffers[3]) + lo,
            static_cast<T *>(buffers[3]) + hi, T(0));
}

template <typename T>
void ScatterCall::addOriginal(int64_t lo, int64_t hi) const {
  auto *to = static_cast<T *>(buffers[3]);
  auto *x = static_cast<const T *>(buffers[0]);
  for (int64_t i = lo; i < hi; ++i)
    to[i] = x[isSplat ? 0 : i] + to[i];
}

/// Adds the updates at the positions [lo, hi) of the axes before `axis`.
template <typename T>
void ScatterCall::addElements(int64_t lo, int64_t hi) const {
  const CallOperand &updates = operands[2], &result = operands[3];
  auto *from = static_cast<const T *>(buffers[2]);
  auto *to = static_cast<T *>(buffers[3]);
  for (int64_t position = lo; position < hi; ++position) {
    // The first element of this position in the result.
    int64_t base = 0, rest = position;
    for (int64_t other = axis; other-- > 0;) {
      base += rest % updates.dims[other] * result.strides[other];
      rest /= updates.dims[other];
    }
    int64_t source = position * axisUpdates * inner;
    for (int64_t update = 0; update < axisUpdates; ++update)
      for (int64_t i = 0; i < inner; ++i, ++source) {
        int64_t index = readIndex(source, axisSize);
        if (index < 0)
          continue;
        int64_t offset = base + index * result.strides[axis];
        for (int64_t other = updates.rank(), left = i; --other > axis;) {
          offset += left % updates.dims[other] * result.strides[other];
          left /= updates.dims[other];
        }
        to[offset] += from[source];
      }
  }
}

/// Adds the elements [lo, hi) of the slices of all updates.
template <typename T>
void ScatterCall::addSlices(int64_t lo, int64_t hi) const {
  const CallOperand &result = operands[3];
  auto *from = static_cast<const T *>(buffers[2]);
  auto *to = static_cast<T *>(buffers[3]);
  int64_t length = static_cast<int64_t>(skips.size());
  for (int64_t update = 0; update < numUpdates; ++update) {
    int64_t offset = 0;
    for (int64_t number = 0; number < length && offset >= 0; ++number) {
      int64_t index = readIndex(update * length + number, result.dims[number]);
      offset = index < 0 ? -1 : offset + index * skips[number];
    }
    if (offset < 0)
      continue;
    for (int64_t i = lo; i < hi; ++i)
      to[offset + i] += from[update * slice + i];
  }
}

void ScatterCall::split(Loop loop, int64_t extent, int64_t grain) {
  current = loop;
  parallelFor(
      extent, grain, defaultThreads(),
      [](void *data, int, int64_t lo, int64_t hi) {
        auto &call = *static_cast<const ScatterCall *>(data);
        (call.*call.current)(lo, hi);
      },
      this);
}

template <typename T> Status ScatterCall::runOn() {
  if (numElements == 0)
    return Status::success();
  // The first operand is read after the result is written.
  if (buffers[0] == buffers[3])
    return fail("the result can't overwrite an operand");
  split(&ScatterCall::clear<T>, numElements, kGrain);
  if (call.primitive == TENON_PRIMITIVE_SCATTER_ELEMENTS)
    split(&ScatterCall::addElements<T>, outer,
          std::max<int64_t>(1, kGrain /
                                   std::max<int64_t>(1, axisUpdates * inner)));
  else
    split(&ScatterCall::addSlices<T>, slice,
          std::max<int64_t>(64, kGrain / std::max<int64_t>(1, numUpdates)));
  split(&ScatterCall::addOriginal<T>, numElements, kGrain);
  return Status::success();
}

Status ScatterCall::run(void *const *given) {
  buffers = given;
  return call.operands[3].dtype.bits == 64 ? runOn<double>() : runOn<float>();
}

Expected<std::unique_ptr<CpuLibrary>> openScatter(CpuLibraries &) {
  return std::unique_ptr<CpuLibrary>(std::make_unique<ScatterLibrary>());
}

} // namespace tenon::runtime
