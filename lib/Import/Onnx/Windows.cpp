//===- Windows.cpp - windows of convolutions and pools --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using graph::SymInt;

FailureOr<SmallVector<int64_t>>
tenon::onnx::spatialAttr(NodeContext &n, StringRef name, size_t count,
                         int64_t otherwise, int64_t least) {
  auto values = n.intsAttr(name);
  if (!values)
    return SmallVector<int64_t>(count, otherwise);
  if (values->size() != count)
    return n.fail(name + " has " + Twine(values->size()) +
                  " entries; expected " + Twine(count));
  for (int64_t value : *values)
    if (value < least || value > INT32_MAX)
      return n.fail(name + " has entry " + Twine(value) + "; expected " +
                    Twine(least) + " to " + Twine(INT32_MAX));
  return *values;
}

/// Computes pads for auto_pad = SAME_*: the output has ceil(size / stride)
/// elements.
static void padSame(bool upper, ArrayRef<SymInt> spatial, Windows &windows) {
  size_t count = spatial.size();
  for (size_t i = 0; i < count; ++i) {
    int64_t reach = (windows.kernel[i] - 1) * windows.dilations[i] + 1;
    SymInt stride(windows.strides[i]);
    SymInt total =
        SymInt::max((spatial[i].ceilDiv(stride) - SymInt(1)) * stride +
                        SymInt(reach) - spatial[i],
                    SymInt(0));
    SymInt half = total.floorDiv(SymInt(2));
    windows.pads[i] = upper ? half : total - half;
    windows.pads[count + i] = total - windows.pads[i];
  }
}

FailureOr<Windows> tenon::onnx::readWindows(NodeContext &n,
                                            ArrayRef<int64_t> kernel,
                                            ArrayRef<SymInt> spatial) {
  size_t count = spatial.size();
  if (count < 1 || count > 3)
    return n.fail("the input has " + Twine(count) +
                  " spatial axes; expected 1 to 3");
  if (kernel.size() != count)
    return n.fail("the kernel has " + Twine(kernel.size()) +
                  " axes; expected " + Twine(count));
  for (int64_t size : kernel)
    if (size < 1 || size > INT32_MAX)
      return n.fail("the kernel has size " + Twine(size) +
                    "; expected at least 1");
  auto strides = spatialAttr(n, "strides", count, 1, 1);
  auto dilations = spatialAttr(n, "dilations", count, 1, 1);
  auto pads = spatialAttr(n, "pads", 2 * count, 0, INT32_MIN);
  if (failed(strides) || failed(dilations) || failed(pads))
    return failure();
  Windows windows{SmallVector<int64_t>(kernel), *strides, *dilations,
                  graph::Shape(pads->begin(), pads->end())};
  for (size_t i = 0; i < count; ++i)
    if ((kernel[i] - 1) * (*dilations)[i] > INT32_MAX)
      return n.fail("the dilated kernel is too large");

  StringRef mode = n.stringAttr("auto_pad", "NOTSET");
  if (mode == "NOTSET" || mode.empty())
    return windows;
  windows.pads.assign(2 * count, SymInt(0));
  if (mode == "VALID")
    return windows;
  if (mode != "SAME_UPPER" && mode != "SAME_LOWER")
    return n.fail("auto_pad is '" + mode +
                  "'; expected NOTSET, VALID, SAME_UPPER or SAME_LOWER");
  padSame(mode == "SAME_UPPER", spatial, windows);
  return windows;
}
