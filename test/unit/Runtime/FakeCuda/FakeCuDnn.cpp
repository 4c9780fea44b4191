//===- FakeCuDnn.cpp - cuDNN for tests ------------------------------------===//
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

enum {
  Success = 0,
  BadParam = 2000,
  NotSupported = 3000,
  Internal = 4000,
  Failed = 5000
};

static FakeLibrary state;
FAKE FakeLibrary *tenon_fake_cudnn() { return &state; }

namespace {
/// One for each thread that computes.
struct Handle {
  void *stream = nullptr;
};
/// A tensor [n, c, h, w] or a filter [o, c, r, s], channels last.
struct Tensor {
  int type = -1, dims[4] = {};
  int kind() const { return type == 9 ? 14 : type; } // as fakeLoad counts
  int64_t at(int64_t n, int64_t c, int64_t h, int64_t w) const {
    return ((n * dims[2] + h) * dims[3] + w) * dims[1] + c;
  }
  int64_t bytes() const {
    return fakeSize(kind()) * dims[0] * dims[1] * dims[2] * dims[3];
  }
};
struct Convolution {
  int pads[2], strides[2], dilations[2], math = 0, groups = 1;
};
struct Activation {
  int mode = -1, nan = 0;
  double operator()(double value) const {
    bool isKept = value > 0 || (nan == 1 && std::isnan(value));
    return mode == 5 || isKept ? value : 0;
  }
};
struct Found {
  int algorithm, status;
  float time;
  size_t bytes;
  int determinism, math, reserved[3];
};
} // namespace

template <typename T> static int make(T **object) {
  FakeDriverLock lock;
  ++state.alive;
  *object = new T();
  return Success;
}
template <typename T> static int drop(T *object) {
  FakeDriverLock lock;
  --state.alive;
  delete object;
  return Success;
}
static int describe(Tensor *tensor, int format, int type, int n, int c, int h,
                    int w) {
  if (format != 1 || (type != 0 && type != 2 && type != 9) || n < 1 || c < 1 ||
      h < 1 || w < 1)
    return BadParam;
  *tensor = Tensor{type, {n, c, h, w}};
  return Success;
}

FAKE size_t cudnnGetVersion() { return 91900; }
FAKE const char *cudnnGetErrorString(int status) {
  return status == Internal       ? "CUDNN_STATUS_INTERNAL_ERROR"
         : status == NotSupported ? "CUDNN_STATUS_NOT_SUPPORTED"
         : status == BadParam     ? "CUDNN_STATUS_BAD_PARAM"
                                  : "CUDNN_STATUS_OF_A_FAKE";
}
FAKE void cudnnGetLastErrorString(char *text, size_t size) {
  std::strncpy(text, "as the fake library says", size);
}
FAKE int cudnnCreate(Handle **handle) {
  return state.failCreate ? state.failCreate : make(handle);
}
FAKE int cudnnDestroy(Handle *handle) { return drop(handle); }
FAKE int cudnnSetStream(Handle *handle, void *stream) {
  handle->stream = stream;
  return Success;
}
FAKE int cudnnCreateTensorDescriptor(Tensor **tensor) { return make(tensor); }
FAKE int cudnnDestroyTensorDescriptor(Tensor *tensor) { return drop(tensor); }
FAKE int cudnnSetTensor4dDescriptor(Tensor *tensor, int format, int type, int n,
                                    int c, int h, int w) {
  return describe(tensor, format, type, n, c, h, w);
}
FAKE int cudnnCreateFilterDescriptor(Tensor **filter) { return make(filter); }
FAKE int cudnnDestroyFilterDescriptor(Tensor *filter) { return drop(filter); }
FAKE int cudnnSetFilter4dDescriptor(Tensor *filter, int type, int format, int o,
                                    int c, int h, int w) {
  return describe(filter, format, type, o, c, h, w);
}
FAKE int cudnnCreateConvolutionDescriptor(Convolution **convolution) {
  return make(convolution);
}
FAKE int cudnnDestroyConvolutionDescriptor(Convolution *convolution) {
  return drop(convolution);
}
FAKE int cudnnSetConvolution2dDescriptor(Convolution *convolution, int padH,
                                         int padW, int strideH, int strideW,
                                         int dilationH, int dilationW, int mode,
                                         int compute) {
  if (mode != 1 || compute != 0)
    return BadParam;
  *convolution =
      Convolution{{padH, padW}, {strideH, strideW}, {dilationH, dilationW}};
  return Success;
}
FAKE int cudnnSetConvolutionMathType(Convolution *convolution, int math) {
  convolution->math = math;
  return Success;
}
FAKE int cudnnSetConvolutionGroupCount(Convolution *convolution, int groups) {
  convolution->groups = groups;
  return Success;
}
FAKE int cudnnCreateActivationDescriptor(Activation **activation) {
  return make(activation);
}
FAKE int cudnnDestroyActivationDescriptor(Activation *activation) {
  return drop(activation);
}
FAKE int cudnnSetActivationDescriptor(Activation *activation, int mode, int nan,
                                      double) {
  *activation = {mode, nan};
  return Success;
}

