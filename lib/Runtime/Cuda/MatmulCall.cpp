//===- MatmulCall.cpp - matrix products by cuBLASLt -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLASLt stores matrices by columns, so it sees a row-major matrix as
// transposed. The transposed result is the product of the transposed operands
// in reverse order: its A is our rhs, its rows are our columns, and a bias
// along our columns is a bias along its rows.
//
//===----------------------------------------------------------------------===//

#include "PlannedCall.h"

#include "tenon/Artifact/StridedProduct.h"

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

using Matrix = StridedMatrix<int64_t>;

/// The alignment of all tensors of a model.
static constexpr uint32_t alignment = 16;

namespace {
struct MatmulPlan {
  bool isEmpty = false;
  int64_t zeroedBytes = 0; // not 0: all sums are empty
  Owned<CublasLt::Product> product;
  Owned<CublasLt::Layout> a, b, d;
  CublasLt::Algorithm algorithm;
  std::string implementation;
};

class MatmulCall : public PlannedCall<MatmulPlan> {
public:
  MatmulCall(const tenon_step &step, Libraries &libraries, const CublasLt &lt,
             CallEpilogue epilogue)
      : PlannedCall(step, libraries), lt(lt), epilogue(epilogue) {}

  Status run(Stream stream, const DeviceAddress *buffers,
             DeviceAddress workspace) override;
  const char *library() const override { return "cublaslt"; }

private:
  Status makePlan(MatmulPlan &plan,
                  std::vector<CallOperand> &operands) override;
  Status setProduct(MatmulPlan &plan, const Matrix &lhs, const Matrix &rhs);
  Status makeLayout(Owned<CublasLt::Layout> &layout, const Matrix &matrix,
                    int64_t batches);
  Status findAlgorithm(MatmulPlan &plan);

  Status check(CublasLt::Status status, const char *what) const {
    if (status != CublasLt::Success)
      return fail(concat("cuBLASLt: ", what, ": ", lt.describe(status)));
    return Status::success();
  }
  template <typename T>
  Status set(CublasLt::Product product, int attribute, T value) const {
    return check(lt.productSet(product, attribute, &value, sizeof value),
                 "the product can't be described");
  }
  int type() const {
    tenon_dtype dtype = call.operands[0].dtype;
    return dtype.bits == 32               ? CublasLt::Float
           : dtype.code == TENON_DL_FLOAT ? CublasLt::Half
                                          : CublasLt::BFloat;
  }

  const CublasLt &lt;
  CallEpilogue epilogue;
};
} // namespace

static StridedTensor<int64_t> toTensor(const CallOperand &operand) {
  StridedTensor<int64_t> tensor;
  tensor.sizes = operand.dims;
  tensor.strides = operand.strides;
  return tensor;
}

Status MatmulCall::makePlan(MatmulPlan &plan,
                            std::vector<CallOperand> &operands) {
  const CallOperand &lhs = operands[0], &result = operands.back();
  if (result.isEmpty()) {
    plan.isEmpty = true;
    return Status::success();
  }
  if (lhs.dims.empty() || lhs.dims.back() == 0) {
    if (epilogue.hasBias || epilogue.residual >= 0)
      return fail("an empty sum can't have a bias or a residual");
    plan.zeroedBytes = type() == CublasLt::Float ? 4 : 2;
    for (int64_t size : result.dims)
      plan.zeroedBytes *= size;
    return Status::success();
  }
  auto product =
      describeProduct(toTensor(lhs), toTensor(operands[1]), toTensor(result));
  if (!product)
    return fail("expected operands whose batches have one constant stride");
  if (epilogue.hasBias &&
      operands[2].dims != std::vector<int64_t>{result.dims.back()})
    return fail("expected a bias with an element for each column");
  if (epilogue.residual >= 0 &&
      (operands[epilogue.residual].dims != result.dims ||
       operands[epilogue.residual].strides != result.strides))
    return fail("expected the added tensor to have the result's layout");
  if (Status status = makeLayout(plan.a, product->rhs, product->batches);
      !status)
    return status;
  if (Status status = makeLayout(plan.b, product->lhs, product->batches);
      !status)
    return status;
  if (Status status = makeLayout(plan.d, product->result, product->batches);
      !status)
    return status;
  if (Status status = setProduct(plan, product->lhs, product->rhs); !status)
    return status;
  if (Status status = findAlgorithm(plan); !status)
    return status;
  int32_t number = -1;
  size_t written = 0;
  lt.algorithmGet(&plan.algorithm, CublasLt::AlgorithmId, &number,
                  sizeof number, &written);
  plan.implementation = concat("algorithm ", number);
  return Status::success();
}

Status MatmulCall::makeLayout(Owned<CublasLt::Layout> &layout,
                              const Matrix &matrix, int64_t batches) {
  // In column-major order, rows become columns.
  uint64_t rows = static_cast<uint64_t>(matrix.columns);
  uint64_t columns = static_cast<uint64_t>(matrix.rows);
  if (matrix.isTransposed)
    std::swap(rows, columns);
  layout = Owned<CublasLt::Layout>(lt.layoutDestroy);
  const char *what = "the layout of an operand is refused";
  if (Status status = check(
          lt.layoutCreate(layout.out(), type(), rows, columns, matrix.leading),
          what);
      !status)
    return status;
  if (batches == 1)
    return Status::success();
  if (batches > INT32_MAX)
    return fail(concat("expected at most ", INT32_MAX,
                       " products at once, but got ", batches));
  int32_t count = static_cast<int32_t>(batches);
  if (Status status = check(lt.layoutSet(layout.get(), CublasLt::BatchCount,
                                         &count, sizeof count),
                            what);
      !status)
    return status;
  return check(lt.layoutSet(layout.get(), CublasLt::BatchStride,
                            &matrix.batchStride, sizeof matrix.batchStride),
               what);
}

