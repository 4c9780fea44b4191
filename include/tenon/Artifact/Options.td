//===- Options.td - command lines of tools --------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An option is declared once, with its unit. utils/tenon-tblgen makes of a
// `CommandLine` the structure that holds the values (GEN_NAME_DECL), and, for
// tenon/Artifact/OptionTable.h, the code that reads them and the text of --help
// (GEN_NAME_DEF). Options of passes that a tool has, too, are declared with the
// pass, and named here.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_OPTIONS_TD
#define TENON_ARTIFACT_OPTIONS_TD

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

/// The unit of a value, or its form: as help shows it, and as errors name it;
/// `many`: as errors name several, of a number.
class Unit<string shown_, string expected_ = "a value", string many_ = ""> {
  string shown = shown_;
  string expected = expected_;
  string many = many_;
}

def File : Unit<"FILE", "the name of a file">;
def Folder : Unit<"DIR", "a folder">;
def Name : Unit<"NAME", "a name">;
def Pattern : Unit<"PATTERN", "a pattern of names">;
def Count : Unit<"N">;
def Bytes : Unit<"BYTES", "a value", "bytes">;
def Seconds : Unit<"SECONDS", "a value", "seconds">;
def Percent : Unit<"PERCENT">;
def Ratio : Unit<"RATIO">;
def Samples : Unit<"B">;
def Seed : Unit<"SEED">;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// An entry of --help. `text` begins in lower case and has no full stop; a
/// default value is added to it.
class Entry<string text_> { string text = text_; }

/// A paragraph between options.
class Paragraph<string text_> : Entry<text_>;

/// An option `flag`, with its dashes, and the members that it sets.
class ToolOption<string flag_, string text_> : Entry<text_> {
  string flag = flag_;
  /// Another spelling of it, which --help does not show.
  string alias = "";
  /// Whether it is left out of --help: for tests.
  bit hidden = false;
}

class Switch<string flag, string member_, string text> : ToolOption<flag, text> {
  string member = member_;
}

/// A switch for tests.
class HiddenSwitch<string flag, string member> : Switch<flag, member, ""> {
  let hidden = 1;
}

/// An option that there was; `reason` is the error.
class Removed<string flag, string reason_> : ToolOption<flag, ""> {
  string reason = reason_;
  let hidden = 1;
}

/// An option with a value that is kept in one member. A member of a member, as
/// `tolerance.relative`, is declared by `members` of the command line.
class ValueOption<string flag, string member_, Unit unit_, string type_,
                  string value_, string text> : ToolOption<flag, text> {
  string member = member_;
  Unit unit = unit_;
  string type = type_;
  string value = value_;
}

/// A text that is not empty; `value` is in C++.
class Text<string flag, string member, Unit unit, string text,
           string value = "">
    : ValueOption<flag, member, unit, "std::string", value, text>;

/// A text with another spelling of the option.
class AliasedText<string flag, string other, string member, Unit unit,
                  string text> : Text<flag, member, unit, text> {
  let alias = other;
}

/// Texts that are not empty; the option may be repeated.
class Texts<string flag, string member, Unit unit, string text>
    : ValueOption<flag, member, unit, "std::vector<std::string>", "", text>;

/// A number from `least` to `most`, in C++, of an arithmetic type. With a
/// `value` that is empty, it is optional.
class Number<string flag, string member, Unit unit, string type, string value,
             string least_, string most_, string text>
    : ValueOption<flag, member, unit, type, value, text> {
  string least = least_;
  string most = most_;
}

class Spelling<string word_, string value_> {
  string word = word_;
  string value = value_;
}

/// One of several words. `value` is that of the first where it is empty.
class Choice<string flag, string member, string type,
             list<Spelling> spellings_, string text, string value = "">
    : ValueOption<flag, member, Unit<"WORD">, type, value, text> {
  list<Spelling> spellings = spellings_;
}

/// A value of an enumeration with getName and getAll.
class Enum<string flag, string member, string type, string value, string text>
    : ValueOption<flag, member, Unit<"MODE">, type, value, text>;

/// A value that `parser(std::string_view, STRUCTURE &)` takes. `members` declares
/// what it sets. With `optional`, the option may have no value, which is then
/// empty.
class Parsed<string flag, Unit unit_, string parser_, string text,
             string members_ = "", bit optional_ = false>
    : ToolOption<flag, text> {
  Unit unit = unit_;
  string parser = parser_;
  string members = members_;
  bit optional = optional_;
}

