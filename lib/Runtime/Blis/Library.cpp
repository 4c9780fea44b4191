//===- Library.cpp - calls of BLIS ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls of f64. A call is split into blocks, which the threads of the run
// compute with BLIS, each alone. The blocks do not depend on the number of
// threads, so the results do not, either.
//
//===----------------------------------------------------------------------===//

#include "../CallOperands.h"
#include "../CpuLibrary.h"
#include "../Process.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <dlfcn.h>
#include <mutex>
#include <utility>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
/// bli_dgemm of BLIS's typed interface: C = beta * C + alpha * A * B, where
/// each matrix has a stride of its rows and one of its columns, in elements.
/// With a beta of 0, C is not read.
using Gemm = void (*)(int transA, int transB, int64_t m, int64_t n, int64_t k,
                      const double *alpha, const double *a, int64_t rsA,
                      int64_t csA, const double *b, int64_t rsB, int64_t csB,
                      const double *beta, double *c, int64_t rsC, int64_t csC);

/// The rows or columns of a block.
constexpr int64_t blockSize = 192;
/// The number of multiplications from which a second thread is worth waking.
constexpr double minParallelWork = 200000;

class BlisLibrary : public CpuLibrary {
public:
  explicit BlisLibrary(Gemm gemm) : gemm(gemm) {}

  Expected<std::unique_ptr<LibraryCall>>
  createCall(const tenon_step &step) override;
  bool takeMissedRaw() override { return std::exchange(missedRaw, false); }

  const Gemm gemm;
  bool missedRaw = false;
};

class BlisCall : public LibraryCall {
public:
  BlisCall(const tenon_step &step, BlisLibrary &library)
      : step(step), call(*step.call), library(library) {}

  Status check() const;
  Status select(const int64_t *symbols, const void *rawWeight) override;
  Status run(void *const *buffers) override;
  /// Weights are not packed.
  bool needsRawWeight() const override { return true; }
  const char *implementation() const override { return "dgemm"; }

private:
  Status fail(const std::string &what) const {
    return makeError("step '", step.name, "': ", what);
  }
  static void runBlocks(void *data, int thread, int64_t lo, int64_t hi);
  void runBlock(int64_t batch, int64_t block) const;

  const tenon_step &step;
  const tenon_call &call;
  BlisLibrary &library;

  std::vector<CallOperand> operands; // lhs, rhs, result, of equal rank
  bool splitsRows = true;            // otherwise, columns
  int64_t batches = 0, blocks = 0;   // blocks of each batch
  bool isSmall = false;
  void *const *buffers = nullptr; // of the current run
};
} // namespace

Expected<std::unique_ptr<LibraryCall>>
BlisLibrary::createCall(const tenon_step &step) {
  auto made = std::make_unique<BlisCall>(step, *this);
  if (Status status = made->check(); !status)
    return status.takeError();
  return std::unique_ptr<LibraryCall>(std::move(made));
}

Status BlisCall::check() const {
  if (call.primitive != TENON_PRIMITIVE_MATMUL)
    return fail(concat("library call number ", call.primitive,
                       " is unknown to this runtime"));
  if (call.num_post_ops > 0)
    return fail("this library call does not support post-ops");
  if (call.num_operands != 3 || step.num_buffers != 3)
    return fail(concat("expected 3 operands, but got ", call.num_operands,
                       " operands and ", step.num_buffers, " buffers"));
  for (int32_t i = 0; i < 3; ++i) {
    const tenon_call_operand &operand = call.operands[i];
    if (!isFloat(operand.dtype, 64))
      return fail("expected operands and a result of f64");
    if (operand.rank < 2 || operand.rank != call.operands[2].rank)
      return fail(concat("expected operands of the result's rank, but got ",
                         operand.rank, " axes"));
  }
  return Status::success();
}

