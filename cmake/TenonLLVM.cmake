# Finds LLVM and MLIR of the one pinned release, as shared libraries.

file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/llvm-version.txt" TENON_LLVM_VERSION
     LIMIT_COUNT 1)
find_package(MLIR REQUIRED CONFIG
             HINTS "/usr/lib/llvm-${TENON_LLVM_VERSION}/lib/cmake/mlir")
if(NOT LLVM_VERSION_MAJOR EQUAL TENON_LLVM_VERSION)
  message(FATAL_ERROR "Tenon needs LLVM ${TENON_LLVM_VERSION}, but found "
                      "${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")
endif()
message(STATUS "Tenon: LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
# Debian's configuration does not say so, but everything must link the shared
# libMLIR.so and libLLVM.so: a static copy beside them has its own registries.
set(LLVM_LINK_LLVM_DYLIB ON)
set(MLIR_LINK_MLIR_DYLIB ON)
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_definitions(${LLVM_DEFINITIONS})

# Like mlir_tablegen, by the generator of utils/tenon-tblgen.
set(TENON_TABLEGEN_EXE tenon-tblgen)
set(TENON_TABLEGEN_TARGET tenon-tblgen)
function(tenon_tablegen file)
  tablegen(TENON ${ARGV})
  set(TABLEGEN_OUTPUT ${TABLEGEN_OUTPUT} ${CMAKE_CURRENT_BINARY_DIR}/${file}
      PARENT_SCOPE)
endfunction()
