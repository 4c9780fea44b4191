//===- Backend.cpp - the backends of a context ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Backend/Backend.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::backend;

Backend::~Backend() = default;

StringRef tenon::backend::getGeneratedCode(Device device) {
  return device == Device::Cpu ? kernel::kCpuBackend : kernel::kCudaBackend;
}

namespace {
/// Gives the cost model what the registered backends know about their kernels.
class RegisteredWork : public cost::KernelWork {
public:
  explicit RegisteredWork(Dialect *dialect) : KernelWork(dialect) {}

  void adjust(kernel::CallOp call, const cost::SizeValues &sizes,
              cost::Work &work) const override {
    const auto *registry =
        getDialect()->getRegisteredInterface<BackendRegistry>();
    if (const Backend *backend = registry->lookup(call.getBackend()))
      backend->adjustWork(call, sizes, work);
  }

  void visitAlgorithms(
      Operation *product, Device device, const cost::SizeValues &sizes,
      const cost::Work &plain,
      llvm::function_ref<void(const cost::Work &)> use) const override {
    const auto *registry =
        getDialect()->getRegisteredInterface<BackendRegistry>();
    for (const std::unique_ptr<Backend> &backend : registry->getBackends()) {
      cost::Work work = plain;
      if (backend->getDevice() == device &&
          backend->adjustWork(product, sizes, work))
        use(work);
    }
  }
};
} // namespace

BackendRegistry &BackendRegistry::get(MLIRContext *context) {
  auto *dialect = context->getOrLoadDialect<kernel::KernelDialect>();
  if (!dialect->getRegisteredInterface<BackendRegistry>()) {
    dialect->addInterface<BackendRegistry>();
    dialect->addInterface<RegisteredWork>();
  }
  // Dialects return their interfaces as const, but this one is a mutable list
  // that its context owns.
  return const_cast<BackendRegistry &>(
      *dialect->getRegisteredInterface<BackendRegistry>());
}

llvm::Error BackendRegistry::add(std::unique_ptr<Backend> backend) {
  if (kernel::isGeneratedCode(backend->getName()) || lookup(backend->getName()))
    return llvm::createStringError("there are two backends named '" +
                                   backend->getName() + "'");
  backends.push_back(std::move(backend));
  return llvm::Error::success();
}

const Backend *BackendRegistry::lookup(StringRef name) const {
  for (const std::unique_ptr<Backend> &backend : backends)
    if (backend->getName() == name)
      return backend.get();
  return nullptr;
}

std::optional<Device> BackendRegistry::getDevice(StringRef name) const {
  for (Device device : {Device::Cpu, Device::Cuda})
    if (name == getGeneratedCode(device))
      return device;
  const Backend *backend = lookup(name);
  return backend ? std::optional(backend->getDevice()) : std::nullopt;
}

std::string BackendRegistry::getNames(Device device) const {
  std::string names = getGeneratedCode(device).str();
  for (const std::unique_ptr<Backend> &backend : backends)
    if (backend->getDevice() == device)
      names += ", " + backend->getName().str();
  return names;
}
