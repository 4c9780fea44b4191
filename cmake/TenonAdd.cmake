# Functions that declare Tenon's libraries, tools and generated files. Every
# target goes through them, so that flags and precompiled headers stay in one
# place.

add_library(tenon_warnings INTERFACE)
target_compile_options(tenon_warnings INTERFACE
  -Wall -Wextra -Wno-unused-parameter -Werror=return-type
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-copy>)

# Packaged LLVM has RTTI and no exceptions.
add_library(tenon_mlir_flags INTERFACE)
target_compile_options(tenon_mlir_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
target_link_libraries(tenon_mlir_flags INTERFACE tenon_warnings MLIR LLVM)

# One precompiled header of the MLIR headers that nearly every file includes:
# 2 s a file instead of 10 s.
file(WRITE ${CMAKE_BINARY_DIR}/tenon_pch.cpp "")
add_library(tenon_pch OBJECT ${CMAKE_BINARY_DIR}/tenon_pch.cpp)
target_link_libraries(tenon_pch PRIVATE tenon_mlir_flags)
target_precompile_headers(tenon_pch PRIVATE
  "${PROJECT_SOURCE_DIR}/cmake/tenon_pch.h")

# The same and the graph dialect, for all that is built on it.
add_library(tenon_graph_pch OBJECT ${CMAKE_BINARY_DIR}/tenon_pch.cpp)
target_link_libraries(tenon_graph_pch PRIVATE tenon_mlir_flags)
add_dependencies(tenon_graph_pch TenonGraphIncGen)
target_precompile_headers(tenon_graph_pch PRIVATE
  "${PROJECT_SOURCE_DIR}/cmake/tenon_pch.h"
  "${PROJECT_SOURCE_DIR}/include/tenon/Dialect/Graph/IR/Graph.h")

# tenon_add_library(NAME SOURCES... [DEPENDS targets] [LINK libraries])
# A room of the compiler: sees MLIR, is a static library inside the tools.
function(tenon_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC tenon_mlir_flags ${ARG_LINK})
  if(name STREQUAL TenonGraph)
    target_precompile_headers(${name} REUSE_FROM tenon_pch)
  else()
    target_precompile_headers(${name} REUSE_FROM tenon_graph_pch)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# tenon_add_plain_library(NAME SOURCES... [LINK libraries])
# A room without MLIR and LLVM: a static library that is installed, and that
# find_package(Tenon) offers as Tenon::NAME.
function(tenon_add_plain_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK}
                        PRIVATE $<BUILD_INTERFACE:tenon_warnings>)
  add_dependencies(${name} TenonArtifactIncGen)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ${name} EXPORT TenonTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# Programs are compiled like libraries (-fPIC, not -fPIE): a precompiled header
# serves only one of the two.
function(tenon_use_pch name)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM tenon_graph_pch)
endfunction()

# Generates NAME/Options.inc of the Options.td in a tool's folder, if there is one.
function(tenon_add_options name)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/Options.td)
    return()
  endif()
  set(LLVM_TARGET_DEFINITIONS Options.td)
  tenon_tablegen(Options.inc -gen-options)
  add_public_tablegen_target(${name}-options)
  add_dependencies(${name} ${name}-options)
  target_include_directories(${name} PRIVATE ${PROJECT_BINARY_DIR}/tools)
endfunction()

# tenon_add_tool(NAME SOURCES... [LINK libraries] [PLAIN])
function(tenon_add_tool name)
  cmake_parse_arguments(ARG "PLAIN" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_PLAIN)
    target_link_libraries(${name} PRIVATE tenon_warnings ${ARG_LINK})
  else()
    target_link_libraries(${name} PRIVATE tenon_mlir_flags ${ARG_LINK})
    tenon_use_pch(${name})
  endif()
  target_compile_definitions(${name} PRIVATE TENON_VERSION="${PROJECT_VERSION}")
  tenon_add_options(${name})
  install(TARGETS ${name} EXPORT TenonTargets
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set_property(GLOBAL APPEND PROPERTY TENON_TOOLS ${name})
endfunction()

# tenon_add_unit_test(NAME SOURCES... [LINK libraries] [PLAIN])
# A GoogleTest program, run by lit (test/unit/lit.cfg.py), which takes every
# program there whose name ends in "Tests".
function(tenon_add_unit_test name)
  cmake_parse_arguments(ARG "PLAIN" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main GTest::gtest)
  if(ARG_PLAIN)
    target_link_libraries(${name} PRIVATE tenon_warnings)
  else()
    target_link_libraries(${name} PRIVATE tenon_mlir_flags)
    tenon_use_pch(${name})
  endif()
  string(REGEX REPLACE "_?[Tt]ests?$" "" program ${name})
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME ${program}Tests
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/unit/bin)
  set_property(GLOBAL APPEND PROPERTY TENON_UNIT_TESTS ${name})
endfunction()