/// Whether the shapes are those of one convolution.
static bool isConvolution(const Tensor &x, const Tensor &w,
                          const Convolution &how, const Tensor &y) {
  for (int axis = 0; axis < 2; ++axis) {
    int reach = (w.dims[2 + axis] - 1) * how.dilations[axis] + 1;
    int size =
        (x.dims[2 + axis] + 2 * how.pads[axis] - reach) / how.strides[axis] + 1;
    if (size != y.dims[2 + axis])
      return false;
  }
  return x.dims[0] == y.dims[0] && w.dims[0] == y.dims[1] &&
         w.dims[1] * how.groups == x.dims[1] && x.type == w.type &&
         x.type == y.type;
}

/// More than there are algorithms: each with and without tensor cores.
enum { MostOffers = 11 };

FAKE int cudnnGetConvolutionForwardAlgorithmMaxCount(void *, int *count) {
  *count = MostOffers;
  return Success;
}
FAKE int cudnnGetConvolutionForwardAlgorithm_v7(void *, Tensor *x, Tensor *w,
                                                Convolution *how, Tensor *y,
                                                int wanted, int *count,
                                                Found *found) {
  FakeDriverLock lock;
  ++state.searches;
  if (state.failSearch)
    return state.failSearch;
  if (!isConvolution(*x, *w, *how, *y) || wanted != MostOffers)
    return BadParam;
  *count = 0;
  auto add = [&](int algorithm, int status, int determinism, int math) {
    found[(*count)++] = {algorithm, status, 1, 0, determinism, math, {}};
  };
  if (state.findsNothing || state.algorithms.empty()) {
    add(5, NotSupported, 1, how->math);
    add(3, Success, 0, how->math);
    add(4, Success, 1, 2);         // converts
    add(2, Success, 1, how->math); // takes too much memory
    if (how->math == 3)
      add(0, Success, 1, 1); // rounds, which was not allowed
  }
  if (state.findsNothing)
    return Success;
  if (state.algorithms.empty())
    add(1, Success, 1, how->math);
  // FMA by its other name.
  for (int algorithm : state.algorithms)
    add(algorithm, Success, 1, how->math == 3 ? 0 : how->math);
  return Success;
}
FAKE int cudnnGetConvolutionForwardWorkspaceSize(void *, Tensor *, Tensor *,
                                                 Convolution *, Tensor *,
                                                 int algorithm, size_t *bytes) {
  for (int unable : state.unable)
    if (unable == algorithm)
      return NotSupported;
  *bytes = algorithm == 2 ? size_t(1) << 30 : 512;
  return Success;
}

/// Puts work on the stream, as a call that computes does.
static int put(Handle *handle, std::function<void()> work) {
  FakeDriverLock lock;
  FakeDriver driver = getFakeDriver();
  if (state.failRun)
    return state.failRun;
  // The first call loads code, which no capture allows.
  if (driver.isCapturing(handle->stream) && state.runs == 0)
    return Internal;
  ++state.runs;
  state.captured += driver.isCapturing(handle->stream);
  driver.put(handle->stream, &work);
  return Success;
}

/// What is added to a sum, and what comes after it.
struct Finish {
  float scale = 0;
  uint64_t residual = 0, bias = 0;
  Activation activation = {5, 1};
};