Status MatmulCall::setProduct(MatmulPlan &plan, const Matrix &lhs,
                              const Matrix &rhs) {
  // Sums are computed in f32; factors of f32 are rounded only if the model asks
  // for tf32.
  int compute = type() == CublasLt::Float && getFields<tenon_matmul>(call).tf32
                    ? CublasLt::ComputeTf32
                    : CublasLt::Compute32;
  plan.product = Owned<CublasLt::Product>(lt.productDestroy);
  if (Status status =
          check(lt.productCreate(plan.product.out(), compute, CublasLt::Float),
                "the product can't be described");
      !status)
    return status;
  auto how = [](const Matrix &matrix) -> int32_t {
    return matrix.isTransposed ? CublasLt::Transposed : CublasLt::AsItIs;
  };
  if (Status status = set(plan.product.get(), CublasLt::TransposeA, how(rhs));
      !status)
    return status;
  if (Status status = set(plan.product.get(), CublasLt::TransposeB, how(lhs));
      !status)
    return status;
  uint32_t what = epilogue.activation == TENON_POST_OP_RELU ? CublasLt::Relu
                  : epilogue.activation == TENON_POST_OP_GELU_TANH
                      ? CublasLt::GeluTanh
                      : 0u;
  if (epilogue.hasBias)
    what |= CublasLt::Bias;
  if (what == 0)
    what = CublasLt::NoEpilogue;
  return set(plan.product.get(), CublasLt::EpilogueOf, what);
}

/// Selects the first algorithm that the library offers. Nothing is measured, so
/// that every load selects the same one.
Status MatmulCall::findAlgorithm(MatmulPlan &plan) {
  Owned<CublasLt::Preference> preference(lt.preferenceDestroy);
  CublasLt::Status status = lt.preferenceCreate(preference.out());
  auto prefer = [&](int attribute, auto value) {
    if (status == CublasLt::Success)
      status =
          lt.preferenceSet(preference.get(), attribute, &value, sizeof value);
  };
  prefer(CublasLt::MaxWorkspaceBytes, uint64_t(libraryWorkspaceBytes));
  // Partial sums are never rounded to f16 or bf16.
  prefer(CublasLt::ReductionSchemes, uint32_t(CublasLt::ReduceInComputeType));
  for (int operand : {CublasLt::AlignmentA, CublasLt::AlignmentB,
                      CublasLt::AlignmentC, CublasLt::AlignmentD})
    prefer(operand, alignment);
  if (Status checked = check(status, "preferences can't be set"); !checked)
    return checked;
  // The library checks only the alignment of this address.
  if (epilogue.hasBias)
    if (Status done = set(plan.product.get(), CublasLt::BiasPointer,
                          reinterpret_cast<const void *>(uintptr_t{alignment}));
        !done)
      return done;
  CublasLt::Found found = {};
  int count = 0;
  status = lt.findAlgorithm(lt.handle, plan.product.get(), plan.a.get(),
                            plan.b.get(), plan.d.get(), plan.d.get(),
                            preference.get(), 1, &found, &count);
  if (status == CublasLt::NotSupported ||
      (status == CublasLt::Success &&
       (count < 1 || found.state == CublasLt::NotSupported)))
    return fail(concat("cuBLASLt has no algorithm for this product within ",
                       libraryWorkspaceBytes,
                       " bytes of workspace; compile with --without=cublaslt"));
  if (Status checked = check(status, "no algorithm can be found"); !checked)
    return checked;
  if (Status checked = check(found.state, "no algorithm can be found");
      !checked)
    return checked;
  plan.algorithm = found.algorithm;
  return Status::success();
}

Status MatmulCall::run(Stream stream, const DeviceAddress *buffers,
                       DeviceAddress workspace) {
  MatmulPlan &plan = *selected;
  if (plan.isEmpty)
    return Status::success();
  DeviceAddress result = buffers[call.num_operands - 1];
  Device &device = libraries.device();
  if (plan.zeroedBytes > 0) {
    if (Result code = device.driver().memset(
            result, 0, static_cast<size_t>(plan.zeroedBytes), stream);
        code != cuda::Success)
      return device.fail(code, concat("step '", step.name, "' can't be run"));
    return Status::success();
  }
  auto at = [](DeviceAddress address) {
    return reinterpret_cast<void *>(address);
  };
  if (epilogue.hasBias)
    if (Status status = set(plan.product.get(), CublasLt::BiasPointer,
                            static_cast<const void *>(at(buffers[2])));
        !status)
      return status;
  const float one = 1, zero = 0;
  bool adds = epilogue.residual >= 0;
  return check(
      lt.matmul(lt.handle, plan.product.get(), &one, at(buffers[1]),
                plan.a.get(), at(buffers[0]), plan.b.get(), adds ? &one : &zero,
                at(adds ? buffers[epilogue.residual] : result), plan.d.get(),
                at(result), plan.d.get(), &plan.algorithm, at(workspace),
                static_cast<size_t>(libraryWorkspaceBytes), stream),
      "it can't be run");
}

Expected<std::unique_ptr<LibraryCall>> makeMatmulCall(const tenon_step &step,
                                                      Libraries &libraries) {
  Expected<CallEpilogue> epilogue = readEpilogue(step, /*gelu=*/true);
  if (!epilogue)
    return epilogue.takeError();
  Expected<const CublasLt *> lt = libraries.cublasLt();
  if (!lt)
    return lt.takeError();
  return std::unique_ptr<LibraryCall>(
      std::make_unique<MatmulCall>(step, libraries, **lt, *epilogue));
}

} // namespace tenon::runtime::cuda
