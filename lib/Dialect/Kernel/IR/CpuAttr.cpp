//===- CpuAttr.cpp - CPUs that code is generated for ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Program.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

static constexpr StringLiteral kUsualTriple = "x86_64-unknown-linux-gnu";

namespace {
/// A row of Cpus.def.
struct Level {
  StringLiteral name;
  uint32_t bit;
  unsigned vectorBits;
};
struct Extension {
  StringLiteral name;
  uint32_t bit, level;
};
} // namespace

static constexpr Level kLevels[] = {
#define TENON_CPU_LEVEL(NAME, number, name, vectorBits)                        \
  {name, TENON_CPU_##NAME, vectorBits},
#include "tenon/Artifact/Cpus.def"
};
static constexpr Extension kExtensions[] = {
#define TENON_CPU_EXTENSION(NAME, number, name, LEVEL)                         \
  {name, TENON_CPU_##NAME, TENON_CPU_##LEVEL},
#include "tenon/Artifact/Cpus.def"
};

/// nullptr: there is none.
static const Level *findLevel(StringRef name) {
  const Level *level = llvm::find_if(
      kLevels, [&](const Level &level) { return level.name == name; });
  return level == std::end(kLevels) ? nullptr : level;
}
static const Extension *findExtension(StringRef name) {
  const Extension *extension =
      llvm::find_if(kExtensions, [&](const Extension &extension) {
        return extension.name == name;
      });
  return extension == std::end(kExtensions) ? nullptr : extension;
}

static uint32_t getLevelBits(StringRef name) {
  uint32_t bits = 0;
  for (const Level &level : kLevels) {
    bits |= level.bit;
    if (level.name == name)
      break;
  }
  return bits;
}

CpuAttr CpuAttr::get(MLIRContext *context, StringRef level,
                     ArrayRef<StringAttr> features, StringRef tune) {
  const Level *known = findLevel(level);
  assert(known && "expected a level of Cpus.def");
  return get(context, level, features, known->vectorBits, tune, kUsualTriple);
}

Device CpuAttr::getDevice() const { return Device::Cpu; }

StringRef CpuAttr::getProfileName() const { return "cpu"; }

std::string CpuAttr::getTargetName() const {
  std::string name = "cpu:" + getLevel().str();
  for (StringAttr feature : getFeatures())
    name += "+" + feature.str();
  return name;
}

uint32_t CpuAttr::getFeatureBits() const {
  uint32_t bits = getLevelBits(getLevel());
  for (StringAttr feature : getFeatures())
    bits |= findExtension(feature)->bit;
  return bits;
}

std::string CpuAttr::getLLVMFeatures() const {
  const uint32_t beyond = getFeatureBits() & ~getLevelBits(getLevel());
  std::string text;
#define TENON_CPU_FLAG(NAME, flag, leaf, subleaf, where, bit, state)           \
  if (beyond & TENON_CPU_##NAME)                                               \
    text += text.empty() ? "+" flag : ",+" flag;
#include "tenon/Artifact/Cpus.def"
  return text;
}

LogicalResult CpuAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              StringRef level, ArrayRef<StringAttr> features,
                              unsigned vectorBits, StringRef tune,
                              StringRef triple) {
  const Level *known = findLevel(level);
  if (!known) {
    InFlightDiagnostic diagnostic = emitError() << "expected a level ";
    llvm::interleaveComma(kLevels, diagnostic, [&](const Level &level) {
      diagnostic << "\"" << level.name << "\"";
    });
    return diagnostic << ", but got \"" << level << "\"";
  }
  llvm::StringSet<> seen;
  uint32_t last = 0;
  for (StringAttr feature : features) {
    const Extension *extension = findExtension(feature);
    if (!extension || !(getLevelBits(level) & extension->level)) {
      InFlightDiagnostic diagnostic = emitError() << "expected a feature ";
      llvm::interleaveComma(kExtensions, diagnostic,
                            [&](const Extension &extension) {
                              diagnostic << "'" << extension.name << "'";
                            });
      return diagnostic << " of x86-64-v4, but got '" << feature.getValue()
                        << "' of " << level;
    }
    if (!seen.insert(feature).second)
      return emitError() << "the feature '" << feature.getValue()
                         << "' is given twice";
    if (extension->bit < last)
      return emitError() << "expected features in the order of their numbers: '"
                         << feature.getValue() << "' earlier";
    last = extension->bit;
  }
  if (!llvm::is_contained({128u, 256u, 512u}, vectorBits) ||
      vectorBits > known->vectorBits)
    return emitError() << "expected vectors of 128, 256 or 512 bits, and at "
                          "most the "
                       << known->vectorBits << " of " << level << ", but got "
                       << vectorBits;
  if (!tune.empty() && llvm::X86::parseTuneCPU(tune) == llvm::X86::CK_None)
    return emitError()
           << "expected LLVM's name of a processor to tune for, but "
              "got \""
           << tune << "\"";
  if (triple != kUsualTriple)
    return emitError() << "expected the triple \"" << kUsualTriple
                       << "\", but got \"" << triple << "\"";
  return success();
}

Attribute CpuAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  std::string level, tune, triple = kUsualTriple.str();
  SmallVector<StringAttr> features;
  if (parser.parseLess() || parser.parseString(&level))
    return {};
  const Level *known = findLevel(level);
  unsigned vectorBits = known ? known->vectorBits : 0;
  llvm::StringSet<> seen;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return {};
    if (!seen.insert(name).second)
      return parser.emitError(loc) << "'" << name << "' is given twice",
             nullptr;
    if (parser.parseEqual())
      return {};
    ParseResult result = success();
    if (name == "features")
      result =
          parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
            return parser.parseAttribute(features.emplace_back());
          });
    else if (name == "vector_bits")
      result = parser.parseInteger(vectorBits);
    else if (name == "tune")
      result = parser.parseString(&tune);
    else if (name == "triple")
      result = parser.parseString(&triple);
    else
      result = parser.emitError(loc) << "expected features, vector_bits, tune "
                                        "or triple, but got '"
                                     << name << "'";
    if (result)
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<CpuAttr>(start, parser.getContext(),
                                    StringRef(level),
                                    ArrayRef<StringAttr>(features), vectorBits,
                                    StringRef(tune), StringRef(triple));
}

void CpuAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getLevel() << "\"";
  if (!getFeatures().empty()) {
    printer << ", features = [";
    llvm::interleaveComma(getFeatures(), printer);
    printer << "]";
  }
  if (getVectorBits() != findLevel(getLevel())->vectorBits)
    printer << ", vector_bits = " << getVectorBits();
  if (!getTune().empty())
    printer << ", tune = \"" << getTune() << "\"";
  if (getTriple() != kUsualTriple)
    printer << ", triple = \"" << getTriple() << "\"";
  printer << ">";
}
