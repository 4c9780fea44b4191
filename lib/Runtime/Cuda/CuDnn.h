//===- CuDnn.h - the cuDNN functions that Tenon calls ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The declarations are repeated here, because Tenon is built without the CUDA
// toolkit; a test compares them with cudnn.h (version 9) if that is found. The
// library is opened when a model that calls it is loaded.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_CUDNN_H
#define TENON_LIB_RUNTIME_CUDA_CUDNN_H

#include "Driver.h"

namespace tenon::runtime::cuda {

struct CuDnn {
  using Status = int; // cudnnStatus_t
  enum : Status { Success = 0 };
  using Handle = struct CuDnnTag *;
  using Tensor = struct CuDnnTensorTag *;    // cudnnTensorDescriptor_t
  using Filter = struct CuDnnFilterTag *;    // cudnnFilterDescriptor_t
  using Convolution = struct CuDnnConvTag *; // cudnnConvolutionDescriptor_t
  using Activation = struct CuDnnActTag *;   // cudnnActivationDescriptor_t
  struct Found {                             // cudnnConvolutionFwdAlgoPerf_t
    int algorithm;
    Status status;
    float time;
    size_t workspaceBytes;
    int determinism;
    int math;
    int reserved[3];
  };

  // cudnnDataType_t
  enum : int { Float = 0, Half = 2, BFloat = 9 };
  // cudnnTensorFormat_t
  enum : int { ChannelsLast = 1 };
  // cudnnConvolutionMode_t: the convolution of neural networks, without
  // flipping the weight.
  enum : int { CrossCorrelation = 1 };
  // cudnnMathType_t
  enum : int {
    DefaultMath = 0,
    TensorMath = 1,
    ConvertingMath = 2,
    FmaMath = 3
  };
  // cudnnDeterminism_t
  enum : int { Deterministic = 1 };
  // cudnnActivationMode_t
  enum : int { Relu = 1, Identity = 5 };
  // cudnnNanPropagation_t
  enum : int { KeepNan = 1 };
  // cudnnConvolutionFwdAlgo_t
  enum : int {
    ImplicitGemm = 0,
    ImplicitPrecompGemm = 1,
    Winograd = 6,
    WinogradNonfused = 7
  };

/// Name here, name in the library, return type, parameters.
#define TENON_CUDNN_FUNCTIONS(F)                                               \
  F(getVersion, cudnnGetVersion, size_t, ())                                   \
  F(getErrorString, cudnnGetErrorString, const char *, (Status))               \
  F(getLastError, cudnnGetLastErrorString, void, (char *, size_t))             \
  F(create, cudnnCreate, Status, (Handle *))                                   \
  F(destroy, cudnnDestroy, Status, (Handle))                                   \
  F(setStream, cudnnSetStream, Status, (Handle, Stream))                       \
  F(tensorCreate, cudnnCreateTensorDescriptor, Status, (Tensor *))             \
  F(tensorDestroy, cudnnDestroyTensorDescriptor, Status, (Tensor))             \
  F(tensorSet, cudnnSetTensor4dDescriptor, Status,                             \
    (Tensor, int, int, int, int, int, int))                                    \
  F(filterCreate, cudnnCreateFilterDescriptor, Status, (Filter *))             \
  F(filterDestroy, cudnnDestroyFilterDescriptor, Status, (Filter))             \
  F(filterSet, cudnnSetFilter4dDescriptor, Status,                             \
    (Filter, int, int, int, int, int, int))                                    \
  F(convolutionCreate, cudnnCreateConvolutionDescriptor, Status,               \
    (Convolution *))                                                           \
  F(convolutionDestroy, cudnnDestroyConvolutionDescriptor, Status,             \
    (Convolution))                                                             \
  F(convolutionSet, cudnnSetConvolution2dDescriptor, Status,                   \
    (Convolution, int, int, int, int, int, int, int, int))                     \
  F(convolutionSetMath, cudnnSetConvolutionMathType, Status,                   \
    (Convolution, int))                                                        \
  F(convolutionSetGroups, cudnnSetConvolutionGroupCount, Status,               \
    (Convolution, int))                                                        \
  F(activationCreate, cudnnCreateActivationDescriptor, Status, (Activation *)) \
  F(activationDestroy, cudnnDestroyActivationDescriptor, Status, (Activation)) \
  F(activationSet, cudnnSetActivationDescriptor, Status,                       \
    (Activation, int, int, double))                                            \
  F(countAlgorithms, cudnnGetConvolutionForwardAlgorithmMaxCount, Status,      \
    (Handle, int *))                                                           \
  F(findAlgorithms, cudnnGetConvolutionForwardAlgorithm_v7, Status,            \
    (Handle, Tensor, Filter, Convolution, Tensor, int, int *, Found *))        \
  F(getWorkspace, cudnnGetConvolutionForwardWorkspaceSize, Status,             \
    (Handle, Tensor, Filter, Convolution, Tensor, int, size_t *))              \
  F(convolve, cudnnConvolutionForward, Status,                                 \
    (Handle, const void *, Tensor, const void *, Filter, const void *,         \
     Convolution, int, void *, size_t, const void *, Tensor, void *))          \
  F(convolveFused, cudnnConvolutionBiasActivationForward, Status,              \
    (Handle, const void *, Tensor, const void *, Filter, const void *,         \
     Convolution, int, void *, size_t, const void *, Tensor, const void *,     \
     Tensor, const void *, Activation, Tensor, void *))                        \
  F(addTensor, cudnnAddTensor, Status,                                         \
    (Handle, const void *, Tensor, const void *, const void *, Tensor,         \
     void *))                                                                  \
  F(activate, cudnnActivationForward, Status,                                  \
    (Handle, Activation, const void *, Tensor, const void *, const void *,     \
     Tensor, void *))

#define TENON_DECLARE(NAME, SYMBOL, RESULT, PARAMETERS)                        \
  RESULT(*NAME) PARAMETERS = nullptr;
  TENON_CUDNN_FUNCTIONS(TENON_DECLARE)
#undef TENON_DECLARE

  /// Belongs to the context that was current when it was opened; uses one
  /// stream.
  Handle handle = nullptr;

  /// Opens the library, libcudnn.so.9 or the one that the environment variable
  /// TENON_CUDNN names, and makes a handle.
  static artifact::Expected<CuDnn> open(Stream stream);

  /// For example "CUDNN_STATUS_NOT_SUPPORTED (...)", with the library's own
  /// message.
  std::string describe(Status status) const;
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_CUDNN_H
