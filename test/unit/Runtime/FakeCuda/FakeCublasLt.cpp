//===- FakeCublasLt.cpp - cuBLASLt for tests ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeLibrary.h"

#include <cmath>
#include <cstddef>
#include <cstring>

#define FAKE extern "C" __attribute__((visibility("default")))

enum { Success = 0, InvalidValue = 7, Internal = 14, NotSupported = 15 };

static FakeLibrary state;
FAKE FakeLibrary *tenon_fake_cublaslt() { return &state; }

namespace {
struct Product {
  int compute, scale;
  int32_t transA = 0, transB = 0;
  uint32_t epilogue = 1;
  const void *bias = nullptr;
};
struct Layout {
  int type;
  uint64_t rows, columns;
  int64_t leading;
  int32_t batches = 1;
  int64_t stride = 0;

  int64_t at(uint64_t row, uint64_t column) const {
    return static_cast<int64_t>(row) + static_cast<int64_t>(column) * leading;
  }
  /// Up to and with the last matrix.
  int64_t bytes() const {
    return fakeSize(type) *
           (at(rows - 1, columns - 1) + 1 + stride * (batches - 1));
  }
};
struct Preference {
  uint64_t workspace = 0;
  uint32_t schemes = 7, alignment[4] = {256, 256, 256, 256};
};
struct Algorithm {
  uint64_t data[8];
};
struct Found {
  Algorithm algorithm;
  size_t workspaceBytes;
  int state;
  float waves;
  int reserved[4];
};
} // namespace

/// Writes an attribute whose size must be that of its place.
template <typename T> static int write(T &to, const void *from, size_t bytes) {
  if (bytes != sizeof to)
    return InvalidValue;
  std::memcpy(&to, from, bytes);
  return Success;
}

FAKE size_t cublasLtGetVersion() { return state.version; }
FAKE const char *cublasLtGetStatusName(int status) {
  return status == Internal       ? "CUBLAS_STATUS_INTERNAL_ERROR"
         : status == NotSupported ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                  : "CUBLAS_STATUS_OF_A_FAKE";
}
FAKE const char *cublasLtGetStatusString(int) {
  return "as the fake library says";
}
FAKE int cublasLtCreate(void **handle) {
  if (state.failCreate)
    return state.failCreate;
  FakeDriverLock lock;
  ++state.alive;
  *handle = &state;
  return Success;
}
FAKE int cublasLtDestroy(void *) {
  FakeDriverLock lock;
  --state.alive;
  return Success;
}

FAKE int cublasLtMatmulDescCreate(Product **product, int compute, int scale) {
  FakeDriverLock lock;
  ++state.alive;
  *product = new Product{compute, scale};
  return Success;
}
FAKE int cublasLtMatmulDescDestroy(Product *product) {
  FakeDriverLock lock;
  --state.alive;
  delete product;
  return Success;
}
FAKE int cublasLtMatmulDescSetAttribute(Product *product, int attribute,
                                        const void *value, size_t bytes) {
  switch (attribute) {
  case 3:
    return write(product->transA, value, bytes);
  case 4:
    return write(product->transB, value, bytes);
  case 7:
    return write(product->epilogue, value, bytes);
  case 8:
    return write(product->bias, value, bytes);
  default:
    return InvalidValue;
  }
}

FAKE int cublasLtMatrixLayoutCreate(Layout **layout, int type, uint64_t rows,
                                    uint64_t columns, int64_t leading) {
  if (leading < static_cast<int64_t>(rows))
    return InvalidValue;
  FakeDriverLock lock;
  ++state.alive;
  *layout = new Layout{type, rows, columns, leading};
  return Success;
}
FAKE int cublasLtMatrixLayoutDestroy(Layout *layout) {
  FakeDriverLock lock;
  --state.alive;
  delete layout;
  return Success;
}
FAKE int cublasLtMatrixLayoutSetAttribute(Layout *layout, int attribute,
                                          const void *value, size_t bytes) {
  return attribute == 5   ? write(layout->batches, value, bytes)
         : attribute == 6 ? write(layout->stride, value, bytes)
                          : InvalidValue;
}

FAKE int cublasLtMatmulPreferenceCreate(Preference **preference) {
  FakeDriverLock lock;
  ++state.alive;
  *preference = new Preference();
  return Success;
}
FAKE int cublasLtMatmulPreferenceDestroy(Preference *preference) {
  FakeDriverLock lock;
  --state.alive;
  delete preference;
  return Success;
}
FAKE int cublasLtMatmulPreferenceSetAttribute(Preference *preference,
                                              int attribute, const void *value,
                                              size_t bytes) {
  if (attribute == 1)
    return write(preference->workspace, value, bytes);
  if (attribute == 3)
    return write(preference->schemes, value, bytes);
  if (attribute >= 5 && attribute <= 8)
    return write(preference->alignment[attribute - 5], value, bytes);
  return InvalidValue;
}

