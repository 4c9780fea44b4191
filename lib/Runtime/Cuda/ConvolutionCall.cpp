//===- ConvolutionCall.cpp - convolutions by cuDNN ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvolutionPlan.h"

#include <climits>

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

namespace {
class ConvolutionCall : public PlannedCall<ConvolutionPlan> {
public:
  ConvolutionCall(const tenon_step &step, Libraries &libraries,
                  const CuDnn &dnn, CallEpilogue epilogue)
      : PlannedCall(step, libraries), dnn(dnn), epilogue(epilogue) {}

  Status run(Stream stream, const DeviceAddress *buffers,
             DeviceAddress workspace) override;
  const char *library() const override { return "cudnn"; }

private:
  Status makePlan(ConvolutionPlan &plan,
                  std::vector<CallOperand> &operands) override;
  Status describe(ConvolutionPlan &plan,
                  const std::vector<CallOperand> &operands);
  Status chooseAlgorithm(ConvolutionPlan &plan);
  CuDnn::Status runFused(ConvolutionPlan &plan, const DeviceAddress *buffers,
                         void *workspace);
  Status runApart(ConvolutionPlan &plan, const DeviceAddress *buffers,
                  void *workspace);

  Status check(CuDnn::Status status, const char *what) const {
    if (status != CuDnn::Success)
      return fail(concat("cuDNN: ", what, ": ", dnn.describe(status)));
    return Status::success();
  }
  int type() const {
    tenon_dtype dtype = call.operands[0].dtype;
    return dtype.bits == 32               ? CuDnn::Float
           : dtype.code == TENON_DL_FLOAT ? CuDnn::Half
                                          : CuDnn::BFloat;
  }
  /// Returns how the algorithm may round factors.
  int math() const {
    return type() != CuDnn::Float ? CuDnn::TensorMath
           : conv.tf32            ? CuDnn::DefaultMath
                                  : CuDnn::FmaMath;
  }

  const CuDnn &dnn;
  const tenon_convolution &conv = getFields<tenon_convolution>(call);
  CallEpilogue epilogue;
};
} // namespace

/// Returns whether [n, c, h, w] is stored in memory as [n, h, w, c].
static bool isChannelsLast(const CallOperand &operand) {
  if (operand.dims.size() != 4)
    return false;
  CallOperand wanted = operand;
  int64_t stride = 1;
  for (int axis : {1, 3, 2, 0}) {
    wanted.strides[axis] = stride;
    stride *= std::max<int64_t>(operand.dims[axis], 1);
  }
  return wanted.strides == operand.strides;
}

Status ConvolutionCall::makePlan(ConvolutionPlan &plan,
                                 std::vector<CallOperand> &operands) {
  const CallOperand &result = operands.back();
  for (size_t i = 0; i < operands.size(); ++i) {
    bool isBias = epilogue.hasBias && i == 2;
    if (!isBias && !isChannelsLast(operands[i]))
      return fail("expected two spatial axes, and channels last");
    for (int64_t size : operands[i].dims)
      if (size > INT_MAX)
        return fail(concat("expected axes of at most ", INT_MAX,
                           " elements, but got ", size));
  }
  if (result.isEmpty()) {
    plan.isEmpty = true;
    return Status::success();
  }
  if (operands[0].isEmpty() || operands[1].isEmpty())
    return fail(
        "cuDNN does not support operands without elements; compile with "
        "--without=cudnn");
  if (epilogue.hasBias &&
      operands[2].dims != std::vector<int64_t>{result.dims[1]})
    return fail("expected a bias with an element for each channel");
  if (epilogue.residual >= 0 && operands[epilogue.residual].dims != result.dims)
    return fail("expected the added tensor to have the result's sizes");
  if (Status status = describe(plan, operands); !status)
    return status;
  return chooseAlgorithm(plan);
}

