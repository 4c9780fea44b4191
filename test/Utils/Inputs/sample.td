// A command line with an option of each kind.
include "tenon/Optimize/Passes.td"

def Part : CommandLine<"", "PartLine"> {
  let options = [Switch<"--part", "part", "a part">];
}

def Sample : CommandLine<"sample", "SampleLine"> {
  let usage = [{
Does nothing.

usage: sample FILE [options]
}];
  let argument = "input";
  let operand = "file";
  let required = "a file";
  let members = [{
  optimize::GraphOptimizeOptions search;
}];
  let options = [
    Switch<"--force", "force", "replace files">,
    HiddenSwitch<"--secret", "secret">,
    AliasedText<"-o", "--output", "output", File, "the \"result\"">,
    Texts<"--bind", "binds", Unit<"A=B", "A=B">, "bind">,
    Number<"--count", "count", Count, "unsigned", "3", "1", "9", "a number">,
    Number<"--limit", "limit", Seconds, "int64_t", "", "0", "INT64_MAX",
           "a number that may be missing, with a text that needs a second line">,
    Number<"--rate", "nested.rate", Ratio, "double", "1.5", "0",
           "tenon::artifact::kInfinity", "a member of a member">,
    Until<"Past::Place">,
    Choice<"--kind", "kind", "int", [Spelling<"a", "1">, Spelling<"b", "2">],
           "one of two">,
    Enum<"--fp", "fp", "FpMode", "FpMode::Strict", "a mode">,
    Until<"">,
    Parsed<"--mode", Unit<"M">, "parseMode", "parsed", "  int mode = 0;\n", 1>,
    Removed<"--old", "was removed">,
    PassOption<"--least-gain", "GraphOptimize", "leastGain", "search">,
    PassOption<"--rules", "GraphOptimize", "rules", "search">,
    Included<"Part", "part">,
    Paragraph<"  and more">
  ];
  let notes = "exit status: 0";
}

def Other : CommandLine<"other", "OtherLine"> {
  let usage = "usage: other";
  let options = [
    Shared<"Sample", "sample", ["--count"]>,
    PassOptions<"GraphOptimize", "--x-", "sample.search", ["rules"]>
  ];
}