static int convolve(Handle *handle, const Tensor &x, uint64_t input,
                    const Tensor &w, uint64_t weight, const Convolution &how,
                    int algorithm, uint64_t workspace, size_t bytes,
                    const Tensor &y, uint64_t output, Finish finish) {
  if (!isConvolution(x, w, how, y) || algorithm == 2 || bytes < 512 ||
      (input | weight | output | finish.bias) % 16 != 0)
    return BadParam;
  state.algorithm = algorithm;
  return put(handle, [=] {
    FakeDriver driver = getFakeDriver();
    if (!driver.holds(input, x.bytes()) || !driver.holds(weight, w.bytes()) ||
        !driver.holds(output, y.bytes()) || !driver.holds(workspace, 512))
      return driver.fault();
    std::memset(reinterpret_cast<void *>(workspace), 0xff, 512);
    int perGroup = w.dims[1], outputs = w.dims[0] / how.groups;
    auto factor = [&](uint64_t from, int64_t index) {
      double value = fakeLoad(from, index, x.kind());
      return x.type == 0 && how.math != 3 ? fakeTf32(value) : value;
    };
    for (int n = 0; n < y.dims[0]; ++n)
      for (int h = 0; h < y.dims[2]; ++h)
        for (int v = 0; v < y.dims[3]; ++v)
          for (int o = 0; o < y.dims[1]; ++o) {
            double sum = 0;
            for (int r = 0; r < w.dims[2]; ++r)
              for (int s = 0; s < w.dims[3]; ++s) {
                int row =
                    h * how.strides[0] + r * how.dilations[0] - how.pads[0];
                int column =
                    v * how.strides[1] + s * how.dilations[1] - how.pads[1];
                if (row < 0 || row >= x.dims[2] || column < 0 ||
                    column >= x.dims[3])
                  continue;
                for (int c = 0; c < perGroup; ++c)
                  sum += factor(input, x.at(n, o / outputs * perGroup + c, row,
                                            column)) *
                         factor(weight, w.at(o, c, r, s));
              }
            int64_t index = y.at(n, o, h, v);
            if (finish.scale != 0)
              sum += finish.scale * fakeLoad(finish.residual, index, y.kind());
            if (finish.bias)
              sum += fakeLoad(finish.bias, o, y.kind());
            fakeStore(output, index, y.kind(), finish.activation(sum));
          }
  });
}

FAKE int cudnnConvolutionForward(Handle *handle, const float *alpha, Tensor *x,
                                 uint64_t input, Tensor *w, uint64_t weight,
                                 Convolution *how, int algorithm,
                                 uint64_t workspace, size_t bytes,
                                 const float *beta, Tensor *y,
                                 uint64_t output) {
  if (*alpha != 1 || *beta != 0)
    return BadParam;
  return convolve(handle, *x, input, *w, weight, *how, algorithm, workspace,
                  bytes, *y, output, {});
}
FAKE int cudnnConvolutionBiasActivationForward(
    Handle *handle, const float *alpha, Tensor *x, uint64_t input, Tensor *w,
    uint64_t weight, Convolution *how, int algorithm, uint64_t workspace,
    size_t bytes, const float *scale, Tensor *z, uint64_t residual,
    Tensor *vector, uint64_t bias, Activation *activation, Tensor *y,
    uint64_t output) {
  if (state.refuseFused >= Failed)
    getFakeDriver().fault();
  if (state.refuseFused)
    return state.refuseFused;
  if (*alpha != 1 || z->bytes() != y->bytes() ||
      vector->dims[1] != y->dims[1] ||
      (activation->mode == 5 && algorithm != 1))
    return BadParam;
  FakeDriverLock lock;
  ++state.fusedRuns;
  return convolve(handle, *x, input, *w, weight, *how, algorithm, workspace,
                  bytes, *y, output, {*scale, residual, bias, *activation});
}
FAKE int cudnnAddTensor(Handle *handle, const float *alpha, Tensor *a,
                        uint64_t from, const float *beta, Tensor *c,
                        uint64_t to) {
  if (state.failAdd)
    return state.failAdd;
  if (*alpha != 1 || *beta != 1)
    return BadParam;
  return put(handle, [=, a = *a, c = *c] {
    bool isVector = a.bytes() != c.bytes();
    for (int64_t i = 0; i < c.bytes() / fakeSize(c.kind()); ++i)
      fakeStore(to, i, c.kind(),
                fakeLoad(to, i, c.kind()) +
                    fakeLoad(from, isVector ? i % c.dims[1] : i, c.kind()));
  });
}
FAKE int cudnnActivationForward(Handle *handle, Activation *activation,
                                const float *, Tensor *x, uint64_t from,
                                const float *, Tensor *, uint64_t to) {
  if (state.failActivation)
    return state.failActivation;
  if (activation->mode != 1)
    return BadParam;
  return put(handle, [=, x = *x, activation = *activation] {
    for (int64_t i = 0; i < x.bytes() / fakeSize(x.kind()); ++i)
      fakeStore(to, i, x.kind(), activation(fakeLoad(from, i, x.kind())));
  });
}
