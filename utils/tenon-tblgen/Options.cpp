//===- Options.cpp - command lines of tools as C++ ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads records of tenon/Artifact/Options.td: CommandLine, and the options of
// passes that it names.
//
//===----------------------------------------------------------------------===//

#include "CommandLineEmitter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace tenon::tblgen;

/// Quotes a text for C++.
static std::string quote(StringRef text) {
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '\n'   ? "\\n"
              : c == '"'  ? "\\\""
              : c == '\\' ? "\\\\"
                          : std::string(1, c);
  return quoted + "\"";
}

/// Returns the command line that an entry includes.
const Record *CommandLineEmitter::getIncluded(const Record *entry) {
  const Record *included = records.getDef(get(entry, "command"));
  if (!included)
    PrintFatalError(entry,
                    "there is no command line '" + get(entry, "command") + "'");
  return included;
}

/// Returns the options that an entry shares with another command line.
std::vector<const Record *> CommandLineEmitter::getShared(const Record *entry) {
  std::vector<const Record *> found;
  std::vector<const Record *> known =
      getIncluded(entry)->getValueAsListOfDefs("options");
  for (StringRef flag : entry->getValueAsListOfStrings("flags")) {
    auto option = find_if(known, [&](const Record *one) {
      return one->isSubClassOf("ToolOption") && get(one, "flag") == flag;
    });
    if (option == known.end() || (*option)->isSubClassOf("Parsed"))
      PrintFatalError(entry, "'" + flag + "' can't be shared");
    found.push_back(*option);
  }
  return found;
}

static bool isNumber(StringRef type) {
  return is_contained(
      {"unsigned", "int", "int32_t", "int64_t", "uint64_t", "double"}, type);
}

//===----------------------------------------------------------------------===//
// Options of passes
//===----------------------------------------------------------------------===//

const Record *CommandLineEmitter::findPassOption(const Record *option) {
  const Record *pass = records.getDef(get(option, "pass"));
  if (!pass)
    PrintFatalError(option, "there is no pass '" + get(option, "pass") + "'");
  for (const Record *known : pass->getValueAsListOfDefs("options"))
    if (get(known, "cppName") == get(option, "cppName")) {
      if (!known->getValue("unit"))
        PrintFatalError(option, "the option of the pass has no unit");
      return known;
    }
  PrintFatalError(option,
                  "the pass has no option '" + get(option, "cppName") + "'");
}

std::vector<const Record *>
CommandLineEmitter::getPassOptions(const Record *all) {
  std::vector<const Record *> found;
  const Record *pass = records.getDef(get(all, "pass"));
  for (const Record *known : pass->getValueAsListOfDefs("options"))
    if (known->getValue("unit"))
      found.push_back(known);
  return found;
}

//===----------------------------------------------------------------------===//
// The structure
//===----------------------------------------------------------------------===//

