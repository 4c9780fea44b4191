//===- CuDnnHeaderTest.cpp - own declarations of cuDNN --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled where cudnn.h is found. What the library does without a device is
// tried where it can be opened.
//
//===----------------------------------------------------------------------===//

#include "Cuda/CuDnn.h"
#include "CudaHeaderCheck.h"

#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#include <cudnn.h>

using Dnn = tenon::runtime::cuda::CuDnn;

#define TENON_CHECK(NAME, SYMBOL, RESULT, PARAMETERS)                          \
  static_assert(                                                               \
      IsCalledAlike<decltype(Dnn::NAME), decltype(&::SYMBOL)>::value,          \
      #SYMBOL);
TENON_CUDNN_FUNCTIONS(TENON_CHECK)
#undef TENON_CHECK

static_assert(int(Dnn::Success) == CUDNN_STATUS_SUCCESS);
static_assert(int(Dnn::Float) == CUDNN_DATA_FLOAT &&
              int(Dnn::Half) == CUDNN_DATA_HALF &&
              int(Dnn::BFloat) == CUDNN_DATA_BFLOAT16);
static_assert(int(Dnn::ChannelsLast) == CUDNN_TENSOR_NHWC &&
              int(Dnn::CrossCorrelation) == CUDNN_CROSS_CORRELATION);
static_assert(int(Dnn::DefaultMath) == CUDNN_DEFAULT_MATH &&
              int(Dnn::TensorMath) == CUDNN_TENSOR_OP_MATH &&
              int(Dnn::ConvertingMath) ==
                  CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION &&
              int(Dnn::FmaMath) == CUDNN_FMA_MATH);
static_assert(int(Dnn::Deterministic) == CUDNN_DETERMINISTIC &&
              int(Dnn::Relu) == CUDNN_ACTIVATION_RELU &&
              int(Dnn::Identity) == CUDNN_ACTIVATION_IDENTITY &&
              int(Dnn::KeepNan) == CUDNN_PROPAGATE_NAN);
static_assert(int(Dnn::ImplicitGemm) ==
                  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM &&
              int(Dnn::ImplicitPrecompGemm) ==
                  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM &&
              int(Dnn::Winograd) == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD &&
              int(Dnn::WinogradNonfused) ==
                  CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED);
static_assert(sizeof(Dnn::Found) == sizeof(cudnnConvolutionFwdAlgoPerf_t) &&
              offsetof(Dnn::Found, algorithm) ==
                  offsetof(cudnnConvolutionFwdAlgoPerf_t, algo) &&
              offsetof(Dnn::Found, status) ==
                  offsetof(cudnnConvolutionFwdAlgoPerf_t, status) &&
              offsetof(Dnn::Found, workspaceBytes) ==
                  offsetof(cudnnConvolutionFwdAlgoPerf_t, memory) &&
              offsetof(Dnn::Found, determinism) ==
                  offsetof(cudnnConvolutionFwdAlgoPerf_t, determinism) &&
              offsetof(Dnn::Found, math) ==
                  offsetof(cudnnConvolutionFwdAlgoPerf_t, mathType));

/// The real library takes the descriptions that Tenon makes.
TEST(CudaHeader, CuDnnTakesTheDescriptions) {
  void *library = ::dlopen("libcudnn.so.9", RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    library =
        ::dlopen("/usr/local/cuda/lib64/libcudnn.so.9", RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    GTEST_SKIP() << ::dlerror();
  Dnn dnn;
#define TENON_GET(NAME, SYMBOL, RESULT, PARAMETERS)                            \
  dnn.NAME = reinterpret_cast<decltype(dnn.NAME)>(::dlsym(library, #SYMBOL));  \
  ASSERT_TRUE(dnn.NAME) << #SYMBOL;
  TENON_CUDNN_FUNCTIONS(TENON_GET)
#undef TENON_GET
  Dnn::Tensor tensor = nullptr;
  Dnn::Filter filter = nullptr;
  Dnn::Convolution convolution = nullptr;
  Dnn::Activation activation = nullptr;
  ASSERT_EQ(dnn.tensorCreate(&tensor), 0);
  EXPECT_EQ(dnn.tensorSet(tensor, Dnn::ChannelsLast, Dnn::BFloat, 2, 8, 7, 6),
            0);
  ASSERT_EQ(dnn.filterCreate(&filter), 0);
  EXPECT_EQ(dnn.filterSet(filter, Dnn::BFloat, Dnn::ChannelsLast, 16, 8, 3, 3),
            0);
  ASSERT_EQ(dnn.convolutionCreate(&convolution), 0);
  EXPECT_EQ(dnn.convolutionSet(convolution, 1, 1, 1, 1, 1, 1,
                               Dnn::CrossCorrelation, Dnn::Float),
            0);
  EXPECT_EQ(dnn.convolutionSetGroups(convolution, 1), 0);
  EXPECT_EQ(dnn.convolutionSetMath(convolution, Dnn::FmaMath), 0);
  int n, c, h, w;
  auto *getSizes = reinterpret_cast<int (*)(
      Dnn::Convolution, Dnn::Tensor, Dnn::Filter, int *, int *, int *, int *)>(
      ::dlsym(library, "cudnnGetConvolution2dForwardOutputDim"));
  ASSERT_TRUE(getSizes);
  EXPECT_EQ(getSizes(convolution, tensor, filter, &n, &c, &h, &w), 0);
  EXPECT_EQ(n, 2);
  EXPECT_EQ(c, 16);
  EXPECT_EQ(h, 7);
  EXPECT_EQ(w, 6);
  ASSERT_EQ(dnn.activationCreate(&activation), 0);
  EXPECT_EQ(dnn.activationSet(activation, Dnn::Identity, Dnn::KeepNan, 0), 0);
  EXPECT_EQ(dnn.activationDestroy(activation), 0);
  EXPECT_EQ(dnn.convolutionDestroy(convolution), 0);
  EXPECT_EQ(dnn.filterDestroy(filter), 0);
  EXPECT_EQ(dnn.tensorDestroy(tensor), 0);
}
