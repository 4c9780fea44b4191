//===- Help.cpp - the texts of --help -------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLineEmitter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;
using namespace tenon::tblgen;

/// The last column of a line.
static constexpr size_t kHelpColumns = 80;

/// Writes a text that begins behind `flag`, in lines.
void CommandLineEmitter::addHelp(const Twine &flag, std::string text) {
  // A title of a pass's option is a sentence.
  if (text.size() > 1 && isUpper(text[0]) && !isUpper(text[1]))
    text[0] = toLower(text[0]);
  const size_t column = command->getValueAsInt("column");
  std::string line = "  " + flag.str();
  SmallVector<StringRef> words;
  StringRef(text).split(words, ' ', -1, /*KeepEmpty=*/false);
  if (line.size() + 1 > column) {
    os << line << "\n";
    line.clear();
  }
  line.resize(std::max(line.size(), column), ' ');
  bool isFirst = true;
  for (StringRef word : words) {
    if (!isFirst && line.size() + 1 + word.size() > kHelpColumns) {
      os << line << "\n";
      line = std::string(column, ' ');
      isFirst = true;
    }
    line += (isFirst ? "" : " ") + word.str();
    isFirst = false;
  }
  os << StringRef(line).rtrim() << "\n";
}

/// Returns a default value as help shows it; empty: it says nothing.
static std::string getDefault(StringRef value) {
  bool isEnumerator = value.contains("::");
  value = isEnumerator ? value.rsplit("::").second : value;
  value.consume_front("\"");
  value.consume_back("\"");
  // A number that stands for none is explained by the text.
  if (value.empty() || value == "false" || value == "-1")
    return "";
  // An enumerator, as its name is spelled.
  return isEnumerator ? convertToSnakeFromCamelCase(value) : value.str();
}

static void addDefault(std::string &text, StringRef value) {
  std::string shown = getDefault(value);
  if (!shown.empty() && !StringRef(text).contains("default"))
    text += " (default " + shown + ")";
}

void CommandLineEmitter::addPassHelp(const Record *all) {
  for (const Record *option : getPassOptions(all)) {
    if (is_contained(all->getValueAsListOfStrings("apart"),
                     get(option, "cppName")))
      continue;
    std::string text = get(option, "description").str();
    if (isList(option))
      text += " (repeatable)";
    addDefault(text, get(option, "defaultValue"));
    addHelp(get(all, "prefix") + get(option, "argument") + "=" +
                get(option->getValueAsDef("unit"), "shown"),
            std::move(text));
  }
}

void CommandLineEmitter::addOptionsHelp(ArrayRef<const Record *> list) {
  for (const Record *option : list) {
    std::string text = get(option, "text").str();
    if (option->isSubClassOf("Paragraph")) {
      checkWidth(text);
      os << text << "\n";
      continue;
    }
    if (option->isSubClassOf("Until"))
      continue;
    if (option->isSubClassOf("Shared")) {
      addOptionsHelp(getShared(option));
      continue;
    }
    if (option->isSubClassOf("Included")) {
      addOptionsHelp(getIncluded(option)->getValueAsListOfDefs("options"));
      continue;
    }
    if (option->isSubClassOf("PassOptions")) {
      addPassHelp(option);
      continue;
    }
    if (option->getValueAsBit("hidden"))
      continue;
    std::string flag = get(option, "flag").str();
    // As a user writes it: a short option has a blank before its value.
    const char *separator = StringRef(flag).starts_with("--") ? "=" : " ";
    if (option->isSubClassOf("PassOption")) {
      const Record *known = findPassOption(option);
      if (text.empty())
        text = get(known, "description").str();
      if (isList(known))
        text += " (repeatable)";
      addDefault(text, get(known, "defaultValue"));
      if (get(known, "type") != "bool")
        flag += separator + get(known->getValueAsDef("unit"), "shown").str();
    } else if (option->isSubClassOf("Choice")) {
      SmallVector<StringRef> words;
      for (const Record *one : option->getValueAsListOfDefs("spellings"))
        words.push_back(get(one, "word"));
      flag += separator + join(words, "|");
      if (get(option, "value").empty() && words.size() > 1)
        addDefault(text, words.front());
    } else if (option->getValue("unit")) {
      std::string shown = get(option->getValueAsDef("unit"), "shown").str();
      bool isOptional =
          option->isSubClassOf("Parsed") && option->getValueAsBit("optional");
      if (!shown.empty())
        flag += isOptional ? "[=" + shown + "]" : separator + shown;
      if (option->isSubClassOf("Texts"))
        text += " (repeatable)";
      // 0 outside of the range: not stated.
      else if (option->isSubClassOf("ValueOption") &&
               !(option->isSubClassOf("Number") &&
                 get(option, "value") == "0" && get(option, "least") != "0"))
        addDefault(text, get(option, "value"));
    }
    addHelp(flag, std::move(text));
  }
}

/// Checks the width of a text that is printed in its own lines.
void CommandLineEmitter::checkWidth(StringRef text) {
  for (StringRef line : split(text, '\n'))
    if (line.size() > kHelpColumns)
      PrintFatalError(command, "help has a line beyond column " +
                                   Twine(kHelpColumns) + ": '" + line + "'");
}

void CommandLineEmitter::emitHelp() {
  checkWidth(get(command, "usage"));
  checkWidth(get(command, "notes"));
  os << "static const char k" << get(command, "structure")
     << "Help[] = R\"TENON(" << get(command, "usage").ltrim('\n') << "\n";
  addOptionsHelp(options);
  addHelp("--version, --help", "");
  if (StringRef notes = get(command, "notes"); !notes.empty())
    os << "\n" << notes.trim('\n') << "\n";
  os << ")TENON\";\n\n";
}