Status ConvolutionCall::describe(ConvolutionPlan &plan,
                                 const std::vector<CallOperand> &operands) {
  CuDnn::Status status = CuDnn::Success;
  auto tensor = [&](Owned<CuDnn::Tensor> &out, const std::vector<int64_t> &to) {
    out = Owned<CuDnn::Tensor>(dnn.tensorDestroy);
    if (status == CuDnn::Success)
      status = dnn.tensorCreate(out.out());
    if (status == CuDnn::Success)
      status = dnn.tensorSet(out.get(), CuDnn::ChannelsLast, type(),
                             static_cast<int>(to[0]), static_cast<int>(to[1]),
                             static_cast<int>(to[2]), static_cast<int>(to[3]));
  };
  const std::vector<int64_t> &result = operands.back().dims;
  tensor(plan.input, operands[0].dims);
  tensor(plan.result, result);
  if (epilogue.hasBias)
    tensor(plan.bias, {1, result[1], 1, 1});
  const std::vector<int64_t> &weight = operands[1].dims;
  plan.weight = Owned<CuDnn::Filter>(dnn.filterDestroy);
  if (status == CuDnn::Success)
    status = dnn.filterCreate(plan.weight.out());
  if (status == CuDnn::Success)
    status =
        dnn.filterSet(plan.weight.get(), type(), CuDnn::ChannelsLast,
                      static_cast<int>(weight[0]), static_cast<int>(weight[1]),
                      static_cast<int>(weight[2]), static_cast<int>(weight[3]));
  if (Status checked = check(status, "an operand's layout is refused");
      !checked)
    return checked;

  plan.convolution = Owned<CuDnn::Convolution>(dnn.convolutionDestroy);
  status = dnn.convolutionCreate(plan.convolution.out());
  auto integer = [](const int64_t *from, int i) {
    return static_cast<int>(from[i]);
  };
  if (status == CuDnn::Success)
    status = dnn.convolutionSet(
        plan.convolution.get(), integer(conv.pads_begin, 0),
        integer(conv.pads_begin, 1), integer(conv.strides, 0),
        integer(conv.strides, 1), integer(conv.dilations, 0),
        integer(conv.dilations, 1), CuDnn::CrossCorrelation, CuDnn::Float);
  if (status == CuDnn::Success)
    status = dnn.convolutionSetGroups(plan.convolution.get(),
                                      static_cast<int>(conv.groups));
  if (status == CuDnn::Success)
    status = dnn.convolutionSetMath(plan.convolution.get(), math());
  if (epilogue.hasBias) {
    plan.activation = Owned<CuDnn::Activation>(dnn.activationDestroy);
    if (status == CuDnn::Success)
      status = dnn.activationCreate(plan.activation.out());
    if (status == CuDnn::Success)
      status = dnn.activationSet(plan.activation.get(),
                                 epilogue.activation >= 0 ? CuDnn::Relu
                                                          : CuDnn::Identity,
                                 CuDnn::KeepNan, 0);
  }
  return check(status, "the convolution is refused");
}

Status ConvolutionCall::chooseAlgorithm(ConvolutionPlan &plan) {
  AlgorithmWishes wishes;
  wishes.math = math();
  // Winograd rounds transformed factors to the factors' type, and supports one
  // group only.
  wishes.allowsWinograd = type() == CuDnn::Float && conv.groups == 1;
  wishes.isBiasAlone = epilogue.hasBias && epilogue.activation < 0;
  bool found = false;
  if (Status status = check(findAlgorithm(dnn, wishes, plan, found),
                            "no algorithm can be found");
      !status)
    return status;
  if (!found)
    return fail(concat("cuDNN has no deterministic algorithm for this "
                       "convolution within ",
                       libraryWorkspaceBytes,
                       " bytes of workspace; compile with --without=cudnn"));
  // Without an activation, only ImplicitPrecompGemm computes a bias in the same
  // call.
  if (!epilogue.hasBias ||
      (wishes.isBiasAlone && plan.algorithm != CuDnn::ImplicitPrecompGemm))
    plan.epilogue = ConvolutionPlan::Apart;
  plan.implementation = concat("algorithm ", plan.algorithm);
  return Status::success();
}

static const float one = 1, zero = 0;

static void *at(DeviceAddress address) {
  return reinterpret_cast<void *>(address);
}

