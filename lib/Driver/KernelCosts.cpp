//===- KernelCosts.cpp - what ops cost in measured kernels ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/KernelCosts.h"
#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/Driver/CompileModule.h"
#include "tenon/Driver/PlacedScore.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using parallelize::MeasuredKernel;

llvm::Expected<KernelCosts> KernelCosts::read(const std::string &file,
                                              cost::DeviceProfile profile) {
  llvm::Expected<cost::CostDatabase> database = cost::CostDatabase::read(file);
  if (!database)
    return database.takeError();
  const std::string &target = database->getDevice().target;
  if (StringRef(target).starts_with("cuda") != (profile.device == Device::Cuda))
    return llvm::createStringError("'" + file + "': it is of the device " +
                                   target + ", but the cluster has '" +
                                   profile.name + "'");
  return KernelCosts(file, std::move(*database), std::move(profile));
}

/// Begins the names of ops, beside which there are those of the model.
static constexpr StringRef kPlace = "op of the model: ";

/// Names the ops of a copy by their places, which passes keep.
static void nameOps(func::FuncOp function) {
  for (auto [number, op] : llvm::enumerate(function.front()))
    op.setLoc(NameLoc::get(
        StringAttr::get(function.getContext(), kPlace + Twine(number))));
}

using Numbers = llvm::SmallSetVector<unsigned, 8>;

/// The places of the ops in a kernel.
static Numbers getNumbers(kernel::CallOp call) {
  Numbers numbers;
  for (Operation &op : call.getBodyBlock().without_terminator())
    op.getLoc()->walk([&](Location location) {
      unsigned number = 0;
      if (auto name = dyn_cast<NameLoc>(location)) {
        StringRef text = name.getName();
        if (text.consume_front(kPlace) && !text.getAsInteger(10, number))
          numbers.insert(number);
      }
      return WalkResult::advance();
    });
  return numbers;
}

/// A kernel that changes a layout, and is computed for no op, belongs to those
/// that read its results; or else to those that compute its operands.
static Numbers getNumbersOrNear(kernel::CallOp call) {
  Numbers numbers = getNumbers(call);
  auto visit = [&](Operation *other) {
    if (auto near = dyn_cast_or_null<kernel::CallOp>(other); near)
      for (unsigned number : getNumbers(near))
        numbers.insert(number);
  };
  if (numbers.empty())
    llvm::for_each(call->getUsers(), visit);
  if (numbers.empty())
    for (Value operand : call.getInputs())
      visit(operand.getDefiningOp());
  return numbers;
}

FailureOr<std::vector<MeasuredKernel>>
KernelCosts::measure(func::FuncOp model, const cost::Sizes &sizes) {
  auto module = model->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> copy(module.clone());
  nameOps(copy->lookupSymbol<func::FuncOp>(model.getName()));
  if (failed(graph::bindSymbols(*copy, {sizes.begin(), sizes.end()})))
    return failure();
  CompileOptions options;
  options.target.targets = database.getDevice().target;
  options.costs = file;
  options.optimizes = false;
  options.quietPlace = true;
  options.stopAfter = CompilePhase::Place;
  FailureOr<CompiledModule> compiled = compileModule(std::move(copy), options);
  if (failed(compiled))
    return failure();

  std::vector<Operation *> ops;
  for (Operation &op : model.front())
    ops.push_back(&op);
  cost::CostModel costs(profile, &database, sizes);
  std::vector<MeasuredKernel> result;
  auto placed = compiled->module->lookupSymbol<func::FuncOp>(model.getName());
  for (const PlacedKernel &kernel : listKernels(placed, costs)) {
    if (kernels.insert(cost::getKernelKey(kernel.call, sizes)).second) {
      measured += kernel.cost.measured;
      scaled += kernel.cost.scaled;
    }
    result.push_back({{}, kernel.cost.seconds});
    for (unsigned number : getNumbersOrNear(kernel.call))
      result.back().ops.push_back(ops[number]);
  }
  return std::move(result);
}