/// Whether the shapes are those of one product, and the types are known.
static bool isProduct(const Product &product, const Layout &a, const Layout &b,
                      const Layout &c, const Layout &d) {
  uint64_t rows = product.transA ? a.columns : a.rows;
  uint64_t depthA = product.transA ? a.rows : a.columns;
  uint64_t depthB = product.transB ? b.columns : b.rows;
  uint64_t columns = product.transB ? b.rows : b.columns;
  bool isF32 = a.type == 0;
  return rows == d.rows && columns == d.columns && depthA == depthB &&
         c.rows == d.rows && c.columns == d.columns && a.type == b.type &&
         a.type == c.type && a.type == d.type && a.batches == d.batches &&
         b.batches == d.batches && c.batches == d.batches &&
         (isF32 || a.type == 2 || a.type == 14) && product.scale == 0 &&
         (product.compute == 68 || (isF32 && product.compute == 77));
}

FAKE int cublasLtMatmulAlgoGetHeuristic(void *, Product *product, Layout *a,
                                        Layout *b, Layout *c, Layout *d,
                                        Preference *preference, int wanted,
                                        Found *found, int *count) {
  FakeDriverLock lock;
  ++state.searches;
  if (state.failSearch)
    return state.failSearch;
  if (wanted < 1 || preference->schemes != 2 ||
      !isProduct(*product, *a, *b, *c, *d) ||
      ((product->epilogue & 4) != 0) != (product->bias != nullptr))
    return InvalidValue;
  state.workspaceLimit = static_cast<int64_t>(preference->workspace);
  *count = state.findsNothing ? 0 : 1;
  *found = Found();
  found->algorithm.data[0] = preference->alignment[0];
  found->algorithm.data[1] = 42;
  found->workspaceBytes = 1024;
  return Success;
}
FAKE int cublasLtMatmulAlgoConfigGetAttribute(const Algorithm *algorithm,
                                              int attribute, void *value,
                                              size_t bytes, size_t *written) {
  if (attribute != 0 || bytes != 4)
    return InvalidValue;
  int32_t number = static_cast<int32_t>(algorithm->data[1]);
  std::memcpy(value, &number, 4);
  *written = 4;
  return Success;
}

static double finish(double sum, const Product &product, uint64_t row,
                     int type) {
  if (product.epilogue & 4)
    sum += fakeLoad(reinterpret_cast<uint64_t>(product.bias),
                    static_cast<int64_t>(row), type);
  if (product.epilogue & 2)
    return sum > 0 ? sum : 0;
  if (product.epilogue & 32)
    return 0.5 * sum *
           (1 + std::tanh(std::sqrt(2 / M_PI) *
                          (sum + 0.044715 * sum * sum * sum)));
  return sum;
}

FAKE int cublasLtMatmul(void *, Product *product, const float *alpha,
                        uint64_t a, Layout *layoutA, uint64_t b,
                        Layout *layoutB, const float *beta, uint64_t c,
                        Layout *layoutC, uint64_t d, Layout *layoutD,
                        const Algorithm *algorithm, uint64_t workspace,
                        size_t workspaceBytes, void *stream) {
  FakeDriverLock lock;
  FakeDriver driver = getFakeDriver();
  if (state.failRun)
    return state.failRun;
  // The first call loads code, which no capture allows.
  if (driver.isCapturing(stream) && state.runs == 0)
    return Internal;
  ++state.runs;
  state.captured += driver.isCapturing(stream);
  uint64_t all = a | b | c | d | reinterpret_cast<uint64_t>(product->bias);
  if (all % algorithm->data[0] != 0 || workspaceBytes < 1024 ||
      !isProduct(*product, *layoutA, *layoutB, *layoutC, *layoutD))
    return InvalidValue;
  std::function<void()> work = [=, product = *product, A = *layoutA,
                                B = *layoutB, C = *layoutC, D = *layoutD,
                                alpha = *alpha, beta = *beta] {
    if (!driver.holds(a, A.bytes()) || !driver.holds(b, B.bytes()) ||
        !driver.holds(d, D.bytes()) || !driver.holds(workspace, 1024) ||
        (beta != 0 && !driver.holds(c, C.bytes())))
      return driver.fault();
    std::memset(reinterpret_cast<void *>(workspace), 0xff, 1024);
    auto factor = [&](uint64_t from, const Layout &layout, int64_t batch,
                      uint64_t row, uint64_t column, bool isTransposed) {
      int64_t index =
          batch * layout.stride +
          (isTransposed ? layout.at(column, row) : layout.at(row, column));
      double value = fakeLoad(from, index, layout.type);
      return product.compute == 77 ? fakeTf32(value) : value;
    };
    uint64_t depth = product.transA ? A.rows : A.columns;
    for (int64_t batch = 0; batch < D.batches; ++batch)
      for (uint64_t column = 0; column < D.columns; ++column)
        for (uint64_t row = 0; row < D.rows; ++row) {
          double sum = 0;
          for (uint64_t k = 0; k < depth; ++k)
            sum += factor(a, A, batch, row, k, product.transA) *
                   factor(b, B, batch, k, column, product.transB);
          sum *= alpha;
          if (beta != 0)
            sum += beta *
                   fakeLoad(c, batch * C.stride + C.at(row, column), C.type);
          fakeStore(d, batch * D.stride + D.at(row, column), D.type,
                    finish(sum, product, row, D.type));
        }
  };
  driver.put(stream, &work);
  return Success;
}