CuDnn::Status ConvolutionCall::runFused(ConvolutionPlan &plan,
                                        const DeviceAddress *buffers,
                                        void *workspace) {
  void *result = at(buffers[call.num_operands - 1]);
  bool adds = epilogue.residual >= 0;
  return dnn.convolveFused(
      dnn.handle, &one, plan.input.get(), at(buffers[0]), plan.weight.get(),
      at(buffers[1]), plan.convolution.get(), plan.algorithm, workspace,
      plan.workspaceBytes, adds ? &one : &zero, plan.result.get(),
      adds ? at(buffers[epilogue.residual]) : result, plan.bias.get(),
      at(buffers[2]), plan.activation.get(), plan.result.get(), result);
}

Status ConvolutionCall::runApart(ConvolutionPlan &plan,
                                 const DeviceAddress *buffers,
                                 void *workspace) {
  void *result = at(buffers[call.num_operands - 1]);
  if (Status status = check(
          dnn.convolve(dnn.handle, &one, plan.input.get(), at(buffers[0]),
                       plan.weight.get(), at(buffers[1]),
                       plan.convolution.get(), plan.algorithm, workspace,
                       plan.workspaceBytes, &zero, plan.result.get(), result),
          "it can't be run");
      !status)
    return status;
  auto add = [&](const Owned<CuDnn::Tensor> &layout, int32_t operand) {
    return dnn.addTensor(dnn.handle, &one, layout.get(), at(buffers[operand]),
                         &one, plan.result.get(), result);
  };
  if (epilogue.hasBias)
    if (Status status = check(add(plan.bias, 2), "its bias can't be added");
        !status)
      return status;
  if (epilogue.residual >= 0)
    if (Status status = check(add(plan.result, epilogue.residual),
                              "the residual can't be added");
        !status)
      return status;
  if (epilogue.activation < 0)
    return Status::success();
  return check(dnn.activate(dnn.handle, plan.activation.get(), &one,
                            plan.result.get(), result, &zero, plan.result.get(),
                            result),
               "its relu can't be computed");
}

Status ConvolutionCall::run(Stream, const DeviceAddress *buffers,
                            DeviceAddress workspace) {
  ConvolutionPlan &plan = *selected;
  if (plan.isEmpty)
    return Status::success();
  if (plan.epilogue != ConvolutionPlan::Apart) {
    CuDnn::Status status = runFused(plan, buffers, at(workspace));
    if (status == CuDnn::Success)
      plan.epilogue = ConvolutionPlan::Fused;
    if (plan.epilogue == ConvolutionPlan::Fused)
      return check(status, "it can't be run");
    // This is the first call, which is never captured. Versions differ in which
    // calls they refuse (such as relu that keeps NaN, which ours must do) and
    // in how they report it; only a lost device is a different failure.
    if (Status alive =
            libraries.device().wait(concat("step '", step.name, "' failed"));
        !alive)
      return alive;
  }
  Status status = runApart(plan, buffers, at(workspace));
  // If both variants fail, the fused call is tried again later: this failure
  // says nothing about it.
  if (status)
    plan.epilogue = ConvolutionPlan::Apart;
  return status;
}

Expected<std::unique_ptr<LibraryCall>>
makeConvolutionCall(const tenon_step &step, Libraries &libraries) {
  Expected<CallEpilogue> epilogue = readEpilogue(step, /*gelu=*/false);
  if (!epilogue)
    return epilogue.takeError();
  const tenon_call &call = *step.call;
  if (!epilogue->hasBias &&
      (epilogue->residual >= 0 || epilogue->activation >= 0))
    return makeError("step '", step.name,
                     "': its library does not support this epilogue");
  const auto &conv = getFields<tenon_convolution>(call);
  if (conv.num_spatial != 2 || conv.pads_begin[0] != conv.pads_end[0] ||
      conv.pads_begin[1] != conv.pads_end[1])
    return makeError(
        "step '", step.name,
        "': expected two spatial axes with equal pads on both sides");
  Expected<const CuDnn *> dnn = libraries.cuDnn();
  if (!dnn)
    return dnn.takeError();
  return std::unique_ptr<LibraryCall>(
      std::make_unique<ConvolutionCall>(step, libraries, **dnn, *epilogue));
}

} // namespace tenon::runtime::cuda
