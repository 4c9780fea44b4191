//===- CommandLineEmitter.h - the code of a command line ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_UTILS_TBLGEN_COMMANDLINEEMITTER_H
#define TENON_UTILS_TBLGEN_COMMANDLINEEMITTER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/TableGen/Record.h"

namespace tenon::tblgen {

using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::Record;
using llvm::RecordKeeper;
using llvm::StringRef;
using llvm::Twine;

/// Returns a field of a record, a text.
inline StringRef get(const Record *record, StringRef field) {
  return record->getValueAsString(field);
}

/// Returns whether an option of a pass may have several values.
inline bool isList(const Record *passOption) {
  return passOption->isSubClassOf("ListOption");
}

/// Writes the code of one command line.
class CommandLineEmitter {
public:
  CommandLineEmitter(const RecordKeeper &records, const Record *command,
                     raw_ostream &os)
      : records(records), command(command),
        options(command->getValueAsListOfDefs("options")), os(os) {}

  void emit();

private:
  void emitStructure();
  void emitHelp();
  void emitTable();
  void emitFlags();
  void emitParser();
  void emitLate();

  void emitValue(StringRef flag, StringRef type, const Record *unit,
                 const Twine &out, const Twine &range);
  void emitPassValue(const Record *option, StringRef flag, const Twine &target);
  void emitRow(const Record *option, StringRef flag, StringRef line);
  void emitRows(const Record *option, StringRef line);
  void checkWidth(StringRef text);
  void addHelp(const Twine &flag, std::string text);
  void addOptionsHelp(ArrayRef<const Record *> list);
  void addPassHelp(const Record *all);
  const Record *getIncluded(const Record *entry);
  std::vector<const Record *> getShared(const Record *entry);
  const Record *findPassOption(const Record *option);
  std::vector<const Record *> getPassOptions(const Record *all);

  const RecordKeeper &records;
  const Record *command;
  std::vector<const Record *> options;
  raw_ostream &os;
};

} // namespace tenon::tblgen

#endif // TENON_UTILS_TBLGEN_COMMANDLINEEMITTER_H
