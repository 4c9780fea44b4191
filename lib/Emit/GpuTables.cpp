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
using namespace tenon::lower;
using llvm::Constant;

Constant *tenon::emit::addLaunch(TableBuilder &tables, const Step &step) {
  if (step.kind != StepKind::Kernel)
    return tables.null();
  Constant *launch =
      StructBuilder(tables, sizeof(tenon_gpu_launch))
          .add(TENON_FIELD(tenon_gpu_launch, kernel), tables.text(step.kernel))
          .add(TENON_FIELD(tenon_gpu_launch, block_threads),
               tables.int32(step.blockThreads))
          .add(TENON_FIELD(tenon_gpu_launch, shared_bytes),
               tables.int32(step.sharedBytes))
          .finish();
  return tables.array("launch", launch, alignof(tenon_gpu_launch));
}

Constant *tenon::emit::addImages(TableBuilder &tables,
                                 llvm::ArrayRef<GpuImage> images) {
  llvm::SmallVector<Constant *> elements;
  for (const GpuImage &image : images) {
    std::string bytes = image.bytes;
    if (image.isPtx)
      bytes.push_back('\0'); // the driver takes PTX as a C text
    elements.push_back(
        StructBuilder(tables, sizeof(tenon_gpu_image))
            .add(TENON_FIELD(tenon_gpu_image, arch), tables.text(image.arch))
            .add(
                TENON_FIELD(tenon_gpu_image, kind),
                tables.int32(image.isPtx ? TENON_IMAGE_PTX : TENON_IMAGE_CUBIN))
            .add(TENON_FIELD(tenon_gpu_image, data), tables.data(bytes))
            .add(TENON_FIELD(tenon_gpu_image, bytes),
                 tables.int64(image.bytes.size()))
            .finish());
  }
  return tables.array("images", elements, alignof(tenon_gpu_image));
}
