//===- GpuTables.cpp - images and launches as constants -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuTables.h"
#include "tenon/Artifact/Program.h"

#include "llvm/IR/Constants.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::program;
using llvm::Constant;

Constant *tenon::emit::addLaunch(TableBuilder &tables, LaunchOp step) {
  Constant *launch = StructBuilder(tables, sizeof(tenon_gpu_launch))
                         .add(TENON_FIELD(tenon_gpu_launch, kernel),
                              tables.text(step.getKernel().getLeafReference()))
                         .add(TENON_FIELD(tenon_gpu_launch, block_threads),
                              tables.int32(step.getBlock().value_or(0)))
                         .add(TENON_FIELD(tenon_gpu_launch, shared_bytes),
                              tables.int32(step.getShared().value_or(0)))
                         .finish();
  return tables.array("launch", launch, alignof(tenon_gpu_launch));
}

Constant *tenon::emit::addImages(TableBuilder &tables,
                                 llvm::ArrayRef<ImageAttr> images) {
  llvm::SmallVector<Constant *> elements;
  for (ImageAttr image : images) {
    std::string bytes = image.getData().str();
    if (image.getIsPtx())
      bytes.push_back('\0'); // the driver takes PTX as a C string
    elements.push_back(
        StructBuilder(tables, sizeof(tenon_gpu_image))
            .add(TENON_FIELD(tenon_gpu_image, arch),
                 tables.text(image.getArch()))
            .add(TENON_FIELD(tenon_gpu_image, kind),
                 tables.int32(image.getIsPtx() ? TENON_IMAGE_PTX
                                               : TENON_IMAGE_CUBIN))
            .add(TENON_FIELD(tenon_gpu_image, data), tables.data(bytes))
            .add(TENON_FIELD(tenon_gpu_image, bytes),
                 tables.int64(image.getData().size()))
            .finish());
  }
  return tables.array("images", elements, alignof(tenon_gpu_image));
}
