//===- TargetAttr.cpp - the policy of a module ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Kernel/IR/KernelAttrs.cpp.inc"

void KernelDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tenon/Dialect/Kernel/IR/KernelAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Policies
//===----------------------------------------------------------------------===//

static SmallVector<StringAttr> makeList(MLIRContext *context,
                                        ArrayRef<std::string> names) {
  SmallVector<StringAttr> list;
  for (const std::string &name : names)
    list.push_back(StringAttr::get(context, name));
  return list;
}

/// The levels that are not written.
static std::vector<std::string> getUsualLevels(const Policy &policy) {
  const Policy usual;
  bool isUsual = !policy.isForGpu() && policy.host == usual.host;
  return isUsual ? usual.levels : std::vector<std::string>();
}

TargetAttr TargetAttr::get(MLIRContext *context, const Policy &policy) {
  return get(context, policy.device, policy.fp, policy.precision,
             makeList(context, policy.archs),
             StringAttr::get(context, policy.host),
             policy.isForGpu() ? SmallVector<StringAttr>()
                               : makeList(context, policy.levels));
}

Policy TargetAttr::getPolicy() const {
  Policy policy;
  policy.device = getDevice();
  policy.fp = getFp();
  policy.precision = getPrecision();
  for (StringAttr arch : getArchs())
    policy.archs.push_back(arch.str());
  policy.host = getHost().str();
  policy.levels.clear();
  for (StringAttr level : getLevels())
    policy.levels.push_back(level.str());
  return policy;
}

Policy kernel::getPolicy(ModuleOp module) {
  auto target = module->getAttrOfType<TargetAttr>(kTargetAttrName);
  return target ? target.getPolicy() : Policy();
}

bool kernel::hasPolicy(ModuleOp module) {
  return module->hasAttr(kTargetAttrName);
}

void kernel::setPolicy(ModuleOp module, const Policy &policy) {
  if (policy == Policy()) {
    module->removeAttr(kTargetAttrName);
    return;
  }
  // Modules are parsed in contexts that have not met the dialect yet.
  module.getContext()->loadDialect<KernelDialect>();
  module->setAttr(kTargetAttrName,
                  TargetAttr::get(module.getContext(), policy));
}

//===----------------------------------------------------------------------===//
// Syntax and rules
//===----------------------------------------------------------------------===//

/// `["sm_80", "sm_90"]`
static ParseResult parseList(AsmParser &parser,
                             std::vector<std::string> &names) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseString(&names.emplace_back());
  });
}

static void printList(AsmPrinter &printer, ArrayRef<StringAttr> names) {
  printer << "[";
  llvm::interleaveComma(names, printer.getStream(),
                        [&](StringAttr name) { printer << name; });
  printer << "]";
}

static ParseResult parseField(AsmParser &parser, StringRef name,
                              Policy &policy) {
  if (name == "device")
    return parseWord(parser, policy.device);
  if (name == "fp")
    return parseWord(parser, policy.fp);
  if (name == "precision")
    return parseWord(parser, policy.precision);
  if (name == "archs")
    return parseList(parser, policy.archs);
  if (name == "levels") {
    policy.levels.clear();
    return parseList(parser, policy.levels);
  }
  return parser.parseString(&policy.host);
}

Attribute TargetAttr::parse(AsmParser &parser, Type) {
  Policy policy;
  llvm::StringSet<> seen;
  SMLoc start = parser.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    if (!llvm::is_contained(
            {"device", "fp", "precision", "archs", "host", "levels"}, name))
      return parser.emitError(loc) << "expected device, fp, precision, archs, "
                                      "host or levels, but got '"
                                   << name << "'";
    if (!seen.insert(name).second)
      return parser.emitError(loc) << "'" << name << "' is given twice";
    return failure(parser.parseEqual() || parseField(parser, name, policy));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseOne))
    return {};
  if (!seen.contains("levels"))
    policy.levels = getUsualLevels(policy);
  MLIRContext *context = parser.getContext();
  SmallVector<StringAttr> archs = makeList(context, policy.archs),
                          levels = makeList(context, policy.levels);
  return parser.getChecked<TargetAttr>(
      start, context, policy.device, policy.fp, policy.precision,
      ArrayRef<StringAttr>(archs), StringAttr::get(context, policy.host),
      ArrayRef<StringAttr>(levels));
}

void TargetAttr::print(AsmPrinter &printer) const {
  const Policy policy = getPolicy(), usual;
  llvm::ListSeparator comma;
  auto &os = printer.getStream();
  os << "<";
  if (policy.device != usual.device)
    os << comma << "device = " << getName(policy.device);
  if (policy.fp != usual.fp)
    os << comma << "fp = " << tenon::getName(policy.fp);
  if (policy.precision != usual.precision)
    os << comma << "precision = " << tenon::getName(policy.precision);
  if (!policy.archs.empty()) {
    os << comma << "archs = ";
    printList(printer, getArchs());
  }
  if (policy.host != usual.host)
    os << comma << "host = " << getHost();
  if (policy.levels != getUsualLevels(policy)) {
    os << comma << "levels = ";
    printList(printer, getLevels());
  }
  os << ">";
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Device device, FpMode, Precision precision,
                                 ArrayRef<StringAttr> archs, StringAttr host,
                                 ArrayRef<StringAttr> levels) {
  if (device != Device::Cuda && !archs.empty())
    return emitError() << "archs are for the device cuda, but got the device "
                       << tenon::getName(device);
  if (device != Device::Cuda && precision == Precision::TF32)
    return emitError() << "the precision tf32 is for the device cuda, but got "
                          "the device "
                       << tenon::getName(device);
  llvm::SmallPtrSet<StringAttr, 4> seen;
  for (StringAttr arch : archs) {
    if (!arch.getValue().starts_with("sm_"))
      return emitError() << "expected an architecture such as \"sm_80\", but "
                            "got "
                         << arch;
    if (!seen.insert(arch).second)
      return emitError() << "the architecture " << arch << " is given twice";
  }
  if (!host.getValue().starts_with("cpu:"))
    return emitError() << "expected a host such as \"cpu:x86-64-v3\", but got "
                       << host;
  if (device != Device::Cpu && !levels.empty())
    return emitError() << "levels are for the device cpu, but got the device "
                       << tenon::getName(device);
  seen.insert(host);
  for (StringAttr level : levels) {
    if (!level.getValue().starts_with("cpu:"))
      return emitError() << "expected a level such as \"cpu:x86-64-v4\", but "
                            "got "
                         << level;
    if (!seen.insert(level).second)
      return emitError() << "the CPU " << level << " is given twice";
  }
  return success();
}

LogicalResult KernelDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute named) {
  if (named.getName() != kTargetAttrName)
    return op->emitError() << "the kernel dialect has no attribute '"
                           << named.getName().getValue() << "'";
  if (!isa<ModuleOp>(op))
    return op->emitError() << "expected '" << kTargetAttrName
                           << "' on a module only";
  if (!isa<TargetAttr>(named.getValue()))
    return op->emitError() << "expected '" << kTargetAttrName
                           << "' to be a #kernel.target, but got "
                           << named.getValue();
  return success();
}
