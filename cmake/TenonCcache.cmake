# Uses ccache if it is installed, with options for precompiled headers: the
# order of the definitions in them, and times, do not matter.

find_program(TENON_CCACHE ccache)
option(TENON_USE_CCACHE "Compile through ccache where it is installed" ON)
if(TENON_USE_CCACHE AND TENON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  string(JOIN "," sloppiness pch_defines time_macros include_file_mtime
         include_file_ctime)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=${sloppiness}
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true
      ${TENON_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# The same inputs give the same precompiled header, so that what uses it is
# found in the cache; and objects do not hold the path of the source tree.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>"
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
endif()
