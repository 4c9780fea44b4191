#!/bin/sh
# same-text.sh EXPECTED ACTUAL: compares what an example printed. Figures after
# loss, min, max, mean, error, got and bound may differ in their last digits between
# machines; the example's own --expect judges them. Any C compiler is
# "cc", any C++ compiler "c++".
set -eu
plain() {
  sed -E 's/(loss|min|max|mean|error|got|expected|bound) -?[0-9][0-9.e+-]*/\1 #/g; s/at \[[0-9, ]*\]/at #/; s/x86-64-v[0-9]/x86-64-v#/; s/ steps in .*/ steps in #/; s/^\$ [^ ]*[+][+][-0-9]* /$ c++ /; s/^\$ [^ ]*(cc|clang)[-0-9]* /$ cc /' "$1"
}
plain "$1" > "$2.expected"
plain "$2" > "$2.plain"
diff -u "$2.expected" "$2.plain"
