//===- Image.cpp - selecting the images for a device ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Image.h"

#include "tenon/Artifact/Status.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tenon::runtime::cuda {

std::optional<Architecture> parseArchitecture(const char *text) {
  if (!text)
    return std::nullopt;
  std::string_view rest = text;
  for (std::string_view prefix : {"sm_", "compute_"})
    if (rest.substr(0, prefix.size()) == prefix) {
      rest.remove_prefix(prefix.size());
      int number = 0;
      auto [end, code] =
          std::from_chars(rest.data(), rest.data() + rest.size(), number);
      rest.remove_prefix(static_cast<size_t>(end - rest.data()));
      if (code != std::errc() || number < 10 || rest.size() > 1 ||
          (rest.size() == 1 && rest[0] != 'a' && rest[0] != 'f'))
        return std::nullopt;
      return Architecture{number / 10, number % 10,
                          rest.empty() ? '\0' : rest[0]};
    }
  return std::nullopt;
}

/// Returns how well an image suits a device; 0: not at all.
static int rate(const tenon_gpu_image &image, int major, int minor) {
  std::optional<Architecture> arch = parseArchitecture(image.arch);
  if (!arch)
    return 0;
  bool isExact = arch->major == major && arch->minor == minor;
  bool isOfMajor = arch->major == major && arch->minor <= minor;
  bool isEarlier = arch->major < major || isOfMajor;
  bool isPtx = image.kind == TENON_IMAGE_PTX;
  bool suits = arch->suffix == 'a'             ? isExact
               : arch->suffix == 'f' || !isPtx ? isOfMajor
                                               : isEarlier;
  if (!suits)
    return 0;
  int order =
      4 * (10 * arch->major + arch->minor) + (arch->suffix == 'a'   ? 2
                                              : arch->suffix == 'f' ? 1
                                                                    : 0);
  return order + (isPtx ? 0 : 100000);
}

std::vector<const tenon_gpu_image *> rankImages(const tenon_program &program,
                                                int major, int minor) {
  std::vector<const tenon_gpu_image *> ranked;
  for (int32_t i = 0; i < program.num_images; ++i)
    if (rate(program.images[i], major, minor) > 0)
      ranked.push_back(&program.images[i]);
  std::sort(ranked.begin(), ranked.end(), [&](const auto *a, const auto *b) {
    int ofA = rate(*a, major, minor), ofB = rate(*b, major, minor);
    return ofA != ofB ? ofA > ofB : a < b;
  });
  return ranked;
}

std::string describeImage(const tenon_gpu_image &image) {
  return artifact::concat(image.kind == TENON_IMAGE_PTX ? "PTX"
                                                        : "machine code",
                          " for ", image.arch);
}

std::string describeImages(const tenon_program &program) {
  std::string text;
  for (int32_t i = 0; i < program.num_images; ++i) {
    const tenon_gpu_image &image = program.images[i];
    text += i ? ", " : "";
    text += image.kind == TENON_IMAGE_PTX ? "ptx " : "cubin ";
    text += image.arch ? image.arch : "?";
  }
  return text;
}

} // namespace tenon::runtime::cuda
