# Read by the run.sh of each example: goes to its folder, sets `out` to the
# folder for its output, and finds the tools and compilers.
cd "$(dirname "$0")"
mkdir -p "${1:-out}"
out=$(cd "${1:-out}" && pwd)
if [ -n "${TENON_BIN-}" ]; then
  PATH=$TENON_BIN:$PATH
elif [ -d ../../build/bin ]; then
  PATH=$(cd ../../build/bin && pwd):$PATH
fi
if ! command -v tenon-compile >/dev/null; then
  echo "tenon-compile is not in PATH: build it, or set TENON_BIN" >&2
  exit 1
fi
prefix=$(dirname "$(dirname "$(command -v tenon-compile)")")
# The first program that is there.
first() {
  for program; do
    command -v "$program" >/dev/null && echo "$program" && return
  done
}
CC=${CC:-$(first cc clang-22)}
CXX=${CXX:-$(first c++ clang++-22)}
# Shows a command, then runs it.
run() {
  printf '$ %s\n' "$(echo "$@" | sed "s|$out|out|g")"
  "$@"
}
