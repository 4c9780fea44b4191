//===- Options.td - the command line of tenon-zoo ----------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Artifact/Options.td"

class Size<string flag, string member, Unit unit, string most, string text>
    : Number<flag, "options." # member, unit, "int64_t", "", "1", most, text>;

def Zoo : CommandLine<"tenon-zoo", "CommandLine"> {
  let usage = [{
Writes a well-known model as graph ops.

usage: tenon-zoo NAME [options]

  NAME                 mlp, resnet18, resnet50, squeezenet, vgg19, csrnet,
                       resnext50, inception-v3, nasnet-a, nasrnn, bert-base,
                       gpt2, gpt2-decode, mmt, dlrm, candle-uno
}];
  let argument = "model";
  let required = "a model";
  let members = [{  ModelOptions options;
}];
  // The bounds keep every model's numbers of elements below 2^63.
  let options = [
    Text<"-o", "output", File, "the module (default: standard output)",
         "\"-\"">,
    Parsed<"--batch", Samples, "parseBatch",
           "a number (default: dynamic, the dimension n)">,
    Parsed<"--sequence", Unit<"S">, "parseSequence",
           "language models: a number (default: dynamic, s); of gpt2-decode: the "
           "positions that its caches hold; of mmt: 1 to 4096 (default 256)">,
    Size<"--cache", "cache", Unit<"C">, "INT32_MAX",
         "gpt2: two entries, prefill and decode, over states that hold keys and "
         "values of up to C positions; of one text unless --batch says more">,
    Size<"--layers", "layers", Count, "1000",
         "language models: so many blocks, 1 to 1000 (default: as published), to "
         "see how costs grow; mmt, dlrm and candle-uno: layers per branch "
         "(default 8, 4 and 4)">,
    Size<"--branches", "branches", Count, "64",
         "mmt: parallel branches, 1 to 64 (default 4); candle-uno: the same "
         "(default 7); dlrm: dense branches, and as many sparse ones (default "
         "7)">,
    Size<"--width", "width", Unit<"W">, "16384",
         "mmt: width of the layers, 1 to 16384 (default 1024); dlrm and "
         "candle-uno: the same (default 4096)">,
    Size<"--heads", "heads", Unit<"H">, "128",
         "mmt: heads of attention, 1 to 128, a divisor of the width (default "
         "16)">,
    Size<"--trunk-layers", "trunkLayers", Count, "1000",
         "dlrm and candle-uno: layers after the branches are concatenated, 1 to "
         "1000 (default 4)">,
    Switch<"--small", "options.small",
           "less of everything, in the same structure: few blocks of each kind, "
           "channels and positions, and small images">,
    Text<"--params", "params", File,
         "also write weights, drawn as random:SEED draws them">,
    Number<"--seed", "seed", Seed, "uint64_t", "0", "0", "UINT64_MAX",
           "of --params">
  ];
  let notes = [{
resnext50, nasnet-a and nasrnn are as TASO ran them, inception-v3 as TENSAT did:
without batch norm and classifier. gpt2 reads a prompt, gpt2-decode takes one
token a step and updates caches of keys and values that it is given.
gpt2 --cache keeps them in states: prefill resets them and reads a prompt,
decode takes one token per step; both give the logits after the last token and
the most likely token.

mmt, dlrm and candle-uno are as GraphPipe ran them, with one output; docs/zoo.md
states their layers, and what the paper leaves open.

A --small model is not the start of the full one: its weights are its own.

Without --params the module has no weights: give tenon-run --params random:SEED.

exit status: 0 success, 1 a file can't be written, 2 wrong usage
}];
}