/// A value that an expression adds to `table`; `line` is the structure.
class Added<string flag, Unit unit_, string expression_, string text,
            string members_ = ""> : ToolOption<flag, text> {
  Unit unit = unit_;
  string expression = expression_;
  string members = members_;
}

/// Options of another command line, whose structure is a base of the member
/// `member`. None of them is a `Parsed`.
class Shared<string command_, string member_, list<string> flags_> : Entry<""> {
  string command = command_;
  string member = member_;
  list<string> flags = flags_;
}

/// A module that is past `late` has no use for the options behind this entry;
/// empty: each has.
class Until<string late_> : Entry<""> { string late = late_; }

/// The options of another command line, whose structure is the member `member`.
class Included<string command_, string member_> : Entry<""> {
  string command = command_;
  string member = member_;
}

//===----------------------------------------------------------------------===//
// Options of tools that run models
//===----------------------------------------------------------------------===//

/// [NAME=]SPEC, repeatable; with `filesOnly` ("true"), [NAME=]@FILE.
class Specs<string flag, string member, string filesOnly, string text>
    : Added<flag, Unit<!if(!eq(filesOnly, "true"), "[NAME=]@FILE",
                           "[NAME=]SPEC")>,
            "tenon::artifact::addSpecs(table, \"" # flag # "\", " # filesOnly #
            ", line." # member # ")", text # " (repeatable)",
            "  std::vector<tenon::artifact::InputSpec> " # member # ";\n">;

/// --params, which sets `paramsPath` or `paramsSeed`.
class Params<string text>
    : Added<"--params", Unit<"@FILE|random:SEED">,
            "tenon::artifact::addParams(table, line.paramsPath, "
            "line.paramsSeed)", text,
            "  std::string paramsPath;\n"
            "  std::optional<uint64_t> paramsSeed;\n">;

/// @FILE.
class FileAt<string flag, string member, string text>
    : Added<flag, Unit<"@FILE">,
            "tenon::artifact::addFile(table, \"" # flag # "\", line." # member #
            ")", text, "  std::string " # member # ";\n">;

/// A tolerance of `of`, as the member `member`.
class RelativeError<string member, string of = "an element of an output">
    : Number<"--rtol", member, Ratio, "double", "1e-3", "0",
             "tenon::artifact::kInfinity",
             "by how much " # of # " may differ, as a part of the largest "
             "expected magnitude of the tensor">;
class AbsoluteError<string member>
    : Number<"--atol", member, Unit<"A">, "double", "0", "0",
             "tenon::artifact::kInfinity",
             "by how much it may differ beside that; a NaN agrees with NaN alone">;

//===----------------------------------------------------------------------===//
// Options of passes
//===----------------------------------------------------------------------===//

/// The option `cppName` of a pass, as the member `target` of the structure has
/// it. `text` takes the place of the pass's description. The pass declares unit
/// and range (ToolPassOption).
class PassOption<string flag, string pass_, string cppName_, string target_,
                 string text = ""> : ToolOption<flag, text> {
  string pass = pass_;
  string cppName = cppName_;
  string target = target_;
}

/// All options of a pass that have a unit, with a prefix before their names,
/// except those of `apart`, which have rows of their own. A function
/// addPASSOptions adds all of them by their names alone.
class PassOptions<string pass_, string prefix_, string target_,
                  list<string> apart_> : Entry<""> {
  string pass = pass_;
  string prefix = prefix_;
  string target = target_;
  list<string> apart = apart_;
}

//===----------------------------------------------------------------------===//
// Tools
//===----------------------------------------------------------------------===//

/// A tool, or a command of one (`tenon-rules prove`). Help is `usage`, the
/// options, and `notes`.
class CommandLine<string tool_, string structure_> {
  string tool = tool_;
  string structure = structure_;
  string usage;
  string notes = "";
  list<Entry> options;
  /// The column of the texts in help.
  int column = 23;
  /// The member that holds the one argument that is no option, or those that
  /// are none; `operand` names one for errors. Empty: no such argument.
  string argument = "";
  string arguments = "";
  string operand = "model";
  /// What a command line without it lacks; empty: it may lack it.
  string required = "";
  /// Members beside those of options.
  string members = "";
}

#endif // TENON_ARTIFACT_OPTIONS_TD