Status BlisCall::select(const int64_t *symbols, const void *rawWeight) {
  if (call.constant_weight && !rawWeight) {
    library.missedRaw = true;
    return fail("its weight was released");
  }
  operands = readOperands(call, symbols);
  for (const CallOperand &operand : operands)
    for (int64_t size : operand.dims)
      if (size < 0)
        return fail(concat("an operand would have the size ", size));
  const CallOperand &result = operands[2];
  int64_t rank = result.rank();
  batches = 1;
  for (int64_t axis = 0; axis + 2 < rank; ++axis)
    batches *= result.dims[axis];
  int64_t rows = result.dims[rank - 2], columns = result.dims[rank - 1];
  splitsRows = rows >= columns;
  blocks = rows == 0 || columns == 0
               ? 0
               : (std::max(rows, columns) + blockSize - 1) / blockSize;
  isSmall = double(batches) * rows * columns * operands[0].dims[rank - 1] <
            minParallelWork;
  return Status::success();
}

/// Operands with a size of 1 are broadcast along batch axes.
void BlisCall::runBlock(int64_t batch, int64_t block) const {
  const CallOperand &lhs = operands[0], &rhs = operands[1];
  const CallOperand &result = operands[2];
  int64_t row = result.rank() - 2, column = row + 1;
  const double *a = static_cast<const double *>(buffers[0]);
  const double *b = static_cast<const double *>(buffers[1]);
  double *c = static_cast<double *>(buffers[2]);
  for (int64_t axis = row; axis-- > 0;) {
    int64_t position = batch % result.dims[axis];
    batch /= result.dims[axis];
    a += lhs.dims[axis] == 1 ? 0 : position * lhs.strides[axis];
    b += rhs.dims[axis] == 1 ? 0 : position * rhs.strides[axis];
    c += position * result.strides[axis];
  }
  int64_t m = result.dims[row], n = result.dims[column];
  int64_t start = block * blockSize;
  if (splitsRows) {
    a += start * lhs.strides[row];
    c += start * result.strides[row];
    m = std::min(blockSize, m - start);
  } else {
    b += start * rhs.strides[column];
    c += start * result.strides[column];
    n = std::min(blockSize, n - start);
  }
  const double one = 1, zero = 0;
  library.gemm(0, 0, m, n, lhs.dims[column], &one, a, lhs.strides[row],
               lhs.strides[column], b, rhs.strides[row], rhs.strides[column],
               &zero, c, result.strides[row], result.strides[column]);
}

void BlisCall::runBlocks(void *data, int, int64_t lo, int64_t hi) {
  auto &call = *static_cast<const BlisCall *>(data);
  for (int64_t i = lo; i < hi; ++i)
    call.runBlock(i / call.blocks, i % call.blocks);
}

Status BlisCall::run(void *const *given) {
  LibraryWork work; // BLIS locks its pool of packing memory
  buffers = given;
  int threads = isSmall ? 1 : defaultThreads();
  ThreadScope scope(threads);
  parallelFor(batches * blocks, /*grain=*/1, threads, runBlocks, this);
  return Status::success();
}

/// Opens the library; it is never closed. A failure is not kept: a resource
/// that was exhausted may be available the next time.
static Expected<Gemm> load() {
  if (Status status = checkMayOpenLibraries(
          "BLIS", "compile the model with --without=blis");
      !status)
    return status.takeError();
  void *library = ::dlopen("libblis.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = ::dlerror();
    return makeError("cannot load BLIS: ", reason ? reason : "unknown reason",
                     " (Debian's package libblis4-serial has it)");
  }
  auto gemm = reinterpret_cast<Gemm>(::dlsym(library, "bli_dgemm"));
  auto intBits = reinterpret_cast<int64_t (*)()>(
      ::dlsym(library, "bli_info_get_int_type_size"));
  auto setThreads = reinterpret_cast<void (*)(int64_t)>(
      ::dlsym(library, "bli_thread_set_num_threads"));
  if (!gemm || !intBits || !setThreads || intBits() != 64)
    return makeError("cannot use libblis.so.4: expected bli_dgemm with sizes "
                     "of 64 bits");
  // A build with threads would start more than the run may use.
  setThreads(1);
  return gemm;
}

Expected<std::unique_ptr<CpuLibrary>> openBlis(CpuLibraries &) {
  static std::mutex mutex;
  static Gemm kept = nullptr;
  std::lock_guard<std::mutex> lock(mutex);
  if (!kept) {
    Expected<Gemm> loaded = load();
    if (!loaded)
      return loaded.takeError();
    kept = *loaded;
  }
  return std::unique_ptr<CpuLibrary>(std::make_unique<BlisLibrary>(kept));
}

} // namespace tenon::runtime
