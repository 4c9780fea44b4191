//===- SharedStatistics.cpp - statistics of batch norms -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters write initializers with equal elements once. New batch norms have
// equal statistics, so that they would share them, and training would move one
// state by the batches of all. Each norm gets statistics of its own here.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "GraphImporter.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using graph::BatchNormOp;
using graph::ParameterOp;

ImportedValue *GraphImporter::findUnmerged(ImportedValue *value,
                                           StringRef name) {
  // Inside of functions, names are those of formal inputs.
  if (depth > 0 || model.producer_name() != "pytorch" || !value ||
      !value->isInitializer || !value->constant ||
      value->constant->name == name || isExportersName(name))
    return value;
  ImportedValue *&unmerged = unmergedValues[name];
  if (!unmerged) {
    values.emplace_back(name.str(), value->loc);
    unmerged = &values.back();
    OnnxTensor tensor = *value->constant;
    tensor.name = name;
    unmerged->constant = own(std::move(tensor));
    unmerged->isInitializer = true;
  }
  return unmerged;
}

namespace {
/// A key that norms share if they are one module that the model calls several
/// times, and whether the statistic is the variance.
using Owner = std::pair<std::pair<void *, void *>, unsigned>;
using Uses = SmallVector<OpOperand *>;
/// In the order of the norms.
using UsesByOwner = llvm::MapVector<Owner, Uses>;
} // namespace

static ParameterOp getScale(BatchNormOp norm) {
  auto scale = norm.getScale().getDefiningOp<ParameterOp>();
  return scale && !isExportersName(scale.getName()) ? scale : ParameterOp();
}

/// Modules have a scale and a bias of their own. Without these, statistics that
/// have not changed yet say nothing.
static Owner getOwner(BatchNormOp norm, bool isVariance, bool isUniform) {
  if (getScale(norm))
    return {{norm.getScale().getAsOpaquePointer(),
             norm.getBias().getAsOpaquePointer()},
            isVariance};
  return {{isUniform ? norm.getOperation() : nullptr, nullptr}, isVariance};
}

/// The name that PyTorch gives the statistic beside the scale; empty if the
/// model's names are others.
static std::string getModuleName(ParameterOp statistic, OpOperand &use) {
  auto norm = cast<BatchNormOp>(use.getOwner());
  StringRef last =
      &use == &norm.getVarianceMutable() ? "running_var" : "running_mean";
  ParameterOp scale = getScale(norm);
  if (!scale || statistic.getName().rsplit('.').second != last)
    return "";
  auto [module, kind] = scale.getName().rsplit('.');
  return kind == "weight" ? (module + "." + last).str() : "";
}

void GraphImporter::separateStatistics() {
  llvm::StringMap<const OnnxTensor *> tensors;
  for (const OnnxTensor *tensor : params)
    tensors[tensor->name] = tensor;
  llvm::MapVector<ParameterOp, UsesByOwner> shared;
  for (auto norm : function.getOps<BatchNormOp>())
    for (OpOperand *use : {&norm.getMeanMutable(), &norm.getVarianceMutable()})
      if (auto statistic = use->get().getDefiningOp<ParameterOp>();
          statistic && llvm::all_of(statistic->getUses(), isStatistic))
        shared[statistic][getOwner(norm, use == &norm.getVarianceMutable(),
                                   isUniform(*tensors.at(statistic.getName())))]
            .push_back(use);
  for (auto &entry : shared) {
    ParameterOp statistic = entry.first;
    UsesByOwner &owners = entry.second;
    // One owner keeps the parameter: that of its name, or else the first.
    auto isNamed = [&](const auto &entry) {
      return getModuleName(statistic, *entry.second.front()) ==
             statistic.getName();
    };
    auto keeper = llvm::find_if(owners, isNamed);
    if (keeper == owners.end())
      keeper = owners.begin();
    builder.setInsertionPointAfter(statistic);
    for (auto entry = owners.begin(); entry != owners.end(); ++entry) {
      if (entry == keeper)
        continue;
      std::string name = getModuleName(statistic, *entry->second.front());
      OnnxTensor tensor = *tensors.at(statistic.getName());
      tensor.name =
          makeParamName(name.empty() ? statistic.getName() : StringRef(name));
      auto own = cast<ParameterOp>(builder.clone(*statistic));
      own.setName(tensor.name);
      params.push_back(this->own(std::move(tensor)));
      for (OpOperand *use : entry->second)
        use->set(own);
    }
  }
}