void CommandLineEmitter::emitStructure() {
  os << "struct " << get(command, "structure") << " {\n";
  auto declare = [&](StringRef type, StringRef name, StringRef value) {
    if (name.contains('.')) // a member of one in `members`
      return;
    os << "  " << type << " " << name;
    if (!value.empty())
      os << " = " << value;
    os << ";\n";
  };
  if (StringRef name = get(command, "argument"); !name.empty())
    declare("std::string", name, "");
  if (StringRef name = get(command, "arguments"); !name.empty())
    declare("std::vector<std::string>", name, "");
  for (const Record *option : options) {
    if (option->isSubClassOf("Switch")) {
      declare("bool", get(option, "member"), "false");
    } else if (option->isSubClassOf("ValueOption")) {
      std::string type = get(option, "type").str();
      StringRef value = get(option, "value");
      if (option->isSubClassOf("Number") && value.empty())
        type = "std::optional<" + type + ">";
      if (option->isSubClassOf("Choice") && value.empty())
        value = get(option->getValueAsListOfDefs("spellings").front(), "value");
      declare(type, get(option, "member"), value);
    } else if (option->isSubClassOf("Included")) {
      declare(get(getIncluded(option), "structure"), get(option, "member"), "");
    } else if (option->getValue("members")) {
      os << get(option, "members");
    }
  }
  os << get(command, "members") << "};\n";
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// Writes the row of a value of this type, which is put into `out`. `range`: of
/// a number, with a comma before it.
void CommandLineEmitter::emitValue(StringRef flag, StringRef type,
                                   const Record *unit, const Twine &out,
                                   const Twine &range) {
  std::string place = quote(flag) + ", " + out.str();
  os << "  table.";
  if (type == "bool")
    os << "addSwitch(" << place;
  else if (type == "std::string")
    os << "addText(" << place << ", " << quote(get(unit, "expected"));
  else if (type == "std::vector<std::string>")
    os << "addTexts(" << place << ", " << quote(get(unit, "expected"));
  else if (isNumber(type))
    os << "addNumber<" << type << ">(" << place << range
       << (get(unit, "many").empty() ? "" : ", " + quote(get(unit, "many")));
  else
    os << "addChoice(" << place << ", getChoices<" << type << ">()";
  os << ");\n";
}

static std::string getRange(const Record *option) {
  if (!option->getValue("least"))
    return "";
  StringRef type = get(option, "type");
  std::string low = get(option, "least").str(),
              high = get(option, "most").str();
  if (low.empty() && type == "double")
    low = "-tenon::artifact::kInfinity", high = "tenon::artifact::kInfinity";
  else if (low.empty())
    low = "std::numeric_limits<" + type.str() + ">::min()",
    high = "std::numeric_limits<" + type.str() + ">::max()";
  return ", " + low + ", " + high;
}

/// Writes the row of an option of a pass, whose structure is `target`.
void CommandLineEmitter::emitPassValue(const Record *option, StringRef flag,
                                       const Twine &target) {
  emitValue(flag,
            isList(option) ? "std::vector<std::string>" : get(option, "type"),
            option->getValueAsDef("unit"),
            target + "." + get(option, "cppName"), getRange(option));
}

void CommandLineEmitter::emitRow(const Record *option, StringRef flag,
                                 StringRef line) {
  if (option->isSubClassOf("PassOption")) {
    emitPassValue(findPassOption(option), flag,
                  line + "." + get(option, "target"));
  } else if (option->isSubClassOf("Parsed")) {
    os << "  table.add" << (option->getValueAsBit("optional") ? "Optional" : "")
       << "(" << quote(flag)
       << ", [&line](std::string_view value) {\n    return "
       << get(option, "parser") << "(value, line);\n  });\n";
  } else if (option->isSubClassOf("Removed")) {
    os << "  table.addOptional(" << quote(flag)
       << ", [](std::string_view) -> tenon::artifact::Status {\n    return "
          "tenon::artifact::makeError("
       << quote(get(option, "reason")) << ");\n  });\n";
  } else if (option->isSubClassOf("Added")) {
    os << "  " << get(option, "expression") << ";\n";
  } else if (option->isSubClassOf("Choice")) {
    os << "  table.addChoice<" << get(option, "type") << ">(" << quote(flag)
       << ", " << line << "." << get(option, "member") << ", {";
    for (const Record *one : option->getValueAsListOfDefs("spellings"))
      os << "{" << quote(get(one, "word")) << ", " << get(one, "value")
         << "}, ";
    os << "});\n";
  } else {
    bool isSwitch = option->isSubClassOf("Switch");
    emitValue(flag, isSwitch ? "bool" : get(option, "type"),
              isSwitch ? nullptr : option->getValueAsDef("unit"),
              line + "." + get(option, "member"), getRange(option));
  }
}

void CommandLineEmitter::emitRows(const Record *option, StringRef line) {
  for (StringRef flag : {get(option, "flag"), get(option, "alias")})
    if (!flag.empty())
      emitRow(option, flag, line);
}

void CommandLineEmitter::emitTable() {
  // For options of passes alone, by their names.
  for (const Record *all : options) {
    if (!all->isSubClassOf("PassOptions"))
      continue;
    os << "[[maybe_unused]] static void add" << get(all, "pass")
       << "Options(tenon::artifact::OptionTable &table, "
       << get(command, "structure") << " &line) {\n";
    for (const Record *option : getPassOptions(all))
      emitPassValue(option, get(option, "argument"),
                    "line." + get(all, "target"));
    os << "}\n\n";
  }
  os << "static void addOptions(tenon::artifact::OptionTable &table, "
     << get(command, "structure") << " &line) {\n";
  for (const Record *option : options)
    if (option->isSubClassOf("ToolOption"))
      emitRows(option, "line");
    else if (option->isSubClassOf("Included"))
      os << "  addOptions(table, line." << get(option, "member") << ");\n";
    else if (option->isSubClassOf("Shared"))
      for (const Record *shared : getShared(option))
        emitRows(shared, ("line." + get(option, "member")).str());
    else if (option->isSubClassOf("PassOptions"))
      for (const Record *one : getPassOptions(option))
        if (!is_contained(option->getValueAsListOfStrings("apart"),
                          get(one, "cppName")))
          emitPassValue(one,
                        (get(option, "prefix") + get(one, "argument")).str(),
                        "line." + get(option, "target"));
  os << "}\n\n";
}

/// Lists the options, to check which were given.
void CommandLineEmitter::emitFlags() {
  os << "[[maybe_unused]] static const char *const k"
     << get(command, "structure") << "Flags[] = {";
  for (const Record *option : options)
    if (option->isSubClassOf("ToolOption"))
      os << quote(get(option, "flag")) << ", ";
  os << "};\n";
}

/// Reads a whole command line: the options, and the arguments beside them.
void CommandLineEmitter::emitParser() {
  StringRef structure = get(command, "structure");
  StringRef tool = get(command, "tool"), operand = get(command, "operand");
  StringRef one = get(command, "argument"), many = get(command, "arguments");
  os << "static const tenon::artifact::Tool k" << structure << "Tool = {"
     << quote(tool) << ", TENON_VERSION, k" << structure << "Help};\n\n"
     << "/// Returns the exit status if nothing is left to do.\n"
     << "[[maybe_unused]] static std::optional<int> parseOptions(int argc, "
        "char "
        "**argv, "
     << structure << " &line, tenon::artifact::OptionTable &table) {\n"
     << "  auto take = [&]([[maybe_unused]] std::string_view name) -> "
        "tenon::artifact::Status {\n";
  if (!one.empty())
    os << "    if (!line." << one
       << ".empty())\n      return tenon::artifact::makeError("
       << quote(("expected one " + operand + ", but got '").str()) << ", line."
       << one << ", \"' and '\", name, \"'\");\n    line." << one
       << " = name;\n    return tenon::artifact::Status::success();\n";
  else if (!many.empty())
    os << "    line." << many
       << ".emplace_back(name);\n    return "
          "tenon::artifact::Status::success();\n";
  else
    os << "    return tenon::artifact::makeError(\"unexpected argument '\", "
          "name, \"'\");\n";
  os << "  };\n  addOptions(table, line);\n"
     << "  std::optional<int> status = table.parseTool(k" << structure
     << "Tool, argc, argv, take);\n";
  if (StringRef required = get(command, "required"); !required.empty())
    os << "  if (!status && line." << (one.empty() ? many : one)
       << ".empty())\n    return tenon::artifact::rejectUsage(k" << structure
       << "Tool, " << quote(("expected " + required).str()) << ");\n";
  os << "  return status;\n}\n";
}

/// Lists the options that a module may have no use for.
void CommandLineEmitter::emitLate() {
  StringRef late;
  for (const Record *option : options)
    if (option->isSubClassOf("Until"))
      late = get(option, "late");
    else if (option->isSubClassOf("ToolOption") && !late.empty())
      os << "TENON_LATE_OPTION(" << quote(get(option, "flag")) << ", " << late
         << ")\n";
}

void CommandLineEmitter::emit() {
  std::string guard = "GEN_" + command->getName().upper();
  auto section = [&](StringRef name, auto body) {
    os << "\n#ifdef " << guard << name << "\n#undef " << guard << name << "\n";
    body();
    os << "#endif // " << guard << name << "\n";
  };
  section("_DECL", [&] { emitStructure(); });
  section("_DEF", [&] {
    emitTable();
    // Others include it.
    if (get(command, "tool").empty()) {
      emitFlags();
      return;
    }
    emitHelp();
    emitParser();
  });
  section("_LATE", [&] { emitLate(); });
}

static void emitOptions(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("Command lines", os, records);
  for (const Record *command : records.getAllDerivedDefinitions("CommandLine"))
    CommandLineEmitter(records, command, os).emit();
}

static TableGen::Emitter::Opt options("gen-options", emitOptions,
                                      "Write the command lines of tools");
