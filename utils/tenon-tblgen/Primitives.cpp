//===- Primitives.cpp - library calls in C and as tables ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads tenon/Dialect/Program/IR/PrimitiveAttrs.td. Writes the enumerations and
// structures of Primitives.h.inc, and the functions that turn attributes into
// constants of these structures.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;

namespace {
/// A member of a structure.
struct Field {
  std::string name;
  const Record *type;

  bool isPerAxis() const { return type->isSubClassOf("Program_PerAxis"); }
  StringRef getMember() const { return type->getValueAsString("memberType"); }
};
} // namespace

static std::vector<const Record *> getPrimitives(const RecordKeeper &records) {
  std::vector<const Record *> all =
      records.getAllDerivedDefinitions("Program_PrimitiveAttr");
  llvm::sort(all, [](const Record *a, const Record *b) {
    return a->getValueAsInt("number") < b->getValueAsInt("number");
  });
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i]->getValueAsInt("number") == all[i - 1]->getValueAsInt("number"))
      PrintFatalError(all[i], "expected a number that no other primitive has");
  return all;
}

static std::vector<Field> getFields(const Record *primitive) {
  std::vector<Field> fields;
  const DagInit *list = primitive->getValueAsDag("parameters");
  for (unsigned i = 0; i < list->getNumArgs(); ++i) {
    const auto *type = dyn_cast<DefInit>(list->getArg(i));
    if (!type || !type->getDef()->isSubClassOf("Program_Field"))
      PrintFatalError(primitive, "expected parameters that are fields");
    fields.push_back({list->getArgNameStr(i).str(), type->getDef()});
  }
  if (fields.empty() != primitive->getValueAsString("structure").empty())
    PrintFatalError(primitive, "expected a structure if it has fields");
  return fields;
}

static void emitStructure(const Record *primitive, raw_ostream &os) {
  StringRef name = primitive->getValueAsString("structure");
  os << "\ntypedef struct " << name << " {\n";
  bool hasCount = false;
  for (const Field &field : getFields(primitive)) {
    if (field.isPerAxis() && !hasCount)
      os << "  int32_t num_spatial; // the length of each list\n";
    hasCount |= field.isPerAxis();
    StringRef member = field.getMember();
    os << "  " << member << (member.ends_with("*") ? "" : " ") << field.name
       << "; // " << field.type->getValueAsString("summary") << "\n";
  }
  os << "} " << name << ";\n";
}

static void emitStructures(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("Library calls as an artifact has them", os, records);
  std::vector<const Record *> primitives = getPrimitives(records);
  os << "/// The functions that libraries compute. The result is the last of a "
        "call's\n/// buffers.\nenum tenon_primitive {\n";
  for (const Record *primitive : primitives)
    os << "  TENON_PRIMITIVE_"
       << primitive->getValueAsString("mnemonic").upper() << " = "
       << primitive->getValueAsInt("number") << ", // "
       << primitive->getValueAsString("summary") << "\n";
  os << "};\n\n/// The functions that are applied to a result, with the two "
        "numbers of a\n/// tenon_post_op.\nenum tenon_post_kind {\n";
  for (const Record *kind :
       records.getDef("Program_PostOpKind")->getValueAsListOfDefs("enumerants"))
    os << "  TENON_POST_OP_" << kind->getValueAsString("str").upper() << " = "
       << kind->getValueAsInt("value") << ",\n";
  os << "};\n";
  StringSet<> written;
  for (const Record *primitive : primitives) {
    StringRef structure = primitive->getValueAsString("structure");
    if (!structure.empty() && written.insert(structure).second)
      emitStructure(primitive, os);
  }
}

/// Writes the function that makes the structure of one primitive.
static void emitTable(const Record *primitive, raw_ostream &os) {
  StringRef structure = primitive->getValueAsString("structure");
  os << "\nstatic llvm::Constant *addFields(TableBuilder &tables, program::"
     << primitive->getValueAsString("cppClassName") << " primitive) {\n";
  if (structure.empty()) {
    os << "  return tables.null();\n}\n";
    return;
  }
  os << "  llvm::Constant *value = StructBuilder(tables, sizeof(" << structure
     << "))";
  bool hasCount = false;
  auto add = [&](StringRef name, const Twine &value) {
    os << "\n      .add(TENON_FIELD(" << structure << ", " << name << "), "
       << value << ")";
  };
  for (const Field &field : getFields(primitive)) {
    std::string getter =
        "primitive.get" + convertToCamelFromSnakeCase(field.name, true) + "()";
    if (field.isPerAxis() && !hasCount)
      add("num_spatial", "tables.int32(" + getter + ".size())");
    hasCount |= field.isPerAxis();
    std::string constant = field.type->getValueAsString("tableConstant").str();
    constant.replace(constant.find("$_self"), 6, getter);
    add(field.name, constant);
  }
  os << "\n      .finish();\n  return tables.array(\"fields\", value, alignof("
     << structure << "));\n}\n";
}

static void emitTables(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("Library calls as tables", os, records);
  std::vector<const Record *> primitives = getPrimitives(records);
  for (const Record *primitive : primitives)
    emitTable(primitive, os);
  os << "\nstatic llvm::Constant *addFields(TableBuilder &tables, "
        "program::PrimitiveAttr primitive) {\n"
        "  return llvm::TypeSwitch<mlir::Attribute, llvm::Constant "
        "*>(primitive)"
        "\n      .Case<";
  interleave(
      primitives, os,
      [&](const Record *primitive) {
        os << "program::" << primitive->getValueAsString("cppClassName");
      },
      ", ");
  os << ">(\n          [&](auto known) { return addFields(tables, known); });\n"
        "}\n";
}

static TableGen::Emitter::Opt
    structures("gen-primitive-structs", emitStructures,
               "Write the structures of library calls in C");
static TableGen::Emitter::Opt
    tables("gen-primitive-tables", emitTables,
           "Write the functions that make these structures");
